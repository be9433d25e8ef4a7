"""Host data given to the device, in place or copied (case B03)."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from host_world import refused, runtime, total
from zcir.dialects.topology import DeviceProperties, Topology
from zcir.runtime.host import Runtime, kernel, one_device, page_aligned, reads, writes


@kernel(reads("x", "i4"), writes("first", "i4", 1))
def take_first(block: int, x: Any, first: Any) -> None:
    first[:] = x[:1]


def first_of(rt: Runtime, pointer: Any) -> int:
    out = rt.malloc_host(64)
    out.view("i4")[:] = 0
    rt.host_register(out)
    rt.launch(take_first, 1, None, pointer, rt.host_get_device_pointer(out))
    rt.synchronize_stream()
    return int(out.view("i4")[0])


@pytest.mark.parametrize("coherent", [True, False])
@pytest.mark.parametrize("count", [4, 100, 5000])
@pytest.mark.parametrize("kind", ["malloc_host", "page", "unaligned"])
def test_a_copy_that_is_asked_for_is_made_whatever_the_size(
    coherent: bool, count: int, kind: str
) -> None:
    # Case B03: (b) must copy: the device reads 0 for every size.
    rt = runtime(coherent=coherent)
    values = np.arange(7, 7 + count, dtype="i4")
    memory: Any
    if kind == "malloc_host":
        memory = rt.malloc_host(values.nbytes)
        view = memory.view("i4")
    else:
        memory = view = page_aligned(count + 1, "i4")[kind == "unaligned" :][:count]
    view[:] = values
    shared = rt.share(memory, must_copy=True)
    assert not shared.aliased
    assert total(rt).copy_cmds == 1
    view[0:1] = -1
    assert first_of(rt, shared.pointer) == 7
    rt.free(shared.pointer)  # pyright: ignore[reportArgumentType]
    assert not rt.check().reports
    # (a) may alias: the answer says whether it did, and does not depend on the size.
    shared = rt.share(memory)
    assert shared.aliased is (kind != "unaligned")
    assert ("aligned" in shared.reason) is (kind == "unaligned")
    view[0:1] = -5
    assert first_of(rt, shared.pointer) == (-5 if shared.aliased else -1)
    assert not rt.check().reports


def test_why_memory_is_not_shared() -> None:
    rt = runtime()
    memory, array = rt.malloc_host(64), page_aligned(8192)
    memory.write(b"a" * 64)
    again = rt.share(memory), rt.share(memory)
    assert again[0] == again[1]
    assert rt.share(memory + 16).aliased
    other = rt.malloc_host(64)
    other.write(b"b" * 64)
    assert rt.share(other + 16).reason == "it is not the start of its allocation"
    rt.host_register(array[:4096], 0x10000000)
    assert rt.share(array[:4096]).reason == "it is registered without MAPPED"
    assert rt.share(array).reason == "it is registered in part"
    constant = page_aligned(64)
    constant.flags.writeable = False
    assert rt.share(constant).reason == "the array is read-only"
    with refused(rt, 100000, "memory is null"):
        rt.share(None)
    with refused(rt, 100000, "size must be greater than 0"):
        rt.share(page_aligned(0))
    with refused(rt, 107000, "memory: buffer must be C-contiguous"):
        rt.share(page_aligned(64)[::2])
    small = runtime(heap_bytes=1 << 12)
    with refused(small, 207001, "allocation of 8192 bytes failed"):
        small.share(array, must_copy=True)


def replaced(lacking: str) -> Topology:
    device = replace(DeviceProperties("npu"), **{lacking: False})
    return Topology((device,))


@pytest.mark.parametrize(
    ("lacking", "reason"),
    [
        ("host_register_mapped", "the device cannot map host memory"),
        ("host_register_pageable", "the system maps page-locked memory alone"),
    ],
)
def test_devices_that_cannot_map_get_a_copy(lacking: str, reason: str) -> None:
    # ZC-42: the plain copy path works without the capability.
    rt = runtime(topology=replaced(lacking))
    array = page_aligned(64)
    array[:] = 9
    shared = rt.share(array)
    assert (shared.aliased, shared.reason) == (False, reason)
    assert total(rt).copy_bytes == 64


def test_staging_leaves_nothing() -> None:
    for coherent in (True, False):
        rt = runtime(coherent=coherent)
        shared = rt.share(np.arange(33, dtype="u1")[1:])
        assert [a.name for a in rt.allocations] == [shared.pointer.allocation.name]
        assert not rt.check().reports
        assert len(rt.context().streams) == 1


def test_misaligned_memory_is_never_shared() -> None:
    # Case B51: alias, copy, copy; an error where the caller demands zero copy.
    rt = runtime()
    array = page_aligned(4096)
    array[:] = 3
    cases = ((array[:256], True), (array[1024 + 16 :][:256], False), (array[2048:][:250], False))
    for memory, aliased in cases:
        shared = rt.share(memory, alignment=64)
        assert shared.aliased is aliased
        if not aliased:
            assert "is not a multiple of 64" in shared.reason
            with refused(rt, 207000, "memory cannot be shared: its .* is not a multiple of 64"):
                rt.share(memory, alignment=64, must_alias=True)
    assert total(rt).copy_cmds == 2
    with refused(rt, 100000, "alignment must be greater than 0"):
        rt.share(array, alignment=0)


def test_memory_beyond_the_reach_of_a_device_is_copied() -> None:
    # Case B56: reachability is part of the choice, and a demand for zero copy is refused.
    rt = runtime(topology=one_device(address_reach=4096))
    near, far = rt.malloc_host(4096), rt.malloc_host(64)
    near.view("i4")[:] = 4
    far.view("i4")[:] = 9
    assert rt.share(near).aliased
    text = "device npu reaches host addresses below 4096, the memory ends at 4160"
    shared = rt.share(far)
    assert (shared.aliased, shared.reason) == (False, text)
    with refused(rt, 207000, f"memory cannot be shared: {text}"):
        rt.share(far, must_alias=True)
    with refused(rt, 207000, text):
        rt.host_register(far)
