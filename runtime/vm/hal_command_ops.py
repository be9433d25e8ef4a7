"""Implementations of the hal ops that record command buffers.

Recording touches no memory (IR-33). A buffer operand of type `index` is a slot of the binding
table (IR-57). Commands are named by their op and, for dispatches, the kernel.
"""

from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Operation, SSAValue

from ...dialects.diagnostics import fail
from ...dialects.hal.command_buffer import (
    CommandBufferBeginDebugGroupOp,
    CommandBufferCollectiveOp,
    CommandBufferCreateOp,
    CommandBufferDeviceOp,
    CommandBufferDispatchIndirectOp,
    CommandBufferDispatchOp,
    CommandBufferEndDebugGroupOp,
    CommandBufferExecutionBarrierOp,
    CommandBufferFinalizeOp,
)
from ...dialects.hal.enums import CollectiveElementType, CollectiveKind
from ...dialects.hal.transfer_commands import (
    CacheMaintenanceOp,
    CommandBufferCopyBufferOp,
    CommandBufferDiscardBufferOp,
    CommandBufferFillBufferOp,
    CommandBufferFlushBufferOp,
    CommandBufferInvalidateBufferOp,
    CommandBufferUpdateBufferOp,
)
from ...dialects.hal.types import BufferType
from ..hal.command_buffer import CommandBuffer
from ..hal.dispatch import COUNTS_SIZE, Workload
from ..hal.flags import CommandBufferMode, CommandCategory, ExecutionStage
from ..hal.refs import BufferRef
from .collectives import record_collective
from .hal_executable_ops import function_of
from .hal_values import HalState, bytes_from, integer
from .state import source
from .words import bytes_of, words_of

DispatchOp = CommandBufferDispatchOp | CommandBufferDispatchIndirectOp


