"""Implementations of the hal ops that submit work to a device's queue.

Queue affinities choose among queues of a device that are all alike, and are ignored.
"""

from typing import Any

from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Operation

from ...dialects.diagnostics import fail
from ...dialects.hal.device_queue import (
    DeviceQueueAllocaOp,
    DeviceQueueBarrierOp,
    DeviceQueueDeallocaOp,
    DeviceQueueExecuteIndirectOp,
    DeviceQueueExecuteOp,
    DeviceQueueFlushOp,
)
from ...dialects.hal.device_queue_transfer import (
    DeviceQueueCopyOp,
    DeviceQueueFillOp,
    DeviceQueueReadOp,
    DeviceQueueUpdateOp,
    DeviceQueueWriteOp,
)
from ...dialects.hal.experimental import ExFileFromMemoryOp
from ..hal.buffer import Buffer
from ..hal.command_buffer import CommandBuffer
from ..hal.file import File
from ..hal.flags import MemoryAccess
from ..hal.refs import BufferRef
from ..hal.semaphore import Fence
from .hal_device_ops import buffer_params
from .hal_values import DeviceRef, HalState, bytes_from, integer
from .state import source
from .words import bytes_of


@register_impls
class HalQueueFunctions(InterpreterFunctions):
    """Submissions. Operands 0 to 3 are device, queues, wait fence and signal fence."""

    def __init__(self, state: HalState) -> None:
        self._state = state

    @impl(DeviceQueueAllocaOp)
    def alloca(
        self, interpreter: Interpreter, op: DeviceQueueAllocaOp, args: PythonValues
    ) -> PythonValues:
        """Memory of the device's pool, or of the one that `hal.allocator.select` chose."""
        device, wait, signal = self._submission(op, args)
        if integer(args[4]) != 0:
            fail(op, f"expected the default memory pool 0, got {integer(args[4])}")
        if (placed := self._state.vm.placed.get(op)) is not None:
            device.device.queue_barrier(wait, signal, source(op))
            return (placed,)
        params = buffer_params(op, op.result, args[5], args[6])
        size = integer(args[7])
        buffer = device.device.queue_alloca(wait, signal, device.pool, size, params, source(op))
        return (self._state.vm.make(buffer),)

    @impl(DeviceQueueDeallocaOp)
    def dealloca(
        self, interpreter: Interpreter, op: DeviceQueueDeallocaOp, args: PythonValues
    ) -> PythonValues:
        """Give memory back."""
        device, wait, signal = self._submission(op, args)
        buffer = self._state.buffer(op, args[4], device.pool)
        if buffer in self._state.vm.placed.values():
            device.device.queue_barrier(wait, signal, source(op))
            return ()
        device.device.queue_dealloca(wait, signal, buffer, source(op, buffer.name))
        self._state.vm.forget(buffer.storage)
        return ()

    @impl(DeviceQueueBarrierOp)
    def barrier(
        self, interpreter: Interpreter, op: DeviceQueueBarrierOp, args: PythonValues
    ) -> PythonValues:
        """Signal once the wait is over."""
        device, wait, signal = self._submission(op, args)
        device.device.queue_barrier(wait, signal, source(op))
        return ()

    @impl(DeviceQueueExecuteOp)
    def execute(
        self, interpreter: Interpreter, op: DeviceQueueExecuteOp, args: PythonValues
    ) -> PythonValues:
        """Execute a command buffer."""
        device, wait, signal = self._submission(op, args)
        device.device.queue_execute(wait, signal, _commands(op, args[4]), (), source(op))
        return ()

    @impl(DeviceQueueExecuteIndirectOp)
    def execute_indirect(
        self, interpreter: Interpreter, op: DeviceQueueExecuteIndirectOp, args: PythonValues
    ) -> PythonValues:
        """Execute a command buffer with the buffers of a table."""
        device, wait, signal = self._submission(op, args)
        count = len(op.binding_buffers)
        buffers, offsets, lengths = (args[5 + i * count : 5 + (i + 1) * count] for i in range(3))
        table: list[Buffer | None] = [
            None
            if buffer is None
            else self._state.buffer(op, buffer, device.pool).subspan(
                integer(offset), integer(length)
            )
            for buffer, offset, length in zip(buffers, offsets, lengths, strict=True)
        ]
        device.device.queue_execute(wait, signal, _commands(op, args[4]), table, source(op))
        return ()

    @impl(DeviceQueueCopyOp)
    def copy(
        self, interpreter: Interpreter, op: DeviceQueueCopyOp, args: PythonValues
    ) -> PythonValues:
        """Copy between buffers."""
        device, wait, signal = self._submission(op, args)
        length = args[8]
        from_ = self._range(op, device, args[4], args[5], length)
        to = self._range(op, device, args[6], args[7], length)
        device.device.queue_copy(wait, signal, from_, to, source(op))
        return ()

    @impl(DeviceQueueFillOp)
    def fill(
        self, interpreter: Interpreter, op: DeviceQueueFillOp, args: PythonValues
    ) -> PythonValues:
        """Fill a buffer."""
        device, wait, signal = self._submission(op, args)
        to = self._range(op, device, *args[4:7])
        pattern = bytes_of(args[7], op.pattern.type)
        device.device.queue_fill(wait, signal, to, pattern, source(op))
        return ()

    @impl(DeviceQueueUpdateOp)
    def update(
        self, interpreter: Interpreter, op: DeviceQueueUpdateOp, args: PythonValues
    ) -> PythonValues:
        """Write bytes of the host program, as they are now."""
        device, wait, signal = self._submission(op, args)
        data = bytes_from(args[4], args[5], args[8])
        to = self._range(op, device, *args[6:9])
        device.device.queue_update(wait, signal, data, to, source(op))
        return ()

    @impl(ExFileFromMemoryOp)
    def file_from_memory(
        self, interpreter: Interpreter, op: ExFileFromMemoryOp, args: PythonValues
    ) -> PythonValues:
        """A file over bytes of the host program."""
        return (File(bytes_from(*args[2:5]), MemoryAccess(op.access.value.data)),)

    @impl(DeviceQueueReadOp)
    def read(
        self, interpreter: Interpreter, op: DeviceQueueReadOp, args: PythonValues
    ) -> PythonValues:
        """Read a file into a buffer."""
        device, wait, signal = self._submission(op, args)
        to = self._range(op, device, *args[6:9])
        device.device.queue_read(wait, signal, (args[4], integer(args[5])), to, source(op))
        return ()

    @impl(DeviceQueueWriteOp)
    def write(
        self, interpreter: Interpreter, op: DeviceQueueWriteOp, args: PythonValues
    ) -> PythonValues:
        """Write a buffer to a file."""
        device, wait, signal = self._submission(op, args)
        from_ = self._range(op, device, args[4], args[5], args[8])
        device.device.queue_write(wait, signal, from_, (args[6], integer(args[7])), source(op))
        return ()

    @impl(DeviceQueueFlushOp)
    def flush(
        self, interpreter: Interpreter, op: DeviceQueueFlushOp, args: PythonValues
    ) -> PythonValues:
        """Nothing: what is submitted is never held back."""
        return ()

    def _submission(self, op: Operation, args: PythonValues) -> tuple[DeviceRef, Fence, Fence]:
        return self._state.device(op, args[0]), args[2], args[3]

    def _range(
        self, op: Operation, device: DeviceRef, buffer: Any, offset: Any, length: Any
    ) -> BufferRef:
        placed = self._state.buffer(op, buffer, device.pool)
        return BufferRef(placed, integer(offset), integer(length))


def _commands(op: Operation, commands: CommandBuffer | None) -> CommandBuffer:
    if commands is None:
        fail(op, "expected a command buffer, got null")
    return commands
