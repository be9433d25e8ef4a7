"""A map from byte addresses to immutable states, kept as maximal runs of equal states."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar, cast

from sortedcontainers import SortedList

from ..events import Span

S = TypeVar("S")


class IntervalMap(Generic[S]):
    """Every address maps to `initial` until updated; costs depend on runs, never on bytes."""

    def __init__(self, initial: S) -> None:
        self._starts = SortedList([0])
        self._states: dict[int, S] = {0: initial}

    def runs(self, span: Span) -> Iterator[tuple[Span, S]]:
        """The runs that meet `span`, clipped to it, in address order."""
        if span.start >= span.end:
            return
        first = self._start_of(span.start)
        starts = list(cast(Iterator[int], self._starts.irange(first, span.end, (True, False))))
        for index, start in enumerate(starts):
            end = starts[index + 1] if index + 1 < len(starts) else span.end
            yield Span(max(start, span.start), end), self._states[start]

    def update(self, span: Span, change: Callable[[Span, S], S]) -> None:
        """Replace the state of each run in `span` by `change(run, state)`; join equal runs."""
        runs = list(self.runs(span))
        changed = [(run, state, change(run, state)) for run, state in runs]
        if all(new is state for _, state, new in changed):
            return
        self._split(span.start)
        self._split(span.end)
        for run, _, new in changed:
            self._states[run.start] = new
        for run, _, _ in changed:
            self._join(run.start)
        self._join(span.end)

    def __len__(self) -> int:
        return len(self._states)

    def _start_of(self, address: int) -> int:
        """The start of the run that `address` is in."""
        if address in self._states:
            return address
        return cast(int, self._starts[cast(int, self._starts.bisect_right(address)) - 1])

    def _split(self, address: int) -> None:
        if address not in self._states:
            self._states[address] = self._states[self._start_of(address)]
            self._starts.add(address)

    def _join(self, address: int) -> None:
        index = cast(int, self._starts.bisect_left(address))
        if index == 0:
            return
        previous = self._states[cast(int, self._starts[index - 1])]
        state = self._states[address]
        if previous is state or previous == state:
            self._starts.remove(address)
            del self._states[address]
