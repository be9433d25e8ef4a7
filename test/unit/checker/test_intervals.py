"""The interval map against a list of bytes."""

import random
from itertools import pairwise

from zcir.runtime.checker.intervals import IntervalMap
from zcir.runtime.checker.state import merged, without
from zcir.runtime.events import Span


def test_updates_equal_those_of_single_bytes() -> None:
    rng = random.Random(7)
    runs: IntervalMap[int] = IntervalMap(0)
    bytes_ = [0] * 40
    for _ in range(500):
        start, end = sorted(rng.sample(range(41), 2))
        add = rng.choice([0, 1, -1])

        def change(run: Span, state: int, add: int = add) -> int:
            assert bytes_[run.start : run.end] == [state] * (run.end - run.start)
            return (state + add) % 3

        runs.update(Span(start, end), change)
        bytes_[start:end] = [(value + add) % 3 for value in bytes_[start:end]]
        seen = list(runs.runs(Span(0, 40)))
        assert [v for run, v in seen for _ in range(run.start, run.end)] == bytes_
        assert all(a[1] != b[1] for a, b in pairwise(seen))


def test_equal_neighbours_join_again() -> None:
    runs: IntervalMap[int] = IntervalMap(0)
    for start in range(0, 640, 64):
        runs.update(Span(start, start + 64), lambda run, _: run.start)
    assert len(runs) == 11
    runs.update(Span(0, 640), lambda _run, _state: 5)
    assert len(runs) == 2


def test_spans_merge_and_subtract() -> None:
    spans = merged([Span(8, 12), Span(0, 4), Span(4, 6), Span(9, 10), Span(3, 3)])
    assert spans == (Span(0, 6), Span(8, 12))
    assert without(spans, (Span(1, 2), Span(5, 9))) == (Span(0, 1), Span(2, 5), Span(9, 12))
    assert without(spans, ()) == spans
    assert without((Span(0, 4), Span(4, 8)), (Span(2, 6),)) == (Span(0, 2), Span(6, 8))
