"""Filling memory."""

import numpy as np
import pytest
from host_world import device_bytes, labels, on_device, pinned, refused, runtime, total
from zcir.runtime.host import kernel, page_aligned, writes


@kernel(writes("z", "u1"))
def seven(block: int, z: np.ndarray) -> None:
    z[:] = 7


def test_memset_fills_bytes() -> None:
    # CP-52.
    rt = runtime()
    device, host = on_device(rt, 1, 16), pinned(rt, 1, 16)
    for pointer in (device, host):
        rt.memset(pointer, 16, 0x1FF, 10)
        with refused(rt, 107000, r"value 17 for parameter count is invalid.*\(0, 16\]"):
            rt.memset(pointer, 16, 0, 17)
        with refused(rt, 107000, "OUT_OF_RANGE: devPtr needs 17 bytes, buffer has 16"):
            rt.memset(pointer, 32, 0, 17)
        rt.memset(pointer, 16, 0, 0)
    rt.memset(None, 16, 0, 0)
    with refused(rt, 100000, "devPtr is null"):
        rt.memset(None, 16, 0, 1)
    wanted = [0xFF] * 10 + [1] * 6
    assert device_bytes(rt, device) == host.read().tolist() == wanted
    registered = page_aligned(4096)
    rt.host_register(registered)
    for array in (np.zeros(16, np.uint8), registered):
        with refused(rt, 107000, "memory was not allocated by the runtime"):
            rt.memset(array, 16, 0, 8)


def test_memset_async_only_issues() -> None:
    # CP-53.
    rt = runtime()
    device, host, stream = rt.malloc(16), pinned(rt, 1, 16), rt.create_stream()
    rt.launch(seven, 1, stream, device)
    rt.memset_async(device, 16, 3, 8, stream)
    rt.memset_async(host, 16, 5, 16, stream)
    rt.memset_async(None, 16, 5, 0, stream)
    assert total(rt).fills == 0
    rt.synchronize_stream(stream)
    assert total(rt).fills == 2
    assert labels(rt) == ["kernel seven", "memset", "memset"]
    assert device_bytes(rt, device) == [3] * 8 + [7] * 8
    assert host.read().tolist() == [5] * 16
    assert not rt.check().reports


@pytest.mark.parametrize("asynchronous", [False, True])
def test_memset_of_words(asynchronous: bool) -> None:
    # CP-54.
    rt = runtime()
    device, host = on_device(rt, 0, 16), pinned(rt, 0, 16)
    fill = rt.memset_d32_async if asynchronous else rt.memset_d32
    for pointer in (device, host):
        with refused(rt, 107000, "memSize 15 is less than 16"):
            fill(pointer, 15, 0x01020304, 4)
        with refused(rt, 107008, "is not a multiple of 4"):
            fill(pointer + 2, 4, 0, 1)
        with refused(rt, 107000, "value -1 for parameter count"):
            fill(pointer, 16, 0, -1)
        fill(pointer, 16, 0x01020304, 4)
        fill(pointer, 16, 0, 0)
    assert host.read().tolist() == [4, 3, 2, 1] * 4
    rt.synchronize_stream()
    assert device_bytes(rt, device) == [4, 3, 2, 1] * 4
    assert not rt.host_access.hazards


def test_negative_words_wrap() -> None:
    # CP-54.
    rt = runtime()
    host = pinned(rt, 0, 8)
    rt.memset_d32(host, 8, -1, 2)
    assert host.read().tolist() == [255] * 8
