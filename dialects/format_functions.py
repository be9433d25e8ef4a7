"""Directives for function types and signatures with dimensions and tied results; see `format`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    OperandDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariableDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from .access import UNTIED, field_values
from .format import (
    SharedDirective,
    dimension_count,
    find_tied_operand,
    get_operands,
    get_parsed_operands,
    index_array,
    parse_dimensions,
    parse_list,
    parse_result_types,
    parse_shaped_type,
    parse_tied_type,
    print_dimensions,
    print_result_types,
    print_shaped_type,
    print_tied_type,
    set_operands,
)

# Function types --------------------------------------------------------------------------------


def parse_shaped_operand_types(
    parser: Parser,
) -> tuple[tuple[Attribute, ...], list[UnresolvedOperand]]:
    """Parses `(type, type{%dims}, …)`."""
    parsed = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parse_shaped_type(parser)
    )
    return tuple(type for type, _ in parsed), [dim for _, dims in parsed for dim in dims]


def parse_shaped_results(
    parser: Parser, operands: Sequence[UnresolvedOperand], operand_types: Sequence[Attribute]
) -> tuple[list[Attribute], list[UnresolvedOperand], list[int]]:
    """Parses `(type{%dim}, %operand{%dim}, …)`: types, dimensions and tied indices."""
    dims: list[UnresolvedOperand] = []

    def parse_result() -> tuple[Attribute, int]:
        type, index = parse_tied_type(parser, operands, operand_types)
        dims.extend(parse_dimensions(parser, dimension_count(type)))
        return type, index

    parsed = parse_result_types(parser, parse_result)
    return [type for type, _ in parsed], dims, [index for _, index in parsed]


def print_shaped_results(
    printer: Printer, results: Sequence[SSAValue], dims: Iterator[SSAValue]
) -> None:
    """Prints the results of a shaped function type."""

    def print_result(result: SSAValue) -> None:
        print_tied_type(printer, result)
        print_dimensions(printer, result.type, dims)

    print_result_types(printer, results, print_result)


@irdl_custom_directive
class ShapedFunctionType(SharedDirective):
    """`(type, type{%dim}) -> (type{%dim}, %operand{%dim})`.

    `operands` is a `ref(…)`; results name tied operands; `tied_operands` is set where there are
    results.
    """

    operands: VariadicOperandVariable
    operand_types: TypeDirective
    operand_dims: OperandDirective
    result_types: TypeDirective
    result_dims: OperandDirective
    tied_operands: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        types, dims = parse_shaped_operand_types(parser)
        self.operand_types.set(state, types)
        set_operands(self.operand_dims, state, dims)
        parser.parse_punctuation("->")
        operands = get_parsed_operands(self.operands, state)
        if len(operands) != len(types):
            parser.raise_error(f"expected {len(operands)} operand types, got {len(types)}")
        result_types, dims, tied = parse_shaped_results(parser, operands, types)
        self.result_types.set(state, result_types)
        set_operands(self.result_dims, state, dims)
        if tied:
            self.tied_operands.set(state, index_array(tied))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        dims = iter(get_operands(self.operand_dims, op))
        with printer.in_parens():
            printer.print_list(
                self.operand_types.get(op), lambda t: print_shaped_type(printer, t, dims)
            )
        printer.print_string(" -> ")
        inner = self.result_types.inner
        name = inner.name if isinstance(inner, VariableDirective) else "results"
        results = field_values(op, name)
        print_shaped_results(printer, results, iter(get_operands(self.result_dims, op)))


@irdl_custom_directive
class TiedFunctionResultList(SharedDirective):
    """`()`, `type`, `(type, %operand as type)`: results of a call without dimensions."""

    operands: VariadicOperandVariable
    operand_types: TypeDirective
    result_types: TypeDirective
    tied_operands: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        operands = get_parsed_operands(self.operands, state)
        inner = self.operand_types.inner
        assert isinstance(inner, VariableDirective)
        types = state.operand_types[inner.index] or ()
        if len(operands) != len(types):
            parser.raise_error(f"expected {len(operands)} operand types, got {len(types)}")
        results = parse_result_types(parser, lambda: parse_tied_type(parser, operands, types))
        self.result_types.set(state, tuple(type for type, _ in results))
        if results:
            self.tied_operands.set(state, index_array([index for _, index in results]))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        print_result_types(printer, op.results, lambda result: print_tied_type(printer, result))


@irdl_custom_directive
class OperandTypeList(SharedDirective):
    """`(type, type)`."""

    types: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        self.types.set(
            state, parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        )

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        with printer.in_parens():
            printer.print_list(self.types.get(op), printer.print_attribute)


# Signatures ------------------------------------------------------------------------------------


def parse_attr_dict(parser: Parser) -> DictionaryAttr:
    """Parses an optional `{name = value, …}`; empty where there is none."""
    return DictionaryAttr(parser.parse_optional_attr_dict())


def print_attr_dict(printer: Printer, attrs: Attribute | None, index: int) -> None:
    """Prints ` {…}` for entry `index` of an array of dictionaries, unless it is empty."""
    if isinstance(attrs, ArrayAttr):
        entry = cast(ArrayAttr[Attribute], attrs).data[index]
        if isinstance(entry, DictionaryAttr) and entry.data:
            printer.print_string(" ")
            printer.print_attr_dict(entry.data)


@irdl_custom_directive
class ShapedFunctionSignature(SharedDirective):
    """`(%arg0: type {attrs}, %arg1: type) -> (type {attrs}, %arg1 as type)`, a declaration."""

    function_type: AttributeVariable
    tied_operands: AttributeVariable
    arg_attrs: AttributeVariable
    res_attrs: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""

        def parse_argument() -> tuple[UnresolvedOperand, Attribute, Attribute]:
            name = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            return name, parser.parse_type(), parse_attr_dict(parser)

        args = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_argument)
        names = [name for name, _, _ in args]
        types = [type for _, type, _ in args]
        if args:
            self.arg_attrs.set(state, ArrayAttr(attrs for _, _, attrs in args))

        def parse_result() -> tuple[Attribute, int, Attribute]:
            tied = parser.parse_optional_unresolved_operand()
            index = UNTIED if tied is None else find_tied_operand(parser, tied, names)
            if tied is not None and parser.parse_optional_keyword("as") is None:
                type = types[index]
            else:
                type = parser.parse_type()
            return type, index, parse_attr_dict(parser) if in_parens else DictionaryAttr({})

        results: list[tuple[Attribute, int, Attribute]] = []
        if parser.parse_optional_punctuation("->") is not None:
            in_parens = parser.parse_optional_punctuation("(") is not None
            if not in_parens or parser.parse_optional_punctuation(")") is None:
                results = parse_list(parser, parse_result)
                if in_parens:
                    parser.parse_punctuation(")")
        if results:
            self.res_attrs.set(state, ArrayAttr(attrs for _, _, attrs in results))
            self.tied_operands.set(state, index_array([index for _, index, _ in results]))
        result_types = [type for type, _, _ in results]
        self.function_type.set(state, FunctionType.from_lists(types, result_types))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        function_type = cast(FunctionType, self.function_type.get(op))
        arg_attrs = self.arg_attrs.get(op)
        types = function_type.inputs.data

        def print_argument(arg: tuple[int, Attribute]) -> None:
            printer.print_string(f"%arg{arg[0]}: ")
            printer.print_attribute(arg[1])
            print_attr_dict(printer, arg_attrs, arg[0])

        with printer.in_parens():
            printer.print_list(enumerate(types), print_argument)
        if function_type.outputs.data:
            printer.print_string(" -> ")
            self._print_results(printer, op, function_type)

    def _print_results(
        self, printer: Printer, op: IRDLOperation, function_type: FunctionType
    ) -> None:
        res_attrs = self.res_attrs.get(op)
        outputs = function_type.outputs.data
        stored = self.tied_operands.get(op)
        tied = (
            [entry.value.data for entry in cast(ArrayAttr[IntegerAttr], stored)]
            if isinstance(stored, ArrayAttr)
            else [UNTIED] * len(outputs)
        )

        def print_result(result: tuple[int, Attribute]) -> None:
            index, type = result
            if tied[index] != UNTIED:
                printer.print_string(f"%arg{tied[index]}")
            if tied[index] == UNTIED or function_type.inputs.data[tied[index]] != type:
                printer.print_string("" if tied[index] == UNTIED else " as ")
                printer.print_attribute(type)
            print_attr_dict(printer, res_attrs, index)

        any_attrs = isinstance(res_attrs, ArrayAttr) and any(
            isinstance(entry, DictionaryAttr) and entry.data
            for entry in cast(ArrayAttr[Attribute], res_attrs)
        )
        if len(outputs) == 1 and not any_attrs:
            print_result((0, outputs[0]))
            return
        with printer.in_parens():
            printer.print_list(enumerate(outputs), print_result)
