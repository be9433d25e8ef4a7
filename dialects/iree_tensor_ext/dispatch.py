"""What stands in a dispatch: loads and stores of its tensors, workloads and workgroup counts."""

from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, TensorType, i64
from xdsl.dialects.utils import DynamicIndexList
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ..access import TiedResults
from ..shapes import verify_dynamic_dims
from .types import DispatchTensorType
from .verify import check_slice

INDEX = IndexType()
RANKED = base(TensorType)
I64_ARRAY = DenseArrayBase.constr(i64)


@irdl_op_definition
class DispatchTensorLoadOp(IRDLOperation):
    """Loads a slice of a tensor that the dispatch reads.

    Offsets, sizes and strides are in elements; where a static entry is dynamic, the next of the
    operands of that name states it. Dimensions of size 1 may be missing in the result.
    """

    name = "iree_tensor_ext.dispatch.tensor.load"

    source = operand_def(DispatchTensorType)
    source_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the source."""
    offsets = var_operand_def(INDEX)
    sizes = var_operand_def(INDEX)
    strides = var_operand_def(INDEX)

    static_offsets = prop_def(I64_ARRAY)
    static_sizes = prop_def(I64_ARRAY)
    static_strides = prop_def(I64_ARRAY)

    result = result_def(RANKED)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DynamicIndexList,)
    traits = traits_def(Pure(), TiedResults("source"))

    assembly_format = (
        "$source `,` `offsets` `=` custom<DynamicIndexList>($offsets, $static_offsets) "
        "`,` `sizes` `=` custom<DynamicIndexList>($sizes, $static_sizes) "
        "`,` `strides` `=` custom<DynamicIndexList>($strides, $static_strides) attr-dict `:` "
        "type($source) (`{` $source_dims^ `}`)? `->` type($result)"
    )

    def verify_(self) -> None:
        """The source's dynamic dimensions are stated, and the result is as large as the slice."""
        verify_dynamic_dims("the source", [self.source], self.source_dims)
        check_slice(self, self.source, self.result)


@irdl_op_definition
class DispatchTensorStoreOp(IRDLOperation):
    """Stores a tensor into a slice of one that the dispatch writes.

    Offsets, sizes and strides are as in `iree_tensor_ext.dispatch.tensor.load`.
    """

    name = "iree_tensor_ext.dispatch.tensor.store"

    value = operand_def(RANKED)
    target = operand_def(DispatchTensorType)
    target_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the target."""
    offsets = var_operand_def(INDEX)
    sizes = var_operand_def(INDEX)
    strides = var_operand_def(INDEX)

    static_offsets = prop_def(I64_ARRAY)
    static_sizes = prop_def(I64_ARRAY)
    static_strides = prop_def(I64_ARRAY)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DynamicIndexList,)
    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$value `,` $target `,` `offsets` `=` custom<DynamicIndexList>($offsets, $static_offsets) "
        "`,` `sizes` `=` custom<DynamicIndexList>($sizes, $static_sizes) "
        "`,` `strides` `=` custom<DynamicIndexList>($strides, $static_strides) attr-dict `:` "
        "type($value) `->` type($target) (`{` $target_dims^ `}`)?"
    )

    def verify_(self) -> None:
        """The target is written, its dimensions stated, and the value as large as the slice."""
        target = self.target.type
        assert isinstance(target, DispatchTensorType)
        if not target.access.data.writes:
            raise VerifyException(f"expected a target that may be written, got {target}")
        verify_dynamic_dims("the target", [self.target], self.target_dims)
        check_slice(self, self.target, self.value)


class _WorkgroupCountOp(IRDLOperation):
    """How many workgroups a dispatch has in x, y and z."""

    arguments = var_operand_def(INDEX)
    """The workload."""

    x = result_def(INDEX)
    y = result_def(INDEX)
    z = result_def(INDEX)

    traits = traits_def(Pure())

    assembly_format = "attr-dict `(` $arguments `)`"


@irdl_op_definition
class DispatchWorkgroupCountFromSliceOp(_WorkgroupCountOp):
    """Stands for the workgroup counts that code generation computes from the dispatch's body."""

    name = "iree_tensor_ext.dispatch.workgroup_count_from_slice"


@irdl_op_definition
class DispatchWorkgroupCountSplitReductionModifierOp(IRDLOperation):
    """Multiplies workgroup counts where a reduction is split among workgroups."""

    name = "iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier"

    workgroup_x = operand_def(INDEX)
    workgroup_y = operand_def(INDEX)
    workgroup_z = operand_def(INDEX)
    workload = var_operand_def(INDEX)

    result_x = result_def(INDEX)
    result_y = result_def(INDEX)
    result_z = result_def(INDEX)

    traits = traits_def(Pure())

    assembly_format = (
        "attr-dict `workgroups` `(` $workgroup_x `,` $workgroup_y `,` $workgroup_z `)` "
        "`workload` `(` $workload `)`"
    )


@irdl_op_definition
class DispatchWorkloadOrdinalOp(IRDLOperation):
    """Says which of the dispatch's workload values an operand is."""

    name = "iree_tensor_ext.dispatch.workload.ordinal"

    operand = operand_def(INDEX)

    ordinal = prop_def(IntegerAttr[IndexType])
    """Index in the workload."""

    result = result_def(INDEX)

    traits = traits_def(Pure())

    assembly_format = "attr-dict $operand `,` $ordinal `:` type($operand)"
