"""Kernels on mapped host memory: nothing is copied."""

from typing import Any

import numpy as np
import pytest
from host_world import BYTES, ELEMENTS, FOUR, ONE, THREE, TWO, add, filled, mapped, runtime, total
from zcir.dialects.topology_data import WriteBack
from zcir.runtime.events import EventKind
from zcir.runtime.host import HostError, HostPointer, Runtime, kernel, one_device, reads, writes
from zcir.runtime.host.launch import shuffled


def words(pointer: HostPointer) -> list[int]:
    return pointer.view("u2").numpy().tolist()


@pytest.mark.parametrize("coherent", [True, False])
def test_fp16_add_through_mapped_memory_copies_nothing(coherent: bool) -> None:
    # ZC-01, ZC-31: every element is 3.0, nothing is copied or allocated on the device.
    rt = runtime(coherent=coherent, assert_zero_copy=True)
    (_, a), (_, b), (out, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    stream = rt.create_stream()
    rt.launch(add, 8, stream, a, b, c)
    assert total(rt).dispatches == 0
    rt.synchronize_stream(stream)
    assert words(out) == [THREE] * ELEMENTS
    assert total(rt).copy_cmds == 0
    assert rt.statistics["npu"].allocs == 0
    assert total(rt).dispatches == 1
    assert not rt.check().reports
    assert not any(event.copies for event in rt.system.graph.events)


def test_copies_are_refused_where_none_are_expected() -> None:
    # ZC-01.
    rt = runtime(assert_zero_copy=True)
    rt.statistics["npu"].copy_cmds += 1
    with pytest.raises(HostError, match="expected zero copies, executed 1"):
        rt.synchronize_stream()


def test_host_reads_results_after_synchronization_only() -> None:
    # ZC-06: before it the host reads the old 0, which is a hazard; after it 3.0.
    for coherent in (True, False):
        rt = runtime(coherent=coherent)
        (_, a), (_, b), (out, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
        rt.launch(add, 8, None, a, b, c)
        assert out.view("u2")[0] == 0
        (hazard,) = rt.host_access.hazards
        assert "host read" in hazard.message
        assert "before kernel add has completed" in hazard.message
        assert hazard.location.startswith("test_host_mapped.py:")
        rt.synchronize_stream()
        assert out.view("u2")[0] == THREE
        (report,) = rt.check().reports
        assert report.rule == "race"


def test_hazards_may_be_errors() -> None:
    # ZC-06.
    rt = runtime(hazards_are_errors=True)
    (_, a), (_, b), (out, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    rt.launch(add, 8, None, a, b, c)
    with pytest.raises(HostError, match=r"hazard: host read of .* before kernel add"):
        out.read(2)
    rt.synchronize_stream()
    assert words(out) == [THREE] * ELEMENTS


def test_host_does_not_see_results_without_its_invalidate() -> None:
    # ZC-06, ZC-43: with maintenance off the old zeros are read, whatever the schedule.
    rt = runtime(coherent=False, maintenance=False)
    (_, a), (_, b), (out, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    rt.launch(add, 8, None, a, b, c)
    rt.synchronize_stream()
    assert words(out) != [THREE] * ELEMENTS
    assert {report.rule for report in rt.check().reports} >= {"stale"}


@pytest.mark.parametrize("schedule", ["deferred", "fifo", *(f"adversarial:{i}" for i in range(12))])
def test_non_coherent_mapping_is_maintained(schedule: str) -> None:
    # ZC-43: three host flushes and one of the device, two device invalidates and one of the host.
    rt = runtime(coherent=False, schedule=schedule)
    (_, a), (_, b), (out, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    rt.launch(add, 8, None, a, b, c)
    rt.synchronize_stream()
    assert words(out) == [THREE] * ELEMENTS
    host, device = rt.statistics["host"], rt.statistics["npu"]
    assert (host.flush_cmds, device.flush_cmds) == (3, 1)
    assert (host.invalidate_cmds, device.invalidate_cmds) == (1, 2)
    assert total(rt).copy_cmds == 0
    assert not rt.check().reports


@pytest.mark.parametrize(("size", "invalidates"), [(128, 2), (100, 3)])
def test_lines_written_in_part_are_fetched_anew_where_lines_are_written_back_whole(
    size: int, invalidates: int
) -> None:
    # ZC-43: an output that does not fill its lines is invalidated, too.
    topology = one_device(host_coherent=False, write_back=WriteBack.LINE)
    rt = runtime(topology=topology)

    @kernel(reads("x", "u1", size), reads("y", "u1", size), writes("z", "u1", size))
    def add_bytes(block: int, x: Any, y: Any, z: Any) -> None:
        z[:] = x + y

    (_, a), (_, b), (out, c) = (mapped(rt, 0x0101, 128) for _ in range(3))
    rt.launch(add_bytes, 1, None, a, b, c)
    rt.synchronize_stream()
    assert rt.statistics["npu"].invalidate_cmds == invalidates
    assert out.read().tolist() == [2] * size + [1] * (128 - size)
    assert not rt.check().reports


def test_blocks_partition_the_elements() -> None:
    # ZC-32: with 7 blocks the first wrong element is 14336; the order of blocks does not count.
    rt = runtime()
    (_, a), (_, b), (out, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    rt.launch(add, 7, None, a, b, c)
    rt.synchronize_stream()
    wrong = np.flatnonzero(np.array(words(out)) != THREE)
    assert wrong[0] == 14336
    assert len(wrong) == 2048
    rt.block_order = shuffled(3)
    rt.launch(add, 8, None, a, b, c)
    rt.synchronize_stream()
    assert words(out) == [THREE] * ELEMENTS


def test_access_outside_of_an_argument_is_refused() -> None:
    # ZC-32: OUT_OF_RANGE with the binding.
    rt = runtime()
    (_, a), (_, b), (_, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    text = r"OUT_OF_RANGE: kernel add accesses bytes \[0, 36864\) of binding 0, which has 32768"
    with pytest.raises(HostError, match=text):
        rt.launch(add, 9, None, a, b, c)
    assert total(rt).submits == 0


def test_output_may_be_an_input() -> None:
    # ZC-44: z is x, which the kernel reads before it writes it.
    for coherent in (True, False):
        rt = runtime(coherent=coherent)
        (x, a), (_, b) = mapped(rt, ONE), mapped(rt, TWO)
        rt.launch(add, 8, None, a, b, a)
        rt.synchronize_stream()
        assert words(x) == [THREE] * ELEMENTS
        assert not rt.check().reports


@pytest.mark.parametrize("ordered", [False, True])
def test_streams_that_share_a_registration_need_an_event(ordered: bool) -> None:
    # ZC-44.
    for coherent in (True, False):
        rt = runtime(coherent=coherent)
        (_, a), (_, b), (_, c), (out, d) = (mapped(rt, value) for value in (ONE, TWO, 0, 0))
        first, second, event = rt.create_stream(), rt.create_stream(), rt.create_event()
        rt.launch(add, 8, first, a, b, c)
        rt.record_event(event, first)
        if ordered:
            rt.stream_wait_event(second, event)
        rt.launch(add, 8, second, a, c, d)
        rt.synchronize_device()
        rules = {report.rule for report in rt.check().reports}
        if ordered:
            assert words(out) == [FOUR] * ELEMENTS
        assert rules == (set() if ordered else {"race"})


def test_other_buffers_need_no_other_recording() -> None:
    # ZC-45: arguments are replaced through their handles.
    rt = runtime(coherent=False)
    (_, a), (_, b), (_, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    rt.launch(add, 8, None, a, b, c)
    (_, d), (_, e), (out, f) = (mapped(rt, value) for value in (TWO, TWO, 0))
    rt.launch(add, 8, None, d, e, f)
    rt.synchronize_stream()
    assert words(out) == [FOUR] * ELEMENTS
    assert total(rt).recordings == 1
    assert total(rt).dispatches == 2
    before = total(rt).slots_refreshed
    rt.launch(add, 8, None, d, e, f)
    assert total(rt).slots_refreshed == before


def test_maintenance_of_neighbours_in_one_line() -> None:
    # Case B27 at the host boundary: what the host wrote beside a result survives the invalidate.
    rt = runtime(coherent=False)
    memory = filled(rt, 0, 64)
    rt.host_register(memory)

    @kernel(writes("z", "u1", 16))
    def seven(block: int, z: Any) -> None:
        z[:] = 7

    rt.launch(seven, 1, None, rt.host_get_device_pointer(memory))
    (memory + 32).write(b"\x01" * 8)
    rt.synchronize_stream()
    assert memory.read().tolist() == [7] * 16 + [0] * 16 + [1] * 8 + [0] * 24


def test_memory_is_free_again_in_the_end() -> None:
    rt = Runtime(topology=one_device(host_coherent=False))
    with rt:
        memory, pointer = mapped(rt, ONE, BYTES)
        rt.launch(add, 8, None, pointer, pointer, pointer)
        rt.synchronize_stream()
        rt.host_unregister(memory)
        rt.free_host(memory)
    assert not rt.allocations
    assert not rt.check().reports
    frees = [event for event in rt.system.graph.events if event.kind is EventKind.DEALLOCA]
    assert len(frees) == 1
