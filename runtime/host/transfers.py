"""The task of a copy: what all copy calls issue, whatever they check before.

A copy is done by the queue of one device, through its cache, between memory that its commands
reach. Pageable memory they do not reach: it goes through page-locked memory of the runtime.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..hal.command_buffer import CommandBuffer
from ..hal.device import Device
from ..hal.flags import CommandBufferMode
from ..hal.recorder import Source
from ..hal.refs import BufferRef
from ..hal.semaphore import Fence
from ..machine import WriteBack
from .caller import caller
from .memory import Allocation, AllocationKind, HostPointer, Pointer
from .operands import OperandLookup
from .options import HOST_POOL
from .stream import Context, DeviceState, Stream
from .tasks import Task, Touched, Use, record_maintained


@dataclass(frozen=True, slots=True)
class Segment:
    """One copy between memory that the device's commands reach."""

    target: Pointer
    source: Pointer
    size: int
    """Bytes, at least one."""


class TransferTasks(OperandLookup):
    """Makes the tasks of copies."""

    def copy_task(
        self, device: DeviceState, segments: Sequence[Segment], label: str = "copy"
    ) -> Task:
        """One submission to `device` that does all segments, in no order among them.

        Operands have been checked: they are alive, large enough, and do not overlap.
        """
        source = Source(label, caller())
        touched = [
            entry
            for segment in segments
            for pointer, writes in ((segment.source, False), (segment.target, True))
            for entry in self.touched(device, pointer, segment.size, writes=writes)
        ]
        pairs = [
            (
                BufferRef(segment.source.subspan(segment.size)),
                BufferRef(segment.target.subspan(segment.size)),
            )
            for segment in segments
        ]

        def copies(body: CommandBuffer) -> None:
            for from_, to in pairs:
                body.copy_buffer(from_, to, source)

        uses = tuple(use for segment in segments for use in _uses(segment))
        return transfer_task(source, uses, touched, copies)

    def stage(self, data: NDArray[np.uint8] | int) -> HostPointer:
        """Page-locked memory of the runtime with the bytes of `data`, or of so many bytes.

        To be given back with `unstage` once the host knows the copy to be complete.
        """
        size = data if isinstance(data, int) else len(data)
        name = f"staging{next(self.numbers)}"
        buffer = self.allocate(HOST_POOL, size, name, "host")
        kind = AllocationKind.MALLOC_HOST
        pointer = HostPointer(Allocation(buffer, kind, name, self.host_access))
        if not isinstance(data, int):
            pointer.write(data)
        return pointer

    def unstage(self, pointer: HostPointer) -> None:
        """Give back what `stage` gave."""
        self.host_access.release(pointer.allocation)

    def touched(
        self, device: DeviceState, pointer: Pointer, size: int, *, writes: bool
    ) -> list[Touched]:
        """The maintenance of a transfer, on memory that another domain than the device's
        reaches."""
        buffer = pointer.subspan(size)
        port = device.hal.ports[buffer.pool]
        if not self.options.maintenance or not port.cached:
            return []
        line_back = self.machine.domains[device.hal.domain].write_back is WriteBack.LINE
        partial = bool(buffer.start % port.line or (buffer.start + size) % port.line)
        invalidate = not writes or (line_back and partial)
        return [Touched(BufferRef(buffer), invalidate, flush=writes)]

    @contextmanager
    def own_stream(self, context: Context) -> Generator[Stream]:
        """A stream for one call, which no other task is ordered with."""
        stream = self.new_stream(context)
        try:
            yield stream
        finally:
            stream.alive = False
            context.streams.remove(stream)

    def run_now(self, context: Context, task: Task) -> None:
        """Execute a task, ordered after no task of any stream, and wait for it."""
        with self.own_stream(context) as stream:
            self.submit(stream, task)
            self.wait_for(stream.position, stream.name)


def transfer_task(
    source: Source,
    uses: tuple[Use, ...],
    touched: Sequence[Touched],
    body: Callable[[CommandBuffer], None],
) -> Task:
    """The task of commands that `body` records, with the maintenance that they need."""

    def record(commands: CommandBuffer) -> None:
        record_maintained(commands, touched, body)

    def enqueue(queue: Device, wait: Fence, signal: Fence) -> None:
        commands = queue.create_command_buffer(CommandBufferMode.ONE_SHOT)
        record(commands)
        commands.finalize()
        queue.queue_execute(wait, signal, commands, source=source)

    return Task(source.label, uses, enqueue, record)


def _uses(segment: Segment) -> tuple[Use, Use]:
    source, target = segment.source, segment.target
    return (
        Use(source.allocation, source.offset, source.offset + segment.size, writes=False),
        Use(target.allocation, target.offset, target.offset + segment.size, writes=True),
    )
