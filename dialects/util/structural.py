"""Functions, calls, initializers and what stands for code never reached."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    FunctionType,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    CallableOpInterface,
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    NoMemoryEffect,
    Pure,
    ReturnLike,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from ..access import UNTIED, TiedResults
from ..format import index_array
from ..format_functions import OperandTypeList, TiedFunctionResultList
from ..format_properties import OptionalString, PropDict2
from ..symbols import VISIBILITY, lookup_symbol, symbol_table_of
from ..verify import check_ties
from .function_format import parse_function, print_function

INDEX = IndexType()
TIED_OPERANDS = ArrayAttr[IntegerAttr[IndexType]]
DICT_ARRAY = ArrayAttr[DictionaryAttr]


@irdl_custom_directive
class EmptySignature(CustomDirective):
    """The type `() -> ()`, which is not written."""

    function_type: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Sets the type."""
        self.function_type.set(state, FunctionType.from_lists([], []))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints nothing."""

    def can_parse_empty(self) -> bool:
        """The directive has no text."""
        return True


class _FunctionBody(CallableOpInterface):
    """The body and results of a function or initializer."""

    @classmethod
    def get_callable_region(cls, op: Operation) -> Region:
        """The region that runs when the op is called."""
        return op.regions[0]

    @classmethod
    def get_argument_types(cls, op: Operation) -> tuple[Attribute, ...]:
        """Types of the function's arguments."""
        return cast(FunctionType, op.properties["function_type"]).inputs.data

    @classmethod
    def get_result_types(cls, op: Operation) -> tuple[Attribute, ...]:
        """Types of the function's results."""
        return cast(FunctionType, op.properties["function_type"]).outputs.data


@irdl_op_definition
class InitializerOp(IRDLOperation):
    """Runs once, in the order of the module, before any function."""

    name = "util.initializer"

    function_type = prop_def(FunctionType)
    """Always `() -> ()`."""
    arg_attrs = opt_prop_def(DICT_ARRAY)
    res_attrs = opt_prop_def(DICT_ARRAY)

    body = region_def()

    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (EmptySignature,)
    traits = traits_def(IsolatedFromAbove(), _FunctionBody())

    assembly_format = "custom<EmptySignature>($function_type) attr-dict-with-keyword $body"

    def __init__(self, body: Region) -> None:
        super().__init__(
            properties={"function_type": FunctionType.from_lists([], [])}, regions=[body]
        )


def verify_declaration(visibility: StringAttr | None) -> None:
    """What is declared here and defined elsewhere is not public."""
    if visibility is None or visibility.data == "public":
        raise VerifyException("expected a declaration to be private, got a public one")


