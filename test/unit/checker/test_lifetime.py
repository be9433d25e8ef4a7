"""Lifetimes, bounds, borrowed imports and uninitialized contents."""

from dataclasses import replace

from graph_reports import BYTES, gaps, ids, only, silent, start
from zcir.runtime.checker import Action, Redundancy, Rule, check
from zcir.runtime.event_builder import GraphBuilder, shared_memory
from zcir.runtime.events import Signal, Span
from zcir.runtime.machine import Machine, WriteBack


def test_a_use_within_the_life_of_its_buffer_is_right() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.discard("a", (0, 64))
    graph.dealloca("a", 0)
    silent(graph)


def test_a_use_not_ordered_before_the_dealloca() -> None:
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    clean = graph.flush("a", (0, 64))
    read = graph.access("a", reads=[(0, 64)], after=[write])
    end = graph.dealloca("a", 0, after=[clean])
    report = only(graph)
    assert (report.rule, ids(report)) == (Rule.LIFETIME, {"at": read, "other": end})
    assert gaps(report) == [(Action.ORDER, "", read, end)]


def test_a_flush_is_a_use() -> None:
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    clean = graph.flush("a", (0, 64))
    late = graph.flush("a", (0, 64), after=[write])
    end = graph.dealloca("a", 0, after=[clean])
    assert ids(only(graph)) == {"at": late, "other": end}


def test_a_use_after_the_dealloca() -> None:
    graph = start()
    end = graph.dealloca("a", 0)
    use = graph.access("a", writes=[(0, 32)])
    report = only(graph)
    assert (report.rule, ids(report)) == (Rule.LIFETIME, {"at": use, "other": end})
    assert "after their dealloca" in report.message
    assert report.bytes[0].name == "%x"


def test_a_use_numbered_after_the_dealloca_but_not_ordered_with_it() -> None:
    graph = start()
    end = graph.dealloca("a", 0)
    use = graph.access("a", writes=[(0, 32)], after=[0])
    assert gaps(only(graph)) == [(Action.ORDER, "", use, end)]


def test_a_use_not_ordered_after_the_alloca() -> None:
    graph = start()
    use = graph.access("a", writes=[(0, 32)], after=[])
    report = only(graph)
    assert (report.rule, gaps(report)) == (Rule.LIFETIME, [(Action.ORDER, "", 0, use)])
    early = GraphBuilder()
    early.access("a", writes=[(0, 32)], after=[])
    early.alloca("host", "%x", 0, 64, after=[])
    assert gaps(only(early)) == [(Action.ORDER, "", 1, 0)]


def test_a_buffer_freed_twice() -> None:
    graph = start()
    graph.dealloca("a", 0)
    graph.dealloca("a", 0)
    assert "deallocated twice" in only(graph).message


def test_storage_freed_with_dirty_lines() -> None:  # case B30
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    end = graph.dealloca("a", 0)
    report = only(graph)
    assert ids(report) == {"at": end, "write": write, "other": end}
    assert (report.rule, gaps(report)) == (Rule.LIFETIME, [(Action.DISCARD, "a", write, end)])
    silent(graph, shared_memory(("host", "a", "b")))  # nobody else reaches it


def test_a_discard_is_proposed_after_the_last_reader() -> None:
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    read = graph.access("a", reads=[(0, 64)])
    end = graph.dealloca("host", 0)
    assert gaps(only(graph)) == [(Action.DISCARD, "a", read, end)]
    shared = start()
    shared.access("a", writes=[(0, 64)])
    shared.access("a", reads=[(0, 64)], after=[write])
    shared.access("a", reads=[(0, 64)], after=[write])
    end = shared.dealloca("host", 0, after=[2, 3])
    assert gaps(only(shared)) == [(Action.FLUSH, "a", write, end)]


def test_a_discard_is_not_proposed_for_part_of_a_line() -> None:
    graph = start()
    graph.access("a", writes=[(0, 32)])
    graph.dealloca("a", 0)
    assert [m.action for m in only(graph).missing] == [Action.FLUSH]


