"""Sorting and selecting ops of iree_linalg_ext: sort, topk, topk_v2, arg_compare."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from .attributes import attribute, integers
from .builders import destination
from .ordering import (
    best_along,
    comparator,
    key_order,
    order_by_key,
    order_by_network,
    span,
)
from .program import Compiler, Env, Lowering
from .regions import region_function
from .types import Array, dtype_of, element_type

Order = Callable[[Env, Sequence[Array]], Array]
"""Positions in sorted order for the arrays of a run."""


def _dimension(op: Operation) -> int:
    found: Any = attribute(op, "dimension")
    return found.value.data


def _order_of(compiler: Compiler, op: Operation, kinds: Sequence[SSAValue]) -> tuple[Order, Any]:
    """The order that an op's region makes along its dimension, and the slots it captures."""
    block, axis = op.regions[0].block, _dimension(op)
    by_key = key_order(block)
    if by_key is not None:
        kind = kinds[by_key.key].type
        return lambda env, keys: order_by_key(by_key, keys[by_key.key], kind, axis), ()
    function = region_function(compiler, block)

    def order(env: Env, keys: Sequence[Array]) -> Array:
        return order_by_network(comparator(function, env), keys, axis)

    return order, function.captured


def lower_sort(compiler: Compiler, op: Operation) -> None:
    """`iree_linalg_ext.sort`: its outputs, along a dimension, all in the comparator's order.

    Elements that it calls equal keep their order; IREE's bubble sort may exchange them.
    """
    _, outputs = destination(op)
    axis = _dimension(op)
    order, captured = _order_of(compiler, op, outputs)
    operands, results = compiler.slots(outputs), compiler.slots(op.results)

    def step(env: Env) -> None:
        arrays = [env[slot] for slot in operands]
        positions = order(env, arrays)
        for slot, array in zip(results, arrays, strict=True):
            env[slot] = np.take_along_axis(array, positions, axis)

    compiler.emit(step, (*operands, *captured), results)


def lower_topk(compiler: Compiler, op: Operation) -> None:
    """`iree_linalg_ext.topk`: the first k of the inputs and the outputs' old values."""
    values, *rest = op.operands[:-2]
    _lower_first(compiler, op, values, rest, op.operands[-2:], keep_old=True)


def lower_topk_v2(compiler: Compiler, op: Operation) -> None:
    """`iree_linalg_ext.topk_v2`: the first k of the inputs, sorted whether asked for or not."""
    inputs, outputs = destination(op)
    _lower_first(compiler, op, inputs[0], inputs[1:], outputs, keep_old=False)


def _lower_first(
    compiler: Compiler,
    op: Operation,
    values: SSAValue,
    indices: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    keep_old: bool,
) -> None:
    axis = _dimension(op)
    order, captured = _order_of(compiler, op, [values])
    source, given, outs = compiler.slot(values), compiler.slots(indices), compiler.slots(outputs)
    results, sized = compiler.slots(op.results), compiler.slot(outputs[0])
    kinds = [dtype_of(element_type(output.type)) for output in outputs]

    def step(env: Env) -> None:
        columns: list[Array] = [env[source]]
        if len(outs) > 1:
            columns.append(env[given[0]] if given else _positions(env[source], axis, kinds[1]))
        if keep_old:
            olds = [env[slot] for slot in outs]
            pairs = zip(olds, columns, strict=True)
            columns = [np.concatenate(pair, axis) for pair in pairs]
        count = env[sized].shape[axis]
        first = span(order(env, columns[:1]), axis, 0, count)
        for slot, column in zip(results, columns, strict=True):
            env[slot] = np.take_along_axis(column, first, axis)

    compiler.emit(step, (source, *given, *outs, *captured), results)


def _positions(array: Array, axis: int, dtype: Any) -> Array:
    """The position along `axis` of each element."""
    shape = [1] * array.ndim
    shape[axis] = array.shape[axis]
    counted: Array = np.arange(array.shape[axis], dtype=dtype).reshape(shape)
    return np.broadcast_to(counted, array.shape)


def lower_arg_compare(compiler: Compiler, op: Operation) -> None:
    """`iree_linalg_ext.arg_compare`: the best element along a dimension and where it stands."""
    segments = integers(op, "operandSegmentSizes", (1, 0, 1, 1, 0))
    ends = np.cumsum(segments)
    starts = ends - segments
    value, index, out_value, out_index, base = (
        compiler.slots(op.operands[start:end]) for start, end in zip(starts, ends, strict=True)
    )
    axis = _dimension(op)
    function = region_function(compiler, op.regions[0].block)
    results = compiler.slots(op.results)
    kind = dtype_of(element_type(op.results[1].type))

    def step(env: Env) -> None:
        values = env[value[0]]
        if index:
            indices = env[index[0]]
        else:
            indices = _positions(values, axis, kind) + kind.type(env[base[0]] if base else 0)

        def better(x: Array, y: Array) -> Array:
            return np.broadcast_to(function(env, x, y)[0], x.shape)

        olds = [np.expand_dims(env[slots[0]], axis) for slots in (out_value, out_index)]
        replaces = better(values, np.broadcast_to(olds[0], values.shape))
        columns = [
            np.where(replaces, new, old) for new, old in zip((values, indices), olds, strict=True)
        ]
        best = best_along(better, columns, axis) if values.shape[axis] else olds
        for slot, column in zip(results, best, strict=True):
            env[slot] = np.squeeze(column, axis)

    operands = (*value, *index, *out_value, *out_index, *base, *function.captured)
    compiler.emit(step, operands, results)


SELECTION_LOWERINGS: dict[str, Lowering] = {
    "iree_linalg_ext.arg_compare": lower_arg_compare,
    "iree_linalg_ext.sort": lower_sort,
    "iree_linalg_ext.topk": lower_topk,
    "iree_linalg_ext.topk_v2": lower_topk_v2,
}
"""By op name."""
