"""`linalg.pack` and `linalg.unpack` on tensors: cutting into tiles, and putting together again.

Does not handle: the forms on buffers, which have no result.
"""

from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, IndexType, TensorType, i64
from xdsl.dialects.utils import DynamicIndexList
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

RANKED = base(TensorType)
I64_ARRAY = DenseArrayBase.constr(i64)


@irdl_op_definition
class PackOp(IRDLOperation):
    """Cuts a tensor into tiles: first how many there are along each dimension, then the tile."""

    name = "linalg.pack"

    T: ClassVar = VarConstraint("T", RANKED)

    source = operand_def(RANKED)
    dest = operand_def(T)
    """Gives the shape of the result."""
    padding_value = opt_operand_def()
    """What tiles hold beyond the source."""
    inner_tiles = var_operand_def(IndexType())
    """Sizes of tiles that are not static."""

    outer_dims_perm = opt_prop_def(I64_ARRAY)
    """The order of the counts of tiles."""
    inner_dims_pos = prop_def(I64_ARRAY)
    """The dimension that each dimension of a tile cuts."""
    static_inner_tiles = prop_def(I64_ARRAY)

    result = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DynamicIndexList,)
    traits = traits_def(Pure())

    assembly_format = (
        "$source (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)? "
        "(`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos "
        "`inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles) "
        "`into` $dest attr-dict `:` type($source) `->` type($dest)"
    )


@irdl_op_definition
class UnpackOp(IRDLOperation):
    """The tensor that tiles make, without what they have beyond it."""

    name = "linalg.unpack"

    T: ClassVar = VarConstraint("T", RANKED)

    source = operand_def(RANKED)
    dest = operand_def(T)
    """Gives the shape of the result."""
    inner_tiles = var_operand_def(IndexType())
    """Sizes of tiles that are not static."""

    outer_dims_perm = opt_prop_def(I64_ARRAY)
    """The order of the counts of tiles."""
    inner_dims_pos = prop_def(I64_ARRAY)
    """The dimension that each dimension of a tile cuts."""
    static_inner_tiles = prop_def(I64_ARRAY)

    result = result_def(T)

    custom_directives = (DynamicIndexList,)
    traits = traits_def(Pure())

    assembly_format = (
        "$source (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos "
        "`inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles) "
        "`into` $dest attr-dict `:` type($source) `->` type($dest)"
    )
