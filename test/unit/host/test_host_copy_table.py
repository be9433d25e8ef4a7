"""All copy and set calls against the same edges: one table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from host_world import device_bytes, on_device, pinned, runtime, state, total
from zcir.runtime.host import Batch, BatchAttribute, HostError, MemcpyKind, Runtime
from zcir.runtime.host.stream import Stream

SIZE = 64
INNER = MemcpyKind.INNER_DEVICE_TO_DEVICE


@dataclass(slots=True)
class Case:
    """A call's surroundings, and what it is given."""

    rt: Runtime
    stream: Stream
    target: Any
    source: Any
    room: int = SIZE
    """Bytes that the caller says the target has."""
    size: int = SIZE
    kind: int = MemcpyKind.DEFAULT
    place: int | None = None
    """Where the caller of a batch says that the source is."""

    @property
    def batch(self) -> Batch:
        """The case as a batch of one item."""
        attribute = BatchAttribute(0, self.place)
        return Batch([self.target], [self.room], [self.source], [self.size], [attribute], [0])


def descriptor(c: Case) -> None:
    """Set a descriptor, and issue it."""
    place = c.rt.malloc(64)
    try:
        c.rt.set_memcpy_desc(place, c.kind, c.source, c.target, c.size)
        c.rt.memcpy_async_with_desc(place, c.kind, c.stream)
    finally:
        c.rt.synchronize_stream(c.stream)
        c.rt.free(place)