@register_impls
class HalCommandFunctions(InterpreterFunctions):
    """Command buffers: their recording, and what they record."""

    def __init__(self, state: HalState) -> None:
        self._state = state

    @impl(CommandBufferCreateOp)
    def create(
        self, interpreter: Interpreter, op: CommandBufferCreateOp, args: PythonValues
    ) -> PythonValues:
        """A command buffer in recording state."""
        device = self._state.device(op, args[0]).device
        commands = device.create_command_buffer(
            CommandBufferMode(op.modes.value.data),
            CommandCategory(op.command_categories.value.data),
            0 if op.binding_capacity is None else integer(args[2]),
            source(op),
        )
        return (commands,)

    @impl(CommandBufferFinalizeOp)
    def finalize(
        self, interpreter: Interpreter, op: CommandBufferFinalizeOp, args: PythonValues
    ) -> PythonValues:
        """End the recording."""
        args[0].finalize()
        return ()

    @impl(CommandBufferDeviceOp)
    def device(
        self, interpreter: Interpreter, op: CommandBufferDeviceOp, args: PythonValues
    ) -> PythonValues:
        """The device that it is for."""
        return (self._state.devices[args[0].reach.agent],)

    @impl(CommandBufferBeginDebugGroupOp)
    def begin_debug_group(
        self, interpreter: Interpreter, op: CommandBufferBeginDebugGroupOp, args: PythonValues
    ) -> PythonValues:
        """Open a named group."""
        args[0].begin_debug_group(op.label.data)
        return ()

    @impl(CommandBufferEndDebugGroupOp)
    def end_debug_group(
        self, interpreter: Interpreter, op: CommandBufferEndDebugGroupOp, args: PythonValues
    ) -> PythonValues:
        """Close the innermost group."""
        args[0].end_debug_group()
        return ()

    @impl(CommandBufferExecutionBarrierOp)
    def execution_barrier(
        self, interpreter: Interpreter, op: CommandBufferExecutionBarrierOp, args: PythonValues
    ) -> PythonValues:
        """Order what stands before it before what stands after it."""
        before = ExecutionStage(op.source_stage_mask.value.data)
        after = ExecutionStage(op.target_stage_mask.value.data)
        args[0].execution_barrier(before, after, source(op))
        return ()

    # Transfers.

    @impl(CommandBufferFillBufferOp)
    def fill(
        self, interpreter: Interpreter, op: CommandBufferFillBufferOp, args: PythonValues
    ) -> PythonValues:
        """Record a fill."""
        to = self._range(op, args[0], op.target_buffer, *args[1:4])
        args[0].fill_buffer(to, bytes_of(args[4], op.pattern.type), source(op))
        return ()

    @impl(CommandBufferUpdateBufferOp)
    def update(
        self, interpreter: Interpreter, op: CommandBufferUpdateBufferOp, args: PythonValues
    ) -> PythonValues:
        """Record the write of bytes of the host program, taken now."""
        data = np.array(bytes_from(args[1], args[3], args[6]))
        to = self._range(op, args[0], op.target_buffer, *args[4:7])
        args[0].update_buffer(data, to, source(op))
        return ()

    @impl(CommandBufferCopyBufferOp)
    def copy(
        self, interpreter: Interpreter, op: CommandBufferCopyBufferOp, args: PythonValues
    ) -> PythonValues:
        """Record a copy."""
        length = args[5]
        from_ = self._range(op, args[0], op.source_buffer, args[1], args[2], length)
        to = self._range(op, args[0], op.target_buffer, args[3], args[4], length)
        args[0].copy_buffer(from_, to, source(op))
        return ()

    # Cache maintenance.

    @impl(CommandBufferFlushBufferOp)
    def flush(
        self, interpreter: Interpreter, op: CommandBufferFlushBufferOp, args: PythonValues
    ) -> PythonValues:
        """Record a flush."""
        args[0].flush_buffer(self._maintained(op, args), source(op))
        return ()

    @impl(CommandBufferInvalidateBufferOp)
    def invalidate(
        self, interpreter: Interpreter, op: CommandBufferInvalidateBufferOp, args: PythonValues
    ) -> PythonValues:
        """Record an invalidate."""
        args[0].invalidate_buffer(self._maintained(op, args), source(op))
        return ()

    @impl(CommandBufferDiscardBufferOp)
    def discard(
        self, interpreter: Interpreter, op: CommandBufferDiscardBufferOp, args: PythonValues
    ) -> PythonValues:
        """Record a discard."""
        args[0].discard_buffer(self._maintained(op, args), source(op))
        return ()

    def _maintained(self, op: CacheMaintenanceOp, args: PythonValues) -> BufferRef:
        """What is maintained. Nothing is asked of the buffer where the length is 0 (IR-20)."""
        if integer(args[3]) == 0:
            return BufferRef(0, 0, 0)
        return self._range(op, args[0], op.target_buffer, *args[1:4])

    @impl(CommandBufferCollectiveOp)
    def collective(
        self, interpreter: Interpreter, op: CommandBufferCollectiveOp, args: PythonValues
    ) -> PythonValues:
        """Record a collective."""
        sides = (
            (op.send_buffer, op.send_offset, op.send_length),
            (op.recv_buffer, op.recv_offset, op.recv_length),
        )
        ranges: list[BufferRef] = []
        for buffer, offset, length in sides:
            if buffer is not None and offset is not None and length is not None:
                values = interpreter.get_values((buffer, offset, length))
                ranges.append(self._range(op, args[0], buffer, *values))
        param = 0 if op.param is None else integer(interpreter.get_values((op.param,))[0])
        what = (
            CollectiveKind(op.op.kind.data).spelling,
            CollectiveElementType(op.op.element_type.data).spelling,
        )
        record_collective(op, args[0], what, ranges, integer(args[2]), param)
        return ()

    # Dispatches.

    @impl(CommandBufferDispatchOp)
    def dispatch(
        self, interpreter: Interpreter, op: CommandBufferDispatchOp, args: PythonValues
    ) -> PythonValues:
        """Record a dispatch."""
        kernel = function_of(self._state, op, args[1], integer(args[2]))
        x, y, z = (integer(count) for count in args[3:6])
        workload = Workload(_constants(interpreter, op), (x, y, z))
        bindings = self._bindings(interpreter, op, args[0])
        args[0].dispatch(kernel, workload, bindings, source(op, kernel.name))
        return ()

    @impl(CommandBufferDispatchIndirectOp)
    def dispatch_indirect(
        self, interpreter: Interpreter, op: CommandBufferDispatchIndirectOp, args: PythonValues
    ) -> PythonValues:
        """Record a dispatch that reads its workgroup counts from a buffer."""
        kernel = function_of(self._state, op, args[1], integer(args[2]))
        size = IntegerAttr.from_index_int_value(COUNTS_SIZE)
        counts = self._range(op, args[0], op.workgroups_buffer, args[3], args[4], size)
        bindings = self._bindings(interpreter, op, args[0])
        constants = _constants(interpreter, op)
        args[0].dispatch_indirect(kernel, constants, bindings, counts, source(op, kernel.name))
        return ()

    def _bindings(
        self, interpreter: Interpreter, op: DispatchOp, commands: CommandBuffer
    ) -> list[BufferRef]:
        """What a dispatch gives its kernel, in order."""
        return [
            self._range(op, commands, operand, *values)
            for operand, *values in zip(
                op.binding_buffers,
                interpreter.get_values(op.binding_buffers),
                interpreter.get_values(op.binding_offsets),
                interpreter.get_values(op.binding_lengths),
                strict=True,
            )
        ]

    def _range(
        self,
        op: Operation,
        commands: CommandBuffer,
        operand: SSAValue,
        target: Any,
        offset: Any,
        length: Any,
    ) -> BufferRef:
        """A range of a buffer or of a slot."""
        if not isinstance(operand.type, BufferType):
            return BufferRef(integer(target), integer(offset), integer(length))
        if target is None:
            fail(op, "expected a buffer, got null")
        pool = self._state.devices[commands.reach.agent].pool
        buffer = self._state.buffer(op, target, pool)
        return BufferRef(buffer, integer(offset), integer(length))


def _constants(interpreter: Interpreter, op: DispatchOp) -> tuple[int, ...]:
    """The push constants of a dispatch as 32-bit words."""
    return tuple(
        word
        for operand, value in zip(op.constants, interpreter.get_values(op.constants), strict=True)
        for word in words_of(value, operand.type)
    )
