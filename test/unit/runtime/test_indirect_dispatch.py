"""Dispatches whose workgroup counts a buffer holds when they execute."""

# IR is easier to read in one line for each op.
# ruff: noqa: E501

import numpy as np
import pytest
from hal_world import Add, T, at, barrier, full, record, system
from vm_hal_world import HANDOFF, run
from zcir.runtime.checker import Rule, check
from zcir.runtime.errors import HalError, StatusCode
from zcir.runtime.hal.buffer import WHOLE_BUFFER, Buffer, BufferParams
from zcir.runtime.hal.flags import BufferUsage
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE, Fence
from zcir.runtime.hal.system import System, SystemOptions

OP = at("op", 7)
COUNTS = BufferParams(
    usage=BufferUsage.DEFAULT | BufferUsage.MAPPING | BufferUsage.DISPATCH_INDIRECT_PARAMETERS,
    name="%counts",
)

NINE = int(np.float32(9).view(np.int32))


def words(*counts: int) -> np.ndarray:
    return np.array(counts, dtype=np.uint32).view(np.uint8)


@pytest.mark.parametrize("schedule", ["fifo", "random:1", "adversarial:0"])
@pytest.mark.parametrize("deferred", [(), ("a",)], ids=["direct", "deferred"])
@pytest.mark.parametrize("slots", [False, True], ids=["named", "slots"])
def test_counts_are_read_when_it_executes(schedule: str, deferred: tuple[str], slots: bool) -> None:
    made = System(system("a", "b").machine, SystemOptions(schedule, deferred=deferred))
    a = made.device("a")
    counts = made.host.import_array(words(9, 9, 9, 9, 1, 2, 3, 9), "shared", COUNTS)
    data = made.host.import_array(full(64, 5), "shared", BufferParams(name="%data"))
    table: tuple[Buffer, ...] = (counts, data) if slots else ()
    first, second = (0, 1) if slots else (counts, data)
    commands = record(a, slots=2 if slots else 0)
    commands.invalidate_buffer(BufferRef(first))
    commands.invalidate_buffer(BufferRef(second))
    barrier(commands)
    commands.dispatch_indirect(Add(), (2,), [BufferRef(second)], BufferRef(first, 16, 16), OP)
    barrier(commands)
    commands.flush_buffer(BufferRef(second))
    commands.finalize()
    seen: list[int] = []
    for third in (3, 0, 1):
        made.host.map_write(counts, 24, words(third))
        done = Fence.create("done")
        a.queue_execute(NULL_FENCE, done, commands, table)
        made.host.wait(done)
        seen.append(int(made.host.read_back(data)[0]))
    assert seen == [7, 7, 9]
    made.finish()
    assert check(made.graph, made.machine).reports == ()
    # The counts are among what the command reads; without work they are all.
    reads = [e for e in made.graph.events if e.label == "op"]
    assert all(span.start <= counts.start + 16 for e in reads for span in e.reads[:1])
    assert [len(e.writes) for e in reads] == [1, 0, 1]


def test_stale_counts_are_reported() -> None:
    made = system("a", "b")
    a, b = made.device("a"), made.device("b")
    counts = made.host.allocate("shared", 64, COUNTS)
    data = made.host.import_array(full(64, 5), "shared", BufferParams(name="%data"))
    writes, reads = record(b), record(a)
    writes.fill_buffer(BufferRef(counts), b"\1\0\0\0")
    writes.finalize()
    reads.invalidate_buffer(BufferRef(counts))
    reads.invalidate_buffer(BufferRef(data))
    reads.execution_barrier(T, T | 4)
    reads.dispatch_indirect(Add(), (2,), [BufferRef(data)], BufferRef(counts), OP)
    reads.finalize()
    made_, done = Fence.create("made"), Fence.create("done")
    b.queue_execute(NULL_FENCE, made_, writes)
    a.queue_execute(made_, done, reads)
    made.host.wait(done)
    made.finish()
    (report,) = check(made.graph, made.machine).reports
    assert (report.rule, report.at.location) == (Rule.STALE, "t.mlir:7:1")


