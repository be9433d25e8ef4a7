"""Runtimes and kernels that the tests of the host API share."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from zcir.runtime.counters import Counters
from zcir.runtime.events import EventKind
from zcir.runtime.host import (
    DevicePointer,
    HostError,
    HostPointer,
    MappedPointer,
    MemcpyKind,
    Runtime,
    kernel,
    one_device,
    peer_devices,
    reads,
    writes,
)

BLOCK = 2048
ELEMENTS = 8 * BLOCK
BYTES = 2 * ELEMENTS
ONE, TWO, THREE, FOUR = 0x3C00, 0x4000, 0x4200, 0x4400
"""FP16 bit patterns."""


@kernel(reads("x", "f2", BLOCK), reads("y", "f2", BLOCK), writes("z", "f2", BLOCK))
def add(block: int, x: Any, y: Any, z: Any) -> None:
    """One block of z = x + y."""
    part = slice(block * BLOCK, (block + 1) * BLOCK)
    z[part] = x[part] + y[part]


def runtime(*, coherent: bool = True, **options: Any) -> Runtime:
    """A runtime of one device, initialized, with the device set."""
    options.setdefault("topology", one_device(host_coherent=coherent))
    made = Runtime(**options)
    made.init()
    made.set_device(0)
    return made


def filled(rt: Runtime, pattern: int, size: int = BYTES) -> HostPointer:
    """Page-locked memory of 16-bit words `pattern`."""
    memory = rt.malloc_host(size)
    memory.view("u2")[:] = pattern
    return memory


def mapped(rt: Runtime, pattern: int, size: int = BYTES) -> tuple[HostPointer, MappedPointer]:
    """The same, registered, and the device's address of it."""
    memory = filled(rt, pattern, size)
    rt.host_register(memory)
    return memory, rt.host_get_device_pointer(memory)


@contextmanager
def refused(rt: Runtime, code: int, text: str) -> Generator[None]:
    """The body is one refused call: right code and text, and nothing has changed."""
    before = state(rt)
    with pytest.raises(HostError, match=text) as caught:
        yield
    assert caught.value.code == code, caught.value
    assert state(rt) == before


def state(rt: Runtime) -> dict[str, Any]:
    """All that a refused call must not change."""
    return {
        "counters": rt.statistics.as_dict(),
        "registrations": len(rt.registry.registrations),
        "allocations": [
            (a.name, a.dirty, len(rt.host_access.in_flight(a, 0, a.size))) for a in rt.allocations
        ],
        "captures": [(len(capture.tasks), capture.spoiled) for capture in rt.captures],
        "kind_corrected": rt.kind_corrected,
        "peers": [sorted(device.peers) for device in rt.devices],
        "streams": {s.name: s.value for c in rt.contexts.values() for s in c.streams},
        "events": len(rt.system.graph.events),
        "current": dict(rt.current),
        "initialized": rt.initialized,
    }


def total(rt: Runtime) -> Counters:
    """Counters over all agents."""
    return rt.statistics.total


def device_bytes(rt: Runtime, pointer: DevicePointer, size: int | None = None) -> list[int]:
    """What device memory holds now, by a copy of its own; waits for nothing else."""
    out = np.zeros(pointer.size if size is None else size, np.uint8)
    rt.memcpy(out, len(out), pointer, len(out), MemcpyKind.DEVICE_TO_HOST)
    return out.tolist()


def on_device(rt: Runtime, value: int, size: int) -> DevicePointer:
    """Device memory whose bytes are all `value`."""
    pointer = rt.malloc(size)
    rt.memset(pointer, size, value, size)
    return pointer


def pinned(rt: Runtime, value: int, size: int) -> HostPointer:
    """Page-locked memory whose bytes are all `value`."""
    pointer = rt.malloc_host(size)
    pointer.view()[:] = value
    return pointer


def labels(rt: Runtime) -> list[str]:
    """Labels of all commands that devices have executed, in the order of execution; maintenance
    left out."""
    return [
        event.label
        for event in rt.system.graph.events
        if event.agent != "host" and event.kind is EventKind.ACCESS
    ]


def two_devices(**options: Any) -> Runtime:
    """A runtime of two linked devices, of which device 0 is set."""
    return runtime(topology=peer_devices("d0", "d1"), **options)
