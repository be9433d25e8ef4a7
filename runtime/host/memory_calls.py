"""Allocation: `aclrtMallocHost`, `aclrtFreeHost`, `aclrtMalloc`, `aclrtFree`."""

from enum import IntEnum

from .calls import api
from .core import RuntimeCore
from .errors import ErrorCode
from .memory import Allocation, AllocationKind, DevicePointer, HostPointer, Pointer
from .options import HOST_POOL
from .stream import DeviceState


class MallocPolicy(IntEnum):
    """Where device memory should come from (`aclrtMemMallocPolicy`); a hint (CP-59)."""

    HUGE_FIRST = 0
    HUGE_ONLY = 1
    NORMAL_ONLY = 2
    HUGE_FIRST_P2P = 3
    HUGE_ONLY_P2P = 4
    NORMAL_ONLY_P2P = 5


class MemoryCalls(RuntimeCore):
    """Calls that make and free memory."""

    @api("aclrtMallocHost")
    def malloc_host(self, size: int, name: str = "") -> HostPointer:
        """`size` bytes of page-locked host memory, 64-byte aligned, contents undefined
        (`aclrtMallocHost`, ZC-07). Needs no synchronization.

        Raises HostError INVALID_PARAMETER for a size that is not positive, ALLOCATION_FAILED
        where there is not enough.
        """
        self.require_positive(size=size)
        name = name or f"host{next(self.numbers)}"
        buffer = self.allocate(HOST_POOL, size, name, "host")
        return HostPointer(
            self._add(Allocation(buffer, AllocationKind.MALLOC_HOST, name, self.host_access))
        )

    @api("aclrtFreeHost")
    def free_host(self, pointer: HostPointer | None) -> None:
        """Free page-locked memory at once (`aclrtFreeHost`, ZC-08); see also
        `free_host_with_dev_sync`.

        Raises HostError: INVALID_PARAMETER for null, INVALID_RUNTIME_PARAMETER for anything but
        the start of memory from `malloc_host` that is alive, not registered, and not used by a
        task in flight.
        """
        allocation = self._host_block(pointer)
        self.check_idle(allocation)
        self.release_memory(allocation)

    @api("aclrtFreeHostWithDevSync")
    def free_host_with_dev_sync(self, pointer: HostPointer | None) -> None:
        """Wait for the device's tasks, then free (`aclrtFreeHostWithDevSync`)."""
        allocation = self._host_block(pointer)
        for stream in list(self.context().streams):
            self.wait_for(stream.position, stream.name)
        self.check_idle(allocation)
        self.release_memory(allocation)

    @api("aclrtMalloc")
    def malloc(
        self, size: int, policy: MallocPolicy = MallocPolicy.HUGE_FIRST, name: str = ""
    ) -> DevicePointer:
        """`size` bytes of the current device's memory, 64-byte aligned, contents undefined
        (`aclrtMalloc`, CP-59). The policy is a hint.

        Raises HostError INVALID_PARAMETER for a size that is not positive, ALLOCATION_FAILED
        where there is not enough.
        """
        self.require_positive(size=size)
        if policy not in set(MallocPolicy):
            self.invalid("policy", policy, "a MallocPolicy")
        return self.allocate_device(size, name or f"dev{next(self.numbers)}")

    @api("aclrtFree")
    def free(self, pointer: DevicePointer | None) -> None:
        """Free device memory (`aclrtFree`).

        Raises HostError as `free_host` does, for memory from `malloc`.
        """
        self.require(devPtr=pointer)
        if not isinstance(pointer, DevicePointer) or pointer.offset:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER, f"{pointer!r} was not allocated by malloc"
            )
        self._check_alive(pointer)
        self.check_idle(pointer.allocation)
        self.release_memory(pointer.allocation)

    def allocate_device(
        self, size: int, name: str, device: DeviceState | None = None
    ) -> DevicePointer:
        """Memory of a device, by default the current; ALLOCATION_FAILED where it has too little."""
        device = device or self.context().device
        pool = self.options.topology.pool_of(device.name).name
        buffer = self.allocate(pool, size, name, device.name)
        allocation = Allocation(buffer, AllocationKind.DEVICE, name, self.host_access, device.index)
        return DevicePointer(self._add(allocation))

    def _add(self, allocation: Allocation) -> Allocation:
        self.allocations[allocation] = None
        return allocation

    def release_memory(self, allocation: Allocation) -> None:
        """Free memory that no task uses."""
        self.host_access.release(allocation)
        del self.allocations[allocation]

    def _check_alive(self, pointer: Pointer) -> None:
        if not pointer.allocation.alive:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"{pointer.allocation.name} is freed already",
                "ptr",
                pointer,
            )

    def _host_block(self, pointer: HostPointer | None) -> Allocation:
        """The allocation that a call is to free."""
        self.require(hostPtr=pointer)
        if (
            not isinstance(pointer, HostPointer)
            or pointer.offset
            or pointer.allocation.kind is not AllocationKind.MALLOC_HOST
        ):
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"{type(pointer).__name__} was not allocated by malloc_host",
                "hostPtr",
                pointer,
            )
        self._check_alive(pointer)
        if pointer.allocation.registration is not None:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"memory is still registered: unregister {pointer.allocation.name} first",
                "hostPtr",
                pointer,
            )
        return pointer.allocation
