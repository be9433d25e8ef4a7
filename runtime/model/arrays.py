"""Inputs and outputs of a model as arrays, placed in one kind of the caller's memory."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialects.io_plan import ModelOutput
from ..element_types import InputError, Scalar, Value
from ..host.memory import DevicePointer, HostPointer, flat_bytes
from ..host.runtime import Runtime
from ..signature import arguments_of, find_function, fit_inputs
from .model import Model
from .shapes import element_dtype
from .tensor import Tensor


class MemoryKind(StrEnum):
    """Where a caller has its inputs and outputs."""

    MAPPED = "mapped"
    """Page-locked host memory that the device reaches."""
    PINNED = "pinned"
    """Page-locked host memory that it does not reach in place."""
    PAGEABLE = "pageable"
    """An array."""
    DEVICE = "device"
    """Memory of the device; it is filled and read by copies, which count."""
    NONE = "none"
    """None: for outputs, which the call then allocates."""


def place_array(runtime: Runtime, array: NDArray[Any], kind: MemoryKind) -> Tensor:
    """A tensor with the contents of `array`, in memory of a kind.

    Raises HostError ALLOCATION_FAILED where there is not enough.
    """
    data = np.ascontiguousarray(array).reshape(array.shape)
    memory = _memory(runtime, data.nbytes, kind)
    if isinstance(memory, HostPointer):
        memory.write(data)
    elif isinstance(memory, DevicePointer) and data.nbytes:
        runtime.memcpy(memory, data.nbytes, data, data.nbytes)
    return Tensor(data if memory is None else memory, data.shape, data.dtype)


def empty_tensor(runtime: Runtime, output: ModelOutput, kind: MemoryKind) -> Tensor:
    """A tensor for an output; without memory where its size is not known before the call."""
    if output.size is None or output.reference or kind is MemoryKind.NONE:
        return Tensor(None)
    memory = _memory(runtime, output.size, kind)
    return Tensor(np.zeros(output.size, np.uint8) if memory is None else memory)


def read_tensor(runtime: Runtime, tensor: Tensor, output: ModelOutput) -> NDArray[Any]:
    """The contents of an output after a call."""
    shape = output.shape if tensor.shape is None else tensor.shape
    dtype = element_dtype(output) or np.dtype(np.uint8)
    size = prod(shape) * dtype.itemsize
    memory = tensor.memory
    if isinstance(memory, HostPointer):
        data = memory.read(size)
    elif isinstance(memory, DevicePointer):
        data = np.zeros(size, np.uint8)
        if size:
            runtime.memcpy(data, size, memory, size)
    elif isinstance(memory, np.ndarray):
        data = flat_bytes(memory)[:size]
    else:
        raise ValueError(f"cannot read {memory!r}")
    return data.view(dtype).reshape(shape)


def free_tensor(runtime: Runtime, tensor: Tensor) -> None:
    """Give back the memory of a tensor of `place_array`, `empty_tensor` or a call."""
    match tensor.memory:
        case HostPointer() as pointer:
            if pointer.allocation.registration is not None:
                runtime.host_unregister(pointer)
            runtime.free_host(pointer)
        case DevicePointer() as pointer:
            runtime.free(pointer)
        case _:
            pass


def _memory(runtime: Runtime, size: int, kind: MemoryKind) -> HostPointer | DevicePointer | None:
    """Memory of at least one byte; None for what is an array."""
    match kind:
        case MemoryKind.MAPPED | MemoryKind.PINNED:
            pointer = runtime.malloc_host(max(size, 1))
            if kind is MemoryKind.MAPPED:
                runtime.host_register(pointer)
            return pointer
        case MemoryKind.DEVICE:
            return runtime.malloc(max(size, 1))
        case _:
            return None


def fit_arguments(
    model: Model, values: Sequence[Value | None], *, count_missing: bool = False
) -> tuple[list[NDArray[Any]], list[Scalar]]:
    """The arrays and numbers that a call of the model's function is given, in the order of its
    arguments; storage of outputs is not among them.

    Raises InputError for another number, shape or type.
    """
    function = find_function(model.program.module, model.io_plan.function)
    inputs = {io.argument for io in model.io_plan.inputs}
    storage = {io.argument for io in model.io_plan.outputs} - inputs
    wanted = [a for k, a in enumerate(arguments_of(function)) if k not in storage]
    fitted = fit_inputs(wanted, values, count_missing=count_missing)
    arrays = [value for value in fitted if isinstance(value, np.ndarray)]
    scalars = [value for value in fitted if not isinstance(value, np.ndarray)]
    if len(arrays) != len(inputs):
        raise InputError(f"expected {len(inputs)} arrays, got {len(arrays)}")
    return arrays, scalars
