"""Contractions: sums of products that a matrix multiplication does.

`sum over k of u[…] * v[…]` with the loops of u and v split into batch loops (in both), rows (u
only), columns (v only) and summed loops. u and v are whole arrays that earlier ops of the region
computed, so dequantisation or a convolution's window needs no pass of its own; a window's matrix
is gathered once, as im2col does.

- f32, f64, complex: BLAS.
- integers: BLAS in f32 or f64 where the sums are exact in it by their operands' size, else i32
  and narrower by 16-bit halves modulo 2^32, else numpy's integer loops. All wrap as MLIR does.
- f16, bf16, f8: a multiply and an add for each summed point, each rounded, in the loops' order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from .integer import Function
from .types import NARROW_FLOATS, Array

Axes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Contraction:
    """Which loops of an iteration space play which part."""

    batch: Axes
    rows: Axes
    columns: Axes
    summed: Axes
    dtype: np.dtype[Any]

    def left(self, u: Array, extents: Sequence[int]) -> Array:
        """u as matrices (batch…, row, summed)."""
        return self._matrices(u, extents, self.rows, self.summed)

    def right(self, v: Array, extents: Sequence[int]) -> Array:
        """v as matrices (batch…, summed, column)."""
        return self._matrices(v, extents, self.summed, self.columns)

    def _matrices(self, array: Array, extents: Sequence[int], rows: Axes, columns: Axes) -> Array:
        keep = (*self.batch, *rows, *columns)
        shape = tuple(extents[axis] if axis in keep else 1 for axis in range(len(extents)))
        rest = tuple(axis for axis in range(len(extents)) if axis not in keep)
        moved = np.broadcast_to(array, shape).transpose(*keep, *rest)
        sizes = tuple(extents[axis] for axis in self.batch)
        height = prod(extents[axis] for axis in rows)
        return moved.reshape(*sizes, height, prod(extents[axis] for axis in columns))

    def result(self, product: Array, extents: Sequence[int]) -> Array:
        """The product (batch…, row, column) back in the iteration space, summed loops extent 1."""
        order = (*self.batch, *self.rows, *self.columns)
        sizes = tuple(extents[axis] for axis in order)
        rest = tuple(axis for axis in range(len(extents)) if axis not in order)
        spread = product.reshape(*sizes, *(1 for _ in rest))
        return spread.transpose(*np.argsort((*order, *rest)))


def plan_contraction(
    left: frozenset[int], right: frozenset[int], parallel: Sequence[bool], dtype: np.dtype[Any]
) -> Contraction | None:
    """The contraction of factors that depend on the loops `left` and `right`.

    None where a plain multiply and reduce is as good: no loop is summed in both or every other
    loop is in both; and where a summed loop is in neither or only in one.
    """
    loops = range(len(parallel))
    summed = tuple(loop for loop in loops if not parallel[loop])
    rows = tuple(loop for loop in loops if parallel[loop] and loop in left - right)
    columns = tuple(loop for loop in loops if parallel[loop] and loop in right - left)
    batch = tuple(loop for loop in loops if parallel[loop] and loop in left & right)
    if dtype.kind == "b" or not summed or not (rows or columns):
        return None
    if not all(loop in left & right for loop in summed):
        return None
    return Contraction(batch, rows, columns, summed, dtype)


def contract(
    plan: Contraction, u: Array, v: Array, init: Array, add: Function, extents: Sequence[int]
) -> Array:
    """`init` plus the contraction of u and v, over an iteration space of `extents`."""
    left, right = plan.left(u, extents), plan.right(v, extents)
    if plan.dtype in NARROW_FLOATS:
        order = (*plan.batch, *plan.rows, *plan.columns)
        start = _moved(init, extents, plan, order)
        return plan.result(_in_order(left, right, start), extents)
    if plan.dtype.kind in "ib":
        product = integer_product(left, right)
    else:
        product = np.matmul(_for_blas(left), _for_blas(right))
    return add(init, plan.result(product, extents))


def _moved(init: Array, extents: Sequence[int], plan: Contraction, order: Axes) -> Array:
    """The old output as (batch…, row, column)."""
    shape = tuple(extents[axis] if axis in order else 1 for axis in range(len(extents)))
    moved = np.broadcast_to(init, shape).transpose(
        *order, *(axis for axis in range(len(extents)) if axis not in order)
    )
    sizes = tuple(extents[axis] for axis in plan.batch)
    height = prod(extents[axis] for axis in plan.rows)
    return moved.reshape(*sizes, height, prod(extents[axis] for axis in plan.columns))


def _for_blas(matrices: Array) -> Array:
    """`matrices`, copied where BLAS cannot read them in place (numpy would leave BLAS then)."""
    row, column = matrices.strides[-2:]
    height, width = matrices.shape[-2:]
    size = matrices.itemsize
    in_rows = column == size and (row % size == 0 and row >= width * size)
    in_columns = row == size and (column % size == 0 and column >= height * size)
    if in_rows or in_columns or matrices.size == 0:
        return matrices
    return np.ascontiguousarray(matrices)


def _in_order(left: Array, right: Array, total: Array) -> Array:
    """Multiply and add one summed point after the other, rounding each time."""
    total, product = np.array(total), np.empty(total.shape, total.dtype)
    for point in range(left.shape[-1]):
        column, row = left[..., point : point + 1], right[..., point : point + 1, :]
        np.multiply(column, row, out=product)
        np.add(total, product, out=total)
    return total


def integer_product(left: Array, right: Array) -> Array:
    """The matrix product of integers, modulo 2 to the width of their dtype."""
    dtype = left.dtype
    bound = left.shape[-1] * _greatest(left) * _greatest(right)
    for wide, exact in ((np.float32, 1 << 24), (np.float64, 1 << 53)):
        if bound <= exact:
            product = np.matmul(_as_float(left, wide), _as_float(right, wide))
            return product.astype(np.int64).astype(dtype)
    if dtype.itemsize <= 4 and left.shape[-1] < 1 << 20:
        return _by_halves(left, right).astype(dtype)
    return np.matmul(left, right)


def _greatest(array: Array) -> int:
    """The greatest magnitude in an integer array."""
    return max(abs(int(array.min())), abs(int(array.max()))) if array.size else 0


def _as_float(array: Array, dtype: Any) -> Array:
    return array.astype(dtype, order="C")


def _by_halves(left: Array, right: Array) -> Array:
    """The product of i32 matrices modulo 2^32, from products of 16-bit halves exact in f64."""
    wide = np.float64
    low_left, low_right = _as_float(left & 0xFFFF, wide), _as_float(right & 0xFFFF, wide)
    high_left, high_right = _as_float(left >> 16, wide), _as_float(right >> 16, wide)
    low = np.matmul(low_left, low_right).astype(np.int64)
    cross = np.matmul(low_left, high_right) + np.matmul(high_left, low_right)
    return low + (cross.astype(np.int64) << 16)
