"""Faults of order and of replay as one table, on the machine: K7 (fences, barriers, write after
read) and K11 (recording, bindings, replay).

Each right program gives its values under every schedule and has no report; each fault gives a wrong
value under some schedule, and the checker names the rule whatever the schedule was.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pytest
from hal_world import T, at, full, named, record, system
from zcir.runtime.checker import Rule, check
from zcir.runtime.errors import HalError, StatusCode
from zcir.runtime.hal.buffer import Buffer
from zcir.runtime.hal.device import Device
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE, Fence
from zcir.runtime.hal.system import System

SCHEDULES = ("fifo", *(f"random:{seed}" for seed in range(8)), *(f"adversarial:{s}" for s in "012"))
SIZE = 64

Submit = Callable[[Fence, Fence], None]
"""Submits what was recorded, between a wait and a signal fence."""


def fill(device: Device, buffer: Buffer, value: int, *, flush: bool = True) -> Submit:
    """Submits a fill, flushed before the signal."""
    commands = record(device)
    commands.fill_buffer(BufferRef(buffer), bytes([value]), at("fill", value))
    if flush:
        commands.execution_barrier(T, T)
        commands.flush_buffer(BufferRef(buffer))
    commands.finalize()
    return lambda wait, signal: device.queue_execute(wait, signal, commands)


def copy(
    device: Device, source: Buffer, target: Buffer, *, flush: bool, own: bool = False
) -> Submit:
    """Submits a copy, flushed before the signal or not, after an invalidate of what is not its
    own."""
    commands = record(device)
    if not own:
        commands.invalidate_buffer(BufferRef(source))
        commands.execution_barrier(T, T)
    commands.copy_buffer(BufferRef(source), BufferRef(target), at("copy", 2))
    if flush:
        commands.execution_barrier(T, T)
        commands.flush_buffer(BufferRef(target))
    commands.finalize()
    return lambda wait, signal: device.queue_execute(wait, signal, commands)


def buffers(run: System, *names: str) -> list[Buffer]:
    """Memory that the host has cleared and flushed."""
    made = [run.host.allocate("shared", SIZE, named(name)) for name in names]
    for buffer in made:
        run.host.map_write(buffer, 0, full(SIZE, 0))
    return made


def exported(run: System, *, covered: bool, flush: bool = True) -> list[int]:
    """B35: the caller waits for the fence of the whole export, or of the part before its copy."""
    a = run.device("a")
    temporary, out = buffers(run, "%t", "%out")
    made, done = Fence.create("made"), Fence.create("done")
    fill(a, temporary, 4)(NULL_FENCE, made)
    copy(a, temporary, out, flush=flush)(made, done)
    run.host.wait(done if covered else made)
    return run.host.read_back(out).tolist()


def reused(run: System, *, waits: bool) -> list[int]:
    """B37: a's second part, which needs nothing of b, gets the slice that b still reads."""
    a, b = run.device("a"), run.device("b")
    slice_, out = buffers(run, "%p", "%out")
    first, read, second = (Fence.create(name) for name in ("v1", "read", "v2"))
    fill(a, slice_, 1)(NULL_FENCE, first)
    copy(b, slice_, out, flush=True)(first, read)
    fill(a, slice_, 2)(Fence.join([first, read]) if waits else first, second)
    run.host.wait(Fence.join([read, second]))
    return run.host.read_back(out).tolist()


def uploaded(run: System, *, ordered: bool, flush: bool = True) -> list[int]:
    """B40: an upload through a mapping instead of a queued copy."""
    a = run.device("a")
    memory, out = buffers(run, "%m", "%out")
    done = Fence.create("done")
    submit = copy(a, memory, out, flush=True)
    if not ordered:
        submit(NULL_FENCE, done)
    mapping = run.host.map_range(memory, memory.params.access)
    mapping.write(full(SIZE, 5))
    mapping.close(flush=flush)
    if ordered:
        submit(NULL_FENCE, done)
    run.host.wait(done)
    return run.host.read_back(out).tolist()


def queued_upload(run: System) -> list[int]:
    """B40: the queued copy that the mapping stands for."""
    a = run.device("a")
    memory, out = buffers(run, "%m", "%out")
    there, done = Fence.create("there"), Fence.create("done")
    a.queue_update(NULL_FENCE, there, full(SIZE, 5), BufferRef(memory))
    copy(a, memory, out, flush=True, own=True)(there, done)
    run.host.wait(done)
    return run.host.read_back(out).tolist()


class Case(NamedTuple):
    """A program, its value, and the rule that it breaks if it is a fault."""

    id: str
    program: Callable[[System], list[int]]
    value: int
    breaks: Rule | None = None


