"""Copies of one range: kinds, blocking, order, and what makes them wrong."""

import numpy as np
import pytest
from host_world import (
    device_bytes,
    labels,
    on_device,
    pinned,
    refused,
    runtime,
    total,
    two_devices,
)
from zcir.runtime.costs import Costs
from zcir.runtime.host import (
    MemcpyKind,
    RegisterFlag,
    Runtime,
    kernel,
    page_aligned,
    reads,
    writes,
)

SEEDS = range(100)
H2D, D2H = MemcpyKind.HOST_TO_DEVICE, MemcpyKind.DEVICE_TO_HOST
FREE = Costs(submit_ns=0.0, launch_ns=0.0, maintenance_ns=0.0)


@kernel(reads("x", "i4", 4), writes("z", "i4", 4))
def double(block: int, x: np.ndarray, z: np.ndarray) -> None:
    z[block * 4 : block * 4 + 4] = 2 * x[block * 4 : block * 4 + 4]


@kernel(writes("z", "u1"))
def seven(block: int, z: np.ndarray) -> None:
    z[:] = 7


@kernel(writes("z", "u1"), duration_ns=100.0)
def busy(block: int, z: np.ndarray) -> None:
    z[:] = 1


def test_kinds_have_the_published_numbers() -> None:
    # CP-01.
    assert [kind.value for kind in MemcpyKind] == list(range(8))
    assert MemcpyKind.HOST_TO_BUF_TO_DEVICE == 5
    rt = runtime()
    host, device = pinned(rt, 1, 16), on_device(rt, 0, 16)
    for kind in (8, 9, -1):
        with refused(rt, 100000, f"invalid kind of memcpy, kind = {kind}"):
            rt.memcpy(device, 16, host, 16, kind)
        with refused(rt, 100000, f"invalid kind of memcpy, kind = {kind}"):
            rt.memcpy_async(device, 16, host, 16, kind)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_addresses_decide_the_direction(asynchronous: bool) -> None:
    # CP-02.
    rt = runtime()
    host, device = pinned(rt, 5, 16), on_device(rt, 0, 16)
    copy = rt.memcpy_async if asynchronous else rt.memcpy
    copy(device, 16, host, 16, D2H)
    rt.synchronize_device()
    assert device_bytes(rt, device) == [5] * 16
    assert rt.kind_corrected == 1
    copy(device, 16, host, 16, MemcpyKind.DEFAULT)
    copy(device, 16, host, 16, H2D)
    assert rt.kind_corrected == 1
    with refused(rt, 207000, "cannot copy from device to host"):
        copy(host, 16, device, 16, MemcpyKind.HOST_TO_BUF_TO_DEVICE)


def test_synchronous_copy_is_complete_on_return() -> None:
    # CP-03.
    rt = runtime()
    data = np.arange(1 << 20, dtype=np.uint32).view(np.uint8)[: 1 << 20]
    device = rt.malloc(1 << 20)
    rt.memcpy(device, 1 << 20, data, 1 << 20, H2D)
    assert not rt.host_access.in_flight(device.allocation, 0, device.size)
    assert total(rt).copy_bytes == 1 << 20
    back = np.zeros_like(data)
    rt.memcpy(back, 1 << 20, device, 1 << 20, D2H)
    assert (back == data).all()
    assert rt.host_access.hazards == []
    assert not rt.check().reports


def test_synchronous_copy_between_hosts_is_no_command() -> None:
    # CP-02, CP-03.
    rt = runtime()
    array, host = np.full(16, 3, np.uint8), pinned(rt, 1, 16)
    rt.memcpy(host, 16, array, 16, MemcpyKind.HOST_TO_HOST)
    assert host.read().tolist() == [3] * 16
    rt.memcpy(array, 16, host + 8, 8)
    assert total(rt).copy_cmds == total(rt).submits == 0
    read_only = np.zeros(16, np.uint8)
    read_only.flags.writeable = False
    with refused(rt, 107000, "dst is a read-only array"):
        rt.memcpy(read_only, 16, host, 16)


