"""Each rule on the smallest graphs: right ones are silent, each fault names the right events."""

from collections.abc import Callable

import pytest
from graph_reports import BYTES, LINE, gaps, ids, only, silent, start
from zcir.runtime.checker import Action, Rule, check
from zcir.runtime.event_builder import GraphBuilder, mixed_memory, shared_memory
from zcir.runtime.events import EventKind, Span
from zcir.runtime.machine import WriteBack


def hand_over(graph: GraphBuilder, *, flush: bool = True, invalidate: bool = True) -> None:
    """a writes %x (event 1), then b reads it."""
    graph.access("a", writes=[(0, 64)])
    if flush:
        graph.flush("a", (0, 64))
    if invalidate:
        graph.invalidate("b", (0, 64))
    graph.access("b", reads=[(0, 64)])


def test_a_hand_over_with_both_halves_is_silent() -> None:
    graph = start()
    hand_over(graph)
    silent(graph)


def test_one_domain_needs_no_maintenance() -> None:
    graph = start()
    hand_over(graph, flush=False, invalidate=False)
    silent(graph, shared_memory(("host",), ("a", "b")))


def test_a_flush_in_vain_before_the_write_is_named() -> None:  # case B25, IR-30
    graph = start()
    early = graph.flush("a", (0, 64))
    hand_over(graph, flush=False)
    report = only(graph)
    assert report.rule is Rule.STALE
    assert ids(report) == {"at": 4, "write": 2, "read": 4}
    assert report.misplaced is not None
    assert report.misplaced.id == early
    assert gaps(report) == [(Action.FLUSH, "a", 2, 3)]


def test_stale_without_flush() -> None:
    graph = start()
    hand_over(graph, flush=False)
    report = only(graph)
    assert (report.rule, ids(report)) == (Rule.STALE, {"at": 3, "write": 1, "read": 3})
    assert gaps(report) == [(Action.FLUSH, "a", 1, 2)]
    assert report.spans == (Span(0, 64),)
    assert report.agents == ("b", "a")


def test_stale_without_invalidate() -> None:  # IR-13
    graph = start()
    hand_over(graph, invalidate=False)
    report = only(graph)
    assert (report.rule, ids(report)) == (Rule.STALE, {"at": 3, "write": 1, "read": 3})
    assert gaps(report) == [(Action.INVALIDATE, "b", 2, 3)]


def test_stale_without_either() -> None:  # IR-35
    graph = start()
    hand_over(graph, flush=False, invalidate=False)
    assert gaps(only(graph)) == [(Action.FLUSH, "a", 1, 2), (Action.INVALIDATE, "b", 1, 2)]


def test_stale_when_flush_and_invalidate_are_not_ordered() -> None:
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    flush = graph.flush("a", (0, 64), after=[write])
    invalidate = graph.invalidate("b", (0, 64), after=[write])
    graph.access("b", reads=[(0, 64)], after=[flush, invalidate])
    assert gaps(only(graph)) == [(Action.ORDER, "", flush, invalidate)]


def test_stale_when_the_invalidate_comes_first() -> None:  # case B22, IR-32
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    early = graph.invalidate("b", (0, 64), after=[write])
    flush = graph.flush("a", (0, 64), after=[early])
    read = graph.access("b", reads=[(0, 64)], after=[flush])
    report = only(graph)
    assert gaps(report) == [(Action.INVALIDATE, "b", flush, read)]
    assert report.misplaced is not None
    assert report.misplaced.id == early


def test_stale_when_the_flush_is_not_ordered_before_the_read() -> None:
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    flush = graph.flush("a", (0, 64), after=[write])
    read = graph.access("b", reads=[(0, 64)], after=[write])
    assert gaps(only(graph)) == [
        (Action.ORDER, "", flush, read),
        (Action.INVALIDATE, "b", flush, read),
    ]


def test_stale_only_where_the_flush_is_too_short() -> None:
    graph = start(256)
    graph.access("a", writes=[(0, 256)])
    graph.flush("a", (0, 70))
    graph.invalidate("b", (0, 256))
    graph.access("b", reads=[(0, 256)])
    report = only(graph)
    assert report.spans == (Span(128, 256),)  # the flush takes the whole second line


def test_either_of_two_unordered_flushes_will_do() -> None:
    # An or over flushes: joined clocks would ask for both.
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    one = graph.flush("a", (0, 64), after=[write])
    graph.flush("a", (0, 64), after=[write])
    invalidate = graph.invalidate("b", (0, 64), after=[one])
    graph.access("b", reads=[(0, 64)], after=[invalidate])
    silent(graph)


