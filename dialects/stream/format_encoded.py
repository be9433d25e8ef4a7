"""Directives of the tensor phase, where a resource stands with its encoding; see `format`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariableDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..access import UNTIED, field_values
from ..format import (
    SharedDirective,
    SizeAware,
    dimension_count,
    index_array,
    parse_dimensions,
    parse_list,
    parse_result_types,
    parse_shaped_type,
    parse_size_aware_type,
    parse_tied_type,
    print_dimensions,
    print_result_types,
    print_shaped_type,
    print_tied_type,
)
from ..util.types import UnusedType
from .format import print_rows


@irdl_custom_directive
class EncodedResourceOperands(SharedDirective):
    """`%resource : tensor<?xf32>{%d} in type{%size}, …`, one a line."""

    resources: VariadicOperandVariable
    types: TypeDirective
    sizes: VariadicOperandVariable
    encodings: AttributeVariable
    encoding_dims: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        resources: list[UnresolvedOperand] = []
        types: list[Attribute] = []
        sizes: list[UnresolvedOperand] = []
        encodings: list[Attribute] = []
        all_dims: list[UnresolvedOperand] = []

        def parse_row() -> None:
            resources.append(parser.parse_unresolved_operand())
            parser.parse_punctuation(":")
            encoding, dims = parse_shaped_type(parser)
            encodings.append(encoding)
            all_dims.extend(dims)
            parser.parse_keyword("in")
            type, size = parse_size_aware_type(parser)
            types.append(type)
            sizes.append(size)

        parse_list(parser, parse_row)
        self.resources.set(state, resources)
        self.types.set(state, types)
        self.sizes.set(state, sizes)
        self.encodings.set(state, ArrayAttr(encodings))
        self.encoding_dims.set(state, all_dims)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        dims = iter(self.encoding_dims.get(op))

        def print_row(row: tuple[SSAValue, Attribute, SSAValue]) -> None:
            resource, encoding, size = row
            printer.print_ssa_value(resource)
            printer.print_string(" : ")
            print_shaped_type(printer, encoding, dims)
            printer.print_string(" in ")
            print_shaped_type(printer, resource.type, iter((size,)))

        encodings = encoding_list(self.encodings.get(op))
        rows = zip(self.resources.get(op), encodings, self.sizes.get(op), strict=True)
        print_rows(printer, rows, print_row)
        printer.print_string("\n")
        state.should_emit_space = False


def encoding_list(attr: Attribute | None) -> tuple[Attribute, ...]:
    """The types stored in a property of encodings; `!util.unused` where there is none."""
    return cast(ArrayAttr[Attribute], attr).data if isinstance(attr, ArrayAttr) else ()


def _parse_encoded_type(
    parser: Parser,
) -> tuple[Attribute, list[UnresolvedOperand], Attribute, list[UnresolvedOperand]]:
    """Parses `encoding{%dims} in type{%size}` or `type{%size}`: type, sizes, encoding, dims."""
    first, first_dims = parse_shaped_type(parser)
    if parser.parse_optional_keyword("in") is None:
        return first, first_dims, UnusedType(), []
    type, sizes = parse_shaped_type(parser)
    return type, sizes, first, first_dims


@irdl_custom_directive
class EncodedShapedFunctionType(SharedDirective):
    """`(encoding{%d} in type{%size}, type) -> (encoding{%d} in %operand{%size}, type{%size})`."""

    operands: VariadicOperandVariable
    operand_types: TypeDirective
    operand_sizes: VariadicOperandVariable
    operand_encodings: AttributeVariable
    operand_encoding_dims: VariadicOperandVariable
    result_types: TypeDirective
    result_sizes: VariadicOperandVariable
    result_encodings: AttributeVariable
    result_encoding_dims: VariadicOperandVariable
    tied_operands: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        parsed = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: _parse_encoded_type(parser)
        )
        types = [type for type, _, _, _ in parsed]
        self.operand_types.set(state, types)
        self.operand_sizes.set(state, [size for _, sizes, _, _ in parsed for size in sizes])
        self.operand_encodings.set(state, ArrayAttr(encoding for _, _, encoding, _ in parsed))
        self.operand_encoding_dims.set(state, [dim for *_, dims in parsed for dim in dims])
        operands = state.operands[self.operands.index] or ()
        if len(operands) != len(types):
            parser.raise_error(f"expected {len(operands)} operand types, got {len(types)}")
        parser.parse_punctuation("->")
        self._parse_results(parser, state, operands, types)

    def _parse_results(
        self,
        parser: Parser,
        state: ParsingState,
        operands: Sequence[UnresolvedOperand],
        types: Sequence[Attribute],
    ) -> None:
        sizes: list[UnresolvedOperand] = []
        encodings: list[Attribute] = []
        all_dims: list[UnresolvedOperand] = []

        def parse_result() -> tuple[Attribute, int]:
            encoding: Attribute = UnusedType()
            type, index = parse_tied_type(parser, operands, types)
            dims = parse_dimensions(parser, dimension_count(type))
            if index == UNTIED and parser.parse_optional_keyword("in") is not None:
                encoding = type
                all_dims.extend(dims)
                type, index = parse_tied_type(parser, operands, types)
                dims = parse_dimensions(parser, dimension_count(type))
            encodings.append(encoding)
            sizes.extend(dims)
            return type, index

        results = parse_result_types(parser, parse_result)
        self.result_types.set(state, [type for type, _ in results])
        self.result_sizes.set(state, sizes)
        self.result_encodings.set(state, ArrayAttr(encodings))
        self.result_encoding_dims.set(state, all_dims)
        if results:
            self.tied_operands.set(state, index_array([index for _, index in results]))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        sizes = iter(self.operand_sizes.get(op))
        dims = iter(self.operand_encoding_dims.get(op))

        def print_operand(operand: tuple[Attribute, Attribute]) -> None:
            _print_encoding(printer, operand[1], dims)
            print_shaped_type(printer, operand[0], sizes)

        encodings = encoding_list(self.operand_encodings.get(op))
        with printer.in_parens():
            pairs = zip(self.operand_types.get(op), encodings, strict=True)
            printer.print_list(pairs, print_operand)
        printer.print_string(" -> ")
        self._print_results(printer, op)

    def _print_results(self, printer: Printer, op: IRDLOperation) -> None:
        inner = self.result_types.inner
        assert isinstance(inner, VariableDirective)
        encodings = iter(encoding_list(self.result_encodings.get(op)))
        sizes = iter(self.result_sizes.get(op))
        dims = iter(self.result_encoding_dims.get(op))

        def print_result(result: SSAValue) -> None:
            _print_encoding(printer, next(encodings), dims)
            print_tied_type(printer, result)
            if isinstance(result.type, SizeAware):
                print_dimensions(printer, result.type, sizes)

        print_result_types(printer, field_values(op, inner.name), print_result)


def _print_encoding(printer: Printer, encoding: Attribute, dims: Iterator[SSAValue]) -> None:
    """Prints `encoding{%dims} in `, or nothing where there is no encoding."""
    if not isinstance(encoding, UnusedType):
        print_shaped_type(printer, encoding, dims)
        printer.print_string(" in ")
