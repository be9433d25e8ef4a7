"""Ops that read or write at indices which a tensor holds."""

from xdsl.dialects.builtin import BoolAttr
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    region_def,
    var_result_def,
)

from .base import I64_ARRAY, RANKED, SHAPED


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """Combines slices of updates with those of a tensor at the places that indices name."""

    name = "iree_linalg_ext.scatter"

    updates = operand_def(SHAPED)
    indices = operand_def(SHAPED)
    """The last dimension, which may be missing if it is 1, has an index for each of
    `dimension_map`."""
    mask = opt_operand_def(SHAPED)
    """Which updates are done."""
    original = operand_def(SHAPED)

    dimension_map = prop_def(I64_ARRAY)
    """The dimensions of `original` that are indexed."""
    unique_indices = prop_def(BoolAttr)
    """Whether no place is written twice."""

    region = region_def()
    """Takes the update's element and the original's."""

    res = var_result_def(RANKED)

    assembly_format = (
        "attr-dict `dimension_map` `=` $dimension_map `unique_indices` `(` $unique_indices `)` "
        "`ins` `(` $updates `,` $indices (`,` $mask^)? `:` type($updates) `,` type($indices) "
        "(`,` type($mask)^)? `)` `outs` `(` $original `:` type($original) `)` "
        "$region (`->` type($res)^)?"
    )


@irdl_op_definition
class GatherOp(IRDLOperation):
    """Slices of a tensor at the places that indices name."""

    name = "iree_linalg_ext.gather"

    source = operand_def(SHAPED)
    indices = operand_def(SHAPED)
    """As `scatter`'s."""
    mask = opt_operand_def(SHAPED)
    """Which slices are read; the output keeps its elements elsewhere."""
    output = operand_def(SHAPED)

    dimension_map = prop_def(I64_ARRAY)
    """The dimensions of `source` that are indexed."""

    res = var_result_def(RANKED)

    assembly_format = (
        "attr-dict `dimension_map` `=` $dimension_map `ins` `(` $source `,` $indices "
        "(`,` $mask^)? `:` type($source) `,` type($indices) (`,` type($mask)^)? `)` "
        "`outs` `(` $output `:` type($output) `)` (`->` type($res)^)?"
    )
