"""Implementations of the ops that move bytes between archives of parameters and buffers.

A parameter is a `File` of the caller's array. Both levels submit the same: a load is allocations
and a gather that waits for them.
"""

from collections.abc import Sequence

from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Operation, SSAValue

from ...dialects import stream
from ...dialects.io_parameters import ParametersGatherOp, ParametersLoadOp, ParametersScatterOp
from ...dialects.location import location_text, value_name
from ..hal.buffer import Buffer, BufferParams
from ..hal.device import Device
from ..hal.file import File
from ..hal.refs import BufferRef
from ..hal.semaphore import NULL_FENCE, Fence
from .hal_device_ops import buffer_params
from .hal_values import HalState, integer
from .state import VmState, source

Named = tuple[SSAValue | None, Sequence[SSAValue], Sequence[SSAValue]]
"""Parameters: their scope, keys and offsets in bytes."""


class _Transfers:
    """What both levels submit for an op."""

    def __init__(self, state: VmState, interpreter: Interpreter, op: Operation) -> None:
        self._state = state
        self._interpreter = interpreter
        self._op = op

    def values(self, operands: Sequence[SSAValue]) -> PythonValues:
        """Run-time values."""
        return self._interpreter.get_values(operands)

    def fence(self, operand: SSAValue | None) -> Fence:
        """The fence to wait for."""
        return NULL_FENCE if operand is None else self.values([operand])[0]

    def gather(
        self,
        device: Device,
        fences: tuple[Fence, Fence],
        parameters: Named,
        targets: Sequence[BufferRef],
    ) -> None:
        """Read parameters, given as scope, keys and offsets, into ranges."""
        reads = list(zip(self._files(*parameters), targets, strict=True))
        device.queue_gather(*fences, reads, source(self._op))

    def scatter(
        self,
        device: Device,
        fences: tuple[Fence, Fence],
        sources: Sequence[BufferRef],
        parameters: Named,
    ) -> None:
        """Write ranges to parameters, given as scope, keys and offsets."""
        writes = list(zip(sources, self._files(*parameters), strict=True))
        device.queue_scatter(*fences, writes, source(self._op))

    def load(
        self,
        device: Device,
        pool: str,
        fences: tuple[Fence, Fence],
        parameters: Named,
        made: Sequence[tuple[int, BufferParams]],
    ) -> list[Buffer]:
        """Allocate buffers of sizes, and read parameters into them."""
        wait, signal = fences
        buffers: list[Buffer] = []
        ready: list[Fence] = []
        for size, params in made:
            ready.append(Fence.create(f"{params.name} allocated"))
            at = source(self._op)
            buffer = device.queue_alloca(wait, ready[-1], pool, size, params, at)
            buffers.append(self._state.make(buffer))
        there = Fence.join(ready)
        self.gather(device, (there, signal), parameters, [BufferRef(b) for b in buffers])
        return buffers

    def ranges(
        self, buffer: Buffer, starts: Sequence[SSAValue], lengths: Sequence[SSAValue]
    ) -> list[BufferRef]:
        """Ranges of a buffer."""
        spans = zip(self.values(starts), self.values(lengths), strict=True)
        return [BufferRef(buffer, integer(start), integer(length)) for start, length in spans]

    def _files(
        self, scope: SSAValue | None, keys: Sequence[SSAValue], offsets: Sequence[SSAValue]
    ) -> list[tuple[File, int]]:
        archive = None if scope is None else self.values([scope])[0]
        return [
            (self._state.parameter(archive, key), integer(offset))
            for key, offset in zip(self.values(keys), self.values(offsets), strict=True)
        ]