def test_a_race_names_both_accesses_and_what_they_share() -> None:  # IR-47
    graph = start()
    graph.access("a", writes=[(0, 64)], after=[0])
    graph.access("b", reads=[(32, 96)], after=[0])
    (bounds, race) = sorted(check(graph.graph, BYTES).reports, key=lambda r: r.rule)
    assert bounds.rule is Rule.OUT_OF_BOUNDS
    assert (race.rule, ids(race)) == (Rule.RACE, {"at": 2, "write": 1, "read": 2})
    assert race.spans == (Span(32, 64),)
    assert gaps(race) == [(Action.ORDER, "", 1, 2)]
    assert race.common is not None
    assert race.common.id == 0


def test_a_write_races_with_an_earlier_read() -> None:  # IR-47
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    read = graph.access("a", reads=[(0, 64)], after=[write])
    graph.access("a", writes=[(0, 64)], after=[write])
    report = only(graph)
    assert (report.rule, ids(report)) == (Rule.RACE, {"at": 3, "write": 3, "read": read})


def test_two_unordered_writes_race() -> None:
    graph = start()
    graph.access("a", writes=[(0, 8)], after=[0])
    graph.access("b", writes=[(4, 16)], after=[0])
    report = only(graph)
    assert (report.rule, ids(report)) == (Rule.RACE, {"at": 2, "write": 1, "other": 2})
    assert report.spans == (Span(4, 8),)


def test_disjoint_bytes_of_a_line_do_not_race() -> None:
    graph = start()
    graph.access("a", writes=[(0, 8)], after=[0])
    graph.access("b", writes=[(8, 16)], after=[0])
    silent(graph)


def test_accesses_of_one_command_do_not_race() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.access("a", reads=[(0, 64)], writes=[(0, 64)])
    silent(graph)


def test_faults_that_follow_from_a_race_are_not_reported_beside_it() -> None:
    graph = start()
    write = graph.access("a", writes=[(0, 64)], after=[0])
    flush = graph.flush("a", (0, 64), after=[write])
    graph.invalidate("b", (0, 64), after=[flush])
    old = graph.access("b", writes=[(0, 64)], after=[0])
    graph.access("b", reads=[(0, 64)], after=[old])
    assert {r.rule for r in check(graph.graph, BYTES).reports} == {Rule.RACE}


def test_an_invalidate_loses_an_unflushed_write_of_its_own_domain() -> None:  # IR-13
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.invalidate("a", (0, 64))
    graph.access("a", reads=[(0, 64)])
    report = only(graph)
    assert ids(report) == {"at": 2, "write": 1, "read": 3, "other": 2}
    assert (report.rule, gaps(report)) == (Rule.LOST, [(Action.FLUSH, "a", 1, 2)])


def test_a_flush_before_the_invalidate_saves_the_write() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.flush("a", (0, 64))
    graph.invalidate("a", (0, 64))
    graph.access("a", reads=[(0, 64)])
    silent(graph)


def test_an_invalidate_after_the_last_reader_loses_nothing() -> None:
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.access("a", reads=[(0, 64)])
    graph.invalidate("a", (0, 64))
    silent(graph)


@pytest.mark.parametrize("invalidate_first", [True, False])
def test_an_invalidate_beside_the_write_may_lose_it(invalidate_first: bool) -> None:
    graph = start()
    first = graph.invalidate if invalidate_first else graph.flush
    first("a", (0, 64), after=[0])
    write = graph.access("a", writes=[(0, 64)], after=[0])
    drop = 1 if invalidate_first else graph.invalidate("a", (0, 64), after=[0])
    read = graph.access("a", reads=[(0, 64)], after=[write, drop])
    report = only(graph)
    assert report.rule is Rule.LOST
    assert ids(report) == {"at": drop, "write": write, "read": read, "other": drop}
    assert (Action.ORDER, "", *sorted((drop, write))) in gaps(report)


def test_an_invalidate_beside_the_flush_may_lose_the_write() -> None:
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    flush = graph.flush("a", (0, 64), after=[write])
    drop = graph.invalidate("a", (0, 64), after=[write])
    graph.access("a", reads=[(0, 64)], after=[flush, drop])
    assert gaps(only(graph)) == [(Action.ORDER, "", flush, drop)]


def test_an_invalidate_may_lose_a_value_overwritten_since() -> None:
    graph = start()
    write = graph.access("a", writes=[(0, 64)])
    read = graph.access("a", reads=[(0, 64)], after=[write])
    graph.access("a", writes=[(0, 64)], after=[read])
    graph.invalidate("a", (0, 64), after=[write])
    assert ids(only(graph)) == {"at": 4, "write": 1, "read": 2, "other": 4}


def clobber(clean: Callable[[GraphBuilder], object]) -> GraphBuilder:
    """host dirties %x, `clean` acts, a overwrites it and host reads it."""
    graph = start()
    graph.access("host", writes=[(0, 64)])
    clean(graph)
    graph.access("a", writes=[(0, 64)])
    graph.flush("a", (0, 64))
    graph.invalidate("host", (0, 64))
    graph.access("host", reads=[(0, 64)])
    return graph


