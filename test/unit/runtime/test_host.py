"""The host as an agent: mapped memory, imports, reading back."""

from dataclasses import replace

import numpy as np
import pytest
from hal_world import T, at, barrier, dispatch, full, named, record, system
from zcir.runtime.checker import check
from zcir.runtime.errors import HalError, StatusCode
from zcir.runtime.events import EventKind
from zcir.runtime.hal.buffer import Buffer, BufferParams
from zcir.runtime.hal.flags import BufferUsage, MemoryAccess, MemoryType
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE, Fence
from zcir.runtime.hal.system import System, SystemOptions
from zcir.runtime.machine import Domain

SEEDS = [f"adversarial:{seed}" for seed in range(4)]


def device_reads(run: System, buffer: Buffer) -> list[int]:
    """What device a reads of a buffer after an invalidate of its own."""
    out = run.host.allocate("shared", buffer.length, named("%out"))
    commands = record(run.device("a"))
    commands.invalidate_buffer(BufferRef(buffer))
    barrier(commands)
    dispatch(commands, 0, buffer, out)
    barrier(commands)
    commands.flush_buffer(BufferRef(out))
    commands.finalize()
    done = Fence.create("done")
    run.device("a").queue_execute(NULL_FENCE, done, commands)
    run.host.wait(done)
    return run.host.map_read(out).tolist()


def test_a_device_sees_what_the_host_flushed() -> None:
    # IR-36, K4 B19: unmapping is no flush; closing a write mapping flushes what was mapped.
    for schedule in ("fifo", *SEEDS):
        run = system("a", schedule=schedule)
        buffer = run.host.import_array(full(64, 1), "shared", named("%m"))
        with run.host.map_range(buffer, MemoryAccess.WRITE) as mapping:
            mapping.write(full(64, 7))
        assert device_reads(run, buffer) == [7] * 64
        mapping = run.host.map_range(buffer, MemoryAccess.WRITE)
        mapping.write(full(64, 9))
        mapping.flush_range()
        mapping.close(flush=False)
        assert device_reads(run, buffer) == [9] * 64
    stale: list[bool] = []
    for schedule in SEEDS:
        run = system("a", schedule=schedule)
        buffer = run.host.import_array(full(64, 1), "shared", named("%m"))
        mapping = run.host.map_range(buffer, MemoryAccess.WRITE)
        mapping.write(full(64, 7))
        mapping.close(flush=False)
        stale.append(device_reads(run, buffer) == [1] * 64)
    assert any(stale)


def test_the_host_sees_what_a_device_flushed_once_it_invalidates() -> None:
    # IR-36.
    run = system("a")
    buffer = run.host.import_array(full(64, 1), "shared", named("%m"))
    mapping = run.host.map_range(buffer, MemoryAccess.READ)
    assert mapping.read(0, 2).tolist() == [1, 1]
    commands = record(run.device("a"))
    commands.fill_buffer(BufferRef(buffer), b"\x09")
    commands.execution_barrier(T, T)
    commands.flush_buffer(BufferRef(buffer))
    commands.finalize()
    done = Fence.create("done")
    run.device("a").queue_execute(NULL_FENCE, done, commands)
    run.host.wait(done)
    assert mapping.read(0, 2).tolist() == [1, 1]
    mapping.invalidate_range()
    assert mapping.read(62).tolist() == [9, 9]


def test_mapping_checks_access_and_range() -> None:
    # IR-18.
    run = system("a")
    buffer = run.host.allocate("shared", 64, named("%m"))
    reading = run.host.map_range(buffer, MemoryAccess.READ, 16, 16, at("map", 3))
    writing = run.host.map_range(buffer, MemoryAccess.WRITE)
    for call in (reading.flush_range, lambda: reading.write(full(1, 0)), writing.read):
        with pytest.raises(HalError, match="the operation requires") as error:
            call()
        assert error.value.code is StatusCode.PERMISSION_DENIED
    for call in (
        lambda: reading.read(17),
        lambda: reading.read(8, 9),
        lambda: reading.invalidate_range(-1),
        lambda: run.host.map_range(buffer, MemoryAccess.READ, 60, 5),
    ):
        with pytest.raises(HalError) as error:
            call()
        assert error.value.code is StatusCode.OUT_OF_RANGE
    reading.close()
    with pytest.raises(HalError, match="mapping of %m is closed") as error:
        reading.read()
    assert error.value.location == "t.mlir:3:1"


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (BufferParams(memory_type=MemoryType.DEVICE_LOCAL), "requires HostVisible"),
        (BufferParams(usage=BufferUsage.DEFAULT), "requires MappingScoped or MappingPersistent"),
        (BufferParams(access=MemoryAccess.READ), "the mapping asks for Write"),
    ],
)
def test_memory_that_is_not_to_be_mapped_is_refused(params: BufferParams, message: str) -> None:
    run = system("a")
    buffer = run.host.allocate("shared", 64, params)
    with pytest.raises(HalError, match=message) as error:
        run.host.map_range(buffer, MemoryAccess.WRITE)
    assert error.value.code is StatusCode.PERMISSION_DENIED


