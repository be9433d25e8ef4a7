"""Execution regions of the cmd phase as command buffers.

Ops of a region run one after the other, those of `stream.cmd.concurrent` in any order; those of
a `stream.cmd.serial` in it one after the other again. Between ops that are ordered stands an
execution barrier, as everywhere in command buffers.
"""

from collections.abc import Callable
from typing import Any

from xdsl.interpreter import Interpreter
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stream
from ...dialects.diagnostics import fail
from ..hal.command_buffer import CommandBuffer
from ..hal.device import Device
from ..hal.dispatch import Workload
from ..hal.flags import CommandBufferMode, ExecutionStage
from ..hal.refs import BufferRef
from .collectives import record_collective
from .state import VmState, source
from .words import bytes_of, words_of

ALL_STAGES = ExecutionStage.DISPATCH | ExecutionStage.TRANSFER


class _Recording:
    """One region on its way into a command buffer."""

    def __init__(self, state: VmState, interpreter: Interpreter, commands: CommandBuffer) -> None:
        self.state = state
        self.interpreter = interpreter
        self.commands = commands

    def value(self, value: SSAValue) -> Any:
        """The run-time value."""
        return self.interpreter.get_values((value,))[0]

    def integer(self, value: SSAValue) -> int:
        """The run-time value of an index."""
        return self.value(value).value.data

    def ref(self, resource: SSAValue, offset: SSAValue, length: SSAValue) -> BufferRef:
        """A range of a resource."""
        return BufferRef(self.value(resource), self.integer(offset), self.integer(length))

    def serial(self, block: Block) -> None:
        """Record the ops of `block` one after the other."""
        first = True
        for op in block.ops:
            if isinstance(op, stream.YieldOp):
                continue
            if not first:
                self.commands.execution_barrier(ALL_STAGES, ALL_STAGES, source(op, "order"))
            first = False
            self.record(op)

    def record(self, op: Operation) -> None:
        """Record one op."""
        recorder = _RECORDERS.get(type(op))
        if recorder is None:
            fail(op, "cannot be recorded into a command buffer")
        recorder(self, op)


def _concurrent(recording: _Recording, op: stream.CmdConcurrentOp) -> None:
    for child in op.body.block.ops:
        if not isinstance(child, stream.YieldOp):
            recording.record(child)


def _serial(recording: _Recording, op: stream.CmdSerialOp) -> None:
    recording.serial(op.body.block)


def _dispatch(recording: _Recording, op: stream.CmdDispatchOp) -> None:
    state = recording.state
    kernel = state.kernels.kernel(op.entry_points.data[0])
    constants = tuple(
        word
        for operand in op.uniform_operands
        for word in words_of(recording.value(operand), operand.type)
    )
    bindings = [
        recording.ref(*binding)
        for binding in zip(op.resources, op.resource_offsets, op.resource_lengths, strict=True)
    ]
    counts = kernel.workgroup_count([recording.integer(value) for value in op.workload])
    target = source(op, str(op.entry_points.data[0]).removeprefix("#"))
    recording.commands.dispatch(kernel, Workload(constants, counts), bindings, target)


def _copy(recording: _Recording, op: stream.CmdCopyOp) -> None:
    recording.commands.copy_buffer(
        recording.ref(op.source, op.source_offset, op.length),
        recording.ref(op.target, op.target_offset, op.length),
        source(op),
    )


def _fill(recording: _Recording, op: stream.CmdFillOp) -> None:
    pattern = bytes_of(recording.value(op.value), op.value.type)
    target = recording.ref(op.target, op.target_offset, op.target_length)
    recording.commands.fill_buffer(target, pattern, source(op))


def _collective(recording: _Recording, op: stream.CmdCollectiveOp) -> None:
    kind, _, element = op.op.data
    ranges = zip(op.resources, op.resource_offsets, op.resource_lengths, strict=True)
    refs = [recording.ref(*one) for one in ranges]
    count = recording.integer(op.element_count)
    param = 0 if op.param is None else recording.integer(op.param)
    record_collective(op, recording.commands, (kind, element), refs, count, param)


def _maintain(method: str) -> Callable[[_Recording, Any], None]:
    def record(recording: _Recording, op: Any) -> None:
        target = recording.ref(op.target, op.target_offset, op.target_length)
        getattr(recording.commands, method)(target, source(op))

    return record


_RECORDERS: dict[type[Operation], Callable[[_Recording, Any], None]] = {
    stream.CmdConcurrentOp: _concurrent,
    stream.CmdSerialOp: _serial,
    stream.CmdDispatchOp: _dispatch,
    stream.CmdCopyOp: _copy,
    stream.CmdFillOp: _fill,
    stream.CmdCollectiveOp: _collective,
    stream.CmdFlushOp: _maintain("flush_buffer"),
    stream.CmdInvalidateOp: _maintain("invalidate_buffer"),
    stream.CmdDiscardOp: _maintain("discard_buffer"),
}


def record_execution(
    state: VmState, interpreter: Interpreter, device: Device, op: stream.CmdExecuteOp
) -> CommandBuffer:
    """The commands of an execution region; its captured resources have values already."""
    commands = device.create_command_buffer(CommandBufferMode.ONE_SHOT, source=source(op))
    _Recording(state, interpreter, commands).serial(op.body.block)
    commands.finalize()
    return commands