@irdl_op_definition
class FuncOp(IRDLOperation):
    """A function of the host program, declared where it has no body.

    A result may be tied to an argument: it is the same storage, updated.

    ```mlir
    util.func private @f(%arg0: tensor<4xf32>) -> %arg0 attributes {noinline} { … }
    ```
    """

    name = "util.func"

    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the index of the argument it is tied to, or -1."""
    sym_visibility = opt_prop_def(VISIBILITY)
    arg_attrs = opt_prop_def(DICT_ARRAY)
    res_attrs = opt_prop_def(DICT_ARRAY)
    inlining_policy = opt_prop_def()

    body = region_def()

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface(), _FunctionBody())

    def __init__(
        self,
        sym_name: str,
        function_type: FunctionType,
        body: Region | None = None,
        visibility: str = "public",
        tied_operands: Sequence[int] | None = None,
    ) -> None:
        """Without `body` the function has an empty entry block with its arguments."""
        if body is None:
            body = Region(Block(arg_types=function_type.inputs.data))
        super().__init__(
            properties={
                "sym_name": StringAttr(sym_name),
                "function_type": function_type,
                "sym_visibility": StringAttr(visibility),
                "tied_operands": None if tied_operands is None else index_array(tied_operands),
            },
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> "FuncOp":
        """Parses what `print` prints."""
        properties, attributes, body = parse_function(parser)
        if "inlining_policy" in attributes:
            properties["inlining_policy"] = attributes.pop("inlining_policy")
        return cls.create(properties=properties, attributes=attributes, regions=[body])

    def print(self, printer: Printer) -> None:
        """Prints `visibility @name(arguments) -> results attributes {…} {body}`."""
        attributes = dict(self.attributes)
        if self.inlining_policy is not None:
            attributes["inlining_policy"] = self.inlining_policy
        print_function(printer, self.properties, attributes, self.body)

    @property
    def is_declaration(self) -> bool:
        """Whether the function stands outside of this module."""
        return self.body.first_block is None

    def verify_(self) -> None:
        """Ties name arguments, the body takes the arguments, a declaration is not public."""
        inputs, outputs = self.function_type.inputs.data, self.function_type.outputs.data
        check_ties(self.tied_operands, len(inputs), len(outputs), "arguments")
        entry = self.body.first_block
        if entry is None:
            verify_declaration(self.sym_visibility)
        elif entry.arg_types != inputs:
            got = ", ".join(map(str, entry.arg_types))
            raise VerifyException(
                f"expected the entry block to take the arguments of {self.function_type}, got {got}"
            )


def tied_indices(tied_operands: ArrayAttr[IntegerAttr[IndexType]] | None) -> list[int]:
    """The argument that each result is tied to, -1 for none; empty where none is tied at all."""
    indices = [tied.value.data for tied in tied_operands or ()]
    return indices if any(index != UNTIED for index in indices) else []


@irdl_op_definition
class CallOp(IRDLOperation):
    """Calls a function; results may be tied to operands as the callee says."""

    name = "util.call"

    arguments = var_operand_def()

    callee = prop_def(FlatSymbolRefAttrConstr)
    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the index of the operand it is tied to, or -1."""
    arg_attrs = opt_prop_def(DICT_ARRAY)
    res_attrs = opt_prop_def(DICT_ARRAY)

    res = var_result_def()

    custom_directives = (PropDict2, OperandTypeList, TiedFunctionResultList)
    traits = traits_def(TiedResults("arguments", "res", stored=True))

    assembly_format = (
        "$callee `(` $arguments `)` custom<PropDict2>($arg_attrs, $res_attrs) attr-dict `:` "
        "custom<OperandTypeList>(type($arguments)) `->` "
        "custom<TiedFunctionResultList>(ref($arguments), ref(type($arguments)), type($res), "
        "$tied_operands)"
    )

    def __init__(
        self,
        callee: str | SymbolRefAttr,
        arguments: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        tied_operands: Sequence[int] | None = None,
    ) -> None:
        if isinstance(callee, str):
            callee = SymbolRefAttr(callee)
        tied = [UNTIED] * len(result_types) if tied_operands is None else tied_operands
        super().__init__(
            operands=[arguments],
            properties={"callee": callee, "tied_operands": index_array(tied) if tied else None},
            result_types=[result_types],
        )

    def verify_(self) -> None:
        """The callee is declared with the same types and ties."""
        check_ties(self.tied_operands, len(self.arguments), len(self.res), "arguments")
        if symbol_table_of(self) is None:
            return
        callee = lookup_symbol(self, self.callee)
        if not isinstance(callee, FuncOp):
            raise VerifyException(f"expected a declared util.func as callee, got {self.callee}")
        got = FunctionType.from_lists(list(self.arguments.types), list(self.res.types))
        if callee.function_type != got:
            raise VerifyException(
                f"expected to call {self.callee} of type {callee.function_type}, got {got}"
            )
        ties, expected = tied_indices(self.tied_operands), tied_indices(callee.tied_operands)
        if ties != expected:
            raise VerifyException(
                f"expected results tied to {expected} as in the callee, got {ties}"
            )


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """Returns from a function, an initializer or a conversion."""

    name = "util.return"

    arguments = var_operand_def()

    traits = lazy_traits_def(
        lambda: (
            Pure(),
            ReturnLike(),
            IsTerminator(),
            HasParent(InitializerOp, FuncOp, HoistableConversionOp),
        )
    )

    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"

    def __init__(self, *arguments: SSAValue) -> None:
        super().__init__(operands=[arguments])

    def verify_(self) -> None:
        """The operands are of the types that the function returns."""
        function = self.parent_op()
        if not isinstance(function, FuncOp | InitializerOp):
            return
        expected, got = function.function_type.outputs.data, tuple(self.arguments.types)
        if expected != got:
            raise VerifyException(
                f"expected to return ({', '.join(map(str, expected))}), "
                f"got ({', '.join(map(str, got))})"
            )


@irdl_op_definition
class UnreachableOp(IRDLOperation):
    """Ends a block that is never left."""

    name = "util.unreachable"

    message = opt_prop_def(StringAttr)

    custom_directives = (OptionalString,)
    traits = traits_def(NoMemoryEffect(), ReturnLike(), IsTerminator())

    assembly_format = "custom<OptionalString>($message) attr-dict"


@irdl_op_definition
class SCFUnreachableOp(IRDLOperation):
    """Marks a place in an scf region that is never reached."""

    name = "util.scf.unreachable"

    message = opt_prop_def(StringAttr)

    custom_directives = (OptionalString,)

    assembly_format = "custom<OptionalString>($message) attr-dict"


from .hints import HoistableConversionOp  # noqa: E402
