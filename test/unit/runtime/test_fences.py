"""Timeline semaphores, fences, failure, deadlock, and the order of unordered work."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hal_world import D, T, at, barrier, dispatch, full, named, record, system
from zcir.runtime.errors import HalError, StatusCode, unimplemented
from zcir.runtime.events import EventKind
from zcir.runtime.hal.buffer import Buffer
from zcir.runtime.hal.dispatch import Workload
from zcir.runtime.hal.options import Maintenance
from zcir.runtime.hal.policy import parse_schedule
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE, Fence, Semaphore, Timepoint
from zcir.runtime.hal.system import System, SystemOptions
from zcir.runtime.kernels.api import BindingAccess, BindingView


@dataclass(frozen=True)
class Broken:
    """A kernel that fails."""

    name: str = "@ex::@broken"

    def accesses(
        self, constants: tuple[int, ...], binding_lengths: tuple[int, ...]
    ) -> tuple[BindingAccess, ...]:
        return ()

    def run(self, views: Sequence[BindingView], constants: tuple[int, ...]) -> None:
        raise unimplemented("op math.frob is not supported")


def test_fences_join_the_latest_timepoint_of_each_semaphore() -> None:
    one, two = Semaphore("one"), Semaphore("two")
    first, second = Fence([Timepoint(one, 1)]), Fence([Timepoint(two, 4), Timepoint(one, 3)])
    assert Fence.join([first]) is first
    joined = Fence.join([first, NULL_FENCE, second], "all")
    assert joined.timepoints == (Timepoint(one, 3), Timepoint(two, 4))
    assert repr(joined) == "Fence(one at 0 of 3, two at 0 of 4)"
    assert NULL_FENCE.settled
    one.signal(5, 0)
    assert joined.pending() == "two at 0 of 4"
    two.signal(4, 1)
    assert joined.settled
    assert joined.failure is None


def test_a_semaphore_only_grows() -> None:
    semaphore = Semaphore("s", 2)
    with pytest.raises(HalError, match="semaphore s is signaled to 2 but has reached 2"):
        semaphore.signal(2, 0)
    # Within a run the submission that signals it fails, and so do those who wait for more.
    run = system("a", coherent=True)
    fence = Fence([Timepoint(semaphore, 1)], "old")
    run.device("a").queue_barrier(NULL_FENCE, fence)
    with pytest.raises(HalError, match="expected values to grow"):
        run.host.wait(Fence([Timepoint(semaphore, 3)]))


def test_each_wait_is_ordered_after_the_first_signal_that_reaches_it() -> None:
    # Happens-before: later signals of the timeline are not waited for.
    run = system("a", coherent=True)
    a = run.device("a")
    timeline = Semaphore("t")
    for value in (2, 5):
        a.queue_barrier(NULL_FENCE, Fence([Timepoint(timeline, value)]))
    run.host.wait(Fence([Timepoint(timeline, 1)]))
    run.host.wait(Fence([Timepoint(timeline, 3)]))
    signals = run.graph.signals
    assert [(s.semaphore, s.value) for s in signals] == [("t", 2), ("t", 5)]
    waits = [event for event in run.graph.events if event.label == "hal.fence.await"]
    assert [signals[i].event in waits[i].after for i in range(2)] == [True, True]
    assert signals[1].event not in waits[0].after
    run.finish()


def test_waiting_for_several_fences_records_one_join() -> None:
    run = system("a", "b", coherent=True)
    fences = [Fence.create("fa"), Fence.create("fb")]
    for name, fence in zip("ab", fences, strict=True):
        run.device(name).queue_barrier(NULL_FENCE, fence)
    both = Fence.join(fences, "both")
    run.device("a").queue_barrier(both, NULL_FENCE)
    run.host.wait(both)
    joins = [event for event in run.graph.events if event.label == "join of both"]
    assert len(joins) == 1
    assert joins[0].after == tuple(signal.event for signal in run.graph.signals)
    users = [event for event in run.graph.events if joins[0].id in event.after]
    assert [event.agent for event in users] == ["a", "host"]


def failing(run: System) -> tuple[Fence, Buffer]:
    """A producer that fails, a consumer that waits for it; the last fence and the storage."""
    a, b = run.device("a"), run.device("b")
    buffer = run.host.allocate("shared", 64, named("%m"))
    produce = record(a)
    produce.dispatch(Broken(), Workload(), [BufferRef(buffer)], at("broken", 5))
    barrier(produce)
    produce.flush_buffer(BufferRef(buffer))
    produce.finalize()
    consume = record(b)
    consume.invalidate_buffer(BufferRef(buffer))
    barrier(consume)
    dispatch(consume, 1, buffer)
    consume.finalize()
    made, used = Fence.create("made"), Fence.create("used")
    a.queue_execute(NULL_FENCE, made, produce)
    b.queue_execute(made, used, consume)
    return used, buffer


@pytest.mark.parametrize("schedule", ["fifo", "random:1", "adversarial:0"])
def test_failure_spreads_to_all_who_wait(schedule: str) -> None:
    # IR-59: no flush, no invalidate, no consumer; the producer's own error and place.
    run = system("a", "b", schedule=schedule)
    used, _ = failing(run)
    with pytest.raises(HalError, match=r"op math\.frob is not supported") as error:
        run.host.wait(used)
    assert error.value.code is StatusCode.UNIMPLEMENTED
    assert error.value.location == "t.mlir:5:1"
    total = run.statistics.total
    assert (total.dispatches, total.invalidate_cmds, total.flush_cmds) == (0, 0, 0)
    with pytest.raises(HalError, match=r"UNIMPLEMENTED; op math\.frob"):
        run.finish()


def test_a_wait_that_nothing_will_signal_is_a_deadlock() -> None:
    run = system("a", "b", coherent=True)
    never, first, second = (Fence.create(name) for name in ("never", "first", "second"))
    run.device("a").queue_barrier(never, first, at("op", 3))
    run.device("b").queue_barrier(first, second, at("op", 4))
    with pytest.raises(HalError) as error:
        run.host.wait(second, source=at("await", 9))
    assert error.value.code is StatusCode.DEADLINE_EXCEEDED
    assert error.value.location == "t.mlir:9:1"
    assert error.value.message == (
        "deadlock: the host waits for second (second at 0 of 1), which nothing left to execute "
        "will signal; op on a at t.mlir:3:1 waits for never (never at 0 of 1); op on b at "
        "t.mlir:4:1 waits for first (first at 0 of 1)"
    )
    with pytest.raises(HalError, match="a submission waits for a fence") as error:
        run.finish()
    assert error.value.location == "t.mlir:3:1"


def test_the_host_signals_and_fails_fences() -> None:
    run = system("a", coherent=True)
    go, done = Fence.create("go"), Fence.create("done")
    run.device("a").queue_barrier(go, done)
    with pytest.raises(HalError, match="done is not signaled yet") as error:
        run.host.wait(done, timeout=0)
    assert error.value.code is StatusCode.DEADLINE_EXCEEDED
    run.host.signal(go)
    run.host.wait(done, timeout=0)
    failed, after = Fence.create("failed"), Fence.create("after")
    run.device("a").queue_barrier(failed, after)
    run.host.fail(failed, unimplemented("not today"))
    with pytest.raises(HalError, match="not today"):
        run.host.wait(after)


def fan(run: System, ordered: bool = False) -> tuple[list[str], list[int]]:
    """Eight unordered fills and two submissions; labels in the order of execution, and bytes."""
    buffer = run.host.allocate("shared", 64, named("%m"))
    done: list[Fence] = []
    for half in range(2):
        commands = record(run.device("a"))
        for index in range(half * 4, half * 4 + 4):
            commands.fill_buffer(
                BufferRef(buffer, index * 8, 8), bytes([index]), at(f"f{index}", 1)
            )
            if ordered:
                commands.execution_barrier(T, T)
        commands.finalize()
        done.append(Fence.create(f"done{half}"))
        run.device("a").queue_execute(NULL_FENCE, done[-1], commands)
    run.host.wait(Fence.join(done))
    labels = [event.label for event in run.graph.events if event.label.startswith("f")]
    return labels, run.host.map_read(buffer).tolist()


SCHEDULES = ["fifo", *(f"{k}:{s}" for k in ("random", "adversarial") for s in range(8))]


def test_unordered_commands_run_in_any_order_and_each_seed_repeats_its_own() -> None:
    orders = {
        schedule: fan(system("a", schedule=schedule, coherent=True)) for schedule in SCHEDULES
    }
    for schedule, found in orders.items():
        assert found == fan(system("a", schedule=schedule, coherent=True)), schedule
        assert found[1] == [index for index in range(8) for _ in range(8)]
        assert sorted(found[0]) == sorted(orders["fifo"][0])
    assert orders["fifo"][0] == [f"f{index}" for index in range(8)]
    assert len({tuple(order) for order, _ in orders.values()}) > 6


def test_barriers_order_what_their_stages_name() -> None:
    for schedule in SCHEDULES:
        labels, _ = fan(system("a", schedule=schedule, coherent=True), ordered=True)
        for half in range(2):
            mine = [label for label in labels if (int(label[1]) >= 4) is bool(half)]
            assert mine == sorted(mine)


def test_schedules_are_read_strictly() -> None:
    assert parse_schedule("random:12") == ("random", 12)
    assert parse_schedule("adversarial:0") == ("adversarial", 0)
    for text in ("fifo:1", "random", "random:", "random:x", "lifo", "adversarial:-1", ""):
        with pytest.raises(HalError, match=f"schedule `{text}` is unknown; expected fifo"):
            parse_schedule(text)


def maintained(run: System) -> tuple[list[str], list[int]]:
    a, b = run.device("a"), run.device("b")
    buffer = run.host.allocate("shared", 256, named("%m"))
    produce = record(a)
    for index in range(4):
        produce.fill_buffer(BufferRef(buffer, index * 64, 64), bytes([index]), at("write", 1))
    produce.execution_barrier(T, T)
    for index in range(4):
        produce.flush_buffer(BufferRef(buffer, index * 64, 64), at("flush", 2))
    produce.finalize()
    consume = record(b)
    consume.invalidate_buffer(BufferRef(buffer), at("invalidate", 3))
    consume.execution_barrier(T, D)
    dispatch(consume, 1, buffer, source=at("read", 4))
    consume.execution_barrier(D, T)
    consume.flush_buffer(BufferRef(buffer), at("flush", 5))
    consume.finalize()
    made, used = Fence.create("made"), Fence.create("used")
    a.queue_execute(NULL_FENCE, made, produce)
    b.queue_execute(made, used, consume)
    run.host.wait(used)
    labels = [e.label for e in run.graph.events if e.location or e.label == "signal of made"]
    return labels, run.host.read_back(buffer).tolist()


@pytest.mark.parametrize("how", [Maintenance.QUEUE, Maintenance.HOST, Maintenance.SPLIT])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_back_end_strategy_gives_the_same_order(how: Maintenance, schedule: str) -> None:
    # IR-34: producer < flush < signal < invalidate < read, and the same bytes.
    made = system("a", "b").machine
    run = System(made, SystemOptions(schedule, maintenance={"a": how, "b": how}))
    labels, values = maintained(run)
    assert values == [index + 1 for index in range(4) for _ in range(64)]
    assert labels == [
        *["write"] * 4,
        *["flush"] * 4,
        "signal of made",
        "invalidate",
        "read",
        "flush",
    ]


def test_split_and_host_strategies_separate_maintenance_from_other_work() -> None:
    def labels(how: Maintenance, seed: int) -> list[str]:
        run = System(system("a").machine, SystemOptions(f"random:{seed}", maintenance={"a": how}))
        buffer = run.host.allocate("shared", 1024, named("%m"))
        commands = record(run.device("a"))
        for index in range(4):
            commands.fill_buffer(BufferRef(buffer, index * 64, 64), b"\0", at("work", 1))
        for index in range(4, 8):
            commands.flush_buffer(BufferRef(buffer, index * 64, 64), at(f"maintain{index}", 2))
        commands.finalize()
        run.device("a").queue_execute(NULL_FENCE, NULL_FENCE, commands)
        run.finish()
        return [e.label for e in run.graph.events if e.location]

    for seed in range(6):
        split = labels(Maintenance.SPLIT, seed)
        assert split[:4] == ["work"] * 4
        host = [label for label in labels(Maintenance.HOST, seed) if label != "work"]
        assert host == sorted(host)
    assert any(labels(Maintenance.QUEUE, seed)[:4] != ["work"] * 4 for seed in range(6))


def test_an_unsignaled_alloca_and_a_dealloca_are_events_in_order() -> None:
    # IR-58, IR-48.
    run = system("a")
    a = run.device("a")
    ready, freed, again = (Fence.create(name) for name in ("ready", "freed", "again"))
    buffer = a.queue_alloca(NULL_FENCE, ready, "shared", 100, named("%m"), at("alloca", 1))
    a.queue_dealloca(ready, freed, buffer, at("dealloca", 2))
    with pytest.raises(HalError, match="%m in pool shared is deallocated twice"):
        a.queue_dealloca(ready, again, buffer, at("dealloca", 3))
    run.host.wait(freed)
    with pytest.raises(HalError, match="use of deallocated buffer") as error:
        run.host.map_write(buffer, 0, full(4, 0), at("store", 4))
    assert error.value.location == "t.mlir:4:1"
    kinds = [event.kind for event in run.graph.events if event.kind is not EventKind.SYNC]
    assert kinds == [EventKind.ALLOCA, EventKind.DEALLOCA, EventKind.ACCESS]
    (record_,) = run.graph.buffers
    assert record_.name == "%m"
    assert record_.span == buffer.span
    assert record_.events[1] is not None
