"""linalg on tensors: generic, the named ops that dispatches keep, and softmax.

Contractions with operands of another type than the result widen them first, as linalg does.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects import complex as complex_
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    ComplexType,
    IntegerType,
    TensorType,
)
from xdsl.dialects.linalg import Linalg
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.hints import isa

from ..element_types import Array, InputError
from .interpreter import NamedEvaluation, ReferenceInterpreter
from .structured import Structured, evaluate
from .values import inherent, integers, op_name

_CONTRACTIONS = {
    "linalg.matmul": ("mk", "kn", "mn"),
    "linalg.batch_matmul": ("bmk", "bkn", "bmn"),
    "linalg.batch_reduce_matmul": ("bmk", "bkn", "mn"),
    "linalg.matvec": ("mk", "k", "m"),
    "linalg.vecmat": ("k", "kn", "n"),
    "linalg.batch_matvec": ("bmk", "bk", "bm"),
    "linalg.batch_vecmat": ("bk", "bkn", "bn"),
    "linalg.dot": ("k", "k", ""),
    "linalg.mmt4d": ("mkxz", "nkyz", "mnxy"),
    "linalg.batch_mmt4d": ("bmkxz", "bnkyz", "bmnxy"),
}
"""The loops that index each operand; those not in the last one are summed over."""


@register_impls
class ReferenceLinalg(InterpreterFunctions):
    """linalg.index, broadcast and reduce; `BY_NAME` has the rest."""

    @impl(linalg.IndexOp)
    def run_index(
        self, interpreter: Interpreter, op: linalg.IndexOp, _: PythonValues
    ) -> PythonValues:
        """The index of one loop at every point."""
        assert isinstance(interpreter, ReferenceInterpreter)
        if not interpreter.index_grids:
            raise InputError("not inside of a structured op")
        (loop,) = integers(op, "dim")
        return (interpreter.index_grids[-1][loop],)

    @impl(linalg.BroadcastOp)
    def run_broadcast(
        self, _: Interpreter, op: linalg.BroadcastOp, args: PythonValues
    ) -> PythonValues:
        """The input repeated along new dimensions."""
        values: Array = args[0]
        target: Array = args[1]
        spread = np.expand_dims(values, tuple(integers(op, "dimensions")))
        return (np.array(np.broadcast_to(spread, target.shape)),)

    @impl(linalg.ReduceOp)
    def run_reduce(
        self, interpreter: Interpreter, op: linalg.ReduceOp, args: PythonValues
    ) -> PythonValues:
        """The input folded along dimensions with the combiner of the region."""
        assert isinstance(interpreter, ReferenceInterpreter)
        reduced = set(integers(op, "dimensions"))
        rank = np.ndim(args[0])
        kept = [AffineDimExpr(loop) for loop in range(rank) if loop not in reduced]
        maps = [AffineMap.identity(rank), AffineMap(rank, 0, tuple(kept))]
        is_reduction = [loop in reduced for loop in range(rank)]
        work = Structured(maps, is_reduction, op.region.block, args[:1], args[1:])
        return evaluate(interpreter, work)


def _run_structured(
    interpreter: ReferenceInterpreter, op: Operation, args: PythonValues
) -> PythonValues:
    op = cast(LinalgStructuredOperation, op)
    maps = [attribute.data for attribute in op.get_indexing_maps()]
    is_reduction = [kind.data is IteratorType.REDUCTION for kind in op.get_iterator_types()]
    inputs = len(op.inputs)
    work = Structured(maps, is_reduction, op.body.block, args[:inputs], args[inputs:])
    return evaluate(interpreter, work)


def _run_contraction(
    interpreter: ReferenceInterpreter, op: Operation, args: PythonValues
) -> PythonValues:
    loops_of = _CONTRACTIONS[op_name(op)]
    loops = sorted(set("".join(loops_of)), key=(loops_of[2] + loops_of[0]).index)
    given = inherent(op, "indexing_maps")
    maps = [
        AffineMap(len(loops), 0, tuple(AffineDimExpr(loops.index(loop)) for loop in letters))
        for letters in loops_of
    ]
    if isinstance(given, ArrayAttr):
        # Transposed or broadcast operands; the loops are the same.
        maps = [cast(AffineMapAttr, map_).data for map_ in cast(Sequence[Attribute], given.data)]
    is_reduction = [loop not in loops_of[2] for loop in loops]
    body = _multiply_and_add([_element_type(operand) for operand in op.operands], _is_unsigned(op))
    return evaluate(interpreter, Structured(maps, is_reduction, body, args[:2], args[2:]))


def _element_type(operand: SSAValue) -> Attribute:
    return cast("TensorType[Attribute]", operand.type).get_element_type()


def _is_unsigned(op: Operation) -> bool:
    """Whether a contraction widens integers without sign (`cast = #linalg.type_fn<…>`)."""
    return "unsigned" in str(inherent(op, "cast"))


def _widened(value: SSAValue, type_: Attribute, is_unsigned: bool) -> Operation | None:
    if value.type == type_:
        return None
    if isa(type_, AnyFloat):
        if isa(value.type, AnyFloat):
            return arith.ExtFOp(value, type_)
        return (arith.UIToFPOp if is_unsigned else arith.SIToFPOp)(value, type_)
    return (arith.ExtUIOp if is_unsigned else arith.ExtSIOp)(value, cast(IntegerType, type_))


def _multiply_and_add(types: Sequence[Attribute], is_unsigned: bool) -> Block:
    """The body of a contraction: `out + widened(left) * widened(right)`."""
    block = Block(arg_types=types)
    *arguments, out = block.args
    factors: list[SSAValue] = [*arguments]
    for position, factor in enumerate(factors):
        wide = _widened(factor, out.type, is_unsigned)
        if wide is not None:
            block.add_op(wide)
            factors[position] = wide.results[0]
    if isinstance(out.type, ComplexType):
        product = complex_.MulOp(factors[0], factors[1])
        total = complex_.AddOp(out, product.results[0])
    elif isa(out.type, AnyFloat):
        product = arith.MulfOp(factors[0], factors[1])
        total = arith.AddfOp(out, product)
    else:
        product = arith.MuliOp(factors[0], factors[1])
        total = arith.AddiOp(out, product)
    block.add_ops([product, total, linalg.YieldOp(total.results[0])])
    return block


def _run_softmax(_: ReferenceInterpreter, op: Operation, args: PythonValues) -> PythonValues:
    values: Array = args[0]
    (dimension,) = integers(op, "dimension")
    powers = np.exp(values - np.max(values, axis=dimension, keepdims=True))
    total = np.add.accumulate(powers, axis=dimension, dtype=powers.dtype)
    return (powers / np.take(total, [-1], axis=dimension),)


BY_NAME: dict[str, NamedEvaluation] = {
    **{
        op.name: _run_structured
        for op in Linalg.operations
        if issubclass(op, LinalgStructuredOperation)
    },
    **dict.fromkeys(_CONTRACTIONS, _run_contraction),
    "linalg.contract": _run_structured,
    "linalg.softmax": _run_softmax,
}
"""Ops evaluated by name: xDSL's structured ones, and named ones it may have no class for."""
