"""Directives of the execution regions, which name what they capture anew; see `format`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    ParsingState,
    PrintingState,
    RegionVariable,
    TypeDirective,
    VariableDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..access import field_values
from ..format import (
    SharedDirective,
    index_array,
    parse_size_aware_type,
    print_shaped_type,
)
from ..format_functions import (
    parse_shaped_results,
    print_shaped_results,
)
from ..format_symbols import has_stated_terminator


def _parse_captures(
    parser: Parser,
) -> tuple[
    list[UnresolvedOperand], list[Attribute], list[UnresolvedOperand], list[Parser.Argument]
]:
    """Parses `(%a as %b: type{%size}, …)`: operands, types, sizes, region arguments."""
    operands: list[UnresolvedOperand] = []
    types: list[Attribute] = []
    sizes: list[UnresolvedOperand] = []
    arguments: list[Parser.Argument] = []

    def parse_capture() -> None:
        operands.append(parser.parse_unresolved_operand())
        parser.parse_keyword("as")
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation(":")
        type, size = parse_size_aware_type(parser)
        types.append(type)
        sizes.append(size)
        arguments.append(argument.resolve(type))

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_capture)
    return operands, types, sizes, arguments


def _print_captures(
    printer: Printer,
    operands: Sequence[SSAValue],
    sizes: Iterator[SSAValue],
    region: Region,
) -> None:
    """Prints `(%a as %b: type{%size}, …)`."""

    def print_capture(capture: tuple[SSAValue, SSAValue]) -> None:
        operand, argument = capture
        printer.print_ssa_value(operand)
        printer.print_string(" as ")
        printer.print_ssa_value(argument)
        printer.print_string(": ")
        print_shaped_type(printer, argument.type, sizes)

    with printer.in_parens():
        printer.print_list(zip(operands, region.block.args, strict=True), print_capture)


@irdl_custom_directive
class ResourceRegion(SharedDirective):
    """`(%a as %b: type{%size}) -> (type{%size}, %a{%size}) {…}`: a region with results."""

    operands: VariadicOperandVariable
    operand_types: TypeDirective
    operand_sizes: VariadicOperandVariable
    result_types: TypeDirective
    result_sizes: VariadicOperandVariable
    tied_operands: AttributeVariable
    body: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        operands, types, sizes, arguments = _parse_captures(parser)
        result_types: Sequence[Attribute] = ()
        result_sizes: Sequence[UnresolvedOperand] = ()
        if parser.parse_optional_punctuation("->") is not None:
            result_types, result_sizes, tied = parse_shaped_results(parser, operands, types)
            if tied:
                self.tied_operands.set(state, index_array(tied))
        self.operands.set(state, operands)
        self.operand_types.set(state, types)
        self.operand_sizes.set(state, sizes)
        self.result_types.set(state, result_types)
        self.result_sizes.set(state, result_sizes)
        self.body.set(state, parser.parse_region(arguments))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        region = self.body.get(op)
        _print_captures(printer, self.operands.get(op), iter(self.operand_sizes.get(op)), region)
        inner = self.result_types.inner
        assert isinstance(inner, VariableDirective)
        if results := field_values(op, inner.name):
            printer.print_string(" -> ")
            print_shaped_results(printer, results, iter(self.result_sizes.get(op)))
        printer.print_string(" ")
        printer.print_region(region, print_entry_block_args=False, print_empty_block=False)


@irdl_custom_directive
class ExplicitResourceRegion(SharedDirective):
    """`(%a as %b: type{%size}) {…}`: a region without results, its terminator left out."""

    operands: VariadicOperandVariable
    operand_types: TypeDirective
    operand_sizes: VariadicOperandVariable
    body: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        operands, types, sizes, arguments = _parse_captures(parser)
        self.operands.set(state, operands)
        self.operand_types.set(state, types)
        self.operand_sizes.set(state, sizes)
        self.body.set(state, parser.parse_region(arguments))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        region = self.body.get(op)
        _print_captures(printer, self.operands.get(op), iter(self.operand_sizes.get(op)), region)
        printer.print_string(" ")
        printer.print_region(
            region,
            print_entry_block_args=False,
            print_empty_block=False,
            print_block_terminators=has_stated_terminator(region),
        )
