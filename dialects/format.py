"""Directives for the shapes that recur in IREE's assembly formats (`custom<…>` in ODS).

Types carry their dynamic dimensions or size in braces (`tensor<?x4xf32>{%d}`,
`!stream.resource<*>{%n}`), results may be tied to an operand (`%a as type`), regions may state
their arguments outside. An op lists the directives it uses in `custom_directives` and names them
in `assembly_format`; parameter order is IREE's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    ShapedType,
)
from xdsl.ir import Attribute, SSAValue, TypeAttribute
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
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

from .access import UNTIED, TiedResults, field_values, tied_operand

INDEX = IndexType()
_T = TypeVar("_T")


class SizeAware(TypeAttribute):
    """Marks types whose values carry their size in bytes, `type{%size}` (SizeAwareType)."""


# Types and their dimensions --------------------------------------------------------------------


def dimension_count(type: Attribute) -> int:
    """How many values stand in the braces after `type`: dynamic dimensions, or one size."""
    if isinstance(type, ShapedType):
        return type.get_shape().count(DYNAMIC_INDEX)
    return 1 if isinstance(type, SizeAware) else 0


def parse_dimensions(parser: Parser, count: int) -> list[UnresolvedOperand]:
    """Parses `{%a, %b}` with `count` values; nothing where `count` is 0."""
    if not count:
        return []
    parser.parse_punctuation("{")
    dims = [parser.parse_unresolved_operand()]
    for _ in range(count - 1):
        parser.parse_punctuation(",")
        dims.append(parser.parse_unresolved_operand())
    parser.parse_punctuation("}")
    return dims


def parse_shaped_type(parser: Parser) -> tuple[Attribute, list[UnresolvedOperand]]:
    """Parses `type` or `type{%dims}`, as the type asks."""
    type = parser.parse_type()
    return type, parse_dimensions(parser, dimension_count(type))


def parse_size_aware_type(parser: Parser) -> tuple[Attribute, UnresolvedOperand]:
    """Parses `type{%size}`."""
    type = parser.parse_type()
    return type, parse_dimensions(parser, 1)[0]


def print_dimensions(printer: Printer, type: Attribute, dims: Iterator[SSAValue]) -> None:
    """Prints `{%dims}`, taking from `dims` as many values as `type` has."""
    if count := dimension_count(type):
        with printer.in_braces():
            printer.print_list([next(dims) for _ in range(count)], printer.print_ssa_value)


def print_shaped_type(printer: Printer, type: Attribute, dims: Iterator[SSAValue]) -> None:
    """Prints `type{%dims}`, taking the dimensions from `dims`."""
    printer.print_attribute(type)
    print_dimensions(printer, type, dims)


# Operands --------------------------------------------------------------------------------------


def set_operands(
    variable: OperandDirective, state: ParsingState, operands: Sequence[UnresolvedOperand]
) -> None:
    """Stores parsed operands for a single, an optional or a variadic operand variable."""
    assert isinstance(variable, VariableDirective)
    state.operands[variable.index] = operands


def get_operands(variable: OperandDirective, op: IRDLOperation) -> tuple[SSAValue, ...]:
    """The operands of a single, an optional or a variadic operand variable."""
    assert isinstance(variable, VariableDirective)
    return field_values(op, variable.name)


def get_parsed_operands(
    variable: OperandDirective, state: ParsingState
) -> Sequence[UnresolvedOperand]:
    """The operands parsed so far for `variable`, for a `ref($x)` parameter."""
    assert isinstance(variable, VariableDirective)
    return state.operands[variable.index] or ()


def same_operand(lhs: UnresolvedOperand, rhs: UnresolvedOperand) -> bool:
    """Whether both name the same value."""
    return lhs.operand_name == rhs.operand_name and lhs.index == rhs.index


def find_tied_operand(
    parser: Parser, tied: UnresolvedOperand, operands: Sequence[UnresolvedOperand]
) -> int:
    """Index of `tied` in `operands`; a parse error where it is not among them."""
    index = next((i for i, operand in enumerate(operands) if same_operand(operand, tied)), None)
    if index is None:
        parser.raise_error(
            f"expected a tied result to name an operand of the op, got %{tied.operand_name}",
            tied.span.start,
            tied.span.end,
        )
    return index


def index_array(values: Sequence[int]) -> ArrayAttr[IntegerAttr]:
    """`[0 : index, …]`, the storage of `tied_operands`."""
    return ArrayAttr(IntegerAttr(value, INDEX) for value in values)


def parse_list(parser: Parser, parse: Callable[[], _T]) -> list[_T]:
    """Parses `x, y, …` with at least one element."""
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, parse)


# Tied results ----------------------------------------------------------------------------------


def parse_tied_type(
    parser: Parser, operands: Sequence[UnresolvedOperand], operand_types: Sequence[Attribute]
) -> tuple[Attribute, int]:
    """Parses `type`, `%operand` or `%operand as type`; gives the type and the tied index."""
    tied = parser.parse_optional_unresolved_operand()
    if tied is None:
        return parser.parse_type(), UNTIED
    index = find_tied_operand(parser, tied, operands)
    if parser.parse_optional_keyword("as") is not None:
        return parser.parse_type(), index
    return operand_types[index], index


def print_tied_type(printer: Printer, result: SSAValue) -> None:
    """Prints `type`, `%operand` or `%operand as type` for `result`."""
    operand = tied_operand(result)
    if operand is not None:
        printer.print_ssa_value(operand)
        if operand.type == result.type:
            return
        printer.print_string(" as ")
    printer.print_attribute(result.type)


def parse_result_types(parser: Parser, parse_result: Callable[[], _T]) -> list[_T]:
    """Parses `()`, `(r, r, …)` or a bare `r, …`."""
    if parser.parse_optional_punctuation("(") is None:
        return parse_list(parser, parse_result)
    if parser.parse_optional_punctuation(")") is not None:
        return []
    results = parse_list(parser, parse_result)
    parser.parse_punctuation(")")
    return results


def print_result_types(
    printer: Printer, results: Sequence[SSAValue], print_result: Callable[[SSAValue], None]
) -> None:
    """Prints results as a bare type when there is one, else in parentheses."""
    if len(results) == 1:
        print_result(results[0])
        return
    with printer.in_parens():
        printer.print_list(results, print_result)


class SharedDirective(CustomDirective):
    """A directive that, absent from an optional group, leaves all its parameters empty."""

    def set_empty(self, state: ParsingState) -> None:
        """Empties every parameter."""
        for name in self.parameters:
            getattr(self, name).set_empty(state)


@irdl_custom_directive
class SizeAwareType(SharedDirective):
    """`type{%size}`."""

    type: TypeDirective
    size: OperandDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        type, size = parse_size_aware_type(parser)
        self.type.set(state, (type,))
        set_operands(self.size, state, (size,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        printer.print_attribute(self.type.get(op)[0])
        with printer.in_braces():
            printer.print_ssa_value(get_operands(self.size, op)[0])


@irdl_custom_directive
class ShapedTypeList(SharedDirective):
    """`type{%size}, type, tensor<?xf32>{%d}`."""

    types: TypeDirective
    dims: OperandDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        parsed = parse_list(parser, lambda: parse_shaped_type(parser))
        self.types.set(state, tuple(type for type, _ in parsed))
        set_operands(self.dims, state, [dim for _, dims in parsed for dim in dims])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        dims = iter(get_operands(self.dims, op))
        printer.print_list(self.types.get(op), lambda t: print_shaped_type(printer, t, dims))


@irdl_custom_directive
class ShapedOperandList(SharedDirective):
    """`%value : tensor<?xf32>{%d}, …`."""

    values: VariadicOperandVariable
    types: TypeDirective
    dims: OperandDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        values: list[UnresolvedOperand] = []
        types: list[Attribute] = []
        all_dims: list[UnresolvedOperand] = []

        def parse_entry() -> None:
            values.append(parser.parse_unresolved_operand())
            parser.parse_punctuation(":")
            type, dims = parse_shaped_type(parser)
            types.append(type)
            all_dims.extend(dims)

        parse_list(parser, parse_entry)
        self.values.set(state, values)
        self.types.set(state, types)
        set_operands(self.dims, state, all_dims)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        dims = iter(get_operands(self.dims, op))

        def print_entry(value: SSAValue) -> None:
            printer.print_ssa_value(value)
            printer.print_string(" : ")
            print_shaped_type(printer, value.type, dims)

        printer.print_list(self.values.get(op), print_entry)


def _check_fixed_tie(parser: Parser, state: ParsingState, tied: UnresolvedOperand) -> None:
    """Refuses `%x as type` where %x is not the operand that the op ties."""
    trait = state.op_type.get_trait(TiedResults)
    assert trait is not None
    names = [name for name, _ in state.op_type.get_irdl_definition().operands]
    find_tied_operand(parser, tied, state.operands[names.index(trait.operands)] or ())


def _parse_shaped_tied_result(
    parser: Parser, state: ParsingState, type: TypeDirective, dims: OperandDirective
) -> bool:
    """Parses `%tied as type{%dims}` or `type{%dims}`; whether it was tied."""
    tied = parser.parse_optional_unresolved_operand()
    if tied is not None:
        _check_fixed_tie(parser, state, tied)
        parser.parse_keyword("as")
    parsed, parsed_dims = parse_shaped_type(parser)
    type.set(state, (parsed,))
    set_operands(dims, state, parsed_dims)
    return tied is not None


def _print_shaped_tied_result(
    printer: Printer,
    state: PrintingState,
    op: IRDLOperation,
    dims: OperandDirective,
) -> None:
    """Prints `%tied as type{%dims}` for the op's first result."""
    state.print_whitespace(printer)
    result = op.results[0]
    if (operand := tied_operand(result)) is not None:
        printer.print_ssa_value(operand)
        printer.print_string(" as ")
    print_shaped_type(printer, result.type, iter(get_operands(dims, op)))


@irdl_custom_directive
class ShapedTiedResult(SharedDirective):
    """`%target as type{%dims}`, for ops whose result is always tied (`TiedResults`)."""

    type: TypeDirective
    dims: OperandDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        _parse_shaped_tied_result(parser, state, self.type, self.dims)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        _print_shaped_tied_result(printer, state, op, self.dims)


@irdl_custom_directive
class StoredShapedTiedResult(SharedDirective):
    """ShapedTiedResult for ops that keep the tie in `tied_operands` (three parameters in ODS)."""

    type: TypeDirective
    dims: OperandDirective
    tied_operands: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        tied = _parse_shaped_tied_result(parser, state, self.type, self.dims)
        self.tied_operands.set(state, index_array([0 if tied else UNTIED]))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        _print_shaped_tied_result(printer, state, op, self.dims)
