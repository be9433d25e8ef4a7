"""Offsets for slices of one slab; slices whose lifetimes do not meet may share bytes.

    [0, 1] = 64, [1, 2] = 64, [2, 3] = 64, [2, 2] = 32      64 | 0 | 64 ...

A slice takes the smallest free gap that holds it, at its first step; gaps open after the last
step of a slice. Cost: n log n. The slab is not always the smallest possible: that is NP-hard.
"""

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slice:
    """A range that is in use from step `first` to step `last`, both included."""

    first: int
    last: int
    size: int
    """Bytes."""


def align(size: int, alignment: int) -> int:
    """`size` rounded up to a multiple of `alignment` (a power of two), in bytes."""
    return (size + alignment - 1) & -alignment


class _Gaps:
    """Free bytes below `top`, as disjoint gaps that never touch."""

    def __init__(self) -> None:
        self.top = 0
        self._by_size: list[tuple[int, int]] = []
        """(size, start), ascending"""
        self._size_at: dict[int, int] = {}
        self._start_by_end: dict[int, int] = {}

    def _remove(self, start: int) -> int:
        size = self._size_at.pop(start)
        del self._start_by_end[start + size]
        del self._by_size[bisect_left(self._by_size, (size, start))]
        return size

    def _add(self, start: int, size: int) -> None:
        if size:
            self._size_at[start] = size
            self._start_by_end[start + size] = start
            insort(self._by_size, (size, start))

    def take(self, size: int) -> int:
        """The start of `size` bytes, in the smallest gap that holds them or at the top."""
        index = bisect_left(self._by_size, (size, -1))
        if index < len(self._by_size):
            start = self._by_size[index][1]
            self._add(start + size, self._remove(start) - size)
            return start
        last = self._start_by_end.get(self.top)
        start = self.top if last is None else last
        if last is not None:
            self._remove(last)
        self.top = start + size
        return start

    def give(self, start: int, size: int) -> None:
        """Free `size` bytes at `start`."""
        before = self._start_by_end.get(start)
        if before is not None:
            size += self._remove(before)
            start = before
        if start + size in self._size_at:
            size += self._remove(start + size)
        self._add(start, size)


def pack(slices: Sequence[Slice], alignment: int) -> tuple[list[int], int]:
    """The offset of each slice, and the size of the slab, in bytes.

    Every slice starts at a multiple of `alignment` (a power of two) and owns the bytes up to
    the next one. A slice of no bytes gets offset 0.
    """
    sizes = [align(slice.size, alignment) for slice in slices]
    order = sorted(range(len(slices)), key=lambda i: (slices[i].first, -sizes[i], i))
    ends = sorted(range(len(slices)), key=lambda i: (slices[i].last, i))
    offsets = [0] * len(slices)
    gaps = _Gaps()
    ended = 0
    for index in order:
        while ended < len(ends) and slices[ends[ended]].last < slices[index].first:
            done = ends[ended]
            if sizes[done]:
                gaps.give(offsets[done], sizes[done])
            ended += 1
        if sizes[index]:
            offsets[index] = gaps.take(sizes[index])
    return offsets, gaps.top