def test_synchronous_copy_is_ordered_after_no_stream() -> None:
    # CP-04: without a synchronization the old value may be read, and the checker says so.
    seen: set[int] = set()
    for seed in range(20):
        rt = runtime(schedule=f"random:{seed}")
        stream, device = rt.create_stream(), on_device(rt, 1, 16)
        rt.launch(seven, 1, stream, device)
        seen.add(device_bytes(rt, device)[0])
        rt.synchronize_stream(stream)
        assert {report.rule for report in rt.check().reports} == {"race"}
    assert seen == {1, 7}
    for seed in range(20):
        rt = runtime(schedule=f"random:{seed}")
        stream, device = rt.create_stream(), on_device(rt, 1, 16)
        rt.launch(seven, 1, stream, device)
        rt.synchronize_stream(stream)
        assert device_bytes(rt, device) == [7] * 16
        assert not rt.check().reports


def test_parameters_of_copies() -> None:
    # CP-05.
    rt = runtime()
    host, device = pinned(rt, 1, 32), on_device(rt, 0, 32)
    for copy in (rt.memcpy, rt.memcpy_async):
        with refused(rt, 107000, r"value 17 for parameter cnt is invalid.*\(0, 16\]"):
            copy(device, 16, host, 17, H2D)
        with refused(rt, 107000, "value -1 for parameter cnt"):
            copy(device, 16, host, -1, H2D)
        with refused(rt, 100000, "dst is null"):
            copy(None, 16, host, 16, H2D)
        with refused(rt, 100000, "src is null"):
            copy(device, 16, None, 16, H2D)
        with refused(rt, 107000, "OUT_OF_RANGE: dst needs 33 bytes, buffer has 32"):
            copy(device, 64, host, 33, H2D)
        copy(None, 16, None, 0, H2D)
        submits = total(rt).submits
        copy(device, 32, device, 32, MemcpyKind.DEVICE_TO_DEVICE)
        assert total(rt).submits == submits
        copy(device, 16, host, 16, H2D)
    rt.synchronize_stream()


def test_asynchronous_copy_only_issues() -> None:
    # CP-06, ZC-13.
    rt = runtime()
    stream, host, device = rt.create_stream(), pinned(rt, 4, 16), on_device(rt, 0, 16)
    rt.memcpy_async(device, 16, host, 16, H2D, stream)
    assert total(rt).copy_cmds == 0
    rt.synchronize_stream(stream)
    assert total(rt).copy_cmds == 1
    assert device_bytes(rt, device) == [4] * 16
    with refused(rt, 207000, "H2H is not supported"):
        rt.memcpy_async(host, 16, np.zeros(16, np.uint8), 16, MemcpyKind.HOST_TO_HOST, stream)
    other = two_devices()
    theirs, mine = other.create_stream(), pinned(other, 1, 16)
    other.set_device(1)
    device = other.malloc(16)
    with refused(other, 107003, "belongs to context"):
        other.memcpy_async(device, 16, mine, 16, H2D, theirs)


@pytest.mark.parametrize("how", ["nothing", "stream", "device", "event"])
def test_three_ways_to_wait_for_a_copy(how: str) -> None:
    # CP-07.
    rt = runtime()
    stream, host, device = rt.create_stream(), pinned(rt, 0, 16), on_device(rt, 9, 16)
    rt.memcpy_async(host, 16, device, 16, D2H, stream)
    if how == "stream":
        rt.synchronize_stream(stream)
    elif how == "device":
        rt.synchronize_device()
    elif how == "event":
        event = rt.create_event()
        rt.record_event(event, stream)
        rt.synchronize_event(event)
    value = host.view()[0]
    if how == "nothing":
        (hazard,) = rt.host_access.hazards
        assert "host read of" in hazard.message
        assert "before copy device to host has completed" in hazard.message
    else:
        assert value == 9
        assert not rt.host_access.hazards
        assert not rt.check().reports


def test_source_stays_until_the_copy_is_complete() -> None:
    # CP-08: the data are taken when the task runs.
    rt = runtime()
    stream, host, device = rt.create_stream(), pinned(rt, 1, 16), on_device(rt, 0, 16)
    rt.memcpy_async(device, 16, host, 16, H2D, stream)
    with refused(rt, 107000, "buffer in use by pending submission"):
        rt.free_host(host)
    with refused(rt, 107000, "buffer in use by pending submission"):
        rt.free(device)
    host.view()[:] = 2
    rt.synchronize_stream(stream)
    assert device_bytes(rt, device) == [2] * 16
    assert "host write of" in rt.host_access.hazards[0].message
    assert "race" in {report.rule for report in rt.check().reports}


