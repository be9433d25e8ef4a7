"""Regions that become dispatches, and what stands in them."""

from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    IndexType,
    IntegerAttr,
    TensorType,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    OperandDirective,
    ParsingState,
    PrintingState,
    RegionVariable,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    Pure,
    ReturnLike,
)
from xdsl.utils.exceptions import VerifyException

from ..access import TiedResults
from ..format import (
    get_operands,
    parse_shaped_type,
    print_shaped_type,
    set_operands,
)
from ..format_functions import ShapedFunctionType
from ..format_symbols import DispatchWorkgroupsCountRegion, parse_region_arguments
from ..iree_tensor_ext import DispatchTensorType
from ..shapes import element_type_of, verify_dynamic_dims
from ..verify import check_ties
from .executables import verify_count_region
from .verify import listed

INDEX = IndexType()


@irdl_custom_directive
class ShapedResultTypes(CustomDirective):
    """`(type{%dims}, type)`."""

    types: TypeDirective
    dims: OperandDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        parsed = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_shaped_type(parser)
        )
        self.types.set(state, tuple(type for type, _ in parsed))
        set_operands(self.dims, state, [dim for _, dims in parsed for dim in dims])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        dims = iter(get_operands(self.dims, op))
        with printer.in_parens():
            printer.print_list(self.types.get(op), lambda t: print_shaped_type(printer, t, dims))


@irdl_custom_directive
class DispatchWorkgroupBody(CustomDirective):
    """`(%arg0: type, …) {…}`."""

    body: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        self.body.set(state, parser.parse_region(parse_region_arguments(parser)))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        region = self.body.get(op)
        with printer.in_parens():
            printer.print_list(region.block.args, printer.print_block_argument)
        printer.print_string(" ")
        printer.print_region(region, print_entry_block_args=False)


def _verify_workload(workload: "list[Attribute]", region: Region) -> None:
    """The count region takes the workload and returns three indices."""
    if region.first_block is None:
        return
    taken = list(region.first_block.arg_types)
    if taken != workload:
        raise VerifyException(
            f"expected a workgroup count region that takes {listed(workload)}, got {listed(taken)}"
        )
    verify_count_region(region)


@irdl_op_definition
class DispatchRegionOp(IRDLOperation):
    """Ops to be run as one dispatch; values from outside may be used."""

    name = "flow.dispatch.region"

    result_dims = var_operand_def(INDEX)
    """Dynamic dimensions of all results, in order."""
    workload = var_operand_def(INDEX)

    body = region_def()
    workgroup_count = region_def()
    """Takes the workload and returns the workgroup counts in x, y and z; may be empty."""

    res = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (ShapedResultTypes, DispatchWorkgroupsCountRegion)
    traits = traits_def(Pure())

    assembly_format = (
        "(`[` $workload^ `]`)? `->` custom<ShapedResultTypes>(type($res), $result_dims) "
        "attr-dict-with-keyword $body custom<DispatchWorkgroupsCountRegion>($workgroup_count)"
    )

    def verify_(self) -> None:
        """The body returns the results, ranked tensors, and takes nothing."""
        for block in self.body.blocks:
            last = block.last_op
            if not isinstance(last, ReturnOp):
                continue
            expected, got = tuple(self.res.types), tuple(last.operand_types)
            if expected != got:
                raise VerifyException(
                    f"expected a body that returns {listed(expected)}, got {listed(got)}"
                )
        first = self.body.first_block
        if first is not None and first.args:
            raise VerifyException(f"expected a body without arguments, got {len(first.args)}")
        for type in self.res.types:
            if not isinstance(type, TensorType):
                raise VerifyException(f"expected ranked tensors as results, got {type}")
        _verify_workload(list(self.workload.types), self.workgroup_count)


