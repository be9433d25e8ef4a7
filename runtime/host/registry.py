"""Registered host memory, by address (`aclrtHostRegisterV2`), and how an array is looked up."""

from bisect import bisect_right
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .memory import Allocation, HostPointer


class RegisterFlag(IntFlag):
    """How host memory is registered: `ACL_HOST_REG_*`."""

    MAPPED = 0x2
    """The device gets an address for it."""
    IOMEMORY = 0x4
    """Reserved."""
    READONLY = 0x8
    """Reserved."""
    PINNED = 0x10000000
    """Pageable memory becomes page-locked."""


@dataclass(slots=True, eq=False)
class Registration:
    """A registered range of an allocation."""

    allocation: Allocation
    start: int
    """First byte, from the start of the allocation."""
    size: int
    """Bytes."""
    flags: RegisterFlag
    device: int
    """The device that was current when it was made; others import it when they map it."""
    address: int
    """The host address of its first byte."""
    alive: bool = True
    imported_by: set[int] = field(default_factory=set[int])
    """Devices that have imported it."""

    @property
    def mapped(self) -> bool:
        """Whether devices may get an address for it."""
        return RegisterFlag.MAPPED in self.flags

    @property
    def pinned(self) -> bool:
        """Whether it made pageable memory page-locked."""
        return RegisterFlag.PINNED in self.flags


def array_address(array: NDArray[Any]) -> int:
    """The address of an array's first byte in the process that simulates."""
    return int(array.__array_interface__["data"][0])


class Registry:
    """Registered ranges. Those of arrays are found by the address that numpy gives."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._arrays: list[Registration] = []
        self._blocks: dict[Allocation, Registration] = {}

    @property
    def registrations(self) -> list[Registration]:
        """All that are alive."""
        return [*self._arrays, *self._blocks.values()]

    def overlapping(self, address: int, size: int) -> Registration | None:
        """A registered range of arrays with a byte in [address, address + size)."""
        index = bisect_right(self._starts, address + size - 1) - 1
        if index < 0:
            return None
        last = self._arrays[index]
        return last if last.address + last.size > address else None

    def of_block(self, allocation: Allocation) -> Registration | None:
        """The registration of a page-locked allocation."""
        return self._blocks.get(allocation)

    def pointer_of(self, array: NDArray[Any]) -> HostPointer | None:
        """The place of an array in registered memory; None where it is not all in one range."""
        address = array_address(array)
        found = self.overlapping(address, max(array.nbytes, 1))
        if found is None or address < found.address:
            return None
        if address + array.nbytes > found.address + found.size:
            return None
        return HostPointer(found.allocation, address - found.address)

    def add(self, registration: Registration) -> None:
        """Add a range that overlaps none."""
        allocation = registration.allocation
        allocation.registration = registration
        if allocation.array is None:
            self._blocks[allocation] = registration
            return
        index = bisect_right(self._starts, registration.address)
        self._starts.insert(index, registration.address)
        self._arrays.insert(index, registration)

    def remove(self, registration: Registration) -> None:
        """Take a range away; pointers that came from it are no longer valid."""
        registration.alive = False
        allocation = registration.allocation
        allocation.registration = None
        if allocation.array is None:
            del self._blocks[allocation]
            return
        index = self._arrays.index(registration)
        del self._starts[index]
        del self._arrays[index]


PAGE = 4096
"""Bytes that the address of registered pageable memory is a multiple of (ZC-15)."""


def page_aligned(count: int, dtype: Any = np.uint8) -> NDArray[Any]:
    """An array of `count` zeros whose memory starts at a page, so that it can be registered."""
    kind: np.dtype[Any] = np.dtype(dtype)
    raw = np.zeros(count * kind.itemsize + PAGE, np.uint8)
    first = -array_address(raw) % PAGE
    return raw[first : first + count * kind.itemsize].view(kind)
