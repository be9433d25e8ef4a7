"""Directives for inherent attributes: those that a format names nowhere, and optional strings.

IREE prints the former between `<` and `>` just before the attribute dictionary, which itself holds
discardable attributes only: `util.buffer.alloc uninitialized <alignment = 16> {tag} : …`.
"""

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from .format import SharedDirective


@irdl_custom_directive
class OptionalString(SharedDirective):
    """`"text"`, or nothing; a dictionary that follows is not taken for the value."""

    value: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        text = parser.parse_optional_str_literal()
        if text is not None:
            self.value.set(state, StringAttr(text))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        value = self.value.get(op)
        if value is not None:
            state.print_whitespace(printer)
            printer.print_attribute(value)

    def can_parse_empty(self) -> bool:
        """The text may be absent."""
        return True


class _PropertyDictionary(SharedDirective):
    """`<name = value, …>` with those of the parameters that are present; nothing for none."""

    def _variables(self) -> list[AttributeVariable]:
        return [getattr(self, name) for name in self.parameters]

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        variables = {variable.name: variable for variable in self._variables()}

        def parse_entry() -> None:
            start = parser.pos
            name = parser.parse_identifier()
            variable = variables.pop(name, None)
            if variable is None:
                parser.raise_error(
                    f"expected one of {', '.join(variables) or 'no further names'}, got {name}",
                    start,
                    parser.pos,
                )
            value = None
            if parser.parse_optional_punctuation("=") is not None:
                value = variable.parse_attr(parser)
            variable.set(state, UnitAttr() if value is None else value)

        parser.parse_optional_comma_separated_list(parser.Delimiter.ANGLE, parse_entry)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        present = [variable for variable in self._variables() if variable.get(op) is not None]
        if not present:
            return
        state.print_whitespace(printer)

        def print_entry(variable: AttributeVariable) -> None:
            printer.print_string(variable.name)
            value = variable.get(op)
            if value is not None and not isinstance(value, UnitAttr):
                printer.print_string(" = ")
                variable.print_attr(printer, value)

        with printer.in_angle_brackets():
            printer.print_list(present, print_entry)

    def can_parse_empty(self) -> bool:
        """All parameters may be absent."""
        return True


@irdl_custom_directive
class PropDict(_PropertyDictionary):
    """`<a = value>`, or nothing."""

    a: AttributeVariable


@irdl_custom_directive
class PropDict2(_PropertyDictionary):
    """`<a = value, b = value>` with those present."""

    a: AttributeVariable
    b: AttributeVariable


@irdl_custom_directive
class PropDict3(_PropertyDictionary):
    """`<a = value, b = value, c = value>` with those present."""

    a: AttributeVariable
    b: AttributeVariable
    c: AttributeVariable


@irdl_custom_directive
class PropDict4(_PropertyDictionary):
    """`<a = value, b = value, c = value, d = value>` with those present."""

    a: AttributeVariable
    b: AttributeVariable
    c: AttributeVariable
    d: AttributeVariable
