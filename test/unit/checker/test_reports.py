"""What a report holds: one for one cause, bytes by buffer; and what is refused."""

import pytest
from graph_reports import BYTES, gaps, ids, only, start
from zcir.runtime.checker import Action, Rule, check
from zcir.runtime.event_builder import GraphBuilder
from zcir.runtime.events import Event, EventGraph, EventKind, Span
from zcir.runtime.machine import Machine, Pool


def test_one_report_for_one_pair_with_merged_ranges() -> None:
    graph = start(256)
    graph.access("a", writes=[(0, 64), (64, 128), (192, 256)])
    graph.access("b", reads=[(0, 96), (96, 128), (200, 256)])
    report = only(graph)
    assert report.spans == (Span(0, 128), Span(200, 256))
    assert [(b.name, b.start, b.end) for b in report.bytes] == [("%x", 0, 128), ("%x", 200, 256)]


def test_bytes_are_named_by_buffer_and_by_life() -> None:
    graph = GraphBuilder()
    one = graph.alloca("host", "%one", 64, 128)
    graph.access("a", writes=[(64, 128)])
    graph.discard("a", (64, 128))
    graph.dealloca("host", one)
    graph.alloca("host", "%two", 64, 96)
    graph.alloca("host", "%three", 96, 128)
    graph.access("a", writes=[(64, 128)])
    graph.access("b", reads=[(80, 100)])
    report = only(graph)
    assert [(b.name, b.start, b.end) for b in report.bytes] == [("%two", 16, 32), ("%three", 0, 4)]


def test_an_unknown_agent_is_refused() -> None:
    graph = EventGraph([Event(0, "gpu", EventKind.SYNC, ())])
    with pytest.raises(ValueError, match=r"expected an agent of the machine \(a, b, host\), got"):
        check(graph, BYTES)


def test_an_access_beyond_the_agents_reach() -> None:
    pools = (Pool("host", "host", 0, 4096), Pool("a", "a", 4096, 4096))
    near, far = frozenset(("a",)), frozenset(("a", "host"))
    machine = Machine(BYTES.domains, pools, {"a": near}, {"a": far})
    graph = start()
    graph.alloca("host", "%y", 4096, 4160)
    graph.access("a", reads=[(4096, 4160)], writes=[(0, 64)])
    reports = check(graph.graph, machine).reports
    assert [r.rule for r in reports] == [Rule.UNINITIALIZED, Rule.UNREACHABLE]
    assert reports[1].spans == (Span(0, 64),)
    by_copy = start()
    by_copy.alloca("host", "%y", 4096, 4160)
    by_copy.copy("a", (4096, 4160), (0, 64))
    assert check(by_copy.graph, machine).reports == ()


def test_one_missing_flush_is_one_report() -> None:
    # Two readers in turn, an overwrite and the end of the buffer all want the same flush.
    graph = start()
    graph.access("a", writes=[(0, 64)])
    drop = graph.invalidate("b", (0, 64))
    read = graph.access("b", reads=[(0, 64)])
    graph.access("b", reads=[(0, 32)])
    graph.access("b", writes=[(0, 64)])
    graph.access("b", reads=[(0, 64)])
    graph.flush("b", (0, 64))
    graph.dealloca("host", 0)
    report = only(graph)
    assert (report.rule, ids(report)) == (Rule.STALE, {"at": read, "write": 1, "read": read})
    assert gaps(report) == [(Action.FLUSH, "a", 1, drop)]


def test_readers_beside_each_other_are_reports_of_their_own() -> None:
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    flush = graph.flush("a", (0, 64), after=[write])
    graph.access("b", reads=[(0, 64)], after=[flush])
    graph.access("b", reads=[(0, 64)], after=[flush])
    assert [r.at.id for r in check(graph.graph, BYTES).reports] == [3, 4]


def test_one_missing_wait_is_one_report_for_one_range() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)], after=[0])
    last = graph.access("a", writes=[(0, 64)])
    first = graph.access("b", reads=[(0, 64)], after=[0])
    graph.access("b", reads=[(0, 64)])
    report = only(graph)
    assert gaps(report) == [(Action.ORDER, "", last, first)]
