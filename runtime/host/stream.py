"""Streams, events and contexts: who waits for what, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..hal.semaphore import Fence, Semaphore, Timepoint

if TYPE_CHECKING:
    from ..hal.device import Device
    from .tasks import TaskSink

Clock = Mapping[int, int]
"""By stream number how many of its tasks are complete; none of streams not named."""


def joined(*clocks: Clock) -> dict[int, int]:
    """The clock that knows all that any of `clocks` knows."""
    result: dict[int, int] = {}
    for clock in clocks:
        for stream, value in clock.items():
            result[stream] = max(result.get(stream, 0), value)
    return result


@dataclass(frozen=True, slots=True)
class Position:
    """A point that a stream reaches: what to wait for, and what is complete then."""

    timepoints: tuple[Timepoint, ...] = ()
    clock: Clock = field(default_factory=dict[int, int])

    def fence(self, name: str) -> Fence:
        """A fence that is reached there."""
        return Fence(self.timepoints, name)


@dataclass(slots=True, eq=False)
class DeviceState:
    """A device of the runtime."""

    index: int
    name: str
    """Of the topology."""
    hal: Device
    soc: str
    """Product name, `Ascend910B3`."""
    peers: set[int] = field(default_factory=set[int])
    """Devices whose memory it may access (`aclrtDeviceEnablePeerAccess`)."""


@dataclass(slots=True, eq=False)
class Context:
    """A device with its streams. Destroyed with `aclrtResetDevice`."""

    number: int
    device: DeviceState
    alive: bool = True
    streams: list[Stream] = field(default_factory=list["Stream"])
    """Streams not destroyed, the default stream first."""

    @property
    def default_stream(self) -> Stream:
        """What calls use that name no stream."""
        return self.streams[0]


@dataclass(slots=True, eq=False)
class Stream:
    """An in-order queue of a device. Each task waits for the one before it."""

    number: int
    """Unique in the runtime."""
    context: Context
    semaphore: Semaphore
    value: int = 0
    """Tasks submitted."""
    known: dict[int, int] = field(default_factory=dict[int, int])
    """What is complete, besides its own tasks, once its last task is."""
    waits: list[Position] = field(default_factory=list[Position])
    """Events that its next task waits for."""
    alive: bool = True
    capture: TaskSink | None = None
    """Takes its tasks while it captures (`aclmdlRICaptureBegin`)."""

    @property
    def name(self) -> str:
        """As messages name it."""
        return self.semaphore.name

    @property
    def position(self) -> Position:
        """Where all is complete that was issued to it so far."""
        own = (Timepoint(self.semaphore, self.value),) if self.value else ()
        clock = joined(self.known, {self.number: self.value}, *(w.clock for w in self.waits))
        return Position(own + tuple(p for wait in self.waits for p in wait.timepoints), clock)

    def advance(self) -> tuple[Fence, Fence]:
        """Take the next number for a task; the fences that it waits for and signals."""
        before = self.position
        self.known = joined(before.clock)
        self.value += 1
        self.waits.clear()
        signal = Fence((Timepoint(self.semaphore, self.value),), f"{self.name}@{self.value}")
        return before.fence(f"{self.name}@{self.value - 1}"), signal


@dataclass(slots=True, eq=False)
class Event:
    """A point of a stream, recorded. Never recorded, it counts as complete."""

    number: int
    context: Context
    alive: bool = True
    position: Position | None = None
    """None until it is recorded."""
    capture: TaskSink | None = None
    """The capture that it was recorded in."""
