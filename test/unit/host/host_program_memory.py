"""Actions on memory: allocation, registration, pointers, host accesses."""

from typing import Any

import numpy as np
from host_model import OK, ModelMemory, ModelPointer
from host_program import ProgramBase
from zcir.runtime.host import kernel, writes


@kernel(writes("z", "u1"))
def fill(block: int, z: Any, value: int) -> None:
    z[:] = value


class MemoryActions(ProgramBase):
    """Actions on memory."""

    def malloc_host(self, size: int, value: int, is_mapped: bool) -> None:
        if self.full(self.model.memory):
            return
        pointer = self.runtime.malloc_host(size)
        memory = ModelMemory(pointer, np.full(size, value, np.uint8), is_host=True)
        pointer.write(memory.data)
        self.add(memory)
        if is_mapped:
            self.runtime.host_register(pointer)
            memory.registered, memory.era = size, 1
            mapped = self.runtime.host_get_device_pointer(pointer)
            self.keep(ModelPointer(mapped, memory, 0, 1))

    def malloc(self, size: int, value: int) -> None:
        if self.full(self.model.memory):
            return
        pointer = self.runtime.malloc(size)
        memory = ModelMemory(pointer, np.full(size, value, np.uint8), is_host=False)
        self.add(memory)
        stream = self.model.streams[0]
        self.runtime.launch(fill, 1, stream.handle, pointer, value)
        memory.uses.append((self.model.issue(stream), True))

    def malloc_nothing(self) -> None:
        self.expect(100000, lambda: self.runtime.malloc_host(0))
        self.expect(100000, lambda: self.runtime.malloc(0))

    def free_host(self, which: int) -> None:
        at = self.pointer(which)
        if at is not None and self.expect(
            self.model.free_host(at), lambda: self.runtime.free_host(at.pointer)
        ):
            at.memory.alive = False

    def free(self, which: int) -> None:
        at = self.pointer(which)
        if at is not None and self.expect(
            self.model.free(at), lambda: self.runtime.free(at.pointer)
        ):
            at.memory.alive = False

    def move(self, which: int, by: int) -> None:
        at = self.pointer(which)
        if at is not None:
            era, moved = at.era, at.offset + by
            self.keep(ModelPointer(at.pointer + by, at.memory, moved, era))

    # Registration.

    def register(self, which: int, flag: int, size: int | None) -> None:
        at = self.host_pointer(which)
        if at is None:
            return
        length = len(at.memory.data) - at.offset if size is None else size
        if self.expect(
            self.model.register(at, flag, length),
            lambda: self.runtime.host_register(at.pointer, flag, size),
        ):
            at.memory.registered, at.memory.era = length, at.memory.era + 1

    def unregister(self, which: int) -> None:
        at = self.host_pointer(which)
        if at is not None and self.expect(
            self.model.unregister(at), lambda: self.runtime.host_unregister(at.pointer)
        ):
            at.memory.registered = 0

    def device_pointer(self, which: int, flag: int) -> None:
        at = self.host_pointer(which)
        if at is None:
            return
        given: list[Any] = []
        if self.expect(
            self.model.device_pointer(at, flag),
            lambda: given.append(self.runtime.host_get_device_pointer(at.pointer, flag)),
        ):
            self.keep(ModelPointer(given[0], at.memory, at.offset, at.memory.era))

    def map_again(self, which: int, offset: int) -> None:
        mapped = [memory for memory in self.model.memory if memory.registered > offset]
        if mapped:
            memory = mapped[which % len(mapped)]
            pointer = self.runtime.host_get_device_pointer(memory.pointer + offset)
            self.keep(ModelPointer(pointer, memory, offset, memory.era))

    # Accesses of the host.

    def host_write(self, which: int, value: int, start: int, size: int) -> None:
        memory = self.quiet(which, writes=True)
        if memory is None:
            return
        inside = memory.alive and start + size <= len(memory.data)
        data = np.full(size, value, np.uint8)
        code = OK if inside else 107000
        if self.expect(code, lambda: (memory.pointer + start).write(data)):
            memory.data[start : start + size] = value

    def host_read(self, which: int) -> None:
        memory = self.quiet(which, writes=False)
        if memory is None:
            return
        if memory.alive:
            assert memory.pointer.read().tolist() == memory.data.tolist()
        else:
            self.expect(107000, lambda: memory.pointer.read())
