"""Directives of the parameter ops: rows that move bytes between resources and archives.

All rows name one scope, and gathers and scatters one resource; it is repeated in each row.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from typing_extensions import TypeVar
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    OperandVariable,
    OptionalOperandVariable,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..format import (
    SharedDirective,
    parse_list,
    parse_size_aware_type,
    same_operand,
)
from ..format_symbols import parse_parameter_reference
from .format import parse_end_range, parse_range, print_range, print_rows

_Row = TypeVar("_Row")


@dataclass
class _Rows:
    """What the rows parsed so far state; the first row's scope and resource hold for all."""

    scope: UnresolvedOperand | None = None
    keys: list[UnresolvedOperand] = field(default_factory=list[UnresolvedOperand])
    offsets: list[UnresolvedOperand] = field(default_factory=list[UnresolvedOperand])
    """Bytes into the parameter, one a row."""
    ranges: list[tuple[UnresolvedOperand, ...]] = field(
        default_factory=list[tuple[UnresolvedOperand, ...]]
    )
    """The resource's range, one a row: offset, end where stated, length."""
    resource: tuple[UnresolvedOperand, Attribute, UnresolvedOperand | None] | None = None
    """The resource, its type and, where that is stated, its size."""

    def parse_parameter(self, parser: Parser) -> None:
        """Parses `%scope::%key[%offset]`."""
        position = parser.pos
        scope, key = parse_parameter_reference(parser)
        if not self.keys:
            self.scope = scope
        elif not _same_optional(scope, self.scope):
            parser.raise_error("expected one scope in all rows, got two", position)
        self.keys.append(key)
        with parser.in_square_brackets():
            self.offsets.append(parser.parse_unresolved_operand())

    def parse_resource(
        self,
        parser: Parser,
        parse: Callable[[Parser], tuple[UnresolvedOperand, ...]],
        *,
        sized: bool,
    ) -> None:
        """Parses `%resource[range] : type{%size}`, or without the size."""
        position = parser.pos
        resource = parser.parse_unresolved_operand()
        self.ranges.append(parse(parser))
        parser.parse_punctuation(":")
        type, size = parse_size_aware_type(parser) if sized else (parser.parse_type(), None)
        if self.resource is None:
            self.resource = (resource, type, size)
            return
        first, first_type, first_size = self.resource
        if not (
            same_operand(first, resource)
            and first_type == type
            and _same_optional(first_size, size)
        ):
            parser.raise_error("expected one resource in all rows, got two", position)


def _same_optional(lhs: UnresolvedOperand | None, rhs: UnresolvedOperand | None) -> bool:
    if lhs is None or rhs is None:
        return lhs is rhs
    return same_operand(lhs, rhs)


def _print_parameter(
    printer: Printer, scope: SSAValue | None, key: SSAValue, offset: SSAValue
) -> None:
    """Prints `%scope::%key[%offset]`."""
    if scope is not None:
        printer.print_ssa_value(scope)
        printer.print_string("::")
    printer.print_ssa_value(key)
    with printer.in_square_brackets():
        printer.print_ssa_value(offset)


def _print_resource(
    printer: Printer, resource: SSAValue, size: SSAValue | None, bounds: Sequence[SSAValue]
) -> None:
    """Prints `%resource[range] : type{%size}`, or without the size."""
    printer.print_ssa_value(resource)
    print_range(printer, *bounds)
    printer.print_string(" : ")
    if size is None:
        printer.print_attribute(resource.type)
    else:
        _print_sized(printer, resource.type, size)


def _print_sized(printer: Printer, type: Attribute, size: SSAValue) -> None:
    """Prints `type{%size}`, whatever the type says of sizes."""
    printer.print_attribute(type)
    with printer.in_braces():
        printer.print_ssa_value(size)


def _print_braced_rows(
    printer: Printer,
    state: PrintingState,
    rows: Iterable[_Row],
    print_row: Callable[[_Row], None],
) -> None:
    """Prints rows and the line break before the closing brace."""
    print_rows(printer, rows, print_row)
    printer.print_string("\n")
    state.should_emit_space = False


@irdl_custom_directive
class ParameterLoadOperations(SharedDirective):
    """`%scope::%key[%offset] : type{%size}, …`."""

    scope: OptionalOperandVariable
    keys: VariadicOperandVariable
    offsets: VariadicOperandVariable
    types: TypeDirective
    sizes: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        rows = _Rows()
        types: list[Attribute] = []
        sizes: list[UnresolvedOperand] = []

        def parse_row() -> None:
            rows.parse_parameter(parser)
            parser.parse_punctuation(":")
            type, size = parse_size_aware_type(parser)
            types.append(type)
            sizes.append(size)

        parse_list(parser, parse_row)
        self.scope.set(state, rows.scope)
        self.keys.set(state, rows.keys)
        self.offsets.set(state, rows.offsets)
        self.types.set(state, types)
        self.sizes.set(state, sizes)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        scope = self.scope.get(op)

        def print_row(row: tuple[SSAValue, SSAValue, Attribute, SSAValue]) -> None:
            key, offset, type, size = row
            _print_parameter(printer, scope, key, offset)
            printer.print_string(" : ")
            _print_sized(printer, type, size)

        rows = zip(
            self.keys.get(op),
            self.offsets.get(op),
            self.types.get(op),
            self.sizes.get(op),
            strict=True,
        )
        _print_braced_rows(printer, state, rows, print_row)


