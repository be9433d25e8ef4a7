"""Constraints and directives of the dialect's ops that `zcir.dialects.format` does not have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue
from xdsl.irdl import AttrConstraint, IRDLOperation, VerificationContext
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    ParsingState,
    PrintingState,
    RegionVariable,
    TypeDirective,
    UniqueBaseAttributeVariable,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..format import SharedDirective, parse_list
from ..format_symbols import parse_result_region, print_result_region
from .enum_base import HalEnumType, enum_attr
from .syntax import parse_enum_value, print_enum_value


@dataclass(frozen=True)
class EnumConstraint(AttrConstraint[IntegerAttr[IntegerType]]):
    """An integer of the enumeration's width with one of its values."""

    enum: HalEnumType

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Check width and value."""
        width = self.enum.width()
        if not isinstance(attr, IntegerAttr) or attr.type != width:
            raise VerifyException(f"expected a {self.enum.__name__} of type {width}, got {attr}")
        if (expected := self.enum.expectation(attr.value.data)) is not None:
            raise VerifyException(f"expected {expected}, got {attr.value.data}")

    def mapping_type_vars(self, type_var_mapping: Mapping[Any, Any]) -> EnumConstraint:
        """There are none in it."""
        return self


@dataclass(frozen=True)
class OneOf(AttrConstraint[Attribute]):
    """One of some given attributes or types."""

    attributes: tuple[Attribute, ...]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Check that it is among them."""
        if attr not in self.attributes:
            listed = ", ".join(str(attribute) for attribute in self.attributes)
            raise VerifyException(f"expected one of {listed}, got {attr}")

    def mapping_type_vars(self, type_var_mapping: Mapping[Any, Any]) -> OneOf:
        """There are none in it."""
        return self


def _enum_of(op_type: type[IRDLOperation], name: str) -> HalEnumType:
    constraint = op_type.get_irdl_definition().properties[name].constr
    assert isinstance(constraint, EnumConstraint)
    return constraint.enum


class _AttributeDirective(SharedDirective):
    """A directive that stands for one property and anchors an optional group like it."""

    attr: AttributeVariable

    def is_present(self, op: IRDLOperation) -> bool:
        """Whether the op has the property."""
        return self.attr.is_present(op)

    def is_anchorable(self) -> bool:
        """Whether the property may be absent."""
        return self.attr.is_anchorable()


@irdl_custom_directive
class EnumValue(_AttributeDirective):
    """The name of an enumeration's value, for properties with an `EnumConstraint`."""

    attr: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        enum = _enum_of(state.op_type, self.attr.name)
        self.attr.set(state, enum_attr(enum, parse_enum_value(parser, enum)))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        value = cast(IntegerAttr[IntegerType], self.attr.get(op)).value.data
        print_enum_value(printer, _enum_of(type(op), self.attr.name), value)


@irdl_custom_directive
class Stripped(_AttributeDirective):
    """An attribute without its `#dialect.name`; an alias or the full form is read too."""

    attr: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        variable = self.attr
        assert isinstance(variable, UniqueBaseAttributeVariable)
        attribute = parser.parse_optional_attribute() if _at_hash(parser) else None
        if attribute is None:
            attribute = variable.parse_attr(parser)
        if attribute is not None:
            variable.set(state, attribute)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        cast(ParametrizedAttribute, self.attr.get(op)).print_parameters(printer)


def _at_hash(parser: Parser) -> bool:
    return parser.lexer.input.content[parser.pos : parser.pos + 1] == "#"


def _parse_binding(
    parser: Parser,
) -> tuple[UnresolvedOperand, Attribute, UnresolvedOperand, UnresolvedOperand]:
    with parser.in_parens():
        buffer = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        type = parser.parse_type()
    with parser.in_square_brackets():
        offset = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        length = parser.parse_unresolved_operand()
    return buffer, type, offset, length


@irdl_custom_directive
class Bindings(SharedDirective):
    """`(%buffer : type)[%offset, %length], …`, one on each line; may be empty."""

    buffers: VariadicOperandVariable
    types: TypeDirective
    offsets: VariadicOperandVariable
    lengths: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        bindings = parse_list(parser, lambda: _parse_binding(parser)) if _at(parser, "(") else []
        self.buffers.set(state, [binding[0] for binding in bindings])
        self.types.set(state, [binding[1] for binding in bindings])
        self.offsets.set(state, [binding[2] for binding in bindings])
        self.lengths.set(state, [binding[3] for binding in bindings])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        rows = list(
            zip(self.buffers.get(op), self.offsets.get(op), self.lengths.get(op), strict=True)
        )
        with printer.indented():
            for index, row in enumerate(rows):
                printer.print_string("," if index else "")
                printer._print_new_line()
                _print_binding(printer, *row)
        if rows:
            printer._print_new_line()
        state.should_emit_space = False
        state.last_was_punctuation = True


def _at(parser: Parser, punctuation: str) -> bool:
    return parser.lexer.input.content[parser.pos : parser.pos + 1] == punctuation


def _print_binding(printer: Printer, buffer: SSAValue, offset: SSAValue, length: SSAValue) -> None:
    with printer.in_parens():
        printer.print_ssa_value(buffer)
        printer.print_string(" : ")
        printer.print_attribute(buffer.type)
    with printer.in_square_brackets():
        printer.print_list((offset, length), printer.print_ssa_value)


BOOL: Sequence[Attribute] = (i1,)
"""What a condition region returns."""


@irdl_custom_directive
class ConditionRegion(SharedDirective):
    """`(%device: !hal.device) -> i1 {…}`; the keyword stands in the format."""

    body: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        self.body.set(state, parse_result_region(parser, BOOL))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        print_result_region(printer, self.body.get(op), BOOL)
        state.last_was_punctuation = False
        state.should_emit_space = True

    def is_present(self, op: IRDLOperation) -> bool:
        """Whether there is a region."""
        return self.body.is_present(op)

    def is_anchorable(self) -> bool:
        """The region may be absent."""
        return True
