"""Host and device memory as the host program names it: allocations, and pointers into them.

A pointer names an allocation and an offset, so that it stays distinct from a later allocation at
the same address (case B43), and `pointer + n` is n bytes further on. Which pointer may be used for
what follows from its class:

    HostPointer     `aclrtMallocHost`, or a registered array: the host reads and writes through
                    it, and what it does is an event that the checker sees
    DevicePointer   `aclrtMalloc`: operands of copies, arguments of kernels
    MappedPointer   `aclrtHostGetDevicePointer`: the device's name of registered host memory, for
                    arguments of kernels alone (ZC-22)

A numpy array that is not registered is pageable host memory.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from ..hal.buffer import Buffer

if TYPE_CHECKING:
    from .host_access import HostAccess
    from .registry import Registration

MAPPED_BASE = 1 << 60
"""Device addresses of mapped host memory lie this far above the host's (ZC-18)."""


class MemoryClass(StrEnum):
    """What kind of memory an address names."""

    PAGEABLE = "pageable"
    """Host memory that may be swapped out: an array that is not registered as page-locked."""
    PINNED = "pinned"
    """Page-locked host memory: from `malloc_host`, or registered with the flag PINNED."""
    MAPPED = "mapped"
    """The device's address of registered host memory."""
    DEVICE = "device"


class AllocationKind(StrEnum):
    """Who made an allocation."""

    MALLOC_HOST = "malloc_host"
    REGISTERED_ARRAY = "registered array"
    """A numpy array of the caller, for as long as it is registered."""
    DEVICE = "malloc"


@dataclass(frozen=True, slots=True)
class PendingUse:
    """A submitted task that the host does not know to be complete, and bytes that it touches."""

    stream: int
    """Number of the stream."""
    value: int
    """The task's number on its stream, from 1."""
    start: int
    """First byte, from the start of the allocation."""
    end: int
    writes: bool
    label: str

    def overlaps(self, start: int, end: int) -> bool:
        """Whether it touches a byte of [start, end)."""
        return self.start < end and start < self.end


@dataclass(slots=True, eq=False)
class Allocation:
    """One piece of memory of the host API."""

    buffer: Buffer
    kind: AllocationKind
    name: str
    """As messages name it."""
    access: HostAccess
    """How the host reaches its bytes."""
    device: int | None = None
    """Index of the device that owns it; None for host memory."""
    array: NDArray[np.uint8] | None = None
    """For a registered array: its bytes, flat."""
    shadow: NDArray[np.uint8] | None = None
    """For a registered array: its bytes as the runtime last knew them."""
    alive: bool = True
    pending: list[PendingUse] = field(default_factory=list[PendingUse])
    """Uses by tasks that the host did not know to be complete when it last looked."""
    dirty: tuple[int, int] | None = None
    """The hull of the bytes that the host wrote since it last flushed them, or None."""
    registration: Registration | None = None
    """The registration of host memory, if there is one."""
    holders: list[str] = field(default_factory=list[str])
    """What refers to it for longer than a task, such as captured graphs: it cannot be freed."""

    @property
    def size(self) -> int:
        """Bytes that were asked for."""
        return self.buffer.length

    @property
    def address(self) -> int:
        """The host's or the owning device's address of its first byte."""
        return self.buffer.start

    @property
    def is_host(self) -> bool:
        """Whether it is host memory."""
        return self.device is None

    def published(self, offset: int, data: NDArray[np.uint8]) -> None:
        """The host wrote `data` at `offset` through a pointer: a registered array follows."""
        if self.array is not None and self.shadow is not None:
            self.array[offset : offset + len(data)] = data
            self.shadow[offset : offset + len(data)] = data


@dataclass(frozen=True, slots=True)
class Pointer(ABC):
    """A place in an allocation."""

    allocation: Allocation
    offset: int = 0
    """Bytes from the start of the allocation."""
    writable: bool = True
    """Whether kernels may write through it."""

    @property
    def address(self) -> int:
        """Flat byte address, in the address space of the pointer's class."""
        return self.allocation.address + self.offset

    @property
    def size(self) -> int:
        """Bytes from here to the end of the allocation; not positive beyond it."""
        return self.allocation.size - self.offset

    @property
    @abstractmethod
    def memory_class(self) -> MemoryClass:
        """What it points to."""

    def subspan(self, length: int) -> Buffer:
        """The HAL buffer of `length` bytes from here; HalError OUT_OF_RANGE beyond the end."""
        return self.allocation.buffer.subspan(self.offset, length)

    def __add__(self, offset: int) -> Self:
        return replace(self, offset=self.offset + offset)

    def read_only(self) -> Self:
        """The same place, which kernels may not write through (ZC-30)."""
        return replace(self, writable=False)

    def __repr__(self) -> str:
        return f"{self.allocation.name}+{self.offset} at 0x{self.address:x}"


