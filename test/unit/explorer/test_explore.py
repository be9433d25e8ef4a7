"""The explorer on small programs whose executions can be counted by hand."""

import pytest
from zcir.runtime.event_builder import GraphBuilder, mixed_memory, shared_memory
from zcir.runtime.events import EventGraph, EventKind, Span
from zcir.runtime.explorer import (
    INITIAL,
    Action,
    ExploreOptions,
    ReadValue,
    TooManyStatesError,
    WitnessStep,
    explore,
)
from zcir.runtime.machine import Machine, WriteBack

BYTES = shared_memory(("a",), ("b",))
LINE = shared_memory(("a",), ("b",), write_back=WriteBack.LINE)


def hand_over(*, flush: bool = True, invalidate: bool = True, lines: int = 1) -> EventGraph:
    """a writes (event 1), b reads."""
    graph = GraphBuilder()
    size = 64 * lines
    graph.alloca("a", "%x", 0, size)
    graph.access("a", writes=[(0, size)])
    if flush:
        graph.flush("a", (0, size))
    if invalidate:
        graph.invalidate("b", (0, size))
    graph.access("b", reads=[(0, size)])
    return graph.graph


def values(graph: EventGraph, machine: Machine = BYTES) -> set[frozenset[int]]:
    """Per outcome of the one line: the writes that are read."""
    (outcomes,) = explore(graph, machine).outcomes.values()
    return {frozenset(read.write for read in outcome) for outcome in outcomes}


def test_a_right_hand_over_has_one_outcome() -> None:
    result = explore(hand_over(), BYTES)
    assert not result.wrong_values
    assert result.witness == ()
    assert values(hand_over()) == {frozenset((1,))}


def test_without_the_invalidate_the_old_value_may_be_read() -> None:
    graph = hand_over(invalidate=False)
    assert values(graph) == {frozenset((1,)), frozenset((INITIAL,))}
    line, whole = Span(0, 64), Span(0, 64)
    assert explore(graph, BYTES).witness == (
        WitnessStep(Action.RUN, "a", 1, whole),
        WitnessStep(Action.PREFETCH, "b", -1, line),
        WitnessStep(Action.RUN, "a", 2, line),
        WitnessStep(Action.RUN, "b", 3, whole, ReadValue(3, whole, INITIAL), 1),
    )


def test_without_the_flush_only_an_eviction_brings_the_value() -> None:
    assert values(hand_over(flush=False)) == {frozenset((1,)), frozenset((INITIAL,))}


def test_one_coherence_domain_needs_nothing() -> None:
    graph = hand_over(flush=False, invalidate=False)
    assert values(graph, shared_memory(("a", "b"))) == {frozenset((1,))}


@pytest.mark.parametrize("lines", [1, 2, 64])
def test_the_witness_does_not_grow_with_the_lines(lines: int) -> None:
    result = explore(hand_over(invalidate=False, lines=lines), BYTES)
    assert result.wrong_values
    assert len(result.witness) <= 6


def test_independent_lines_add_up() -> None:
    # Lines that differ (here in what b reads of them) cost as much as each by itself.
    def graph(lines: int) -> EventGraph:
        builder = GraphBuilder()
        builder.alloca("a", "%x", 0, 64 * lines)
        builder.access("a", writes=[(0, 64 * lines)])
        builder.flush("a", (0, 64 * lines))
        builder.invalidate("b", (0, 64 * lines))
        for line in range(lines):
            builder.access("b", reads=[(64 * line, 64 * line + 64)])
        return builder.graph

    one = explore(graph(1), BYTES).states
    many = explore(graph(64), BYTES)
    assert not many.wrong_values
    assert many.states <= 80 * one
    assert len(many.outcomes) == 64


def test_the_dirty_line_of_another_cache_overwrites() -> None:  # case B17
    graph = GraphBuilder()
    graph.alloca("a", "%x", 0, 64)
    graph.access("a", writes=[(0, 64)])
    graph.access("b", writes=[(0, 64)])
    graph.flush("b", (0, 64))
    graph.invalidate("b", (0, 64))
    graph.access("b", reads=[(0, 64)])
    result = explore(graph.graph, BYTES)
    assert result.wrong_values
    assert [s.action for s in result.witness].count(Action.EVICT) == 1
    assert values(graph.graph) == {frozenset((1,)), frozenset((2,))}


