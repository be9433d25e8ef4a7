"""Resource ops: allocation, ownership, mapping and access by the host."""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr, i1
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import (
    AlwaysSpeculatable,
    MemoryAllocEffect,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
)

from ..format_properties import PropDict
from . import verify
from .base import (
    AFFINITY,
    ANY_RESOURCE,
    DEVICE_RESOURCE,
    INDEX,
    STAGING_RESOURCE,
    TIMEPOINT,
    VALUE,
    Canonicalized,
    CmdPhase,
)


@irdl_op_definition
class ResourceAllocOp(IRDLOperation):
    """Allocates persistent storage at once; its contents are zero unless `uninitialized`."""

    name = "stream.resource.alloc"

    storage_size = operand_def(INDEX)
    """Bytes."""

    uninitialized = opt_prop_def(UnitAttr)
    """The contents are undefined."""
    affinity = opt_prop_def(AFFINITY)
    """The device whose memory serves, or a set of devices that must all reach it."""

    result = result_def(ANY_RESOURCE)

    traits = traits_def(MemoryAllocEffect(), AlwaysSpeculatable())

    assembly_format = (
        "(`uninitialized` $uninitialized^)? (`on` `(` $affinity^ `)`)? attr-dict `:`"
        " type($result) `{` $storage_size `}`"
    )


@irdl_op_definition
class ResourceAllocaOp(IRDLOperation):
    """Allocates transient storage on the timeline, with undefined contents."""

    name = "stream.resource.alloca"

    storage_size = operand_def(INDEX)
    """Bytes."""
    await_timepoint = opt_operand_def(TIMEPOINT)
    """Storage need not exist before; what stood in it may be in use up to here."""

    indeterminate_lifetime = opt_prop_def(UnitAttr)
    """No dealloca is known: it is freed by reference counting."""
    affinity = opt_prop_def(AFFINITY)
    """The device whose memory serves, or a set of devices that must all reach it."""

    result = result_def(ANY_RESOURCE)
    result_timepoint = result_def(TIMEPOINT)
    """From here the storage may be used."""

    traits = traits_def(Canonicalized(), MemoryAllocEffect(), AlwaysSpeculatable())

    assembly_format = (
        "`uninitialized` (`indeterminate` $indeterminate_lifetime^)? (`on` `(` $affinity^ `)`)?"
        " (`await` `(` $await_timepoint^ `)` `=` `` `>`):(`:`)? attr-dict"
        " type($result) `{` $storage_size `}` `=` `` `>` type($result_timepoint)"
    )


@irdl_op_definition
class ResourceDeallocaOp(IRDLOperation):
    """Frees transient storage on the timeline."""

    name = "stream.resource.dealloca"

    operand = operand_def(ANY_RESOURCE)
    """The storage, as an alloca gave it."""
    operand_size = operand_def(INDEX)
    """Bytes."""
    await_timepoint = opt_operand_def(TIMEPOINT)
    """All uses of the storage end before."""

    prefer_origin = opt_prop_def(UnitAttr)
    """Free it on the device that allocated it, whatever `affinity` says."""
    affinity = opt_prop_def(AFFINITY)

    result_timepoint = result_def(TIMEPOINT)
    """From here the storage may serve another allocation."""

    traits = traits_def(Canonicalized(), MemoryFreeEffect())

    assembly_format = (
        "(`origin` $prefer_origin^)? (`on` `(` $affinity^ `)`)?"
        " (`await` `(` $await_timepoint^ `)` `=` `` `>`)?"
        " $operand `:` type($operand) `{` $operand_size `}` `=` `` `>` type($result_timepoint)"
        " attr-dict"
    )


@irdl_op_definition
class ResourceRetainOp(IRDLOperation):
    """Adds a claim of ownership."""

    name = "stream.resource.retain"

    operand = operand_def(ANY_RESOURCE)
    operand_size = operand_def(INDEX)
    """Bytes."""

    traits = traits_def(CmdPhase())

    assembly_format = "$operand attr-dict `:` type($operand) `{` $operand_size `}`"


@irdl_op_definition
class ResourceReleaseOp(IRDLOperation):
    """Gives up a claim of ownership."""

    name = "stream.resource.release"

    operand = operand_def(ANY_RESOURCE)
    operand_size = operand_def(INDEX)
    """Bytes."""

    result = result_def(i1)
    """Whether it was the last claim, so that the storage may be freed."""

    traits = traits_def(CmdPhase())

    assembly_format = "$operand attr-dict `:` type($operand) `{` $operand_size `}`"


@irdl_op_definition
class ResourceIsTerminalOp(IRDLOperation):
    """Tells whether there is one claim of ownership left."""

    name = "stream.resource.is_terminal"

    operand = operand_def(ANY_RESOURCE)
    operand_size = operand_def(INDEX)
    """Bytes."""

    result = result_def(i1)

    traits = traits_def(CmdPhase())

    assembly_format = "$operand attr-dict `:` type($operand) `{` $operand_size `}`"


@irdl_op_definition
class ResourceSizeOp(IRDLOperation):
    """Gives the bytes of a resource."""

    name = "stream.resource.size"

    operand = operand_def(ANY_RESOURCE)

    affinity = opt_prop_def(AFFINITY)

    result = result_def(INDEX)
    """Bytes."""

    traits = traits_def(Canonicalized(), Pure())

    custom_directives = (PropDict,)
    assembly_format = "$operand custom<PropDict>($affinity) attr-dict `:` type($operand)"


@irdl_op_definition
class ResourceTryMapOp(IRDLOperation):
    """Tries to use host memory in place as a resource."""

    name = "stream.resource.try_map"

    source = operand_def(Attribute)
    """A `!util.buffer`."""
    source_offset = operand_def(INDEX)
    """Bytes from the start of `source`."""
    result_size = operand_def(INDEX)
    """Bytes."""

    affinity = opt_prop_def(AFFINITY)

    did_map = result_def(i1)
    """Where false, `result` is null and the contents must be copied."""
    result = result_def(DEVICE_RESOURCE)

    traits = traits_def(MemoryAllocEffect())

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? $source `[` $source_offset `]` `:` type($source) `->`"
        " type($did_map) `,` type($result) `` `{` $result_size `}` attr-dict-with-keyword"
    )


@irdl_op_definition
class ResourceLoadOp(IRDLOperation):
    """Loads a value on the host."""

    name = "stream.resource.load"

    source = operand_def(STAGING_RESOURCE)
    source_size = operand_def(INDEX)
    """Bytes of the whole resource."""
    source_offset = operand_def(INDEX)
    """Bytes from its start."""

    result = result_def(VALUE)

    traits = traits_def(Canonicalized(), MemoryReadEffect())

    assembly_format = (
        "$source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->`"
        " type($result) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The value lies within the resource."""
        verify.check_value_access(self.source_offset, self.source_size, self.result.type, "source")


@irdl_op_definition
class ResourceStoreOp(IRDLOperation):
    """Stores a value on the host."""

    name = "stream.resource.store"

    target = operand_def(STAGING_RESOURCE)
    target_size = operand_def(INDEX)
    """Bytes of the whole resource."""
    target_offset = operand_def(INDEX)
    """Bytes from its start."""
    value = operand_def(VALUE)

    traits = traits_def(Canonicalized(), MemoryWriteEffect())

    assembly_format = (
        "$value `,` $target `[` $target_offset `]` `:` type($value) `->`"
        " type($target) `{` $target_size `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The value lies within the resource."""
        verify.check_value_access(self.target_offset, self.target_size, self.value.type, "target")
