"""Submissions: a region becomes a recorded command buffer, or one operation of the queue."""

from dataclasses import dataclass

from xdsl.ir import Operation, Region, SSAValue

from ...dialects import stream
from ...dialects.hal.device import DeviceMemoizeOp
from ...dialects.hal.device_queue import DeviceQueueBarrierOp, DeviceQueueExecuteIndirectOp
from ...dialects.hal.device_queue_transfer import DeviceQueueCopyOp, DeviceQueueFillOp
from ...dialects.hal.regions import ReturnOp
from ...dialects.hal.types import CommandBufferType
from ..build import make
from .commands import NO_FLAGS, CommandRecorder, captured, commands_of, depends_on_call
from .entry_points import EntryPoints
from .host import BufferRange, HostLowering


@dataclass(frozen=True, slots=True)
class ExecuteLowering:
    """Lowers execution regions of a module with these exports."""

    entry_points: EntryPoints

    def __call__(self, host: HostLowering, op: stream.CmdExecuteOp) -> None:
        """A region of one copy or fill, without maintenance, needs no command buffer (IR-38)."""
        commands = list(commands_of(op.body.block))
        agent = host.devices_of(op.affinity)[0]
        submission = _Submission(host, op, host.device(agent), host.wait(op.await_timepoint))
        match commands:
            case []:
                submission.barrier()
            case [stream.CmdCopyOp() as copy]:
                submission.copy(copy)
            case [stream.CmdFillOp() as fill]:
                submission.fill(fill)
            case _:
                submission.execute(
                    CommandRecorder(host, op, submission.device, agent, self.entry_points)
                )


@dataclass(frozen=True, slots=True)
class _Submission:
    """Work of one region for a device, which waits and signals."""

    host: HostLowering
    op: stream.CmdExecuteOp
    device: SSAValue
    wait: SSAValue

    def _signal(self) -> SSAValue:
        return self.host.signal(self.device, self.op.result_timepoint)

    def _range(self, argument: SSAValue) -> BufferRange:
        return self.host.range_of(captured(self.op, argument))

    def _add(self, base: SSAValue, offset: SSAValue, like: Operation) -> SSAValue:
        return self.host.indices.add(base, offset, like)

    def barrier(self) -> None:
        """Nothing to do: signal when the wait is over."""
        self.host.make(
            DeviceQueueBarrierOp,
            device=self.device,
            queue_affinity=self.host.any_queue(),
            wait_fence=self.wait,
            signal_fence=self._signal(),
            flags=NO_FLAGS,
        )

    def copy(self, copy: stream.CmdCopyOp) -> None:
        """One copy."""
        source, target = self._range(copy.source), self._range(copy.target)
        self.host.make(
            DeviceQueueCopyOp,
            device=self.device,
            queue_affinity=self.host.any_queue(),
            wait_fence=self.wait,
            signal_fence=self._signal(),
            source_buffer=source.buffer,
            source_offset=self._add(source.offset, copy.source_offset, copy),
            target_buffer=target.buffer,
            target_offset=self._add(target.offset, copy.target_offset, copy),
            length=copy.length,
            flags=NO_FLAGS,
            attributes=stream.stated_kind(copy),
        )

    def fill(self, fill: stream.CmdFillOp) -> None:
        """One fill."""
        target = self._range(fill.target)
        self.host.make(
            DeviceQueueFillOp,
            device=self.device,
            queue_affinity=self.host.any_queue(),
            wait_fence=self.wait,
            signal_fence=self._signal(),
            target_buffer=target.buffer,
            target_offset=self._add(target.offset, fill.target_offset, fill),
            length=fill.target_length,
            pattern=fill.value,
            flags=NO_FLAGS,
        )

    def execute(self, recorder: CommandRecorder) -> None:
        """Record, once where nothing but buffers differs between calls, and execute."""
        host, op = self.host, self.op
        reusable = op.once is None and not depends_on_call(op)
        commands = recorder.record(reusable=reusable)
        if reusable:
            recorder.block.add_op(make(ReturnOp, op, values=[commands]))
            commands = host.make(
                DeviceMemoizeOp,
                [[CommandBufferType()]],
                device=self.device,
                queue_affinity=host.any_queue(),
                body=Region(recorder.block),
            ).results[0]
        else:
            for recorded in list(recorder.block.ops):
                recorded.detach()
                host.insert(recorded)
        ranges = [host.range_of(resource) for resource in op.resource_operands]
        host.make(
            DeviceQueueExecuteIndirectOp,
            device=self.device,
            queue_affinity=host.any_queue(),
            wait_fence=self.wait,
            signal_fence=self._signal(),
            command_buffer=commands,
            binding_buffers=[found.buffer for found in ranges],
            binding_offsets=[found.offset for found in ranges],
            binding_lengths=op.resource_operand_sizes,
            flags=NO_FLAGS,
        )
