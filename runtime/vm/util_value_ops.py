"""Implementations of the util ops that choose and compute values of the host program."""

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.interpreters.builtin import scalar_attr
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from ...dialects import util
from ...dialects.diagnostics import fail
from ..element_types import dtype_of_name
from .hal_scalar_ops import unsigned
from .hal_values import integer
from .scalar_ops import INDEX_BITS


@register_impls
class UtilValueFunctions(InterpreterFunctions):
    """Ranges, choices, sizes, and ops that give what they are given."""

    @impl(util.RangeMinOp)
    def least(
        self, interpreter: Interpreter, op: util.RangeMinOp, args: PythonValues
    ) -> PythonValues:
        """The least of the operands, without sign."""
        type = op.result.type
        return (_number(min(unsigned(value, type) for value in args), type),)

    @impl(util.RangeMaxOp)
    def greatest(
        self, interpreter: Interpreter, op: util.RangeMaxOp, args: PythonValues
    ) -> PythonValues:
        """The greatest of the operands, without sign."""
        type = op.result.type
        return (_number(max(unsigned(value, type) for value in args), type),)

    @impl(util.RangeExtentsOp)
    def extents(
        self, interpreter: Interpreter, op: util.RangeExtentsOp, args: PythonValues
    ) -> PythonValues:
        """The least offset, and the last position that is in a range."""
        type, count = op.min.type, len(op.offsets)
        offsets = [unsigned(value, type) for value in args[:count]]
        lengths = [unsigned(value, type) for value in args[count:]]
        last = max(offset + length - 1 for offset, length in zip(offsets, lengths, strict=True))
        return _number(min(offsets), type), _number(last, type)

    @impl(util.SwitchOp)
    def switch(
        self, interpreter: Interpreter, op: util.SwitchOp, args: PythonValues
    ) -> PythonValues:
        """The value at an index, or the default."""
        index, default, *values = args
        at = integer(index)
        return (values[at] if 0 <= at < len(values) else default,)

    @impl(util.SizeOfOp)
    def size_of(
        self, interpreter: Interpreter, op: util.SizeOfOp, args: PythonValues
    ) -> PythonValues:
        """Bytes that a value of a type takes in memory."""
        type = op.sized_type
        if isa(type, IntegerType):
            size = -(-type.width.data // 8)
        else:
            size = dtype_of_name(str(type)).itemsize
        return (IntegerAttr.from_index_int_value(size),)

    @impl(util.UnfoldableConstantOp)
    def constant(
        self, interpreter: Interpreter, op: util.UnfoldableConstantOp, args: PythonValues
    ) -> PythonValues:
        """The constant."""
        return (op.value,)

    @impl(util.CastOp)
    def cast(self, interpreter: Interpreter, op: util.CastOp, args: PythonValues) -> PythonValues:
        """The object itself."""
        return args

    @impl(util.NumericOptionalNarrowOp)
    def narrow(
        self, interpreter: Interpreter, op: util.NumericOptionalNarrowOp, args: PythonValues
    ) -> PythonValues:
        """The value itself."""
        return args

    @impl(util.SCFUnreachableOp)
    def unreachable(
        self, interpreter: Interpreter, op: util.SCFUnreachableOp, args: PythonValues
    ) -> PythonValues:
        """End the program with the message."""
        fail(op, f"reached: {op.message.data}" if op.message is not None else "reached")


def _number(value: int, type: Attribute) -> Attribute:
    return scalar_attr(value, type, INDEX_BITS)