def test_coherent_memory_counts_host_maintenance_as_skipped() -> None:
    # IR-18, IR-28; K6 B32: no rounding, no diagnostic.
    run = system("a", coherent=True)
    buffer = run.host.import_array(full(96, 1), "shared", named("%m"))
    with run.host.map_range(buffer, MemoryAccess.WRITE) as mapping:
        mapping.flush_range(0, 96)
    counters = run.statistics["host"]
    assert (counters.flush_cmds, counters.flush_bytes, counters.maintenance_skipped) == (0, 0, 3)
    skipped = [event for event in run.graph.events if event.kind is EventKind.FLUSH]
    assert all(event.skipped for event in skipped)


def test_rounding_to_lines_stays_inside_the_allocation() -> None:
    # K6 B32: 96 bytes with 64-byte lines maintain 128.
    run = system("a")
    buffer = run.host.allocate("shared", 96, named("%m"))
    run.host.map_write(buffer, 0, full(96, 1))
    assert run.statistics["host"].flush_bytes == 128
    other = run.host.allocate("shared", 1, named("%n"))
    assert other.start == buffer.start + 128


def test_imports_are_no_copies_and_no_allocations() -> None:
    run = system("a")
    data = np.arange(100, dtype=np.uint8)
    buffer = run.host.import_array(data, "shared", named("%x"), at("import", 1), borrowed=True)
    total = run.statistics.total
    assert (total.imports, total.allocs, total.copy_cmds, total.peak_bytes) == (1, 0, 0, 0)
    data[:] = 0
    assert run.host.read_back(buffer).tolist() == list(range(100))
    alloca, written, *_ = run.graph.events
    assert alloca.borrowed == alloca.writes == written.writes == (buffer.span,)
    assert written.flushed
    assert (written.agent, written.location) == ("host", "t.mlir:1:1")
    unflushed = run.host.import_array(data, "shared", named("%y"), flush=False)
    assert not run.graph.events[-1].flushed
    assert device_reads(run, unflushed) == [0xCD] * 100


def test_reading_back_invalidates_first() -> None:
    run = system("a")
    buffer = run.host.import_array(full(4, 1), "shared", named("%x"))
    run.host.read_back(buffer, at("export", 2))
    drop, read = run.graph.events[-2:]
    assert (drop.kind, drop.target) == (EventKind.INVALIDATE, (buffer.span,))
    assert (read.kind, read.reads, read.after) == (EventKind.ACCESS, (buffer.span,), (drop.id,))


@pytest.mark.parametrize("schedule", ["fifo", *SEEDS])
def test_what_a_device_leaves_in_the_hosts_cache_is_read_back(schedule: str) -> None:
    # Host boundary: a shares the host's cache and flushes nothing; b flushes.
    apart = system("a", "b").machine
    domains = (Domain(("a", "host")), Domain(("b",)))
    run = System(replace(apart, domains=domains), SystemOptions(schedule))
    for name, flushes in (("a", False), ("b", True)):
        buffer = run.host.import_array(full(64, 1), "shared", named("%m"))
        commands = record(run.device(name))
        commands.fill_buffer(BufferRef(buffer), b"\x09")
        if flushes:
            barrier(commands)
            commands.flush_buffer(BufferRef(buffer))
        commands.finalize()
        done = Fence.create("done")
        run.device(name).queue_execute(NULL_FENCE, done, commands)
        run.host.wait(done)
        assert run.host.read_back(buffer).tolist() == [9] * 64
        assert run.host.map_read(buffer, 8, 2).tolist() == [9] * 2
    assert check(run.graph, run.machine).reports == ()


def test_memory_out_of_the_hosts_reach_is_refused() -> None:
    run = system("a", discrete=True)
    buffer = run.host.import_array(full(4, 1), "a", named("%x"))
    assert run.host.read_back(buffer).tolist() == [1] * 4
    with pytest.raises(HalError, match="host does not reach pool a of buffer %x in place"):
        run.host.map_read(buffer)
    with pytest.raises(HalError, match="device b is not on the machine, which has a") as error:
        run.device("b")
    assert error.value.code is StatusCode.NOT_FOUND
    with pytest.raises(HalError, match="pool p is not on the machine, which has host, a"):
        run.host.allocate("p", 4, named("%y"))
    with pytest.raises(HalError, match="does not reach pool p") as error:
        run.host.import_array(full(4, 1), "p", named("%y"), at("import", 6))
    assert error.value.location == "t.mlir:6:1"


def test_copies_on_discrete_memory_go_through_the_copying_devices_cache() -> None:
    # IR-44: the executing device's domain reads and writes.
    for schedule in ("fifo", *SEEDS):
        run = system("a", "b", discrete=True, schedule=schedule)
        x = run.host.import_array(np.arange(64, dtype=np.uint8), "a", named("%x"))
        y = run.host.allocate("b", 64, named("%y"))
        a = run.device("a")
        commands = record(a)
        commands.invalidate_buffer(BufferRef(x))
        barrier(commands)
        commands.copy_buffer(BufferRef(x), BufferRef(y))
        barrier(commands)
        commands.flush_buffer(BufferRef(y))
        commands.finalize()
        done = Fence.create("done")
        a.queue_execute(NULL_FENCE, done, commands)
        run.host.wait(done)
        assert run.host.read_back(y).tolist() == list(range(64))
        copied = next(event for event in run.graph.events if event.copies)
        assert (copied.agent, copied.copies) == ("a", ((x.span, y.span),))
        assert run.statistics["a"].copy_bytes == 64