@irdl_op_definition
class DispatchWorkgroupsOp(IRDLOperation):
    """A dispatch with its code in place, which sees nothing but its arguments.

    The body takes the arguments, tensors as `!iree_tensor_ext.dispatch.tensor`, then a writable
    tensor for each result that is not tied.
    """

    name = "flow.dispatch.workgroups"

    workload = var_operand_def(INDEX)
    arguments = var_operand_def()
    argument_dims = var_operand_def(INDEX)
    """Dynamic dimensions of all arguments, in order."""
    result_dims = var_operand_def(INDEX)
    """Dynamic dimensions of all results, in order."""

    tied_operands = opt_prop_def(ArrayAttr[IntegerAttr[IndexType]])
    """For each result the index of the argument it is tied to, or -1."""

    workgroup_body = region_def()
    workgroup_count = region_def()
    """Takes the workload and returns the workgroup counts in x, y and z; may be empty."""

    res = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (ShapedFunctionType, DispatchWorkgroupBody, DispatchWorkgroupsCountRegion)
    traits = traits_def(Pure(), IsolatedFromAbove(), TiedResults("arguments", "res", stored=True))

    assembly_format = (
        "(`[` $workload^ `]`)? `` `(` $arguments `)` `:` "
        "custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims, "
        "type($res), $result_dims, $tied_operands) attr-dict-with-keyword `=` "
        "custom<DispatchWorkgroupBody>($workgroup_body) "
        "custom<DispatchWorkgroupsCountRegion>($workgroup_count)"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated, and no tensor of indices crosses the boundary."""
        check_ties(self.tied_operands, len(self.arguments), len(self.res), "arguments")
        verify_dynamic_dims("the arguments", self.arguments, self.argument_dims)
        verify_dynamic_dims("the results", self.res, self.result_dims)
        for type in (*self.arguments.types, *self.res.types):
            if type != INDEX and element_type_of(type) == INDEX:
                raise VerifyException(
                    f"expected no index elements to cross the dispatch boundary, got {type}; "
                    "cast them to i64"
                )
        _verify_workload(list(self.workload.types), self.workgroup_count)


class _WorkgroupInfoOp(IRDLOperation):
    """A property of the grid of workgroups in one dimension."""

    dimension = prop_def(IntegerAttr[IndexType])
    """0 for x, 1 for y, 2 for z."""

    result = result_def(INDEX)

    traits = traits_def(Pure())

    assembly_format = "`[` $dimension `]` attr-dict `:` type($result)"

    def verify_(self) -> None:
        """There are three dimensions."""
        if not 0 <= self.dimension.value.data < 3:
            raise VerifyException(f"expected dimension 0, 1 or 2, got {self.dimension.value.data}")


@irdl_op_definition
class DispatchWorkgroupIDOp(_WorkgroupInfoOp):
    """The index of the workgroup that runs."""

    name = "flow.dispatch.workgroup.id"


@irdl_op_definition
class DispatchWorkgroupCountOp(_WorkgroupInfoOp):
    """How many workgroups there are."""

    name = "flow.dispatch.workgroup.count"


@irdl_op_definition
class DispatchWorkgroupSizeOp(_WorkgroupInfoOp):
    """How large a workgroup is, in invocations."""

    name = "flow.dispatch.workgroup.size"


@irdl_op_definition
class DispatchTieShapeOp(IRDLOperation):
    """States the dynamic dimensions of a dispatch's tensor."""

    name = "flow.dispatch.tie_shape"

    T: ClassVar = VarConstraint("T", base(DispatchTensorType))

    operand = operand_def(T)
    dynamic_dims = var_operand_def(INDEX)
    """Dynamic dimensions of operand and result."""

    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$operand attr-dict `:` type($result) (`{` $dynamic_dims^ `}`)?"

    def verify_(self) -> None:
        """Dynamic dimensions are stated."""
        verify_dynamic_dims("the operand", [self.operand], self.dynamic_dims)


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """Returns from a region of the flow dialect."""

    name = "flow.return"

    arguments = var_operand_def()

    traits = traits_def(Pure(), ReturnLike(), IsTerminator())

    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"

    def __init__(self, *arguments: SSAValue) -> None:
        super().__init__(operands=[arguments])
