"""Ops on whole tensors: views, barriers and ragged shapes."""

from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, TensorType
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from ..access import TiedResults
from ..shapes import verify_dynamic_dims
from .verify import check_cast_to_ragged, check_linearize_ragged

INDEX = IndexType()
RANKED = base(TensorType)
SHAPED = base(TensorType) | base(MemRefType)


@irdl_op_definition
class BitCastOp(IRDLOperation):
    """Views the bytes of a tensor as elements of another type."""

    name = "iree_tensor_ext.bitcast"

    source = operand_def(RANKED)
    source_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the source."""
    result_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the result."""

    result = result_def(RANKED)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure(), TiedResults("source"))

    assembly_format = (
        "$source `:` type($source) (`{` $source_dims^ `}`)? `->` "
        "type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated."""
        verify_dynamic_dims("the source", [self.source], self.source_dims)
        verify_dynamic_dims("the result", [self.result], self.result_dims)


class _ComputeBarrierOp(IRDLOperation):
    """A tensor across which no computation is moved."""

    T: ClassVar = VarConstraint("T", RANKED)

    value = operand_def(T)
    value_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the value."""

    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = (
        "$value `:` type($value) (`{` $value_dims^ `}`)? `->` type($result) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated."""
        verify_dynamic_dims("the value", [self.value], self.value_dims)


@irdl_op_definition
class ComputeBarrierStartOp(_ComputeBarrierOp):
    """Marks where a computation on a tensor may start: nothing after it moves before it."""

    name = "iree_tensor_ext.compute_barrier.start"


@irdl_op_definition
class ComputeBarrierEndOp(_ComputeBarrierOp):
    """Marks where a computation on a tensor ends: nothing before it moves after it."""

    name = "iree_tensor_ext.compute_barrier.end"


@irdl_op_definition
class CastToRaggedShapeOp(IRDLOperation):
    """Views one dimension as rows of differing length."""

    name = "iree_tensor_ext.cast_to_ragged_shape"

    source = operand_def(SHAPED)
    column_lengths = operand_def(SHAPED)
    """Where each row starts, and where the last ends."""
    num_ragged_rows = opt_operand_def(INDEX)
    """How many rows there are, where that is dynamic."""
    source_dynamic_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the source."""

    ragged_dim = prop_def(IntegerAttr[IndexType], prop_name="raggedDim")
    """The dimension that becomes rows and columns."""

    result = result_def(SHAPED)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    assembly_format = (
        "$source `ragged_dim` `(` $raggedDim `)` `column_lengths` `(` $column_lengths `)` "
        "(`num_ragged_rows` `(` $num_ragged_rows^ `)`)? attr-dict `:` "
        "`(` type($source) (`{` $source_dynamic_dims^ `}`)? `,` type($column_lengths) `)` "
        "`->` type($result)"
    )

    def verify_(self) -> None:
        """The result has rows and columns for the ragged dimension."""
        check_cast_to_ragged(self)


@irdl_op_definition
class LinearizeRaggedDimsOp(IRDLOperation):
    """Views rows of differing length as one dimension."""

    name = "iree_tensor_ext.linearize_ragged_dims"

    source = operand_def(SHAPED)
    result_dynamic_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the result."""

    result = result_def(SHAPED)

    traits = traits_def(Pure())

    assembly_format = (
        "$source attr-dict `:` type($source) `->` type($result) (`{` $result_dynamic_dims^ `}`)?"
    )

    def verify_(self) -> None:
        """The result has one dimension for rows and columns."""
        check_linearize_ragged(self)
