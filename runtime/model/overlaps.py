"""Memory that a call names twice: outputs have to be apart, from each other and from inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..host.errors import ErrorCode
from ..host.operands import Operand
from ..host.registry import array_address
from ..host.runtime import Runtime
from .ways import InputWay, OutputWay, Way


@dataclass(frozen=True, slots=True)
class _Extent:
    """Bytes of one piece of memory."""

    memory: object
    """Equal for what may share bytes."""
    start: int
    end: int

    def overlaps(self, other: _Extent) -> bool:
        """Whether both have a byte in common."""
        return self.memory == other.memory and self.start < other.end and other.start < self.end


def check_outputs_apart(runtime: Runtime, ways: Sequence[OutputWay]) -> None:
    """Refuse outputs that share bytes of the caller, unless they are one tensor at one place."""
    numbers: dict[object, int] = {}
    extents = [
        (numbers.setdefault(extent.memory, len(numbers)), extent, way)
        for way in ways
        if (extent := _of(way.operand, way.size)) is not None
    ]
    extents.sort(key=lambda entry: (entry[0], entry[1].start, entry[1].end))
    for (_, first, before), (_, second, after) in pairwise(extents):
        same = first == second and before.io.argument == after.io.argument
        if first.overlaps(second) and not same:
            runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"output {after.io.ordinal} shares {min(first.end, second.end) - second.start} "
                f"bytes with output {before.io.ordinal}; give memory of its own",
                f"output {after.io.ordinal}",
            )


def keep_from_inputs(
    runtime: Runtime, way: OutputWay, inputs: Sequence[InputWay], *, strict: bool
) -> OutputWay:
    """`way`, copied instead of written in place where that would overwrite an input.

    An output that is a copy of the input at that very place may stay: there is nothing to do
    (GE-35). `strict`: refuse instead of copying.
    """
    extent = _of(way.operand, way.size)
    if extent is None or way.way is not Way.BOUND or way.io.reference:
        return way
    for given in inputs:
        if given.way is not Way.BOUND:
            continue
        other = _of(given.operand, given.size)
        if other is None or not extent.overlaps(other):
            continue
        if way.io.copy_of == given.io.ordinal and extent.start == other.start:
            continue
        if strict:
            runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"output {way.io.ordinal} overlaps input {given.io.ordinal}, which it would "
                "overwrite; give memory of its own",
                f"output {way.io.ordinal}",
            )
        return replace(way, way=Way.COPIED, in_place=False, fallback=True)
    return way


def _of(operand: Operand | None, size: int | None) -> _Extent | None:
    """The bytes that are used of an operand; None for none."""
    if operand is None:
        return None
    length = operand.size if size is None else min(size, operand.size)
    if not length:
        return None
    if operand.pointer is not None:
        start = operand.pointer.offset
        return _Extent(operand.pointer.allocation, start, start + length)
    assert operand.array is not None
    start = array_address(operand.array)
    return _Extent(np.ndarray, start, start + length)
