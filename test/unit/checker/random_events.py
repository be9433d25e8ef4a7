"""Random event graphs, right and wrong, on random machines: for the checker's histories."""

import random

from zcir.runtime.event_builder import GraphBuilder, mixed_memory
from zcir.runtime.events import EventGraph
from zcir.runtime.machine import Machine, WriteBack

SIZE = 8
"""Bytes of the one buffer, at address 0."""


def _machine(rng: random.Random) -> Machine:
    mode = rng.choice(["bytes", "line", "mixed"])
    domains: list[tuple[tuple[str, ...], int, WriteBack]] = []
    for index in range(rng.choice([2, 3])):
        agents = ("d0", "e0") if index == 0 and rng.random() < 0.3 else (f"d{index}",)
        line = rng.choice([2, 4]) if mode == "mixed" else 4
        write_back = rng.choice(list(WriteBack)) if mode == "mixed" else WriteBack(mode)
        domains.append((agents, line, write_back))
    return mixed_memory(*domains)


def _span(rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(SIZE)
    return start, rng.randint(start + 1, min(SIZE, start + 4))


def _append(rng: random.Random, graph: GraphBuilder, agent: str, after: set[int]) -> None:
    """One event of a random kind."""
    kind = rng.random()
    if kind < 0.3:
        graph.access(agent, writes=[_span(rng)], after=after, flushed=rng.random() < 0.1)
    elif kind < 0.5:
        graph.access(agent, reads=[_span(rng)], after=after)
    elif kind < 0.6:
        graph.access(agent, reads=[_span(rng)], writes=[_span(rng)], after=after)
    elif kind < 0.8:
        graph.flush(agent, _span(rng), after=after)
    elif kind < 0.95:
        graph.invalidate(agent, _span(rng), after=after)
    else:
        graph.discard(agent, _span(rng), after=after)


def random_events(seed: int, events: int = 10) -> tuple[EventGraph, Machine]:
    """A graph of up to `events` random events in a random order, and the machine it is for."""
    rng = random.Random(seed)
    machine = _machine(rng)
    agents = [agent for domain in machine.domains for agent in domain.agents]
    graph = GraphBuilder()
    graph.alloca(agents[0], "%x", 0, SIZE)
    density = rng.choice([0.2, 0.5, 0.9, 1.0])
    for index in range(1, rng.randint(2, events) + 1):
        after = {0} | {
            before
            for before in range(1, index)
            if rng.random() < density * (1 if before == index - 1 else 0.4)
        }
        _append(rng, graph, rng.choice(agents), after)
    if rng.random() < 0.4:
        count = len(graph.graph.events)
        some = range(count) if rng.random() < 0.7 else rng.sample(range(count), -(-count // 2))
        graph.dealloca(agents[0], 0, after=some)
        if rng.random() < 0.5:
            after = [rng.choice([0, count])]
            graph.access(rng.choice(agents), writes=[_span(rng)], after=after)
    return graph.graph, machine
