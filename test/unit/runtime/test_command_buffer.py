"""Recording, validation and replay of command buffers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hal_world import ALL, Add, D, T, at, barrier, dispatch, full, record, system
from zcir.runtime.errors import HalError, StatusCode
from zcir.runtime.hal.buffer import Buffer, BufferParams
from zcir.runtime.hal.command_buffer import MAX_UPDATE_SIZE, CommandBuffer
from zcir.runtime.hal.dispatch import Workload
from zcir.runtime.hal.flags import (
    BufferUsage,
    CommandBufferMode,
    CommandCategory,
    ExecutionStage,
    MemoryAccess,
    MemoryType,
    flags_text,
    parse_flags,
)
from zcir.runtime.hal.options import Maintenance
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE, Fence
from zcir.runtime.hal.system import System, SystemOptions
from zcir.runtime.kernels.api import BindingAccess, BindingView, one_run

OP = at("op", 7)
RUN = system("a", "b", coherent=True)
A = RUN.device("a")


def allocate(size: int = 256, params: BufferParams | None = None) -> Buffer:
    return RUN.host.allocate("shared", size, params or BufferParams(name="%m"))


M = allocate()
READ_ONLY = allocate(params=BufferParams(name="%m", access=MemoryAccess.READ))
TRANSFERRED = allocate(params=BufferParams(name="%m", usage=BufferUsage.TRANSFER))
DISPATCHED = allocate(params=BufferParams(name="%m", usage=BufferUsage.DISPATCH_STORAGE))
HOSTS_OWN = allocate(params=BufferParams(name="%m", memory_type=MemoryType.HOST_LOCAL))

REFUSED: list[tuple[Callable[[CommandBuffer], None], StatusCode, str]] = [
    (
        lambda c: c.flush_buffer(BufferRef(M, 0, 257), OP),
        StatusCode.OUT_OF_RANGE,
        "outside of the valid buffer range (offset=0, length=257, length of %m=256)",
    ),
    (
        lambda c: c.invalidate_buffer(BufferRef(3), OP),
        StatusCode.OUT_OF_RANGE,
        "indirect buffer reference slot 3 is out range of the declared binding capacity of the "
        "command buffer 2",
    ),
    (
        lambda c: c.discard_buffer(BufferRef(1, -1, 4), OP),
        StatusCode.INVALID_ARGUMENT,
        "range of slot 1 is negative (offset=-1, length=4)",
    ),
    (
        lambda c: c.flush_buffer(BufferRef(HOSTS_OWN), OP),
        StatusCode.PERMISSION_DENIED,
        "has memory type HostVisible|HostLocal; it does not have memory type DEVICE_VISIBLE",
    ),
    (
        lambda c: c.copy_buffer(BufferRef(M, 0, 8), BufferRef(1, 0, 16), OP),
        StatusCode.INVALID_ARGUMENT,
        "must match (source_length=8, target_length=16)",
    ),
    (  # K3 B10: both ranges are named.
        lambda c: c.copy_buffer(BufferRef(M, 0, 24), BufferRef(M, 8, 24), OP),
        StatusCode.INVALID_ARGUMENT,
        "source and target ranges overlap within the same buffer: %m [0, 24) and [8, 32)",
    ),
    (
        lambda c: c.copy_buffer(BufferRef(0), BufferRef(1), OP),
        StatusCode.INVALID_ARGUMENT,
        "transfer of the whole of slot 0 has no length",
    ),
    (
        lambda c: c.fill_buffer(BufferRef(M), b"123", OP),
        StatusCode.INVALID_ARGUMENT,
        "fill pattern has 3 bytes; expected one of (1, 2, 4, 8)",
    ),
    (
        lambda c: c.fill_buffer(BufferRef(M, 2, 8), b"1234", OP),
        StatusCode.INVALID_ARGUMENT,
        "(offset=2, length=8, pattern_length=4)",
    ),
    (
        lambda c: c.fill_buffer(BufferRef(M.subspan(2), 0, 8), b"1234", OP),
        StatusCode.INVALID_ARGUMENT,
        "starts at offset 2, which does not match the required alignment of 4 bytes",
    ),
    (
        lambda c: c.fill_buffer(BufferRef(DISPATCHED), b"1", OP),
        StatusCode.PERMISSION_DENIED,
        "requested buffer usage is not supported for the buffer on this queue: buffer %m used by "
        "op allows DispatchStorageRead|DispatchStorageWrite, the operation requires TransferTarget",
    ),
    (
        lambda c: c.fill_buffer(BufferRef(READ_ONLY), b"1", OP),
        StatusCode.PERMISSION_DENIED,
        "allows access Read, the operation requires Write",
    ),
    (
        lambda c: c.update_buffer(full(3, 0), BufferRef(M, 0, 4), OP),
        StatusCode.INVALID_ARGUMENT,
        "update has 3 bytes for a target of 4",
    ),
    (
        lambda c: c.update_buffer(
            full(MAX_UPDATE_SIZE + 1, 0), BufferRef(0, 0, MAX_UPDATE_SIZE + 1), OP
        ),
        StatusCode.INVALID_ARGUMENT,
        "expected at most 65536, copy from a buffer instead",
    ),
    (
        lambda c: c.collective("send", BufferRef(M), BufferRef(M), OP),
        StatusCode.UNIMPLEMENTED,
        "collective send is not implemented; record a copy instead",
    ),
    (
        lambda c: c.collective("broadcast", BufferRef(M), BufferRef(M), OP, param=2),
        StatusCode.INVALID_ARGUMENT,
        "collective broadcast names participant 2 of a group of one, whose rank is 0",
    ),
    (
        lambda c: c.collective("all_reduce", BufferRef(M, 0, 8), BufferRef(M, 8, 4), OP),
        StatusCode.INVALID_ARGUMENT,
        "a group of one receives what it sends (send_length=8, recv_length=4)",
    ),
    (
        lambda c: c.collective("all_reduce", BufferRef(TRANSFERRED), BufferRef(M), OP),
        StatusCode.PERMISSION_DENIED,
        "requires DispatchStorageRead",
    ),
    (
        lambda c: c.collective("all_reduce", BufferRef(M), BufferRef(TRANSFERRED), OP),
        StatusCode.PERMISSION_DENIED,
        "requires DispatchStorageWrite",
    ),
    (
        lambda c: dispatch(c, 1, TRANSFERRED, M, source=OP),
        StatusCode.PERMISSION_DENIED,
        "requires DispatchStorageRead",
    ),
]


@pytest.mark.parametrize(("call", "code", "message"), REFUSED)
def test_a_refused_command_says_why_and_poisons_the_recording(
    call: Callable[[CommandBuffer], None], code: StatusCode, message: str
) -> None:
    # IR-19; K11 B57, B58: the end of the recording fails and names the refused command.
    commands = record(A, slots=2)
    with pytest.raises(HalError) as refused:
        call(commands)
    assert refused.value.code is code
    assert message in refused.value.message
    assert refused.value.location == "t.mlir:7:1"
    commands.fill_buffer(BufferRef(M), b"\0")
    with pytest.raises(HalError, match="recording failed: op was refused") as ended:
        commands.finalize()
    assert ended.value.code is code
    with pytest.raises(HalError, match="recording has not been ended"):
        A.queue_execute(NULL_FENCE, NULL_FENCE, commands)


def test_commands_outside_of_the_recording_state_are_refused() -> None:
    commands = record(A)
    commands.finalize()
    for call in (
        lambda: commands.flush_buffer(BufferRef(M)),
        lambda: commands.flush_buffer(BufferRef(M, 0, 0)),
        lambda: barrier(commands),
        lambda: commands.begin_debug_group("g"),
        commands.finalize,
    ):
        with pytest.raises(HalError, match="not in a recording state") as error:
            call()
        assert error.value.code is StatusCode.FAILED_PRECONDITION


def test_categories_are_checked() -> None:
    commands = A.create_command_buffer(categories=CommandCategory.TRANSFER)
    with pytest.raises(
        HalError, match="requires categories Dispatch but command buffer only supports Transfer"
    ):
        dispatch(commands, 1, M)
    commands = A.create_command_buffer(categories=CommandCategory.DISPATCH)
    with pytest.raises(HalError, match="requires categories Transfer"):
        commands.flush_buffer(BufferRef(M))
    barrier(commands := A.create_command_buffer(categories=CommandCategory.DISPATCH))
    commands.finalize()


def test_zero_length_maintenance_is_a_success_without_further_checks() -> None:
    # IR-20: a bogus buffer is no matter, and nothing is counted.
    run = system("a", "b")
    commands = run.device("a").create_command_buffer(categories=CommandCategory.DISPATCH)
    commands.flush_buffer(BufferRef(HOSTS_OWN, 9999, 0))
    commands.invalidate_buffer(BufferRef(99, 0, 0))
    commands.finalize()
    run.device("a").queue_execute(NULL_FENCE, NULL_FENCE, commands)
    total = run.statistics.total
    assert (total.flush_cmds, total.invalidate_cmds, total.maintenance_skipped) == (0, 0, 0)


@pytest.mark.parametrize("kind", ["flush", "invalidate", "discard"])
def test_each_maintenance_command_is_validated_as_any_other(kind: str) -> None:
    # IR-19: state, category, range, slot, memory type and reach; slots again with the table.
    def maintain(commands: CommandBuffer, ref: BufferRef) -> None:
        getattr(commands, f"{kind}_buffer")(ref, OP)

    unreached = system("a", "b", discrete=True).host.allocate("b", 64, BufferParams(name="%far"))
    refused: list[tuple[BufferRef, StatusCode, str]] = [
        (BufferRef(M, 250, 7), StatusCode.OUT_OF_RANGE, "(offset=250, length=7, length of %m=256)"),
        (BufferRef(2, 0, 4), StatusCode.OUT_OF_RANGE, "slot 2 is out range"),
        (BufferRef(-1, 0, 4), StatusCode.OUT_OF_RANGE, "slot -1 is out range"),
        (BufferRef(0, -4, 4), StatusCode.INVALID_ARGUMENT, "range of slot 0 is negative"),
        (BufferRef(HOSTS_OWN), StatusCode.PERMISSION_DENIED, "does not have memory type DEVICE"),
        (BufferRef(unreached), StatusCode.PERMISSION_DENIED, "a does not reach pool b of buffer"),
    ]
    for ref, code, message in refused:
        commands = record(A, slots=2)
        with pytest.raises(HalError) as error:
            maintain(commands, ref)
        assert error.value.code is code
        assert message in error.value.message
        with pytest.raises(HalError, match="recording failed: op was refused"):
            commands.finalize()
    only_dispatches = A.create_command_buffer(categories=CommandCategory.DISPATCH)
    with pytest.raises(HalError, match=r"requires categories Transfer but .* only supports Disp"):
        maintain(only_dispatches, BufferRef(M))
    commands = record(A, slots=2)
    maintain(commands, BufferRef(1, 200, 57))
    commands.finalize()
    with pytest.raises(HalError, match="not in a recording state"):
        maintain(commands, BufferRef(M))
    tables: list[tuple[tuple[Buffer | None, ...], StatusCode, str]] = [
        ((M,), StatusCode.INVALID_ARGUMENT, "none was provided (slot 1, used by op)"),
        ((M, None), StatusCode.INVALID_ARGUMENT, "none was provided (slot 1, used by op)"),
        ((None, M), StatusCode.OUT_OF_RANGE, "has 256 bytes, the operation requires 257"),
        ((None, HOSTS_OWN), StatusCode.PERMISSION_DENIED, "does not have memory type DEVICE"),
    ]
    before = RUN.statistics.total.submits
    for table, code, message in tables:
        with pytest.raises(HalError) as error:
            A.queue_execute(NULL_FENCE, NULL_FENCE, commands, table)
        assert error.value.code is code
        assert message in error.value.message
        assert error.value.location == "t.mlir:7:1"
    assert RUN.statistics.total.submits == before


def test_debug_groups_must_balance() -> None:
    commands = record(A)
    commands.begin_debug_group("outer")
    commands.begin_debug_group("inner")
    commands.end_debug_group()
    with pytest.raises(HalError, match=r"unbalanced debug group depth \(expected 0, is 1\)"):
        commands.finalize()
    commands.end_debug_group()
    commands.finalize()
    commands = record(A)
    with pytest.raises(HalError, match="no debug group is open"):
        commands.end_debug_group()
    with pytest.raises(HalError, match="recording failed"):
        commands.finalize()


def test_a_device_without_maintenance_refuses_it_at_record_time() -> None:
    # IR-17: never silently skipped.
    options = SystemOptions(maintenance={"a": Maintenance.NONE})
    run = System(RUN.machine, options)
    buffer = run.host.allocate("shared", 64, BufferParams())
    for kind in ("flush", "invalidate", "discard"):
        commands = record(run.device("a"))
        with pytest.raises(HalError, match=f"{kind}_buffer is not implemented") as error:
            getattr(commands, f"{kind}_buffer")(BufferRef(buffer))
        assert error.value.code is StatusCode.UNIMPLEMENTED


def test_binding_tables_are_checked_at_submission() -> None:
    # IR-19, IR-57; K11 B57.
    commands = record(A, slots=3)
    commands.fill_buffer(BufferRef(0, 0, 64), b"\1\2\3\4", OP)
    commands.flush_buffer(BufferRef(1, 128, 129), at("flush", 9))
    commands.finalize()
    before = RUN.statistics.total.submits
    for table, code, message in (
        ((M,), StatusCode.INVALID_ARGUMENT, "requires a buffer but none was provided (slot 1"),
        ((None, M), StatusCode.INVALID_ARGUMENT, "(slot 0, used by op)"),
        (
            (M, M),
            StatusCode.OUT_OF_RANGE,
            "at least one command attempted to access an address outside of the valid bound "
            "buffer range: buffer %m used by flush has 256 bytes, the operation requires 257",
        ),
        ((M.subspan(2), allocate(512)), StatusCode.INVALID_ARGUMENT, "alignment of 4"),
        ((READ_ONLY, allocate(512)), StatusCode.PERMISSION_DENIED, "requires Write"),
    ):
        with pytest.raises(HalError) as error:
            A.queue_execute(NULL_FENCE, NULL_FENCE, commands, table)
        assert error.value.code is code
        assert message in error.value.message
    assert RUN.statistics.total.submits == before
    # Slot 2 is used by nothing: what is bound there is ignored.
    A.queue_execute(NULL_FENCE, NULL_FENCE, commands, (M, allocate(512), None))


def test_one_shot_command_buffers_are_submitted_once() -> None:
    commands = A.create_command_buffer(CommandBufferMode.ONE_SHOT)
    commands.finalize()
    A.queue_execute(NULL_FENCE, NULL_FENCE, commands)
    with pytest.raises(HalError, match="one-shot command buffer has been submitted before"):
        A.queue_execute(NULL_FENCE, NULL_FENCE, commands)
    with pytest.raises(HalError, match="command buffer of a is submitted to b"):
        RUN.device("b").queue_execute(NULL_FENCE, NULL_FENCE, commands)


@pytest.mark.parametrize(
    "mode",
    [
        CommandBufferMode.ONE_SHOT,
        CommandBufferMode.ONE_SHOT | CommandBufferMode.ALLOW_INLINE_EXECUTION,
        CommandBufferMode.NONE,
    ],
)
def test_recording_maintains_nothing_and_each_execution_does(mode: CommandBufferMode) -> None:
    # IR-17, IR-33: the same for every kind of command buffer.
    run = system("a", "b")
    device = run.device("a")
    buffer = run.host.allocate("shared", 64, BufferParams())
    commands = device.create_command_buffer(mode)
    commands.flush_buffer(BufferRef(buffer))
    commands.invalidate_buffer(BufferRef(buffer))
    commands.finalize()
    assert run.statistics.total.flush_cmds == 0
    times = 1 if CommandBufferMode.ONE_SHOT in mode else 3
    for _ in range(times):
        device.queue_execute(NULL_FENCE, NULL_FENCE, commands)
    assert run.statistics.total.flush_cmds == times
    assert run.statistics.total.invalidate_cmds == times
    assert run.statistics.total.recordings == 1


def test_replay_reads_the_contents_at_replay_time() -> None:
    # K11 B58, second part; IR-33.
    run = system("a", "b", coherent=True)
    source = run.host.import_array(full(64, 1), "shared", BufferParams())
    target = run.host.allocate("shared", 64, BufferParams())
    commands = record(run.device("a"))
    commands.copy_buffer(BufferRef(source), BufferRef(target))
    commands.finalize()
    values: list[int] = []
    for value in (1, 2):
        run.host.map_write(source, 0, full(64, value))
        done = Fence.create("done")
        run.device("a").queue_execute(NULL_FENCE, done, commands)
        run.host.wait(done)
        values.append(int(run.host.map_read(target)[0]))
    assert values == [1, 2]


def test_slots_act_on_what_each_submission_binds() -> None:
    # IR-57: maintenance follows the table; nothing is recorded again. GE-43: only references
    # whose address has changed count as refreshed.
    run = system("a", "b")
    device = run.device("a")
    p, q = (run.host.allocate("shared", 256, BufferParams(name=name)) for name in ("%p", "%q"))
    commands = record(device, slots=1)
    commands.fill_buffer(BufferRef(0, 64, 64), b"\5")
    commands.execution_barrier(T, T)
    commands.flush_buffer(BufferRef(0, 64, 64))
    commands.finalize()
    refreshed: list[int] = []
    for buffer in (p, p, q, q.subspan(128)):
        device.queue_execute(NULL_FENCE, NULL_FENCE, commands, (buffer,))
        refreshed.append(run.statistics["a"].slots_refreshed)
    assert refreshed == [2, 2, 4, 6]
    assert run.statistics["a"].recordings == 1
    flushed = [event.target[0].start for event in run.graph.events if event.kind == "flush"]
    assert flushed == [p.start + 64, p.start + 64, q.start + 64, q.start + 192]
    for buffer, offset in ((p, 64), (q, 64), (q, 192)):
        assert set(run.host.map_read(buffer, offset, 64).tolist()) == {5}


def test_views_of_views_name_one_address() -> None:
    # K3 B11.
    root = allocate(4096)
    inner = root.subspan(1024, 2048).subspan(256, 512)
    assert inner.subspan(0, 64).span.start - root.start == 1280
    assert inner.start == root.start + 1280
    with pytest.raises(HalError, match="outside of the valid buffer range"):
        inner.subspan(500, 13)
    assert repr(inner) == "%m[1280 for 512]"


@dataclass(frozen=True)
class Rogue:
    """A kernel that accesses what it likes, and says so or not."""

    says: int
    does: int
    name: str = "@ex::@rogue"

    def accesses(
        self, constants: tuple[int, ...], binding_lengths: tuple[int, ...]
    ) -> tuple[BindingAccess, ...]:
        return (BindingAccess(0, one_run(0, self.says), one_run(0, 0)),)

    def run(self, views: Sequence[BindingView], constants: tuple[int, ...]) -> None:
        views[0].load(0, self.does)


def test_a_dispatch_beyond_its_binding_is_refused() -> None:
    commands = record(A, slots=1)
    with pytest.raises(
        HalError, match=r"@ex::@rogue accesses bytes \[0, 65\) of binding 0"
    ) as error:
        commands.dispatch(Rogue(65, 65), Workload(), [BufferRef(M, 0, 64)], OP)
    assert error.value.code is StatusCode.OUT_OF_RANGE
    # A kernel that does what it did not say fails when it does.
    run = system("a", "b", coherent=True)
    buffer = run.host.allocate("shared", 64, BufferParams())
    commands = record(run.device("a"))
    commands.dispatch(Rogue(0, 65), Workload(), [BufferRef(buffer)], OP)
    commands.finalize()
    done = Fence.create("done")
    run.device("a").queue_execute(NULL_FENCE, done, commands)
    with pytest.raises(HalError, match=r"bytes \[0, 65\) of a binding of 64") as error:
        run.host.wait(done)
    assert error.value.location == "t.mlir:7:1"
    # A binding of unknown length is checked when it is known.
    commands = record(run.device("a"), slots=1)
    commands.dispatch(Rogue(257, 0), Workload(), [BufferRef(0)], OP)
    commands.finalize()
    done = Fence.create("done")
    run.device("a").queue_execute(NULL_FENCE, done, commands, (buffer,))
    with pytest.raises(HalError, match="outside of the valid bound buffer range"):
        run.host.wait(done)


def test_a_kernel_may_not_reach_beyond_its_device() -> None:
    # Kernels act in place, copies also where the machine lets transfers reach.
    run = system("a", "b", discrete=True)
    far = run.host.allocate("b", 64, BufferParams(name="%far"))
    near = run.host.allocate("a", 64, BufferParams(name="%near"))
    commands = record(run.device("a"))
    commands.copy_buffer(BufferRef(near), BufferRef(far))
    with pytest.raises(HalError, match="a does not reach pool b of buffer %far in place for op"):
        dispatch(commands, 1, far, near, source=OP)


def test_ten_thousand_commands_are_decoded_once_and_replayed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = system("a", "b", coherent=True, record=False)
    device = run.device("a")
    commands = record(device, slots=2)
    count = 10_000
    for index in range(count):
        commands.copy_buffer(BufferRef(0, index * 16, 16), BufferRef(1, index * 16, 16))
        if index % 100 == 99:
            barrier(commands)
    commands.finalize()

    def decode_again(*_: object) -> None:
        raise AssertionError("decoded again")

    monkeypatch.setattr("zcir.runtime.hal.command_buffer.decode", decode_again)
    data = np.arange(count * 16, dtype=np.uint32).astype(np.uint8)
    for turn in range(3):
        source = run.host.import_array(data + np.uint8(turn), "shared", BufferParams())
        target = run.host.allocate("shared", count * 16, BufferParams())
        device.queue_execute(NULL_FENCE, NULL_FENCE, commands, (source, target))
        assert np.array_equal(run.host.read_back(target), data + np.uint8(turn))
    assert run.statistics["a"].copy_cmds == 3 * count
    assert run.statistics["a"].recordings == 1


def test_flags_read_and_print_as_iree_writes_them() -> None:
    assert parse_flags(ExecutionStage, "Dispatch|Transfer|CommandRetire") == D | T | 16
    assert parse_flags(BufferUsage, "TransferSource") is BufferUsage.TRANSFER_SOURCE
    assert parse_flags(MemoryType, "DeviceLocal|HostVisible") == 16 | 32 | 2
    assert flags_text(MemoryType.DEVICE_LOCAL) == "DeviceVisible|DeviceLocal"
    assert flags_text(ALL) == "Dispatch|Transfer"
    assert flags_text(CommandBufferMode.NONE) == "None"
    with pytest.raises(ValueError, match="unknown MemoryType `Nowhere`"):
        parse_flags(MemoryType, "Nowhere")
    assert Add().name == "@ex::@add"
