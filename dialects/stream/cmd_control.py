"""Commands with many operands: dispatches, functions and calls, execution regions."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    ArrayAttr,
    FlatSymbolRefAttrConstr,
    FunctionType,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    IsolatedFromAbove,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
    SymbolOpInterface,
)

from ..access import TiedResults
from ..format_functions import ShapedFunctionType
from ..format_properties import PropDict2
from ..format_symbols import DispatchEntryPoints, ImplicitTerminatorRegion, SymbolVisibility
from ..regions import ImplicitTerminatorOp
from ..symbols import VISIBILITY
from . import verify_regions
from .base import (
    ACCESSES,
    AFFINITY,
    ANY_RESOURCE,
    DEVICE_RESOURCE,
    DICTIONARIES,
    INDEX,
    PRIMITIVE,
    TIED_OPERANDS,
    TIMEPOINT,
    Canonicalized,
    CmdPhase,
    ParentNamed,
    Streamable,
)
from .dispatch_access import CommandRanges
from .format import (
    CmdCallOperands,
    DispatchResources,
)
from .format_lists import DispatchFunctionSignature
from .format_regions import (
    ExplicitResourceRegion,
)
from .region import YieldOp


@irdl_op_definition
class CmdDispatchOp(IRDLOperation):
    """Runs an executable's export on bound ranges."""

    name = "stream.cmd.dispatch"

    workload = var_operand_def(INDEX)
    """Arguments of the export's workgroup count region."""
    uniform_operands = var_operand_def(PRIMITIVE)
    """Primitives, in the order of the export's arguments that are no bindings."""
    resources = var_operand_def(DEVICE_RESOURCE)
    """One for each binding of the export."""
    resource_sizes = var_operand_def(INDEX)
    """Bytes of each resource."""
    resource_offsets = var_operand_def(INDEX)
    """Where each bound range starts, in bytes."""
    resource_lengths = var_operand_def(INDEX)
    """Bytes of each bound range."""

    entry_points = prop_def(base(ArrayAttr[SymbolRefAttr]))
    """Exports that do the same; one of them is chosen at run time."""
    resource_accesses = prop_def(ACCESSES)
    """For each binding: 1 read, 2 written, 3 both."""

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Canonicalized(), CmdPhase(), Streamable(), CommandRanges("resources"))

    custom_directives = (DispatchEntryPoints, DispatchResources)
    assembly_format = (
        "custom<DispatchEntryPoints>($entry_points) (`[` $workload^ `]`)? ``"
        " (`(` $uniform_operands^ `:` type($uniform_operands) `)`)? ` ` `{`"
        " custom<DispatchResources>($resources, type($resources), $resource_sizes,"
        " $resource_offsets, $resource_lengths, $resource_accesses) `\\n` `}`"
        " attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Ranges are there and fit; the export takes what is given."""
        verify_regions.check_bindings(self)
        verify_regions.check_entry_points(self)
        verify_regions.check_dispatch_signature(self)


@irdl_op_definition
class CmdFuncOp(IRDLOperation):
    """Declares a function that commands call; a resource argument takes offset and length too."""

    name = "stream.cmd.func"

    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(base(FunctionType))
    sym_visibility = opt_prop_def(VISIBILITY)
    arg_attrs = opt_prop_def(DICTIONARIES)
    """One dictionary for each argument."""
    res_attrs = opt_prop_def(DICTIONARIES)
    """One dictionary for each result."""

    body = region_def()

    traits = traits_def(CmdPhase(), IsolatedFromAbove(), SymbolOpInterface())

    custom_directives = (SymbolVisibility, DispatchFunctionSignature)
    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) $sym_name ``"
        " custom<DispatchFunctionSignature>($function_type, $arg_attrs, $res_attrs)"
        " attr-dict-with-keyword ($body^)?"
    )

    def verify_(self) -> None:
        """There is one dictionary for each argument and result."""
        verify_regions.check_signature(self)


