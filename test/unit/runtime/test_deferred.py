"""Direct, one-shot and deferred command buffers run the same trace (IR-17, IR-33, IR-57)."""

from pathlib import Path

import numpy as np
import pytest
from hal_world import T, barrier, dispatch, full, named, system
from zcir.runtime.errors import HalError
from zcir.runtime.events import Span
from zcir.runtime.hal.command_buffer import CommandBuffer
from zcir.runtime.hal.flags import CommandBufferMode
from zcir.runtime.hal.recorder import Source
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE, Fence
from zcir.runtime.hal.system import System, SystemOptions
from zcir.runtime.load import load

EXAMPLES = Path(__file__).parents[3] / "examples"
SCHEDULES = ("fifo", "random:1", "random:2", "adversarial:0")
KINDS = ("direct", "one-shot", "deferred")

Trace = list[tuple[str, str, tuple[Span, ...]]]


def work(commands: CommandBuffer) -> None:
    """Every command there is, on two slots."""
    commands.begin_debug_group("all")
    commands.invalidate_buffer(BufferRef(0))
    commands.execution_barrier(T, T)
    commands.fill_buffer(BufferRef(1, 0, 64), b"\1\2")
    commands.update_buffer(full(64, 9), BufferRef(1, 64, 64))
    commands.copy_buffer(BufferRef(0, 0, 64), BufferRef(1, 128, 64))
    barrier(commands)
    dispatch(commands, 3, BufferRef(1))
    barrier(commands)
    commands.flush_buffer(BufferRef(1, 0, 192))
    commands.flush_buffer(BufferRef(1, 0, 0))
    commands.discard_buffer(BufferRef(0))
    commands.end_debug_group()
    commands.finalize()


def run(kind: str, schedule: str) -> tuple[Trace, list[list[int]], int]:
    """What was done, with which results, and how many recordings that took."""
    made = System(
        system("a", "b").machine,
        SystemOptions(schedule, deferred=("a",) if kind == "deferred" else ()),
    )
    a = made.device("a")
    one_shot = kind == "one-shot"
    mode = CommandBufferMode.ONE_SHOT if one_shot else CommandBufferMode.NONE
    source = made.host.import_array(full(192, 5), "shared", named("%in"))
    results: list[list[int]] = []
    commands: CommandBuffer | None = None
    for turn in range(2):
        if commands is None or one_shot:
            commands = a.create_command_buffer(mode, binding_capacity=2)
            work(commands)
        assert made.statistics.total.fills == turn
        target = made.host.allocate("shared", 192, named(f"%out{turn}"))
        done = Fence.create(f"done{turn}")
        a.queue_execute(NULL_FENCE, done, commands, (source, target))
        made.host.wait(done)
        results.append(made.host.read_back(target).tolist())
    made.finish()
    trace = [
        (event.label, str(event.kind), (*event.reads, *event.writes, *event.target))
        for event in made.graph.events
    ]
    return trace, results, made.statistics["a"].recordings


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_all_kinds_run_the_same_trace(schedule: str) -> None:
    runs = {kind: run(kind, schedule) for kind in KINDS}
    want = [*([4, 5] * 32), *([12] * 64), *([8] * 64)]
    for trace, results, _ in runs.values():
        assert results == [want, want]
        assert trace == runs["direct"][0]
    # A deferred one is recorded when the program does and for each submission.
    assert [runs[kind][2] for kind in KINDS] == [1, 2, 3]


def test_a_deferred_recording_refuses_what_a_direct_one_does() -> None:
    made = System(system("a", "b").machine, SystemOptions(deferred=("a",)))
    a = made.device("a")
    small = made.host.allocate("shared", 64, named("%small"))
    commands = a.create_command_buffer(binding_capacity=1)
    commands.flush_buffer(BufferRef(0, 0, 65), Source("flush"))
    with pytest.raises(HalError, match="slot 7 is out range"):
        commands.invalidate_buffer(BufferRef(7))
    with pytest.raises(HalError, match="recording failed"):
        commands.finalize()
    commands = a.create_command_buffer(binding_capacity=1)
    commands.flush_buffer(BufferRef(0, 0, 65), Source("flush"))
    commands.finalize()
    with pytest.raises(HalError, match="requires 65"):
        a.queue_execute(NULL_FENCE, NULL_FENCE, commands, (small,))
    with pytest.raises(HalError, match="requires a buffer but none was provided"):
        a.queue_execute(NULL_FENCE, NULL_FENCE, commands)
    assert made.statistics.total.submits == 0


def test_a_topology_chooses_deferred_recording(tmp_path: Path) -> None:
    text = (EXAMPLES / "topologies" / "noncoherent.mlir").read_text()
    path = tmp_path / "deferred.mlir"
    path.write_text(
        text.replace("host_visible = true,", "host_visible = true, deferred_recording = true,")
    )
    x = np.arange(16, dtype=np.float32)
    session = load(EXAMPLES / "chain.flow.mlir", topology=path).session(schedule="adversarial:2")
    for _ in range(2):
        (result,) = session.call(inputs=[x])
        np.testing.assert_array_equal(np.asarray(result), (2 * x) ** 2 - 2 * x)
    assert session.system.statistics.total.recordings == 3 + 2 * 3
