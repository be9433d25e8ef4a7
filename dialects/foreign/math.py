"""The math dialect with the ops that xDSL lacks."""

from typing import ClassVar

from xdsl.dialects import math
from xdsl.dialects.arith import FastMathFlagsAttr, floatingPointLike
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from .arith import CompareType, verify_compared
from .extension import extended


class _ClassifyOp(IRDLOperation):
    """Whether a float is of a kind, element by element."""

    operand = operand_def(floatingPointLike)

    fastmath = opt_prop_def(FastMathFlagsAttr)

    result = result_def()

    custom_directives = (CompareType,)
    traits = traits_def(Pure())

    assembly_format = (
        "$operand (`fastmath` `` $fastmath^)? attr-dict `:` "
        "custom<CompareType>(type($operand), type($result))"
    )

    def verify_(self) -> None:
        """The result has the shape of the operand."""
        verify_compared(self.operand.type, self.result.type)


@irdl_op_definition
class IsFiniteOp(_ClassifyOp):
    """Whether a float is neither infinite nor NaN."""

    name = "math.isfinite"


@irdl_op_definition
class IsInfOp(_ClassifyOp):
    """Whether a float is infinite."""

    name = "math.isinf"


@irdl_op_definition
class IsNaNOp(_ClassifyOp):
    """Whether a float is NaN."""

    name = "math.isnan"


@irdl_op_definition
class IsNormalOp(_ClassifyOp):
    """Whether a float is neither zero, subnormal, infinite nor NaN."""

    name = "math.isnormal"


@irdl_op_definition
class ErfcOp(IRDLOperation):
    """The complement of the error function."""

    name = "math.erfc"

    T: ClassVar = VarConstraint("T", floatingPointLike)

    operand = operand_def(T)

    fastmath = opt_prop_def(FastMathFlagsAttr)

    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"


@irdl_op_definition
class ClampFOp(IRDLOperation):
    """A float brought between two others."""

    name = "math.clampf"

    T: ClassVar = VarConstraint("T", floatingPointLike)

    value = operand_def(T)
    min = operand_def(T)
    max = operand_def(T)

    fastmath = opt_prop_def(FastMathFlagsAttr)

    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = (
        "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` "
        "type($result)"
    )


Math = extended(math.Math, [ClampFOp, ErfcOp, IsFiniteOp, IsInfOp, IsNaNOp, IsNormalOp])
