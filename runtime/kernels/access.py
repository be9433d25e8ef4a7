"""Byte runs of tensor slices in a binding."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from .api import NO_RUNS, BindingAccess, Runs, one_run
from .shapes import Shape, check_slice


@dataclass(frozen=True, slots=True, eq=False)
class ByteSlice:
    """A slice of a tensor in a binding, in bytes and in elements."""

    runs: Runs
    """From the start of the binding, in the order of the slice's elements."""
    sizes: Shape
    """The slice's sizes, in elements."""
    length: int
    """Bytes in all."""

    @property
    def is_contiguous(self) -> bool:
        """Whether its bytes stand one after the other."""
        return len(self.runs) <= 1

    @property
    def start(self) -> int:
        """The first byte; 0 for an empty slice."""
        return int(self.runs[0, 0]) if len(self.runs) else 0


def byte_slice(
    base: int, shape: Shape, item: int, offsets: Shape, sizes: Shape, strides: Shape
) -> ByteSlice:
    """The slice of a row-major tensor of `shape`, `item` bytes each, that starts at byte `base`.

    Raises:
        IndexError: if the slice leaves the tensor.
    """
    check_slice(offsets, sizes, strides, shape)
    runs = slice_runs(base, shape, item, offsets, sizes, strides)
    return ByteSlice(runs, sizes, reduce(lambda a, b: a * b, sizes, item))


def slice_runs(
    base: int, shape: Shape, item: int, offsets: Shape, sizes: Shape, strides: Shape
) -> Runs:
    """The runs of a slice that lies within its tensor."""
    if 0 in sizes:
        return NO_RUNS
    first, axis, block = base, len(shape), item
    steps = _byte_steps(shape, item)
    first += sum(offset * step for offset, step in zip(offsets, steps, strict=True))
    while axis > 0 and block == steps[axis - 1]:
        if strides[axis - 1] != 1 and sizes[axis - 1] != 1:
            break
        axis -= 1
        block *= sizes[axis]
    starts = np.array(first, dtype=np.int64)
    for size, stride, step in zip(sizes[:axis], strides[:axis], steps[:axis], strict=True):
        starts = np.add.outer(starts, np.arange(size, dtype=np.int64) * (stride * step))
    flat = starts.reshape(-1)
    if flat.size == 1:
        return one_run(int(flat[0]), int(flat[0]) + block)
    return _joined(flat, flat + block)


def _byte_steps(shape: Shape, item: int) -> list[int]:
    """The distance in bytes from one position to the next, for each dimension."""
    steps: list[int] = []
    for size in reversed(shape):
        steps.append(item)
        item *= size
    return steps[::-1]


def _joined(starts: Any, ends: Any) -> Runs:
    """Runs sorted by start, each that touches or overlaps the ones before joined with them."""
    reach = np.maximum.accumulate(ends)
    fresh = np.ones(len(starts), dtype=bool)
    fresh[1:] = starts[1:] > reach[:-1]
    last = np.append(np.flatnonzero(fresh)[1:] - 1, len(starts) - 1)
    return np.stack([starts[fresh], reach[last]], axis=1)


def union(parts: Sequence[Runs]) -> Runs:
    """All bytes of `parts`, sorted, disjoint and coalesced."""
    if not parts:
        return NO_RUNS
    if len(parts) == 1:
        return parts[0]
    merged = np.concatenate(parts)
    if not len(merged):
        return NO_RUNS
    merged = merged[np.argsort(merged[:, 0], kind="stable")]
    return _joined(merged[:, 0], merged[:, 1])


def intersects(a: Runs, b: Runs) -> bool:
    """Whether two sets of runs share a byte."""
    if not len(a) or not len(b):
        return False
    position = np.searchsorted(b[:, 1], a[:, 0], side="right")
    inside = position < len(b)
    return bool(np.any(b[position[inside], 0] < a[inside, 1]))


@dataclass(frozen=True, slots=True)
class Access:
    """One load or store of a body."""

    binding: int
    runs: Runs | None
    """None where only a run of the body tells: the binding as a whole."""
    writes: bool


def merge_accesses(
    accesses: Sequence[Access], binding_lengths: Sequence[int]
) -> tuple[BindingAccess, ...]:
    """The accesses of each binding that is accessed, by ordinal."""
    reads: dict[int, list[Runs]] = {}
    writes: dict[int, list[Runs]] = {}
    for access in accesses:
        runs = access.runs
        if runs is None:
            runs = one_run(0, binding_lengths[access.binding])
        (writes if access.writes else reads).setdefault(access.binding, []).append(runs)
    return tuple(
        BindingAccess(binding, union(reads.get(binding, [])), union(writes.get(binding, [])))
        for binding in sorted({*reads, *writes})
    )
