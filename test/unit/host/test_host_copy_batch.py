"""Copies of several ranges in one call."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from host_world import (
    device_bytes,
    on_device,
    pinned,
    refused,
    runtime,
    state,
    total,
    two_devices,
)
from zcir.runtime.host import (
    NO_FAIL_INDEX,
    Batch,
    BatchAttribute,
    ExperimentalWarning,
    HostError,
    Runtime,
)

IN, OUT = BatchAttribute(target=0, source=None), BatchAttribute(target=None, source=0)

pytestmark = pytest.mark.filterwarnings("ignore::zcir.runtime.host.ExperimentalWarning")


def batch(
    items: Sequence[tuple[Any, Any, int]],
    attributes: Sequence[BatchAttribute] = (IN,),
    starts: Sequence[int] = (0,),
    maxima: Sequence[int] | None = None,
) -> Batch:
    """Items are target, source and size."""
    sizes = [size for _, _, size in items]
    return Batch(
        [target for target, _, _ in items],
        sizes if maxima is None else maxima,
        [source for _, source, _ in items],
        sizes,
        attributes,
        starts,
    )


def rejected(rt: Runtime, code: int, text: str, made: Batch, fail: int = NO_FAIL_INDEX) -> None:
    """All four calls refuse a batch alike, without effect, and say which item is at fault."""
    calls = (
        rt.memcpy_batch,
        rt.memcpy_batch_async,
        rt.memcpy_batch_v2,
        rt.memcpy_batch_async_v2,
    )
    for call in calls:
        before = state(rt)
        with pytest.raises(HostError, match=text) as caught:
            call(made)
        assert caught.value.code == code, caught.value
        assert state(rt) == before
        without = call in (rt.memcpy_batch_v2, rt.memcpy_batch_async_v2)
        assert caught.value.fail_index == (None if without else fail)


def three(rt: Runtime, array: bool = False) -> tuple[Batch, list[Any]]:
    """Three items of 16, 32 and 8 bytes to the device, the last from an array if so asked."""
    sources: list[Any] = [pinned(rt, index + 1, size) for index, size in enumerate((16, 32, 8))]
    if array:
        sources[2] = np.full(8, 3, np.uint8)
    targets = [on_device(rt, 0, size) for size in (16, 32, 8)]
    return batch(list(zip(targets, sources, (16, 32, 8), strict=True))), targets


@pytest.mark.parametrize("how", ["sync", "async", "v2", "async v2"])
def test_batches_copy_all_items_in_one_submission(how: str) -> None:
    # CP-41, CP-47, CP-46: V2 does the same.
    rt = runtime()
    made, targets = three(rt)
    before = total(rt)
    if how == "sync":
        assert rt.memcpy_batch(made) == NO_FAIL_INDEX
    elif how == "async":
        assert rt.memcpy_batch_async(made) == NO_FAIL_INDEX == 2**64 - 1
    elif how == "v2":
        rt.memcpy_batch_v2(made)
    else:
        rt.memcpy_batch_async_v2(made)
    rt.synchronize_stream()
    assert total(rt).copy_cmds - before.copy_cmds == 3
    assert total(rt).submits - before.submits == 1
    for index, target in enumerate(targets):
        assert set(device_bytes(rt, target)) == {index + 1}
    assert not rt.check().reports


def test_items_are_in_no_order() -> None:
    # CP-42.
    orders: set[tuple[int, ...]] = set()
    for seed in range(100):
        rt = runtime(schedule=f"random:{seed}")
        made, targets = three(rt)
        first = len(rt.system.graph.events)
        rt.memcpy_batch(made)
        copies = [event for event in rt.system.graph.events[first:] if event.copies]
        orders.add(tuple(event.writes[0].end - event.writes[0].start for event in copies))
        assert [device_bytes(rt, target)[0] for target in targets] == [1, 2, 3]
    assert len(orders) >= 2


def test_items_may_not_depend_on_each_other() -> None:
    # CP-42: writes of the same bytes, and reads of what another one writes.
    rt = runtime()
    host, device = pinned(rt, 1, 64), on_device(rt, 0, 64)
    apart = [(device, host, 16), (device + 16, host, 16)]
    rejected(rt, 107000, "batch items 0 and 2 overlap", batch([*apart, (device + 8, host + 32, 4)]))
    shared = np.zeros(64, np.uint8)
    rejected(
        rt,
        107000,
        "batch items 0 and 1 overlap",
        batch([(shared[:16], device, 16), (shared[8:24], device, 16)], [OUT]),
    )
    rt.memcpy_batch(batch(apart))


def test_lengths_of_batches() -> None:
    # CP-43, CP-46.
    rt = runtime()
    host, device = pinned(rt, 1, 64), on_device(rt, 0, 64)
    rejected(
        rt,
        107000,
        "dsts has 3 entries, destMaxs 3, srcs 2, sizes 3",
        Batch([device] * 3, [1] * 3, [host] * 2, [1] * 3, [IN], [0]),
    )
    rejected(rt, 100000, "numBatches must be greater than 0", batch([]))
    items = [(device, host, 16), (device + 16, host, 20)]
    rejected(
        rt,
        107000,
        "copy size 20 at index 1 exceeds the size 16",
        batch(items, maxima=[16, 16]),
    )
    rejected(rt, 107000, "dst needs 64 bytes, buffer has 56", batch([(device + 8, host, 64)]))
    rejected(rt, 100000, "src is null", batch([(device, None, 4)]))


def test_batches_go_one_way() -> None:
    # CP-44.
    rt = runtime()
    host, device = pinned(rt, 1, 64), on_device(rt, 0, 64)
    mixed = [(device, host, 4), (device + 4, host, 4), (host + 8, device + 8, 4)]
    rejected(
        rt,
        100000,
        "batch mixes H2D and D2H at index 2",
        batch(mixed, [IN, OUT], [0, 2]),
        fail=2,
    )
    inner = BatchAttribute(target=0, source=0)
    text = "item 0 goes {}; only H2D and D2H copy directions are supported"
    rejected(
        rt, 100000, text.format("intra device"), batch([(device, device + 8, 4)], [inner]), fail=0
    )
    both = BatchAttribute(target=None, source=None)
    rejected(rt, 100000, text.format("host to host"), batch([(host, host + 8, 4)], [both]), fail=0)


def test_attributes_say_where_operands_are() -> None:
    # CP-45, CP-46.
    rt = two_devices()
    host, device = pinned(rt, 1, 64), on_device(rt, 0, 64)
    rt.device_enable_peer_access(1)
    rt.set_device(1)
    far = on_device(rt, 0, 64)
    rt.set_device(0)
    there = BatchAttribute(target=1, source=None)
    items = [(device + i if i < 6 else far + i, host + i, 1) for i in range(10)]
    rt.memcpy_batch(batch(items, [IN, there], [0, 6]))
    assert device_bytes(rt, device, 10) == [1] * 6 + [0] * 4
    assert device_bytes(rt, far, 10) == [0] * 6 + [1] * 4
    later = "each entry in attrsIdxs must be greater than the previous entry"
    for attributes, starts, text in (
        ([IN, there], [0, 0], later),
        ([IN], [1], "the first entry in attrsIdxs must be 0, got 1"),
        ([IN, there], [0, 10], r"attrsIdxs\[1\] is 10; expected less than 10"),
        ([], [], r"numAttrs must be in \[1, 10\], got 0"),
        ([IN] * 11, list(range(11)), r"numAttrs must be in \[1, 10\], got 11"),
        ([IN, there], [0], "attrsIdxs has 1 entries, attrs 2"),
        ([BatchAttribute(0, None, reserved=1)], [0], "rsv of an attribute must be 0"),
    ):
        rejected(rt, 100000, text, batch(items, attributes, starts))
    rejected(
        rt,
        100000,
        "the input memory type device 1 and the memory of dst at index 4, which is device 0, do",
        batch(items, [IN, there], [0, 4]),
        fail=4,
    )
    # Pageable memory is memory of the host.
    rt.memcpy_batch(batch([(device, np.ones(4, np.uint8), 4)]))


def test_nothing_to_copy() -> None:
    # CP-48: decided before all but the number of items.
    rt = runtime()
    host, device = pinned(rt, 1, 64), on_device(rt, 0, 64)
    submits, copies = total(rt).submits, total(rt).copy_cmds
    rt.memcpy_batch(batch([(None, None, 0), (device, host, 0)], [], []))
    assert total(rt).submits == submits
    rt.memcpy_batch(batch([(device, host, 0), (device, host, 8)]))
    assert total(rt).copy_cmds - copies == 1


def test_synchronous_batches_have_a_limit() -> None:
    # CP-49.
    rt = runtime()
    host, device = pinned(rt, 1, 4097), on_device(rt, 0, 4097)
    items = [(device + i, host + i, 1) for i in range(4097)]
    rt.memcpy_batch(batch(items[:4096]))
    for call in (rt.memcpy_batch, rt.memcpy_batch_v2):
        with refused(rt, 107000, "less than or equal to 4096"):
            call(batch(items))
    rt.memcpy_batch_async(batch(items))
    rt.synchronize_stream()
    assert set(device_bytes(rt, device)) == {1}


def test_batches_are_on_trial() -> None:
    # CP-50.
    rt = runtime()
    made, _ = three(rt)
    with pytest.warns(ExperimentalWarning, match="aclrtMemcpyBatch is on trial") as caught:
        rt.memcpy_batch(made)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rt.memcpy_batch(made)
    rt = runtime(batch_copies=False)
    made, _ = three(rt)
    rejected(rt, 207000, "batch copies are not supported by this product", made)


@pytest.mark.parametrize("array", [False, True])
def test_one_pageable_item_makes_a_batch_block(array: bool) -> None:
    # CP-15, CP-51, CP-12.
    rt = runtime()
    stream = rt.create_stream()
    made, targets = three(rt, array)
    blocks = total(rt).host_blocks
    rt.memcpy_batch_async(made, stream)
    assert total(rt).host_blocks - blocks == array
    rt.synchronize_stream(stream)
    assert [device_bytes(rt, target)[0] for target in targets] == [1, 2, 3]
    rt.capture_begin(stream)
    if array:
        with refused(rt, 107000, "asynchronous batch copy task: .* does not support graph"):
            rt.memcpy_batch_async(made, stream)
    else:
        rt.memcpy_batch_async(made, stream)
    assert rt.capture_end(stream).tasks == 1 - array


def test_batches_from_the_device() -> None:
    # CP-41: pageable and page-locked targets in one call.
    rt = runtime()
    device, host, array = on_device(rt, 6, 64), pinned(rt, 0, 16), np.zeros(48, np.uint8)
    items = [(host, device, 16), (array[:16], device + 16, 16), (array[32:], device + 32, 16)]
    rt.memcpy_batch(batch(items, [OUT]))
    assert host.read().tolist() == [6] * 16
    assert array.tolist() == [6] * 16 + [0] * 16 + [6] * 16
    assert not rt.check().reports