@pytest.mark.parametrize("coherent", [True, False])
@pytest.mark.parametrize("schedule", ["deferred", "random:1", "adversarial:2", "adversarial:5"])
def test_copy_in_kernel_copy_out(coherent: bool, schedule: str) -> None:
    # CP-09.
    rt = runtime(coherent=coherent, schedule=schedule)
    stream = rt.create_stream()
    host_in, host_out = rt.malloc_host(4096), rt.malloc_host(4096)
    dev_in, dev_out = rt.malloc(4096), rt.malloc(4096)
    host_in.view("i4")[:] = np.arange(1, 1025)
    rt.memcpy_async(dev_in, 4096, host_in, 4096, H2D, stream)
    rt.launch(double, 256, stream, dev_in, dev_out)
    rt.memcpy_async(host_out, 4096, dev_out, 4096, D2H, stream)
    rt.synchronize_stream(stream)
    assert host_out.view("i4").numpy().tolist() == list(range(2, 2049, 2))
    assert (total(rt).copy_cmds, total(rt).dispatches) == (2, 1)
    assert labels(rt) == ["copy host to device", "kernel double", "copy device to host"]
    assert not rt.check().reports


def test_streams_are_in_order_and_independent() -> None:
    # CP-10.
    orders: set[tuple[str, ...]] = set()
    for seed in SEEDS:
        rt = runtime(schedule=f"random:{seed}")
        host, first, second = pinned(rt, 1, 16), on_device(rt, 0, 16), on_device(rt, 0, 16)
        one, two = rt.create_stream(), rt.create_stream()
        done = len(labels(rt))
        rt.memcpy_async(first, 16, host, 16, H2D, one)
        rt.memset_async(second, 16, 3, 16, two)
        rt.launch(seven, 1, one, first)
        rt.launch(busy, 1, two, second)
        rt.synchronize_device()
        order = tuple(labels(rt)[done:])
        assert order.index("copy host to device") < order.index("kernel seven")
        assert order.index("memset") < order.index("kernel busy")
        orders.add(order)
    assert len(orders) > 1


def test_events_order_streams() -> None:
    # CP-11.
    for seed in SEEDS:
        rt = runtime(schedule=f"random:{seed}")
        host, device, out = pinned(rt, 3, 16), on_device(rt, 0, 16), on_device(rt, 0, 16)
        one, two, event = rt.create_stream(), rt.create_stream(), rt.create_event()
        rt.stream_wait_event(two, event)  # never recorded: complete
        rt.memcpy_async(device, 16, host, 16, H2D, one)
        rt.record_event(event, one)
        rt.stream_wait_event(two, event)
        rt.record_event(event, two)  # the wait keeps to the former point
        rt.launch(double, 1, two, device, out)
        rt.synchronize_device()
        assert labels(rt).index("copy host to device") < labels(rt).index("kernel double")
        assert device_bytes(rt, out, 1) == [6]
        assert not rt.check().reports


def test_page_locked_copies_do_not_block_the_host() -> None:
    # CP-13.
    rt = runtime(costs=Costs(submit_ns=1.0))
    host, device = pinned(rt, 1, 16), rt.malloc(16)
    rt.set_duration("copy host to device", 100.0)
    before = rt.host_ns
    rt.memcpy_async(device, 16, host, 16, H2D)
    assert rt.host_ns - before <= 1
    rt.synchronize_stream()
    assert rt.host_ns - before >= 100


@pytest.mark.parametrize("way", [H2D, D2H])
def test_pageable_copies_block_until_all_before_is_complete(way: MemcpyKind) -> None:
    # CP-14.
    rt = runtime(costs=FREE)
    stream, device, array = rt.create_stream(), on_device(rt, 0, 16), np.full(16, 5, np.uint8)
    rt.set_duration("copy host to device", 50.0)
    rt.set_duration("copy device to host", 50.0)
    before, blocks = rt.host_ns, total(rt).host_blocks
    rt.launch(busy, 1, stream, device)
    if way is H2D:
        rt.memcpy_async(device, 16, array, 16, way, stream)
    else:
        rt.memcpy_async(array, 16, device, 16, way, stream)
        assert array.tolist() == [1] * 16
    assert rt.host_ns - before > 149.9
    assert total(rt).host_blocks - blocks == 1
    if way is H2D:
        assert device_bytes(rt, device) == [5] * 16
    assert not rt.check().reports
    assert not [a for a in rt.allocations if a.name.startswith("staging")]


