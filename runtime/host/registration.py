"""Registration of host memory and its device addresses: `aclrtHostRegisterV2` and its kin.

A buffer goes from none to pinned (`malloc_host`), registered (`host_register` with MAPPED) and
mapped (`host_get_device_pointer`), and back the same way; no step can be skipped (ZC-09).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..hal.buffer import BufferParams
from ..hal.flags import BufferUsage, MemoryType
from ..hal.recorder import Source
from .caller import caller
from .calls import api
from .core import RuntimeCore
from .errors import ErrorCode
from .memory import (
    Allocation,
    AllocationKind,
    HostPointer,
    MappedPointer,
    flat_bytes,
)
from .options import HOST_POOL
from .registry import PAGE, RegisterFlag, Registration, array_address

HostMemory = HostPointer | NDArray[Any]
"""What can be registered: page-locked memory, or an array of the caller."""

_KNOWN = RegisterFlag.MAPPED | RegisterFlag.IOMEMORY | RegisterFlag.READONLY | RegisterFlag.PINNED
_RESERVED = (RegisterFlag.IOMEMORY, RegisterFlag.READONLY)


class RegistrationCalls(RuntimeCore):
    """Calls that register host memory."""

    @api("aclrtHostRegisterV2")
    def host_register(
        self, memory: HostMemory | None, flag: int = RegisterFlag.MAPPED, size: int | None = None
    ) -> None:
        """Register `size` bytes of host memory, by default all (`aclrtHostRegisterV2`, ZC-10).

        Contents and host address stay as they are. MAPPED lets devices get an address for it,
        PINNED makes an array page-locked. An array must be contiguous and start at a page.

        Raises HostError, in this order: INVALID_PARAMETER for null or a size of zero,
        INVALID_RUNTIME_PARAMETER for unknown flags, FEATURE_NOT_SUPPORTED for reserved ones and
        for devices that cannot, ALREADY_REGISTERED for any overlap, ADDRESS_UNALIGNED.
        """
        self._register(memory, flag, size)

    @api("aclrtHostGetDevicePointer")
    def host_get_device_pointer(self, memory: HostMemory | None, flag: int = 0) -> MappedPointer:
        """The current device's address of registered host memory (`aclrtHostGetDevicePointer`,
        ZC-18); the same at each call. For a place inside, with option `strict_base` refused, the
        address is as far inside (ZC-21).

        Raises HostError INVALID_PARAMETER for null and for a flag that is not 0,
        INVALID_RUNTIME_PARAMETER where it is not registered as MAPPED.
        """
        return self._device_pointer(memory, flag)

    @api("aclrtHostUnregister")
    def host_unregister(self, memory: HostMemory | None) -> None:
        """End a registration, given its base (`aclrtHostUnregister`, ZC-23). Device pointers that
        came from it are invalid then, and an array is no longer page-locked.

        Raises HostError INVALID_PARAMETER for null, NOT_REGISTERED for anything but the base of a
        registration, INVALID_RUNTIME_PARAMETER while a task in flight uses it.
        """
        self.require(ptr=memory)
        assert memory is not None
        registration = self._registration_of(memory)
        address = memory.address if isinstance(memory, HostPointer) else array_address(memory)
        if registration is None or registration.address != address:
            self.refuse(
                ErrorCode.NOT_REGISTERED,
                f"host address 0x{address:x} has not been registered; give the base of a "
                "registration",
                "ptr",
                memory,
            )
        allocation = registration.allocation
        self.check_idle(allocation, "registration")
        self.release_registration(registration)

    @api("aclrtHostRegister")
    def host_register_v1(self, memory: HostMemory | None, type_: int = 0) -> MappedPointer:
        """Register as mapped and give the device's address, in one call (`aclrtHostRegister`,
        ZC-25).

        Raises HostError FEATURE_NOT_SUPPORTED for a type other than 0; else as
        `host_register` and `host_get_device_pointer` do.
        """
        if type_ != 0:
            self.refuse(
                ErrorCode.FEATURE_NOT_SUPPORTED,
                f"type={type_} is not supported; expected 0 (mapped)",
                "type",
                type_,
            )
        self._register(memory, RegisterFlag.MAPPED, None)
        return self._device_pointer(memory, 0)

    def release_registration(self, registration: Registration) -> None:
        """End a registration that no task uses; an array's memory is the caller's alone again."""
        self.registry.remove(registration)
        allocation = registration.allocation
        if allocation.array is not None:
            self.host_access.hand_over(allocation)
            self.host_access.release(allocation)
            del self.allocations[allocation]

    # Parts of these.

    def _register(self, memory: HostMemory | None, flag: int, size: int | None) -> None:
        self.require(ptr=memory)
        assert memory is not None
        size = self._size(memory) if size is None else size
        self.require_positive(size=size)
        self._check_flags(flag)
        device = self.context().device
        if not self.properties(device).host_register_mapped:
            self.refuse(
                ErrorCode.FEATURE_NOT_SUPPORTED,
                f"host register is not supported on device {device.name} ({device.soc})",
            )
        flags = RegisterFlag(flag)
        if isinstance(memory, HostPointer):
            registration = self._registered_block(memory, size, flags)
        else:
            registration = self._registered_array(memory, size, flags)
        self.registry.add(registration)

    def _size(self, memory: HostMemory) -> int:
        return memory.size if isinstance(memory, HostPointer) else memory.nbytes

    def _check_flags(self, flag: int) -> None:
        if not flag or flag & ~int(_KNOWN):
            listed = ", ".join(f"{bit.name} 0x{bit:x}" for bit in _KNOWN)
            self.invalid("flag", hex(flag) if flag else 0, f"an OR of {listed}")
        for bit in _RESERVED:
            if flag & bit:
                self.refuse(
                    ErrorCode.FEATURE_NOT_SUPPORTED,
                    f"ACL_HOST_REG_{bit.name} is reserved and not supported",
                    "flag",
                    flag,
                )

    def _registered_block(
        self, memory: HostPointer, size: int, flags: RegisterFlag
    ) -> Registration:
        """Check and make the registration of page-locked memory; it is imported at once."""
        allocation = memory.allocation
        if not allocation.alive:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER, f"{allocation.name} is freed", "ptr", memory
            )
        if allocation.registration is not None:
            self._refuse_overlap(memory.address, size, allocation.registration)
        if memory.offset:
            self._refuse_alignment(memory.address)
        if RegisterFlag.PINNED in flags:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                "ACL_HOST_REG_PINNED applies only to non-page-locked memory; "
                f"{allocation.name} is page-locked already",
                "flag",
                int(flags),
            )
        if size > allocation.size:
            self.invalid("size", size, f"at most {allocation.size}, the size of {allocation.name}")
        device = self.context().device
        if unreachable := self.out_of_reach(allocation, size, device):
            self.refuse(ErrorCode.FEATURE_NOT_SUPPORTED, unreachable, "ptr", memory)
        self.statistics[device.name].imports += 1
        return Registration(
            allocation, 0, size, flags, device.index, memory.address, imported_by={device.index}
        )

    def _registered_array(
        self, array: NDArray[Any], size: int, flags: RegisterFlag
    ) -> Registration:
        """Check and make the registration of an array, whose bytes become host memory here."""
        if not array.flags.c_contiguous:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER, "buffer must be C-contiguous", "ptr", array
            )
        device = self.context().device
        if not self.properties(device).host_register_pageable:
            self.refuse(
                ErrorCode.FEATURE_NOT_SUPPORTED,
                "registering non-page-locked memory is not supported on this system; use "
                "malloc_host",
                "ptr",
            )
        address = array_address(array)
        other = self.registry.overlapping(address, size)
        if other is not None:
            self._refuse_overlap(address, size, other)
        if address % PAGE:
            self._refuse_alignment(address)
        if size > array.nbytes:
            self.invalid("size", size, f"at most {array.nbytes}, the size of the array")
        if not array.flags.writeable:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER, "buffer is read-only; register a copy", "ptr"
            )
        allocation = self._adopt(flat_bytes(array)[:size])
        return Registration(
            allocation, 0, size, flags, device.index, address, imported_by={device.index}
        )

    def _adopt(self, data: NDArray[np.uint8]) -> Allocation:
        name, location = f"array{next(self.numbers)}", caller()
        kind = MemoryType.HOST_LOCAL | MemoryType.DEVICE_VISIBLE
        usage = BufferUsage.DEFAULT | BufferUsage.MAPPING
        params = BufferParams(kind, usage, name=name, location=location)
        source = Source(self.operation, location)
        buffer = self.system.host.import_array(data, HOST_POOL, params, source)
        allocation = Allocation(
            buffer,
            AllocationKind.REGISTERED_ARRAY,
            name,
            self.host_access,
            array=data,
            shadow=data.copy(),
        )
        self.allocations[allocation] = None
        return allocation

    def _refuse_overlap(self, address: int, size: int, other: Registration) -> None:
        self.refuse(
            ErrorCode.ALREADY_REGISTERED,
            "the memory range has already been registered: "
            f"[0x{address:x}, 0x{address + size:x}) overlaps "
            f"[0x{other.address:x}, 0x{other.address + other.size:x})",
            "ptr",
            address,
        )

    def _refuse_alignment(self, address: int) -> None:
        self.refuse(
            ErrorCode.ADDRESS_UNALIGNED,
            f"host address 0x{address:x} is not {PAGE}-byte aligned; register the base of "
            "malloc_host memory or memory at a page",
            "ptr",
            address,
        )

    def _registration_of(self, memory: HostMemory) -> Registration | None:
        if isinstance(memory, HostPointer):
            return memory.allocation.registration
        pointer = self.registry.pointer_of(memory)
        return None if pointer is None else pointer.allocation.registration

    def _device_pointer(self, memory: HostMemory | None, flag: int) -> MappedPointer:
        self.require(pHost=memory)
        assert memory is not None
        self.require_zero(flag=flag)
        registration = self._registration_of(memory)
        pointer = memory if isinstance(memory, HostPointer) else self.registry.pointer_of(memory)
        if (
            registration is None
            or pointer is None
            or not registration.mapped
            or not registration.start <= pointer.offset < registration.start + registration.size
            or (self.options.strict_base and pointer.offset)
        ):
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                "the host pointer has not been registered for device address mapping; register "
                "it with ACL_HOST_REG_MAPPED",
                "pHost",
                memory,
            )
        device = self.context().device
        if device.index not in registration.imported_by:
            if not self.properties(device).host_register_mapped:
                self.refuse(
                    ErrorCode.FEATURE_NOT_SUPPORTED,
                    f"host register is not supported on device {device.name} ({device.soc})",
                )
            end = registration.start + registration.size
            if unreachable := self.out_of_reach(registration.allocation, end, device):
                self.refuse(ErrorCode.FEATURE_NOT_SUPPORTED, unreachable, "pHost", memory)
            registration.imported_by.add(device.index)
            self.statistics[device.name].imports += 1
        return MappedPointer(registration.allocation, pointer.offset, registration=registration)