CALLS: dict[str, Callable[[Case], object]] = {
    "memcpy": lambda c: c.rt.memcpy(c.target, c.room, c.source, c.size, c.kind),
    "memcpy_async": lambda c: c.rt.memcpy_async(
        c.target, c.room, c.source, c.size, c.kind, c.stream
    ),
    "memcpy_2d": lambda c: c.rt.memcpy_2d(
        c.target, max(c.size, 1), c.source, max(c.size, 1), c.size, 1, c.kind
    ),
    "memcpy_2d_async": lambda c: c.rt.memcpy_2d_async(
        c.target, max(c.size, 1), c.source, max(c.size, 1), c.size, 1, c.kind, c.stream
    ),
    "memcpy_batch": lambda c: c.rt.memcpy_batch(c.batch),
    "memcpy_batch_async": lambda c: c.rt.memcpy_batch_async(c.batch, c.stream),
    "memset": lambda c: c.rt.memset(c.target, c.room, 1, c.size),
    "memset_async": lambda c: c.rt.memset_async(c.target, c.room, 1, c.size, c.stream),
    "memset_d32": lambda c: c.rt.memset_d32(c.target, c.room, 0x01010101, -(-c.size // 4)),
    "memset_d32_async": lambda c: c.rt.memset_d32_async(
        c.target, c.room, 0x01010101, -(-c.size // 4), c.stream
    ),
}
"""Ways to fill SIZE bytes with 1, from a source that holds 1."""

EDGES = (
    "exact fit",
    "zero size",
    "same pointer",
    "one over",
    "beyond memory",
    "wrong kind",
    "wrong place",
    "freed target",
    "freed source",
    "unregistered",
    "capturing",
    "capturing unregistered",
)
_NOTHING = {"zero size": 0, "same pointer": 0}
_ALL = {"exact fit": 1, "one over": 107000, "beyond memory": 107000, "freed target": 107000}
_COPY = {**_ALL, "freed source": 107000, "unregistered": 1}
_KINDS = {"wrong kind": 100000}
_PLACE = {"wrong place": 100000}
_SYNC = {"capturing": 107030, "capturing unregistered": 107030}
_ASYNC = {"capturing": 0, "capturing unregistered": 107000}
_SET = {**_ALL, "zero size": 0, "unregistered": 107000}
_SET_ASYNC = {"capturing": 0, "capturing unregistered": 107000}
_SET_SYNC = {"capturing": 107030, "capturing unregistered": 107000}

WANTED: dict[str, dict[str, int]] = {
    "memcpy": _NOTHING | _COPY | _KINDS | _SYNC,
    "memcpy_async": _NOTHING | _COPY | _KINDS | _ASYNC,
    "memcpy_2d": _NOTHING | _COPY | _KINDS | _SYNC | {"zero size": 107000},
    "memcpy_2d_async": _NOTHING | _COPY | _KINDS | _ASYNC | {"zero size": 107000},
    "memcpy_batch": _NOTHING | _COPY | _PLACE | _SYNC,
    "memcpy_batch_async": _NOTHING | _COPY | _PLACE | _ASYNC,
    "memset": _SET | _SET_SYNC,
    "memset_async": _SET | _SET_ASYNC,
    "memset_d32": _SET | _SET_SYNC,
    "memset_d32_async": _SET | _SET_ASYNC,
}
"""By call and edge the code of the refusal, or how many submissions are made."""

CELLS = [(call, edge) for call, wanted in WANTED.items() for edge in EDGES if edge in wanted]


def made(edge: str, call: str) -> Case:
    """The surroundings of an edge."""
    rt = runtime()
    target, source = on_device(rt, 0, SIZE), pinned(rt, 1, SIZE)
    c = Case(rt, rt.create_stream(), target, source)
    if edge == "zero size":
        c.size, c.target, c.source = 0, None, None
        if "2d" in call:
            c.target, c.source = target, source
    elif edge == "same pointer":
        c.source = target
    elif edge == "one over":
        c.room -= 1
        if "2d" in call:
            c.size += 1
    elif edge == "beyond memory":
        c.room, c.size = 2 * SIZE, SIZE + 1
    elif edge == "wrong kind":
        c.kind = 9
    elif edge == "wrong place":
        c.place = 0
    if "unregistered" in edge:
        array = np.full(SIZE, 1, np.uint8)
        c.target, c.source = (array, None) if "memset" in call else (target, array)
    change_state(c, edge)
    return c


def change_state(c: Case, edge: str) -> None:
    """What an edge does to memory and streams before the call."""
    if edge == "freed target":
        c.rt.free(c.target)
    elif edge == "freed source":
        c.rt.free_host(c.source)
    elif "capturing" in edge:
        c.rt.capture_begin(c.stream)


@pytest.mark.filterwarnings("ignore::zcir.runtime.host.ExperimentalWarning")
@pytest.mark.parametrize(("call", "edge"), CELLS)
def test_edges_are_alike_for_all_calls(call: str, edge: str) -> None:
    # CP-57, CP-05, CP-58: what is refused has no effect, what has none submits nothing.
    c = made(edge, call)
    before, wanted = state(c.rt), WANTED[call][edge]
    submits, blocks = total(c.rt).submits, total(c.rt).host_blocks
    if wanted >= 100000:
        with pytest.raises(HostError) as caught:
            CALLS[call](c)
        assert caught.value.code == wanted, caught.value
        assert state(c.rt) == before
        return
    CALLS[call](c)
    assert total(c.rt).submits - submits == wanted
    if "capturing" in edge:
        graph = c.rt.capture_end(c.stream)
        assert graph.tasks == 1
        assert device_bytes(c.rt, c.target) == [0] * SIZE
        c.rt.execute_async(graph, c.stream)
    elif wanted:
        waits = "async" not in call or edge == "unregistered"
        assert total(c.rt).host_blocks - blocks == waits
    else:
        assert state(c.rt) == before
        return
    c.rt.synchronize_stream(c.stream)
    assert device_bytes(c.rt, c.target) == [1] * SIZE
    assert not c.rt.check().reports


@pytest.mark.parametrize(
    ("edge", "wanted"),
    [
        ("exact fit", 0),
        ("zero size", 100000),
        ("beyond memory", 107000),
        ("wrong kind", 207000),
        ("freed target", 107000),
        ("freed source", 107000),
        ("unregistered", 107000),
    ],
)
def test_edges_of_descriptors(edge: str, wanted: int) -> None:
    # CP-28, CP-29: a descriptor stays as it was where setting it is refused.
    c = made(edge, "descriptor")
    if edge not in ("zero size", "freed source", "unregistered"):
        c.source = on_device(c.rt, 1, SIZE)
    if edge != "wrong kind":
        c.kind = INNER
    if not wanted:
        descriptor(c)
        assert device_bytes(c.rt, c.target) == [1] * SIZE
        return
    with pytest.raises(HostError) as caught:
        descriptor(c)
    assert caught.value.code == wanted, caught.value


def test_the_table_has_every_call_and_edge() -> None:
    assert set(WANTED) == set(CALLS)
    assert {edge for _, edge in CELLS} == set(EDGES)
    assert len(CELLS) >= 90