def test_dirty_lines_of_another_domain_clobber_a_write() -> None:
    report = only(clobber(lambda graph: graph.sync("host")))
    assert ids(report) == {"at": 3, "write": 3, "read": 6, "other": 1}
    assert (report.rule, gaps(report)) == (Rule.CLOBBER, [(Action.FLUSH, "host", 1, 3)])


@pytest.mark.parametrize("kind", [EventKind.FLUSH, EventKind.INVALIDATE, EventKind.DISCARD])
def test_any_maintenance_before_the_overwrite_prevents_a_clobber(kind: EventKind) -> None:
    silent(clobber(lambda graph: graph.event("host", kind, target=[(0, 64)])))


def test_every_earlier_write_must_be_clean_not_only_the_last() -> None:
    graph = start()
    graph.access("b", writes=[(0, 64)])
    graph.access("host", writes=[(0, 64)])
    graph.flush("host", (0, 64))
    graph.access("a", writes=[(0, 64)])
    graph.access("a", reads=[(0, 64)])
    reports = check(graph.graph, BYTES).reports
    assert [ids(r) for r in reports] == [{"at": 4, "write": 4, "read": 5, "other": 1}]


def test_a_write_that_nobody_reads_cannot_be_clobbered() -> None:
    graph = start()
    graph.access("host", writes=[(0, 64)])
    graph.access("a", writes=[(0, 64)])
    silent(graph)


def test_a_carried_line_clobbers_too() -> None:
    # a writes bytes 0..8 and so dirties byte 8; b overwrites byte 8.
    graph = start()
    graph.access("a", writes=[(0, 8)])
    graph.access("b", writes=[(8, 16)])
    graph.access("b", reads=[(8, 16)])
    report = only(graph, LINE)
    assert (report.rule, ids(report)["other"]) == (Rule.CLOBBER, 1)
    silent(graph, BYTES)


def false_sharing(*, ordered: bool, fresh: bool) -> GraphBuilder:
    """a writes half a line and reads it later; b writes the other half in between."""
    graph = start()
    write = graph.access("a", writes=[(0, 32)])
    flush = graph.flush("a", (0, 32), after=[write])
    last = flush
    if fresh:
        last = graph.invalidate("b", (0, 32), after=[flush])
    carry = graph.access("b", writes=[(32, 64)], after=[last if ordered else 0])
    clean = graph.flush("b", (32, 64), after=[carry, last])
    drop = graph.invalidate("a", (0, 32), after=[clean])
    graph.access("a", reads=[(0, 32)], after=[drop])
    return graph


def test_a_carry_beside_the_write_is_false_sharing() -> None:  # IR-54
    graph = false_sharing(ordered=False, fresh=False)
    report = only(graph, LINE)
    assert (report.rule, ids(report)) == (
        Rule.FALSE_SHARING,
        {"at": 3, "write": 1, "read": 6, "other": 3},
    )
    assert gaps(report) == [(Action.ORDER, "", 1, 3)]
    silent(graph, BYTES)


def test_a_carry_of_a_stale_line_is_false_sharing() -> None:
    report = only(false_sharing(ordered=True, fresh=False), LINE)
    assert (report.rule, ids(report)["other"]) == (Rule.FALSE_SHARING, 3)
    assert gaps(report) == [(Action.INVALIDATE, "b", 2, 3)]


def test_a_carry_of_a_fresh_line_is_right() -> None:
    silent(false_sharing(ordered=True, fresh=True), LINE)


def test_a_command_that_writes_the_whole_line_carries_nothing() -> None:
    graph = start()
    graph.access("a", writes=[(0, 32), (32, 64)])
    graph.access("a", reads=[(0, 64)])
    silent(graph, LINE)


def test_lines_are_those_of_the_domain_that_acts() -> None:
    # b's lines are 32 bytes, so its invalidate of byte 0 leaves byte 32 stale; a's flush is wide.
    machine = mixed_memory(
        (("host",), 64, WriteBack.BYTES),
        (("a",), 64, WriteBack.BYTES),
        (("b",), 32, WriteBack.BYTES),
    )
    graph = start()
    graph.access("a", writes=[(0, 64)])
    graph.flush("a", (0, 1))
    graph.invalidate("b", (0, 1))
    graph.access("b", reads=[(0, 64)])
    assert only(graph, machine).spans == (Span(32, 64),)


def test_a_fill_that_is_flushed_by_its_import_is_seen() -> None:
    for flushed in (True, False):
        graph = start()
        graph.access("host", writes=[(0, 64)], flushed=flushed)
        graph.invalidate("a", (0, 64))
        graph.access("a", reads=[(0, 64)])
        if flushed:
            silent(graph)
        else:
            assert gaps(only(graph)) == [(Action.FLUSH, "host", 1, 2)]
