"""`linalg.pack` and `linalg.unpack`: a tensor cut into tiles, and back.

A packed tensor has the counts of tiles first, in the order of `outer_dims_perm`, then the tiles'
dimensions, in the order of `inner_dims_pos`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import Operation

from .attributes import integers
from .program import Compiler, Env, Lowering
from .tensors import emit_checked, static_shape
from .types import Array


@dataclass(frozen=True, slots=True)
class _Tiling:
    """How a tensor of some rank is cut."""

    rank: int
    outer: tuple[int, ...]
    """The dimension of each count of tiles."""
    inner: tuple[int, ...]
    """The dimension of each tile dimension."""

    @property
    def order(self) -> tuple[int, ...]:
        """Where each packed dimension stands when the tiles follow their counts."""
        place: dict[tuple[int, bool], int] = {}
        for dim in range(self.rank):
            place[dim, False] = len(place)
            if dim in self.inner:
                place[dim, True] = len(place)
        counts = [place[dim, False] for dim in self.outer]
        return (*counts, *(place[dim, True] for dim in self.inner))

    def split(self, packed: Sequence[int]) -> list[int]:
        """The packed sizes with each tile's after its count."""
        sizes = [0] * len(packed)
        for size, place in zip(packed, self.order, strict=True):
            sizes[place] = size
        return sizes

    def whole(self, packed: Sequence[int]) -> list[int]:
        """The sizes of the tensor that the tiles cover."""
        counts = dict(zip(self.outer, packed, strict=False))
        tiles = dict(zip(self.inner, packed[self.rank :], strict=True))
        return [counts[dim] * tiles.get(dim, 1) for dim in range(self.rank)]


def _tiling(op: Operation, rank: int) -> _Tiling:
    outer = integers(op, "outer_dims_perm", ())
    return _Tiling(rank, outer or tuple(range(rank)), integers(op, "inner_dims_pos", ()))


def lower_pack(compiler: Compiler, op: Operation) -> None:
    """`linalg.pack`: what the tiles reach beyond the tensor is the padding value."""
    segments = integers(op, "operandSegmentSizes", (1, 1, 0, 0))
    source, dest, *rest = compiler.slots(op.operands)
    padding = rest[: segments[2]]
    result = compiler.slot(op.results[0])
    tiling = _tiling(op, len(static_shape(op.operands[0].type)))

    def step(env: Env) -> None:
        array, shape = env[source], env[dest].shape
        whole = tiling.whole(shape)
        if tuple(whole) != array.shape:
            array = _padded(array, whole, env[padding[0]] if padding else 0)
        env[result] = array.reshape(tiling.split(shape)).transpose(tiling.order)

    emit_checked(compiler, op, step, (source, dest, *padding))


def _padded(array: Array, shape: Sequence[int], value: Any) -> Array:
    padded = np.full(shape, value, array.dtype)
    padded[tuple(slice(size) for size in array.shape)] = array
    return padded


def lower_unpack(compiler: Compiler, op: Operation) -> None:
    """`linalg.unpack`: the tensor that the tiles cover, cut to the output's shape."""
    source, dest, *_ = compiler.slots(op.operands)
    result = compiler.slot(op.results[0])
    tiling = _tiling(op, len(static_shape(op.results[0].type)))
    inverse = tuple(int(at) for at in np.argsort(tiling.order))

    def step(env: Env) -> None:
        array = env[source]
        whole = array.transpose(inverse).reshape(tiling.whole(array.shape))
        env[result] = whole[tuple(slice(size) for size in env[dest].shape)]

    emit_checked(compiler, op, step, (source, dest))


PACKING_LOWERINGS: dict[str, Lowering] = {
    "linalg.pack": lower_pack,
    "linalg.unpack": lower_unpack,
}
"""By op name."""
