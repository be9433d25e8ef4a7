"""Random legal and illegal calls against a model: same answers, same bytes, nothing left over."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from host_model import Model, ModelStream
from host_program_memory import MemoryActions
from host_program_streams import StreamActions
from host_program_tasks import TaskActions
from host_world import runtime
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)

SIZES = (1, 16, 48, 64, 100, 128, 200)
COPIED = (0, 1, 16, 16, 48, 64, 100)
FLAGS = (0x2, 0x2, 0x2, 0x2, 0, 0x1, 0x4, 0x8, 0x10000000, 0x10000002)
SCHEDULES = ("deferred", "fifo", "random:1", "random:2", "adversarial:3", "adversarial:7")
INDEX = range(60)
"""Numbers of objects, taken modulo how many there are."""
BYTE = range(256)
OFTEN = (True, True, True, False)
WHICH: dict[str, Sequence[Any]] = {"which": INDEX}

ACTIONS: dict[str, tuple[int, dict[str, Sequence[Any]]]] = {
    "malloc_host": (3, {"size": SIZES, "value": BYTE, "is_mapped": OFTEN}),
    "malloc": (4, {"size": SIZES, "value": BYTE}),
    "malloc_nothing": (1, {}),
    "free_host": (2, WHICH),
    "free": (2, WHICH),
    "move": (1, {**WHICH, "by": (1, 16, 32, 64)}),
    "register": (2, {**WHICH, "flag": FLAGS, "size": (0, 16, 64, None, None)}),
    "unregister": (2, WHICH),
    "device_pointer": (1, {**WHICH, "flag": (0, 0, 0, 1)}),
    "map_again": (2, {**WHICH, "offset": (0, 0, 16, 64)}),
    "launch": (
        18,
        {
            "stream": INDEX,
            "x": INDEX,
            "z": INDEX,
            "blocks": range(6),
            "addend": BYTE,
            "legal": OFTEN,
        },
    ),
    "copy": (
        14,
        {
            "stream": INDEX,
            "x": INDEX,
            "z": INDEX,
            "size": COPIED,
            "asynchronous": (True, True, False),
            "legal": OFTEN,
        },
    ),
    "upload": (2, {"stream": INDEX, "z": INDEX, "size": COPIED, "value": BYTE, "legal": OFTEN}),
    "download": (2, {"stream": INDEX, "x": INDEX, "size": COPIED, "legal": OFTEN}),
    "memset": (2, {"stream": INDEX, "z": INDEX, "size": COPIED, "value": BYTE, "legal": OFTEN}),
    "replay": (2, {"stream": INDEX, "x": INDEX, "z": INDEX, "size": COPIED}),
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


class HostProgram(MemoryActions, StreamActions, TaskActions, RuleBasedStateMachine):
    """A host program."""

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
    HostProgram.steps = HostProgram.refusals = HostProgram.launches = HostProgram.copies = 0
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
    run(examples=110, steps=50)
    assert HostProgram.steps >= 2000
    assert HostProgram.refusals >= 200
    assert HostProgram.launches >= 200
    assert HostProgram.copies >= 100


@pytest.mark.deep
def test_many_random_programs_behave_as_the_model() -> None:
    run(examples=300, steps=80)
    assert HostProgram.steps >= 20000
