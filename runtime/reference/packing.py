"""`linalg.pack` and `linalg.unpack`: each element is read at the index that its own index makes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation

from ..element_types import Array
from .interpreter import NamedEvaluation, ReferenceInterpreter
from .values import integers


def _grids(shape: Sequence[int]) -> list[Array]:
    """The index along each dimension, as open grids."""
    rank = len(shape)
    return [
        np.arange(size).reshape([-1 if axis == other else 1 for other in range(rank)])
        for axis, size in enumerate(shape)
    ]


def _outer_dims(op: Operation, rank: int) -> tuple[int, ...]:
    """The dimension whose tiles each of the packed tensor's first dimensions counts."""
    return integers(op, "outer_dims_perm") or tuple(range(rank))


def _run_pack(_: ReferenceInterpreter, op: Operation, args: PythonValues) -> PythonValues:
    """The tiles; elements beyond the source are the padding value, or 0 without one."""
    source: Array = args[0]
    dest: Array = args[1]
    padded = integers(op, "operandSegmentSizes")[2]
    grids, rank = _grids(dest.shape), source.ndim
    outer, inner = _outer_dims(op, rank), integers(op, "inner_dims_pos")
    places: list[Array] = []
    for dimension in range(rank):
        place = grids[outer.index(dimension)]
        if dimension in inner:
            tile = rank + inner.index(dimension)
            place = place * dest.shape[tile] + grids[tile]
        places.append(place)
    inside: Any = True
    clipped: list[Array] = []
    for place, size in zip(places, source.shape, strict=True):
        inside = inside & (place < size)
        clipped.append(np.minimum(place, size - 1))
    filler = args[2] if padded else dest.dtype.type(0)
    return (np.where(inside, source[tuple(clipped)], filler).astype(dest.dtype),)


def _run_unpack(_: ReferenceInterpreter, op: Operation, args: PythonValues) -> PythonValues:
    """What the tiles hold of the output."""
    source: Array = args[0]
    dest: Array = args[1]
    grids, rank = _grids(dest.shape), dest.ndim
    inner = integers(op, "inner_dims_pos")
    tiles = {dimension: source.shape[rank + at] for at, dimension in enumerate(inner)}
    counts = [grids[dim] // tiles.get(dim, 1) for dim in _outer_dims(op, rank)]
    return (source[(*counts, *(grids[dim] % tiles[dim] for dim in inner))],)


BY_NAME: dict[str, NamedEvaluation] = {
    "linalg.pack": _run_pack,
    "linalg.unpack": _run_unpack,
}
