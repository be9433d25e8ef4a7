"""The arith dialect with MLIR's flags and with vectors and tensors throughout.

xDSL compares, selects and casts scalars only, and knows no `exact`, `nneg`, `overflow` on casts,
rounding mode, `arith.index_castui` and `arith.remf`.
"""

from typing import ClassVar

from xdsl.dialects import arith
from xdsl.dialects.arith import (
    CMPF_COMPARISON_OPERATIONS,
    CMPI_COMPARISON_OPERATIONS,
    FastMathFlagsAttr,
    IntegerOverflowAttr,
    floatingPointLike,
    signlessIntegerLike,
)
from xdsl.dialects.builtin import (
    I32,
    I64,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..shapes import element_type_of
from .extension import OwnSyntax, extended


def with_elements(type: Attribute, element: Attribute) -> Attribute:
    """The vector or tensor type like `type` with other elements; `element` for a scalar."""
    if isinstance(type, VectorType):
        return VectorType(element, type.get_shape(), type.scalable_dims)
    if isinstance(type, TensorType):
        return TensorType(element, type.get_shape(), type.encoding)
    return element


class _Keyword(CustomDirective):
    """A number written as a keyword."""

    KEYWORDS: ClassVar[tuple[str, ...]]
    NUMBER: ClassVar[IntegerType] = i64
    OPTIONAL: ClassVar[bool] = False

    value: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        for number, keyword in enumerate(self.KEYWORDS):
            if parser.parse_optional_keyword(keyword) is not None:
                self.value.set(state, IntegerAttr(number, self.NUMBER))
                return
        if not self.OPTIONAL:
            parser.raise_error(f"expected one of {', '.join(self.KEYWORDS)}")

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        value = self.value.get(op)
        if isinstance(value, IntegerAttr):
            state.print_whitespace(printer)
            printer.print_string(self.KEYWORDS[value.value.data])

    def can_parse_empty(self) -> bool:
        """Whether the keyword may be absent."""
        return self.OPTIONAL


@irdl_custom_directive
class CmpIPredicate(_Keyword):
    """`slt` and the like."""

    KEYWORDS: ClassVar = tuple(CMPI_COMPARISON_OPERATIONS)

    value: AttributeVariable


@irdl_custom_directive
class CmpFPredicate(_Keyword):
    """`oge` and the like."""

    KEYWORDS: ClassVar = tuple(CMPF_COMPARISON_OPERATIONS)

    value: AttributeVariable


@irdl_custom_directive
class RoundingMode(_Keyword):
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


@irdl_custom_directive
class CompareType(CustomDirective):
    """The type compared; the result has its shape and elements of i1."""

    compared: TypeDirective
    result: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        type = parser.parse_type()
        self.compared.set(state, (type,))
        self.result.set(state, (with_elements(type, i1),))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        printer.print_attribute(self.compared.get(op)[0])


@irdl_custom_directive
class SelectType(CustomDirective):
    """`type`, or `condition type, type` where the condition is not a single i1."""

    condition: TypeDirective
    result: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        type = parser.parse_type()
        if parser.parse_optional_punctuation(",") is not None:
            self.condition.set(state, (type,))
            type = parser.parse_type()
        else:
            self.condition.set(state, (i1,))
        self.result.set(state, (type,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        (condition,) = self.condition.get(op)
        if condition != i1:
            printer.print_attribute(condition)
            printer.print_string(", ")
        printer.print_attribute(self.result.get(op)[0])


def _verify_compared(compared: Attribute, result: Attribute) -> None:
    """A comparison gives one i1 for each element."""
    if result != with_elements(compared, i1):
        raise VerifyException(f"expected a result {with_elements(compared, i1)}, got {result}")


@irdl_op_definition
class CmpIOp(OwnSyntax, arith.CmpiOp):
    """Compares integers, element by element."""

    name = "arith.cmpi"

    T: ClassVar = VarConstraint("T", signlessIntegerLike)

    lhs = operand_def(T)
    rhs = operand_def(T)

    predicate = prop_def(IntegerAttr[I64])

    result = result_def()

    custom_directives = (CmpIPredicate, CompareType)

    assembly_format = (
        "custom<CmpIPredicate>($predicate) `,` $lhs `,` $rhs attr-dict `:` "
        "custom<CompareType>(type($lhs), type($result))"
    )

    def verify_(self) -> None:
        """The result has the shape of the operands."""
        _verify_compared(self.lhs.type, self.result.type)


@irdl_op_definition
class CmpFOp(OwnSyntax, arith.CmpfOp):
    """Compares floats, element by element."""

    name = "arith.cmpf"

    T: ClassVar = VarConstraint("T", floatingPointLike)

    lhs = operand_def(T)
    rhs = operand_def(T)

    predicate = prop_def(IntegerAttr[I64])
    fastmath = opt_prop_def(FastMathFlagsAttr)

    result = result_def()

    custom_directives = (CmpFPredicate, CompareType)

    assembly_format = (
        "custom<CmpFPredicate>($predicate) `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? "
        "attr-dict `:` custom<CompareType>(type($lhs), type($result))"
    )

    def verify_(self) -> None:
        """The result has the shape of the operands."""
        _verify_compared(self.lhs.type, self.result.type)


@irdl_op_definition
class SelectOp(OwnSyntax, arith.SelectOp):
    """One of two values, or of each pair of elements."""

    name = "arith.select"

    T: ClassVar = VarConstraint("T", AnyAttr())

    cond = operand_def()
    lhs = operand_def(T)
    rhs = operand_def(T)

    result = result_def(T)

    custom_directives = (SelectType,)

    assembly_format = (
        "$cond `,` $lhs `,` $rhs attr-dict `:` custom<SelectType>(type($cond), type($result))"
    )

    def verify_(self) -> None:
        """The condition is one i1, or one for each element."""
        expected = with_elements(self.result.type, i1)
        if self.cond.type not in (i1, expected):
            raise VerifyException(f"expected a condition i1 or {expected}, got {self.cond.type}")


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


@irdl_op_definition
class ExtUIOp(OwnSyntax, arith.ExtUIOp):
    """Widens integers with zeros."""

    name = "arith.extui"

    input = operand_def(signlessIntegerLike)

    non_neg = opt_prop_def(UnitAttr, prop_name="nonNeg")
    """States that the input is not negative."""

    result = result_def(signlessIntegerLike)

    assembly_format = NNEG_CAST

    def verify_(self) -> None:
        """The result is wider."""
        _verify_cast(self, wider=True)


@irdl_op_definition
class ExtSIOp(OwnSyntax, arith.ExtSIOp):
    """Widens integers with their sign."""

    name = "arith.extsi"

    input = operand_def(signlessIntegerLike)

    result = result_def(signlessIntegerLike)

    assembly_format = PLAIN_CAST

    def verify_(self) -> None:
        """The result is wider."""
        _verify_cast(self, wider=True)


@irdl_op_definition
class TruncIOp(OwnSyntax, arith.TruncIOp):
    """Narrows integers."""

    name = "arith.trunci"

    input = operand_def(signlessIntegerLike)

    overflow_flags = opt_prop_def(IntegerOverflowAttr, prop_name="overflowFlags")
    """States that nothing is lost, signed or unsigned."""

    result = result_def(signlessIntegerLike)

    assembly_format = (
        "$input (`overflow` `` $overflowFlags^)? attr-dict `:` type($input) `to` type($result)"
    )

    def verify_(self) -> None:
        """The result is narrower."""
        _verify_cast(self, wider=False)


@irdl_op_definition
class ExtFOp(OwnSyntax, arith.ExtFOp):
    """Widens floats."""

    name = "arith.extf"

    input = operand_def(floatingPointLike)

    fastmath = opt_prop_def(FastMathFlagsAttr)

    result = result_def(floatingPointLike)

    assembly_format = (
        "$input (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `to` type($result)"
    )

    def verify_(self) -> None:
        """The result is wider."""
        _verify_cast(self, wider=True)


@irdl_op_definition
class TruncFOp(OwnSyntax, arith.TruncFOp):
    """Narrows floats."""

    name = "arith.truncf"

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
        """The result is narrower."""
        _verify_cast(self, wider=False)


@irdl_op_definition
class SIToFPOp(OwnSyntax, arith.SIToFPOp):
    """Signed integers as floats."""

    name = "arith.sitofp"

    input = operand_def(signlessIntegerLike)

    result = result_def(floatingPointLike)

    assembly_format = PLAIN_CAST

    def verify_(self) -> None:
        """The shape is kept."""
        _verify_cast(self)


@irdl_op_definition
class UIToFPOp(OwnSyntax, arith.UIToFPOp):
    """Unsigned integers as floats."""

    name = "arith.uitofp"

    input = operand_def(signlessIntegerLike)

    non_neg = opt_prop_def(UnitAttr, prop_name="nonNeg")
    """States that the input is not negative as a signed integer."""

    result = result_def(floatingPointLike)

    assembly_format = NNEG_CAST

    def verify_(self) -> None:
        """The shape is kept."""
        _verify_cast(self)


@irdl_op_definition
class FPToSIOp(OwnSyntax, arith.FPToSIOp):
    """Floats as signed integers, rounded towards zero."""

    name = "arith.fptosi"

    input = operand_def(floatingPointLike)

    result = result_def(signlessIntegerLike)

    assembly_format = PLAIN_CAST

    def verify_(self) -> None:
        """The shape is kept."""
        _verify_cast(self)


@irdl_op_definition
class FPToUIOp(OwnSyntax, arith.FPToUIOp):
    """Floats as unsigned integers, rounded towards zero."""

    name = "arith.fptoui"

    input = operand_def(floatingPointLike)

    result = result_def(signlessIntegerLike)

    assembly_format = PLAIN_CAST

    def verify_(self) -> None:
        """The shape is kept."""
        _verify_cast(self)


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


EXACT = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"


@irdl_op_definition
class DivSIOp(OwnSyntax, arith.DivSIOp):
    """Signed division, rounded towards zero."""

    name = "arith.divsi"

    T: ClassVar = VarConstraint("T", signlessIntegerLike)

    lhs = operand_def(T)
    rhs = operand_def(T)

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")
    """States that there is no remainder."""

    result = result_def(T)

    assembly_format = EXACT

    def verify_(self) -> None:
        """All is said by the constraints."""


@irdl_op_definition
class DivUIOp(OwnSyntax, arith.DivUIOp):
    """Unsigned division, rounded towards zero."""

    name = "arith.divui"

    T: ClassVar = VarConstraint("T", signlessIntegerLike)

    lhs = operand_def(T)
    rhs = operand_def(T)

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")
    """States that there is no remainder."""

    result = result_def(T)

    assembly_format = EXACT

    def verify_(self) -> None:
        """All is said by the constraints."""


@irdl_op_definition
class ShRSIOp(OwnSyntax, arith.ShRSIOp):
    """Shifts right and fills with the sign."""

    name = "arith.shrsi"

    T: ClassVar = VarConstraint("T", signlessIntegerLike)

    lhs = operand_def(T)
    rhs = operand_def(T)

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")
    """States that no set bit is shifted out."""

    result = result_def(T)

    assembly_format = EXACT

    def verify_(self) -> None:
        """All is said by the constraints."""


@irdl_op_definition
class ShRUIOp(OwnSyntax, arith.ShRUIOp):
    """Shifts right and fills with zeros."""

    name = "arith.shrui"

    T: ClassVar = VarConstraint("T", signlessIntegerLike)

    lhs = operand_def(T)
    rhs = operand_def(T)

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")
    """States that no set bit is shifted out."""

    result = result_def(T)

    assembly_format = EXACT

    def verify_(self) -> None:
        """All is said by the constraints."""


@irdl_op_definition
class RemFOp(IRDLOperation):
    """The remainder of a division of floats, with the sign of the first."""

    name = "arith.remf"

    T: ClassVar = VarConstraint("T", floatingPointLike)

    lhs = operand_def(T)
    rhs = operand_def(T)

    fastmath = opt_prop_def(FastMathFlagsAttr)

    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"


Arith = extended(
    arith.Arith,
    [
        CmpFOp,
        CmpIOp,
        DivSIOp,
        DivUIOp,
        ExtFOp,
        ExtSIOp,
        ExtUIOp,
        FPToSIOp,
        FPToUIOp,
        IndexCastOp,
        IndexCastUIOp,
        RemFOp,
        SIToFPOp,
        SelectOp,
        ShRSIOp,
        ShRUIOp,
        TruncFOp,
        TruncIOp,
        UIToFPOp,
    ],
)
