"""Indexed and prefix ops of iree_linalg_ext: gather, scatter, scan, fft.

Gather and scatter move slices between a tensor and a batch: batch dimensions come first, then
those of the slice, which are the tensor's last. An index of depth d has one number for each of d
dimensions, `dimension_map` says which.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import Block, Operation, OpResult

from ...dialects.diagnostics import fail
from .affine_maps import check_indices
from .attributes import attribute, integers
from .ordering import span
from .program import Compiler, Env, Lowering
from .reduction import combine_function
from .regions import region_function
from .tensors import emit_checked
from .types import NARROW_FLOATS, Array, dtype_of


def batch_indices(
    indices: Array, dimension_map: Sequence[int], shape: tuple[int, ...], batch_rank: int
) -> tuple[Array, ...]:
    """For each leading dimension the index of every batch element, checked against `shape`."""
    numbers = indices if indices.ndim > batch_rank else indices[..., np.newaxis]
    places = [numbers[..., dimension_map.index(axis)] for axis in range(len(dimension_map))]
    check_indices(places, shape[: len(dimension_map)])
    return tuple(places)


def _dimension_map(op: Operation) -> tuple[int, ...]:
    """The dimension map, which must permute the leading dimensions."""
    found = integers(op, "dimension_map", ())
    if sorted(found) != list(range(len(found))):
        fail(op, f"expected a dimension map that permutes the first dimensions, got {list(found)}")
    return found


def lower_gather(compiler: Compiler, op: Operation) -> None:
    """`iree_linalg_ext.gather`; where the mask is false the output keeps its value."""
    source, indices, *mask, output = compiler.slots(op.operands)
    result = compiler.slot(op.results[0])
    dimension_map = _dimension_map(op)

    def step(env: Env) -> None:
        tensor, numbers = env[source], env[indices]
        batch = env[output].ndim - (tensor.ndim - len(dimension_map))
        kept = _as_mask(env[mask[0]]) if mask else None
        if kept is not None:
            numbers = np.where(_spread(kept, numbers.ndim), numbers, 0)
        found: Array = tensor[batch_indices(numbers, dimension_map, tensor.shape, batch)]
        if kept is not None:
            found = np.where(_spread(kept, found.ndim), found, env[output])
        env[result] = found

    emit_checked(compiler, op, step, (source, indices, *mask, output))


def _spread(array: Array, rank: int) -> Array:
    """`array` with axes of extent 1 added at its end, up to `rank`."""
    return array.reshape(array.shape + (1,) * (rank - array.ndim))


def _as_mask(mask: Array) -> Array:
    return np.not_equal(mask, 0)


def lower_scatter(compiler: Compiler, op: Operation) -> None:
    """`iree_linalg_ext.scatter`: updates in order of the batch; the region combines with the old.

    Sums, products, extrema go to numpy's unbuffered form; where the region yields the update the
    last one wins; other regions run once for each time that some element is met again.
    """
    updates, indices, *mask, original = compiler.slots(op.operands)
    result = compiler.slot(op.results[0])
    dimension_map = _dimension_map(op)
    depth = len(dimension_map)
    block = op.regions[0].block
    function = region_function(compiler, block)
    ufunc, overwrites = _scatter_ufunc(block), _yields_update(block)

    def step(env: Env) -> None:
        tensor, values, numbers = env[original], env[updates], env[indices]
        batch = values.ndim - (tensor.ndim - depth)
        if mask:
            kept = _as_mask(env[mask[0]])
            values, numbers, batch = values[kept], numbers[kept], 1
        places = batch_indices(numbers, dimension_map, tensor.shape, batch)
        leading = tensor.shape[:depth]
        at = np.ravel_multi_index(places, leading).reshape(-1)
        updated = np.array(tensor).reshape(prod(leading), -1)
        rows = values.reshape(len(at), -1)
        if overwrites:
            updated[at] = rows
        elif ufunc is not None:
            ufunc.at(updated, at, rows)
        else:
            for some in rounds(at):
                updated[at[some]] = function(env, rows[some], updated[at[some]])[0]
        env[result] = updated.reshape(tensor.shape)

    operands = (updates, indices, *mask, original, *function.captured)
    emit_checked(compiler, op, step, operands)


def _yields_update(block: Block) -> bool:
    assert block.last_op is not None
    return block.last_op.operands[0] is block.args[0]


def _combiner(block: Block) -> Operation | None:
    """The op that combines a region's two arguments to what it yields, in either order."""
    assert block.last_op is not None
    yielded = block.last_op.operands[0]
    if not isinstance(yielded, OpResult) or combine_function(yielded.op) is None:
        return None
    arguments = set(yielded.op.operands)
    return yielded.op if arguments == set(block.args) else None


