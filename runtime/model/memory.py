"""The memory that a model has of its own: the feature map, and I/O that is copied (GE-03, GE-04).

    0                                F               F + Z
    | temporaries, I/O always copied | zero-copy I/O |     by logical address

Constants have memory of their own. The zero-copy part is there where inputs and outputs are the
model's (`IoMemory.OWNED`), or where the caller gave work memory that is large enough for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn

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
    weights: DevicePointer | None
    """Where the constants are; None where there are none."""
    owned: list[DevicePointer]
    """What was allocated for the model, so that unloading frees it."""
    allocate: Callable[[int, str, DeviceState], DevicePointer]
    """For what has no logical address in it."""
    release: Callable[[DevicePointer], None]
    """Gives back what `allocate` gave."""
    spares: dict[int, DevicePointer]
    """By argument of the function: memory for what is copied and has no address in it."""

    def at(self, io: ModelIo, size: int, device: DeviceState) -> DevicePointer:
        """The place of an input or output of `size` bytes: its own, or one allocated for it."""
        if self.base is not None and io.offset is not None and io.offset + size <= self.size:
            return self.base + io.offset
        spare = self.spares.get(io.argument)
        if spare is None or spare.size < size:
            larger = self.allocate(max(size, 1), io.name, device)
            if spare is not None:
                self.release(spare)
            self.spares[io.argument] = spare = larger
        return spare


def required_size(plan: IoPlan, memory: IoMemory) -> int:
    """Bytes that a model needs of its own: all, less what the caller has (GE-26, GE-27)."""
    return plan.memory_size - (0 if memory is IoMemory.OWNED else plan.zero_copy_size)


def check_memory(
    runtime: Runtime, what: str, memory: DevicePointer, required: int, device: DeviceState
) -> None:
    """Refuse `work` or `weight` memory that is too small, freed, or another device's (GE-03)."""
    parameter = f"{what}Ptr"
    operand = runtime.operand(memory, parameter)
    if operand.device != device.index:
        runtime.refuse(
            ErrorCode.INVALID_MODEL_PARAMETER,
            f"{parameter} is memory of {operand.location}, the model runs on device {device.index}",
            parameter,
            memory,
        )
    if memory.size < required:
        runtime.refuse(
            ErrorCode.INVALID_MODEL_PARAMETER,
            f"Invalid mem param: mem_size={memory.size}, required_minimum_size={required} for "
            f"{what} memory",
            f"{what}Size",
            memory.size,
        )


@dataclass(slots=True)
class Allocators:
    """Where a model's memory comes from: the caller's allocators, or the machine."""

    runtime: Runtime
    given: Mapping[str, Allocator]
    """By device (GE-11)."""
    external: bool
    """Whether the machine itself gives none."""

    def check(self) -> None:
        """Refuse null, and places that the machine does not have."""
        places = {"host", *(device.name for device in self.runtime.devices)}
        for place, allocator in self.given.items():
            if not callable(allocator):
                self._refuse(f"allocator for placement {place} is {allocator}; give one", place)
            if place not in places:
                listed = ", ".join(sorted(places))
                self._refuse(f"no placement {place} to allocate at; there is {listed}", place)

    def allocate(self, size: int, name: str, device: DeviceState) -> DevicePointer:
        """`size` bytes of a device; HostError where there is no allocator, or it gives less."""
        allocator = self.given.get(device.name)
        if allocator is None:
            if self.external:
                self._refuse(
                    f"external allocator for placement {device.name} was not provided; {size} "
                    f"bytes are needed for {name}",
                    device.name,
                )
            return self.runtime.allocate_device(size, name, device)
        operation = self.runtime.operation
        made: object = allocator(size, name)
        self.runtime.operation = operation
        return self._given(made, size, name, device)

    def _given(self, made: object, size: int, name: str, device: DeviceState) -> DevicePointer:
        """What an allocator of the caller gave, if it will do."""
        if not isinstance(made, DevicePointer) or made.size < size:
            got = f"{made.size} bytes" if isinstance(made, DevicePointer) else repr(made)
            self._refuse(
                f"allocator for placement {device.name} gave {got} where {size} bytes are needed "
                f"for {name}",
                device.name,
            )
        if made.allocation.device != device.index:
            self._refuse(
                f"allocator for placement {device.name} gave memory of device "
                f"{made.allocation.device}",
                device.name,
            )
        return made

    def _refuse(self, message: str, place: str) -> NoReturn:
        self.runtime.refuse(ErrorCode.INVALID_MODEL_PARAMETER, message, "allocators", place)
