"""Arithmetic of ranges, offsets and sizes, and the primitive switch."""

from typing import ClassVar

from xdsl.dialects.builtin import AnyFloatConstr, IndexType, IntegerType
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    RangeOf,
    SameVariadicOperandSize,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..format import parse_list
from .canonicalized import Canonicalized

INTEGER = base(IntegerType) | base(IndexType)
PRIMITIVE = base(IntegerType) | base(IndexType) | AnyFloatConstr


@irdl_custom_directive
class RangeList(CustomDirective):
    """`[%offset for %length], [%offset for %length], …`."""

    offsets: VariadicOperandVariable
    lengths: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""

        def parse_range() -> tuple[UnresolvedOperand, UnresolvedOperand]:
            with parser.in_square_brackets():
                offset = parser.parse_unresolved_operand()
                parser.parse_keyword("for")
                return offset, parser.parse_unresolved_operand()

        ranges = parse_list(parser, parse_range)
        self.offsets.set(state, [offset for offset, _ in ranges])
        self.lengths.set(state, [length for _, length in ranges])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        ranges = zip(self.offsets.get(op), self.lengths.get(op), strict=True)
        for index, (offset, length) in enumerate(ranges):
            printer.print_string(", [" if index else "[")
            printer.print_ssa_value(offset)
            printer.print_string(" for ")
            printer.print_ssa_value(length)
            printer.print_string("]")


class _RangeReductionOp(IRDLOperation):
    """Reduces values of one type to one value."""

    T: ClassVar = VarConstraint("T", INTEGER)

    arguments = var_operand_def(RangeOf(T))

    result = result_def(T)

    traits = traits_def(Pure(), Canonicalized())

    assembly_format = "$arguments attr-dict `:` type($result)"


@irdl_op_definition
class RangeMinOp(_RangeReductionOp):
    """The least of all values."""

    name = "util.range.min"


@irdl_op_definition
class RangeMaxOp(_RangeReductionOp):
    """The greatest of all values."""

    name = "util.range.max"


@irdl_op_definition
class RangeExtentsOp(IRDLOperation):
    """The least start and the greatest inclusive end of a set of ranges."""

    name = "util.range.extents"

    T: ClassVar = VarConstraint("T", INTEGER)

    offsets = var_operand_def(RangeOf(T))
    """Where each range starts."""
    lengths = var_operand_def(RangeOf(T))
    """How long each range is."""

    min = result_def(T)
    """The least offset."""
    max = result_def(T)
    """The greatest offset + length - 1."""

    irdl_options = (SameVariadicOperandSize(),)
    custom_directives = (RangeList,)
    traits = traits_def(Pure())

    assembly_format = "custom<RangeList>($offsets, $lengths) attr-dict `:` type($min)"


@irdl_op_definition
class AlignOp(IRDLOperation):
    """Rounds a value up to a multiple of a power of two."""

    name = "util.align"

    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    alignment = operand_def(T)
    """A power of two."""

    result = result_def(T)

    traits = traits_def(Pure(), Canonicalized())

    assembly_format = "$value `,` $alignment attr-dict `:` type($result)"

    def __init__(self, value: SSAValue, alignment: SSAValue) -> None:
        super().__init__(operands=[value, alignment], result_types=[value.type])


@irdl_op_definition
class SizeOfOp(IRDLOperation):
    """The size of a type in bytes, known once targets are."""

    name = "util.sizeof"

    sized_type = prop_def(prop_name="sizedType")

    size = result_def(IndexType())
    """In bytes."""

    traits = traits_def(Pure())

    assembly_format = "$sizedType attr-dict-with-keyword"


@irdl_op_definition
class SwitchOp(IRDLOperation):
    """The value at an index of a list; the default where the index is outside of it."""

    name = "util.switch"

    T: ClassVar = VarConstraint("T", PRIMITIVE)

    index = operand_def(IndexType())
    default_value = operand_def(T)
    """The result for an index outside the list."""
    values = var_operand_def(RangeOf(T))
    """The result for index 0, 1, …"""

    result = result_def(T)

    traits = traits_def(Pure(), Canonicalized())

    assembly_format = (
        "type($default_value) `from` ` ` `[` $values `]` `at` $index `else` $default_value "
        "attr-dict `:` type($result)"
    )
