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
    floatingPointLike,
    signlessIntegerLike,
)
from xdsl.dialects.builtin import (
    I64,
    IntegerAttr,
    UnitAttr,
    i1,
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

from .arith_casts import (
    ExtFOp,
    ExtSIOp,
    ExtUIOp,
    FPToSIOp,
    FPToUIOp,
    IndexCastOp,
    IndexCastUIOp,
    SIToFPOp,
    TruncFOp,
    TruncIOp,
    UIToFPOp,
)
from .arith_format import Keyword, with_elements
from .extension import OwnSyntax, extended


@irdl_custom_directive
class CmpIPredicate(Keyword):
    """`slt` and the like."""

    KEYWORDS: ClassVar = tuple(CMPI_COMPARISON_OPERATIONS)

    value: AttributeVariable


@irdl_custom_directive
class CmpFPredicate(Keyword):
    """`oge` and the like."""

    KEYWORDS: ClassVar = tuple(CMPF_COMPARISON_OPERATIONS)

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


def verify_compared(compared: Attribute, result: Attribute) -> None:
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
        """The predicate is one, and the result has the shape of the operands."""
        CmpIPredicate.check(self.predicate)
        verify_compared(self.lhs.type, self.result.type)


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
        """The predicate is one, and the result has the shape of the operands."""
        CmpFPredicate.check(self.predicate)
        verify_compared(self.lhs.type, self.result.type)


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


class ExactBinaryOp(OwnSyntax):
    """Integer ops that may state that nothing is lost: no remainder, no set bit shifted out."""

    T: ClassVar = VarConstraint("T", signlessIntegerLike)

    lhs = operand_def(T)
    rhs = operand_def(T)

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")
    """States that nothing is lost."""

    result = result_def(T)

    assembly_format = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"

    def verify_(self) -> None:
        """All is said by the constraints."""


@irdl_op_definition
class DivSIOp(ExactBinaryOp, arith.DivSIOp):
    """Signed division, rounded towards zero."""

    name = "arith.divsi"


@irdl_op_definition
class DivUIOp(ExactBinaryOp, arith.DivUIOp):
    """Unsigned division, rounded towards zero."""

    name = "arith.divui"


@irdl_op_definition
class ShRSIOp(ExactBinaryOp, arith.ShRSIOp):
    """Shifts right and fills with the sign."""

    name = "arith.shrsi"


@irdl_op_definition
class ShRUIOp(ExactBinaryOp, arith.ShRUIOp):
    """Shifts right and fills with zeros."""

    name = "arith.shrui"


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
