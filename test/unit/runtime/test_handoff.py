"""Hand-overs on non-coherent memory: right when complete, wrong when any part is missing."""

import itertools
from collections.abc import Sequence

import pytest
from hal_world import (
    ALL,
    D,
    T,
    at,
    barrier,
    dispatch,
    full,
    named,
    record,
    system,
)
from zcir.runtime.checker import Rule, check
from zcir.runtime.events import Event, EventKind
from zcir.runtime.hal.device import Device
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE, Fence
from zcir.runtime.hal.system import System
from zcir.runtime.machine import WriteBack

SEEDS = [f"adversarial:{seed}" for seed in range(8)]
OTHERS = ["fifo", *(f"random:{seed}" for seed in range(5)), *SEEDS]


def chain(run: System, missing: str = "", rounds: int = 1) -> list[int]:
    """x → a: y = x + 1 → b: z = y * … + 2 in place → host, `rounds` times with reused memory.

    `missing` names one part of the hand-over to leave out.
    """
    a, b = run.device("a"), run.device("b")
    results: list[int] = []
    for turn in range(rounds):
        x = run.host.import_array(full(256, turn), "shared", named("%x"))
        ready, made, done = (Fence.create(f"{name}{turn}") for name in ("t", "ta", "tb"))
        y = a.queue_alloca(NULL_FENCE, ready, "shared", 256, named("%y"))
        ca = record(a)
        ca.invalidate_buffer(BufferRef(x))
        barrier(ca)
        dispatch(ca, 1, x, y, source=at("produce", 1))
        if missing != "barrier before flush":
            ca.execution_barrier(D, T)
        if missing != "flush a":
            ca.flush_buffer(BufferRef(y))
        ca.finalize()
        cb = record(b)
        if missing != "invalidate b":
            cb.invalidate_buffer(BufferRef(y))
        if missing != "barrier after invalidate":
            cb.execution_barrier(T, D)
        dispatch(cb, 2, y, source=at("consume", 2))
        cb.execution_barrier(D, T)
        if missing != "flush b":
            cb.flush_buffer(BufferRef(y))
        cb.finalize()
        a.queue_execute(ready, made, ca)
        b.queue_execute(NULL_FENCE if missing == "wait of b" else made, done, cb)
        if missing != "wait of host":
            run.host.wait(Fence.join([made, done]))
        results.extend(run.host.read_back(y).tolist())
        # Lines of freed memory would be evicted over the next owner's data.
        ca = record(a)
        ca.discard_buffer(BufferRef(x))
        ca.discard_buffer(BufferRef(y))
        ca.finalize()
        cb = record(b)
        cb.discard_buffer(BufferRef(y))
        cb.finalize()
        freed = Fence.create("freed")
        dropped = [Fence.create("da"), Fence.create("db")]
        a.queue_execute(made, dropped[0], ca)
        b.queue_execute(done, dropped[1], cb)
        a.queue_dealloca(Fence.join(dropped), freed, y)
        run.host.wait(freed)
        run.host.deallocate(x)
    run.finish()
    return results


def expected(rounds: int = 1) -> list[int]:
    return [turn + 3 for turn in range(rounds) for _ in range(256)]


@pytest.mark.parametrize("line", [64, 128])
@pytest.mark.parametrize("mode", list(WriteBack))
def test_a_complete_handoff_is_right_under_every_schedule(line: int, mode: WriteBack) -> None:
    # IR-30 … IR-36, IR-43 and reuse of freed memory.
    for schedule in OTHERS:
        run = system("a", "b", schedule=schedule, line=line, write_back=mode)
        assert chain(run, rounds=3) == expected(3), schedule


@pytest.mark.parametrize(
    "missing",
    [
        "flush a",
        "flush b",
        "invalidate b",
        "barrier before flush",
        "barrier after invalidate",
        "wait of b",
        "wait of host",
    ],
)
def test_each_missing_part_gives_a_wrong_value_in_some_adversarial_run(missing: str) -> None:
    # IR-35: removing either half gives stale bytes, within a handful of seeds.
    runs = [system("a", "b", schedule=seed, strict=False) for seed in SEEDS[:4]]
    assert any(chain(run, missing) != expected() for run in runs)


