"""Implementations of the stream ops of the cmd phase: storage, timepoints, imports and exports.

Values: a resource is a `Buffer`, a timepoint a `Fence`. Execution regions are recorded by
`stream_commands`.
"""

from collections.abc import Iterator
from math import prod

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, TensorType
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from ...dialects import stream
from ...dialects.diagnostics import fail
from ...dialects.location import location_text, value_name
from ..element_types import dtype_of_name
from ..hal.buffer import Buffer, BufferParams
from ..hal.semaphore import NULL_FENCE, Fence
from .state import VmState, source
from .stream_commands import record_execution
from .values import DeviceArray
from .view_ops import print_trace


@register_impls
class StreamFunctions(InterpreterFunctions):
    """The host's part of stream programs."""

    def __init__(self, state: VmState) -> None:
        self._state = state

    # The program's edge.

    @impl(stream.TensorImportOp)
    def import_tensor(
        self, interpreter: Interpreter, op: stream.TensorImportOp, args: PythonValues
    ) -> PythonValues:
        """Take a caller's array into the pool of the device that the import names."""
        pool = self._state.pool(op, op.affinity)
        buffer = self._state.place(op, args[0], pool, consume=op.consume is not None)
        size = args[-1].value.data
        if buffer.length != size:
            fail(op, f"expected a buffer of {size} bytes, got {buffer.length}")
        return (buffer,)

    @impl(stream.TensorExportOp)
    def export_tensor(
        self, interpreter: Interpreter, op: stream.TensorExportOp, args: PythonValues
    ) -> PythonValues:
        """Hand a resource out as a buffer view."""
        dims = iter(args[1 : 1 + len(op.source_encoding_dims)])
        return (_view(op, args[0], op.source_encoding, dims),)

    @impl(stream.TensorTraceOp)
    def trace_tensors(
        self, interpreter: Interpreter, op: stream.TensorTraceOp, args: PythonValues
    ) -> PythonValues:
        """Print what resources hold on standard error."""
        count = len(op.resources)
        dims = iter(args[2 * count :])
        views = [
            _view(op, resource, encoding, dims)
            for resource, encoding in zip(args[:count], op.resource_encodings, strict=True)
        ]
        print_trace(self._state, op.key.data, views)
        return ()

    # Storage.

    @impl(stream.ResourceAllocaOp)
    def alloca(
        self, interpreter: Interpreter, op: stream.ResourceAllocaOp, args: PythonValues
    ) -> PythonValues:
        """Reserve storage in the pool that serves the devices of the affinity."""
        pool = self._state.pool(op, op.affinity, op.result)
        device = self._state.device(op, op.affinity)
        wait = args[1] if op.await_timepoint is not None else NULL_FENCE
        signal = Fence.create(value_name(op.result_timepoint))
        params = BufferParams(name=value_name(op.result), location=location_text(op))
        size = args[0].value.data
        buffer = device.queue_alloca(wait, signal, pool, size, params, source(op))
        return self._state.make(buffer), signal

    @impl(stream.ResourceDeallocaOp)
    def dealloca(
        self, interpreter: Interpreter, op: stream.ResourceDeallocaOp, args: PythonValues
    ) -> PythonValues:
        """Give storage back, by default on a device that owns it."""
        if op.affinity is not None and op.prefer_origin is None:
            device = self._state.device(op, op.affinity)
        else:
            device = self._state.system.devices[args[0].pool]
        wait = args[2] if op.await_timepoint is not None else NULL_FENCE
        signal = Fence.create(value_name(op.result_timepoint))
        device.queue_dealloca(wait, signal, args[0], source(op))
        self._state.forget(args[0].storage)
        return (signal,)

    @impl(stream.ResourceSubviewOp)
    def subview(
        self, interpreter: Interpreter, op: stream.ResourceSubviewOp, args: PythonValues
    ) -> PythonValues:
        """A range of a resource."""
        buffer, _, offset, size = args
        return (buffer.subspan(offset.value.data, size.value.data),)

    # Work.

    @impl(stream.CmdExecuteOp)
    def execute(
        self, interpreter: Interpreter, op: stream.CmdExecuteOp, args: PythonValues
    ) -> PythonValues:
        """Record a region's commands and submit them."""
        count = len(op.resource_operands)
        device = self._state.device(op, op.affinity)
        interpreter.set_values(zip(op.body.block.args, args[:count], strict=True))
        commands = record_execution(self._state, interpreter, device, op)
        wait = args[-1] if op.await_timepoint is not None else NULL_FENCE
        signal = Fence.create(value_name(op.result_timepoint))
        device.queue_execute(wait, signal, commands, (), source(op))
        return (signal,)

    # Timepoints.

    @impl(stream.TimepointImmediateOp)
    def immediate(
        self, interpreter: Interpreter, op: stream.TimepointImmediateOp, args: PythonValues
    ) -> PythonValues:
        """A timepoint that is reached already."""
        return (NULL_FENCE,)

    @impl(stream.TimepointJoinOp)
    def join(
        self, interpreter: Interpreter, op: stream.TimepointJoinOp, args: PythonValues
    ) -> PythonValues:
        """All of several timepoints."""
        return (Fence.join(args, value_name(op.result_timepoint)),)

    @impl(stream.TimepointImportOp)
    def import_timepoint(
        self, interpreter: Interpreter, op: stream.TimepointImportOp, args: PythonValues
    ) -> PythonValues:
        """The caller's fence as a timepoint."""
        return (args[0],)

    @impl(stream.TimepointExportOp)
    def export_timepoint(
        self, interpreter: Interpreter, op: stream.TimepointExportOp, args: PythonValues
    ) -> PythonValues:
        """A timepoint as a fence for the caller."""
        return (args[0],)

    @impl(stream.TimepointChainExternalOp)
    def chain_external(
        self, interpreter: Interpreter, op: stream.TimepointChainExternalOp, args: PythonValues
    ) -> PythonValues:
        """The caller's fences are signaled once the timepoint is reached."""
        device = self._state.device(op, op.affinity)
        for fence in args[1:]:
            device.queue_barrier(args[0], fence, source(op))
        return ()

    @impl(stream.TimepointBarrierOp)
    def barrier(
        self, interpreter: Interpreter, op: stream.TimepointBarrierOp, args: PythonValues
    ) -> PythonValues:
        """A resource that is ready is ready at once."""
        return args[0], NULL_FENCE

    @impl(stream.TimepointAwaitOp)
    def await_(
        self, interpreter: Interpreter, op: stream.TimepointAwaitOp, args: PythonValues
    ) -> PythonValues:
        """The host waits; then the resources are as the timepoint leaves them."""
        count = len(op.resource_operands)
        self._state.system.host.wait(args[-1], source=source(op))
        return args[:count]


def _view(
    op: Operation, buffer: Buffer, encoding: Attribute, dims: Iterator[IntegerAttr]
) -> DeviceArray:
    """A buffer as the tensor type says, whose dynamic extents are the next of `dims`."""
    if not isa(encoding, TensorType[Attribute]):
        fail(op, f"expected a tensor type, got {encoding}")
    extents = tuple(
        next(dims).value.data if extent < 0 else extent for extent in encoding.get_shape()
    )
    dtype = np.dtype(dtype_of_name(str(encoding.element_type)))
    needed = prod(extents) * dtype.itemsize
    if needed > buffer.length:
        fail(op, f"expected a resource of {needed} bytes for its shape, got {buffer.length}")
    return DeviceArray(buffer, extents, dtype)
