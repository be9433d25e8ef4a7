"""Random legal and illegal calls against a model: same answers, same bytes, nothing left over."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from host_model import (
    HANDLE,
    OK,
    Model,
    ModelEvent,
    ModelMemory,
    ModelPointer,
    ModelStream,
)
from host_world import runtime, state
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)
from zcir.runtime.host import HostError, kernel, reads, writes

GRAIN = 16
"""Bytes that a block of the kernels touches."""
SIZES = (1, 16, 48, 64, 100, 128, 200)
FLAGS = (0x2, 0x2, 0x2, 0x2, 0, 0x1, 0x4, 0x8, 0x10000000, 0x10000002)
SCHEDULES = ("deferred", "fifo", "random:1", "random:2", "adversarial:3", "adversarial:7")
LIMIT = 12
"""Objects of a kind that a program has at most."""

INDEX = range(60)
"""Numbers of objects, taken modulo how many there are."""
BYTE = range(256)
OFTEN = (True, True, True, False)
WHICH: dict[str, Sequence[Any]] = {"which": INDEX}

ACTIONS: dict[str, tuple[int, dict[str, Sequence[Any]]]] = {
    "malloc_host": (3, {"size": SIZES, "value": BYTE, "is_mapped": OFTEN}),
    "malloc": (2, {"size": SIZES, "value": BYTE}),
    "malloc_nothing": (1, {}),
    "free_host": (2, WHICH),
    "free": (2, WHICH),
    "move": (1, {**WHICH, "by": (1, 16, 32, 64)}),
    "register": (2, {**WHICH, "flag": FLAGS, "size": (0, 16, 64, None, None)}),
    "unregister": (2, WHICH),
    "device_pointer": (1, {**WHICH, "flag": (0, 0, 0, 1)}),
    "map_again": (2, {**WHICH, "offset": (0, 0, 16, 64)}),
    "launch": (
        12,
        {
            "stream": INDEX,
            "x": INDEX,
            "z": INDEX,
            "blocks": range(6),
            "addend": BYTE,
            "legal": OFTEN,
        },
    ),
    "host_write": (4, {**WHICH, "value": BYTE, "start": range(90), "size": range(70)}),
    "host_read": (4, WHICH),
    "create_stream": (1, {}),
    "destroy_stream": (1, WHICH),
    "synchronize_stream": (3, WHICH),
    "synchronize_device": (1, {}),
    "query_stream": (2, WHICH),
    "create_event": (1, {}),
    "record_event": (2, {**WHICH, "stream": INDEX}),
    "wait_event": (2, {**WHICH, "stream": INDEX}),
    "synchronize_event": (1, WHICH),
    "destroy_event": (1, WHICH),
}
"""By name the weight of an action and what its arguments are drawn from."""

SEEDS = st.integers(0, 2**32 - 1)
CHOICES = [name for name, (weight, _) in ACTIONS.items() for _ in range(weight)]


@kernel(reads("x", "u1", GRAIN), writes("z", "u1", GRAIN))
def mix(block: int, x: Any, z: Any, addend: int) -> None:
    part = slice(block * GRAIN, (block + 1) * GRAIN)
    z[part] = x[part] * np.uint8(3) + np.uint8(addend)


@kernel(writes("z", "u1"))
def fill(block: int, z: Any, value: int) -> None:
    z[:] = value


class HostProgram(RuleBasedStateMachine):
    """A host program."""

    steps = refusals = launches = 0

    @initialize(coherent=st.booleans(), schedule=st.sampled_from(SCHEDULES), seed=SEEDS)
    def begin(self, coherent: bool, schedule: str, seed: int) -> None:
        self.rng = random.Random(seed)
        self.runtime = runtime(coherent=coherent, schedule=schedule)
        self.model = Model()
        self.model.streams.append(ModelStream(self.runtime.context().default_stream))
        self.model.streams.append(ModelStream(self.runtime.create_stream()))

    @rule(action=st.sampled_from(CHOICES))
    def step(self, action: str) -> None:
        """One action; its arguments are drawn evenly, which hypothesis would not do."""
        type(self).steps += 1
        rng = self.rng
        _, arguments = ACTIONS[action]
        getattr(self, action)(**{name: rng.choice(among) for name, among in arguments.items()})

    # Memory.

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

    # Tasks.

    def map_again(self, which: int, offset: int) -> None:
        mapped = [memory for memory in self.model.memory if memory.registered > offset]
        if mapped:
            memory = mapped[which % len(mapped)]
            pointer = self.runtime.host_get_device_pointer(memory.pointer + offset)
            self.keep(ModelPointer(pointer, memory, offset, memory.era))

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

    # Streams and events.

    def create_stream(self) -> None:
        if self.full(self.model.streams):
            return
        self.model.streams.append(ModelStream(self.runtime.create_stream()))

    def destroy_stream(self, which: int) -> None:
        stream = self.stream(which)
        code = HANDLE if stream is self.model.streams[0] else self.model.stream(stream)
        if self.expect(code, lambda: self.runtime.destroy_stream(stream.handle)):
            stream.alive = False
            self.model.known |= stream.position

    def synchronize_stream(self, which: int) -> None:
        stream = self.stream(which)
        code = self.model.stream(stream)
        if self.expect(code, lambda: self.runtime.synchronize_stream(stream.handle)):
            self.model.known |= stream.position

    def synchronize_device(self) -> None:
        self.runtime.synchronize_device()
        for stream in self.model.streams:
            self.model.known |= stream.position

    def query_stream(self, which: int) -> None:
        stream = self.stream(which)
        done: list[bool] = []
        code = self.model.stream(stream)
        # A query that succeeds lets devices proceed, so that a refused one alone changes nothing.
        if self.expect(code, lambda: done.append(self.runtime.query_stream(stream.handle))):
            assert done[0] or stream.position & ~self.model.known
            if done[0]:
                self.model.known |= stream.position

    def create_event(self) -> None:
        if self.full(self.model.events):
            return
        self.model.events.append(ModelEvent(self.runtime.create_event()))

    def record_event(self, which: int, stream: int) -> None:
        event, where = self.event(which), self.stream(stream)
        if event is not None and self.expect(
            OK if event.alive and where.alive else HANDLE,
            lambda: self.runtime.record_event(event.handle, where.handle),
        ):
            event.position = where.position

    def wait_event(self, which: int, stream: int) -> None:
        event, where = self.event(which), self.stream(stream)
        if event is not None and self.expect(
            OK if event.alive and where.alive else HANDLE,
            lambda: self.runtime.stream_wait_event(where.handle, event.handle),
        ):
            where.position |= event.position

    def synchronize_event(self, which: int) -> None:
        event = self.event(which)
        if event is not None and self.expect(
            OK if event.alive else HANDLE, lambda: self.runtime.synchronize_event(event.handle)
        ):
            self.model.known |= event.position

    def destroy_event(self, which: int) -> None:
        event = self.event(which)
        if event is not None and self.expect(
            OK if event.alive else HANDLE, lambda: self.runtime.destroy_event(event.handle)
        ):
            event.alive = False

    # Parts of these.

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

    def teardown(self) -> None:
        if not hasattr(self, "model"):
            return
        rt = self.runtime
        rt.synchronize_device()
        for memory in self.model.memory:
            if memory.is_host and memory.alive:
                assert memory.pointer.read().tolist() == memory.data.tolist()
                if memory.registered:
                    rt.host_unregister(memory.pointer)
                rt.free_host(memory.pointer)
            elif memory.alive:
                rt.free(memory.pointer)
        rt.finalize()
        assert not rt.allocations
        assert not rt.registry.registrations
        assert not rt.host_access.hazards
        assert not rt.check().reports


def run(examples: int, steps: int) -> None:
    HostProgram.steps = HostProgram.refusals = HostProgram.launches = 0
    run_state_machine_as_test(
        HostProgram,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=True,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much),
        ),
    )


def test_random_programs_behave_as_the_model() -> None:
    run(examples=60, steps=50)
    assert HostProgram.steps >= 2000
    assert HostProgram.refusals >= 200
    assert HostProgram.launches >= 200


@pytest.mark.deep
def test_many_random_programs_behave_as_the_model() -> None:
    run(examples=300, steps=80)
    assert HostProgram.steps >= 20000
