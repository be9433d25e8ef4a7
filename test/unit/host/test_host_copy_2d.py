"""Copies of rectangles."""

from typing import Any

import numpy as np
import pytest
from host_world import device_bytes, on_device, pinned, refused, runtime, total
from zcir.runtime.host import MemcpyKind, RegisterFlag, Runtime, page_aligned

H2D, D2H, D2D = (
    MemcpyKind.HOST_TO_DEVICE,
    MemcpyKind.DEVICE_TO_HOST,
    MemcpyKind.DEVICE_TO_DEVICE,
)


def wanted() -> list[int]:
    """Rows of 8 at a pitch of 16 over 0xEE, out of 0, 1, 2, … at a pitch of 10."""
    out = np.full(48, 0xEE, np.uint8)
    for row in range(3):
        out[16 * row : 16 * row + 8] = np.arange(10 * row, 10 * row + 8)
    return out.tolist()


def numbers(rt: Runtime, kind: str) -> Any:
    """30 bytes 0, 1, 2, … of host memory."""
    if kind == "array":
        return np.arange(30, dtype=np.uint8)
    memory = pinned(rt, 0, 30) if kind == "pinned" else page_aligned(30)
    if kind == "registered":
        rt.host_register(memory, RegisterFlag.PINNED)
    view = memory if isinstance(memory, np.ndarray) else memory.view()
    view[:] = np.arange(30, dtype=np.uint8)
    return memory


@pytest.mark.parametrize("kind", ["array", "pinned", "registered"])
@pytest.mark.parametrize("asynchronous", [False, True])
def test_rows_are_copied_and_gaps_left(kind: str, asynchronous: bool) -> None:
    # CP-36, CP-12.
    rt = runtime()
    host, device, back = numbers(rt, kind), on_device(rt, 0xEE, 48), on_device(rt, 0, 48)
    copy = rt.memcpy_2d_async if asynchronous else rt.memcpy_2d
    copy(device, 16, host, 10, 8, 3, H2D)
    rt.synchronize_device()
    assert total(rt).copy_bytes == 24
    assert device_bytes(rt, device) == wanted()
    # And back, into memory whose gaps stay as they are, too.
    rt.memcpy(back, 48, device, 48)
    view: Any = host if kind != "pinned" else host.view()
    view[:] = 0xDD
    copy(host, 10, back, 16, 8, 3, D2H)
    rt.synchronize_device()
    rows: Any = np.array(view[:]).reshape(3, 10)
    assert rows[:, 8:].tolist() == [[0xDD] * 2] * 3
    assert rows[:, :8].tolist() == [list(range(10 * row, 10 * row + 8)) for row in range(3)]
    assert not rt.check().reports


def test_rows_without_gaps_are_one_copy() -> None:
    # CP-36.
    rt = runtime()
    host, device = pinned(rt, 3, 24), on_device(rt, 0, 24)
    rt.memcpy_2d(device, 8, host, 8, 8, 3, H2D)
    assert total(rt).copy_cmds == 1
    rt.memcpy_2d(device, 8, host, 9, 7, 2, H2D)
    assert total(rt).copy_cmds == 3


def test_shapes_of_rectangles() -> None:
    # CP-37: pitches of target and source, width and height.
    rt = runtime()
    host, device = pinned(rt, 3, 64), on_device(rt, 0, 64)
    for copy in (rt.memcpy_2d, rt.memcpy_2d_async):
        for shape, text in (
            ((8, 16, 9, 2), "value 9 for parameter width .* less than or equal to dstPitch"),
            ((16, 8, 9, 2), "value 9 for parameter width .* less than or equal to srcPitch"),
            ((0, 8, 8, 2), "value 0 for parameter dstPitch"),
            ((8, -1, 8, 2), "value -1 for parameter srcPitch"),
            ((8, 8, 0, 2), "value 0 for parameter width"),
            ((8, 8, 8, 0), "value 0 for parameter height"),
            ((8, 8, 8, 5_242_881), "value 5242881 for parameter height .* equal to 5242880"),
            ((6_000_000, 6_000_000, 5_000_001, 1), "parameter width .* equal to 5000000"),
        ):
            target_pitch, source_pitch, width, height = shape
            with refused(rt, 107000, text):
                copy(device, target_pitch, host, source_pitch, width, height, H2D)
        copy(device, 8, host, 8, 8, 2, H2D)
    rt.synchronize_stream()


