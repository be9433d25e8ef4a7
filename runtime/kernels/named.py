"""The linalg dialect: generic ops, and named ops as structured ops or as one call of numpy."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import GenericOp, IndexOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from ...dialects.diagnostics import fail
from .attributes import attribute, indexing_maps, integers, is_parallel, parallel_loops
from .builders import (
    Body,
    RegionBuilder,
    destination,
    letter_maps,
    make_structured,
    multiply_accumulate,
    quantized_multiply_accumulate,
)
from .elementwise_kinds import ELEMENTWISE_KINDS
from .layout import Structured
from .program import Compiler, Env, Lowering
from .reduction import sum_along
from .regions import lower_index
from .structured import lower_structured
from .types import dtype_of, element_type
from .windows import convolution, pooling


def lower_generic(compiler: Compiler, op: Operation) -> None:
    """`linalg.generic`."""
    maps = indexing_maps(op)
    assert maps is not None
    inputs, outputs = destination(op)
    block = op.regions[0].block
    lower_structured(compiler, Structured(op, maps, parallel_loops(op), inputs, outputs, block))


def lower_with_region(compiler: Compiler, op: LinalgStructuredOperation) -> None:
    """A named op for which xDSL has the region."""
    maps = tuple(item.data for item in op.get_indexing_maps())
    parallel = tuple(is_parallel(item) for item in op.get_iterator_types())
    inputs, outputs = destination(op)
    lower_structured(compiler, Structured(op, maps, parallel, inputs, outputs, op.body.block))


def lower_fill(compiler: Compiler, op: Operation) -> None:
    """`linalg.fill`: one element of stride 0."""
    (source,), (output,) = destination(op)
    value, out, result = compiler.slots((source, output, op.results[0]))
    dtype = dtype_of(element_type(output.type))

    def step(env: Env) -> None:
        env[result] = np.broadcast_to(np.asarray(env[value], dtype), env[out].shape)

    compiler.emit(step, (value, out), (result,))


def lower_copy(compiler: Compiler, op: Operation) -> None:
    """`linalg.copy`."""
    maps, parallel = _same_shape(op, 2)
    lower_structured(compiler, make_structured(op, maps, parallel, _cast_first))


def _cast_first(build: RegionBuilder, values: Sequence[SSAValue]) -> SSAValue:
    return build.cast(values[0], values[-1].type)


def lower_transpose(compiler: Compiler, op: Operation) -> None:
    """`linalg.transpose`: a view."""
    (source,), _ = destination(op)
    array, result = compiler.slots((source, op.results[0]))
    permutation = integers(op, "permutation", ())

    def step(env: Env) -> None:
        env[result] = env[array].transpose(permutation)

    compiler.emit(step, (array,), (result,))


def lower_broadcast(compiler: Compiler, op: Operation) -> None:
    """`linalg.broadcast`: a view with stride 0 along the added dimensions."""
    (source,), (output,) = destination(op)
    array, out, result = compiler.slots((source, output, op.results[0]))
    added = integers(op, "dimensions", ())

    def step(env: Env) -> None:
        spread = np.expand_dims(np.asarray(env[array]), added)
        env[result] = np.broadcast_to(spread, env[out].shape)

    compiler.emit(step, (array, out), (result,))


def lower_reduce(compiler: Compiler, op: Operation) -> None:
    """`linalg.reduce`."""
    count = len(op.results)
    inputs, outputs = tuple(op.operands[:count]), tuple(op.operands[count:])
    rank = _rank(inputs[0])
    reduced = integers(op, "dimensions", ())
    kept = tuple(AffineDimExpr(loop) for loop in range(rank) if loop not in reduced)
    maps = (AffineMap.identity(rank),) * count + (AffineMap(rank, 0, kept),) * count
    parallel = tuple(loop not in reduced for loop in range(rank))
    block = op.regions[0].block
    lower_structured(compiler, Structured(op, maps, parallel, inputs, outputs, block))


def lower_map(compiler: Compiler, op: Operation) -> None:
    """`linalg.map`, whose region has an argument for the output or not."""
    inputs, outputs = destination(op)
    maps, parallel = _same_shape(op, len(op.operands))
    block = op.regions[0].block
    if len(block.args) == len(inputs):
        block = op.regions[0].clone().block
        block.insert_arg(element_type(outputs[0].type), len(inputs))
    lower_structured(compiler, Structured(op, maps, parallel, inputs, outputs, block))


def _rank(value: SSAValue) -> int:
    kind: Any = value.type
    return len(kind.get_shape())


def _same_shape(op: Operation, count: int) -> tuple[tuple[AffineMap, ...], tuple[bool, ...]]:
    """Identity maps and parallel loops; scalar operands broadcast."""
    rank = _rank(op.results[0])
    maps = tuple(
        AffineMap.identity(rank) if isinstance(value.type, ShapedType) else AffineMap(rank, 0, ())
        for value in op.operands[:count]
    )
    return maps, (True,) * rank


def _contraction(*letters: str, body: Body = multiply_accumulate) -> Lowering:
    """A product of the named operands; the op's own maps, where it has them, win."""

    def lower(compiler: Compiler, op: Operation) -> None:
        _, maps, parallel = letter_maps(letters)
        if (own := indexing_maps(op)) is not None:
            maps = own
            parallel = _parallel_of(own)
        unsigned = "cast_unsigned" in str(attribute(op, "cast") or "")
        lower_structured(compiler, make_structured(op, maps, parallel, body, unsigned))

    return lower


