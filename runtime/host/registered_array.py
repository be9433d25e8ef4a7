"""Arrays of the caller that stand for host memory while they are registered.

The host program changes and reads such an array with numpy, which tells nobody. The runtime
therefore compares it with what it last knew whenever it hands memory over: what differs was
written by the host since, and what tasks have written is put into the array once the host has
waited for them. Elements are compared, not bytes, so that filling an array is one write. That a
host program reads an array too early is not seen; it then gets the old bytes.
"""

import numpy as np
from numpy.typing import NDArray

from ..hal.recorder import Source
from ..hal.system import System
from .caller import caller
from .memory import Allocation

_GRAIN = 8
"""Widest unit in bytes that is compared as one."""


def publish(system: System, allocation: Allocation) -> list[tuple[int, int]]:
    """Store what the host program changed in the array; the ranges, from its start."""
    array, shadow = allocation.array, allocation.shadow
    if array is None or shadow is None:
        return []
    runs = changed_runs(array, shadow)
    for start, end in runs:
        part = allocation.buffer.subspan(start, end - start)
        source = Source(f"host write of {allocation.name}", caller())
        system.host.store(part, array[start:end], source)
        shadow[start:end] = array[start:end]
    return runs


def fetch(system: System, allocation: Allocation, spans: list[tuple[int, int]]) -> None:
    """Put what tasks have written to the ranges into the array."""
    array, shadow = allocation.array, allocation.shadow
    if array is None or shadow is None:
        return
    for start, end in spans:
        part = allocation.buffer.subspan(start, end - start)
        source = Source(f"host read of {allocation.name}", caller())
        data = system.host.load(part, source)
        array[start:end] = data
        shadow[start:end] = data


def changed_runs(array: NDArray[np.uint8], shadow: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """The ranges of bytes that differ, in units of up to 8 bytes; few where changes lie close."""
    grain = int(np.gcd(len(array), _GRAIN))
    changed = (array.reshape(-1, grain) != shadow.reshape(-1, grain)).any(axis=1)
    edges = np.flatnonzero(np.diff(changed, prepend=False, append=False)) * grain
    return [(start, end) for start, end in edges.reshape(-1, 2).tolist()]
