"""iree_linalg_ext's ops along one dimension: scan, sort, topk, topk_v2, arg_compare.

Order is by counting: an element's place is the number of elements that come before it, equal ones
in the order in which they stand. All comparisons are made at once, with the region on arrays.
"""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.interpreter import PythonValues
from xdsl.ir import Block, Operation

from ..element_types import Array, InputError
from . import structured
from .interpreter import NamedEvaluation, ReferenceInterpreter
from .regions import region_values
from .structured import ASSOCIATIVE, SEQUENTIAL
from .values import inherent, integers, op_name


def _run_scan(interpreter: ReferenceInterpreter, op: Operation, args: PythonValues) -> PythonValues:
    """Running combination along a dimension, and the last value that was combined."""
    (dimension,) = integers(op, "dimension")
    source: Array = np.moveaxis(args[0], dimension, -1)
    accumulator: Array = args[2]
    is_inclusive = cast(IntegerAttr, inherent(op, "inclusive")).value.data != 0
    row = source
    if not is_inclusive:
        # The accumulator stands first, and the last element is not taken in.
        row = np.concatenate([accumulator[..., None], source[..., :-1]], axis=-1)
    running = _running(interpreter, op.regions[0].block, row)
    last = running[..., -1] if row.shape[-1] > 1 else accumulator
    return np.ascontiguousarray(np.moveaxis(running, -1, dimension)), last.copy()


def _running(interpreter: ReferenceInterpreter, block: Block, row: Array) -> Array:
    """Each element along the last axis combined with all before it, from left to right."""
    combiner = block.first_op
    assert combiner is not None
    is_plain = len(list(block.ops)) == 2 and set(combiner.operands) == set(block.args)
    name = op_name(combiner) if is_plain else ""
    if name in SEQUENTIAL:
        return SEQUENTIAL[name].accumulate(row, axis=-1, dtype=row.dtype)
    result = row.copy()
    if name in ASSOCIATIVE:
        step = 1
        while step < row.shape[-1]:
            pair = result[..., :-step], result[..., step:]
            (combined,) = region_values(interpreter, block, pair)
            result = np.concatenate([result[..., :step], combined], axis=-1)
            step *= 2
        return result
    for at in range(1, row.shape[-1]):
        pair = result[..., at - 1], row[..., at]
        (result[..., at],) = region_values(interpreter, block, pair)
    return result