HUNDRED = [f"{'adversarial' if seed % 2 else 'random'}:{seed}" for seed in range(100)]


def hoisted(run: System, *, above: bool) -> list[int]:
    """b drops its lines before it waits for a's write, or after; it has the old ones cached."""
    a, b = run.device("a"), run.device("b")
    m, out = (run.host.allocate("shared", 64, named(name)) for name in ("%m", "%out"))
    run.host.map_write(m, 0, full(64, 3))
    looked, made, dropped, done = (Fence.create(name) for name in ("t0", "t1", "t2", "t3"))

    def submit(device: Device, wait: Fence, signal: Fence, *ops: str) -> None:
        commands = record(device)
        for op in ops:
            match op:
                case "drop":
                    commands.invalidate_buffer(BufferRef(m))
                case "write":
                    commands.fill_buffer(BufferRef(m), b"\7")
                case "read":
                    commands.copy_buffer(BufferRef(m), BufferRef(out))
                case kept:
                    commands.flush_buffer(BufferRef(m if kept == "flush" else out))
            barrier(commands)
        commands.finalize()
        device.queue_execute(wait, signal, commands)

    submit(b, NULL_FENCE, looked, "drop", "read")
    submit(a, looked, made, "write", "flush")
    submit(b, looked if above else made, dropped, "drop")
    submit(b, Fence.join([made, dropped]), done, "read", "flush out")
    run.host.wait(done)
    return run.host.read_back(out).tolist()


def test_an_invalidate_above_the_wait_is_too_early_in_some_schedule() -> None:
    # IR-32, K5 B22: stale in some runs; after the wait right in a hundred.
    early = [hoisted(system("a", "b", schedule=s), above=True) == [7] * 64 for s in HUNDRED[:20]]
    assert not all(early)
    for schedule in HUNDRED:
        assert hoisted(system("a", "b", schedule=schedule), above=False) == [7] * 64, schedule


def test_flushes_of_disjoint_ranges_run_in_any_order() -> None:
    # IR-56: two transfers and two flushes that nothing orders.
    orders: set[tuple[int, ...]] = set()
    for schedule in HUNDRED:
        run = system("a", "b", schedule=schedule)
        a, b = run.device("a"), run.device("b")
        m = run.host.allocate("shared", 256, named("%m"))
        commands = record(a)
        for half in range(2):
            commands.fill_buffer(BufferRef(m, half * 128, 128), bytes([half + 1]))
        barrier(commands)
        for half in range(2):
            commands.flush_buffer(BufferRef(m, half * 128, 128))
        commands.finalize()
        reads = record(b)
        reads.invalidate_buffer(BufferRef(m))
        barrier(reads)
        dispatch(reads, 1, m)
        barrier(reads)
        reads.flush_buffer(BufferRef(m))
        reads.finalize()
        made, done = Fence.create("made"), Fence.create("done")
        a.queue_execute(NULL_FENCE, made, commands)
        b.queue_execute(made, done, reads)
        run.host.wait(done)
        assert run.host.read_back(m).tolist() == [2] * 128 + [3] * 128, schedule
        flushed = [e.target[0].start - m.start for e in run.graph.events if e.kind == "flush"]
        orders.add(tuple(flushed[:2]))
    assert orders == {(0, 128), (128, 0)}


def test_coherent_memory_needs_no_maintenance_and_skips_it() -> None:
    # IR-28, IR-42: what the program says is counted as skipped.
    for schedule in ("fifo", *SEEDS[:3]):
        run = system("a", "b", coherent=True, schedule=schedule)
        assert chain(run) == expected()
        total = run.statistics.total
        assert (total.flush_cmds, total.flush_bytes, total.invalidate_cmds) == (0, 0, 0)
        # The host has no cache here either, so that reading back does none of its own.
        assert total.maintenance_skipped == 8
        # IR-61: by device.
        agents = ("host", "a", "b")
        assert [run.statistics[name].maintenance_skipped for name in agents] == [1, 4, 3]


