"""Async ops with many operands: dispatches, functions and calls, execution regions."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    ArrayAttr,
    FlatSymbolRefAttrConstr,
    FunctionType,
    SymbolNameConstraint,
    SymbolRefAttr,
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
    Pure,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
    SymbolOpInterface,
)

from ..access import TiedResults
from ..format_functions import ShapedFunctionSignature, ShapedFunctionType
from ..format_properties import PropDict2
from ..format_symbols import DispatchEntryPoints, SymbolVisibility
from ..regions import ImplicitTerminatorOp
from ..symbols import VISIBILITY
from . import verify_regions
from .base import (
    AFFINITY,
    ANY_RESOURCE,
    DEVICE_RESOURCE,
    DICTIONARIES,
    INDEX,
    RESOURCE_OR_PRIMITIVE,
    TIED_OPERANDS,
    TIMEPOINT,
    AsyncPhase,
    Canonicalized,
    ParentNamed,
    Streamable,
)
from .dispatch_access import DispatchRanges, RegionRanges
from .format import (
    DispatchOperands,
)
from .format_regions import (
    ResourceRegion,
)
from .region import YieldOp


@irdl_op_definition
class AsyncDispatchOp(IRDLOperation):
    """Runs an executable's export on ranges of resources."""

    name = "stream.async.dispatch"

    workload = var_operand_def(INDEX)
    """Arguments of the export's workgroup count region."""
    resource_operands = var_operand_def(RESOURCE_OR_PRIMITIVE)
    """Resources and primitives, in the order of the export's arguments."""
    resource_operand_sizes = var_operand_def(INDEX)
    """Bytes of each resource operand."""
    resource_operand_offsets = var_operand_def(INDEX)
    """Where each resource operand's range starts, in bytes."""
    resource_operand_ends = var_operand_def(INDEX)
    """Where it ends."""
    resource_operand_lengths = var_operand_def(INDEX)
    """Bytes of the range."""
    result_sizes = var_operand_def(INDEX)
    """Bytes of each result."""

    entry_points = prop_def(base(ArrayAttr[SymbolRefAttr]))
    """Exports that do the same; one of them is chosen at run time."""
    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the resource operand it is written in place of, or -1."""
    affinity = opt_prop_def(AFFINITY)

    result_resources = var_result_def(DEVICE_RESOURCE)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        Pure(),
        AsyncPhase(),
        Streamable(),
        TiedResults("resource_operands", "result_resources", stored=True),
        DispatchRanges(),
    )

    custom_directives = (DispatchEntryPoints, DispatchOperands, ShapedFunctionType)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? custom<DispatchEntryPoints>($entry_points)"
        " (`[` $workload^ `]`)? `` custom<DispatchOperands>($resource_operands,"
        " $resource_operand_offsets, $resource_operand_ends, $resource_operand_lengths)"
        " attr-dict `:` custom<ShapedFunctionType>(ref($resource_operands),"
        " type($resource_operands), $resource_operand_sizes, type($result_resources),"
        " $result_sizes, $tied_operands)"
    )

    def verify_(self) -> None:
        """Sizes and ranges are there and fit; ties name operands of the result's size."""
        verify_regions.check_dispatch_like(self)
        verify_regions.check_entry_points(self)