def test_carried_bytes_are_dirty_at_the_end_of_a_neighbours_life() -> None:
    machine = shared_memory(("host",), ("a",), write_back=WriteBack.LINE)
    graph = start(32)
    graph.alloca("host", "%y", 32, 64)
    graph.access("a", writes=[(32, 64)])
    graph.dealloca("host", 0)
    report = only(graph, machine)
    assert (report.rule, report.bytes[0].name) == (Rule.LIFETIME, "%x")


def test_an_import_that_is_imported_again_keeps_its_contents() -> None:
    graph = start()
    graph.access("host", writes=[(0, 64)], flushed=True)
    again = graph.alloca("host", "%again", 0, 64)
    graph.dealloca("host", 0)
    graph.access("host", reads=[(0, 64)])
    graph.dealloca("host", again)
    silent(graph)


def test_out_of_bounds_of_any_live_buffer() -> None:
    graph = start(60)
    graph.access("a", writes=[(48, 64)])
    report = only(graph)
    assert (report.rule, report.spans) == (Rule.OUT_OF_BOUNDS, (Span(60, 64),))
    assert "pool shared" in report.message


def test_a_flush_may_touch_whole_lines_beyond_the_buffer() -> None:
    graph = start(60)
    graph.access("a", writes=[(48, 60)])
    graph.flush("a", (48, 60))
    silent(graph)
    graph.flush("a", (48, 61))
    assert only(graph).rule is Rule.OUT_OF_BOUNDS


def test_read_of_uninitialized_bytes() -> None:  # CP-55
    graph = start()
    graph.access("a", writes=[(0, 16)])
    graph.access("a", reads=[(0, 32)])
    report = only(graph)
    assert report.message == "read of uninitialized bytes [16,32) of %x by @a"
    assert [event.id for event in report.origin] == [0]


def test_uninitialized_bytes_pass_through_copies() -> None:  # CP-56
    graph = start(64)
    graph.alloca("host", "%y", 64, 128)
    graph.alloca("host", "%z", 128, 192)
    graph.access("a", writes=[(0, 16)])
    first = graph.copy("a", (0, 32), (64, 96))
    second = graph.copy("a", (68, 84), (128, 144))
    silent(graph)
    graph.access("a", reads=[(128, 144)])
    report = only(graph)
    assert report.message == "read of uninitialized bytes [12,16) of %z by @a"
    assert [event.id for event in report.origin] == [0, first, second]


def test_a_fill_after_the_copy_initializes() -> None:  # CP-56
    graph = start(64)
    graph.alloca("host", "%y", 64, 128)
    graph.copy("a", (0, 32), (64, 96))
    graph.access("a", writes=[(64, 96)])
    graph.access("a", reads=[(64, 96)])
    silent(graph)


def test_storage_used_again_is_uninitialized_again() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.discard("a", (0, 64))
    graph.dealloca("host", 0)
    again = graph.alloca("host", "%y", 0, 64)
    graph.access("a", reads=[(0, 64)])
    report = only(graph)
    assert (report.rule, report.origin[0].id) == (Rule.UNINITIALIZED, again)


def test_a_read_after_a_discard_is_uninitialized() -> None:  # IR-14
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.flush("a", (0, 64))
    discard = graph.discard("a", (0, 32))
    read = graph.access("a", reads=[(0, 64)])
    report = only(graph)
    assert (report.rule, ids(report)["at"]) == (Rule.UNINITIALIZED, read)
    assert report.spans == (Span(0, 32),)
    assert report.origin[0].id == discard


def test_a_read_beside_a_discard_may_come_after_it() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    flush = graph.flush("a", (0, 64))
    read = graph.access("a", reads=[(0, 64)], after=[flush])
    graph.discard("a", (0, 64), after=[flush])
    report = only(graph)
    assert (report.rule, ids(report)["at"]) == (Rule.UNINITIALIZED, read)


def test_a_write_after_the_discard_is_initialized() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.discard("a", (0, 64))
    graph.access("a", writes=[(0, 64)])
    graph.access("a", reads=[(0, 64)])
    silent(graph)


