"""Directives of the stream dialect for slices, constants and signatures; see `format`."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, IntegerAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..format import (
    INDEX,
    SharedDirective,
    parse_list,
    parse_result_types,
    parse_shaped_type,
    parse_size_aware_type,
    print_shaped_type,
)
from ..format_functions import parse_attr_dict, print_attr_dict
from .format import print_rows
from .types import ResourceType


@irdl_custom_directive
class PassthroughTypeList(SharedDirective):
    """`type{%size}, …` for operands and for results of the same types."""

    types: TypeDirective
    result_types: TypeDirective
    sizes: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        parsed = parse_list(parser, lambda: parse_shaped_type(parser))
        types = tuple(type for type, _ in parsed)
        self.types.set(state, types)
        self.result_types.set(state, types)
        self.sizes.set(state, [size for _, sizes in parsed for size in sizes])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        sizes = iter(self.sizes.get(op))
        printer.print_list(self.types.get(op), lambda t: print_shaped_type(printer, t, sizes))


@irdl_custom_directive
class PackSliceRanges(SharedDirective):
    """`[start, end] = %size, …`: slices by lifetime interval, each with a packed offset."""

    intervals: AttributeVariable
    sizes: VariadicOperandVariable
    offset_types: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        intervals: list[IntegerAttr] = []
        sizes: list[UnresolvedOperand] = []
        while parser.parse_optional_punctuation("[") is not None:
            intervals.append(IntegerAttr(parser.parse_integer(), INDEX))
            parser.parse_punctuation(",")
            intervals.append(IntegerAttr(parser.parse_integer(), INDEX))
            parser.parse_punctuation("]")
            parser.parse_punctuation("=")
            sizes.append(parser.parse_unresolved_operand())
            if parser.parse_optional_punctuation(",") is None:
                break
        self.intervals.set(state, ArrayAttr(intervals))
        self.sizes.set(state, sizes)
        self.offset_types.set(state, (INDEX,) * len(sizes))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.should_emit_space = False
        if not self.sizes.get(op):
            return
        intervals = cast(ArrayAttr[IntegerAttr], self.intervals.get(op)).data
        bounds = [interval.value.data for interval in intervals]

        def print_row(row: tuple[int, int, SSAValue]) -> None:
            printer.print_string(f"[{row[0]}, {row[1]}] = ")
            printer.print_ssa_value(row[2])

        rows = zip(bounds[::2], bounds[1::2], self.sizes.get(op), strict=True)
        print_rows(printer, rows, print_row)
        printer.print_string("\n")


@irdl_custom_directive
class ConstantValueList(SharedDirective):
    """`!stream.resource<constant>{%size} = value, …`."""

    types: TypeDirective
    sizes: VariadicOperandVariable
    values: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        types: list[Attribute] = []
        sizes: list[UnresolvedOperand] = []
        values: list[Attribute] = []

        def parse_row() -> None:
            type, size = parse_size_aware_type(parser)
            types.append(type)
            sizes.append(size)
            parser.parse_punctuation("=")
            values.append(parser.parse_attribute())

        parse_list(parser, parse_row)
        self.types.set(state, types)
        self.sizes.set(state, sizes)
        self.values.set(state, ArrayAttr(values))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        values = cast(ArrayAttr[Attribute], self.values.get(op))

        def print_row(row: tuple[Attribute, SSAValue, Attribute]) -> None:
            print_shaped_type(printer, row[0], iter((row[1],)))
            printer.print_string(" = ")
            printer.print_attribute(row[2])

        rows = zip(self.types.get(op), self.sizes.get(op), values, strict=True)
        print_rows(printer, rows, print_row)
        state.should_emit_space = False


@irdl_custom_directive
class DispatchFunctionSignature(SharedDirective):
    """`(%arg0[%arg1 for %arg2]: !stream.resource<*>, %arg3: i32) -> i32`, a declaration.

    A resource argument stands for three: resource, offset and length.
    """

    function_type: AttributeVariable
    arg_attrs: AttributeVariable
    res_attrs: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        types: list[Attribute] = []
        attrs: list[Attribute] = []

        def parse_argument() -> None:
            parser.parse_unresolved_operand()
            in_range = parser.parse_optional_punctuation("[") is not None
            if in_range:
                parser.parse_unresolved_operand()
                parser.parse_keyword("for")
                parser.parse_unresolved_operand()
                parser.parse_punctuation("]")
            parser.parse_punctuation(":")
            types.append(parser.parse_type())
            attrs.append(parse_attr_dict(parser))
            if in_range:
                types.extend((INDEX, INDEX))
                attrs.extend((DictionaryAttr({}), DictionaryAttr({})))

        def parse_result() -> tuple[Attribute, Attribute]:
            return parser.parse_type(), parse_attr_dict(parser)

        parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_argument)
        results: list[tuple[Attribute, Attribute]] = []
        if parser.parse_optional_punctuation("->") is not None:
            results = parse_result_types(parser, parse_result)
        if types:
            self.arg_attrs.set(state, ArrayAttr(attrs))
        if results:
            self.res_attrs.set(state, ArrayAttr(attr for _, attr in results))
        result_types = [type for type, _ in results]
        self.function_type.set(state, FunctionType.from_lists(types, result_types))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        function_type = cast(FunctionType, self.function_type.get(op))
        arg_attrs = self.arg_attrs.get(op)
        types = function_type.inputs.data
        starts: list[int] = []
        position = 0
        while position < len(types):
            starts.append(position)
            position += 3 if isinstance(types[position], ResourceType) else 1

        def print_argument(start: int) -> None:
            printer.print_string(f"%arg{start}")
            if isinstance(types[start], ResourceType):
                printer.print_string(f"[%arg{start + 1} for %arg{start + 2}]")
            printer.print_string(": ")
            printer.print_attribute(types[start])
            print_attr_dict(printer, arg_attrs, start)

        with printer.in_parens():
            printer.print_list(starts, print_argument)
        self._print_results(printer, op, function_type.outputs.data)

    def _print_results(
        self, printer: Printer, op: IRDLOperation, types: tuple[Attribute, ...]
    ) -> None:
        if not types:
            return
        res_attrs = self.res_attrs.get(op)

        def print_result(result: tuple[int, Attribute]) -> None:
            printer.print_attribute(result[1])
            print_attr_dict(printer, res_attrs, result[0])

        printer.print_string(" -> ")
        if len(types) == 1:
            print_result((0, types[0]))
            return
        with printer.in_parens():
            printer.print_list(enumerate(types), print_result)