def test_counters_of_a_handoff() -> None:
    # IR-61.
    run = system("a", "b")
    chain(run)
    stats = run.statistics.as_dict()
    a, b, host = stats["a"], stats["b"], stats["host"]
    assert (a["flush_cmds"], a["flush_bytes"], a["invalidate_cmds"]) == (1, 256, 1)
    assert (b["flush_cmds"], b["invalidate_bytes"], b["dispatches"]) == (1, 256, 1)
    assert (a["discard_cmds"], b["discard_cmds"]) == (2, 1)
    assert (a["allocs"], a["alloc_bytes"], a["peak_bytes"]) == (1, 256, 256)
    assert (host["imports"], host["flush_cmds"], host["invalidate_cmds"]) == (1, 1, 1)
    # Allocating and freeing are no submissions; the host waits, and each but the first for others.
    assert (a["submits"], b["submits"], a["recordings"]) == (2, 2, 2)
    assert (a["waits"], b["waits"]) == (1, 2)
    # Executed, skipped, copied: all are there for each device.
    assert a["maintenance_skipped"] == b["maintenance_skipped"] == 0
    assert a["copy_cmds"] == a["copy_bytes"] == 0
    assert stats["total"]["dispatches"] == 2
    assert stats["total"]["copy_cmds"] == 0


def overwrite(run: System, missing: str = "") -> list[int]:
    """a clears M; b writes M; a reads M: a's dirty lines may not outlive b's write (B17)."""
    a, b = run.device("a"), run.device("b")
    m = run.host.allocate("shared", 128, named("%m"))
    out = run.host.allocate("shared", 128, named("%out"))
    fences = [Fence.create(f"f{i}") for i in range(3)]
    clear = record(a)
    clear.fill_buffer(BufferRef(m), b"\0")
    if missing != "discard":
        clear.execution_barrier(T, T)
        clear.discard_buffer(BufferRef(m))
    clear.finalize()
    write = record(b)
    write.fill_buffer(BufferRef(m), b"\x27")
    write.execution_barrier(T, T)
    write.flush_buffer(BufferRef(m))
    write.finalize()
    read = record(a)
    read.invalidate_buffer(BufferRef(m))
    read.execution_barrier(T, ALL)
    read.copy_buffer(BufferRef(m), BufferRef(out))
    read.execution_barrier(T, T)
    read.flush_buffer(BufferRef(out))
    read.finalize()
    a.queue_execute(NULL_FENCE, fences[0], clear)
    b.queue_execute(fences[0], fences[1], write)
    a.queue_execute(fences[1], fences[2], read)
    run.host.wait(fences[2])
    return run.host.read_back(out).tolist()


def test_dirty_lines_of_an_earlier_write_clobber_a_later_one() -> None:
    # K4 B17: the discard before the other device's write is needed.
    for schedule in OTHERS:
        assert overwrite(system("a", "b", schedule=schedule)) == [39] * 128
    wrong = [overwrite(system("a", "b", schedule=s), "discard") != [39] * 128 for s in SEEDS[:4]]
    assert any(wrong)


def neighbours(run: System) -> list[int]:
    """a and b write neighbouring bytes of one line, ordered and flushed; b's copy is older."""
    a, b = run.device("a"), run.device("b")
    m = run.host.import_array(full(64, 1), "shared", named("%m"))
    fences = [Fence.create(f"f{i}") for i in range(2)]
    waits = [NULL_FENCE, fences[0]]
    for device, first, wait, signal in zip((a, b), (0, 32), waits, fences, strict=True):
        commands = record(device)
        commands.fill_buffer(BufferRef(m, first, 32), bytes([first + 7]))
        commands.execution_barrier(T, T)
        commands.flush_buffer(BufferRef(m, first, 32))
        commands.finalize()
        device.queue_execute(wait, signal, commands)
    run.host.wait(fences[1])
    return run.host.read_back(m).tolist()