def test_a_borrowed_import_is_filled_but_not_written() -> None:  # case B01
    graph = GraphBuilder()
    lent = graph.alloca("host", "%acc", 0, 64, borrowed=True)
    graph.access("host", writes=[(0, 64)], flushed=True)
    graph.invalidate("a", (0, 64))
    graph.access("a", reads=[(0, 64)])
    silent(graph)
    write = graph.access("a", writes=[(0, 16)])
    report = only(graph)
    assert (report.rule, ids(report)) == (
        Rule.BORROWED,
        {"at": write, "write": write, "other": lent},
    )
    assert "%acc, imported without ownership" in report.message


def redundant(graph: GraphBuilder, machine: Machine = BYTES) -> list[tuple[int, Redundancy]]:
    """The redundant operations of a right program."""
    result = check(graph.graph, machine)
    assert result.reports == ()
    return [(op.event.id, op.reason) for op in result.redundant]


def test_needed_maintenance_is_not_redundant() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.flush("a", (0, 64))
    graph.invalidate("b", (0, 64))
    graph.access("b", reads=[(0, 64)])
    assert redundant(graph) == []


def test_redundant_because_never_dirty() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    wrong_agent = graph.flush("b", (0, 64))
    graph.flush("a", (0, 64))
    graph.invalidate("b", (0, 64))
    graph.access("b", reads=[(0, 64)])
    assert redundant(graph) == [(wrong_agent, Redundancy.NEVER_DIRTY)]


def test_redundant_because_already_clean() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.flush("a", (0, 64))
    again = graph.flush("a", (0, 64))
    graph.invalidate("b", (0, 64))
    twice = graph.invalidate("b", (0, 64))
    graph.access("b", reads=[(0, 64)])
    assert redundant(graph) == [
        (again, Redundancy.ALREADY_CLEAN),
        (twice, Redundancy.ALREADY_CLEAN),
    ]


def test_redundant_because_nobody_reads_later() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.access("a", reads=[(0, 64)])
    flush = graph.flush("a", (0, 64))
    assert redundant(graph) == [(flush, Redundancy.NO_LATER_READER)]


def test_redundant_because_the_memory_is_coherent() -> None:  # case B25, second half
    graph = start()
    graph.access("host", writes=[(0, 64)])
    flush = graph.flush("host", (0, 64))
    graph.access("a", reads=[(0, 64)])
    assert redundant(graph, shared_memory(("host", "a"))) == [(flush, Redundancy.COHERENT_MEMORY)]


def test_a_flush_that_only_the_end_of_the_life_needs_is_needed() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.flush("a", (0, 64))
    graph.dealloca("host", 0)
    assert redundant(graph) == []


def test_nothing_is_called_redundant_where_a_fault_is() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.invalidate("b", (0, 64))
    graph.access("b", reads=[(0, 64)])
    result = check(graph.graph, BYTES)
    assert len(result.reports) == 1
    assert result.redundant == ()


def test_maintenance_that_the_runtime_skips_loses_nothing() -> None:  # IR-28
    machine = shared_memory(("host", "a"))
    graph = start()
    graph.access("a", writes=[(0, 64)])
    skipped = graph.invalidate("a", (0, 64))
    graph.access("a", reads=[(0, 64)])
    assert only(graph, machine).rule is Rule.LOST
    event = replace(graph.graph.events[skipped], skipped=True, location="t.mlir:1:1")
    graph.graph.events[skipped] = event
    assert redundant(graph, machine) == [(skipped, Redundancy.COHERENT_MEMORY)]
    graph.graph.events[skipped] = replace(event, location="")  # the host boundary's own
    assert redundant(graph, machine) == []


def test_signals_of_one_semaphore_are_ordered_by_value() -> None:
    graph = start()
    one = graph.sync("a", after=[0])
    two = graph.sync("b", after=[0])
    graph.graph.signals.extend([Signal("s", 1, one), Signal("s", 2, two), Signal("t", 1, one)])
    report = only(graph)
    assert (report.rule, ids(report)) == (Rule.SIGNAL, {"at": two, "other": one})
    assert gaps(report) == [(Action.ORDER, "", one, two)]
    assert report.message == "signals of s to 1 and 2 by @a and @b are not ordered"
    ordered = start()
    one = ordered.sync("a")
    two = ordered.sync("b")
    ordered.graph.signals.extend([Signal("s", 1, one), Signal("s", 2, two)])
    silent(ordered)