def _parallel_of(maps: Sequence[AffineMap]) -> tuple[bool, ...]:
    """Loops that the output's map uses are parallel."""
    output = maps[-1]
    used = {dim for result in output.results for dim in result.used_dims()}
    return tuple(loop in used for loop in range(output.num_dims))


def lower_contract(compiler: Compiler, op: Operation) -> None:
    """`linalg.contract`: a product by its own maps."""
    maps = indexing_maps(op)
    assert maps is not None
    structured = make_structured(op, maps, _parallel_of(maps), multiply_accumulate)
    lower_structured(compiler, structured)


_CONTRACTIONS: dict[str, Lowering] = {
    "linalg.matmul": _contraction("mk", "kn", "mn"),
    "linalg.matmul_transpose_a": _contraction("km", "kn", "mn"),
    "linalg.matmul_transpose_b": _contraction("mk", "nk", "mn"),
    "linalg.batch_matmul": _contraction("bmk", "bkn", "bmn"),
    "linalg.batch_matmul_transpose_a": _contraction("bkm", "bkn", "bmn"),
    "linalg.batch_matmul_transpose_b": _contraction("bmk", "bnk", "bmn"),
    "linalg.batch_reduce_matmul": _contraction("bmk", "bkn", "mn"),
    "linalg.matvec": _contraction("mk", "k", "m"),
    "linalg.vecmat": _contraction("k", "kn", "n"),
    "linalg.batch_matvec": _contraction("bmk", "bk", "bm"),
    "linalg.batch_vecmat": _contraction("bk", "bkn", "bn"),
    "linalg.dot": _contraction("k", "k", ""),
    "linalg.mmt4d": _contraction("mkac", "nkbc", "mnab"),
    "linalg.batch_mmt4d": _contraction("zmkac", "znkbc", "zmnab"),
    "linalg.quantized_matmul": _contraction(
        "mk", "kn", "", "", "mn", body=quantized_multiply_accumulate
    ),
    "linalg.quantized_batch_matmul": _contraction(
        "bmk", "bkn", "", "", "bmn", body=quantized_multiply_accumulate
    ),
    "linalg.contract": lower_contract,
}


def lower_by_name(compiler: Compiler, op: Operation) -> bool:
    """Compile an op whose name says its layout, or that xDSL has a region for; whether it did."""
    structured = convolution(op) or pooling(op)
    if structured is not None:
        lower_structured(compiler, structured)
        return True
    if isinstance(op, LinalgStructuredOperation) and op.body.blocks:
        lower_with_region(compiler, op)
        return True
    return False


def lower_elementwise(compiler: Compiler, op: Operation) -> None:
    """`linalg.elementwise`: one scalar operation by its kind, operands by their maps."""
    kind = str(attribute(op, "kind")).rpartition("<")[2].rstrip("> ")
    body = ELEMENTWISE_KINDS.get(kind)
    if body is None:
        fail(op, f"of kind {kind} is not supported in a dispatch body")
    maps = indexing_maps(op) or _same_shape(op, len(op.operands))[0]
    structured = make_structured(op, maps, (True,) * maps[-1].num_dims, body)
    lower_structured(compiler, structured)


def lower_softmax(compiler: Compiler, op: Operation) -> None:
    """`linalg.softmax`: exp(x - max) over its sum, rounded to the type after each step."""
    (source,), _ = destination(op)
    array, result = compiler.slots((source, op.results[0]))
    dimension: Any = attribute(op, "dimension")
    axis = dimension.value.data

    def step(env: Env) -> None:
        values = env[array]
        powers = np.exp(np.subtract(values, np.max(values, axis=axis, keepdims=True)))
        env[result] = np.divide(powers, sum_along(powers, axis))

    compiler.emit(step, (array,), (result,))


LINALG_LOWERINGS: dict[str, Lowering] = {
    **_CONTRACTIONS,
    GenericOp.name: lower_generic,
    "linalg.broadcast": lower_broadcast,
    "linalg.copy": lower_copy,
    "linalg.elementwise": lower_elementwise,
    "linalg.fill": lower_fill,
    IndexOp.name: lower_index,
    "linalg.map": lower_map,
    "linalg.reduce": lower_reduce,
    "linalg.softmax": lower_softmax,
    "linalg.transpose": lower_transpose,
}
"""By op name."""
