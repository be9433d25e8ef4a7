"""Actions that issue tasks: kernels, copies, fills, replays. All of them keep to orders in which
the result does not depend on the schedule."""

from typing import Any

import numpy as np
from host_model import OK, RUNTIME, UNSUPPORTED, ModelPointer, ModelStream, copies_nothing
from host_program import ProgramBase
from zcir.runtime.host import kernel, reads, writes

DEFAULT_IN_CAPTURE, RUNNING = 107031, 107037
GRAIN = 16
"""Bytes that a block of the kernel touches."""


@kernel(reads("x", "u1", GRAIN), writes("z", "u1", GRAIN))
def mix(block: int, x: Any, z: Any, addend: int) -> None:
    part = slice(block * GRAIN, (block + 1) * GRAIN)
    z[part] = x[part] * np.uint8(3) + np.uint8(addend)


class TaskActions(ProgramBase):
    """Actions that issue tasks."""

    def launch(self, stream: int, x: int, z: int, blocks: int, addend: int, legal: bool) -> None:
        size = blocks * GRAIN
        good = [at for at in self.model.pointers if at.launchable(size) == OK]
        choices = good if legal and good else self.model.pointers
        if not choices:
            return
        where = self.stream(stream)
        source, target = choices[x % len(choices)], choices[z % len(choices)]
        code = OK if blocks else 100000
        code = code or self.model.stream(where)
        code = code or source.launchable(size) or target.launchable(size)
        if code is OK:
            self.order(where, source.memory, writes=False)
            self.order(where, target.memory, writes=True)
        if self.expect(
            code,
            lambda: self.runtime.launch(
                mix, blocks, where.handle, source.pointer, target.pointer, addend
            ),
        ):
            type(self).launches += 1
            bit = self.model.issue(where)
            source.memory.uses.append((bit, False))
            target.memory.uses.append((bit, True))
            data = source.memory.data[source.offset : source.offset + size].copy()
            target.memory.data[target.offset : target.offset + size] = data * np.uint8(
                3
            ) + np.uint8(addend)

    def copy(self, stream: int, x: int, z: int, size: int, asynchronous: bool, legal: bool) -> None:
        pair = self.two_pointers(x, z, size, asynchronous, legal)
        if pair is None:
            return
        source, target = pair
        where = self.stream(stream)
        code = self.model.stream(where) if asynchronous else OK
        code = code or self.model.copy(target, source, size, asynchronous)
        nothing = copies_nothing(target, source, size)
        if code == OK and not nothing:
            self.prepare(where if asynchronous else None, source, target)
        call = (
            (
                lambda: self.runtime.memcpy_async(
                    target.pointer, size, source.pointer, size, stream=where.handle
                )
            )
            if asynchronous
            else lambda: self.runtime.memcpy(target.pointer, size, source.pointer, size)
        )
        if self.expect(code, call) and not nothing:
            type(self).copies += 1
            if asynchronous:
                bit = self.model.issue(where)
                source.memory.uses.append((bit, False))
                target.memory.uses.append((bit, True))
            target.put(source.memory.data[source.offset : source.offset + size].copy())

    def upload(self, stream: int, z: int, size: int, value: int, legal: bool) -> None:
        """From pageable memory: the host waits for all that the stream has."""
        target, where = self.one_pointer(z, size, legal), self.stream(stream)
        if target is None:
            return
        array = np.full(size, value, np.uint8)
        code = self.model.stream(where) or (target.copyable(size) if size else OK)
        if code == OK and size and target.memory.is_host:
            code = UNSUPPORTED
        if code == OK and size:
            self.order(where, target.memory, writes=True)
        if (
            self.expect(
                code,
                lambda: self.runtime.memcpy_async(
                    target.pointer, size, array, size, stream=where.handle
                ),
            )
            and size
        ):
            self.model.issue(where)
            self.model.known |= where.position
            target.put(array)

    def download(self, stream: int, x: int, size: int, legal: bool) -> None:
        """To pageable memory."""
        source, where = self.one_pointer(x, size, legal), self.stream(stream)
        if source is None:
            return
        array = np.zeros(size, np.uint8)
        code = self.model.stream(where) or (source.copyable(size) if size else OK)
        if code == OK and size and source.memory.is_host:
            code = UNSUPPORTED
        if code == OK and size:
            self.order(where, source.memory, writes=False)
        if (
            self.expect(
                code,
                lambda: self.runtime.memcpy_async(
                    array, size, source.pointer, size, stream=where.handle
                ),
            )
            and size
        ):
            self.model.issue(where)
            self.model.known |= where.position
            wanted = source.memory.data[source.offset : source.offset + size]
            assert array.tolist() == wanted.tolist()

    def memset(self, stream: int, z: int, size: int, value: int, legal: bool) -> None:
        target, where = self.one_pointer(z, size, legal), self.stream(stream)
        if target is None:
            return
        code = self.model.stream(where) or (target.copyable(size) if size else OK)
        if code == OK and size:
            self.order(where, target.memory, writes=True)
        if (
            self.expect(
                code,
                lambda: self.runtime.memset_async(target.pointer, size, value, size, where.handle),
            )
            and size
        ):
            target.memory.uses.append((self.model.issue(where), True))
            target.put(np.full(size, value, np.uint8))

    def replay(self, stream: int, x: int, z: int, size: int) -> None:
        """Capture a copy, replay it twice, and destroy the graph."""
        rt, where = self.runtime, self.stream(stream)
        pair = self.two_pointers(x, z, size, issued=True, legal=True)
        if pair is None:
            return
        source, target = pair
        code = self.model.stream(where)
        if code == OK and where is self.model.streams[0]:
            code = DEFAULT_IN_CAPTURE
        if not self.expect(code, lambda: rt.capture_begin(where.handle)):
            return
        nothing = copies_nothing(target, source, size)
        stored = self.expect(
            self.model.copy(target, source, size, issued=True),
            lambda: rt.memcpy_async(
                target.pointer, size, source.pointer, size, stream=where.handle
            ),
        )
        graph = rt.capture_end(where.handle)
        assert graph.tasks == (stored and not nothing)
        if graph.tasks:
            self.prepare(where, source, target)
            target.put(source.memory.data[source.offset : source.offset + size].copy())
        for _ in range(2):
            rt.execute_async(graph, where.handle)
            self.model.issue(where)
        self.expect(RUNNING, lambda: rt.destroy_graph(graph))
        if graph.tasks and target.memory.is_host:
            self.expect(RUNTIME, lambda: rt.free_host(target.memory.pointer))
        rt.synchronize_stream(where.handle)
        self.model.known |= where.position
        rt.destroy_graph(graph)

    # Parts of these.

    def one_pointer(self, which: int, size: int, legal: bool) -> ModelPointer | None:
        """A pointer for a copy of `size` bytes, or any."""
        good = [at for at in self.model.pointers if at.copyable(size) == OK]
        choices = good if legal and good else self.model.pointers
        return choices[which % len(choices)] if choices else None

    def two_pointers(
        self, x: int, z: int, size: int, issued: bool, legal: bool
    ) -> tuple[ModelPointer, ModelPointer] | None:
        """A source and a target; where it can be, of a copy that is legal and does something."""
        source = self.one_pointer(x, size, legal)
        if source is None:
            return None
        choices = self.model.pointers
        if legal:
            good = [
                at
                for at in choices
                if self.model.copy(at, source, size, issued) == OK
                and not copies_nothing(at, source, size)
            ]
            choices = good or choices
        return source, choices[z % len(choices)]

    def prepare(
        self, stream: ModelStream | None, source: ModelPointer, target: ModelPointer
    ) -> None:
        """Order a stream after what a copy has to follow, or let the host wait for it."""
        if stream is not None:
            self.order(stream, source.memory, writes=False)
            self.order(stream, target.memory, writes=True)
        elif self.model.conflicting(source.memory, False) | self.model.conflicting(
            target.memory, True
        ):
            self.runtime.synchronize_device()
            for entry in self.model.streams:
                self.model.known |= entry.position