@dataclass(frozen=True)
class TransferRows:
    """Rows between one resource and a scope. `gather`: from the scope into the resource."""

    gather: bool
    scope: OptionalOperandVariable
    keys: VariadicOperandVariable
    offsets: VariadicOperandVariable
    resource: OperandVariable
    type: TypeDirective
    size: OperandVariable | None
    """None where the type tells nothing of it."""
    bounds: tuple[VariadicOperandVariable, ...]
    """Offsets, ends where the op states them, lengths."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses `parameter -> resource, …` or `resource -> parameter, …`."""
        rows = _Rows()
        parse_bounds = parse_range if len(self.bounds) == 2 else parse_end_range
        sized = self.size is not None

        def parse_row() -> None:
            if self.gather:
                rows.parse_parameter(parser)
                parser.parse_punctuation("->")
                rows.parse_resource(parser, parse_bounds, sized=sized)
            else:
                rows.parse_resource(parser, parse_bounds, sized=sized)
                parser.parse_punctuation("->")
                rows.parse_parameter(parser)

        parse_list(parser, parse_row)
        assert rows.resource is not None
        resource, type, size = rows.resource
        self.scope.set(state, rows.scope)
        self.keys.set(state, rows.keys)
        self.offsets.set(state, rows.offsets)
        self.resource.set(state, resource)
        self.type.set(state, (type,))
        if self.size is not None and size is not None:
            self.size.set(state, size)
        for index, variable in enumerate(self.bounds):
            variable.set(state, [bounds[index] for bounds in rows.ranges])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the rows."""
        scope, resource = self.scope.get(op), self.resource.get(op)
        size = None if self.size is None else self.size.get(op)
        bounds = zip(*(variable.get(op) for variable in self.bounds), strict=True)

        def print_row(row: tuple[SSAValue, SSAValue, tuple[SSAValue, ...]]) -> None:
            key, offset, bounds = row
            if self.gather:
                _print_parameter(printer, scope, key, offset)
                printer.print_string(" -> ")
            _print_resource(printer, resource, size, bounds)
            if not self.gather:
                printer.print_string(" -> ")
                _print_parameter(printer, scope, key, offset)

        rows = zip(self.keys.get(op), self.offsets.get(op), bounds, strict=True)
        _print_braced_rows(printer, state, rows, print_row)


class TransferOperations(SharedDirective, ABC):
    """A directive that delegates to the rows it describes."""

    @abstractmethod
    def rows(self) -> TransferRows:
        """The parameters, in one order."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        self.rows().parse(parser, state)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        self.rows().print(printer, state, op)


@irdl_custom_directive
class AsyncParameterGatherOperations(TransferOperations):
    """`%scope::%key[%offset] -> %target[%start to %end for %length] : type{%size}, …`."""

    scope: OptionalOperandVariable
    keys: VariadicOperandVariable
    offsets: VariadicOperandVariable
    resource: OperandVariable
    type: TypeDirective
    size: OperandVariable
    starts: VariadicOperandVariable
    ends: VariadicOperandVariable
    lengths: VariadicOperandVariable

    def rows(self) -> TransferRows:
        """The parameters, in one order."""
        return TransferRows(
            True,
            self.scope,
            self.keys,
            self.offsets,
            self.resource,
            self.type,
            self.size,
            (self.starts, self.ends, self.lengths),
        )


@irdl_custom_directive
class CmdParameterGatherOperations(TransferOperations):
    """`%scope::%key[%offset] -> %target[%start for %length] : type{%size}, …`."""

    scope: OptionalOperandVariable
    keys: VariadicOperandVariable
    offsets: VariadicOperandVariable
    resource: OperandVariable
    type: TypeDirective
    size: OperandVariable
    starts: VariadicOperandVariable
    lengths: VariadicOperandVariable

    def rows(self) -> TransferRows:
        """The parameters, in one order."""
        return TransferRows(
            True,
            self.scope,
            self.keys,
            self.offsets,
            self.resource,
            self.type,
            self.size,
            (self.starts, self.lengths),
        )


@irdl_custom_directive
class AsyncParameterScatterOperations(TransferOperations):
    """`%source[%start to %end for %length] : type{%size} -> %scope::%key[%offset], …`."""

    resource: OperandVariable
    type: TypeDirective
    size: OperandVariable
    starts: VariadicOperandVariable
    ends: VariadicOperandVariable
    lengths: VariadicOperandVariable
    scope: OptionalOperandVariable
    keys: VariadicOperandVariable
    offsets: VariadicOperandVariable

    def rows(self) -> TransferRows:
        """The parameters, in one order."""
        return TransferRows(
            False,
            self.scope,
            self.keys,
            self.offsets,
            self.resource,
            self.type,
            self.size,
            (self.starts, self.ends, self.lengths),
        )


@irdl_custom_directive
class CmdParameterScatterOperations(TransferOperations):
    """`%source[%start for %length] : type{%size} -> %scope::%key[%offset], …`."""

    resource: OperandVariable
    type: TypeDirective
    size: OperandVariable
    starts: VariadicOperandVariable
    lengths: VariadicOperandVariable
    scope: OptionalOperandVariable
    keys: VariadicOperandVariable
    offsets: VariadicOperandVariable

    def rows(self) -> TransferRows:
        """The parameters, in one order."""
        return TransferRows(
            False,
            self.scope,
            self.keys,
            self.offsets,
            self.resource,
            self.type,
            self.size,
            (self.starts, self.lengths),
        )
