"""Memory of the caller, as inputs and outputs of a model are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..host.memory import DevicePointer, HostPointer, MappedPointer, Pointer
from ..host.runtime import Runtime

IoBuffer = HostPointer | DevicePointer | MappedPointer | NDArray[Any]
"""Memory of the caller: pageable (an array), page-locked, mapped, or the device's."""


@dataclass(slots=True, eq=False)
class Tensor:
    """Memory with a shape, for a model whose shapes are only known at run time.

    As an output it is told the shape and element type that the model gave it (GE-68).
    """

    memory: IoBuffer | None
    """None for an output that the call is to allocate; the call then sets it."""
    shape: tuple[int, ...] | None = None
    """Elements in each dimension; None where that is not stated."""
    dtype: np.dtype[Any] | None = None


InputBuffer = IoBuffer | Tensor
"""What an input may be given as."""

OutputBuffer = IoBuffer | Tensor | tuple[None, int] | None
"""None, or no address and a size of 0, where the call is to allocate."""


def misuse(runtime: Runtime, value: object) -> str | None:
    """Why something is no input or output on the machine of `runtime`; None where it may be one."""
    memory = value.memory if isinstance(value, Tensor) else value
    match memory:
        case None | np.ndarray() | (None, int()):
            return None
        case Pointer():
            here = memory.allocation.access is runtime.host_access
            return None if here else f"is memory of another machine: {memory!r}"
        case tuple():
            return f"is {memory}; without an address give (None, 0)"
        case _:
            kind = type(memory).__name__
            return f"is of type {kind}; give an array, a pointer or a Tensor of these"


def memory_of(value: OutputBuffer) -> IoBuffer | tuple[None, int] | None:
    """The memory of what an input or output was given as."""
    return value.memory if isinstance(value, Tensor) else value


def shape_of(value: OutputBuffer) -> tuple[int, ...] | None:
    """The shape that a tensor or array states; None for anything else."""
    return value.shape if isinstance(value, Tensor | np.ndarray) else None


def dtype_of(value: OutputBuffer) -> np.dtype[Any] | None:
    """The element type that a tensor or array states; None for anything else."""
    return value.dtype if isinstance(value, Tensor | np.ndarray) else None
