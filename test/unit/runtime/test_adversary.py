"""Generated programs: right under every schedule, wrong in an early seed when a part is missing."""

import random
from dataclasses import dataclass

import pytest
from hal_world import barrier, dispatch, full, named, record, system
from zcir.runtime.hal.buffer import Buffer
from zcir.runtime.hal.flags import MemoryAccess
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE, Fence
from zcir.runtime.hal.system import System
from zcir.runtime.machine import WriteBack

SIZE = 128
RIGHT = ["fifo", "random:1", *(f"adversarial:{seed}" for seed in range(12))]
EARLY = [f"adversarial:{seed}" for seed in range(8)]
ANY = [f"adversarial:{seed}" for seed in range(8, 40)]


@dataclass(frozen=True)
class Step:
    """`target = source + add` on a device or the host, on the whole or on one half."""

    agent: str
    source: int
    target: int
    add: int
    half: int | None

    def part(self, buffer: Buffer) -> Buffer:
        if self.half is None:
            return buffer
        return buffer.subspan(self.half * SIZE // 2, SIZE // 2)

    @property
    def removable(self) -> tuple[str, ...]:
        if self.agent == "host":
            return "invalidate source", "flush", "wait"
        return "invalidate source", "invalidate target", "barrier 1", "barrier 2", "flush", "wait"


def generate(rng: random.Random) -> list[Step]:
    """Two to six steps that read what was written before them."""
    written = {0}
    steps: list[Step] = []
    for _ in range(rng.randint(2, 6)):
        target = rng.randrange(3)
        half = rng.randrange(2) if target in written and rng.random() < 0.3 else None
        agent = rng.choice(["a", "a", "b", "b", "host"])
        steps.append(Step(agent, rng.choice(sorted(written)), target, rng.randint(1, 20), half))
        written.add(target)
    return steps


def run(made: System, steps: list[Step], missing: tuple[int, str] | None = None) -> list[int]:
    """Every step invalidates, acts, flushes, and waits for the one before, but for `missing`."""
    host = made.host
    buffers = [host.import_array(full(SIZE, i), "shared", named(f"%{i}")) for i in range(3)]
    last = NULL_FENCE
    for index, step in enumerate(steps):
        wanted = {part for part in step.removable if (index, part) != missing}
        source, target = step.part(buffers[step.source]), step.part(buffers[step.target])
        if step.agent == "host":
            if "wait" in wanted:
                host.wait(last)
            on_host(made, step, source, target, wanted)
            continue
        device = made.device(step.agent)
        commands = record(device)
        if "invalidate source" in wanted:
            commands.invalidate_buffer(BufferRef(source))
        if "invalidate target" in wanted:
            commands.invalidate_buffer(BufferRef(target))
        if "barrier 1" in wanted:
            barrier(commands)
        dispatch(
            commands, step.add, *([target] if step.source == step.target else [source, target])
        )
        if "barrier 2" in wanted:
            barrier(commands)
        if "flush" in wanted:
            commands.flush_buffer(BufferRef(target))
        commands.finalize()
        done = Fence.create(f"f{index}")
        device.queue_execute(last if "wait" in wanted else NULL_FENCE, done, commands)
        last = done
    host.wait(last)
    return [byte for buffer in buffers for byte in host.read_back(buffer).tolist()]


def on_host(made: System, step: Step, source: Buffer, target: Buffer, wanted: set[str]) -> None:
    reading = made.host.map_range(source, MemoryAccess.READ)
    if "invalidate source" in wanted:
        reading.invalidate_range()
    data = reading.read() + step.add
    writing = made.host.map_range(target, MemoryAccess.READ | MemoryAccess.WRITE)
    writing.invalidate_range()
    writing.write(data)
    writing.close(flush="flush" in wanted)


@pytest.mark.parametrize("seed", range(5))
def test_generated_programs_are_right_and_their_faults_show_early(seed: int) -> None:
    rng = random.Random(seed)
    steps = generate(rng)
    mode, line = rng.choice(list(WriteBack)), rng.choice([64, 128])

    def result(schedule: str, missing: tuple[int, str] | None = None) -> list[int]:
        made = system("a", "b", schedule=schedule, record=False, line=line, write_back=mode)
        return run(made, steps, missing)

    want = result("fifo")
    assert all(result(schedule) == want for schedule in RIGHT)
    faults = {
        (index, part)
        for index, step in enumerate(steps)
        for part in step.removable
        if any(result(schedule, (index, part)) != want for schedule in EARLY)
    }
    assert len(faults) >= len(steps)
    others = {(i, part) for i, step in enumerate(steps) for part in step.removable} - faults
    for missing in sorted(others)[::4]:
        assert all(result(schedule, missing) == want for schedule in ANY[:: seed + 1])
