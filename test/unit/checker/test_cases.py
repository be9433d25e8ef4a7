"""Known kinds of fault as event graphs, each reported, and its repaired twin silent."""

import pytest
from graph_reports import gaps, ids, only, silent
from zcir.runtime.checker import Action, Rule, check
from zcir.runtime.event_builder import GraphBuilder, shared_memory
from zcir.runtime.events import Span

CPU_NPU = shared_memory(("host",), ("npu",))


def recycled_output(*, flush: bool) -> GraphBuilder:
    """The host clears C, the NPU writes it, the host reads it."""
    graph = GraphBuilder()
    graph.alloca("host", "%c", 0, 128)
    graph.access("host", writes=[(0, 128)], label="clear")
    if flush:
        graph.flush("host", (0, 128))
    graph.access("npu", writes=[(0, 128)], label="kernel")
    graph.flush("npu", (0, 128))
    graph.invalidate("host", (0, 128))
    graph.access("host", reads=[(0, 128)])
    return graph


def test_b17_dirty_zeros_over_the_result() -> None:
    report = only(recycled_output(flush=False), CPU_NPU)
    assert (report.rule, ids(report)) == (
        Rule.CLOBBER,
        {"at": 2, "write": 2, "read": 5, "other": 1},
    )
    assert report.message == (
        "@npu writes bytes [0,128) of %c while host may hold dirty lines there: "
        "evicted later, they overwrite the value"
    )
    silent(recycled_output(flush=True), CPU_NPU)


def receive(*, late: bool) -> GraphBuilder:
    """The host invalidates X before or after the device writes it."""
    graph = GraphBuilder()
    graph.alloca("host", "%x", 0, 64)
    graph.access("host", writes=[(0, 64)], flushed=True)
    if not late:
        graph.invalidate("host", (0, 64))
    graph.access("npu", writes=[(0, 64)])
    graph.flush("npu", (0, 64))
    if late:
        graph.invalidate("host", (0, 64))
    graph.access("host", reads=[(0, 64)])
    return graph


def test_b22_invalidate_precedes_the_write_it_should_cover() -> None:
    report = only(receive(late=False), CPU_NPU)
    assert report.rule is Rule.STALE
    assert report.misplaced is not None
    assert report.misplaced.id == 2
    assert gaps(report) == [(Action.INVALIDATE, "host", 4, 5)]
    silent(receive(late=True), CPU_NPU)


def publish(*, late: bool) -> GraphBuilder:
    """The host flushes M before or after it writes it."""
    graph = GraphBuilder()
    graph.alloca("host", "%m", 0, 64)
    if not late:
        graph.flush("host", (0, 64))
    graph.access("host", writes=[(0, 64)])
    if late:
        graph.flush("host", (0, 64))
    graph.invalidate("npu", (0, 64))
    graph.access("npu", reads=[(0, 64)])
    return graph


def test_b25_flush_precedes_the_write() -> None:
    report = only(publish(late=False), CPU_NPU)
    assert report.rule is Rule.STALE
    assert report.misplaced is not None
    assert report.misplaced.id == 1
    assert gaps(report) == [(Action.FLUSH, "host", 2, 3)]
    silent(publish(late=True), CPU_NPU)


def test_b25_a_flush_of_coherent_memory_is_only_redundant() -> None:
    coherent = shared_memory(("host", "npu"))
    silent(publish(late=True), coherent)
    assert [op.event.id for op in check(publish(late=True).graph, coherent).redundant] == [2, 3]


def small_receive_buffer(*, flush: bool) -> GraphBuilder:
    """X = [8,24) is received into, its neighbour N = [24,32) is dirty in the same line."""
    graph = GraphBuilder()
    graph.alloca("host", "%x", 8, 24)
    graph.alloca("host", "%n", 24, 32)
    graph.access("host", writes=[(24, 32)])
    if flush:
        graph.flush("host", (8, 24))  # the edge line, harmless to N
    graph.access("npu", writes=[(8, 24)])
    graph.flush("npu", (8, 24))
    graph.invalidate("host", (8, 24))
    graph.access("host", reads=[(8, 24)])
    graph.access("host", reads=[(24, 32)])
    return graph


def test_b27_partial_line_with_a_dirty_neighbour() -> None:
    machine = shared_memory(("host",), ("npu",), line=32)
    report = only(small_receive_buffer(flush=False), machine)
    assert (report.rule, ids(report)) == (
        Rule.LOST,
        {"at": 5, "write": 2, "read": 7, "other": 5},
    )
    assert [(b.name, b.start, b.end) for b in report.bytes] == [("%n", 0, 8)]
    silent(small_receive_buffer(flush=True), machine)


