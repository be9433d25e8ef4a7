"""The casts of the arith dialect, with MLIR's flags and on vectors and tensors."""

from typing import ClassVar

from xdsl.dialects import arith
from xdsl.dialects.arith import (
    FastMathFlagsAttr,
    IntegerOverflowAttr,
    floatingPointLike,
    signlessIntegerLike,
)
from xdsl.dialects.builtin import (
    I32,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnitAttr,
    i1,
    i32,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    irdl_custom_directive,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..shapes import element_type_of
from .arith_format import Keyword, with_elements
from .extension import OwnSyntax


@irdl_custom_directive
class RoundingMode(Keyword):
    """`to_nearest_even` and the like, or nothing."""

    KEYWORDS: ClassVar = (
        "to_nearest_even",
        "downward",
        "upward",
        "toward_zero",
        "to_nearest_away",
    )
    NUMBER: ClassVar = i32
    OPTIONAL: ClassVar = True

    value: AttributeVariable


def _verify_cast(op: IRDLOperation, wider: bool | None = None) -> None:
    """A cast keeps the shape; an extension or truncation changes the width of the elements."""
    source, target = op.operands[0].type, op.results[0].type
    if with_elements(source, i1) != with_elements(target, i1):
        raise VerifyException(
            f"expected a cast between types of one shape, got {source} to {target}"
        )
    widths = [getattr(element_type_of(type), "bitwidth", 0) for type in (source, target)]
    if wider is not None and (widths[0] >= widths[1] if wider else widths[0] <= widths[1]):
        raise VerifyException(
            f"expected a {'wider' if wider else 'narrower'} type to cast to, "
            f"got {source} to {target}"
        )


INDEX_CASTABLE = signlessIntegerLike | MemRefType.constr()
PLAIN_CAST = "$input attr-dict `:` type($input) `to` type($result)"
NNEG_CAST = "$input (`nneg` $nonNeg^)? attr-dict `:` type($input) `to` type($result)"


class CastOp(OwnSyntax):
    """Another type for each element of a value; leaf ops say between which."""

    WIDER: ClassVar[bool | None] = None
    """Whether the elements get wider (True) or narrower (False); None where they may do either."""

    assembly_format = PLAIN_CAST

    def verify_(self) -> None:
        """The shape is kept, and the elements change their width as they must."""
        _verify_cast(self, self.WIDER)


class NonNegCastOp(CastOp):
    """A cast of unsigned integers, which may state that they are not negative as signed ones."""

    non_neg = opt_prop_def(UnitAttr, prop_name="nonNeg")

    assembly_format = NNEG_CAST


@irdl_op_definition
class ExtUIOp(NonNegCastOp, arith.ExtUIOp):
    """Widens integers with zeros."""

    name = "arith.extui"
    WIDER: ClassVar = True

    input = operand_def(signlessIntegerLike)

    result = result_def(signlessIntegerLike)


@irdl_op_definition
class ExtSIOp(CastOp, arith.ExtSIOp):
    """Widens integers with their sign."""

    name = "arith.extsi"
    WIDER: ClassVar = True

    input = operand_def(signlessIntegerLike)

    result = result_def(signlessIntegerLike)


@irdl_op_definition
class TruncIOp(CastOp, arith.TruncIOp):
    """Narrows integers."""

    name = "arith.trunci"
    WIDER: ClassVar = False

    input = operand_def(signlessIntegerLike)

    overflow_flags = opt_prop_def(IntegerOverflowAttr, prop_name="overflowFlags")
    """States that nothing is lost, signed or unsigned."""

    result = result_def(signlessIntegerLike)

    assembly_format = (
        "$input (`overflow` `` $overflowFlags^)? attr-dict `:` type($input) `to` type($result)"
    )


@irdl_op_definition
class ExtFOp(CastOp, arith.ExtFOp):
    """Widens floats."""

    name = "arith.extf"
    WIDER: ClassVar = True

    input = operand_def(floatingPointLike)

    fastmath = opt_prop_def(FastMathFlagsAttr)

    result = result_def(floatingPointLike)

    assembly_format = (
        "$input (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `to` type($result)"
    )


@irdl_op_definition
class TruncFOp(CastOp, arith.TruncFOp):
    """Narrows floats."""

    name = "arith.truncf"
    WIDER: ClassVar = False

    input = operand_def(floatingPointLike)

    rounding_mode = opt_prop_def(IntegerAttr[I32], prop_name="roundingmode")
    """How to round, as a number of RoundingMode; to nearest even where there is none."""
    fastmath = opt_prop_def(FastMathFlagsAttr)

    result = result_def(floatingPointLike)

    custom_directives = (RoundingMode,)

    assembly_format = (
        "$input custom<RoundingMode>($roundingmode) (`fastmath` `` $fastmath^)? attr-dict `:` "
        "type($input) `to` type($result)"
    )

    def verify_(self) -> None:
        """The rounding mode is one, and the result is narrower."""
        RoundingMode.check(self.rounding_mode)
        super().verify_()


@irdl_op_definition
class SIToFPOp(CastOp, arith.SIToFPOp):
    """Signed integers as floats."""

    name = "arith.sitofp"

    input = operand_def(signlessIntegerLike)

    result = result_def(floatingPointLike)


@irdl_op_definition
class UIToFPOp(NonNegCastOp, arith.UIToFPOp):
    """Unsigned integers as floats."""

    name = "arith.uitofp"

    input = operand_def(signlessIntegerLike)

    result = result_def(floatingPointLike)


@irdl_op_definition
class FPToSIOp(CastOp, arith.FPToSIOp):
    """Floats as signed integers, rounded towards zero."""

    name = "arith.fptosi"

    input = operand_def(floatingPointLike)

    result = result_def(signlessIntegerLike)


@irdl_op_definition
class FPToUIOp(CastOp, arith.FPToUIOp):
    """Floats as unsigned integers, rounded towards zero."""

    name = "arith.fptoui"

    input = operand_def(floatingPointLike)

    result = result_def(signlessIntegerLike)


@irdl_op_definition
class IndexCastOp(OwnSyntax, arith.IndexCastOp):
    """Between index and integers, with their sign."""

    name = "arith.index_cast"

    input = operand_def(INDEX_CASTABLE)

    result = result_def(INDEX_CASTABLE)

    assembly_format = PLAIN_CAST

    def verify_(self) -> None:
        """One side is index, the other is not."""
        _verify_index_cast(self)


def _verify_index_cast(op: IRDLOperation) -> None:
    """One side of an index cast is index, the other is not."""
    source, target = op.operands[0].type, op.results[0].type
    sides = [isinstance(element_type_of(type), IndexType) for type in (source, target)]
    if sides[0] == sides[1]:
        raise VerifyException(f"expected index on one side of the cast, got {source} to {target}")


@irdl_op_definition
class IndexCastUIOp(IRDLOperation):
    """Between index and integers, with zeros."""

    name = "arith.index_castui"

    input = operand_def(INDEX_CASTABLE)

    non_neg = opt_prop_def(UnitAttr, prop_name="nonNeg")
    """States that the input is not negative."""

    result = result_def(INDEX_CASTABLE)

    traits = traits_def(Pure())

    assembly_format = NNEG_CAST

    def verify_(self) -> None:
        """One side is index, the other is not."""
        _verify_index_cast(self)
