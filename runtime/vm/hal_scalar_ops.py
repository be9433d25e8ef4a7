"""Implementations of the scalar ops that lowered programs need and xDSL's interpreter lacks.

Sizes are split into push constants and counted unsigned: casts, shifts and divisions of
integers. Also constant bytes of the host.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.interpreters.builtin import scalar_attr
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from ...dialects import util
from ...dialects.diagnostics import fail
from ...dialects.foreign.arith import IndexCastUIOp
from ..element_types import dtype_of_name
from .words import bytes_of

_INDEX_BITS = 64


def _bits(type: Attribute) -> int:
    return type.width.data if isa(type, IntegerType) else _INDEX_BITS


def unsigned(value: IntegerAttr[Any], type: Attribute) -> int:
    """An integer or index as if it had no sign."""
    return value.value.data & ((1 << _bits(type)) - 1)


def signed(value: IntegerAttr[Any], type: Attribute) -> int:
    """An integer or index in two's complement."""
    bits = unsigned(value, type)
    return bits - (1 << _bits(type)) if bits >> (_bits(type) - 1) else bits


Read = Callable[[IntegerAttr[Any], Attribute], int]


def _cast(op_type: type[Operation], read: Read) -> Any:
    """The implementation of an integer cast of what `read` reads."""

    def run(
        self: InterpreterFunctions, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        value = read(args[0], op.operands[0].type)
        return (scalar_attr(value, op.results[0].type, _INDEX_BITS),)

    return impl(op_type)(run)


def _binary(op_type: type[Operation], read: Read, compute: Callable[[int, int], int]) -> Any:
    """The implementation of an op on two integers, which `read` reads and `compute` combines."""

    def run(
        self: InterpreterFunctions, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        left, right = (read(value, op.operands[0].type) for value in args)
        try:
            result = compute(left, right)
        except ZeroDivisionError:
            fail(op, f"divides {left} by zero")
        return (scalar_attr(result, op.results[0].type, _INDEX_BITS),)

    return impl(op_type)(run)


@register_impls
class HalScalarFunctions(InterpreterFunctions):
    """Integer casts, unsigned arithmetic, and constant bytes."""

    extend_unsigned = _cast(arith.ExtUIOp, unsigned)
    extend_signed = _cast(arith.ExtSIOp, signed)
    truncate = _cast(arith.TruncIOp, unsigned)
    cast_unsigned = _cast(IndexCastUIOp, unsigned)
    shift_right = _binary(arith.ShRUIOp, unsigned, lambda value, count: value >> count)
    divide = _binary(arith.DivUIOp, unsigned, lambda left, right: left // right)
    ceil_divide = _binary(arith.CeilDivUIOp, unsigned, lambda left, right: -(-left // right))
    ceil_divide_signed = _binary(arith.CeilDivSIOp, signed, lambda left, right: -(-left // right))
    remainder = _binary(arith.RemUIOp, unsigned, lambda left, right: left % right)
    least = _binary(arith.MinUIOp, unsigned, min)
    least_signed = _binary(arith.MinSIOp, signed, min)
    greatest = _binary(arith.MaxUIOp, unsigned, max)
    greatest_signed = _binary(arith.MaxSIOp, signed, max)
    align = _binary(
        util.AlignOp, unsigned, lambda value, alignment: -(-value // alignment) * alignment
    )

    @impl(arith.BitcastOp)
    def bitcast(
        self, interpreter: Interpreter, op: arith.BitcastOp, args: PythonValues
    ) -> PythonValues:
        """The bits of a scalar as another type of the same width."""
        data = bytes_of(args[0], op.input.type)
        type = op.result.type
        value = np.frombuffer(data, dtype_of_name(str(type)))[0].item()
        if isinstance(type, AnyFloat):
            return (FloatAttr(float(value), type),)
        return (scalar_attr(int(value), type, _INDEX_BITS),)

    @impl(util.AssumeIntOp)
    def assume(
        self, interpreter: Interpreter, op: util.AssumeIntOp, args: PythonValues
    ) -> PythonValues:
        """Values pass unchanged."""
        return args

    @impl(util.CmpEQOp)
    def equal(self, interpreter: Interpreter, op: util.CmpEQOp, args: PythonValues) -> PythonValues:
        """Whether two references are one."""
        return (IntegerAttr(int(_same(*args)), 1),)

    @impl(util.CmpNEOp)
    def differ(
        self, interpreter: Interpreter, op: util.CmpNEOp, args: PythonValues
    ) -> PythonValues:
        """Whether two references are two."""
        return (IntegerAttr(int(not _same(*args)), 1),)


def _same(left: Any, right: Any) -> bool:
    """Whether two values are one; lists and bytes of the host have identity."""
    if isinstance(left, list | np.ndarray) or isinstance(right, list | np.ndarray):
        return left is right
    return bool(left == right)
