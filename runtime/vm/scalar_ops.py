"""Scalar ops of host programs that neither xDSL nor `hal_scalar_ops` has: what kernels compute on
arrays, on one number."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr
from xdsl.interpreter import Interpreter, InterpreterFunctions, PythonValues, impl, register_impls
from xdsl.interpreters.builtin import scalar_attr
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from ...dialects.diagnostics import fail
from ..kernels.elementwise import ELEMENTWISE_FUNCTIONS
from ..kernels.types import UnsupportedTypeError, constant

INDEX_BITS = 64

Scalars = Callable[[PythonValues], PythonValues]
"""The results of an op from its operands."""


def scalar_function(op: Operation) -> Scalars | None:
    """What `op` computes from numbers and gives as numbers; None if it is no op on scalars.

    Raises OpError at `op` for a type that nothing computes with.
    """
    build = ELEMENTWISE_FUNCTIONS.get(op.name)
    if build is None:
        return None
    try:
        function = build(op)
    except UnsupportedTypeError as error:
        fail(op, str(error))
    types = [result.type for result in op.results]

    def run(args: PythonValues) -> PythonValues:
        # What MLIR leaves undefined gives some number, as in kernels.
        with np.errstate(all="ignore"):
            value = function(*map(constant, args))
        values = value if len(types) > 1 else (value,)
        return tuple(_number(part, type) for part, type in zip(values, types, strict=True))

    return run


def _number(value: Any, type: Attribute) -> Attribute:
    if isa(type, AnyFloat):
        return FloatAttr(float(value), type)
    return scalar_attr(int(value), type, INDEX_BITS)


def _computed(op_type: type[Operation]) -> Any:
    def run(
        self: InterpreterFunctions, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        function = scalar_function(op)
        assert function is not None
        return function(args)

    return impl(op_type)(run)


@register_impls
class ShiftFunctions(InterpreterFunctions):
    """Shifts, which xDSL takes only by less than the width."""

    left = _computed(arith.ShLIOp)
    right = _computed(arith.ShRSIOp)
