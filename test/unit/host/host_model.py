"""What the host API should do, in the simplest terms: memory with states, tasks as bits.

A task is one bit; what is complete where it is waited for is a set of bits. The model knows the
bytes of all memory as if each task had run when it was issued: the test issues only tasks whose
result does not depend on the schedule.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

OK = 0
INVALID, RUNTIME, HANDLE, UNSUPPORTED = 100000, 107000, 107017, 207000
UNALIGNED, REGISTERED, UNREGISTERED = 107008, 507910, 507911


@dataclass(eq=False)
class ModelMemory:
    """An allocation."""

    pointer: Any
    """The runtime's pointer to its start."""
    data: NDArray[np.uint8]
    is_host: bool
    alive: bool = True
    registered: int = 0
    """Bytes that are registered; 0 for none."""
    era: int = 0
    """Counts registrations, so that pointers of earlier ones are told apart."""
    uses: list[tuple[int, bool]] = field(default_factory=list[tuple[int, bool]])
    """Tasks, as bits, and whether they write it."""

    def busy(self, known: int) -> bool:
        """Whether a task uses it that the host does not know to be complete."""
        return any(bit & ~known for bit, _ in self.uses)


@dataclass(eq=False)
class ModelStream:
    """A stream."""

    handle: Any
    position: int = 0
    """What is complete once all that was issued to it is."""
    alive: bool = True


@dataclass(eq=False)
class ModelEvent:
    """An event."""

    handle: Any
    position: int = 0
    alive: bool = True


@dataclass(eq=False)
class ModelPointer:
    """A pointer as the program holds it; it may be out of date."""

    pointer: Any
    memory: ModelMemory
    offset: int
    era: int | None = None
    """For a mapped pointer, the registration it came from."""

    @property
    def is_mapped(self) -> bool:
        """Whether it is a device's address of host memory."""
        return self.era is not None

    def launchable(self, need: int) -> int:
        """The code with which a kernel that touches `need` bytes of it is refused, or 0."""
        memory = self.memory
        if memory.is_host and not self.is_mapped:
            return RUNTIME
        if self.is_mapped and (not memory.registered or self.era != memory.era):
            return RUNTIME
        if not memory.alive:
            return RUNTIME
        size = memory.registered if self.is_mapped else len(memory.data)
        return RUNTIME if self.offset + need > size else OK

    def put(self, data: NDArray[np.uint8]) -> None:
        """Write bytes there."""
        self.memory.data[self.offset : self.offset + len(data)] = data

    def copyable(self, need: int) -> int:
        """The code with which a copy or fill of `need` bytes of it is refused, or 0."""
        if self.is_mapped or not self.memory.alive:
            return RUNTIME
        return RUNTIME if self.offset + need > len(self.memory.data) else OK


@dataclass
class Model:
    """The runtime's state."""

    memory: list[ModelMemory] = field(default_factory=list[ModelMemory])
    pointers: list[ModelPointer] = field(default_factory=list[ModelPointer])
    streams: list[ModelStream] = field(default_factory=list[ModelStream])
    events: list[ModelEvent] = field(default_factory=list[ModelEvent])
    known: int = 0
    """Tasks that the host knows to be complete."""
    tasks: int = 0

    def free_host(self, at: ModelPointer) -> int:
        """The code of `free_host`."""
        memory = at.memory
        if not memory.is_host or at.is_mapped or at.offset or not memory.alive:
            return RUNTIME
        return RUNTIME if memory.registered or memory.busy(self.known) else OK

    def free(self, at: ModelPointer) -> int:
        """The code of `free`."""
        memory = at.memory
        if memory.is_host or at.offset or not memory.alive:
            return RUNTIME
        return RUNTIME if memory.busy(self.known) else OK

    def register(self, at: ModelPointer, flag: int, size: int) -> int:
        """The code of `host_register` for page-locked memory."""
        if size <= 0:
            return INVALID
        if not flag or flag & ~0x1000000E:
            return RUNTIME
        if flag & 0xC:
            return UNSUPPORTED
        if not at.memory.alive:
            return RUNTIME
        if at.memory.registered:
            return REGISTERED
        if at.offset:
            return UNALIGNED
        return RUNTIME if flag & 0x10000000 or size > len(at.memory.data) else OK

    def unregister(self, at: ModelPointer) -> int:
        """The code of `host_unregister`."""
        if not at.memory.registered or at.offset:
            return UNREGISTERED
        return RUNTIME if at.memory.busy(self.known) else OK

    def device_pointer(self, at: ModelPointer, flag: int) -> int:
        """The code of `host_get_device_pointer`."""
        if flag:
            return INVALID
        return OK if 0 <= at.offset < at.memory.registered else RUNTIME

    def copy(self, target: ModelPointer, source: ModelPointer, size: int, issued: bool) -> int:
        """The code of a copy; `issued` to a stream or not. See `copies_nothing` too."""
        if not size:
            return OK
        code = target.copyable(size) or source.copyable(size)
        if code or copies_nothing(target, source, size):
            return code
        if target.memory.is_host and source.memory.is_host:
            return UNSUPPORTED if issued else OK
        apart = target.memory is not source.memory or abs(target.offset - source.offset) >= size
        return OK if apart else RUNTIME

    def stream(self, stream: ModelStream) -> int:
        """The code of a call on a stream."""
        return OK if stream.alive else HANDLE

    def issue(self, stream: ModelStream) -> int:
        """A task is issued to a stream; its bit."""
        bit = 1 << self.tasks
        self.tasks += 1
        stream.position |= bit
        return bit

    def conflicting(self, memory: ModelMemory, writes: bool) -> int:
        """Tasks in flight that a new use of `memory` has to be ordered after."""
        bits = 0
        for bit, writer in memory.uses:
            if (writer or writes) and bit & ~self.known:
                bits |= bit
        return bits


def copies_nothing(target: ModelPointer, source: ModelPointer, size: int) -> bool:
    """Whether a copy has no bytes, or goes onto itself."""
    return not size or (target.memory is source.memory and target.offset == source.offset)
