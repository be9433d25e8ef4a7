"""Affine maps on arrays: an operand of a structured op seen from its iteration space.

`operand_view` turns an operand and its indexing map into an array with one axis for each loop,
of the loop's extent where the map uses it and of extent 1 where not, so that values of a region
broadcast against each other without an index grid:

- a projected permutation `(d0, d1, d2) -> (d2, d0)` is a transpose with new axes;
- any other linear map (`d0 * 2 + d3` of convolutions, a diagonal `(d0, d0)`, a reversal) is a
  view with strides of its own, checked against the operand's bounds;
- maps with `mod` or `floordiv` gather, by index vectors along the axes they use.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import OpResult, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from .types import Array

Evaluator = Callable[[Sequence[Any], Sequence[Any]], Any]
"""An expression's value for values of its dims and symbols: ints or index arrays."""
Shape = tuple[int, ...]
View = Callable[[Array, Shape], Array]
"""An operand seen from loops of the given extents."""

_BINARY: dict[AffineBinaryOpKind, Callable[[Any, Any], Any]] = {
    AffineBinaryOpKind.Add: lambda a, b: a + b,
    AffineBinaryOpKind.Mul: lambda a, b: a * b,
    AffineBinaryOpKind.Mod: lambda a, b: a % b,
    AffineBinaryOpKind.FloorDiv: lambda a, b: a // b,
    AffineBinaryOpKind.CeilDiv: lambda a, b: -(-a // b),
}


def evaluator(expr: AffineExpr) -> Evaluator:
    """`expr` as a function of its dims and symbols."""
    match expr:
        case AffineConstantExpr(value):
            return lambda dims, symbols: np.int64(value)
        case AffineDimExpr(position):
            return lambda dims, symbols: dims[position]
        case AffineSymExpr(position):
            return lambda dims, symbols: symbols[position]
        case AffineBinaryOpExpr(kind, lhs, rhs):
            left, right, combine = evaluator(lhs), evaluator(rhs), _BINARY[kind]
            return lambda dims, symbols: combine(left(dims, symbols), right(dims, symbols))
        case _:
            raise TypeError(f"unknown affine expression {expr}")


@dataclass(frozen=True, slots=True)
class Linear:
    """A constant plus a sum of loops times coefficients."""

    coefficients: dict[int, int]
    """Non-zero coefficients by loop."""
    offset: int

    def reach(self, extents: Shape) -> tuple[int, int]:
        """The least and the greatest value over loops of these (positive) extents."""
        ends = [factor * (extents[dim] - 1) for dim, factor in self.coefficients.items()]
        low, high = sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends)
        return self.offset + low, self.offset + high


def linear_form(expr: AffineExpr) -> Linear | None:
    """`expr` as a linear form; None where it is none."""
    match expr:
        case AffineConstantExpr(value):
            return Linear({}, value)
        case AffineDimExpr(position):
            return Linear({position: 1}, 0)
        case AffineBinaryOpExpr(AffineBinaryOpKind.Add, lhs, rhs):
            left, right = linear_form(lhs), linear_form(rhs)
            return None if left is None or right is None else _sum(left, right)
        case AffineBinaryOpExpr(AffineBinaryOpKind.Mul, lhs, rhs):
            left, right = linear_form(lhs), linear_form(rhs)
            if left is None or right is None or (left.coefficients and right.coefficients):
                return None
            return _scaled(left, right.offset) if left.coefficients else _scaled(right, left.offset)
        case _:
            return None


def _sum(left: Linear, right: Linear) -> Linear:
    total = {
        dim: left.coefficients.get(dim, 0) + right.coefficients.get(dim, 0)
        for dim in sorted({*left.coefficients, *right.coefficients})
    }
    return Linear(
        {dim: factor for dim, factor in total.items() if factor}, left.offset + right.offset
    )


def _scaled(form: Linear, factor: int) -> Linear:
    scaled = {dim: value * factor for dim, value in form.coefficients.items() if factor}
    return Linear(scaled, form.offset * factor)


def used_dims(affine_map: AffineMap) -> frozenset[int]:
    """The loops that the map's results depend on."""
    return frozenset(dim for result in affine_map.results for dim in result.used_dims())


def operand_view(affine_map: AffineMap) -> View:
    """How to see an operand from the loops of `affine_map`; see the module's text.

    The view raises `IndexError` when the map leads outside of the operand.
    """
    forms = [linear_form(result) for result in affine_map.results]
    linear = [form for form in forms if form is not None]
    if len(linear) < len(forms):
        return _gathered(affine_map)
    if (axes := permuted_axes(affine_map)) is not None:
        return _permuted(affine_map.num_dims, axes)
    return _strided(affine_map.num_dims, linear)