def _places(
    count: int, shape: tuple[int, ...], before: Callable[[slice, slice], Array], order: Array
) -> Array:
    """For each element along the last axis of `shape`, how many come before it.

    `before(a, b)` compares the elements in two ranges as a grid, a in the second last dimension
    and b in the last; where it says the same both ways, `order` decides.
    """
    places = np.zeros(shape, np.int64)
    lanes = int(np.prod(shape[:-1], dtype=np.int64))
    block = max(1, structured.BLOCK_POINTS // max(1, count * lanes))
    everything = slice(0, count)
    for start in range(0, count, block):
        some = slice(start, min(start + block, count))
        comes, follows = before(everything, some), np.swapaxes(before(some, everything), -1, -2)
        is_first = order[..., :, None] < order[..., None, some]
        places[..., some] = np.sum(np.where(comes == follows, is_first, comes), axis=-2)
    if not np.array_equal(np.sort(places, axis=-1), np.broadcast_to(np.arange(count), shape)):
        raise InputError("the comparator is no strict weak order on these values; are there NaNs?")
    return places


def _run_sort(interpreter: ReferenceInterpreter, op: Operation, args: PythonValues) -> PythonValues:
    """The operands reordered along a dimension so that the comparator holds left to right."""
    (dimension,) = integers(op, "dimension")
    rows: list[Array] = [np.moveaxis(value, dimension, -1) for value in args]
    shape = rows[0].shape
    block = op.regions[0].block

    def before(left: slice, right: slice) -> Array:
        pairs = [
            operand
            for row in rows
            for operand in (row[..., left][..., :, None], row[..., right][..., None, :])
        ]
        (holds,) = region_values(interpreter, block, tuple(pairs))
        grid = (*shape[:-1], left.stop - left.start, right.stop - right.start)
        return np.broadcast_to(holds, grid)

    count = int(shape[-1])
    order: Array = np.array(np.broadcast_to(np.arange(count), shape))
    places = _places(count, shape, before, order)
    return tuple(_moved_to(places, row, dimension) for row in rows)


def _moved_to(places: Array, row: Array, dimension: int) -> Array:
    moved = np.empty_like(row)
    np.put_along_axis(moved, places, row, axis=-1)
    return np.ascontiguousarray(np.moveaxis(moved, -1, dimension))


def _run_topk(interpreter: ReferenceInterpreter, op: Operation, args: PythonValues) -> PythonValues:
    """The first K of the inputs and of what the outputs hold; equal ones by their index."""
    (dimension,) = integers(op, "dimension")
    rows: list[Array] = [np.moveaxis(value, dimension, -1) for value in args]
    values, *given, kept, kept_indices = rows
    indices = given[0] if given else _positions(values, kept_indices)
    row = np.concatenate([kept, values], axis=-1)
    row_indices = np.concatenate([kept_indices, indices], axis=-1)
    # Of two with one index, what the output held stays.
    order = np.argsort(np.argsort(row_indices, axis=-1, kind="stable"), axis=-1)
    return _first(interpreter, op, (row, row_indices), order, kept.shape[-1])


def _run_topk_v2(
    interpreter: ReferenceInterpreter, op: Operation, args: PythonValues
) -> PythonValues:
    """The first K of the inputs, in the comparator's order; equal ones as they stand."""
    (dimension,) = integers(op, "dimension")
    _, given, _, with_indices = integers(op, "operandSegmentSizes")
    rows: list[Array] = [np.moveaxis(value, dimension, -1) for value in args]
    values, size = rows[0], rows[1 + given].shape[-1]
    columns = [values]
    if with_indices:
        columns.append(rows[1] if given else _positions(values, rows[-1]))
    return _first(interpreter, op, columns, _positions(values, np.empty(0, np.int64)), size)


def _positions(values: Array, like: Array) -> Array:
    """Where along the last axis each of `values` stands, in the type of `like`."""
    return np.broadcast_to(np.arange(values.shape[-1], dtype=like.dtype), values.shape)


def _first(
    interpreter: ReferenceInterpreter,
    op: Operation,
    columns: Sequence[Array],
    order: Array,
    size: int,
) -> PythonValues:
    """The first `size` of each of `columns`, in the order of the first; equal ones by `order`."""
    (dimension,) = integers(op, "dimension")
    row, block = columns[0], op.regions[0].block

    def before(left: slice, right: slice) -> Array:
        pair = row[..., left][..., :, None], row[..., right][..., None, :]
        (holds,) = region_values(interpreter, block, pair)
        return holds

    places = _places(row.shape[-1], row.shape, before, order)
    best = (_moved_to(places, column, -1)[..., :size] for column in columns)
    return tuple(np.ascontiguousarray(np.moveaxis(x, -1, dimension)) for x in best)


def _run_arg_compare(
    interpreter: ReferenceInterpreter, op: Operation, args: PythonValues
) -> PythonValues:
    """The element that the region prefers to what the output holds and to those before it."""
    (dimension,) = integers(op, "dimension")
    _, given, _, _, based = integers(op, "operandSegmentSizes")
    values: Array = np.moveaxis(args[0], dimension, -1)
    best, where = (np.array(held) for held in args[1 + given : 3 + given])
    base = int(args[-1]) if based else 0
    indices = np.moveaxis(args[1], dimension, -1) if given else _positions(values, where) + base
    for at in range(values.shape[-1]):
        (preferred,) = region_values(interpreter, op.regions[0].block, (values[..., at], best))
        best = np.where(preferred, values[..., at], best)
        where = np.where(preferred, indices[..., at], where).astype(where.dtype)
    return best, where


BY_NAME: dict[str, NamedEvaluation] = {
    "iree_linalg_ext.arg_compare": _run_arg_compare,
    "iree_linalg_ext.scan": _run_scan,
    "iree_linalg_ext.sort": _run_sort,
    "iree_linalg_ext.topk": _run_topk,
    "iree_linalg_ext.topk_v2": _run_topk_v2,
}
