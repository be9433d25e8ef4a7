"""Resource ops: allocation, ownership, mapping, packing, constants and views."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, UnitAttr, i1
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    AlwaysSpeculatable,
    MemoryAllocEffect,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
)

from ..access import TiedResults
from ..format_properties import PropDict
from . import verify
from .base import (
    AFFINITY,
    ANY_RESOURCE,
    CONSTANT_RESOURCE,
    DEVICE_RESOURCE,
    INDEX,
    STAGING_RESOURCE,
    TIMEPOINT,
    VALUE,
    Canonicalized,
    CmdPhase,
    Passthrough,
    Streamable,
)
from .format_lists import ConstantValueList, PackSliceRanges


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


@irdl_op_definition
class ResourcePackOp(IRDLOperation):
    """Lays out slices in one slab; slices share bytes where their lifetimes do not meet."""

    name = "stream.resource.pack"

    offset = opt_operand_def(INDEX)
    """Bytes by which all packed offsets are moved."""
    dynamic_slice_sizes = var_operand_def(INDEX)
    """Bytes of each slice."""

    lifetime_intervals = prop_def(ArrayAttr[IntegerAttr])
    """First and last step of each slice's life, both included: two indices a slice."""
    affinity = opt_prop_def(AFFINITY)

    total_length = result_def(INDEX)
    """Bytes of the slab."""
    packed_offsets = var_result_def(INDEX)
    """Bytes from the start of the slab, for each slice."""

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Pure())

    custom_directives = (PackSliceRanges,)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? (`offset` `(` $offset^ `)`)? `slices` `(` `{`"
        " custom<PackSliceRanges>($lifetime_intervals, $dynamic_slice_sizes,"
        " type($packed_offsets)) `}` `)` `:` type($total_length) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """As many intervals and offsets as slices."""
        verify.check_pack(self)


@irdl_op_definition
class ResourceConstantsOp(IRDLOperation):
    """Uploads or maps constants."""

    name = "stream.resource.constants"

    result_sizes = var_operand_def(INDEX)
    """Bytes of each constant."""

    values = prop_def(ArrayAttr)
    affinity = opt_prop_def(AFFINITY)

    result_resources = var_result_def(CONSTANT_RESOURCE)
    result_timepoint = result_def(TIMEPOINT)
    """From here the constants may be read."""

    traits = traits_def(Pure())

    custom_directives = (ConstantValueList,)
    assembly_format = (
        "(`on` `(` $affinity^ `)`)? attr-dict `:`"
        " custom<ConstantValueList>(type($result_resources), $result_sizes, $values)"
        " `\\n` ` ` ` ` `=` `` `>` type($result_timepoint)"
    )

    def verify_(self) -> None:
        """One size and one value for each result, and results of one type."""
        results = len(self.result_resources)
        verify.check_count("result sizes", len(self.result_sizes), results)
        verify.check_count("values", len(self.values), results)
        verify.check_one_type(self.result_resources)


@irdl_op_definition
class ResourceSubviewOp(IRDLOperation):
    """Names a range of a resource; storage is shared."""

    name = "stream.resource.subview"

    T: ClassVar = VarConstraint("T", ANY_RESOURCE)

    source = operand_def(T)
    source_size = operand_def(INDEX)
    """Bytes of `source`."""
    source_offset = operand_def(INDEX)
    """Bytes from the start of `source`."""
    result_size = operand_def(INDEX)
    """Bytes of the range."""

    result = result_def(T)

    traits = traits_def(
        Canonicalized(), Pure(), TiedResults("source"), Streamable(metadata=True), Passthrough()
    )

    assembly_format = (
        "$source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->`"
        " type($result) `` `{` $result_size `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The range lies within the source."""
        verify.check_range(self.source_offset, self.result_size, self.source_size, "source")


@irdl_op_definition
class ResourceTransientsOp(IRDLOperation):
    """States that the transients made to produce `resource` shall live in `storage`."""

    name = "stream.resource.transients"

    T: ClassVar = VarConstraint("T", DEVICE_RESOURCE)

    resource = operand_def(T)
    resource_size = operand_def(INDEX)
    """Bytes."""
    storage = operand_def(ANY_RESOURCE)
    storage_size = operand_def(INDEX)
    """Bytes."""
    await_timepoint = opt_operand_def(TIMEPOINT)

    affinity = opt_prop_def(AFFINITY)

    result = result_def(T)
    result_timepoint = result_def(TIMEPOINT)

    traits = traits_def(Pure(), TiedResults("resource"), Passthrough())

    assembly_format = (
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)?"
        " $resource `:` type($resource) `` `{` $resource_size `}` `from`"
        " $storage `:` type($storage) `` `{` $storage_size `}` `=` `` `>` type($result_timepoint)"
        " attr-dict-with-keyword"
    )
