"""Terminators of stream regions."""

from __future__ import annotations

from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_op_definition,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator, Pure, ReturnLike

from ..format import ShapedTypeList
from .base import ANY_RESOURCE, INDEX, ParentNamed


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """Ends a workgroup count region."""

    name = "stream.return"

    arguments = var_operand_def()
    """The counts in x, y and z (`operands` in ODS, a name that xDSL keeps for all operands)."""

    traits = traits_def(
        Pure(), ReturnLike(), IsTerminator(), ParentNamed("stream.executable.export")
    )

    assembly_format = "attr-dict $arguments `:` type($arguments)"


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends an execution region and gives the resources that escape it."""

    name = "stream.yield"

    resource_operands = var_operand_def(ANY_RESOURCE)
    resource_operand_sizes = var_operand_def(INDEX)
    """Bytes of each."""

    irdl_options = (SameVariadicOperandSize(),)

    traits = traits_def(
        Pure(),
        IsTerminator(),
        ParentNamed(
            "stream.async.execute",
            "stream.async.concurrent",
            "stream.cmd.execute",
            "stream.cmd.serial",
            "stream.cmd.concurrent",
        ),
    )

    custom_directives = (ShapedTypeList,)
    assembly_format = (
        "attr-dict ($resource_operands^ `:`"
        " custom<ShapedTypeList>(type($resource_operands), $resource_operand_sizes))?"
    )