def test_rectangles_have_to_fit() -> None:
    # CP-38.
    rt = runtime()
    host = pinned(rt, 3, 28)
    small, large = on_device(rt, 0, 39), on_device(rt, 0, 40)
    with refused(rt, 107000, "OUT_OF_RANGE: dst needs 40 bytes, buffer has 39"):
        rt.memcpy_2d(small, 16, host, 10, 8, 3, H2D)
    rt.memcpy_2d(large, 16, host, 10, 8, 3, H2D)
    with refused(rt, 107000, "OUT_OF_RANGE: src needs 28 bytes, buffer has 27"):
        rt.memcpy_2d(large, 16, host + 1, 10, 8, 3, H2D)


def test_directions_of_rectangles() -> None:
    # CP-39: the kind is resolved from the addresses first.
    rt = runtime()
    host, array = pinned(rt, 3, 16), np.zeros(16, np.uint8)
    first, second = on_device(rt, 1, 16), on_device(rt, 2, 16)
    for kind in (D2D, MemcpyKind.DEFAULT, H2D):
        with refused(rt, 100000, "supports only H2D or D2H"):
            rt.memcpy_2d(second, 4, first, 4, 4, 4, kind)
        with refused(rt, 100000, "host to host is not supported"):
            rt.memcpy_2d(host, 4, array, 4, 4, 4, kind)
        with refused(rt, 100000, "supports only H2D, D2H or D2D"):
            rt.memcpy_2d_async(host, 4, array, 4, 4, 4, kind)
    rt.memcpy_2d_async(second, 4, first, 4, 4, 4, D2D)
    rt.synchronize_stream()
    assert device_bytes(rt, second) == [1] * 16
    rt.memcpy_2d(second, 4, host, 4, 4, 4, D2H)
    assert rt.kind_corrected == 1


def test_rectangles_within_a_buffer() -> None:
    # CP-27: rows may interleave, and may not overlap.
    rt = runtime()
    device = rt.malloc(64)
    rt.memcpy(device, 64, np.arange(64, dtype=np.uint8), 64)
    rt.memcpy_2d_async(device + 8, 16, device, 16, 8, 4, D2D)
    rt.synchronize_stream()
    rows = np.array(device_bytes(rt, device)).reshape(4, 2, 8)
    assert (rows[:, 0] == rows[:, 1]).all()
    with refused(rt, 107000, "source and target ranges overlap within the same buffer"):
        rt.memcpy_2d_async(device + 7, 16, device, 16, 8, 3, D2D)
    with refused(rt, 107000, "source and target ranges overlap within the same buffer"):
        rt.memcpy_2d_async(device, 15, device, 16, 8, 3, D2D)
    submits = total(rt).submits
    rt.memcpy_2d_async(device, 16, device, 16, 8, 4, D2D)
    assert total(rt).submits == submits


@pytest.mark.parametrize(("kind", "blocks"), [("pinned", 0), ("registered", 0), ("array", 1)])
def test_rectangles_of_pageable_memory_block(kind: str, blocks: int) -> None:
    # CP-40.
    rt = runtime()
    host, device, stream = numbers(rt, kind), on_device(rt, 0, 48), rt.create_stream()
    before = total(rt).host_blocks
    rt.memcpy_2d_async(device, 16, host, 10, 8, 3, H2D, stream)
    assert total(rt).host_blocks - before == blocks
    rt.synchronize_stream(stream)
    rt.capture_begin(stream)
    if blocks:
        with refused(rt, 107000, "asynchronous 2D memory copy task: src is pageable"):
            rt.memcpy_2d_async(device, 16, host, 10, 8, 3, H2D, stream)
    else:
        rt.memcpy_2d_async(device, 16, host, 10, 8, 3, H2D, stream)
    assert rt.capture_end(stream).tasks == 1 - blocks
