"""Lowered programs with one flush, invalidate, discard, barrier or wait damaged.

Each is deleted, shrunk, or moved before what it follows: maintenance and barriers before the
command that is recorded before them, a wait to what its signaler waited for itself. The module
is damaged in place, and mended when the next mutant is asked for.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import NamedTuple

from xdsl.dialects.arith import AddiOp, ConstantOp, DivUIOp, SubiOp
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation
from zcir.dialects import stream, util
from zcir.dialects.access import await_timepoints, maintained_range, operand_offset
from zcir.dialects.hal.command_buffer import CommandBufferExecutionBarrierOp
from zcir.dialects.hal.command_checks import CommandOp
from zcir.dialects.hal.device_queue import WAIT_FENCE, DeviceQueueOp
from zcir.dialects.hal.enum_base import enum_attr
from zcir.dialects.hal.enums import ExecutionStage
from zcir.dialects.hal.fence import FenceAwaitOp, FenceJoinOp
from zcir.dialects.hal.transfer_commands import CacheMaintenanceOp
from zcir.dialects.hal.types import FenceType
from zcir.transforms.build import INDEX, constant_value, make

LINE = 64
"""Bytes that a shrunk range loses, if it has more."""


class Mutant(NamedTuple):
    """What was done to which op."""

    damage: str
    """delete, shrink or move."""
    op: Operation


def mutants(module: ModuleOp) -> Iterator[Mutant]:
    """All mutants of `module`, which is each of them in turn."""
    for op in list(module.walk()):
        for damage, change in _changes(op):
            with change():
                yield Mutant(damage, op)


_Damage = AbstractContextManager[None]
_Changes = Iterator[tuple[str, Callable[[], _Damage]]]


def _changes(op: Operation) -> _Changes:
    if isinstance(op, IRDLOperation) and maintained_range(op) is not None:
        yield "delete", partial(_deleted, op)
        yield "shrink", partial(_shorter, op, at_start=False)
        yield "shrink", partial(_shorter, op, at_start=True)
    elif isinstance(op, CommandBufferExecutionBarrierOp):
        yield "delete", partial(_deleted, op)
        for field in ("source_stage_mask", "target_stage_mask"):
            for stage in _stages(op, field):
                yield "shrink", partial(_without, op, field, stage)
    if isinstance(op, _MOVED) and (before := _command_before(op)) is not None:
        yield "move", partial(_moved_before, op, before)
    for index in _waits(op):
        yield "delete", partial(_waiting_for, op, index, None)
        fence = op.operands[index]
        if isinstance(fence.owner, FenceJoinOp | stream.TimepointJoinOp):
            for part in fence.owner.operands:
                yield "shrink", partial(_waiting_for, op, index, part)
        elif (signaler := _signaler(fence, op)) is not None:
            yield "move", partial(_waiting_for, op, index, _waited_by(signaler))


# Maintenance and barriers.

_MOVED = (
    CacheMaintenanceOp,
    CommandBufferExecutionBarrierOp,
    stream.CmdFlushOp,
    stream.CmdInvalidateOp,
    stream.CmdDiscardOp,
)
_COMMANDS = ("hal.command_buffer.", "stream.cmd.")
_NO_COMMANDS = ("hal.command_buffer.create", "hal.command_buffer.finalize")


def _place(op: Operation) -> Callable[[], None]:
    """How to put an op that is taken out of its block back."""
    block, following = op.parent, op.next_op
    assert block is not None

    def back() -> None:
        if following is None:
            block.add_op(op)
        else:
            block.insert_op_before(op, following)

    return back


@contextmanager
def _deleted(op: Operation) -> Generator[None, None, None]:
    back, operands = _place(op), list(op.operands)
    op.detach()
    op.operands = []
    yield
    op.operands = operands
    back()


@contextmanager
def _shorter(op: IRDLOperation, *, at_start: bool) -> Generator[None, None, None]:
    """The range without its last or first line, or half of it."""
    maintained = maintained_range(op)
    assert maintained is not None
    field = "length" if isinstance(op, CacheMaintenanceOp) else "target_length"
    length, offset = operand_offset(op, field), operand_offset(op, "target_offset")
    whole, start = op.operands[length], op.operands[offset]
    new = _halves(whole, start)
    host = _outside(op)
    block = host.parent
    assert block is not None
    for made in new:
        block.insert_op_before(made, host)
    left, moved = new[-2:]
    op.operands[length] = left.results[0]
    if at_start:
        op.operands[offset] = moved.results[0]
    yield
    op.operands[length], op.operands[offset] = whole, start
    for made in reversed(new):
        made.detach()
        made.erase()


def _halves(length: SSAValue, start: SSAValue) -> list[Operation]:
    """Ops whose last two give a length without a line, or half, and a start behind that."""
    size, first = constant_value(length), constant_value(start)
    if size is not None and first is not None:
        lost = (size - 1) % LINE + 1 if size > LINE else size // 2
        return [ConstantOp(IntegerAttr(value, INDEX)) for value in (size - lost, first + lost)]
    two = ConstantOp(IntegerAttr(2, INDEX))
    half = DivUIOp(length, two.result)
    return [two, half, SubiOp(length, half.result), AddiOp(start, half.result)]


def _outside(op: Operation) -> Operation:
    """The op of the host program that an op is, or is within."""
    while (parent := op.parent_op()) is not None and parent.name.startswith("stream.cmd."):
        op = parent
    return op


def _stages(op: CommandBufferExecutionBarrierOp, field: str) -> list[int]:
    """The stages of a mask in which there are commands."""
    mask = op.properties[field]
    assert isinstance(mask, IntegerAttr)
    stages = (ExecutionStage.DISPATCH, ExecutionStage.TRANSFER)
    return [stage for stage in stages if mask.value.data & stage]


@contextmanager
def _without(op: Operation, field: str, stage: int) -> Generator[None, None, None]:
    mask = op.properties[field]
    assert isinstance(mask, IntegerAttr)
    op.properties[field] = enum_attr(ExecutionStage, mask.value.data & ~stage)
    yield
    op.properties[field] = mask


def _command_before(op: Operation) -> Operation | None:
    """The command that is recorded right before an op."""
    current = op.prev_op
    while current is not None:
        if current.name.startswith(_COMMANDS) and current.name not in _NO_COMMANDS:
            same = not isinstance(op, CommandOp) or current.operands[0] is op.operands[0]
            return current if same else None
        current = current.prev_op
    return None


@contextmanager
def _moved_before(op: Operation, other: Operation) -> Generator[None, None, None]:
    """`op` before `other`: the other one moves, since operands stand between them."""
    back = _place(other)
    block = op.parent
    assert block is not None
    other.detach()
    block.insert_op_after(other, op)
    yield
    other.detach()
    back()


# Waits.


def _waits(op: Operation) -> list[int]:
    """The operands of an op that it waits for, unless they are reached from the start."""
    if isinstance(op, DeviceQueueOp):
        indices = [WAIT_FENCE]
    elif isinstance(op, FenceAwaitOp):
        indices = list(range(1, len(op.operands)))
    elif isinstance(op, stream.CmdExecuteOp | stream.ResourceDeallocaOp | stream.TimepointAwaitOp):
        awaited = set(await_timepoints(op))
        indices = [index for index, value in enumerate(op.operands) if value in awaited]
    else:
        indices = []
    nothing = util.NullOp | stream.TimepointImmediateOp
    return [index for index in indices if not isinstance(op.operands[index].owner, nothing)]


def _signaler(fence: SSAValue, op: Operation) -> Operation | None:
    """What reaches a fence or timepoint, before `op` in its block."""
    if isinstance(fence.type, stream.TimepointType):
        makers = [fence.owner] if isinstance(fence.owner, Operation) else []
    else:
        makers = [use.operation for use in fence.uses if isinstance(use.operation, DeviceQueueOp)]
        makers = [maker for maker in makers if maker.operands[WAIT_FENCE + 1] is fence]
    return next((m for m in makers if m is not op and m.parent is op.parent and _waits(m)), None)


def _waited_by(op: Operation) -> SSAValue:
    return op.operands[_waits(op)[0]]


@contextmanager
def _waiting_for(op: Operation, index: int, other: SSAValue | None) -> Generator[None, None, None]:
    """An op that waits for another fence, or for none."""
    before = op.operands[index]
    now: Operation | None = None
    block = op.parent
    if other is None and block is not None:
        fence = isinstance(before.type, FenceType)
        now = (
            make(util.NullOp, op, [FenceType()])
            if fence
            else make(stream.TimepointImmediateOp, op, [stream.TimepointType()])
        )
        block.insert_op_before(now, op)
        other = now.results[0]
    assert other is not None
    op.operands[index] = other
    yield
    op.operands[index] = before
    if now is not None:
        now.detach()
        now.erase()
