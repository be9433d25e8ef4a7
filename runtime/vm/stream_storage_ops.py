"""Implementations of the stream ops for storage that the host makes, owns, reads and writes.

A `!stream.file` is a `File`.
"""

from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stream
from ...dialects.location import location_text, value_name
from ..hal.buffer import Buffer, BufferParams
from ..hal.file import File
from ..hal.refs import BufferRef
from ..hal.semaphore import NULL_FENCE, Fence
from ..kernels.api import Bytes
from .elements import constant_bytes, load_element, store_element
from .hal_values import bytes_from, integer
from .state import VmState, source


@register_impls
class StreamStorageFunctions(InterpreterFunctions):
    """Host-ordered storage, ownership, access by the host, constants."""

    def __init__(self, state: VmState) -> None:
        self._state = state

    @impl(stream.ResourceAllocOp)
    def alloc(
        self, interpreter: Interpreter, op: stream.ResourceAllocOp, args: PythonValues
    ) -> PythonValues:
        """Storage that is there at once."""
        pool = self._state.pool(op, op.affinity)
        params = BufferParams(name=value_name(op.result), location=location_text(op))
        host = self._state.system.host
        buffer = host.allocate(pool, integer(args[0]), params, source(op))
        return (self._state.make(buffer),)

    @impl(stream.ResourceRetainOp)
    def retain(
        self, interpreter: Interpreter, op: stream.ResourceRetainOp, args: PythonValues
    ) -> PythonValues:
        """One more owner."""
        self._state.preserve(args[0].storage)
        return ()

    @impl(stream.ResourceReleaseOp)
    def release(
        self, interpreter: Interpreter, op: stream.ResourceReleaseOp, args: PythonValues
    ) -> PythonValues:
        """One owner less; whether it was the last."""
        return (IntegerAttr(int(self._state.discard(args[0].storage)), i1),)

    @impl(stream.ResourceIsTerminalOp)
    def is_terminal(
        self, interpreter: Interpreter, op: stream.ResourceIsTerminalOp, args: PythonValues
    ) -> PythonValues:
        """Whether one owner is left."""
        return (IntegerAttr(int(self._state.is_terminal(args[0].storage)), i1),)

    @impl(stream.ResourceSizeOp)
    def size(
        self, interpreter: Interpreter, op: stream.ResourceSizeOp, args: PythonValues
    ) -> PythonValues:
        """Bytes of a resource."""
        return (IntegerAttr.from_index_int_value(args[0].length),)

    @impl(stream.ResourceLoadOp)
    def load(
        self, interpreter: Interpreter, op: stream.ResourceLoadOp, args: PythonValues
    ) -> PythonValues:
        """One element."""
        host = self._state.system.host
        return (load_element(host, args[0], integer(args[2]), op.result.type, source(op)),)

    @impl(stream.ResourceStoreOp)
    def store(
        self, interpreter: Interpreter, op: stream.ResourceStoreOp, args: PythonValues
    ) -> PythonValues:
        """Set one element."""
        host, value = self._state.system.host, (args[3], op.value.type)
        store_element(host, args[0], integer(args[2]), value, source(op))
        return ()

    @impl(stream.ResourceTryMapOp)
    def try_map(
        self, interpreter: Interpreter, op: stream.ResourceTryMapOp, args: PythonValues
    ) -> PythonValues:
        """Bytes of the program in place, where the host reaches the pool."""
        if self._state.pool(op, op.affinity) not in self._state.system.host.reach.by_copy:
            return IntegerAttr(0, i1), None
        data = bytes_from(*args)
        return IntegerAttr(1, i1), self._import(op, op.affinity, op.result, data)

    @impl(stream.ResourceConstantsOp)
    def constants(
        self, interpreter: Interpreter, op: stream.ResourceConstantsOp, args: PythonValues
    ) -> PythonValues:
        """Constants of the program in place, each from its start."""
        start = IntegerAttr.from_index_int_value(0)
        resources = [
            self._import(
                op, op.affinity, result, bytes_from(constant_bytes(op, value), start, size)
            )
            for value, result, size in zip(op.values.data, op.result_resources, args, strict=True)
        ]
        return *resources, NULL_FENCE

    def _import(
        self, op: Operation, affinity: Attribute | None, result: SSAValue, data: Bytes
    ) -> Buffer:
        params = BufferParams(name=value_name(result), location=location_text(op))
        pool = self._state.pool(op, affinity)
        host = self._state.system.host
        buffer = host.import_array(data, pool, params, source(op), borrowed=True)
        return self._state.make(buffer)


@register_impls
class StreamFileFunctions(InterpreterFunctions):
    """Files over bytes of the program."""

    def __init__(self, state: VmState) -> None:
        self._state = state

    @impl(stream.FileConstantOp)
    def constant(
        self, interpreter: Interpreter, op: stream.FileConstantOp, args: PythonValues
    ) -> PythonValues:
        """A file to read from."""
        data, _, offset, length = args
        return (File(bytes_from(data, offset, length)),)

    @impl(stream.FileReadOp)
    def read(
        self, interpreter: Interpreter, op: stream.FileReadOp, args: PythonValues
    ) -> PythonValues:
        """A queue operation."""
        file, from_, target, _, offset, length, *waits = args
        wait, signal = (*waits, NULL_FENCE)[0], Fence.create(value_name(op.result_timepoint))
        to = BufferRef(target, integer(offset), integer(length))
        device = self._state.device(op, op.affinity)
        device.queue_read(wait, signal, (file, integer(from_)), to, source(op))
        return (signal,)

    @impl(stream.FileWriteOp)
    def write(
        self, interpreter: Interpreter, op: stream.FileWriteOp, args: PythonValues
    ) -> PythonValues:
        """A queue operation."""
        target, _, offset, file, to, length, *waits = args
        wait, signal = (*waits, NULL_FENCE)[0], Fence.create(value_name(op.result_timepoint))
        from_ = BufferRef(target, integer(offset), integer(length))
        device = self._state.device(op, op.affinity)
        device.queue_write(wait, signal, from_, (file, integer(to)), source(op))
        return (signal,)
