"""Directives for symbols, function signatures, entry points and count regions.

The second half of the recurring shapes of IREE's assembly formats; see `format`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Block, Region
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    OperandVariable,
    OptionalOperandVariable,
    ParsingState,
    PrintingState,
    RegionVariable,
    ResultVariable,
    TypeDirective,
    VariableDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from .format import (
    INDEX,
    SharedDirective,
    dimension_count,
    parse_result_types,
)

# Symbols ---------------------------------------------------------------------------------------


@irdl_custom_directive
class SymbolVisibility(SharedDirective):
    """`public`, `private` or `nested`; printed as `public` where it is absent."""

    visibility: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        if (visibility := parser.parse_optional_visibility_keyword()) is not None:
            self.visibility.set(state, visibility)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        visibility = self.visibility.get(op)
        printer.print_string(visibility.data if isinstance(visibility, StringAttr) else "public")


def parse_flat_symbol(parser: Parser) -> SymbolRefAttr:
    """Parses `@name`."""
    return SymbolRefAttr(parser.parse_symbol_name())


@irdl_custom_directive
class SymbolAlias(SharedDirective):
    """`@symbol` or `@symbol as("name")`: the symbol that an op stands for under its own name."""

    sym_name: AttributeVariable
    alias: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        alias = parse_flat_symbol(parser)
        name = alias.root_reference
        if parser.parse_optional_keyword("as") is not None:
            with parser.in_parens():
                name = StringAttr(parser.parse_str_literal())
        self.sym_name.set(state, name)
        self.alias.set(state, alias)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        alias = cast(SymbolRefAttr, self.alias.get(op))
        name = cast(StringAttr, self.sym_name.get(op))
        printer.print_attribute(alias)
        if name != alias.root_reference:
            printer.print_string(" as(")
            printer.print_string_literal(name.data)
            printer.print_string(")")


@irdl_custom_directive
class TypeAlias(SharedDirective):
    """`encoding as storage`, or `storage` where both are one type."""

    encoding: AttributeVariable
    storage: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        encoding = parser.parse_type()
        storage = encoding
        if parser.parse_optional_keyword("as") is not None:
            storage = parser.parse_type()
        self.encoding.set(state, encoding)
        self.storage.set(state, (storage,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        encoding = self.encoding.get(op)
        storage = self.storage.get(op)[0]
        if encoding is not None and encoding != storage:
            printer.print_attribute(encoding)
            printer.print_string(" as ")
        printer.print_attribute(storage)


@irdl_custom_directive
class DynamicDimensions(SharedDirective):
    """`{%a, %b}` after a type with dynamic dimensions; the verifier counts the values.

    For formats in which a dictionary may follow a static type.
    """

    type: TypeDirective
    dims: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        inner = self.type.inner
        assert isinstance(inner, VariableDirective)
        results = isinstance(inner, ResultVariable)
        types = (state.result_types if results else state.operand_types)[inner.index] or ()
        dynamic = any(dimension_count(type) for type in types)
        values = (
            parser.parse_optional_comma_separated_list(
                parser.Delimiter.BRACES, parser.parse_unresolved_operand
            )
            if dynamic
            else None
        )
        self.dims.set(state, values or ())

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        if dims := self.dims.get(op):
            state.print_whitespace(printer)
            with printer.in_braces():
                printer.print_list(dims, printer.print_ssa_value)


@irdl_custom_directive
class DispatchEntryPoints(SharedDirective):
    """`@executable::@export` or `{@executable::@a, @executable::@b}`."""

    entry_points: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        points = parser.parse_optional_comma_separated_list(
            parser.Delimiter.BRACES, parser.parse_attribute
        )
        if points is None:
            points = [parser.parse_attribute()]
        self.entry_points.set(state, ArrayAttr(points))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        points = cast(ArrayAttr[Attribute], self.entry_points.get(op))
        if len(points) == 1:
            printer.print_attribute(points.data[0])
            return
        with printer.in_braces():
            printer.print_list(points, printer.print_attribute)


# Parameters ------------------------------------------------------------------------------------


def parse_parameter_reference(
    parser: Parser,
) -> tuple[UnresolvedOperand | None, UnresolvedOperand]:
    """Parses `%scope::%key` or `%key`."""
    first = parser.parse_unresolved_operand()
    if parser.parse_optional_punctuation(":") is None:
        return None, first
    parser.parse_punctuation(":")
    return first, parser.parse_unresolved_operand()


@irdl_custom_directive
class ParameterReference(SharedDirective):
    """`%scope::%key` or `%key`."""

    scope: OptionalOperandVariable
    key: OperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        scope, key = parse_parameter_reference(parser)
        self.scope.set(state, scope)
        self.key.set(state, key)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        if (scope := self.scope.get(op)) is not None:
            printer.print_ssa_value(scope)
            printer.print_string("::")
        printer.print_ssa_value(self.key.get(op))


# Regions ---------------------------------------------------------------------------------------


def parse_region_arguments(parser: Parser) -> list[Parser.Argument]:
    """Parses `(%a: type, …)`, the arguments of a region that follows."""
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)


def parse_result_region(parser: Parser, results: Sequence[Attribute]) -> Region:
    """Parses `(%a: index) -> (types) {…}` and checks the types."""
    args = parse_region_arguments(parser)
    parser.parse_punctuation("->")
    position = parser.pos
    types = parse_result_types(parser, parser.parse_type)
    if types != list(results):
        wanted = ", ".join(str(type) for type in results)
        got = ", ".join(str(type) for type in types)
        parser.raise_error(f"expected a region that returns ({wanted}), got ({got})", position)
    return parser.parse_region(args)


def print_result_region(printer: Printer, region: Region, results: Sequence[Attribute]) -> None:
    """Prints `(%a: index) -> (types) {…}`."""
    with printer.in_parens():
        printer.print_list(region.block.args, printer.print_block_argument)
    printer.print_string(" -> ")
    if len(results) == 1:
        printer.print_attribute(results[0])
    else:
        with printer.in_parens():
            printer.print_list(results, printer.print_attribute)
    printer.print_string(" ")
    printer.print_region(region, print_entry_block_args=False)


COUNT_TYPES = (INDEX, INDEX, INDEX)
"""What a workgroup count region returns: the counts in x, y and z."""


def _parse_count_region(
    parser: Parser, state: ParsingState, body: RegionVariable, keyword: str | None
) -> None:
    present = keyword is None or parser.parse_optional_keyword(keyword) is not None
    body.set(state, parse_result_region(parser, COUNT_TYPES) if present else Region())


def _print_count_region(
    printer: Printer, state: PrintingState, region: Region, keyword: str
) -> None:
    if region.blocks:
        state.print_whitespace(printer)
        printer.print_string(keyword)
        print_result_region(printer, region, COUNT_TYPES)


@irdl_custom_directive
class WorkgroupCountRegion(SharedDirective):
    """`workgroups(%a: index) -> (index, index, index) {…}`, or nothing."""

    body: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        _parse_count_region(parser, state, self.body, "workgroups")

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        _print_count_region(printer, state, self.body.get(op), "workgroups")


@irdl_custom_directive
class DispatchWorkgroupsCountRegion(SharedDirective):
    """`count(%a: index) -> (index, index, index) {…}`, or nothing."""

    body: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        _parse_count_region(parser, state, self.body, "count")

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        _print_count_region(printer, state, self.body.get(op), "count")


@irdl_custom_directive
class CountRegion(SharedDirective):
    """`(%a: index) -> (index, index, index) {…}`; the keyword stands in the format (hal)."""

    body: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        _parse_count_region(parser, state, self.body, None)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        _print_count_region(printer, state, self.body.get(op), "")

    def is_present(self, op: IRDLOperation) -> bool:
        """Whether there is a region."""
        return self.body.is_present(op)

    def is_anchorable(self) -> bool:
        """The region may be absent."""
        return True


def has_stated_terminator(region: Region) -> bool:
    """Whether a terminator that is usually left out has attributes, and is printed for them."""
    last = None if region.first_block is None else region.first_block.last_op
    return last is not None and bool(last.attributes)


@irdl_custom_directive
class ImplicitTerminatorRegion(SharedDirective):
    """`{…}` without its terminator, for ops with SingleBlockImplicitTerminator."""

    body: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        region = parser.parse_region()
        if not region.blocks:
            # `{}` has a block too: the one that holds the terminator.
            region.add_block(Block())
        self.body.set(state, region)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        printer.print_region(
            self.body.get(op),
            print_entry_block_args=False,
            print_block_terminators=has_stated_terminator(self.body.get(op)),
        )
