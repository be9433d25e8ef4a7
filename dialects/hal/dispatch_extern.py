"""The dispatch of a kernel that is given as object files."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, Region
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    ParsingState,
    PrintingState,
    VariadicRegionVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, Pure
from xdsl.utils.exceptions import VerifyException

from ..access import TiedResults
from ..format import INDEX, SharedDirective, parse_list
from ..format_functions import ShapedFunctionType
from ..format_properties import PropDict3
from ..format_symbols import (
    COUNT_TYPES,
    CountRegion,
    parse_result_region,
    print_result_region,
)
from ..shapes import element_type_of, verify_dynamic_dims
from ..verify import check_ties
from .executable import INDEX_ATTR
from .executable_attrs import PipelineLayoutAttr
from .format import Stripped
from .regions import check_device_region, check_returns, listed
from .types import DeviceType


@irdl_custom_directive
class TargetConditionObjects(SharedDirective):
    """`#target if(%device: !hal.device) -> i1 {…} ordinal(0) = [#object, …], …`."""

    targets: AttributeVariable
    ordinals: AttributeVariable
    objects: AttributeVariable
    conditions: VariadicRegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""

        def parse_entry() -> tuple[Attribute, Region, Attribute, Attribute]:
            target = parser.parse_attribute()
            region = Region()
            if parser.parse_optional_keyword("if") is not None:
                region = parse_result_region(parser, (i1,))
            parser.parse_keyword("ordinal")
            with parser.in_parens():
                ordinal = IntegerAttr(parser.parse_integer(allow_boolean=False), INDEX)
            parser.parse_punctuation("=")
            return target, region, ordinal, parser.parse_attribute()

        entries = parse_list(parser, parse_entry)
        self.targets.set(state, ArrayAttr(entry[0] for entry in entries))
        self.conditions.set(state, [entry[1] for entry in entries])
        self.ordinals.set(state, ArrayAttr(entry[2] for entry in entries))
        self.objects.set(state, ArrayAttr(entry[3] for entry in entries))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        columns = [
            cast(ArrayAttr[Attribute], variable.get(op)).data
            for variable in (self.targets, self.ordinals, self.objects)
        ]
        rows = zip(*columns, self.conditions.get(op), strict=True)
        with printer.indented():
            for index, (target, ordinal, objects, condition) in enumerate(rows):
                printer.print_string("," if index else "")
                printer._print_new_line()
                printer.print_attribute(target)
                if condition.blocks:
                    printer.print_string(" if")
                    print_result_region(printer, condition, (i1,))
                printer.print_string(f" ordinal({cast(IntegerAttr, ordinal).value.data}) = ")
                printer.print_attribute(objects)
        printer._print_new_line()
        state.should_emit_space = False
        state.last_was_punctuation = True


@irdl_op_definition
class DispatchExternOp(IRDLOperation):
    """Runs a kernel of object files over a grid that its count region computes (tensors)."""

    name = "hal.dispatch.extern"

    workload = var_operand_def(IndexType())
    """What the count region takes besides the device."""
    arguments = var_operand_def()
    argument_dims = var_operand_def(IndexType())
    result_dims = var_operand_def(IndexType())
    export_name = prop_def(StringAttr)
    """The kernel's name in the object files."""
    layout = prop_def(PipelineLayoutAttr)
    targets = prop_def(ArrayAttr[Attribute])
    target_ordinals = prop_def(ArrayAttr[IntegerAttr[IndexType]])
    """The kernel's ordinal for each target."""
    target_objects = prop_def(ArrayAttr[Attribute])
    """Object files for each target."""
    workgroup_size = opt_prop_def(ArrayAttr[Attribute])
    """Invocations of a workgroup in x, y and z."""
    subgroup_size = opt_prop_def(INDEX_ATTR)
    """Invocations of a subgroup."""
    workgroup_local_memory = opt_prop_def(INDEX_ATTR)
    """Bytes."""
    tied_operands = opt_prop_def(ArrayAttr[IntegerAttr[IndexType]])
    """For each result the index of the argument it is tied to, or -1."""
    workgroup_count = region_def()
    target_regions = var_region_def()
    """For each target whether a device may use it; may be empty."""
    dispatched = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(
        IsolatedFromAbove(), Pure(), TiedResults("arguments", "dispatched", stored=True)
    )
    custom_directives = (
        ShapedFunctionType,
        CountRegion,
        Stripped,
        TargetConditionObjects,
        PropDict3,
    )

    assembly_format = (
        "$export_name (`[` $workload^ `]`)? `` `(` $arguments `)` `:` "
        "custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims, "
        "type($dispatched), $result_dims, $tied_operands) "
        "`count` `` custom<CountRegion>($workgroup_count) "
        "`layout` `(` custom<Stripped>($layout) `)` "
        "`objects` `(` `{` custom<TargetConditionObjects>($targets, $target_ordinals, "
        "$target_objects, $target_regions) `}` `)` "
        "custom<PropDict3>($workgroup_size, $subgroup_size, $workgroup_local_memory) "
        "attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check dimensions, types that cross the boundary, and the regions."""
        verify_dynamic_dims("arguments", self.arguments, self.argument_dims)
        verify_dynamic_dims("results", self.dispatched, self.result_dims)
        check_ties(self.tied_operands, len(self.arguments), len(self.dispatched), "arguments")
        for type in (*self.operand_types, *self.result_types):
            if type != IndexType() and element_type_of(type) == IndexType():
                raise VerifyException(f"expected no tensors of index at a dispatch, got {type}")
        if self.workgroup_count.blocks:
            check_device_region(self.workgroup_count, COUNT_TYPES, "workgroup count")
            taken = len(self.workgroup_count.block.args) - 1
            if taken != len(self.workload):
                raise VerifyException(
                    f"expected {taken} workload values as the workgroup count region takes, got "
                    f"{len(self.workload)}"
                )
        counts = (len(self.target_ordinals), len(self.target_objects), len(self.target_regions))
        if any(count != len(self.targets) for count in counts):
            raise VerifyException(
                f"expected an ordinal, objects and a region for each of the {len(self.targets)} "
                f"targets, got {counts[0]}, {counts[1]} and {counts[2]}"
            )
        for region in self.target_regions:
            _check_condition(region)


def _check_condition(region: Region) -> None:
    if not region.blocks:
        return
    types = tuple(region.blocks[0].arg_types)
    if types != (DeviceType(),):
        raise VerifyException(
            f"expected the target condition region to take (!hal.device), got {listed(types)}"
        )
    check_returns(region, (i1,), "target condition")


OPS = (DispatchExternOp,)
"""The ops of this file."""
