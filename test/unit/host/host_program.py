"""A host program under test and its model: what all actions share."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from host_model import OK, Model, ModelEvent, ModelMemory, ModelPointer, ModelStream
from host_world import state
from zcir.runtime.host import HostError, Runtime

LIMIT = 12
"""Objects of a kind that a program has at most."""


class ProgramBase:
    """A runtime, the model of it, and helpers for actions."""

    steps = refusals = launches = copies = 0
    rng: random.Random
    runtime: Runtime
    model: Model

    def full(self, objects: Sequence[Any]) -> bool:
        """Whether there are as many that live as a program may have."""
        return sum(entry.alive for entry in objects) >= LIMIT

    def add(self, memory: ModelMemory) -> None:
        self.model.memory.append(memory)
        self.keep(ModelPointer(memory.pointer, memory, 0))

    def keep(self, pointer: ModelPointer) -> None:
        """Hold a pointer; the oldest go."""
        self.model.pointers.append(pointer)
        del self.model.pointers[:-LIMIT]

    def pointer(self, which: int) -> ModelPointer | None:
        pointers = self.model.pointers
        return pointers[which % len(pointers)] if pointers else None

    def host_pointer(self, which: int) -> ModelPointer | None:
        at = self.pointer(which)
        return at if at is not None and at.memory.is_host and not at.is_mapped else None

    def stream(self, which: int) -> ModelStream:
        return self.model.streams[which % len(self.model.streams)]

    def event(self, which: int) -> ModelEvent | None:
        events = self.model.events
        return events[which % len(events)] if events else None

    def quiet(self, which: int, writes: bool) -> ModelMemory | None:
        """Host memory that no task in flight uses in a way that would make an access a hazard."""
        hosts = [memory for memory in self.model.memory if memory.is_host]
        if not hosts:
            return None
        memory = hosts[which % len(hosts)]
        return None if self.model.conflicting(memory, writes) else memory

    def order(self, stream: ModelStream, memory: ModelMemory, writes: bool) -> None:
        """Let a stream wait for the tasks that its next use of `memory` has to follow."""
        conflicting = self.model.conflicting(memory, writes)
        for other in self.model.streams:
            if other.position & conflicting & ~stream.position and other.alive:
                event = self.runtime.create_event()
                self.runtime.record_event(event, other.handle)
                self.runtime.stream_wait_event(stream.handle, event)
                stream.position |= other.position
        assert not conflicting & ~stream.position

    def expect(self, code: int, call: Any) -> bool:
        """Make a call that is refused with `code`, or not where it is 0; whether it was not."""
        type(self).refusals += code != OK
        if code == OK:
            call()
            return True
        before = state(self.runtime)
        with pytest.raises(HostError) as caught:
            call()
        assert caught.value.code == code, caught.value
        assert state(self.runtime) == before
        return False