def permuted_axes(affine_map: AffineMap) -> tuple[int | None, ...] | None:
    """For a projected permutation the loop of each result, None for a constant 0; else None."""
    axes: list[int | None] = []
    for result in affine_map.results:
        match result:
            case AffineDimExpr(position) if position not in axes:
                axes.append(position)
            case AffineConstantExpr(0):
                axes.append(None)
            case _:
                return None
    return tuple(axes)


def _permuted(loops: int, axes: tuple[int | None, ...]) -> View:
    if axes == tuple(range(loops)):
        return lambda array, extents: array
    first = tuple(slice(None) if axis is not None else 0 for axis in axes)
    kept = [axis for axis in axes if axis is not None]
    order = tuple(int(axis) for axis in np.argsort(kept))
    spread = tuple(slice(None) if loop in kept else np.newaxis for loop in range(loops))
    index = None if None not in axes else first
    transposed = None if order == tuple(range(len(kept))) else order

    def view(array: Array, extents: Shape) -> Array:
        if index is not None:
            array = array[index]
        if transposed is not None:
            array = array.transpose(transposed)
        return array[spread]

    return view


def _strided(loops: int, forms: Sequence[Linear]) -> View:
    used = {dim for form in forms for dim in form.coefficients}

    def view(array: Array, extents: Shape) -> Array:
        shape = tuple(extents[dim] if dim in used else 1 for dim in range(loops))
        if 0 in shape:
            return np.empty(shape, array.dtype)
        _check_bounds(forms, extents, array.shape)
        strides = tuple(
            sum(
                form.coefficients.get(dim, 0) * step
                for form, step in zip(forms, array.strides, strict=True)
            )
            for dim in range(loops)
        )
        start = array[tuple(slice(form.offset, None) for form in forms)]
        return as_strided(start, shape, strides, writeable=False)

    return view


def _check_bounds(forms: Sequence[Linear], extents: Shape, shape: Shape) -> None:
    for form, size in zip(forms, shape, strict=True):
        low, high = form.reach(extents)
        if low < 0 or high >= size:
            raise IndexError(f"index range [{low}, {high}] leaves a dimension of {size}")


def _gathered(affine_map: AffineMap) -> View:
    loops = affine_map.num_dims
    evaluators = [evaluator(result) for result in affine_map.results]
    used = used_dims(affine_map)

    def view(array: Array, extents: Shape) -> Array:
        points = [loop_positions(dim, loops, 0, extents[dim]) for dim in range(loops)]
        shape = tuple(extents[dim] if dim in used else 1 for dim in range(loops))
        index = tuple(np.asarray(evaluate(points, ())) for evaluate in evaluators)
        check_indices(index, array.shape)
        return np.broadcast_to(array[index], shape)

    return view


def loop_positions(dim: int, loops: int, start: int, stop: int) -> Array:
    """The values start … stop - 1 of one loop, along its axis among `loops` axes."""
    shape = (1,) * dim + (stop - start,) + (1,) * (loops - dim - 1)
    return np.arange(start, stop, dtype=np.int64).reshape(shape)


def check_indices(indices: Sequence[Any], shape: Shape) -> None:
    """Raise `IndexError` unless all of the index arrays lie inside of `shape`."""
    for axis, (index, size) in enumerate(zip(indices, shape, strict=True)):
        if np.size(index) and not (np.min(index) >= 0 and np.max(index) < size):
            raise IndexError(
                f"index {_outside(index, size)} leaves dimension {axis} of {size} elements"
            )


def trailing_loops(indices: Sequence[SSAValue]) -> tuple[int, ...]:
    """The loops, ascending, whose `linalg.index` are the last of `indices`; the others are not."""
    loops: list[int] = []
    for index in reversed(indices):
        if not isinstance(index, OpResult) or not isinstance(index.op, IndexOp):
            break
        loop = index.op.dim.value.data
        if loops and loop >= loops[0]:
            break
        loops.insert(0, loop)
    return tuple(loops)


def gather_rows(array: Array, indices: Sequence[Array], loops: Sequence[int]) -> Array:
    """`array[indices]` where the last indices run along `loops`: those dimensions are sliced.

    An element-wise gather where another index varies along one of these loops.
    """
    count = len(indices) - len(loops)
    leading, running = indices[:count], indices[count:]
    if any(np.ndim(at) and any(at.shape[loop] > 1 for loop in loops) for at in leading):
        return array[tuple(indices)]
    rank = running[0].ndim
    rows = tuple(np.squeeze(at, tuple(loops)) if np.ndim(at) else at for at in leading)
    slices = tuple(
        slice(int(at.flat[0]), int(at.flat[-1]) + 1) if at.size else slice(0) for at in running
    )
    found = array[rows + slices]
    others = tuple(loop for loop in range(rank) if loop not in loops)
    if not any(np.ndim(at) for at in leading):
        found = found.reshape((1,) * len(others) + found.shape)
    return found.transpose(*np.argsort((*others, *loops)))


def _outside(index: Any, size: int) -> int:
    low = int(np.min(index))
    return low if low < 0 else int(np.max(index))
