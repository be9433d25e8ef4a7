"""What stands in the regions of the dialect's ops."""

from xdsl.dialects.builtin import IndexType
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator, Pure

from .base import I64_ATTR


@irdl_op_definition
class YieldOp(IRDLOperation):
    """What a region gives for its elements."""

    name = "iree_linalg_ext.yield"

    arguments = var_operand_def()

    traits = traits_def(Pure(), IsTerminator())

    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"


@irdl_op_definition
class IndexOp(IRDLOperation):
    """Where along a loop of the op around it the region is."""

    name = "iree_linalg_ext.index"

    dim = prop_def(I64_ATTR)

    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "$dim attr-dict `:` type($result)"
