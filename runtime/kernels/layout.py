"""How the loops of a structured op lie in its operands and results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from ...dialects.diagnostics import fail
from .affine_maps import Shape, permuted_axes
from .types import Array


@dataclass(frozen=True, slots=True)
class Structured:
    """A structured op, whatever its name: maps, loops and the region that combines scalars."""

    op: Operation
    """The op whose results these are, and the one to blame in errors."""
    maps: tuple[AffineMap, ...]
    """For each input, then for each output."""
    parallel: tuple[bool, ...]
    """For each loop: whether it is parallel, else it reduces."""
    inputs: tuple[SSAValue, ...]
    outputs: tuple[SSAValue, ...]
    block: Block
    """One argument for each input, then for each output; yields the outputs' new values."""

    @property
    def operands(self) -> tuple[SSAValue, ...]:
        """Inputs, then outputs."""
        return (*self.inputs, *self.outputs)


def extents_of(structured: Structured) -> Callable[[list[Array]], Shape]:
    """How to find the extents of the loops in the operands."""
    sources: dict[int, tuple[int, int]] = {}
    for position, affine_map in enumerate(structured.maps):
        for axis, result in enumerate(affine_map.results):
            if isinstance(result, AffineDimExpr):
                sources.setdefault(result.position, (position, axis))
    for loop in range(len(structured.parallel)):
        if loop not in sources:
            fail(structured.op, f"expected an operand with a dimension for loop d{loop} alone")
    ordered = [sources[loop] for loop in range(len(structured.parallel))]
    static = _static_extents(structured, ordered)
    if static is not None:
        return lambda arrays: static
    return lambda arrays: tuple(arrays[operand].shape[axis] for operand, axis in ordered)


def _static_extents(structured: Structured, sources: Sequence[tuple[int, int]]) -> Shape | None:
    found: list[int] = []
    for operand, axis in sources:
        kind = structured.operands[operand].type
        assert isinstance(kind, ShapedType)
        found.append(kind.get_shape()[axis])
    return tuple(found) if min(found, default=0) >= 0 else None


def layout_of(structured: Structured, affine_map: AffineMap) -> tuple[int | None, ...]:
    """The loop of each dimension of an output; None for one of extent 1 that has none."""
    axes = permuted_axes(affine_map)
    loops = {loop for loop, parallel in enumerate(structured.parallel) if parallel}
    if axes is None or {axis for axis in axes if axis is not None} != loops:
        fail(
            structured.op,
            f"expected an output map that permutes the parallel loops, got {affine_map}",
        )
    return axes


def placer(rank: int, layout: tuple[int | None, ...]) -> Callable[[Any, Shape], Array]:
    """How to bring a value over the loops, broadcast to their space, into an output's layout."""
    kept = [loop for loop in layout if loop is not None]
    reduced = [loop for loop in range(rank) if loop not in kept]
    order = (*kept, *reduced)
    index = tuple(np.newaxis if loop is None else slice(None) for loop in layout)
    index += (0,) * len(reduced)
    plain = layout == tuple(range(rank))

    def place(value: Any, space: Shape) -> Array:
        array = np.asarray(value)
        if array.shape != space:
            array = np.broadcast_to(array, space)
        return array if plain else array.transpose(order)[index]

    return place


def part_of(array: Array, axis: int, start: int, stop: int) -> Array:
    """Positions start … stop - 1 of `axis`, unless the array is broadcast there."""
    if array.shape[axis] == 1:
        return array
    return array[(slice(None),) * axis + (slice(start, stop),)]


def pinned(point: tuple[slice, ...], shape: Shape) -> tuple[slice, ...]:
    """`point`, with the axes along which an array is broadcast left whole."""
    return tuple(slice(None) if size == 1 else at for at, size in zip(point, shape, strict=True))
