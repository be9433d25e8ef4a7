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
    kernel,
    page_aligned,
    reads,
    writes,
)

H2D, D2H = MemcpyKind.HOST_TO_DEVICE, MemcpyKind.DEVICE_TO_HOST
FREE = Costs(submit_ns=0.0, launch_ns=0.0, maintenance_ns=0.0)


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
