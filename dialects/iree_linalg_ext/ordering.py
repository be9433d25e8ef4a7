"""Ops along one dimension: running combinations, orders by a comparator, best elements."""

from xdsl.dialects.builtin import BoolAttr, IndexType, UnitAttr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)

from .base import I64_ATTR, RANKED, SHAPED


@irdl_op_definition
class ScanOp(IRDLOperation):
    """Combines each element along a dimension with all before it."""

    name = "iree_linalg_ext.scan"

    input = operand_def(SHAPED)
    output = operand_def(SHAPED)
    """Gives the shape of the running combinations."""
    accumulator = operand_def(SHAPED)
    """What stands before the first element; the second result is the last value combined."""

    dimension = prop_def(I64_ATTR)
    inclusive = prop_def(BoolAttr)
    """Whether an element is combined with itself too."""

    region = region_def()

    res = var_result_def(RANKED)

    assembly_format = (
        "attr-dict `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` "
        "`ins` `(` $input `:` type($input) `)` "
        "`outs` `(` $output `,` $accumulator `:` type($output) `,` type($accumulator) `)` "
        "$region (`->` type($res)^)?"
    )


@irdl_op_definition
class SortOp(IRDLOperation):
    """Sorts arrays together along a dimension, by a comparator of pairs of their elements."""

    name = "iree_linalg_ext.sort"

    inputs = var_operand_def()
    """IREE's syntax has them, and its verifier allows none."""
    outputs = var_operand_def(SHAPED)

    dimension = prop_def(I64_ATTR)

    region = region_def()

    res = var_result_def(RANKED)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "attr-dict `dimension` `(` $dimension `)` (`ins` `(` $inputs^ `:` type($inputs) `)`)? "
        "`outs` `(` $outputs `:` type($outputs) `)` $region (`->` type($res)^)?"
    )


@irdl_op_definition
class TopkOp(IRDLOperation):
    """The first elements along a dimension in the order of a comparator, and where they were."""

    name = "iree_linalg_ext.topk"

    values = operand_def(SHAPED)
    indices = opt_operand_def(SHAPED)
    """What stands for the position of each value; its position if absent."""
    output_values = operand_def(SHAPED)
    """Candidates that come before all of `values`."""
    output_indices = operand_def(SHAPED)

    dimension = prop_def(I64_ATTR)

    region = region_def()

    res = var_result_def(RANKED)

    assembly_format = (
        "attr-dict `dimension` `(` $dimension `)` `ins` `(` $values (`,` $indices^)? `:` "
        "type($values) (`,` type($indices)^)? `)` `outs` `(` $output_values `,` $output_indices "
        "`:` type($output_values) `,` type($output_indices) `)` $region (`->` type($res)^)?"
    )


@irdl_op_definition
class TopkV2Op(IRDLOperation):
    """The first elements along a dimension in the order of a comparator; as many as fit."""

    name = "iree_linalg_ext.topk_v2"

    values = operand_def(SHAPED)
    input_indices = opt_operand_def(SHAPED)
    """What stands for the position of each value; its position if absent."""
    output_values = operand_def(SHAPED)
    output_indices = opt_operand_def(SHAPED)

    dimension = prop_def(I64_ATTR)
    is_sorted = opt_prop_def(UnitAttr)
    """Whether the elements found are in the comparator's order; else in any."""

    region = region_def()

    res = var_result_def(RANKED)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "attr-dict `dimension` `(` $dimension `)` (`is_sorted` $is_sorted^)? "
        "`ins` `(` $values (`,` $input_indices^)? `:` type($values) "
        "(`,` type($input_indices)^)? `)` "
        "`outs` `(` $output_values (`,` $output_indices^)? `:` type($output_values) "
        "(`,` type($output_indices)^)? `)` $region (`->` type($res)^)?"
    )


@irdl_op_definition
class ArgCompareOp(IRDLOperation):
    """The element along a dimension that a comparator prefers to all others, and where it is."""

    name = "iree_linalg_ext.arg_compare"

    input_value = operand_def(SHAPED)
    input_index = opt_operand_def(SHAPED)
    """What stands for the position of each element; its position if absent."""
    output_value = operand_def(SHAPED)
    """The best so far."""
    output_index = operand_def(SHAPED)
    index_base = opt_operand_def(IndexType())
    """Added to positions."""

    dimension = prop_def(I64_ATTR)

    region = region_def()
    """Whether the first argument is preferred to the second."""

    res = var_result_def(RANKED)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "attr-dict `dimension` `(` $dimension `)` "
        "`ins` `(` $input_value (`,` $input_index^)? `:` type($input_value) "
        "(`,` type($input_index)^)? `)` `outs` `(` $output_value `,` $output_index `:` "
        "type($output_value) `,` type($output_index) `)` "
        "(`index_base` `(` $index_base^ `:` type($index_base) `)`)? $region (`->` type($res)^)?"
    )
