"""The checker's pruned histories give the verdicts of the rules as written, byte by byte."""

from dataclasses import replace

import pytest
from random_events import SIZE, random_events
from written_rules import WrittenRules
from zcir.runtime.checker import check
from zcir.runtime.events import EventGraph, EventKind

RULES = {"race", "stale", "lost", "clobber", "false-sharing", "lifetime"}


def compare(seed: int, events: int) -> tuple[bool, bool]:
    """Judge one random graph both ways; whether it is faulty and whether anything is redundant."""
    graph, machine = random_events(seed, events)
    result = check(graph, machine)
    found = {
        (report.rule.value, byte)
        for report in result.reports
        for span in report.spans
        for byte in range(span.start, span.end)
        if report.rule.value in RULES
    }
    expected = WrittenRules(graph, machine).faults(SIZE)
    racing = {byte for rule, byte in expected if rule == "race"}
    assert {byte for _, byte in found} == {byte for _, byte in expected}, seed
    assert {byte for rule, byte in found if rule == "race"} == racing, seed
    assert {f for f in found if f[1] not in racing} <= expected, seed
    gone = {op.event.id for op in result.redundant}
    if gone:
        rest = [
            replace(event, kind=EventKind.SYNC, target=()) if event.id in gone else event
            for event in graph.events
        ]
        without = WrittenRules(EventGraph(rest, graph.buffers), machine).faults(SIZE)
        assert without <= expected, seed
    return bool(expected), bool(gone)


def test_random_graphs_are_judged_as_the_rules_say() -> None:
    verdicts = [compare(seed, 10) for seed in range(1500)]
    assert 300 < sum(faulty for faulty, _ in verdicts) < 1200
    assert sum(redundant for _, redundant in verdicts) > 300


@pytest.mark.deep
def test_many_random_graphs_are_judged_as_the_rules_say() -> None:
    for seed in range(100_000):
        compare(seed, 14)
