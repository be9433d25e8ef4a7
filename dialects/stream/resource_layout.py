"""Resource ops: slices of slabs, views, constants, and storage for transients."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
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
    Pure,
)

from ..access import TiedResults
from . import verify
from .base import (
    AFFINITY,
    ANY_RESOURCE,
    CONSTANT_RESOURCE,
    DEVICE_RESOURCE,
    INDEX,
    TIMEPOINT,
    Canonicalized,
    Passthrough,
    Streamable,
)
from .format_lists import ConstantValueList, PackSliceRanges


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
