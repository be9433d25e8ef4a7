"""Copies between devices, and who may reach whom."""

from dataclasses import replace

import pytest
from host_world import device_bytes, on_device, refused, runtime, two_devices
from zcir.dialects.topology import BufferMode, Link, Topology
from zcir.runtime.host import DevicePointer, MemcpyKind, Runtime, peer_devices

D2D = MemcpyKind.DEVICE_TO_DEVICE


def three_devices() -> Runtime:
    """d0 and d1 are linked, d2 is apart."""
    linked = peer_devices("d0", "d1")
    apart = replace(linked.devices[0], name="d2")
    none = BufferMode.NONE
    cut = tuple(
        Link(a, b, buffer_read=none, buffer_write=none)
        for a, b in (("d0", "d2"), ("d2", "d0"), ("d1", "d2"), ("d2", "d1"))
    )
    return runtime(topology=Topology((*linked.devices, apart), (*linked.links, *cut)))


def pair(rt: Runtime) -> tuple[DevicePointer, DevicePointer]:
    """Memory of device 0 (all 1) and of device 1 (all 2); device 1 is set afterwards."""
    rt.set_device(0)
    first = on_device(rt, 1, 16)
    rt.set_device(1)
    return first, on_device(rt, 2, 16)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_copies_between_devices_need_access(asynchronous: bool) -> None:
    # CP-32.
    rt = two_devices()
    source, target = pair(rt)
    copy = rt.memcpy_async if asynchronous else rt.memcpy
    with refused(rt, 107000, "peer access from device 1 to device 0 is not enabled"):
        copy(target, 16, source, 16, D2D)
    assert device_bytes(rt, target) == [2] * 16
    rt.device_enable_peer_access(0)
    copy(target, 16, source, 16, D2D)
    rt.synchronize_device()
    assert device_bytes(rt, target) == [1] * 16
    assert not rt.check().reports


def test_who_can_reach_whom() -> None:
    # CP-33.
    rt = three_devices()
    assert rt.device_can_access_peer(0, 1)
    assert not rt.device_can_access_peer(0, 2)
    with refused(rt, 100000, "deviceId 0 cannot be equal to peerDeviceId 0"):
        rt.device_can_access_peer(0, 0)
    with refused(rt, 107001, "invalid device id 3"):
        rt.device_can_access_peer(0, 3)


def test_access_is_directed() -> None:
    # CP-34.
    rt = two_devices()
    first, second = pair(rt)
    rt.device_enable_peer_access(0, 0)
    rt.memcpy(second, 16, first, 16, D2D)
    rt.set_device(0)
    with refused(rt, 107000, "peer access from device 0 to device 1 is not enabled"):
        rt.memcpy(first, 16, second, 16, D2D)
    rt.device_enable_peer_access(1)
    rt.memcpy(first, 16, second, 16, D2D)
    with refused(rt, 100000, "flags must be 0, got 1"):
        rt.device_enable_peer_access(1, 1)
    with refused(rt, 100000, "cannot be equal"):
        rt.device_enable_peer_access(0)
    rt = three_devices()
    with refused(rt, 207000, "devices 0 and 2 cannot access each other"):
        rt.device_enable_peer_access(2)
    mine = on_device(rt, 0, 16)
    rt.set_device(2)
    theirs = on_device(rt, 0, 16)
    with refused(rt, 207000, "cannot copy from device 0 to device 2: devices 2 and 0 cannot"):
        rt.memcpy(theirs, 16, mine, 16, D2D)


def test_access_twice_and_its_end() -> None:
    # CP-35: what was issued before completes.
    rt = two_devices()
    source, target = pair(rt)
    with refused(rt, 107000, "peer access is not enabled"):
        rt.device_disable_peer_access(0)
    rt.device_enable_peer_access(0)
    rt.device_enable_peer_access(0)
    assert rt.device_peer_access_status(1, 0) == 1
    assert rt.device_peer_access_status(0, 1) == 0
    rt.memcpy_async(target, 16, source, 16, D2D)
    rt.device_disable_peer_access(0)
    assert rt.device_peer_access_status(1, 0) == 0
    with refused(rt, 107000, "peer access from device 1 to device 0 is not enabled"):
        rt.memcpy_async(target, 16, source, 16, D2D)
    rt.synchronize_stream()
    assert device_bytes(rt, target) == [1] * 16


def test_other_calls_need_access_too() -> None:
    # CP-32: fills, rectangles and copies from the host reach other devices alike.
    rt = two_devices()
    other, _ = pair(rt)
    text = "peer access from device 1 to device 0 is not enabled"
    host = rt.malloc_host(16)
    host.view()[:] = 4
    for call in (
        lambda: rt.memset(other, 16, 0, 16),
        lambda: rt.memset_async(other, 16, 0, 16),
        lambda: rt.memcpy(other, 16, host, 16),
        lambda: rt.memcpy_2d(other, 4, host, 4, 4, 4),
        lambda: rt.memcpy_2d_async(host, 4, other, 4, 4, 4),
    ):
        with refused(rt, 107000, text):
            call()