@irdl_op_definition
class CmdCallOp(IRDLOperation):
    """Calls a `stream.cmd.func` on ranges of resources."""

    name = "stream.cmd.call"

    resource_operands = var_operand_def()
    """Resources and other values, in the order of the callee's arguments."""
    resource_operand_sizes = var_operand_def(INDEX)
    """Bytes of each resource operand."""
    resource_operand_offsets = var_operand_def(INDEX)
    """Where each resource operand's range starts, in bytes."""
    resource_operand_lengths = var_operand_def(INDEX)
    """Bytes of each range."""
    result_sizes = var_operand_def(INDEX)

    callee = prop_def(FlatSymbolRefAttrConstr)
    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the operand it is written in place of, or -1."""
    arg_attrs = opt_prop_def(DICTIONARIES)
    """One dictionary for each operand."""
    res_attrs = opt_prop_def(DICTIONARIES)
    """One dictionary for each result."""
    resource_operand_accesses = prop_def(ACCESSES)
    """For each resource operand: 1 read, 2 written, 3 both."""

    result_values = var_result_def(PRIMITIVE)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        Canonicalized(),
        CmdPhase(),
        Streamable(),
        TiedResults("resource_operands", "result_values", stored=True),
        CommandRanges("resource_operands"),
    )

    custom_directives = (CmdCallOperands, PropDict2, ShapedFunctionType)
    assembly_format = (
        "$callee `` custom<CmdCallOperands>($resource_operands, $resource_operand_offsets,"
        " $resource_operand_lengths, $resource_operand_accesses)"
        " custom<PropDict2>($arg_attrs, $res_attrs) attr-dict `:`"
        " custom<ShapedFunctionType>(ref($resource_operands), type($resource_operands),"
        " $resource_operand_sizes, type($result_values), $result_sizes, $tied_operands)"
    )

    def verify_(self) -> None:
        """Sizes, ranges and accesses are there and fit; the callee is declared."""
        verify_regions.check_cmd_call(self)


@irdl_op_definition
class CmdExecuteOp(ImplicitTerminatorOp):
    """Runs a region of commands on the timeline; captured resources are named anew."""

    name = "stream.cmd.execute"

    resource_operands = var_operand_def(ANY_RESOURCE)
    """Captured resources, one region argument each."""
    resource_operand_sizes = var_operand_def(INDEX)
    """Bytes of each."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    once = opt_prop_def(UnitAttr)
    """Recorded for one submission only."""
    affinity = opt_prop_def(AFFINITY)

    body = region_def()

    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        Canonicalized(), CmdPhase(), RecursiveMemoryEffect(), SingleBlockImplicitTerminator(YieldOp)
    )

    custom_directives = (ExplicitResourceRegion,)
    assembly_format = (
        "(`once` $once^)? (`on` `(` $affinity^ `)`)?"
        " (`await` `(` $await_timepoint^ `)` `=` `` `>`)? `with` ``"
        " custom<ExplicitResourceRegion>($resource_operands, type($resource_operands),"
        " $resource_operand_sizes, $body) `=` `` `>` type($result_timepoint)"
        " attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Arguments match the captures, and the region holds commands only."""
        verify_regions.check_command_region(self)
        verify_regions.check_captures(self)


_CMD_PARENTS = ParentNamed("stream.cmd.execute", "stream.cmd.serial", "stream.cmd.concurrent")


@irdl_op_definition
class CmdSerialOp(ImplicitTerminatorOp):
    """Commands in order."""

    name = "stream.cmd.serial"

    body = region_def()

    traits = traits_def(
        Canonicalized(),
        CmdPhase(),
        Streamable(),
        RecursiveMemoryEffect(),
        _CMD_PARENTS,
        SingleBlockImplicitTerminator(YieldOp),
    )

    custom_directives = (ImplicitTerminatorRegion,)
    assembly_format = "custom<ImplicitTerminatorRegion>($body) attr-dict-with-keyword"

    def verify_(self) -> None:
        """The region holds commands only."""
        verify_regions.check_command_region(self)


@irdl_op_definition
class CmdConcurrentOp(ImplicitTerminatorOp):
    """Commands in any order or at once."""

    name = "stream.cmd.concurrent"

    body = region_def()

    traits = traits_def(
        Canonicalized(),
        CmdPhase(),
        Streamable(),
        RecursiveMemoryEffect(),
        _CMD_PARENTS,
        SingleBlockImplicitTerminator(YieldOp),
    )

    custom_directives = (ImplicitTerminatorRegion,)
    assembly_format = "custom<ImplicitTerminatorRegion>($body) attr-dict-with-keyword"

    def verify_(self) -> None:
        """The region holds commands only, whose maintenance needs no order among them."""
        verify_regions.check_command_region(self)
        verify_regions.check_concurrent_maintenance(self)
