"""Ops that only tests use: stand-ins for ops on the timeline."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from ..access import TiedResults
from ..format_functions import ShapedFunctionType
from ..verify import check_ties
from . import verify
from .base import ANY_RESOURCE, INDEX, TIED_OPERANDS, TIMEPOINT
from .types import TestFenceType


@irdl_op_definition
class TestTimelineOp(IRDLOperation):
    """Stands for an op that waits for timepoints and makes one."""

    name = "stream.test.timeline_op"

    resource_operands = var_operand_def(ANY_RESOURCE)
    resource_operand_sizes = var_operand_def(INDEX)
    """Bytes of each."""
    result_sizes = var_operand_def(INDEX)
    """Bytes of each result."""
    await_operands = var_operand_def(TIMEPOINT)

    tied_operands = opt_prop_def(TIED_OPERANDS)
    """For each result the operand it is tied to, or -1."""
    await_limit = opt_prop_def(IntegerAttr.constr(type=i64))
    """How many timepoints it can wait for; unlimited where absent."""

    result_resources = var_result_def(ANY_RESOURCE)
    result_timepoint = result_def(TIMEPOINT)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Pure(), TiedResults("resource_operands", "result_resources", stored=True))

    custom_directives = (ShapedFunctionType,)
    assembly_format = (
        "(`await_limit` `(` $await_limit^ `)`)? (`await` `(` $await_operands^ `)` `=` `` `>`)?"
        " `with` `(` $resource_operands `)` attr-dict `:`"
        " custom<ShapedFunctionType>(ref($resource_operands), type($resource_operands),"
        " $resource_operand_sizes, type($result_resources), $result_sizes, $tied_operands)"
        " `=` `` `>` type($result_timepoint)"
    )

    def verify_(self) -> None:
        """Sizes are there and ties name operands."""
        verify.check_sizes(self.resource_operands, self.resource_operand_sizes, "resource operand")
        verify.check_sizes(self.result_resources, self.result_sizes, "result")
        operands, results = len(self.resource_operands), len(self.result_resources)
        check_ties(self.tied_operands, operands, results, "resource operands")


@irdl_op_definition
class TestTimelineAwareOp(IRDLOperation):
    """Stands for an op of another dialect that waits for fences and signals one."""

    name = "stream.test.timeline_aware"

    args = var_operand_def()
    """Anything."""
    wait_fence_likes = var_operand_def(base(TestFenceType))
    signal_fence_like = operand_def(base(TestFenceType))

    result_values = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Pure())

    assembly_format = (
        "`(` $args `)` `waits` `(` $wait_fence_likes `)` `signals` `(` $signal_fence_like `)`"
        " attr-dict `:` functional-type($args, $result_values)"
    )
