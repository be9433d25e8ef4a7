"""Directives of the stream dialect alone: bound ranges, captures, slices, constants.

The shapes shared with other dialects are in `..format`, `..format_functions`, `..format_symbols`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    OptionalOperandVariable,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..access import Access
from ..format import (
    SharedDirective,
    parse_list,
    parse_size_aware_type,
    print_shaped_type,
)
from .attributes import CollectiveAttr
from .types import ResourceType

ACCESS_WORDS = {"ro": Access.READ, "wo": Access.WRITE, "rw": Access.READ_WRITE}
_Row = TypeVar("_Row")
_WORD_BY_ACCESS = {int(access): word for word, access in ACCESS_WORDS.items()}


def access_array(accesses: Sequence[Access]) -> ArrayAttr[IntegerAttr]:
    """`[1 : i32, …]`, the storage of `resource_accesses`."""
    return ArrayAttr(IntegerAttr(int(access), i32) for access in accesses)


def access_list(attr: Attribute | None) -> tuple[Access, ...]:
    """The accesses stored in a `resource_accesses` property."""
    if not isinstance(attr, ArrayAttr):
        return ()
    return tuple(Access(entry.value.data) for entry in cast(ArrayAttr[IntegerAttr], attr))


def print_range(printer: Printer, *values: SSAValue) -> None:
    """Prints `[%offset for %length]` or `[%offset to %end for %length]`."""
    words = (" for ",) if len(values) == 2 else (" to ", " for ")
    with printer.in_square_brackets():
        printer.print_ssa_value(values[0])
        for word, value in zip(words, values[1:], strict=True):
            printer.print_string(word)
            printer.print_ssa_value(value)


def parse_range(parser: Parser) -> tuple[UnresolvedOperand, UnresolvedOperand]:
    """Parses `[%offset for %length]`."""
    with parser.in_square_brackets():
        offset = parser.parse_unresolved_operand()
        parser.parse_keyword("for")
        length = parser.parse_unresolved_operand()
    return offset, length


def parse_end_range(
    parser: Parser,
) -> tuple[UnresolvedOperand, UnresolvedOperand, UnresolvedOperand]:
    """Parses `[%offset to %end for %length]`."""
    with parser.in_square_brackets():
        offset = parser.parse_unresolved_operand()
        parser.parse_keyword("to")
        end = parser.parse_unresolved_operand()
        parser.parse_keyword("for")
        length = parser.parse_unresolved_operand()
    return offset, end, length


def print_rows(printer: Printer, rows: Iterable[_Row], print_row: Callable[[_Row], None]) -> None:
    """Prints rows, one a line and indented, with a comma between them."""
    with printer.indented():
        for index, row in enumerate(rows):
            printer.print_string(",\n" if index else "\n")
            print_row(row)


@irdl_custom_directive
class DispatchOperands(SharedDirective):
    """`(%resource[%offset to %end for %length], %primitive)`."""

    operands: VariadicOperandVariable
    offsets: VariadicOperandVariable
    ends: VariadicOperandVariable
    lengths: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        operands: list[UnresolvedOperand] = []
        ranges: list[tuple[UnresolvedOperand, UnresolvedOperand, UnresolvedOperand]] = []
        parser.parse_punctuation("(")
        if parser.parse_optional_punctuation(")") is None:
            while True:
                operands.append(parser.parse_unresolved_operand())
                if parser.parse_optional_punctuation("[") is not None:
                    offset = parser.parse_unresolved_operand()
                    parser.parse_keyword("to")
                    end = parser.parse_unresolved_operand()
                    parser.parse_keyword("for")
                    ranges.append((offset, end, parser.parse_unresolved_operand()))
                    parser.parse_punctuation("]")
                if parser.parse_optional_punctuation(",") is None:
                    break
            parser.parse_punctuation(")")
        self.operands.set(state, operands)
        self.offsets.set(state, [offset for offset, _, _ in ranges])
        self.ends.set(state, [end for _, end, _ in ranges])
        self.lengths.set(state, [length for _, _, length in ranges])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        ranges = zip(self.offsets.get(op), self.ends.get(op), self.lengths.get(op), strict=True)

        def print_operand(operand: SSAValue) -> None:
            printer.print_ssa_value(operand)
            if isinstance(operand.type, ResourceType):
                print_range(printer, *next(ranges))

        with printer.in_parens():
            printer.print_list(self.operands.get(op), print_operand)


@irdl_custom_directive
class DispatchResources(SharedDirective):
    """`ro %resource[%offset for %length] : type{%size}, …`, one a line."""

    resources: VariadicOperandVariable
    types: TypeDirective
    sizes: VariadicOperandVariable
    offsets: VariadicOperandVariable
    lengths: VariadicOperandVariable
    accesses: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        resources: list[UnresolvedOperand] = []
        types: list[Attribute] = []
        sizes: list[UnresolvedOperand] = []
        offsets: list[UnresolvedOperand] = []
        lengths: list[UnresolvedOperand] = []
        accesses: list[Access] = []

        def parse_row() -> None:
            accesses.append(ACCESS_WORDS[parser.parse_keyword_in(ACCESS_WORDS)])
            resources.append(parser.parse_unresolved_operand())
            offset, length = parse_range(parser)
            offsets.append(offset)
            lengths.append(length)
            parser.parse_punctuation(":")
            type, size = parse_size_aware_type(parser)
            types.append(type)
            sizes.append(size)

        parse_list(parser, parse_row)
        self.resources.set(state, resources)
        self.types.set(state, types)
        self.sizes.set(state, sizes)
        self.offsets.set(state, offsets)
        self.lengths.set(state, lengths)
        self.accesses.set(state, access_array(accesses))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        rows = zip(
            access_list(self.accesses.get(op)),
            self.resources.get(op),
            self.offsets.get(op),
            self.lengths.get(op),
            self.sizes.get(op),
            strict=True,
        )

        def print_row(row: tuple[Access, SSAValue, SSAValue, SSAValue, SSAValue]) -> None:
            access, resource, offset, length, size = row
            print_access(printer, access, resource, offset, length)
            printer.print_string(" : ")
            print_shaped_type(printer, resource.type, iter((size,)))

        print_rows(printer, rows, print_row)
        state.should_emit_space = False


def print_access(
    printer: Printer, access: Access, resource: SSAValue, offset: SSAValue, length: SSAValue
) -> None:
    """Prints `ro %resource[%offset for %length]`."""
    printer.print_string(_WORD_BY_ACCESS.get(access, "ro") + " ")
    printer.print_ssa_value(resource)
    print_range(printer, offset, length)


@irdl_custom_directive
class CmdCallOperands(SharedDirective):
    """`(ro %resource[%offset for %length], %primitive)`."""

    operands: VariadicOperandVariable
    offsets: VariadicOperandVariable
    lengths: VariadicOperandVariable
    accesses: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        operands: list[UnresolvedOperand] = []
        offsets: list[UnresolvedOperand] = []
        lengths: list[UnresolvedOperand] = []
        accesses: list[Access] = []

        def parse_operand() -> None:
            word = parser.parse_optional_keyword_in(ACCESS_WORDS)
            operands.append(parser.parse_unresolved_operand())
            if word is not None:
                accesses.append(ACCESS_WORDS[word])
                offset, length = parse_range(parser)
                offsets.append(offset)
                lengths.append(length)

        parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_operand)
        self.operands.set(state, operands)
        self.offsets.set(state, offsets)
        self.lengths.set(state, lengths)
        self.accesses.set(state, access_array(accesses))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        accesses = access_list(self.accesses.get(op))
        ranges = zip(accesses, self.offsets.get(op), self.lengths.get(op), strict=True)

        def print_operand(operand: SSAValue) -> None:
            if isinstance(operand.type, ResourceType):
                access, offset, length = next(ranges)
                print_access(printer, access, operand, offset, length)
            else:
                printer.print_ssa_value(operand)

        with printer.in_parens():
            printer.print_list(self.operands.get(op), print_operand)


PARAM_WORDS = {
    "broadcast": "source",
    "reduce": "target",
    "send": "target",
    "recv": "source",
    "send_recv": "source_target_pair",
}
"""The word before the parameter of a collective that has one."""


@irdl_custom_directive
class CollectiveParam(SharedDirective):
    """`source(%rank)` and the like, where the collective `op` (a `ref`) takes a parameter."""

    op: AttributeVariable
    param: OptionalOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        collective = state.properties[self.op.name]
        assert isinstance(collective, CollectiveAttr)
        word = PARAM_WORDS.get(collective.data.kind)
        if word is None:
            self.param.set(state, None)
            return
        parser.parse_keyword(word)
        with parser.in_parens():
            self.param.set(state, parser.parse_unresolved_operand())

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        param = self.param.get(op)
        collective = self.op.get(op)
        assert isinstance(collective, CollectiveAttr)
        word = PARAM_WORDS.get(collective.data.kind)
        if param is None or word is None:
            printer.print_string(" ")
            return
        printer.print_string(f" {word}(")
        printer.print_ssa_value(param)
        printer.print_string(") ")
