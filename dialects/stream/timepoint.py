"""Timepoint ops: import and export, joining, and waiting for resources."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from ..access import TiedResults
from . import verify
from .base import AFFINITY, ANY_RESOURCE, INDEX, TIMEPOINT, Canonicalized, Passthrough
from .format_lists import PassthroughTypeList


@irdl_op_definition
class TimepointImmediateOp(IRDLOperation):
    """A timepoint that is reached already."""

    name = "stream.timepoint.immediate"

    result_timepoint = result_def(TIMEPOINT)

    traits = traits_def(Pure())

    assembly_format = "attr-dict `=` `` `>` type($result_timepoint)"


@irdl_op_definition
class TimepointImportOp(IRDLOperation):
    """Takes a timepoint of another dialect in, a fence or a semaphore and its value."""

    name = "stream.timepoint.import"

    arguments = var_operand_def()
    """What another dialect calls it (`operands` in ODS, a name that xDSL keeps)."""

    affinity = opt_prop_def(AFFINITY)

    result_timepoint = result_def(TIMEPOINT)

    traits = traits_def(Pure())

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $arguments `:` `(` type($arguments) `)` `=` `` `>`"
        " type($result_timepoint) attr-dict-with-keyword"
    )


@irdl_op_definition
class TimepointExportOp(IRDLOperation):
    """Hands a timepoint out to another dialect."""

    name = "stream.timepoint.export"

    await_timepoint = operand_def(TIMEPOINT)

    affinity = opt_prop_def(AFFINITY)

    exported = var_result_def()
    """What another dialect calls it (`results` in ODS, a name that xDSL keeps)."""

    traits = traits_def(Canonicalized(), Pure())

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $await_timepoint `=` `` `>` `(` type($exported) `)`"
        " attr-dict-with-keyword"
    )


@irdl_op_definition
class TimepointChainExternalOp(IRDLOperation):
    """Signals fences of another dialect once a timepoint is reached."""

    name = "stream.timepoint.chain_external"

    await_timepoint = operand_def(TIMEPOINT)
    external_values = var_operand_def()
    """What is signalled."""

    affinity = opt_prop_def(AFFINITY)

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $await_timepoint `=` `` `>`"
        " `(` $external_values `:` type($external_values) `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class TimepointJoinOp(IRDLOperation):
    """A timepoint that is reached when all of several are."""

    name = "stream.timepoint.join"

    await_timepoints = var_operand_def(TIMEPOINT)

    result_timepoint = result_def(TIMEPOINT)

    traits = traits_def(Canonicalized(), Pure())

    assembly_format = (
        "`max` `(` $await_timepoints `)` `=` `` `>` type($result_timepoint) attr-dict-with-keyword"
    )


@irdl_op_definition
class TimepointBarrierOp(IRDLOperation):
    """The timepoint from which a resource of the async phase is available."""

    name = "stream.timepoint.barrier"

    T: ClassVar = VarConstraint("T", ANY_RESOURCE)

    resource = operand_def(T)
    resource_size = operand_def(INDEX)
    """Bytes."""

    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)
    result_timepoint = result_def(TIMEPOINT)

    traits = traits_def(Canonicalized(), Pure(), Passthrough(), TiedResults("resource"))

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $resource `:` type($resource) `` `{` $resource_size `}`"
        " `=` `` `>` type($result_timepoint) attr-dict-with-keyword"
    )


@irdl_op_definition
class TimepointAwaitOp(IRDLOperation):
    """Resources as they are once a timepoint is reached."""

    name = "stream.timepoint.await"

    resource_operands = var_operand_def(ANY_RESOURCE)
    resource_operand_sizes = var_operand_def(INDEX)
    """Bytes of each."""
    await_timepoint = operand_def(TIMEPOINT)

    sync = opt_prop_def(UnitAttr)
    """The host waits, even where nothing asks for it."""

    result_resources = var_result_def(ANY_RESOURCE)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        Canonicalized(),
        Pure(),
        Passthrough(),
        TiedResults("resource_operands", "result_resources", each=True),
    )

    custom_directives = (PassthroughTypeList,)
    assembly_format = (
        "(`sync` $sync^)? $await_timepoint `=` `` `>` $resource_operands `:`"
        " custom<PassthroughTypeList>(type($resource_operands), type($result_resources),"
        " $resource_operand_sizes) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """One size and one result of the same type for each resource."""
        verify.check_sizes(self.resource_operands, self.resource_operand_sizes, "resource")
        verify.check_same_types(self.resource_operands, self.result_resources)
