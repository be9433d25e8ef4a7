"""Reductions that numpy does as a whole: which regions they are, and how their order is kept.

A region reduces when each yielded value is `combine(%out, %x)` of a known associative `combine`,
`%out` its own output argument used nowhere else. `%x` is then computed for the whole iteration
space and reduced along the reduction loops. Floats of 32 bits and more are summed in numpy's
(pairwise) order; for narrower floats, whose rounding after each addition shows, the loops' order
is kept exactly, as it is by IREE.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects import complex as complex_dialect
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineMap

from ..interpretation import implementation_for
from .contraction import Contraction, contract, plan_contraction
from .floating import FLOAT_FUNCTIONS
from .integer import Function, integer_function
from .regions import dependent_loops
from .types import NARROW_FLOATS, Array, as_unsigned, dtype_of

Axes = tuple[int, ...]

_FLOAT_COMBINERS = (
    arith.AddfOp,
    arith.MulfOp,
    arith.MaximumfOp,
    arith.MinimumfOp,
    arith.MaxnumfOp,
    arith.MinnumfOp,
)
_COMPLEX_COMBINERS: dict[type[Operation], np.ufunc] = {
    complex_dialect.AddOp: np.add,
    complex_dialect.MulOp: np.multiply,
}
_INTEGER_COMBINERS: dict[type[Operation], np.ufunc] = {
    arith.AddiOp: np.add,
    arith.MuliOp: np.multiply,
    arith.AndIOp: np.bitwise_and,
    arith.OrIOp: np.bitwise_or,
    arith.XOrIOp: np.bitwise_xor,
    arith.MinSIOp: np.minimum,
    arith.MaxSIOp: np.maximum,
}
_UNSIGNED_COMBINERS: dict[type[Operation], np.ufunc] = {
    arith.MinUIOp: np.minimum,
    arith.MaxUIOp: np.maximum,
}
_SUMS = (arith.AddfOp, arith.AddiOp, complex_dialect.AddOp)
_PRODUCTS = (arith.MulfOp, arith.MuliOp, complex_dialect.MulOp)


@dataclass(frozen=True, slots=True)
class Reduction:
    """How one output of a reducing region comes about."""

    values: tuple[SSAValue, ...]
    """What the region is read at: the value to reduce, or the two factors of a contraction."""
    replaced: tuple[Operation, ...]
    """Ops of the region that the reduction does in their place."""
    combine: Function
    reduce: "Reducer"
    axes: Axes
    """The reduction loops."""
    contraction: Contraction | None

    def apply(self, values: Sequence[Any], init: Array, extents: Sequence[int]) -> Array:
        """The output's new value over the loops, from those of `values` and its old one."""
        if self.contraction is not None:
            u, v = values
            return contract(self.contraction, u, v, init, self.combine, extents)
        value = np.asarray(values[0])
        shape = list(value.shape) if value.ndim else [1] * len(extents)
        for axis in self.axes:
            shape[axis] = extents[axis]
        return self.reduce(np.broadcast_to(value, shape), self.axes, init)


def plan_reductions(
    block: Block, inputs: int, maps: Sequence[AffineMap], parallel: Sequence[bool]
) -> list[Reduction] | None:
    """The reductions of a region with so many inputs; None if it is none known here."""
    assert block.last_op is not None
    reductions: list[Reduction] = []
    for yielded, output in zip(block.last_op.operands, block.args[inputs:], strict=True):
        found = _combined(yielded, output)
        if found is None:
            return None
        combiner, value = found
        contraction = _contraction(combiner, value, maps, parallel)
        reductions.append(_reduction(combiner, value, contraction, parallel))
    return reductions


def _combined(yielded: SSAValue, output: BlockArgument) -> tuple[Operation, SSAValue] | None:
    """The op that combines `output` with a value to yield its new value, and that value."""
    if not isinstance(yielded, OpResult) or not yielded.has_one_use():
        return None
    op = yielded.op
    if op.parent is not output.block or combine_function(op) is None:
        return None
    if not output.has_one_use() or output not in op.operands:
        return None
    left, right = op.operands
    return op, right if left is output else left


def _contraction(
    combiner: Operation, value: SSAValue, maps: Sequence[AffineMap], parallel: Sequence[bool]
) -> Contraction | None:
    block = combiner.parent
    if block is None or not isinstance(combiner, _SUMS) or not isinstance(value, OpResult):
        return None
    if not isinstance(value.op, _PRODUCTS) or value.op.parent is not block:
        return None
    if not value.has_one_use():
        return None
    loops = dependent_loops(block, maps)
    left, right = (loops.get(factor, frozenset[int]()) for factor in value.op.operands)
    return plan_contraction(left, right, parallel, dtype_of(value.type))