def recycled_transient(*, discard: bool) -> GraphBuilder:
    """CPU-written T1 is freed; its bytes become T2, written by the NPU."""
    graph = GraphBuilder()
    one = graph.alloca("host", "%t1", 0, 64)
    graph.access("host", writes=[(0, 64)])
    graph.access("host", reads=[(0, 64)])
    if discard:
        graph.discard("host", (0, 64))
    graph.dealloca("host", one)
    graph.alloca("host", "%t2", 0, 64)
    graph.access("npu", writes=[(0, 64)])
    graph.flush("npu", (0, 64))
    graph.invalidate("host", (0, 64))
    graph.access("host", reads=[(0, 64)])
    return graph


def test_b30_dirty_lines_of_a_previous_life() -> None:
    report = only(recycled_transient(discard=False), CPU_NPU)
    assert (report.rule, report.bytes[0].name) == (Rule.LIFETIME, "%t1")
    assert gaps(report) == [(Action.DISCARD, "host", 2, 3)]
    silent(recycled_transient(discard=True), CPU_NPU)


def views(cut: int, *, flush: bool) -> GraphBuilder:
    """The CPU holds view 0 dirty while the NPU writes view 1 and view 1 is synchronised."""
    graph = GraphBuilder()
    graph.alloca("host", "%parent", 0, 256)
    graph.access("host", writes=[(cut - 1, cut)])
    if flush:
        graph.flush("host", (cut - 1, cut))
    graph.access("npu", writes=[(cut, 192)])
    graph.flush("npu", (cut, 192))
    graph.invalidate("host", (cut, 192))
    graph.access("host", reads=[(cut - 1, 192)])
    return graph


def test_b31_a_view_synchronises_parts_of_its_neighbour() -> None:
    report = only(views(96, flush=False), CPU_NPU)
    assert (report.rule, report.spans) == (Rule.LOST, (Span(95, 96),))
    silent(views(96, flush=True), CPU_NPU)
    silent(views(128, flush=False), CPU_NPU)  # lines of their own


def exported(*, copy_first: bool, flush_first: bool) -> GraphBuilder:
    """A dispatch writes T, a copy exports it to OUT, the caller waits on a fence and reads OUT."""
    graph = GraphBuilder()
    graph.alloca("host", "%t", 0, 64)
    graph.alloca("host", "%out", 64, 128)
    dispatch = graph.access("npu", writes=[(0, 64)])
    last = graph.sync("npu", after=[dispatch], label="barrier")
    if copy_first:
        last = graph.copy("npu", (0, 64), (64, 128), after=[last])
    if flush_first:
        last = graph.flush("npu", (64, 128), after=[last])
    fence = graph.sync("npu", after=[last], label="signal")
    if not copy_first:
        last = graph.copy("npu", (0, 64), (64, 128), after=[fence])
    if not flush_first:
        graph.flush("npu", (64, 128), after=[last])
    wait = graph.sync("host", after=[fence], label="await")
    acquire = graph.invalidate("host", (64, 128), after=[wait])
    graph.access("host", reads=[(64, 128)], after=[acquire])
    return graph


@pytest.mark.parametrize(("copy_first", "rule"), [(True, Rule.STALE), (False, Rule.RACE)])
def test_b35_what_writes_the_export_comes_before_the_signal(copy_first: bool, rule: Rule) -> None:
    graph = exported(copy_first=copy_first, flush_first=False)
    assert [r.rule for r in check(graph.graph, CPU_NPU).reports if r.rule is rule]
    silent(exported(copy_first=True, flush_first=True), CPU_NPU)


def reused_slice(*, waits: bool) -> GraphBuilder:
    """P holds V1, read by the GPU; V2 is given P by a part that has no inputs."""
    graph = GraphBuilder()
    alloca = graph.alloca("host", "%p", 0, 64)
    write = graph.access("host", writes=[(0, 64)], after=[alloca], label="V1")
    flush = graph.flush("host", (0, 64), after=[write])
    acquire = graph.invalidate("gpu", (0, 64), after=[flush])
    read = graph.access("gpu", reads=[(0, 64)], after=[acquire])
    before = [flush, read] if waits else [flush]
    second = graph.access("host", writes=[(0, 64)], after=before, label="V2")
    graph.access("host", reads=[(0, 64)], after=[second])
    return graph


def test_b37_a_part_without_inputs_overwrites_what_is_still_read() -> None:
    machine = shared_memory(("host",), ("gpu",))
    report = only(reused_slice(waits=False), machine)
    assert (report.rule, ids(report)) == (Rule.RACE, {"at": 5, "write": 5, "read": 4})
    assert gaps(report) == [(Action.ORDER, "", 4, 5)]
    silent(reused_slice(waits=True), machine)
