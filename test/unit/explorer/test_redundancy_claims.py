"""What the checker calls redundant can go: the explorer finds the rest right without it.

Each claim by itself and all claims together, on random programs of every kind of memory; all four
classes come up. B25, IR-28.
"""

from collections import Counter
from dataclasses import replace

import pytest
from random_programs import MAINTENANCE, random_program
from zcir.runtime.checker import Redundancy, Rule, check
from zcir.runtime.events import Event, EventGraph, EventKind
from zcir.runtime.explorer import ExploreOptions, explore
from zcir.runtime.machine import Machine

DECIDE = ExploreOptions(outcomes=False)
OF_BUFFERS = {Rule.UNINITIALIZED, Rule.LIFETIME}
"""Rules that are not about values: a program that breaks one reads its values right."""


def without(graph: EventGraph, events: set[int]) -> EventGraph:
    """`graph` with some maintenance taken out; what it ordered stays ordered."""
    rest = [
        replace(event, kind=EventKind.SYNC, target=()) if event.id in events else event
        for event in graph.events
    ]
    return EventGraph(rest, graph.buffers, graph.signals)


def filled(graph: EventGraph, machine: Machine) -> EventGraph:
    """`graph` behind a hand-over of all its bytes to everyone, so that no read is undefined."""
    alloca = graph.events[0]
    first, *others = (domain.agents[0] for domain in machine.domains)
    writes = alloca.writes
    fill = Event(1, first, EventKind.ACCESS, after=(0,), writes=writes, flushed=True)
    drops = [
        Event(2 + index, agent, EventKind.INVALIDATE, after=(1,), target=writes)
        for index, agent in enumerate(others)
    ]
    shift = 1 + len(drops)
    roots = tuple(drop.id for drop in drops)
    moved = [
        replace(
            event,
            id=event.id + shift,
            after=(*roots, *(before + shift for before in event.after if before)),
        )
        for event in graph.events[1:]
    ]
    return EventGraph([alloca, fill, *drops, *moved], graph.buffers, graph.signals)


def coherent(graph: EventGraph, machine: Machine) -> tuple[EventGraph, Machine]:
    """The same with all agents on one cache, where the runtime skips maintenance."""
    agents = tuple(sorted(agent for domain in machine.domains for agent in domain.agents))
    events = [
        replace(event, skipped=event.kind in MAINTENANCE, location=f"t.mlir:{event.id}:1")
        for event in graph.events
    ]
    one = replace(machine, domains=(replace(machine.domains[0], agents=agents),))
    return EventGraph(events, graph.buffers, graph.signals), one


def claims(memory: str, seeds: range) -> Counter[str]:
    """Take out what is claimed to be redundant; how many claims of each class were tried."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        graph, machine = random_program(seed, memory)
        if seed % 8 < 6:
            graph = filled(graph, machine)
        if seed % 8 == 0:
            graph, machine = coherent(graph, machine)
        result = check(graph, machine)
        if {report.rule for report in result.reports} - OF_BUFFERS:
            continue
        gone = {claim.event.id for claim in result.redundant}
        for events in [*({event} for event in sorted(gone)), *([gone] if len(gone) > 1 else [])]:
            assert not explore(without(graph, events), machine, DECIDE).wrong_values, (seed, events)
        counts.update(claim.reason.value for claim in result.redundant)
    return counts


@pytest.mark.parametrize("memory", ["bytes", "line", "mixed"])
def test_claims_hold(memory: str) -> None:
    counts = claims(memory, range(120))
    print(memory, dict(sorted(counts.items())))
    assert sum(counts.values()) > 50
    assert set(counts) == {reason.value for reason in Redundancy}


@pytest.mark.deep
@pytest.mark.parametrize("memory", ["bytes", "line", "mixed"])
def test_many_claims_hold(memory: str) -> None:
    counts = claims(memory, range(200, 5200))
    print(memory, dict(sorted(counts.items())))
    assert set(counts) == {reason.value for reason in Redundancy}
