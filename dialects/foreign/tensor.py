"""The tensor dialect with the ops that xDSL lacks."""

from typing import ClassVar

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    UnrankedTensorType,
    i64,
)
from xdsl.dialects.utils import DynamicIndexList
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure, RecursiveMemoryEffect

from .extension import extended

INDEX = IndexType()
RANKED = base(TensorType)
TENSOR = base(TensorType) | base(UnrankedTensorType)
I64_ARRAY = DenseArrayBase.constr(i64)


@irdl_op_definition
class GenerateOp(IRDLOperation):
    """A tensor whose elements a region gives from their indices."""

    name = "tensor.generate"

    dynamic_extents = var_operand_def(INDEX)
    """Dynamic dimensions of the result."""

    body = region_def("single_block")
    """Takes an index for each dimension and yields the element."""

    result = result_def(RANKED)

    traits = traits_def(RecursiveMemoryEffect())

    assembly_format = "$dynamic_extents $body attr-dict `:` type($result)"


@irdl_op_definition
class RankOp(IRDLOperation):
    """How many dimensions a tensor has."""

    name = "tensor.rank"

    tensor = operand_def(TENSOR)

    result = result_def(INDEX)

    traits = traits_def(Pure())

    assembly_format = "$tensor attr-dict `:` type($tensor)"


@irdl_op_definition
class BitcastOp(IRDLOperation):
    """The bits of each element as another type of the same width."""

    name = "tensor.bitcast"

    source = operand_def(TENSOR)

    dest = result_def(TENSOR)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"


@irdl_op_definition
class GatherOp(IRDLOperation):
    """Slices of a tensor at a tensor of coordinates."""

    name = "tensor.gather"

    source = operand_def(RANKED)
    indices = operand_def(RANKED)
    """Coordinates, in the last dimension."""

    gather_dims = prop_def(I64_ARRAY)
    """The dimensions of the source that coordinates name."""
    unique = opt_prop_def(UnitAttr)
    """States that all coordinates differ."""

    result = result_def(RANKED)

    traits = traits_def(Pure())

    assembly_format = (
        "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` (`unique` $unique^)? "
        "attr-dict `:` functional-type(operands, results)"
    )


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """A tensor with slices replaced at a tensor of coordinates."""

    name = "tensor.scatter"

    source = operand_def(RANKED)
    """The slices."""
    dest = operand_def(RANKED)
    indices = operand_def(RANKED)
    """Coordinates, in the last dimension."""

    scatter_dims = prop_def(I64_ARRAY)
    """The dimensions of `dest` that coordinates name."""
    unique = opt_prop_def(UnitAttr)
    """States that all coordinates differ."""

    result = result_def(RANKED)

    traits = traits_def(Pure())

    assembly_format = (
        "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` "
        "(`unique` $unique^)? attr-dict `:` functional-type(operands, results)"
    )


@irdl_op_definition
class ParallelInsertSliceOp(IRDLOperation):
    """What a thread of `scf.forall` gives to a part of a shared tensor."""

    name = "tensor.parallel_insert_slice"

    T: ClassVar = VarConstraint("T", RANKED)

    source = operand_def(RANKED)
    dest = operand_def(T)
    offsets = var_operand_def(INDEX)
    sizes = var_operand_def(INDEX)
    strides = var_operand_def(INDEX)

    static_offsets = prop_def(I64_ARRAY)
    static_sizes = prop_def(I64_ARRAY)
    static_strides = prop_def(I64_ARRAY)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DynamicIndexList,)

    assembly_format = (
        "$source `into` $dest `` custom<DynamicIndexList>($offsets, $static_offsets) "
        "custom<DynamicIndexList>($sizes, $static_sizes) "
        "custom<DynamicIndexList>($strides, $static_strides) attr-dict `:` "
        "type($source) `into` type($dest)"
    )


Tensor = extended(
    tensor.Tensor,
    [BitcastOp, GatherOp, GenerateOp, ParallelInsertSliceOp, RankOp, ScatterOp],
)
