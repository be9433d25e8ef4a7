"""Copies by descriptor."""

import numpy as np
from host_world import device_bytes, on_device, pinned, refused, runtime, total, two_devices
from zcir.runtime.host import MemcpyKind

INNER = MemcpyKind.INNER_DEVICE_TO_DEVICE


def test_descriptor_copies_take_one_kind() -> None:
    # CP-28.
    rt = runtime()
    source, target = on_device(rt, 1, 16), on_device(rt, 0, 16)
    descriptor = rt.malloc(rt.get_memcpy_desc_size(INNER))
    rt.set_memcpy_desc(descriptor, INNER, source, target, 16)
    for kind in (MemcpyKind.DEVICE_TO_DEVICE, MemcpyKind.DEFAULT, 9):
        text = "kind should be INNER_DEVICE_TO_DEVICE"
        with refused(rt, 207000, text):
            rt.get_memcpy_desc_size(kind)
        with refused(rt, 207000, text):
            rt.set_memcpy_desc(descriptor, kind, source, target, 16)
        with refused(rt, 207000, text):
            rt.memcpy_async_with_desc(descriptor, kind)


def test_descriptor_is_set_once_and_used_often() -> None:
    # CP-29.
    rt = runtime()
    source, target, stream = on_device(rt, 1, 16), on_device(rt, 0, 16), rt.create_stream()
    descriptor = rt.malloc(rt.get_memcpy_desc_size(INNER))
    recordings = total(rt).recordings
    rt.set_memcpy_desc(descriptor, INNER, source, target, 16)
    assert total(rt).recordings == recordings + 1
    words = np.array(device_bytes(rt, descriptor), np.uint8).view("<u8")
    assert words[:3].tolist() == [source.address, target.address, 16]
    recordings, copies = total(rt).recordings, total(rt).copy_cmds
    for value in range(3):
        rt.memset_async(source, 16, value, 16, stream)
        rt.memcpy_async_with_desc(descriptor, INNER, stream)
    assert total(rt).copy_cmds == copies
    rt.synchronize_stream(stream)
    assert total(rt).copy_cmds - copies == 3
    assert total(rt).recordings - recordings == 3 + 1  # three fills and one copy
    assert rt.calls.count("aclrtSetMemcpyDesc") == 1
    assert device_bytes(rt, target) == [2] * 16
    assert not rt.check().reports


def test_parameters_of_descriptors() -> None:
    # CP-29.
    rt = two_devices()
    source, target, host = on_device(rt, 1, 128), on_device(rt, 0, 128), pinned(rt, 0, 128)
    descriptor = rt.malloc(128)
    rt.set_device(1)
    far = on_device(rt, 0, 64)
    rt.set_device(0)
    for code, text, arguments in (
        (107000, "desc addr type=HOST is invalid", (host, INNER, source, target, 16)),
        (100000, "desc is null", (None, INNER, source, target, 16)),
        (107008, "desc is not 64-byte aligned", (descriptor + 8, INNER, source, target, 16)),
        (107000, "desc needs 64 bytes", (rt.malloc(32), INNER, source, target, 16)),
        (107000, "DstAddr and srcAddr do not match", (descriptor, INNER, source, far, 16)),
        (107000, "DstAddr and srcAddr do not match", (descriptor, INNER, far, far + 32, 16)),
        (107000, "DstAddr and srcAddr do not match", (descriptor, INNER, host, target, 16)),
        (107000, "value 0 for parameter count", (descriptor, INNER, source, target, 0)),
        (107000, "parameter count", (descriptor, INNER, source, target, (1 << 32) + 1)),
        (
            107000,
            "src needs 129 bytes|dst needs 129 bytes",
            (descriptor, INNER, source, target, 129),
        ),
        (107000, "ranges overlap", (descriptor, INNER, source, source + 8, 16)),
        (100000, "config must be null", (descriptor, INNER, source, target, 16, 1)),
    ):
        with refused(rt, code, text):
            rt.set_memcpy_desc(*arguments)  # pyright: ignore[reportArgumentType]


def test_descriptor_is_set_again() -> None:
    # CP-30.
    rt = runtime()
    a, b, c = on_device(rt, 3, 16), on_device(rt, 0, 16), on_device(rt, 0, 16)
    descriptor = rt.malloc(64)
    rt.set_memcpy_desc(descriptor, INNER, a, b, 16)
    rt.memcpy_async_with_desc(descriptor, INNER)
    with refused(rt, 107000, "descriptor is in use by pending submission"):
        rt.set_memcpy_desc(descriptor, INNER, a, c, 16)
    with refused(rt, 107000, "in use by pending submission"):
        rt.free(descriptor)
    rt.synchronize_stream()
    rt.set_memcpy_desc(descriptor, INNER, a, c, 16)
    rt.memcpy_async_with_desc(descriptor, INNER)
    rt.synchronize_stream()
    assert device_bytes(rt, b) == device_bytes(rt, c) == [3] * 16


def test_descriptor_has_to_be_set() -> None:
    # CP-31.
    rt = runtime()
    a, b, descriptor = on_device(rt, 3, 16), on_device(rt, 0, 16), rt.malloc(128)
    with refused(rt, 107000, "descriptor is not initialized"):
        rt.memcpy_async_with_desc(descriptor, INNER)
    rt.set_memcpy_desc(descriptor, INNER, a, b, 16)
    with refused(rt, 107000, "descriptor is not initialized"):
        rt.memcpy_async_with_desc(descriptor + 64, INNER)
    rt.free(b)
    with refused(rt, 107000, "dst refers to freed memory"):
        rt.memcpy_async_with_desc(descriptor, INNER)


def test_descriptor_copies_are_captured() -> None:
    # CP-24, CP-29: a graph keeps what the descriptor stood for.
    rt = runtime()
    a, b, c = on_device(rt, 3, 16), on_device(rt, 0, 16), on_device(rt, 0, 16)
    descriptor, stream = rt.malloc(64), rt.create_stream()
    rt.set_memcpy_desc(descriptor, INNER, a, b, 16)
    rt.capture_begin(stream)
    rt.memcpy_async_with_desc(descriptor, INNER, stream)
    with refused(rt, 107030, "not allowed while"):
        rt.set_memcpy_desc(descriptor, INNER, a, c, 16)
    graph = rt.capture_end(stream)
    rt.set_memcpy_desc(descriptor, INNER, a, c, 16)
    rt.execute_async(graph, stream)
    rt.synchronize_stream(stream)
    assert device_bytes(rt, b) == [3] * 16
    assert device_bytes(rt, c) == [0] * 16
