"""What a stream executes: one submission, with the memory that it uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..hal.command_buffer import CommandBuffer
from ..hal.device import Device
from ..hal.flags import ExecutionStage
from ..hal.refs import BufferRef
from ..hal.semaphore import Fence
from .memory import Allocation

if TYPE_CHECKING:
    from .stream import Event, Stream

_ALL = ExecutionStage.DISPATCH | ExecutionStage.TRANSFER


@dataclass(frozen=True, slots=True)
class Use:
    """Bytes of an allocation that a task touches."""

    allocation: Allocation
    start: int
    """First byte, from the start of the allocation."""
    end: int
    writes: bool


@dataclass(frozen=True, slots=True)
class Task:
    """One submission. Everything about it has been checked."""

    label: str
    """As traces and messages name it: `kernel add_custom`, `copy`."""
    uses: tuple[Use, ...]
    """One for each range read and one for each range written."""
    enqueue: Callable[[Device, Fence, Fence], None]
    """Submits it to the device's queue, between a wait and a signal fence."""
    record: Callable[[CommandBuffer], None]
    """Records its commands into a command buffer of the device, with direct buffers; what comes
    after is separated by a barrier that the caller records."""


class TaskSink(Protocol):
    """Takes what is issued to a stream that captures, instead of its queue."""

    def add(self, stream: Stream, task: Task) -> None:
        """Store a task; HostError where it cannot be."""
        ...

    def record_event(self, stream: Stream, event: Event) -> None:
        """The event stands for the tasks stored for the stream so far (CP-25)."""
        ...

    def wait_event(self, stream: Stream, event: Event) -> None:
        """Later tasks of the stream wait for the event, which was recorded in the capture; a
        stream that does not capture joins it."""
        ...


@dataclass(frozen=True, slots=True)
class Touched:
    """A buffer range that the commands of a task touch, and the maintenance that it needs."""

    ref: BufferRef
    invalidate: bool
    """The device may hold older lines of it."""
    flush: bool
    """The device writes it, and others read it."""


def barrier(commands: CommandBuffer) -> None:
    """Order everything recorded so far before everything after."""
    commands.execution_barrier(_ALL, _ALL)


def record_maintained(
    commands: CommandBuffer, touched: Sequence[Touched], body: Callable[[CommandBuffer], None]
) -> None:
    """Record `body` between the device's invalidates before it and its flushes after it."""
    before = [entry.ref for entry in touched if entry.invalidate]
    after = [entry.ref for entry in touched if entry.flush]
    for ref in before:
        commands.invalidate_buffer(ref)
    if before:
        barrier(commands)
    body(commands)
    if after:
        barrier(commands)
    for ref in after:
        commands.flush_buffer(ref)
