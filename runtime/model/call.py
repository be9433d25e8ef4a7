"""One call of a model: the memory of each argument, and the copies before and after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...dialects.io_plan import ModelInput, ModelIo
from ..host.copies import Move, same_place
from ..host.errors import ErrorCode
from ..host.memory import DevicePointer, HostPointer, Pointer
from ..host.runtime import Runtime
from ..host.stream import DeviceState
from ..host.tasks import Use
from ..signature import Argument
from ..vm.values import DeviceArray
from .binder import IoBuffer, OutputBuffer
from .memory import ModelMemory
from .ways import Binding, InputWay, OutputWay, Way


@dataclass(slots=True)
class Prepared:
    """What a call does, in full."""

    storage: dict[int, Pointer] = field(default_factory=dict[int, Pointer])
    """By argument of the function, the memory that it is called with."""
    arriving: list[Move] = field(default_factory=list[Move])
    """Copies before it."""
    leaving: list[Move] = field(default_factory=list[Move])
    """Copies after it."""
    made: list[DevicePointer | None] = field(default_factory=list[DevicePointer | None])
    """By output, memory that was allocated for the caller."""
    uses: list[Use] = field(default_factory=list[Use])
    """What the function reads and writes."""


def prepare(
    runtime: Runtime,
    memory: ModelMemory,
    binding: Binding,
    device_of: Callable[[ModelIo], DeviceState],
) -> Prepared:
    """The memory and copies of a checked call; allocates what it says is to be allocated."""
    prepared = Prepared()
    for way in binding.inputs:
        _input(runtime, memory, way, device_of(way.io), prepared)
    for way in binding.outputs:
        _output(runtime, memory, way, device_of(way.io), prepared)
    return prepared


def _input(
    runtime: Runtime, memory: ModelMemory, way: InputWay, device: DeviceState, prepared: Prepared
) -> None:
    size = way.operand.size if way.io.size is None else way.io.size
    pointer = way.pointer
    if way.way is not Way.BOUND:
        pointer = memory.at(way.io, size, device)
        if count := min(size, way.operand.size):
            prepared.arriving.append(Move(runtime.operand(pointer, "dst"), way.operand, count))
    assert pointer is not None
    prepared.storage[way.io.argument] = pointer
    prepared.uses.append(_use(pointer, size, writes=False))


def _output(
    runtime: Runtime, memory: ModelMemory, way: OutputWay, device: DeviceState, prepared: Prepared
) -> None:
    size = 0 if way.io.size is None else way.io.size
    made = None
    if way.way is Way.ALLOCATED:
        made = memory.allocate(max(size, 1), way.io.name, device)
    prepared.made.append(made)
    target = way.pointer if way.way is Way.BOUND else made
    if way.way is not Way.COPIED and way.io.zero_copy and target is not None:
        prepared.storage[way.io.argument] = target
        prepared.uses.append(_use(target, size or target.size, writes=True))
        return
    own = prepared.storage.get(way.io.argument)
    if own is None:
        size = size or (0 if way.operand is None else way.operand.size)
        own = prepared.storage[way.io.argument] = memory.at(way.io, size, device)
    prepared.uses.append(_use(own, size, writes=True))
    operand = way.operand if made is None else runtime.operand(made, "dst")
    if operand is None or not size:
        return
    source = runtime.operand(_copied_from(own), "src")
    if not same_place(operand, source):
        prepared.leaving.append(Move(operand, source, size))


def _copied_from(pointer: Pointer) -> DevicePointer | HostPointer:
    """The name that copies take; they take no mapped addresses (ZC-22)."""
    if isinstance(pointer, DevicePointer):
        return pointer
    return HostPointer(pointer.allocation, pointer.offset, pointer.writable)


def _use(pointer: Pointer, size: int, *, writes: bool) -> Use:
    end = pointer.offset + min(size, pointer.size)
    return Use(pointer.allocation, pointer.offset, end, writes)


def results_of(
    prepared: Prepared, binding: Binding, given: Sequence[OutputBuffer]
) -> list[IoBuffer]:
    """The memory that each output is in, as the caller names it."""
    results: list[IoBuffer] = []
    for way, made, buffer in zip(binding.outputs, prepared.made, given, strict=True):
        if made is not None:
            results.append(made)
        elif buffer is None or isinstance(buffer, tuple):
            # The storage of an input, which was updated in place.
            results.append(_copied_from(prepared.storage[way.io.argument]))
        else:
            results.append(buffer)
    return results


def input_view(
    runtime: Runtime, io: ModelInput, shaped: Argument, pointer: Pointer, given: IoBuffer | None
) -> DeviceArray:
    """An input's memory with its shape, which an array tells where the program does not."""
    dtype = np.dtype(np.uint8) if shaped.dtype is None else shaped.dtype
    dims = shaped.shape
    if dims is not None and None not in dims:
        shape = tuple(dim or 0 for dim in dims)
    elif isinstance(given, np.ndarray):
        shape, dtype = given.shape, given.dtype
    else:
        runtime.refuse(
            ErrorCode.INVALID_MODEL_PARAMETER,
            f"input {io.ordinal} has a shape that is only known at run time; give it as an array",
            f"input {io.ordinal}",
        )
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    return DeviceArray(pointer.subspan(min(size, pointer.size)), shape, dtype)
