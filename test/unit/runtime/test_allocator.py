"""Allocation: alignment to lines, reuse where happens-before allows it, and its counters."""

import pytest
from hal_world import dispatch, full, named, record, system
from hypothesis import given
from hypothesis import strategies as st
from zcir.runtime.errors import HalError, StatusCode
from zcir.runtime.events import EventKind
from zcir.runtime.hal.allocator import PoolAllocator
from zcir.runtime.hal.frontier import NOTHING, Frontier
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE, Fence
from zcir.runtime.machine import Pool

numbers = st.sets(st.integers(0, 40))


def frontier(known: set[int]) -> Frontier:
    result = NOTHING
    for number in sorted(known):
        result = result.with_number(number)
    return result


@given(numbers, numbers)
def test_frontiers_are_sets_of_numbers(first: set[int], second: set[int]) -> None:
    union = frontier(first) | frontier(second)
    assert {number for number in range(50) if number in union} == first | second
    assert union == frontier(first | second)


def test_long_frontiers_stay_small() -> None:
    assert frontier(set(range(10_000))) == Frontier(10_000, 0)


def test_allocations_never_share_a_line() -> None:
    # IR-54: aligned and padded to the machine's largest line.
    run = system("a", line=128)
    buffers = [run.host.allocate("shared", size, named("%m")) for size in (1, 127, 128, 129, 0)]
    assert all(buffer.start % 128 == 0 for buffer in buffers)
    assert [b.start - buffers[0].start for b in buffers] == [0, 128, 256, 384, 640]


def test_memory_freed_by_the_host_is_reused_first_fit() -> None:
    run = system("a")
    first, second, third = (run.host.allocate("shared", 256, named("%m")) for _ in range(3))
    run.host.deallocate(first)
    run.host.deallocate(second)
    assert run.host.allocate("shared", 300, named("%n")).start == first.start
    with pytest.raises(HalError, match="deallocated twice"):
        run.host.deallocate(first)
    assert third.start == second.start + 256


def test_memory_freed_on_a_queue_is_reused_by_those_ordered_after_it() -> None:
    # IR-58; K7 B37: without an order the slice is not handed on.
    for schedule in ("fifo", "random:3", "adversarial:1"):
        run = system("a", "b", schedule=schedule)
        a, b = run.device("a"), run.device("b")
        fences = [Fence.create(f"f{index}") for index in range(6)]
        first = a.queue_alloca(NULL_FENCE, fences[0], "shared", 256, named("%0"))
        a.queue_dealloca(fences[0], fences[1], first)
        unordered = b.queue_alloca(fences[0], fences[2], "shared", 256, named("%1"))
        assert unordered.start == first.start + 256
        # Ordered through another queue's submission, without the host having waited.
        b.queue_barrier(Fence.join([fences[1], fences[2]]), fences[3])
        ordered = a.queue_alloca(fences[3], fences[4], "shared", 100, named("%2"))
        assert ordered.start == first.start
        run.host.wait(fences[4])
        assert run.host.allocate("shared", 64, named("%3")).start == first.start + 128
        run.finish()


def test_a_full_pool_reuses_what_is_freed_and_orders_the_new_owner_after_it() -> None:
    run = system("a", size=4096)
    a = run.device("a")
    ready, freed, again = (Fence.create(name) for name in ("ready", "freed", "again"))
    first = a.queue_alloca(NULL_FENCE, ready, "shared", 4096, named("%0"))
    a.queue_dealloca(ready, freed, first)
    second = a.queue_alloca(NULL_FENCE, again, "shared", 64, named("%1"))
    assert second.start == first.start
    run.finish()
    dealloca = next(e for e in run.graph.events if e.kind is EventKind.DEALLOCA)
    alloca = [e for e in run.graph.events if e.kind is EventKind.ALLOCA][-1]
    assert dealloca.id in alloca.after
    with pytest.raises(HalError, match="pool shared of 4096 bytes has no 8192 free bytes") as error:
        run.host.allocate("shared", 8192, named("%2"))
    assert error.value.code is StatusCode.RESOURCE_EXHAUSTED


def test_freed_memory_is_poisoned_and_dirty_lines_outlive_it() -> None:
    # K6 B30: a recycled buffer still has dirty lines from its previous life.
    run = system("a", "b")
    first = run.host.allocate("shared", 64, named("%t1"))
    commands = record(run.device("a"))
    dispatch(commands, 1, first)
    commands.finalize()
    done = Fence.create("done")
    run.device("a").queue_execute(NULL_FENCE, done, commands)
    run.host.wait(done)
    run.host.deallocate(first)
    second = run.host.allocate("shared", 64, named("%t2"))
    assert second.start == first.start
    run.host.map_write(second, 0, full(64, 3))
    commands = record(run.device("a"))
    commands.flush_buffer(BufferRef(second))
    commands.finalize()
    done = Fence.create("done")
    run.device("a").queue_execute(NULL_FENCE, done, commands)
    run.host.wait(done)
    assert set(run.host.map_read(second).tolist()) == {0xCE}


def test_peak_bytes_count_what_lives_at_one_time() -> None:
    run = system("a", "b")
    a, b = run.device("a"), run.device("b")
    for device in (a, b):
        fence, end = Fence.create("ready"), Fence.create("end")
        buffer = device.queue_alloca(NULL_FENCE, fence, "shared", 100, named("%m"))
        device.queue_dealloca(fence, end, buffer)
        run.host.wait(end)
    run.host.allocate("shared", 150, named("%h"))
    peaks = [run.statistics[agent].peak_bytes for agent in ("a", "b", "host")]
    assert peaks == [100, 100, 150]
    assert run.statistics.total.peak_bytes == 150
    assert run.statistics.total.alloc_bytes == 350


def test_the_lowest_address_is_taken_and_the_rest_stays_free() -> None:
    allocator = PoolAllocator(Pool("p", "host", 4096, 1024), 64)
    grants = [allocator.allocate(256, NOTHING) for _ in range(4)]
    assert [grant.start for grant in grants] == [4096, 4352, 4608, 4864]
    allocator.free(4352, 256, 0)
    allocator.free(4864, 256, 1)
    known = NOTHING.with_number(0).with_number(1)
    with pytest.raises(HalError, match="no 320 free bytes in one piece"):
        allocator.allocate(300, known)
    allocator.free(4608, 256, 2)
    assert allocator.allocate(600, known.with_number(2)).start == 4352
    allocator.settle(known.with_number(2))
    assert allocator.allocate(1, NOTHING).start == 4992
