"""Implementations of the hal ops for buffers and for the buffers under the caller's views."""

from xdsl.dialects.builtin import IntegerAttr, i1, i32
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)

from ...dialects.diagnostics import fail
from ...dialects.hal.buffer import (
    BufferAllocationDiscardOp,
    BufferAllocationIsTerminalOp,
    BufferAllocationPreserveOp,
    BufferAssertOp,
    BufferLengthOp,
    BufferLoadOp,
    BufferStoreOp,
    BufferSubspanOp,
    BufferUsageOp,
    MemoryTypeOp,
)
from ...dialects.location import location_text
from ..errors import out_of_range, permission_denied
from ..hal.buffer import Buffer
from ..hal.flags import BufferUsage, MemoryType, flags_text
from .elements import load_element, store_element
from .hal_values import HalState, integer
from .state import source


@register_impls
class HalBufferFunctions(InterpreterFunctions):
    """Ranges of buffers, what they must allow, and single elements that the host maps."""

    def __init__(self, state: HalState) -> None:
        self._state = state

    @impl(BufferAssertOp)
    def assert_(
        self, interpreter: Interpreter, op: BufferAssertOp, args: PythonValues
    ) -> PythonValues:
        """Place the caller's array in the allocator's pool; refuse a buffer that does not do."""
        allocator = self._state.device(op, args[1])
        buffer = self._state.buffer(op, args[0], allocator.pool)
        what, place = op.message.data, location_text(op)
        minimum = integer(args[2])
        if buffer.length < minimum:
            raise out_of_range(
                f"expected {what} to have at least {minimum} bytes, got {buffer.length}", place
            )
        if buffer.pool not in allocator.device.reach.by_copy:
            raise permission_denied(
                f"{what}: buffer {buffer.name} lies in pool {buffer.pool}, which "
                f"{allocator.device.name} does not reach",
                place,
            )
        memory = MemoryType(op.memory_types.value.data)
        usage = BufferUsage(op.buffer_usage.value.data)
        params = buffer.params
        if memory & ~params.memory_type:
            raise permission_denied(
                f"expected {what} to have memory type {flags_text(memory)}, got "
                f"{flags_text(params.memory_type)}",
                place,
            )
        if usage & ~params.usage:
            raise permission_denied(
                f"expected {what} to allow usage {flags_text(usage)}, got "
                f"{flags_text(params.usage)}",
                place,
            )
        return ()

    @impl(BufferSubspanOp)
    def subspan(
        self, interpreter: Interpreter, op: BufferSubspanOp, args: PythonValues
    ) -> PythonValues:
        """A range of a buffer."""
        if args[0] is None:
            fail(op, "expected a buffer, got null")
        return (args[0].subspan(integer(args[1]), integer(args[2])),)

    @impl(BufferLengthOp)
    def length(
        self, interpreter: Interpreter, op: BufferLengthOp, args: PythonValues
    ) -> PythonValues:
        """Bytes of a buffer."""
        if args[0] is None:
            fail(op, "expected a buffer, got null")
        return (IntegerAttr.from_index_int_value(args[0].length),)

    @impl(BufferAllocationPreserveOp)
    def preserve(
        self, interpreter: Interpreter, op: BufferAllocationPreserveOp, args: PythonValues
    ) -> PythonValues:
        """One more owner."""
        if isinstance(args[0], Buffer):
            self._state.vm.preserve(args[0].storage)
        return ()

    @impl(BufferAllocationDiscardOp)
    def discard(
        self, interpreter: Interpreter, op: BufferAllocationDiscardOp, args: PythonValues
    ) -> PythonValues:
        """One owner less; whether it was the last."""
        last = isinstance(args[0], Buffer) and self._state.vm.discard(args[0].storage)
        return (IntegerAttr(int(last), i1),)

    @impl(BufferAllocationIsTerminalOp)
    def is_terminal(
        self, interpreter: Interpreter, op: BufferAllocationIsTerminalOp, args: PythonValues
    ) -> PythonValues:
        """Whether one owner is left."""
        last = isinstance(args[0], Buffer) and self._state.vm.is_terminal(args[0].storage)
        return (IntegerAttr(int(last), i1),)

    @impl(BufferLoadOp)
    def load(self, interpreter: Interpreter, op: BufferLoadOp, args: PythonValues) -> PythonValues:
        """One element, read through a mapping that is invalidated first."""
        buffer = self._state.buffer(op, args[0], self._first_pool())
        host = self._state.vm.system.host
        return (load_element(host, buffer, integer(args[1]), op.result.type, source(op)),)

    @impl(BufferStoreOp)
    def store(
        self, interpreter: Interpreter, op: BufferStoreOp, args: PythonValues
    ) -> PythonValues:
        """One element, written through a mapping that is flushed when it closes."""
        buffer = self._state.buffer(op, args[1], self._first_pool())
        host = self._state.vm.system.host
        store_element(host, buffer, integer(args[2]), (args[0], op.value.type), source(op))
        return ()

    def _first_pool(self) -> str:
        """Where the host puts an array that no device has asked for."""
        return next(iter(self._state.devices.values())).pool

    @impl(BufferUsageOp)
    def usage(
        self, interpreter: Interpreter, op: BufferUsageOp, args: PythonValues
    ) -> PythonValues:
        """Usage bits."""
        return (IntegerAttr(op.usage.value.data, i32),)

    @impl(MemoryTypeOp)
    def memory_type(
        self, interpreter: Interpreter, op: MemoryTypeOp, args: PythonValues
    ) -> PythonValues:
        """Memory type bits."""
        return (IntegerAttr(op.type.value.data, i32),)
