"""What passes may assume, and what they may not fold."""

from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    IndexType,
    IntegerType,
    NoneType,
    StringAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    RangeOf,
    RangeVarConstraint,
    base,
    irdl_op_definition,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from .attributes import IntAssumptionAttr, parse_self_type, print_self_type
from .globals import typed_attribute_type

ASSUMPTIONS = ArrayAttr[IntAssumptionAttr]


def _parse_assumption(parser: Parser) -> IntAssumptionAttr:
    """Parses `<umin = 1>`, or the attribute in full."""
    attr = parser.parse_optional_attribute()
    if attr is None:
        return IntAssumptionAttr.new(IntAssumptionAttr.parse_parameters(parser))
    if not isinstance(attr, IntAssumptionAttr):
        parser.raise_error(f"expected an assumption <umin = …, umax = …, udiv = …>, got {attr}")
    return attr


@irdl_custom_directive
class AssumptionList(CustomDirective):
    """`%a<umin = 1>, %b[<udiv = 2>, <umax = 8>]`; one operand a line where there are many."""

    arguments: VariadicOperandVariable
    assumptions: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""

        def parse_entry() -> tuple[UnresolvedOperand, ASSUMPTIONS]:
            operand = parser.parse_unresolved_operand()
            row = parser.parse_optional_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: _parse_assumption(parser)
            )
            return operand, ArrayAttr([_parse_assumption(parser)] if row is None else row)

        entries = parser.parse_comma_separated_list(parser.Delimiter.NONE, parse_entry)
        self.arguments.set(state, [operand for operand, _ in entries])
        self.assumptions.set(state, ArrayAttr(row for _, row in entries))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        rows = cast("ArrayAttr[ASSUMPTIONS]", self.assumptions.get(op))
        for index, (value, row) in enumerate(zip(self.arguments.get(op), rows, strict=True)):
            printer.print_string(", " if index else "")
            printer.print_ssa_value(value)
            if len(row) == 1:
                row.data[0].print_parameters(printer)
                continue
            with printer.in_square_brackets():
                printer.print_list(row, lambda attr: attr.print_parameters(printer))


@irdl_op_definition
class AssumeIntOp(IRDLOperation):
    """Notes bounds and divisors of integers; the values are unchanged.

    An operand has one assumption, or one for each of several configurations.
    """

    name = "util.assume.int"

    T: ClassVar = RangeVarConstraint("T", RangeOf(base(IntegerType) | base(IndexType)))

    arguments = var_operand_def(T)

    assumptions = prop_def(ArrayAttr[ArrayAttr[IntAssumptionAttr]])
    """A row of assumptions for each operand."""

    res = var_result_def(T)

    custom_directives = (AssumptionList,)
    traits = traits_def(Pure())

    assembly_format = (
        "custom<AssumptionList>($arguments, $assumptions) `:` type($arguments) attr-dict"
    )

    def verify_(self) -> None:
        """A row for each operand; rows of more than one entry are of one length."""
        rows = self.assumptions.data
        if len(rows) != len(self.arguments):
            raise VerifyException(
                f"expected a row of assumptions for each of {len(self.arguments)} operands, "
                f"got {len(rows)} rows"
            )
        lengths = [len(row) for row in rows if len(row) != 1]
        if lengths and lengths != lengths[:1] * len(lengths):
            raise VerifyException(
                f"expected rows of one assumption or of one common number, got {lengths}"
            )


@irdl_op_definition
class OptimizationBarrierOp(IRDLOperation):
    """Hides that the results are the operands from the passes."""

    name = "util.optimization_barrier"

    T: ClassVar = RangeVarConstraint("T", RangeOf(AnyAttr()))

    arguments = var_operand_def(T)

    res = var_result_def(T)

    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"

    def __init__(self, *arguments: SSAValue) -> None:
        super().__init__(operands=[arguments], result_types=[[value.type for value in arguments]])


