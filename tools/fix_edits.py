"""Insertions that repair a program, as data, and applying them to a module.

An edit names its place by the location of an op of the program as it was read, so that any set of
edits can be applied to a fresh copy.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import stream
from ..dialects.access import Access, RangeAccess, operand_offset, range_accesses
from ..dialects.hal.command_buffer import CommandBufferExecutionBarrierOp
from ..dialects.hal.device_queue import DeviceQueueOp
from ..dialects.hal.enum_base import enum_attr
from ..dialects.hal.enums import ExecutionStage
from ..dialects.hal.fence import FenceJoinOp
from ..dialects.hal.transfer_commands import (
    CommandBufferDiscardBufferOp,
    CommandBufferFlushBufferOp,
    CommandBufferInvalidateBufferOp,
)
from ..dialects.hal.types import FenceType
from ..dialects.location import location_text
from ..dialects.stream.types import TimepointType
from ..runtime.checker import Action
from ..transforms.build import make, set_operands

_STAGES = ExecutionStage.DISPATCH | ExecutionStage.TRANSFER

_HAL = {
    Action.FLUSH: CommandBufferFlushBufferOp,
    Action.INVALIDATE: CommandBufferInvalidateBufferOp,
    Action.DISCARD: CommandBufferDiscardBufferOp,
}
_STREAM = {
    Action.FLUSH: stream.CmdFlushOp,
    Action.INVALIDATE: stream.CmdInvalidateOp,
    Action.DISCARD: stream.CmdDiscardOp,
}

Submission = stream.CmdExecuteOp | stream.ResourceAllocaOp | stream.ResourceDeallocaOp
"""Ops of the stream level that submit work between timepoints."""


class Side(StrEnum):
    """Where an edit goes, seen from its op."""

    BEFORE = "before"
    AFTER = "after"


class Step(StrEnum):
    """The order of edits on one side of an op."""

    BARRIER_FIRST = "0 barrier"
    MAINTENANCE = "1 maintenance"
    BARRIER_LAST = "2 barrier"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Maintenance of a range of the op at `place`, or a barrier, on one side of it."""

    place: str
    side: Side
    step: Step
    action: str = ""
    """For maintenance the `Action`."""
    range: int = 0
    """For maintenance which of the ranges that the op accesses."""


@dataclass(frozen=True, slots=True, order=True)
class WaitEdit:
    """The submission at `place` also waits for what the one at `first` signals."""

    place: str
    first: str


AnyEdit = Edit | WaitEdit


def is_command(op: Operation) -> bool:
    """Whether `op` stands in an execution region or records into a command buffer."""
    return execute_of(op) is not None or "command_buffer" in _operand_names(op)