def test_bytes_are_taken_at_the_call_through_a_buffer() -> None:
    # CP-16: page-locked and pageable memory may change at once; it may be longer than one update.
    size = (1 << 16) + 16
    rt = runtime()
    for host in (pinned(rt, 1, size), np.full(size, 1, np.uint8)):
        device = on_device(rt, 0, size)
        blocks = total(rt).host_blocks
        rt.memcpy_async(device, size, host, size, MemcpyKind.HOST_TO_BUF_TO_DEVICE)
        assert total(rt).host_blocks == blocks
        if isinstance(host, np.ndarray):
            host[:] = 2
        else:
            host.view()[:] = 2
            rt.free_host(host)
        rt.synchronize_stream()
        assert set(device_bytes(rt, device)) == {1}
    assert not rt.host_access.hazards
    assert not rt.check().reports


def test_registering_makes_copies_asynchronous() -> None:
    # CP-17, ZC-13.
    rt = runtime()
    array, device = page_aligned(4096), on_device(rt, 0, 4096)
    array[:] = 6

    def blocks() -> int:
        before = total(rt).host_blocks
        rt.memcpy_async(device, 4096, array, 4096, H2D)
        return total(rt).host_blocks - before

    assert blocks() == 1
    rt.host_register(array, RegisterFlag.PINNED)
    assert blocks() == 0
    rt.synchronize_stream()
    assert set(device_bytes(rt, device)) == {6}
    rt.host_unregister(array)
    assert blocks() == 1
    # Registered as mapped alone it is pageable still, and its own memory is what is copied to.
    rt.host_register(array, RegisterFlag.MAPPED)
    assert blocks() == 1
    rt.memset(device, 4096, 8, 4096)
    rt.memcpy_async(array, 4096, device, 4096, D2H)
    assert set(array.tolist()) == {8}
    assert not rt.check().reports


@pytest.mark.parametrize(("is_pinned", "makespan"), [(True, 100), (False, 200)])
def test_copies_overlap_kernels(is_pinned: bool, makespan: int) -> None:
    # CP-18.
    rt = runtime(costs=FREE)
    one, two = rt.create_stream(), rt.create_stream()
    first, second = rt.malloc(16), rt.malloc(16)
    host = pinned(rt, 1, 16) if is_pinned else np.ones(16, np.uint8)
    rt.set_duration("copy host to device", 100.0)
    before = rt.timeline.makespan_ns
    rt.memcpy_async(first, 16, host, 16, H2D, one)
    rt.launch(busy, 1, two, second)
    rt.synchronize_device()
    assert rt.timeline.makespan_ns - before == pytest.approx(makespan, abs=5)


def test_paths_of_device_copies() -> None:
    # CP-26: one kind, and the addresses choose the path.
    rt = two_devices()
    rt.device_enable_peer_access(1)
    here, there = on_device(rt, 2, 16), on_device(rt, 0, 16)
    rt.set_device(1)
    away = on_device(rt, 0, 16)
    rt.set_device(0)
    for target in (there, away):
        rt.memcpy_async(target, 16, here, 16, MemcpyKind.DEVICE_TO_DEVICE)
    rt.synchronize_stream()
    assert labels(rt)[-2:] == ["copy intra device", "copy inter device"]
    assert device_bytes(rt, there) == device_bytes(rt, away) == [2] * 16
    assert rt.kind_corrected == 0


def test_ranges_of_one_buffer_may_not_overlap() -> None:
    # CP-27.
    rt = runtime()
    device = on_device(rt, 1, 96)
    for copy in (rt.memcpy, rt.memcpy_async):
        with refused(rt, 107000, "source and target ranges overlap within the same buffer"):
            copy(device + 32, 64, device, 64, MemcpyKind.DEVICE_TO_DEVICE)
        copy(device + 32, 32, device, 32, MemcpyKind.DEVICE_TO_DEVICE)
    rt.synchronize_stream()


