"""What an address names: the operands of copies and sets, looked up and checked alike by all."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .core import RuntimeCore
from .errors import ErrorCode
from .memory import (
    DevicePointer,
    HostPointer,
    MappedPointer,
    MemoryClass,
    Pointer,
    flat_bytes,
)

Address = HostPointer | DevicePointer | NDArray[Any]
"""What a copy takes: host memory, device memory, or an array, which is pageable host memory unless
it is registered."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A checked operand."""

    parameter: str
    """`dst` or `src`, or what the call names it."""
    memory_class: MemoryClass
    """PAGEABLE, PINNED or DEVICE."""
    device: int | None
    """The device that owns it; None for host memory."""
    size: int
    """Bytes from the operand to the end of its memory."""
    pointer: Pointer | None
    """None for an array that is not registered."""
    array: NDArray[np.uint8] | None
    """The bytes of an array that is not registered."""

    @property
    def is_host(self) -> bool:
        """Whether it is host memory."""
        return self.device is None

    @property
    def pageable(self) -> bool:
        """Whether an asynchronous copy has to wait for it."""
        return self.memory_class is MemoryClass.PAGEABLE

    @property
    def location(self) -> str:
        """As messages name the place."""
        return "host" if self.device is None else f"device {self.device}"


class OperandLookup(RuntimeCore):
    """Finds out what an operand is."""

    def operand(self, value: Address | MappedPointer | None, parameter: str) -> Operand:
        """The operand that a call was given for `parameter`.

        Raises HostError INVALID_PARAMETER for null, INVALID_RUNTIME_PARAMETER for a mapped device
        address (ZC-22), for freed memory, for a place outside of it, and for an array that is not
        contiguous.
        """
        self.require(**{parameter: value})
        if isinstance(value, MappedPointer):
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"{parameter} is a mapped device address, which cannot be used for memory copy; "
                "use the host address",
                parameter,
                value,
            )
        if isinstance(value, np.ndarray):
            return self._array_operand(value, parameter)
        assert isinstance(value, HostPointer | DevicePointer)
        if not value.allocation.alive:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"{parameter} refers to freed memory: {value!r}",
                parameter,
                value,
            )
        if value.offset < 0 or value.size < 0:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"{parameter} is outside of {value.allocation.name}, which has "
                f"{value.allocation.size} bytes: {value!r}",
                parameter,
                value,
            )
        return Operand(
            parameter, value.memory_class, value.allocation.device, value.size, value, None
        )

    def _array_operand(self, array: NDArray[Any], parameter: str) -> Operand:
        if not array.flags.c_contiguous:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"{parameter}: buffer must be C-contiguous",
                parameter,
                array,
            )
        pointer = self.registry.pointer_of(array)
        if pointer is not None:
            return Operand(parameter, pointer.memory_class, None, array.nbytes, pointer, None)
        return Operand(parameter, MemoryClass.PAGEABLE, None, array.nbytes, None, flat_bytes(array))
