"""`iree_linalg_ext.attention`: softmax(Q K scale + mask) V, as IREE decomposes it.

The scale is applied to Q in Q's type (after the product for 8-bit types), scores and softmax are
f32, and the probabilities are rounded to V's type before the second product. IREE takes powers of
two where this takes exponentials; results agree to a few ulp of f32.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap

from ...dialects.diagnostics import fail
from .affine_maps import operand_view, used_dims
from .attributes import indexing_maps
from .contraction import Contraction, contract, plan_contraction
from .layout import placer
from .program import Compiler, Env, Lowering
from .regions import RegionFunction, region_function
from .types import Array, dtype_of, element_type


@dataclass(frozen=True, slots=True)
class _Loops:
    """The loops of an attention op."""

    count: int
    scores: Contraction
    """Q K, summed over loops of theirs alone."""
    result: Contraction
    """Probabilities times V, summed over the keys."""
    keys: tuple[int, ...]
    """The loops that softmax runs along."""


def _loops(op: Operation, maps: Sequence[AffineMap]) -> _Loops:
    query, key, value, output = (used_dims(maps[at]) for at in (0, 1, 2, -1))
    rank = maps[0].num_dims
    keys = tuple(sorted((key & value) - output))
    summed = (query & key) - output - value
    score_loops = (query | key) - summed
    wide = np.dtype(np.float32)
    scores = plan_contraction(query, key, [loop not in summed for loop in range(rank)], wide)
    result = plan_contraction(score_loops, value, [loop not in keys for loop in range(rank)], wide)
    if scores is None or result is None:
        fail(op, "has indexing maps that are no attention's; not supported")
    return _Loops(rank, scores, result, keys)


def lower_attention(compiler: Compiler, op: Operation) -> None:
    """See the module's text."""
    maps = indexing_maps(op)
    assert maps is not None
    loops = _loops(op, maps)
    query, key, value, scale, *mask, output = compiler.slots(op.operands)
    views = [operand_view(affine_map) for affine_map in maps]
    function = region_function(compiler, op.regions[0].block)
    sources = _extent_sources(op, maps)
    axes = [next(iter(result.used_dims()), None) for result in maps[-1].results]
    place = placer(loops.count, tuple(axes))
    dtype = dtype_of(element_type(op.results[0].type))
    masks = element_type(op.operands[4].type) if mask else None
    result = compiler.slot(op.results[0])

    def step(env: Env) -> None:
        arrays = [env[slot] for slot in (query, key, value)]
        extents = tuple(arrays[operand].shape[axis] for operand, axis in sources)
        q, k, v = (view(array, extents) for view, array in zip(views, arrays, strict=False))
        scores = _scores(env, loops, extents, q, k, env[scale], function)
        if mask:
            scores = scores + _addend(views[4](env[mask[0]], extents), masks)
        powers = np.exp(scores - np.max(scores, axis=loops.keys, keepdims=True))
        weights = powers / np.sum(powers, axis=loops.keys, keepdims=True)
        weights = weights.astype(v.dtype).astype(np.float32)
        zero = np.zeros((1,) * loops.count, np.float32)
        total = contract(loops.result, weights, v.astype(np.float32), zero, np.add, extents)
        kept = {axis for axis in axes if axis is not None}
        space = tuple(extents[loop] if loop in kept else 1 for loop in range(loops.count))
        env[result] = place(total.astype(dtype), space)

    compiler.emit(step, (query, key, value, scale, *mask, output, *function.captured), (result,))


def _scores(
    env: Env,
    loops: _Loops,
    extents: tuple[int, ...],
    q: Array,
    k: Array,
    scale: Any,
    function: RegionFunction,
) -> Array:
    """The scaled product of Q and K, after the op's region, in f32."""
    late = q.dtype.itemsize == 1
    if not late:
        q = np.multiply(q, q.dtype.type(scale))
    zero = np.zeros((1,) * loops.count, np.float32)
    q, k = q.astype(np.float32), k.astype(np.float32)
    scores = function(env, contract(loops.scores, q, k, zero, np.add, extents))[0]
    return np.multiply(scores, np.float32(scale)) if late else scores


def _addend(mask: Array, kind: Any) -> Array:
    """What a mask adds to the scores: a float itself, a true bit nothing, a false one -inf."""
    if isinstance(kind, IntegerType):
        kept = np.not_equal(np.bitwise_and(mask, 1), 0)
        return np.where(kept, np.float32(0), np.float32(-np.inf))
    return mask.astype(np.float32)


def _extent_sources(op: Operation, maps: Sequence[AffineMap]) -> list[tuple[int, int]]:
    """For each loop an operand and a dimension of it that has the loop's extent."""
    found: dict[int, tuple[int, int]] = {}
    for operand, affine_map in enumerate(maps[:3]):
        for axis, result in enumerate(affine_map.results):
            for loop in result.used_dims():
                found.setdefault(loop, (operand, axis))
    missing = [loop for loop in range(maps[0].num_dims) if loop not in found]
    if missing:
        fail(op, f"expected an operand with a dimension for loop d{missing[0]} alone")
    return [found[loop] for loop in range(maps[0].num_dims)]


ATTENTION_LOWERINGS: dict[str, Lowering] = {"iree_linalg_ext.attention": lower_attention}
"""By op name."""