def test_mapped_addresses_are_no_operands() -> None:
    # CP-58, ZC-22: the host's address is.
    rt = runtime()
    host, device = pinned(rt, 3, 64), on_device(rt, 0, 64)
    rt.host_register(host)
    mapped = rt.host_get_device_pointer(host)
    text = "mapped device address, which cannot be used for memory copy; use the host address"
    for copy in (rt.memcpy, rt.memcpy_async):
        with refused(rt, 107000, f"src is a {text}"):
            copy(device, 64, mapped, 64)  # pyright: ignore[reportArgumentType]
        with refused(rt, 107000, f"dst is a {text}"):
            copy(mapped, 64, device, 64)  # pyright: ignore[reportArgumentType]
    for call in (rt.memset, rt.memset_async, rt.memset_d32):
        with refused(rt, 107000, f"devPtr is a {text}"):
            call(mapped, 64, 0, 4)  # pyright: ignore[reportArgumentType]
    blocks = total(rt).host_blocks
    rt.memcpy_async(device, 64, host, 64)
    assert total(rt).host_blocks == blocks
    rt.synchronize_stream()
    assert device_bytes(rt, device) == [3] * 64


def test_device_memory_is_aligned_and_as_large_as_asked_for() -> None:
    # CP-59.
    rt = runtime(heap_bytes=1 << 20)
    device = rt.malloc(100)
    assert device.address % 64 == 0
    array = np.zeros(101, np.uint8)
    rt.memcpy(device, 128, array, 100, H2D)
    with refused(rt, 107000, "OUT_OF_RANGE: dst needs 101 bytes, buffer has 100"):
        rt.memcpy(device, 128, array, 101, H2D)
    with refused(rt, 100000, "size must be greater than 0"):
        rt.malloc(0)
    with refused(rt, 207001, "allocation of 2097152 bytes failed"):
        rt.malloc(2 << 20)


def test_products_without_pageable_asynchronous_copies() -> None:
    # CP-12.
    rt = runtime(pageable_async=False)
    array, device = np.zeros(16, np.uint8), on_device(rt, 0, 16)
    with refused(rt, 207000, "asynchronous memory copy of pageable memory is not supported"):
        rt.memcpy_async(device, 16, array, 16)
    rt.memcpy(device, 16, array, 16)


def b53(rt: Runtime, wait: bool) -> int:
    """The upload of case B53; what a kernel on another stream reads."""
    size = 1 << 20
    host, device = np.ones(size, np.uint8), on_device(rt, 0, size)
    zero, one, out = rt.create_stream(), rt.create_stream(), rt.malloc(16)
    if wait:
        rt.memcpy_async(device, size, host, size, H2D, zero)
        rt.synchronize_stream(zero)
    else:
        source = pinned(rt, 1, size)
        rt.memcpy_async(device, size, source, size, H2D, zero)
    host[:] = 2
    rt.memcpy_async(out, 16, device, 16, MemcpyKind.DEVICE_TO_DEVICE, one)
    rt.synchronize_stream(one)
    value = device_bytes(rt, out)[0]
    rt.synchronize_device()
    return value


@pytest.mark.parametrize("seed", range(10))
def test_a_blocking_upload_is_seen_by_every_later_stream(seed: int) -> None:
    # Case B53: the source is safe once the call returns, and so is the last leg. What only issues
    # the upload may be overtaken by another stream, which is reported.
    rt = runtime(schedule=f"adversarial:{seed}")
    assert b53(rt, wait=True) == 1
    assert not rt.check().reports
    rt = runtime(schedule=f"adversarial:{seed}")
    assert b53(rt, wait=False) in (0, 1)
    assert "race" in {report.rule for report in rt.check().reports}


@pytest.mark.parametrize("memset_first", [False, True])
def test_uninitialized_bytes_are_reported_where_they_are_used(memset_first: bool) -> None:
    # CP-55, CP-56: copies move the state; a kernel that reads it is reported.
    rt = runtime()
    source, target, out = rt.malloc(32), rt.malloc(32), rt.malloc(16)
    rt.memset(source, 32, 1, 16)
    rt.memcpy_async(target, 32, source, 32)
    if memset_first:
        rt.memset_async(target + 16, 16, 1, 16)

    @kernel(reads("x", "u1", 32), writes("z", "u1", 16))
    def sum_halves(block: int, x: np.ndarray, z: np.ndarray) -> None:
        z[:] = x[:16] + x[16:]

    rt.launch(sum_halves, 1, None, target, out)
    rt.synchronize_stream()
    reports = rt.check().reports
    if memset_first:
        assert not reports
        return
    (report,) = reports
    assert report.rule == "uninitialized"
    assert report.message.startswith("read of uninitialized bytes [16,32) of dev")
    assert [event.label for event in report.origin] == ["aclrtMalloc", "copy intra device"]