def execute_of(op: Operation) -> stream.CmdExecuteOp | None:
    """The execution region that `op` is in."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, stream.CmdExecuteOp):
        parent = parent.parent_op()
    return parent


def ranges_of(op: Operation, mode: Access) -> list[int]:
    """Which of `range_accesses(op)` are of `mode`; all, if none is."""
    ranges = range_accesses(op)
    chosen = [index for index, access in enumerate(ranges) if access.mode & mode]
    return chosen or list(range(len(ranges)))


def ops_by_place(module: ModuleOp) -> dict[str, Operation]:
    """The ops of a module by location: the first of each."""
    result: dict[str, Operation] = {}
    for op in module.walk():
        if place := location_text(op):
            result.setdefault(place, op)
    return result


def apply(module: ModuleOp, edits: Iterable[AnyEdit]) -> ModuleOp:
    """A copy of `module` with the edits."""
    copy = module.clone()
    ops = ops_by_place(copy)
    ordered = sorted(edits, key=_order_of)
    after: dict[str, Operation] = {}
    for edit in ordered:
        op = ops[edit.place]
        if isinstance(edit, WaitEdit):
            _wait(op, ops[edit.first])
            continue
        anchor = _outermost(op)
        new = _barrier(op) if edit.step is not Step.MAINTENANCE else _maintenance(op, edit)
        if edit.side is Side.BEFORE:
            Rewriter.insert_op(new, InsertPoint.before(anchor))
        else:
            Rewriter.insert_op(new, InsertPoint.after(after.get(edit.place, anchor)))
            after[edit.place] = new
    return copy


def _order_of(edit: AnyEdit) -> tuple[bool, str, str, str, str, int]:
    """Edits of one side of an op follow each other in the order of their steps; waits are last."""
    if isinstance(edit, WaitEdit):
        return True, edit.place, edit.first, "", "", 0
    return False, edit.place, edit.side.value, edit.step.value, edit.action, edit.range


def _operand_names(op: Operation) -> set[str]:
    definition = getattr(op, "get_irdl_definition", None)
    return {name for name, _ in definition().operands} if definition else set()


def _outermost(op: Operation) -> Operation:
    """The op, or the concurrent region around it: what its neighbours are ordered with."""
    while isinstance(parent := op.parent_op(), stream.CmdConcurrentOp):
        op = parent
    return op


def _barrier(op: Operation) -> Operation:
    return make(
        CommandBufferExecutionBarrierOp,
        op,
        command_buffer=_command_buffer(op),
        source_stage_mask=enum_attr(ExecutionStage, _STAGES),
        target_stage_mask=enum_attr(ExecutionStage, _STAGES),
        flags=IntegerAttr(0, i64),
    )


def _command_buffer(op: Operation) -> SSAValue:
    assert isinstance(op, IRDLOperation), "an op that records"
    return op.operands[operand_offset(op, "command_buffer")]


def _maintenance(op: Operation, edit: Edit) -> Operation:
    access = range_accesses(op)[edit.range]
    action = Action(edit.action)
    execute = execute_of(op)
    if execute is not None:
        return _stream_maintenance(op, action, access, execute)
    return make(
        _HAL[action],
        op,
        command_buffer=_command_buffer(op),
        target_buffer=access.value,
        target_offset=access.offset,
        length=access.length,
        flags=IntegerAttr(0, i64),
    )


def _stream_maintenance(
    op: Operation, action: Action, access: RangeAccess, execute: stream.CmdExecuteOp
) -> Operation:
    arguments = list(execute.body.block.args)
    size = execute.resource_operand_sizes[arguments.index(access.value)]  # pyright: ignore[reportArgumentType] captured resources are block arguments
    return make(
        _STREAM[action],
        op,
        target=access.value,
        target_size=size,
        target_offset=access.offset,
        target_length=access.length,
    )


def _wait(op: Operation, first: Operation) -> None:
    """Let the submission `op` also wait for the submission `first`."""
    if isinstance(op, DeviceQueueOp) and isinstance(first, DeviceQueueOp):
        wait, signal = getattr(op, "wait_fence"), getattr(first, "signal_fence")  # noqa: B009
        join = make(
            FenceJoinOp, op, [FenceType()], fences=[wait, signal], flags=IntegerAttr(0, i64)
        )
        Rewriter.insert_op(join, InsertPoint.before(op))
        set_operands(op, "wait_fence", [join.result])
        return
    assert isinstance(op, Submission), "a submission of the same level"
    assert isinstance(first, Submission), "a submission"
    reached = first.result_timepoint
    if op.await_timepoint is not None:
        join = make(
            stream.TimepointJoinOp,
            op,
            [TimepointType()],
            await_timepoints=[op.await_timepoint, reached],
        )
        Rewriter.insert_op(join, InsertPoint.before(op))
        reached = join.result_timepoint
    set_operands(op, "await_timepoint", [reached])


def can_wait(op: Operation, first: Operation) -> bool:
    """Whether `op` is a submission after the submission `first`, in one block."""
    submits = all(isinstance(o, Submission | DeviceQueueOp) for o in (op, first))
    block = op.parent_block()
    return (
        submits
        and block is not None
        and block is first.parent_block()
        and block.get_operation_index(first) < block.get_operation_index(op)
    )
