"""Constants of host programs, evaluated once for each op."""

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.interpreters.builtin import scalar_attr
from xdsl.ir import Attribute, Operation

from ...dialects.diagnostics import fail
from ...dialects.foreign import index


@register_impls
class ConstantFunctions(InterpreterFunctions):
    """`arith.constant` as xDSL interprets it, whose checks of types cost more than most ops."""

    def __init__(self) -> None:
        self._known: dict[Operation, Attribute] = {}

    @impl(arith.ConstantOp)
    def constant(
        self, interpreter: Interpreter, op: arith.ConstantOp, args: PythonValues
    ) -> PythonValues:
        """The number in the attribute."""
        known = self._known.get(op)
        if known is None:
            known = self._known[op] = _number(interpreter, op)
        return (known,)

    @impl(index.ConstantOp)
    def index_constant(
        self, interpreter: Interpreter, op: index.ConstantOp, args: PythonValues
    ) -> PythonValues:
        """The number in the attribute."""
        return (op.value,)


def _number(interpreter: Interpreter, op: arith.ConstantOp) -> Attribute:
    value = op.value
    if not isinstance(value, IntegerAttr | FloatAttr):
        fail(op, f"expected a number in a host program, got {value}")
    if isinstance(value, IntegerAttr) and isinstance(value.type, IndexType):
        return scalar_attr(value.value.data, value.type, interpreter.index_bitwidth)
    return value
