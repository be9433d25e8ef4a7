"""Commands on ranges of allocated resources: cache maintenance, fills, copies, collectives."""

from __future__ import annotations

from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from ..access import Access, FieldRanges, Maintains, Maintenance, reads, writes
from . import verify, verify_regions
from .attributes import CollectiveAttr
from .base import (
    ACCESSES,
    AFFINITY,
    ANY_RESOURCE,
    DEVICE_RESOURCE,
    I32,
    INDEX,
    NATIVE_FILL_PATTERN,
    Canonicalized,
    CmdPhase,
    Streamable,
)
from .dispatch_access import CommandRanges
from .format import DispatchResources, access_list
from .types import ChannelType


class _MaintenanceOp(IRDLOperation):
    """An operation on the lines of a range in the cache of the device that runs the region."""

    target = operand_def(ANY_RESOURCE)
    target_size = operand_def(INDEX)
    """Bytes of `target`."""
    target_offset = operand_def(INDEX)
    """Where the range starts, in bytes from the start of `target`."""
    target_length = operand_def(INDEX)
    """Bytes of the range."""

    def verify_(self) -> None:
        """The range lies within the target (IR-12)."""
        verify.check_range(self.target_offset, self.target_length, self.target_size, "target")


@irdl_op_definition
class CmdFlushOp(_MaintenanceOp):
    """Makes writes to a range available to other agents: dirty bytes go back to memory.

    Who reads them sees them after an invalidate of its own. Nobody's ownership changes.
    """

    name = "stream.cmd.flush"

    source_affinity = opt_prop_def(AFFINITY)
    """Who reads the range afterwards (printed `to`); absent: the host or an outside party."""

    traits = traits_def(Canonicalized(), CmdPhase(), Streamable(), Maintains(Maintenance.FLUSH))

    assembly_format = (
        "(`to` `(` $source_affinity^ `)`)? $target `[` $target_offset `for` $target_length `]`"
        " `:` type($target) `` `{` $target_size `}` attr-dict-with-keyword"
    )


@irdl_op_definition
class CmdInvalidateOp(_MaintenanceOp):
    """Drops the lines of a range, so that reads fetch what another agent flushed."""

    name = "stream.cmd.invalidate"

    source_affinity = opt_prop_def(AFFINITY)
    """Who wrote the range before (printed `from`); absent: the host or an outside party."""

    traits = traits_def(
        Canonicalized(), CmdPhase(), Streamable(), Maintains(Maintenance.INVALIDATE)
    )

    assembly_format = (
        "(`from` `(` $source_affinity^ `)`)? $target `[` $target_offset `for` $target_length `]`"
        " `:` type($target) `` `{` $target_size `}` attr-dict-with-keyword"
    )


@irdl_op_definition
class CmdDiscardOp(_MaintenanceOp):
    """Drops the lines of a range whose contents are dead."""

    name = "stream.cmd.discard"

    traits = traits_def(Canonicalized(), CmdPhase(), Streamable(), Maintains(Maintenance.DISCARD))

    assembly_format = (
        "$target `[` $target_offset `for` $target_length `]` `:`"
        " type($target) `` `{` $target_size `}` attr-dict-with-keyword"
    )


@irdl_op_definition
class CmdFillOp(IRDLOperation):
    """Fills a range with a pattern."""

    name = "stream.cmd.fill"

    target = operand_def(DEVICE_RESOURCE)
    target_size = operand_def(INDEX)
    """Bytes of `target`."""
    target_offset = operand_def(INDEX)
    """Where the range starts, in bytes from the start of `target`."""
    target_length = operand_def(INDEX)
    """Bytes of the range."""
    value = operand_def(NATIVE_FILL_PATTERN)

    traits = traits_def(
        Canonicalized(),
        CmdPhase(),
        Streamable(),
        MemoryWriteEffect(),
        FieldRanges((writes("target", "target_length", "target_offset"),)),
    )

    assembly_format = (
        "$value `,` $target `[` $target_offset `for` $target_length `]` `:` type($value) `->`"
        " type($target) `` `{` $target_size `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The range lies within the target."""
        verify.check_range(self.target_offset, self.target_length, self.target_size, "target")


@irdl_op_definition
class CmdCopyOp(IRDLOperation):
    """Copies a range to another one."""

    name = "stream.cmd.copy"

    source = operand_def(ANY_RESOURCE)
    source_size = operand_def(INDEX)
    """Bytes of `source`."""
    source_offset = operand_def(INDEX)
    """Where the source's range starts, in bytes from its start."""
    target = operand_def(ANY_RESOURCE)
    target_size = operand_def(INDEX)
    """Bytes of `target`."""
    target_offset = operand_def(INDEX)
    """Where the target's range starts, in bytes from its start."""
    length = operand_def(INDEX)
    """Bytes of each range."""

    traits = traits_def(
        Canonicalized(),
        CmdPhase(),
        Streamable(),
        MemoryReadEffect(),
        MemoryWriteEffect(),
        FieldRanges(
            (
                reads("source", "length", "source_offset"),
                writes("target", "length", "target_offset"),
            )
        ),
    )

    assembly_format = (
        "$source `[` $source_offset `]` `,` $target `[` $target_offset `]` `,` $length `:`"
        " type($source) `` `{` $source_size `}` `->` type($target) `` `{` $target_size `}`"
        " attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Both ranges lie within their resources, and do not overlap in one resource (B10)."""
        verify.check_range(self.source_offset, self.length, self.source_size, "source")
        verify.check_range(self.target_offset, self.length, self.target_size, "target")
        verify.check_copy_overlap(self)


@irdl_op_definition
class CmdCollectiveOp(IRDLOperation):
    """Runs a collective operation on bound ranges: what is sent first, then what is received."""

    name = "stream.cmd.collective"

    channel = operand_def(base(ChannelType))
    element_count = operand_def(INDEX)
    """Elements taking part, of the collective's element type."""
    param = opt_operand_def(I32)
    """The rank that the collective names, or a pair of ranks in 16 bits each."""
    resources = var_operand_def(DEVICE_RESOURCE)
    resource_sizes = var_operand_def(INDEX)
    """Bytes of each resource."""
    resource_offsets = var_operand_def(INDEX)
    """Where each range starts, in bytes."""
    resource_lengths = var_operand_def(INDEX)
    """Bytes of each range."""

    op = prop_def(base(CollectiveAttr))
    resource_accesses = prop_def(ACCESSES)
    """For each range: 1 read, 2 written, 3 both."""

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Canonicalized(), CmdPhase(), Streamable(), CommandRanges("resources"))

    custom_directives = (DispatchResources,)
    assembly_format = (
        "`` $op `` `[` $element_count `]` `channel` `(` $channel `)`"
        " (`param` `(` $param^ `:` type($param) `)`)? `{` custom<DispatchResources>($resources,"
        " type($resources), $resource_sizes, $resource_offsets, $resource_lengths,"
        " $resource_accesses) `\\n` `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """As many ranges as the kind takes, with the accesses it makes."""
        verify_regions.check_bindings(self)
        kind = self.op.data.kind
        wanted = {"send": (Access.READ,), "recv": (Access.WRITE,)}.get(
            kind, (Access.READ, Access.WRITE)
        )
        verify.check_count(f"resources for {kind}", len(self.resources), len(wanted))
        for index, (access, need) in enumerate(
            zip(access_list(self.resource_accesses), wanted, strict=True)
        ):
            verify.check_access(index, access, need)
