"""Copies among tasks of streams: what is ordered, and what is a race."""

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
)
from zcir.runtime.host import (
    MemcpyKind,
    Runtime,
    kernel,
    reads,
    writes,
)

SEEDS = range(100)
H2D, D2H = MemcpyKind.HOST_TO_DEVICE, MemcpyKind.DEVICE_TO_HOST


@kernel(reads("x", "i4", 4), writes("z", "i4", 4))
def double(block: int, x: np.ndarray, z: np.ndarray) -> None:
    z[block * 4 : block * 4 + 4] = 2 * x[block * 4 : block * 4 + 4]


@kernel(writes("z", "u1"))
def seven(block: int, z: np.ndarray) -> None:
    z[:] = 7


@kernel(writes("z", "u1"))
def busy(block: int, z: np.ndarray) -> None:
    z[:] = 1


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


def b53(rt: Runtime, how: str) -> int:
    """The upload of case B53; what another stream reads."""
    size = 1 << 20
    host, device = np.ones(size, np.uint8), on_device(rt, 0, size)
    zero, one, out = rt.create_stream(), rt.create_stream(), rt.malloc(16)
    if how == "issued":
        source = pinned(rt, 1, size)
        rt.memcpy_async(device, size, source, size, H2D, zero)
    else:
        rt.memcpy_async(device, size, host, size, H2D, zero)
        host[:] = 2
    if how == "waited":
        rt.synchronize_stream(zero)
    rt.memcpy_async(out, 16, device, 16, MemcpyKind.DEVICE_TO_DEVICE, one)
    rt.synchronize_stream(one)
    value = device_bytes(rt, out)[0]
    rt.synchronize_device()
    return value


@pytest.mark.parametrize("seed", range(10))
def test_a_blocking_upload_is_seen_by_every_later_stream(seed: int) -> None:
    # Case B53: once the call returns the source is safe, and the last leg is done. An upload that
    # was only issued may be overtaken by another stream, which is reported.
    for how in ("blocking", "waited"):
        rt = runtime(schedule=f"adversarial:{seed}")
        assert b53(rt, how) == 1
        assert not rt.check().reports
    rt = runtime(schedule=f"adversarial:{seed}")
    assert b53(rt, "issued") in (0, 1)
    assert "race" in {report.rule for report in rt.check().reports}