def _scatter_ufunc(block: Block) -> np.ufunc | None:
    """The ufunc of a combining region, where unbuffered numpy rounds and wraps as MLIR does."""
    op = _combiner(block)
    function = None if op is None else combine_function(op)
    kind = dtype_of(block.args[0].type)
    if not isinstance(function, np.ufunc) or (kind in NARROW_FLOATS and kind != np.float16):
        return None
    return function


def rounds(keys: Array) -> list[Array]:
    """Positions of `keys` in groups: the first of each key, then the second of each, and so on."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    fresh = np.ones(len(keys), bool)
    fresh[1:] = ordered[1:] != ordered[:-1]
    starts = np.maximum.accumulate(np.where(fresh, np.arange(len(keys)), 0))
    repeats = np.arange(len(keys)) - starts
    count = int(repeats.max(initial=-1)) + 1
    by_repeat = np.argsort(repeats, kind="stable")
    bounds = np.searchsorted(repeats[by_repeat], np.arange(count + 1))
    return [order[by_repeat[bounds[at] : bounds[at + 1]]] for at in range(count)]


def lower_scan(compiler: Compiler, op: Operation) -> None:
    """`iree_linalg_ext.scan`: running combination, inclusive, or exclusive from the accumulator.

    The accumulator's new value is the last output; along one element it stays as it was.
    """
    source, _, accumulator = compiler.slots(op.operands)
    results = compiler.slots(op.results)
    axis_attribute: Any = attribute(op, "dimension")
    inclusive_attribute: Any = attribute(op, "inclusive")
    axis, inclusive = axis_attribute.value.data, bool(inclusive_attribute.value.data)
    block = op.regions[0].block
    function = region_function(compiler, block)
    combiner = _combiner(block)
    ufunc = None if combiner is None else combine_function(combiner)

    def step(env: Env) -> None:
        values, total = env[source], np.expand_dims(env[accumulator], axis)
        if not inclusive:
            values = span(np.concatenate([total, values], axis), axis, 0, values.shape[axis])
        if isinstance(ufunc, np.ufunc):
            output = ufunc.accumulate(values, axis=axis, dtype=values.dtype)
        else:
            output = _accumulate(env, values, axis)
        last = span(output, axis, -1, None) if values.shape[axis] > 1 else total
        env[results[0]] = output
        if len(results) > 1:
            env[results[1]] = np.squeeze(last, axis)

    def _accumulate(env: Env, values: Array, axis: int) -> Array:
        output = np.array(np.moveaxis(values, axis, 0))
        for at in range(1, len(output)):
            output[at] = function(env, output[at - 1], output[at])[0]
        return np.moveaxis(output, 0, axis)

    compiler.emit(step, (source, accumulator, *function.captured), results)


def lower_fft(compiler: Compiler, op: Operation) -> None:
    """`iree_linalg_ext.fft`: one stage of butterflies along the last dimension."""
    stage, *factors, real, imaginary = compiler.slots(op.operands)
    results = compiler.slots(op.results)

    def step(env: Env) -> None:
        half = (1 << int(env[stage])) >> 1
        x, y = env[real], env[imaginary]
        shape = (*x.shape[:-1], -1, 2, half)
        x, y = x.reshape(shape), y.reshape(shape)
        if factors:
            wx, wy = (env[slot] for slot in factors)
        else:
            turn = x.dtype.type(-2 * np.pi) / x.dtype.type(2 * half)
            angles = turn * np.arange(half).astype(x.dtype)
            wx, wy = np.cos(angles), np.sin(angles)
        ux, uy, vx, vy = x[..., 0, :], y[..., 0, :], x[..., 1, :], y[..., 1, :]
        tx, ty = wx * vx - wy * vy, wx * vy + wy * vx
        env[results[0]] = np.stack([ux + tx, ux - tx], -2).reshape(env[real].shape)
        env[results[1]] = np.stack([uy + ty, uy - ty], -2).reshape(env[real].shape)

    emit_checked(compiler, op, step, (stage, *factors, real, imaginary))


INDEXED_LOWERINGS: dict[str, Lowering] = {
    "iree_linalg_ext.fft": lower_fft,
    "iree_linalg_ext.gather": lower_gather,
    "iree_linalg_ext.scan": lower_scan,
    "iree_linalg_ext.scatter": lower_scatter,
}
"""By op name."""