@irdl_op_definition
class AsyncFuncOp(IRDLOperation):
    """Declares a function that calls on the timeline use."""

    name = "stream.async.func"

    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(base(FunctionType))
    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the argument it is written in place of, or -1."""
    sym_visibility = opt_prop_def(VISIBILITY)
    arg_attrs = opt_prop_def(DICTIONARIES)
    """One dictionary for each argument."""
    res_attrs = opt_prop_def(DICTIONARIES)
    """One dictionary for each result."""

    body = region_def()

    traits = traits_def(AsyncPhase(), IsolatedFromAbove(), SymbolOpInterface())

    custom_directives = (SymbolVisibility, ShapedFunctionSignature)
    assembly_format = (
        "custom<SymbolVisibility>($sym_visibility) $sym_name ``"
        " custom<ShapedFunctionSignature>($function_type, $tied_operands, $arg_attrs, $res_attrs)"
        " attr-dict-with-keyword ($body^)?"
    )

    def verify_(self) -> None:
        """Ties name arguments, and there is one dictionary for each argument and result."""
        verify_regions.check_signature(self)


@irdl_op_definition
class AsyncCallOp(IRDLOperation):
    """Calls a `stream.async.func` on ranges of resources."""

    name = "stream.async.call"

    resource_operands = var_operand_def()
    """Resources and other values, in the order of the callee's arguments."""
    resource_operand_sizes = var_operand_def(INDEX)
    """Bytes of each resource operand."""
    resource_operand_offsets = var_operand_def(INDEX)
    """Where each resource operand's range starts, in bytes."""
    resource_operand_ends = var_operand_def(INDEX)
    """Where it ends."""
    resource_operand_lengths = var_operand_def(INDEX)
    """Bytes of the range."""
    result_sizes = var_operand_def(INDEX)
    """Bytes of each result."""

    callee = prop_def(FlatSymbolRefAttrConstr)
    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the operand it is written in place of, or -1."""
    arg_attrs = opt_prop_def(DICTIONARIES)
    """One dictionary for each operand."""
    res_attrs = opt_prop_def(DICTIONARIES)
    """One dictionary for each result."""
    affinity = opt_prop_def(AFFINITY)

    result_resources = var_result_def(RESOURCE_OR_PRIMITIVE)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        AsyncPhase(),
        Streamable(),
        TiedResults("resource_operands", "result_resources", stored=True),
        DispatchRanges(),
    )

    custom_directives = (DispatchOperands, PropDict2, ShapedFunctionType)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $callee `` custom<DispatchOperands>($resource_operands,"
        " $resource_operand_offsets, $resource_operand_ends, $resource_operand_lengths)"
        " custom<PropDict2>($arg_attrs, $res_attrs)"
        " attr-dict `:` custom<ShapedFunctionType>(ref($resource_operands),"
        " type($resource_operands), $resource_operand_sizes, type($result_resources),"
        " $result_sizes, $tied_operands)"
    )

    def verify_(self) -> None:
        """Sizes and ranges are there and fit, results are resources, the callee matches."""
        verify_regions.check_dispatch_like(self)
        verify_regions.check_async_callee(self)


@irdl_op_definition
class AsyncExecuteOp(ImplicitTerminatorOp):
    """Runs a region of streamable ops on the timeline; captured resources are named anew."""

    name = "stream.async.execute"

    resource_operands = var_operand_def(ANY_RESOURCE)
    """Captured resources, one region argument each."""
    resource_operand_sizes = var_operand_def(INDEX)
    """Bytes of each."""
    result_sizes = var_operand_def(INDEX)
    """Bytes of each result."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the captured resource it is written in place of, or -1."""
    affinity = opt_prop_def(AFFINITY)

    body = region_def()

    result_resources = var_result_def(ANY_RESOURCE)
    """What the region yields; usable from `result_timepoint` on."""
    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        Canonicalized(),
        AsyncPhase(),
        RecursiveMemoryEffect(),
        SingleBlockImplicitTerminator(YieldOp),
        TiedResults("resource_operands", "result_resources", stored=True),
        RegionRanges(),
    )

    custom_directives = (ResourceRegion,)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)? `with` ``"
        " custom<ResourceRegion>($resource_operands, type($resource_operands),"
        " $resource_operand_sizes, type($result_resources), $result_sizes, $tied_operands, $body)"
        " `=` `` `>` type($result_timepoint) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Arguments, captures and yielded resources match the op's operands and results."""
        verify_regions.check_execution_region(self)


@irdl_op_definition
class AsyncConcurrentOp(ImplicitTerminatorOp):
    """Runs a region of streamable ops in any order or at once."""

    name = "stream.async.concurrent"

    resource_operands = var_operand_def(ANY_RESOURCE)
    """Captured resources, one region argument each."""
    resource_operand_sizes = var_operand_def(INDEX)
    """Bytes of each."""
    result_sizes = var_operand_def(INDEX)
    """Bytes of each result."""

    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the captured resource it is written in place of, or -1."""
    affinity = opt_prop_def(AFFINITY)

    body = region_def()

    result_resources = var_result_def(ANY_RESOURCE)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        AsyncPhase(),
        Streamable(),
        RecursiveMemoryEffect(),
        ParentNamed("stream.async.execute", "stream.async.concurrent"),
        SingleBlockImplicitTerminator(YieldOp),
        TiedResults("resource_operands", "result_resources", stored=True),
        RegionRanges(),
    )

    custom_directives = (ResourceRegion,)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? `with` `` custom<ResourceRegion>($resource_operands,"
        " type($resource_operands), $resource_operand_sizes, type($result_resources),"
        " $result_sizes, $tied_operands, $body) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Arguments, captures and yielded resources match the op's operands and results."""
        verify_regions.check_execution_region(self)