def test_false_sharing_loses_data_with_whole_line_write_back() -> None:
    # IR-54.
    want = [7] * 32 + [39] * 32
    for mode, right in ((WriteBack.BYTES, True), (WriteBack.LINE, False)):
        runs = [neighbours(system("a", "b", schedule=s, write_back=mode)) for s in SEEDS]
        assert all(result == want for result in runs) is right


def test_events_of_a_handoff_are_ordered_from_write_to_read() -> None:
    # IR-31, IR-32: write < flush < signal < wait < invalidate < read, all by happens-before.
    run = system("a", "b")
    chain(run)
    events = run.graph.events
    assert all(pred < event.id for event in events for pred in event.after)
    before = _before(events)
    write = next(e for e in events if e.label == "produce")
    read = next(e for e in events if e.label == "consume")
    flush = next(e for e in events if e.kind is EventKind.FLUSH)
    signal = next(e for e in events if e.label == "signal of ta0")
    wait = next(e for e in events if e.label == "wait for ta0")
    drop = next(e for e in events if e.kind is EventKind.INVALIDATE and e.agent == "b")
    order = [write, flush, signal, wait, drop, read]
    assert all(before[later.id] >> first.id & 1 for first, later in itertools.pairwise(order))
    assert write.location == "t.mlir:1:1"
    assert write.writes == flush.target == drop.target == read.reads
    imported = next(e for e in events if e.flushed)
    assert imported.agent == "host"
    assert imported.kind is EventKind.ACCESS
    assert [buffer.name for buffer in run.graph.buffers] == ["%x", "%y"]
    assert all(buffer.events[1] is not None for buffer in run.graph.buffers)


def _before(events: Sequence[Event]) -> list[int]:
    """For each event the set of those that happen before it, itself included, as bits."""
    before: list[int] = []
    for event in events:
        mask = 1 << event.id
        for pred in event.after:
            mask |= before[pred]
        before.append(mask)
    return before


@pytest.mark.parametrize("schedule", ["fifo", "random:4", "adversarial:1"])
def test_queue_ordered_memory_lives_from_its_alloca_to_its_dealloca(schedule: str) -> None:
    # IR-58: alloca < every use on both devices < dealloca, on the owner, by timepoints alone.
    run = system("a", "b", schedule=schedule)
    chain(run)
    events, before = run.graph.events, _before(run.graph.events)
    (y,) = (buffer for buffer in run.graph.buffers if buffer.name == "%y")
    start, end = y.events
    assert end is not None
    assert events[start].agent == events[end].agent == "a"
    uses = [
        event
        for event in events
        if event.id not in y.events
        and any(
            span.start < y.span.end and y.span.start < span.end
            for span in (*event.reads, *event.writes, *event.target)
        )
    ]
    assert {event.agent for event in uses} == {"a", "b", "host"}
    assert all(before[use.id] >> start & 1 and before[end] >> use.id & 1 for use in uses)


def test_contents_are_undefined_until_they_are_written() -> None:
    # IR-58: poison where nothing was written, and the read is reported.
    run = system("a", "b")
    a = run.device("a")
    ready, done = Fence.create("ready"), Fence.create("done")
    m = a.queue_alloca(NULL_FENCE, ready, "shared", 64, named("%m"))
    commands = record(a)
    commands.fill_buffer(BufferRef(m, 0, 32), b"\1")
    barrier(commands)
    commands.flush_buffer(BufferRef(m))
    commands.finalize()
    a.queue_execute(ready, done, commands)
    run.host.wait(done)
    assert run.host.read_back(m).tolist() == [1] * 32 + [0xCD] * 32
    run.finish()
    (report,) = check(run.graph, run.machine).reports
    assert report.rule is Rule.UNINITIALIZED


def test_recording_events_changes_no_value_and_no_address() -> None:
    # K12 B60.
    for schedule in OTHERS:
        runs = [system("a", "b", schedule=schedule, record=on) for on in (True, False)]
        assert chain(runs[0], "flush a", 2) == chain(runs[1], "flush a", 2)
        assert runs[0].statistics.as_dict() == runs[1].statistics.as_dict()
        assert not runs[1].graph.events