CASES = (
    Case("B35 right", partial(exported, covered=True), 4),
    Case("B35 early fence", partial(exported, covered=False), 4, Rule.RACE),
    Case("B35 no flush", partial(exported, covered=True, flush=False), 4, Rule.STALE),
    Case("B37 right", partial(reused, waits=True), 1),
    Case("B37 no wait", partial(reused, waits=False), 1, Rule.RACE),
    Case("B40 right", partial(uploaded, ordered=True), 5),
    Case("B40 queued", queued_upload, 5),
    Case("B40 late", partial(uploaded, ordered=False), 5, Rule.RACE),
    Case("B40 no flush", partial(uploaded, ordered=True, flush=False), 5, Rule.STALE),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_right_value_under_every_schedule_or_a_report_under_each(case: Case) -> None:
    values: list[bool] = []
    for schedule in SCHEDULES:
        run = system("a", "b", schedule=schedule)
        values.append(set(case.program(run)) == {case.value})
        run.finish()
        rules = {report.rule for report in check(run.graph, run.machine).reports}
        assert rules == ({case.breaks} if case.breaks else set()), schedule
    assert all(values) is (case.breaks is None)


def bound(run: System, *, slots: bool, buffer: Buffer) -> int:
    """B57: a fill of a slot's bytes [16, 32), or of the buffer directly: the first byte."""
    a = run.device("a")
    commands = record(a, slots=1 if slots else 0)
    commands.fill_buffer(BufferRef(0 if slots else buffer, 16, 16), b"\7", at("fill", 1))
    commands.execution_barrier(T, T)
    commands.flush_buffer(BufferRef(0 if slots else buffer, 16, 16))
    commands.finalize()
    done = Fence.create("done")
    a.queue_execute(NULL_FENCE, done, commands, (buffer,) if slots else ())
    run.host.wait(done)
    return int(run.host.read_back(buffer)[16])


@pytest.mark.parametrize("schedule", ["fifo", "adversarial:0"])
def test_b57_buffers_given_at_recording_and_at_submission_do_the_same(schedule: str) -> None:
    run = system("a", schedule=schedule)
    for slots in (True, False):
        (buffer,) = buffers(run, "%m")
        assert bound(run, slots=slots, buffer=buffer) == 7
    run.finish()
    assert check(run.graph, run.machine).reports == ()


def test_b57_recorder_and_creator_disagree() -> None:
    run = system("a")
    a = run.device("a")
    (buffer,) = buffers(run, "%m")
    none = record(a, slots=0)
    with pytest.raises(HalError, match=r"slot 1 is out range .* command buffer 0"):
        none.fill_buffer(BufferRef(1, 0, 4), b"\0")
    two = record(a, slots=2)
    two.fill_buffer(BufferRef(1, 0, 64), b"\0", at("fill", 3))
    two.finalize()
    for table, code, message in (
        ((buffer,), StatusCode.INVALID_ARGUMENT, "requires a buffer but none was provided"),
        ((buffer, buffer.subspan(0, 32)), StatusCode.OUT_OF_RANGE, "the operation requires 64"),
    ):
        with pytest.raises(HalError, match=message) as refused:
            a.queue_execute(NULL_FENCE, NULL_FENCE, two, table)
        assert (refused.value.code, refused.value.location) == (code, "t.mlir:3:1")


@pytest.mark.parametrize("schedule", ["fifo", "random:1", "adversarial:0"])
def test_b58_a_replay_reads_what_its_source_holds_then(schedule: str) -> None:
    run = system("a", schedule=schedule)
    a = run.device("a")
    source, out = buffers(run, "%pinned", "%out")
    submit = copy(a, source, out, flush=True)
    seen: list[int] = []
    for value in (1, 2):
        run.host.map_write(source, 0, full(SIZE, value))
        done = Fence.create(f"done{value}")
        submit(NULL_FENCE, done)
        run.host.wait(done)
        seen.append(int(run.host.read_back(out)[0]))
    assert seen == [1, 2]
    assert run.statistics["a"].recordings == 1
    run.finish()
    assert check(run.graph, run.machine).reports == ()


def test_b58_what_could_not_be_recorded_is_not_replayed() -> None:
    run = system("a", "b", discrete=True)
    a = run.device("a")
    commands = record(a)
    far = run.host.allocate("b", SIZE, named("%pageable"))
    with pytest.raises(HalError):
        commands.copy_buffer(BufferRef(far, 0, 65), BufferRef(far, 0, 65), at("copy", 5))
    with pytest.raises(HalError, match="recording failed: copy was refused") as ended:
        commands.finalize()
    assert ended.value.location == "t.mlir:5:1"
    with pytest.raises(HalError, match="still in a recording state"):
        a.queue_execute(NULL_FENCE, NULL_FENCE, commands)
    assert run.statistics.total.submits == 0
