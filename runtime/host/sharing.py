"""Giving host data to the device, in place where that is allowed and possible (case B03).

Whether data are shared or copied depends on what the caller asks for and on what kind of memory it
is, never on its size, and the answer says which it was.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .calls import api
from .errors import ErrorCode
from .memory import DevicePointer, HostPointer, MappedPointer
from .memory_calls import MemoryCalls
from .registration import HostMemory, RegistrationCalls
from .registry import PAGE, RegisterFlag, array_address
from .transfers import Segment, TransferTasks


@dataclass(frozen=True, slots=True)
class Shared:
    """Host data as the device has them."""

    pointer: MappedPointer | DevicePointer
    """An argument for kernels."""
    aliased: bool
    """The device reads the host's memory: what the host writes later is seen. If not, it has a
    copy of its own, which `free` gives back."""
    reason: str
    """Why it is so."""


class SharingCalls(RegistrationCalls, MemoryCalls, TransferTasks):
    """Calls that give host data to the device."""

    @api("share")
    def share(
        self,
        memory: HostMemory | None,
        *,
        must_copy: bool = False,
        must_alias: bool = False,
        alignment: int = 1,
    ) -> Shared:
        """Let the current device use host data: in place, unless `must_copy` says otherwise or the
        memory cannot be mapped; then in a copy in its own memory, made before this returns.

        Address and size have to be multiples of `alignment` bytes to be shared (case B51). Memory
        that is not registered yet stays registered after this. Raises HostError
        INVALID_PARAMETER for null or empty memory, and ALLOCATION_FAILED; with `must_alias`
        FEATURE_NOT_SUPPORTED where only a copy would do.
        """
        self.require(memory=memory)
        assert memory is not None
        size = memory.size if isinstance(memory, HostPointer) else memory.nbytes
        self.require_positive(size=size, alignment=alignment)
        operand = self.operand(memory, "memory")
        if must_copy:
            return self._copied(memory, size, "the caller asks for a copy")
        reason = self._misaligned(memory, size, alignment) or self._unmappable(memory)
        if reason and must_alias:
            self.refuse(ErrorCode.FEATURE_NOT_SUPPORTED, f"memory cannot be shared: {reason}")
        if reason:
            return self._copied(memory, size, reason)
        if operand.pointer is None or operand.pointer.allocation.registration is None:
            self._register(memory, RegisterFlag.MAPPED, None)
        return Shared(self._device_pointer(memory, 0), aliased=True, reason="mapped in place")

    def _misaligned(self, memory: HostMemory, size: int, alignment: int) -> str:
        """Why address or size do not do, or ""."""
        address = memory.address if isinstance(memory, HostPointer) else array_address(memory)
        for what, value in (("address", address), ("size", size)):
            if value % alignment:
                return f"its {what} {value} is not a multiple of {alignment}"
        return ""

    def _unmappable(self, memory: HostMemory) -> str:
        """Why the memory cannot be mapped, or ""."""
        properties = self.properties(self.context().device)
        if not properties.host_register_mapped:
            return "the device cannot map host memory"
        registration = self._registration_of(memory)
        if registration is not None:
            inside = not isinstance(memory, HostPointer) or memory.offset < registration.size
            return "" if registration.mapped and inside else "it is registered without MAPPED"
        if isinstance(memory, HostPointer):
            if memory.offset:
                return "it is not the start of its allocation"
            device = self.context().device
            return self.out_of_reach(memory.allocation, memory.size, device)
        if not properties.host_register_pageable:
            return "the system maps page-locked memory alone"
        if self.registry.overlapping(array_address(memory), memory.nbytes) is not None:
            return "it is registered in part"
        if not memory.flags.writeable:
            return "the array is read-only"
        return f"it is not {PAGE}-byte aligned" if array_address(memory) % PAGE else ""

    def _copied(self, memory: HostMemory, size: int, reason: str) -> Shared:
        operand = self.operand(memory, "memory")
        context = self.context()
        target = self.allocate_device(size, f"copy{next(self.numbers)}")
        staged = None
        source = operand.pointer
        if source is None:
            assert operand.array is not None
            source = staged = self.stage(np.array(operand.array))
        try:
            self.run_now(context, self.copy_task(context.device, [Segment(target, source, size)]))
        finally:
            if staged is not None:
                self.unstage(staged)
        return Shared(target, aliased=False, reason=reason)
