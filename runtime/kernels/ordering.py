"""Orders by a comparator region: whole-array sorting and selection.

A comparator that compares its first pair of arguments is left to numpy's stable sort; any other
is evaluated on whole arrays by Batcher's sorting network. Elements that a comparator calls equal
keep their order.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import Block, BlockArgument, OpResult

from .program import Env
from .types import NARROW_FLOATS, Array, as_unsigned, element_type

Before = Callable[[Sequence[Array], Sequence[Array]], Array]
"""Whether elements (by key) stand before others."""

_FLOAT_DESCENDING = (2, 3, 9, 10)
_FLOAT_ASCENDING = (4, 5, 11, 12)
_INTEGER_ASCENDING = (2, 3, 6, 7)
_INTEGER_DESCENDING = (4, 5, 8, 9)


@dataclass(frozen=True, slots=True)
class KeyOrder:
    """The order that a comparator of one comparison makes."""

    key: int
    """Which of the sorted arrays is compared."""
    descending: bool
    unsigned: bool


def key_order(block: Block) -> KeyOrder | None:
    """The order of a comparator that only compares two of its arguments; else None."""
    assert block.last_op is not None
    (yielded,) = block.last_op.operands
    if not isinstance(yielded, OpResult):
        return None
    op = yielded.op
    if not isinstance(op, arith.CmpiOp | arith.CmpfOp):
        return None
    left, right = op.lhs, op.rhs
    if not (isinstance(left, BlockArgument) and isinstance(right, BlockArgument)):
        return None
    first, second = sorted((left.index, right.index))
    if left.block is not block or right.block is not block or first % 2 or second != first + 1:
        return None
    return _order(op, first // 2, swapped=left.index > right.index)


def _order(op: arith.CmpiOp | arith.CmpfOp, key: int, swapped: bool) -> KeyOrder | None:
    predicate = op.predicate.value.data
    if isinstance(op, arith.CmpfOp):
        ascending, descending = _FLOAT_ASCENDING, _FLOAT_DESCENDING
    else:
        ascending, descending = _INTEGER_ASCENDING, _INTEGER_DESCENDING
    if predicate not in (*ascending, *descending):
        return None
    unsigned = isinstance(op, arith.CmpiOp) and predicate >= 6
    return KeyOrder(key, (predicate in descending) != swapped, unsigned)


def order_by_key(order: KeyOrder, key: Array, kind: Any, axis: int) -> Array:
    """Positions along `axis` in sorted order."""
    if order.unsigned:
        key = as_unsigned(key, element_type(kind))
    elif key.dtype == np.bool_:
        key = ~key  # as a signed number, i1's true is less
    elif key.dtype in NARROW_FLOATS:
        key = key.astype(np.float32)
    if not order.descending:
        return np.argsort(key, axis=axis, kind="stable")
    backwards = np.argsort(np.flip(key, axis), axis=axis, kind="stable")
    return key.shape[axis] - 1 - np.flip(backwards, axis)


def order_by_network(before: Before, keys: Sequence[Array], axis: int) -> Array:
    """Positions along `axis` in the order of a comparator, by a network of exchanges."""
    moved: list[Array] = [np.moveaxis(key, axis, -1) for key in keys]
    count = moved[0].shape[-1]
    size = 1 << max(count - 1, 0).bit_length()
    positions: Array = np.empty((*moved[0].shape[:-1], size), np.int64)
    positions[...] = np.arange(size)

    def elements(at: Array) -> list[Array]:
        inside = np.minimum(at, count - 1)
        return [np.take_along_axis(key, inside, -1) for key in moved]

    for first, second in exchanges(size) if count else ():
        low, high = positions[..., first], positions[..., second]
        left, right = elements(low), elements(high)
        ahead, behind = before(left, right), before(right, left)
        swap = np.where(ahead == behind, high < low, behind)
        swap = np.where(np.maximum(low, high) >= count, high < low, swap)
        positions[..., first] = np.where(swap, high, low)
        positions[..., second] = np.where(swap, low, high)
    return np.moveaxis(positions[..., :count], -1, axis)


def exchanges(size: int) -> Iterator[tuple[Array, Array]]:
    """Batcher's odd-even merge sort of `size` (a power of two): pairs exchanged at once."""
    places = np.arange(size)
    block = 1
    while block < size:
        step = block
        while step >= 1:
            starts = places[step % block :]
            pairs = starts[(starts - step % block) % (2 * step) < step]
            pairs = pairs[pairs + step < size]
            same = pairs // (2 * block) == (pairs + step) // (2 * block)
            yield pairs[same], pairs[same] + step
            step //= 2
        block *= 2


def best_along(
    better: Callable[[Array, Array], Array], columns: Sequence[Array], axis: int
) -> list[Array]:
    """The element along `axis` that is better than all before it and as good as all after it.

    `columns` are arrays chosen together, the first of which is compared; `better(x, y)` is
    whether x replaces an earlier y. It must be a strict weak order.
    """
    chosen = [np.moveaxis(column, axis, -1) for column in columns]
    while (count := chosen[0].shape[-1]) > 1:
        half = count // 2
        even = [column[..., 0 : 2 * half : 2] for column in chosen]
        odd = [column[..., 1 : 2 * half : 2] for column in chosen]
        replaces = better(odd[0], even[0])
        chosen = [
            np.concatenate([np.where(replaces, b, a), column[..., 2 * half :]], -1)
            for a, b, column in zip(even, odd, chosen, strict=True)
        ]
    return [np.moveaxis(column, -1, axis) for column in chosen]


def span(array: Array, axis: int, start: int | None, stop: int | None) -> Array:
    """Positions start … stop - 1 along `axis`, as a slice."""
    return array[(slice(None),) * axis + (slice(start, stop),)]


def comparator(function: Callable[..., list[Any]], env: Env) -> Before:
    """A comparator region, whose arguments are pairs (left, right) for each array."""

    def before(left: Sequence[Array], right: Sequence[Array]) -> Array:
        pairs = [value for pair in zip(left, right, strict=True) for value in pair]
        return np.broadcast_to(function(env, *pairs)[0], left[0].shape)

    return before