@register_impls
class StreamParameterFunctions(InterpreterFunctions):
    """Parameters of the cmd phase."""

    def __init__(self, state: VmState) -> None:
        self._state = state

    @impl(stream.CmdParameterLoadOp)
    def load(
        self, interpreter: Interpreter, op: stream.CmdParameterLoadOp, args: PythonValues
    ) -> PythonValues:
        """New resources that hold parameters."""
        transfers = _Transfers(self._state, interpreter, op)
        device, pool = self._state.device(op, op.affinity), self._state.pool(op, op.affinity)
        fences = self._fences(transfers, op.await_timepoint, op.result_timepoint)
        made = [
            (integer(size), BufferParams(name=value_name(result), location=location_text(op)))
            for size, result in zip(
                transfers.values(op.result_sizes), op.result_resources, strict=True
            )
        ]
        named = (op.source_scope, op.source_keys, op.source_offsets)
        return *transfers.load(device, pool, fences, named, made), fences[1]

    @impl(stream.CmdParameterReadOp)
    def read(
        self, interpreter: Interpreter, op: stream.CmdParameterReadOp, args: PythonValues
    ) -> PythonValues:
        """A parameter into a range."""
        spans = ([op.target_offset], [op.target_length])
        return self._gather(interpreter, op, ([op.source_key], [op.source_offset]), spans)

    @impl(stream.CmdParameterGatherOp)
    def gather(
        self, interpreter: Interpreter, op: stream.CmdParameterGatherOp, args: PythonValues
    ) -> PythonValues:
        """Parameters into ranges."""
        spans = (op.target_offsets, op.target_lengths)
        return self._gather(interpreter, op, (op.source_keys, op.source_offsets), spans)

    @impl(stream.CmdParameterWriteOp)
    def write(
        self, interpreter: Interpreter, op: stream.CmdParameterWriteOp, args: PythonValues
    ) -> PythonValues:
        """A range into a parameter."""
        spans = ([op.source_offset], [op.source_length])
        return self._scatter(interpreter, op, spans, ([op.target_key], [op.target_offset]))

    @impl(stream.CmdParameterScatterOp)
    def scatter(
        self, interpreter: Interpreter, op: stream.CmdParameterScatterOp, args: PythonValues
    ) -> PythonValues:
        """Ranges into parameters."""
        spans = (op.source_offsets, op.source_lengths)
        return self._scatter(interpreter, op, spans, (op.target_keys, op.target_offsets))

    def _gather(
        self,
        interpreter: Interpreter,
        op: stream.CmdParameterReadOp | stream.CmdParameterGatherOp,
        named: tuple[Sequence[SSAValue], Sequence[SSAValue]],
        spans: tuple[Sequence[SSAValue], Sequence[SSAValue]],
    ) -> PythonValues:
        transfers = _Transfers(self._state, interpreter, op)
        fences = self._fences(transfers, op.await_timepoint, op.result_timepoint)
        targets = transfers.ranges(transfers.values([op.target])[0], *spans)
        device = self._state.device(op, op.affinity)
        transfers.gather(device, fences, (op.source_scope, *named), targets)
        return (fences[1],)

    def _scatter(
        self,
        interpreter: Interpreter,
        op: stream.CmdParameterWriteOp | stream.CmdParameterScatterOp,
        spans: tuple[Sequence[SSAValue], Sequence[SSAValue]],
        named: tuple[Sequence[SSAValue], Sequence[SSAValue]],
    ) -> PythonValues:
        transfers = _Transfers(self._state, interpreter, op)
        fences = self._fences(transfers, op.await_timepoint, op.result_timepoint)
        sources = transfers.ranges(transfers.values([op.source])[0], *spans)
        device = self._state.device(op, op.affinity)
        transfers.scatter(device, fences, sources, (op.target_scope, *named))
        return (fences[1],)

    def _fences(
        self, transfers: _Transfers, awaited: SSAValue | None, result: SSAValue
    ) -> tuple[Fence, Fence]:
        return transfers.fence(awaited), Fence.create(value_name(result))


@register_impls
class HalParameterFunctions(InterpreterFunctions):
    """Parameters beside the hal ops."""

    def __init__(self, state: HalState) -> None:
        self._state = state

    @impl(ParametersLoadOp)
    def load(
        self, interpreter: Interpreter, op: ParametersLoadOp, args: PythonValues
    ) -> PythonValues:
        """New buffers that hold parameters."""
        transfers = _Transfers(self._state.vm, interpreter, op)
        device = self._state.device(op, args[0])
        memory, usage = transfers.values([op.memory_types, op.buffer_usage])
        made = [
            (integer(size), buffer_params(op, result, memory, usage))
            for size, result in zip(transfers.values(op.lengths), op.result_buffers, strict=True)
        ]
        named = (op.source_scope, op.source_keys, op.source_offsets)
        buffers = transfers.load(device.device, device.pool, (args[2], args[3]), named, made)
        return tuple(buffers)

    @impl(ParametersGatherOp)
    def gather(
        self, interpreter: Interpreter, op: ParametersGatherOp, args: PythonValues
    ) -> PythonValues:
        """Parameters into ranges."""
        transfers = _Transfers(self._state.vm, interpreter, op)
        device = self._state.device(op, args[0])
        buffer = self._state.buffer(op, transfers.values([op.target_buffer])[0], device.pool)
        targets = transfers.ranges(buffer, op.target_offsets, op.target_lengths)
        named = (op.source_scope, op.source_keys, op.source_offsets)
        transfers.gather(device.device, (args[2], args[3]), named, targets)
        return ()

    @impl(ParametersScatterOp)
    def scatter(
        self, interpreter: Interpreter, op: ParametersScatterOp, args: PythonValues
    ) -> PythonValues:
        """Ranges into parameters."""
        transfers = _Transfers(self._state.vm, interpreter, op)
        device = self._state.device(op, args[0])
        buffer = self._state.buffer(op, transfers.values([op.source_buffer])[0], device.pool)
        sources = transfers.ranges(buffer, op.source_offsets, op.source_lengths)
        named = (op.target_scope, op.target_keys, op.target_offsets)
        transfers.scatter(device.device, (args[2], args[3]), sources, named)
        return ()