def _reduction(
    combiner: Operation,
    value: SSAValue,
    contraction: Contraction | None,
    parallel: Sequence[bool],
) -> Reduction:
    values, replaced = (value,), (combiner,)
    if contraction is not None:
        assert isinstance(value, OpResult)
        values, replaced = tuple(value.op.operands), (combiner, value.op)
    function = combine_function(combiner)
    assert function is not None
    axes = tuple(loop for loop, is_parallel in enumerate(parallel) if not is_parallel)
    return Reduction(values, replaced, function, reduce_function(combiner), axes, contraction)


def combine_function(op: Operation) -> Function | None:
    """The function of a combining op; None if `op` is none."""
    if isinstance(op, _FLOAT_COMBINERS):
        return implementation_for(FLOAT_FUNCTIONS, type(op))
    if (combined := implementation_for(_COMPLEX_COMBINERS, type(op))) is not None:
        return combined
    if isinstance(op, (*_INTEGER_COMBINERS, *_UNSIGNED_COMBINERS)):
        return integer_function(op)
    return None


Reducer = Callable[[Array, Axes, Array], Array]
"""Reduces an array along axes, which stay with extent 1, starting from the output's old value."""


def reduce_function(op: Operation) -> Reducer:
    """The whole-array form of the combining op `op`."""
    kind = op.results[0].type
    dtype = dtype_of(kind)
    function = combine_function(op)
    assert function is not None
    if dtype in NARROW_FLOATS and isinstance(op, arith.AddfOp | arith.MulfOp):
        return partial(_reduce, function, _ordered(function))
    return partial(_reduce, function, _partial_reduction(op, function, dtype))


def _partial_reduction(op: Operation, function: Function, dtype: np.dtype[Any]) -> Reducer:
    """Reduce as numpy does, then combine with the old value."""
    kind = op.results[0].type
    unsigned = implementation_for(_UNSIGNED_COMBINERS, type(op))
    if unsigned is not None and dtype.kind == "i":

        def reduce_unsigned(array: Array, axes: Axes, init: Array) -> Array:
            part = unsigned.reduce(as_unsigned(array, kind), axis=axes, keepdims=True)
            return function(init, part.view(dtype))

        return reduce_unsigned
    ufunc = implementation_for(_INTEGER_COMBINERS, type(op)) if dtype.kind == "i" else function
    assert isinstance(ufunc, np.ufunc)

    def reduce(array: Array, axes: Axes, init: Array) -> Array:
        return function(init, ufunc.reduce(array, axis=axes, dtype=dtype, keepdims=True))

    return reduce


_FEW = 32
_MANY = 4096


def _reduce(function: Function, reduce: Reducer, array: Array, axes: Axes, init: Array) -> Array:
    """`reduce`; for many reductions of few elements each, whole-array ops, which are quicker."""
    count = prod(array.shape[axis] for axis in axes)
    if count == 0:
        return init
    if count <= _FEW and array.size >= _MANY * count:
        return _fold(function, array, axes, init)
    return reduce(array, axes, init)


def _fold(function: Function, array: Array, axes: Axes, init: Array) -> Array:
    for part in reduction_slices(array, axes):
        init = function(init, part)
    return init


def reduction_slices(array: Array, axes: Axes) -> Iterator[Array]:
    """The slices of `array` at each point of `axes`, in loop order, with extent 1 there."""
    for index in reduction_points(array.shape, axes):
        yield array[index]


def reduction_points(shape: tuple[int, ...], axes: Axes) -> Iterator[tuple[slice, ...]]:
    """Indices that select each point of `axes` in a space of `shape`, in loop order."""
    index = [slice(None)] * len(shape)
    for point in np.ndindex(*(shape[axis] for axis in axes)):
        for axis, at in zip(axes, point, strict=True):
            index[axis] = slice(at, at + 1)
        yield tuple(index)


def _ordered(function: Function) -> Reducer:
    """Reduce in the loops' order, rounding after each step."""
    assert isinstance(function, np.ufunc)

    def reduce(array: Array, axes: Axes, init: Array) -> Array:
        count = prod(array.shape[axis] for axis in axes)
        if array.size >= _MANY * count:
            return _fold(function, array, axes, init)
        kept = [axis for axis in range(array.ndim) if axis not in axes]
        shape = tuple(1 if axis in axes else size for axis, size in enumerate(array.shape))
        rows = array.transpose(*kept, *axes).reshape(-1, count)
        start = np.broadcast_to(init, shape).reshape(-1, 1)
        return function.accumulate(np.hstack([start, rows]), axis=1)[:, -1].reshape(shape)

    return reduce


def sum_along(array: Array, axis: int) -> Array:
    """The sum along an axis, which stays with extent 1; narrow floats are rounded each time."""
    zero = np.zeros((1,) * array.ndim, array.dtype)
    if array.dtype in NARROW_FLOATS:
        return _ordered(np.add)(array, (axis,), zero)
    return np.sum(array, axis=axis, dtype=array.dtype, keepdims=True)