def test_a_whole_line_written_back_takes_stale_neighbours_along() -> None:
    graph = GraphBuilder()
    graph.alloca("a", "%x", 0, 64)
    one = graph.access("a", writes=[(0, 32)], after=[0])
    two = graph.access("b", writes=[(32, 64)], after=[0])
    first = graph.flush("a", (0, 64), after=[one])
    drop = graph.invalidate("a", (0, 64), after=[first])
    graph.flush("b", (0, 64), after=[two])
    graph.access("a", reads=[(0, 32)], after=[drop])
    assert not explore(graph.graph, BYTES).wrong_values
    assert explore(graph.graph, LINE).wrong_values


def test_a_write_beside_the_bytes_read_dirties_the_line() -> None:
    # b writes bytes that nobody reads; its stale line goes over a's value all the same.
    graph = GraphBuilder()
    graph.alloca("a", "%x", 0, 64)
    graph.access("b", writes=[(8, 16)])
    graph.access("a", writes=[(0, 8)])
    graph.flush("a", (0, 8))
    graph.invalidate("a", (0, 8))
    graph.access("a", reads=[(0, 8)])
    assert explore(graph.graph, LINE).wrong_values
    assert not explore(graph.graph, BYTES).wrong_values


def test_lines_are_those_of_the_domain_that_acts() -> None:
    def graph(target: tuple[int, int]) -> EventGraph:
        builder = GraphBuilder()
        builder.alloca("a", "%x", 0, 64)
        builder.access("a", writes=[(0, 64)])
        builder.flush("a", (0, 1))
        builder.invalidate("b", target)
        builder.access("b", reads=[(0, 64)])
        return builder.graph

    machine = mixed_memory((("a",), 64, WriteBack.BYTES), (("b",), 32, WriteBack.BYTES))
    assert explore(graph((0, 1)), machine).wrong_values
    assert not explore(graph((0, 33)), machine).wrong_values


def test_a_discard_acts_as_an_invalidate() -> None:
    for kind in (EventKind.INVALIDATE, EventKind.DISCARD):
        graph = GraphBuilder()
        graph.alloca("a", "%x", 0, 64)
        graph.access("a", writes=[(0, 64)])
        graph.event("a", kind, target=[(0, 64)])
        graph.access("a", reads=[(0, 64)])
        assert values(graph.graph) == {frozenset((1,)), frozenset((INITIAL,))}


def test_a_flushed_filling_is_in_memory() -> None:
    for flushed in (True, False):
        graph = GraphBuilder()
        graph.alloca("a", "%x", 0, 64)
        graph.access("a", writes=[(0, 64)], flushed=flushed)
        graph.access("b", reads=[(0, 64)])
        graph.invalidate("b", (0, 64), after=[1])
        graph.access("b", reads=[(0, 64)], after=[3])
        result = explore(graph.graph, BYTES)
        (outcomes,) = result.outcomes.values()
        late = {read.write for outcome in outcomes for read in outcome if read.event == 4}
        assert late == ({1} if flushed else {1, INITIAL})


def test_accesses_of_one_command_are_not_one_step() -> None:
    # Two bytes written by one command, read by another beside it: any mixture may be seen.
    graph = GraphBuilder()
    graph.alloca("a", "%x", 0, 64)
    graph.access("a", writes=[(0, 8), (16, 24)], after=[0])
    graph.access("a", reads=[(0, 8)], after=[0])
    graph.access("a", reads=[(16, 24)], after=[0])
    (outcomes,) = explore(graph.graph, BYTES).outcomes.values()
    assert len(outcomes) == 4


def test_a_read_of_a_byte_precedes_the_commands_own_write() -> None:
    graph = GraphBuilder()
    graph.alloca("a", "%x", 0, 64)
    graph.access("a", writes=[(0, 64)])
    graph.access("a", reads=[(0, 64)], writes=[(0, 64)])
    assert values(graph.graph) == {frozenset((1,))}


def test_a_read_without_a_last_write_is_wrong() -> None:
    graph = GraphBuilder()
    graph.alloca("a", "%x", 0, 64)
    graph.access("a", writes=[(0, 64)], after=[0])
    graph.access("a", writes=[(0, 64)], after=[0])
    graph.access("a", reads=[(0, 64)], after=[1, 2])
    result = explore(graph.graph, BYTES)
    assert result.wrong_values
    assert result.witness[-1].expected is None


def test_executions_of_unordered_reads_are_counted() -> None:
    graph = GraphBuilder()
    graph.alloca("a", "%x", 0, 64)
    for _ in range(4):
        graph.access("a", reads=[(0, 64)], after=[0])
    assert explore(graph.graph, BYTES).executions == 24


def test_too_many_states_are_refused() -> None:
    with pytest.raises(TooManyStatesError, match="more than 5 states"):
        explore(hand_over(), BYTES, ExploreOptions(max_states=5))