@pytest.mark.parametrize(
    ("slot", "skip", "offset", "length", "code", "message"),
    [
        (None, 0, 2, 12, StatusCode.INVALID_ARGUMENT, "(offset=2, alignment=4)"),
        (None, 0, 0, 8, StatusCode.OUT_OF_RANGE, "(length=8, min_length=12)"),
        (None, 0, 56, WHOLE_BUFFER, StatusCode.OUT_OF_RANGE, "(offset=56, length=12"),
        (3, 0, 0, WHOLE_BUFFER, StatusCode.OUT_OF_RANGE, "slot 3 is out range"),
        (None, 2, 0, WHOLE_BUFFER, StatusCode.INVALID_ARGUMENT, "alignment of 4 bytes"),
    ],
)
def test_counts_are_validated(
    slot: int | None, skip: int, offset: int, length: int, code: StatusCode, message: str
) -> None:
    made = system("a", coherent=True)
    buffer = made.host.allocate("shared", 64, COUNTS)
    commands = record(made.device("a"))
    counts = BufferRef(buffer.subspan(skip) if slot is None else slot, offset, length)
    with pytest.raises(HalError) as refused:
        commands.dispatch_indirect(Add(), (2,), [BufferRef(buffer)], counts, OP)
    assert refused.value.code is code
    assert message in refused.value.message


def test_counts_need_a_usage_of_their_own() -> None:
    made = system("a", coherent=True)
    buffer = made.host.allocate("shared", 64, BufferParams(name="%m"))
    commands = record(made.device("a"))
    with pytest.raises(HalError, match="the operation requires DispatchIndirectParameters"):
        commands.dispatch_indirect(Add(), (2,), [BufferRef(buffer)], BufferRef(buffer), OP)


@pytest.mark.parametrize("count", [1, 0])
def test_a_host_program_dispatches_by_counts(count: int) -> None:
    before = "    hal.command_buffer.invalidate_buffer<%consume"
    dispatch = "target(%exe_b : !hal.executable)[%ordinal_i64] workgroups([%c1, %c1, %c1])"
    assert HANDOFF.count(before) == HANDOFF.count(dispatch) == 1
    text = HANDOFF.replace(
        before,
        f"""    %n = arith.constant {count} : i32
    %nine = arith.constant {NINE} : i32
    %c12 = arith.constant 12 : index
    %count_usage = hal.buffer_usage<"TransferTarget|DispatchIndirectParameters"> : i32
    %counts = hal.device.queue.alloca<%b : !hal.device> affinity(%queues) wait(%null) signal(%null) pool(%pool) type(%types) usage(%count_usage) flags("None") : !hal.buffer{{%c64}}
    hal.command_buffer.fill_buffer<%consume : !hal.command_buffer> target(%counts : !hal.buffer)[%c0, %c12] pattern(%n : i32) flags("None")
    hal.command_buffer.fill_buffer<%consume : !hal.command_buffer> target(%out : !hal.buffer)[%c0, %c64] pattern(%nine : i32) flags("None")
{before}""",
    ).replace(
        f"dispatch<%consume : !hal.command_buffer> {dispatch}",
        "dispatch.indirect<%consume : !hal.command_buffer> target(%exe_b : !hal.executable)"
        "[%ordinal_i64] workgroups(%counts : !hal.buffer)[%c0]",
    )
    x = np.arange(16, dtype=np.float32)
    result = run(text, x, schedule="adversarial:1", check=False)
    want = 2 * x + 1 if count else np.full(16, 9, np.float32)
    np.testing.assert_array_equal(np.asarray(result.results[0]), want)
    assert result.statistics.total.dispatches == 1 + count
    assert result.statistics.total.workgroups == 16 + count**3
