"""The syntax of functions with tied results, as `util.func` prints them."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
)
from xdsl.ir import Attribute, Region
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..access import UNTIED
from ..format import index_array, parse_list
from ..format_functions import parse_attr_dict, print_attr_dict


class _Argument(NamedTuple):
    """An argument of a signature; without a name in a declaration that gives types alone."""

    argument: Parser.Argument | None
    type: Attribute
    attrs: DictionaryAttr


class _Result(NamedTuple):
    """A result of a signature and the argument it is tied to."""

    type: Attribute
    tied: int
    attrs: DictionaryAttr


def _parse_argument(parser: Parser) -> _Argument:
    """Parses `%name: type {attrs} loc(…)` or `type {attrs}`."""
    argument = parser.parse_optional_argument()
    type = parser.parse_type() if argument is None else argument.type
    attrs = parse_attr_dict(parser)
    location = parser.parse_optional_location()
    if argument is not None:
        argument.location = location
    return _Argument(argument, type, attrs)


def _parse_result(parser: Parser, arguments: list[_Argument], with_attrs: bool) -> _Result:
    """Parses `type`, `%argument` or `%argument as type`, and `{attrs}` where they may stand."""
    tied, index = parser.parse_optional_unresolved_operand(), UNTIED
    if tied is not None:
        names = ["" if a.argument is None else a.argument.name.text[1:] for a in arguments]
        if tied.operand_name not in names:
            parser.raise_error(
                f"expected a result to be tied to an argument, got %{tied.operand_name}",
                tied.span.start,
                tied.span.end,
            )
        index = names.index(tied.operand_name)
    if tied is None or parser.parse_optional_keyword("as") is not None:
        type = parser.parse_type()
    else:
        type = arguments[index].type
    return _Result(type, index, parse_attr_dict(parser) if with_attrs else DictionaryAttr({}))


def _parse_results(parser: Parser, arguments: list[_Argument]) -> list[_Result]:
    """Parses `-> (result, …)`, `-> result` or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    if parser.parse_optional_punctuation("(") is None:
        return parse_list(parser, lambda: _parse_result(parser, arguments, False))
    if parser.parse_optional_punctuation(")") is not None:
        return []
    results = parse_list(parser, lambda: _parse_result(parser, arguments, True))
    parser.parse_punctuation(")")
    return results


INFERRED = ("sym_visibility", "sym_name", "function_type")
"""Properties that the signature states and the attribute dictionary may not."""


def parse_signature(parser: Parser) -> tuple[dict[str, Attribute], list[Parser.Argument] | None]:
    """Parses `(arguments) -> results`.

    Returns the properties it states, and the arguments of the body: None where only types are
    given.
    """
    arguments = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: _parse_argument(parser)
    )
    results = _parse_results(parser, arguments)
    properties: dict[str, Attribute] = {
        "function_type": FunctionType.from_lists(
            [argument.type for argument in arguments], [result.type for result in results]
        )
    }
    if results:
        properties["tied_operands"] = index_array([result.tied for result in results])
    for name, entries in (("arg_attrs", arguments), ("res_attrs", results)):
        if any(entry.attrs.data for entry in entries):
            properties[name] = ArrayAttr(entry.attrs for entry in entries)
    named = [argument.argument for argument in arguments if argument.argument is not None]
    return properties, named if len(named) == len(arguments) else None


def parse_function(
    parser: Parser, with_ties: bool = True
) -> tuple[dict[str, Attribute], dict[str, Attribute], Region]:
    """Parses `visibility @name(arguments) -> results attributes {…} {body}`.

    Returns properties, attributes and body, which is empty in a declaration; `tied_operands` is
    among the properties where there are results, unless functions are parsed without.
    """
    visibility = parser.parse_optional_visibility_keyword()
    properties: dict[str, Attribute] = {"sym_name": parser.parse_symbol_name()}
    if visibility is not None:
        properties["sym_visibility"] = visibility
    signature, named = parse_signature(parser)
    properties |= signature
    if not with_ties:
        properties.pop("tied_operands", None)
    attributes = parser.parse_optional_attr_dict_with_keyword(INFERRED)
    body = (None if named is None else parser.parse_optional_region(named)) or Region()
    return properties, {} if attributes is None else dict(attributes.data), body


def _print_results(
    printer: Printer, properties: Mapping[str, Attribute], print_name: Callable[[int], None]
) -> None:
    """Prints ` -> results`, or nothing."""
    function_type = cast(FunctionType, properties["function_type"])
    outputs, res_attrs = function_type.outputs.data, properties.get("res_attrs")
    if not outputs:
        return
    stored = cast("ArrayAttr[IntegerAttr] | None", properties.get("tied_operands")) or ()
    tied = [entry.value.data for entry in stored] or [UNTIED] * len(outputs)

    def print_result(result: tuple[int, Attribute]) -> None:
        index, type = result
        if tied[index] != UNTIED:
            print_name(tied[index])
        if tied[index] == UNTIED or function_type.inputs.data[tied[index]] != type:
            printer.print_string("" if tied[index] == UNTIED else " as ")
            printer.print_attribute(type)
        print_attr_dict(printer, res_attrs, index)

    in_parens = len(outputs) != 1 or res_attrs is not None
    printer.print_string(" -> (" if in_parens else " -> ")
    printer.print_list(enumerate(outputs), print_result)
    printer.print_string(")" if in_parens else "")


def print_signature(printer: Printer, properties: Mapping[str, Attribute], body: Region) -> None:
    """Prints what `parse_signature` parses."""
    entry = body.first_block
    inputs = cast(FunctionType, properties["function_type"]).inputs.data

    def print_name(index: int) -> None:
        if entry is None:
            printer.print_string(f"%arg{index}")
        else:
            printer.print_ssa_value(entry.args[index])

    def print_argument(argument: tuple[int, Attribute]) -> None:
        print_name(argument[0])
        printer.print_string(": ")
        printer.print_attribute(argument[1])
        print_attr_dict(printer, properties.get("arg_attrs"), argument[0])

    with printer.in_parens():
        printer.print_list(enumerate(inputs), print_argument)
    _print_results(printer, properties, print_name)


def print_function(
    printer: Printer,
    properties: Mapping[str, Attribute],
    attributes: Mapping[str, Attribute],
    body: Region,
    default_visibility: str = "public",
) -> None:
    """Prints what `parse_function` parses; the visibility also where it is the default one."""
    stated = properties.get("sym_visibility")
    visibility = stated.data if isinstance(stated, StringAttr) else default_visibility
    printer.print_string(f" {visibility} " if visibility else " ")
    printer.print_symbol_name(cast(StringAttr, properties["sym_name"]))
    print_signature(printer, properties, body)
    printer.print_op_attributes(attributes, print_keyword=True)
    if body.blocks:
        printer.print_string(" ")
        printer.print_region(body, print_entry_block_args=False)
