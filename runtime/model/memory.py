"""The memory that a model has of its own: the feature map, and I/O that is copied (GE-03, GE-04).

    0                                F               F + Z
    | temporaries, I/O always copied | zero-copy I/O |     by logical address

The zero-copy part is there where inputs and outputs are the model's (`IoMemory.OWNED`), or where
the caller gave work memory that is large enough for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...dialects.io_plan import IoPlan, ModelIo
from ..host.errors import ErrorCode
from ..host.memory import DevicePointer
from ..host.runtime import Runtime
from ..host.stream import DeviceState
from .ways import IoMemory

Allocator = Callable[[int, str], DevicePointer]
"""Gives so many bytes of memory of one place, under that name (GE-11)."""


@dataclass(slots=True)
class ModelMemory:
    """A model's own memory, and what is allocated for single inputs and outputs."""

    base: DevicePointer | None
    """The byte at logical address 0; None where there is nothing."""
    size: int
    """Bytes from there on."""
    owned: bool
    """Whether it was allocated for the model, so that unloading frees it."""
    allocate: Callable[[int, str, DeviceState], DevicePointer]
    """For what has no logical address in it."""
    spares: dict[int, DevicePointer]
    """By argument of the function: memory for what is copied and has no address in it."""

    def at(self, io: ModelIo, size: int, device: DeviceState) -> DevicePointer:
        """The place of an input or output of `size` bytes: its own, or one allocated for it."""
        if self.base is not None and io.offset is not None and io.offset + size <= self.size:
            return self.base + io.offset
        spare = self.spares.get(io.argument)
        if spare is None or spare.size < size:
            spare = self.spares[io.argument] = self.allocate(max(size, 1), io.name, device)
        return spare


def required_size(plan: IoPlan, memory: IoMemory) -> int:
    """Bytes that a model needs of its own: all, less what the caller has (GE-26, GE-27)."""
    return plan.memory_size - (0 if memory is IoMemory.OWNED else plan.zero_copy_size)


def check_work(runtime: Runtime, work: DevicePointer, required: int, device: DeviceState) -> None:
    """Refuse work memory that is too small, freed, or another device's (GE-03)."""
    runtime.operand(work, "workPtr")
    if work.allocation.device != device.index:
        runtime.refuse(
            ErrorCode.INVALID_MODEL_PARAMETER,
            f"workPtr is memory of device {work.allocation.device}, the model runs on device "
            f"{device.index}",
            "workPtr",
            work,
        )
    if work.size < required:
        runtime.refuse(
            ErrorCode.INVALID_MODEL_PARAMETER,
            f"Invalid mem param: mem_size={work.size}, required_minimum_size={required}",
            "workSize",
            work.size,
        )
