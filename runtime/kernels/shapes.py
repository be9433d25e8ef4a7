"""Shapes and slices with static and dynamic parts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase
from xdsl.ir import SSAValue

from .program import Compiler, Env

Shape: TypeAlias = tuple[int, ...]
ShapeReader: TypeAlias = Callable[[Env], Shape]


@dataclass(frozen=True, slots=True)
class Mixed:
    """Index values of which some are constants and some SSA values."""

    static: tuple[int | None, ...]
    """The constants; None where the next dynamic value stands."""
    slots: tuple[int, ...]
    """The slots of the dynamic values."""

    def reader(self) -> ShapeReader:
        """The values as a function of the environment."""
        static = self.static
        if not self.slots:
            fixed = tuple(value for value in static if value is not None)
            return lambda env: fixed
        remaining = iter(self.slots)
        sources = [(next(remaining), 0) if value is None else (-1, value) for value in static]
        return lambda env: tuple([value if slot < 0 else int(env[slot]) for slot, value in sources])


def mixed(
    compiler: Compiler, static: DenseArrayBase[Any] | Sequence[int], dynamic: Sequence[SSAValue]
) -> Mixed:
    """The values of a static array whose dynamic entries stand in `dynamic`."""
    values = static.get_values() if isinstance(static, DenseArrayBase) else static
    return Mixed(
        tuple(None if value == DYNAMIC_INDEX else int(value) for value in values),
        compiler.slots(dynamic),
    )


@dataclass(frozen=True, slots=True)
class SliceReader:
    """Offsets, sizes and strides of a slicing op."""

    offsets: ShapeReader
    sizes: ShapeReader
    strides: ShapeReader
    slots: tuple[int, ...]
    """All dynamic values it reads."""
    static_sizes: tuple[int | None, ...]

    def index(self, env: Env, shape: Shape) -> tuple[slice, ...]:
        """The slice as an index of an array of `shape`.

        Raises:
            IndexError: if the slice leaves the array.
        """
        offsets, sizes, strides = self.offsets(env), self.sizes(env), self.strides(env)
        check_slice(offsets, sizes, strides, shape)
        return slice_index(offsets, sizes, strides)


def slice_reader(compiler: Compiler, op: Any) -> SliceReader:
    """The slice of an op with `offsets`, `sizes`, `strides` and their static arrays."""
    offsets = mixed(compiler, op.static_offsets, op.offsets)
    sizes = mixed(compiler, op.static_sizes, op.sizes)
    strides = mixed(compiler, op.static_strides, op.strides)
    return SliceReader(
        offsets.reader(),
        sizes.reader(),
        strides.reader(),
        (*offsets.slots, *sizes.slots, *strides.slots),
        sizes.static,
    )


def whole_reader(shape: Mixed) -> SliceReader:
    """The slice that is all of a tensor of `shape`."""
    zeros, ones = (0,) * len(shape.static), (1,) * len(shape.static)
    return SliceReader(lambda _: zeros, shape.reader(), lambda _: ones, shape.slots, shape.static)


def slice_index(offsets: Shape, sizes: Shape, strides: Shape) -> tuple[slice, ...]:
    """A slice of positive strides as an index."""
    return tuple(
        slice(offset, offset + (size - 1) * stride + 1 if size else offset, stride)
        for offset, size, stride in zip(offsets, sizes, strides, strict=True)
    )


def check_slice(offsets: Shape, sizes: Shape, strides: Shape, shape: Shape) -> None:
    """Raise `IndexError` unless the slice has positive strides and lies within `shape`."""
    for axis, (offset, size, stride, extent) in enumerate(
        zip(offsets, sizes, strides, shape, strict=True)
    ):
        if stride <= 0 or size < 0:
            raise IndexError(
                f"expected a slice of positive stride and no negative size in dimension {axis}, "
                f"got size {size} and stride {stride}"
            )
        last = offset + (size - 1) * stride
        if size and not (offset >= 0 and last < extent):
            raise IndexError(
                f"slice [{offset}, {last}] leaves dimension {axis} of {extent} elements"
            )


def kept_dimensions(static_sizes: Sequence[int | None], result: Sequence[int]) -> tuple[int, ...]:
    """The dimensions of a slice that a rank-reduced `result` type keeps; the rest have size 1."""
    kept: list[int] = []
    for axis, size in enumerate(static_sizes):
        wanted = result[len(kept)] if len(kept) < len(result) else None
        dynamic = size is None and wanted == DYNAMIC_INDEX
        if dynamic or (size is not None and size == wanted):
            kept.append(axis)
    return tuple(kept)
