"""The func dialect with all attributes of declarations, function constants and indirect calls.

xDSL reads the attributes of a declaration's arguments and results, and drops them.
"""

from xdsl.dialects import func
from xdsl.dialects.builtin import FlatSymbolRefAttrConstr, FunctionType
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from ..util.function_format import parse_function, print_function
from .extension import extended


class FuncOp(func.FuncOp):
    """A function, or the declaration of one."""

    @classmethod
    def parse(cls, parser: Parser) -> "FuncOp":
        """Parses what `print` prints."""
        properties, attributes, body = parse_function(parser, with_ties=False)
        return cls.create(properties=properties, attributes=attributes, regions=[body])

    def print(self, printer: Printer) -> None:
        """Prints `visibility @name(arguments) -> results attributes {…} {body}`."""
        print_function(printer, self.properties, self.attributes, self.body, default_visibility="")


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A function as a value."""

    name = "func.constant"

    value = prop_def(FlatSymbolRefAttrConstr)

    result = result_def(FunctionType)

    traits = traits_def(Pure(), ConstantLike())

    assembly_format = "attr-dict $value `:` type($result)"


@irdl_custom_directive
class CalleeType(CustomDirective):
    """The type of a callee, which says those of its operands and results."""

    callee: TypeDirective
    operands: TypeDirective
    results: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        type = parser.parse_function_type()
        self.callee.set(state, (type,))
        self.operands.set(state, type.inputs.data)
        self.results.set(state, type.outputs.data)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        printer.print_attribute(self.callee.get(op)[0])


@irdl_op_definition
class CallIndirectOp(IRDLOperation):
    """Calls a function that is a value."""

    name = "func.call_indirect"

    callee = operand_def(FunctionType)
    callee_operands = var_operand_def()

    res = var_result_def()

    custom_directives = (CalleeType,)

    assembly_format = (
        "$callee `(` $callee_operands `)` attr-dict `:` "
        "custom<CalleeType>(type($callee), type($callee_operands), type($res))"
    )

    def verify_(self) -> None:
        """Operands and results are those of the callee."""
        got = FunctionType.from_lists(list(self.callee_operands.types), list(self.res.types))
        if self.callee.type != got:
            raise VerifyException(f"expected a call of {self.callee.type}, got {got}")


Func = extended(func.Func, [CallIndirectOp, ConstantOp, FuncOp])
