"""What the canonicalization patterns share."""

from __future__ import annotations

from xdsl.dialects.arith import AddiOp, ConstantOp
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from ..access import await_timepoints, result_affinity
from ..build import build_op
from ..verify import constant_index
from .base import INDEX, TIMEPOINT
from .timepoint import TimepointImmediateOp

_EXECUTIONS = (
    *("stream.async.execute", "stream.async.concurrent"),
    *("stream.cmd.execute", "stream.cmd.serial", "stream.cmd.concurrent"),
)


def host_position(op: Operation) -> InsertPoint:
    """Just before `op`, or before the execution it stands in: regions hold streamable ops only."""
    parent = op.parent_op()
    while parent is not None and parent.name in _EXECUTIONS:
        op, parent = parent, parent.parent_op()
    return InsertPoint.before(op)


def add_index(
    rewriter: PatternRewriter, lhs: SSAValue, rhs: SSAValue, before: Operation
) -> SSAValue:
    """lhs + rhs, folded where known, made on the host before `before`."""
    left, right = constant_index(lhs), constant_index(rhs)
    if left == 0:
        return rhs
    if right == 0:
        return lhs
    if left is not None and right is not None:
        total = left + right
        made: Operation = ConstantOp(IntegerAttr(total, INDEX))
        made.results[0].name_hint = f"c{total}" if total >= 0 else None
    else:
        made = AddiOp(lhs, rhs)
    made.location = before.location
    rewriter.insert(made, host_position(before))
    return made.results[0]


def immediate(rewriter: PatternRewriter, before: Operation) -> SSAValue:
    """A timepoint that is reached already, made just before `before`."""
    made = build_op(TimepointImmediateOp, location=before.location, result_timepoint=TIMEPOINT)
    rewriter.insert(made, InsertPoint.before(before))
    return made.result_timepoint


def is_immediate(timepoint: SSAValue) -> bool:
    """Whether `timepoint` is reached already."""
    return isinstance(timepoint.owner, TimepointImmediateOp)


def awaited_or_immediate(rewriter: PatternRewriter, op: Operation) -> SSAValue:
    """The timepoint that `op` waits for; an immediate one where it waits for none.

    What takes the place of an op's result timepoint when the op has nothing to do: the order
    behind what it waited for stays.
    """
    waits = await_timepoints(op)
    return waits[0] if waits else immediate(rewriter, op)


def single_use(value: SSAValue) -> bool:
    """Whether `value` has one use."""
    return value.has_one_use()


def lives_with(value: SSAValue, op: IRDLOperation) -> bool:
    """Whether `value` is known to live where `op` works, so that using it moves nothing."""
    owner = value.owner
    return isinstance(owner, Operation) and result_affinity(owner) == result_affinity(op)