class DevicePointer(Pointer):
    """A place in device memory."""

    __slots__ = ()

    @property
    def memory_class(self) -> MemoryClass:
        """DEVICE."""
        return MemoryClass.DEVICE


@dataclass(frozen=True, slots=True, repr=False)
class MappedPointer(Pointer):
    """The device's name of a place in registered host memory."""

    registration: Registration | None = None
    """The registration it came from; the pointer is valid no longer than that."""

    @property
    def address(self) -> int:
        """The device's address, which differs from the host's."""
        return MAPPED_BASE + self.allocation.address + self.offset

    @property
    def memory_class(self) -> MemoryClass:
        """MAPPED."""
        return MemoryClass.MAPPED

    @property
    def size(self) -> int:
        """Bytes from here to the end of the registered range."""
        if self.registration is None:
            return 0
        return self.registration.start + self.registration.size - self.offset


class HostPointer(Pointer):
    """A place in page-locked or registered host memory, which the host reads and writes here.

    `pointer.view(dtype)` is the memory as an array: `view[3]`, `view[:8] = 1`, `view.numpy()`.
    """

    __slots__ = ()

    @property
    def memory_class(self) -> MemoryClass:
        """PINNED, or PAGEABLE where a pageable array is registered without the flag PINNED."""
        registration = self.allocation.registration
        if self.allocation.kind is AllocationKind.MALLOC_HOST:
            return MemoryClass.PINNED
        pinned = registration is not None and registration.pinned
        return MemoryClass.PINNED if pinned else MemoryClass.PAGEABLE

    def read(self, length: int | None = None) -> NDArray[np.uint8]:
        """A copy of `length` bytes, by default all up to the end, as the host sees them now.

        Raises HostError for bytes outside of the allocation and for freed memory.
        """
        length = self.size if length is None else length
        return self.allocation.access.read(self.allocation, self.offset, length)

    def write(self, data: NDArray[Any] | bytes) -> None:
        """Store the bytes of `data` from here on. Raises HostError as `read` does."""
        flat = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else flat_bytes(data)
        self.allocation.access.write(self.allocation, self.offset, flat)

    def view(self, dtype: Any = np.uint8, count: int | None = None) -> HostView:
        """`count` elements of `dtype` from here, by default all that fit."""
        kind: np.dtype[Any] = np.dtype(dtype)
        return HostView(self, kind, self.size // kind.itemsize if count is None else count)


@dataclass(frozen=True, slots=True)
class HostView:
    """Host memory as a one-dimensional array. Reading copies; assigning stores."""

    pointer: HostPointer
    dtype: np.dtype[Any]
    count: int
    """Elements."""

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int | slice) -> Any:
        start, stop, step = self._range(index)
        if stop <= start:
            return np.empty(0, self.dtype)
        data = (self.pointer + start * self._item).read((stop - start) * self._item)
        elements = data.view(self.dtype)
        return elements[::step] if isinstance(index, slice) else elements[0]

    def __setitem__(self, index: int | slice, value: Any) -> None:
        start, stop, step = self._range(index)
        if step != 1:
            raise IndexError("a view is assigned by consecutive elements; give a step of 1")
        elements = np.empty(max(stop - start, 0), self.dtype)
        elements[...] = value
        (self.pointer + start * self._item).write(elements)

    def numpy(self) -> NDArray[Any]:
        """A copy of all elements."""
        return self[:]

    @property
    def _item(self) -> int:
        return self.dtype.itemsize

    def _range(self, index: int | slice) -> tuple[int, int, int]:
        if isinstance(index, slice):
            start, stop, step = index.indices(self.count)
            if step < 1:
                raise IndexError("a view is read from front to back; give a positive step")
            return start, stop, step
        place = index + self.count if index < 0 else index
        if not 0 <= place < self.count:
            raise IndexError(f"index {index} is outside of a view of {self.count} elements")
        return place, place + 1, 1


def flat_bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """The bytes of a contiguous array, without a copy where it is one."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