@irdl_op_definition
class UnfoldableConstantOp(IRDLOperation):
    """A constant that is treated as if it were not known."""

    name = "util.unfoldable_constant"

    value = prop_def()

    result = result_def()

    @classmethod
    def parse(cls, parser: Parser) -> "UnfoldableConstantOp":
        """Parses `{attrs} value`; a symbol is followed by the type it has."""
        attributes = parser.parse_optional_attr_dict()
        start = parser.pos
        value = parser.parse_attribute()
        type = typed_attribute_type(value)
        if type is None:
            type = parse_self_type(parser)
            if isinstance(type, NoneType):
                parser.raise_error(f"expected a value with a type, got {value}", start, parser.pos)
        return cls.create(properties={"value": value}, attributes=attributes, result_types=[type])

    def print(self, printer: Printer) -> None:
        """Prints what `parse` parses."""
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_attribute(self.value)
        if typed_attribute_type(self.value) is None:
            print_self_type(printer, self.result.type)


@irdl_op_definition
class HoistableConversionOp(IRDLOperation):
    """A conversion that may be moved out of a loop, and cancels with its inverse.

    ```mlir
    %r = util.hoistable_conversion "pack" inverts("unpack") (%a = %value) : (i32) -> i64 {
      %0 = arith.extsi %a : i32 to i64
      util.return %0 : i64
    }
    ```
    """

    name = "util.hoistable_conversion"

    inputs = var_operand_def()

    tag = prop_def(StringAttr)
    """What the conversion does; conversions with equal tags do the same."""
    inverse_tag = prop_def(StringAttr, prop_name="inverseTag")
    """The tag of the conversion that undoes this one."""

    body = region_def("single_block")

    res = var_result_def()

    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> "HoistableConversionOp":
        """Parses `"tag" inverts("tag") (%arg = %input, …) : type {body} {attrs}`."""
        tag = parser.parse_str_literal()
        parser.parse_keyword("inverts")
        with parser.in_parens():
            inverse = parser.parse_str_literal()

        def parse_assignment() -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
            argument = parser.parse_argument(expect_type=False)
            parser.parse_punctuation("=")
            return argument, parser.parse_unresolved_operand()

        assignments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_assignment)
        parser.parse_punctuation(":")
        position = parser.pos
        function_type = parser.parse_function_type()
        types = function_type.inputs.data
        operands = parser.resolve_operands([value for _, value in assignments], types, position)
        arguments = [
            argument.resolve(type) for (argument, _), type in zip(assignments, types, strict=True)
        ]
        body = parser.parse_region(arguments)
        return cls.create(
            operands=operands,
            properties={"tag": StringAttr(tag), "inverseTag": StringAttr(inverse)},
            attributes=parser.parse_optional_attr_dict(),
            regions=[body],
            result_types=function_type.outputs.data,
        )

    def print(self, printer: Printer) -> None:
        """Prints what `parse` parses."""
        printer.print_string(" ")
        printer.print_attribute(self.tag)
        printer.print_string(" inverts(")
        printer.print_attribute(self.inverse_tag)
        printer.print_string(") (")
        pairs = zip(self.body.block.args, self.inputs, strict=True)
        for index, (argument, value) in enumerate(pairs):
            printer.print_string(", " if index else "")
            printer.print_ssa_value(argument)
            printer.print_string(" = ")
            printer.print_ssa_value(value)
        printer.print_string(") : ")
        printer.print_operation_type(self)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        """The body takes the inputs and returns the results."""
        block = self.body.block
        returned: tuple[Attribute, ...] = ()
        if block.last_op is not None and block.last_op.name == "util.return":
            returned = tuple(block.last_op.operand_types)
        for what, expected, got in (
            ("take", tuple(self.inputs.types), tuple(block.arg_types)),
            ("return", tuple(self.res.types), returned),
        ):
            if expected != got:
                raise VerifyException(
                    f"expected a body to {what} ({', '.join(map(str, expected))}), "
                    f"got ({', '.join(map(str, got))})"
                )
