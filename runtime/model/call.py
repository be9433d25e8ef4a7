"""One call of a model: the memory of each argument, and the copies before and after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from ...dialects.io_plan import IoPlan, ModelIo
from ..errors import HalError
from ..host.copies import Move, same_place
from ..host.errors import HostError, from_hal
from ..host.memory import DevicePointer, HostPointer, Pointer
from ..host.runtime import Runtime
from ..host.stream import DeviceState
from ..host.tasks import Use
from ..host.transfers import Segment
from ..vm.values import DeviceArray
from .memory import ModelMemory
from .merging import Arrival, gathered, mergeable
from .shapes import element_dtype
from .tensor import IoBuffer, OutputBuffer, Tensor, memory_of
from .ways import Binding, InputWay, OutputWay, Way

BYTES = np.dtype(np.uint8)


@dataclass(slots=True)
class Prepared:
    """What a call does, in full."""

    storage: dict[int, Pointer] = field(default_factory=dict[int, Pointer])
    """By argument of the function, the memory that it is called with."""
    arriving: list[Arrival] = field(default_factory=list[Arrival])
    """Copies before it."""
    leaving: list[Move] = field(default_factory=list[Move])
    """Copies after it."""
    made: list[DevicePointer | None] = field(default_factory=list[DevicePointer | None])
    """By output, memory that was allocated for the caller."""
    uses: list[Use] = field(default_factory=list[Use])
    """What the function reads and writes."""


class Preparation:
    """Carries out what was decided for a call."""

    def __init__(
        self,
        runtime: Runtime,
        plan: IoPlan,
        memory: ModelMemory,
        device_of: Callable[[ModelIo], DeviceState],
        *,
        merges: bool,
    ) -> None:
        """`merges`: copies of neighbouring inputs from the host become one (GE-23)."""
        self._runtime = runtime
        self._plan = plan
        self._memory = memory
        self._device_of = device_of
        self._merges = merges

    def prepare(self, binding: Binding) -> Prepared:
        """The memory and copies of a checked call; allocates what it says is to be allocated.

        Raises HostError where that fails; what was allocated for the caller is freed again.
        """
        prepared = Prepared()
        try:
            for way in binding.inputs:
                self._input(way, prepared)
            # Who writes in place says where an output is that others are copied from.
            prepared.made = [None] * len(binding.outputs)
            for index, way in enumerate(binding.outputs):
                if way.way is Way.ALLOCATED:
                    prepared.made[index] = self._allocated(way)
            pairs = list(zip(binding.outputs, prepared.made, strict=True))
            for way, made in sorted(pairs, key=lambda pair: not pair[0].in_place):
                self._output(way, made, prepared)
        except HostError:
            for made in prepared.made:
                if made is not None:
                    self._runtime.release_memory(made.allocation)
            raise
        return prepared

    def moves(self, prepared: Prepared) -> list[Move]:
        """The copies before the call, neighbouring ones merged."""
        if not self._merges:
            return [arrival.move for arrival in prepared.arriving]
        return [
            group[0].move if len(group) == 1 else self._merged(group)
            for group in mergeable(prepared.arriving, self._plan.blocks)
        ]

    def _merged(self, group: Sequence[Arrival]) -> Move:
        bytes = self._runtime.operand(gathered(group), "src")
        return Move(group[0].move.target, bytes, bytes.size)

    def _input(self, way: InputWay, prepared: Prepared) -> None:
        pointer = way.pointer
        if way.way is not Way.BOUND:
            pointer = self._memory.at(way.io, way.size, self._device_of(way.io))
            if count := min(way.size, way.operand.size):
                target = self._runtime.operand(pointer, "dst")
                prepared.arriving.append(Arrival(way.io, Move(target, way.operand, count)))
        assert pointer is not None
        prepared.storage[way.io.argument] = pointer
        prepared.uses.append(_use(pointer, way.size, writes=False))

    def _allocated(self, way: OutputWay) -> DevicePointer:
        size = way.size or 0
        try:
            return self._memory.allocate(max(size, 1), way.io.name, self._device_of(way.io))
        except (HostError, HalError) as failed:
            operation = self._runtime.operation
            error = failed if isinstance(failed, HostError) else from_hal(operation, failed)
            raise HostError(
                error.code,
                operation,
                f"Failed to alloc model output, alloc size {size}, for output {way.io.ordinal}: "
                f"{error.message}",
                parameter=f"output {way.io.ordinal}",
                value=size,
            ) from None

    def _output(self, way: OutputWay, made: DevicePointer | None, prepared: Prepared) -> None:
        target = way.pointer if way.way is Way.BOUND else made
        if way.in_place and target is not None:
            prepared.storage[way.io.argument] = target
            prepared.uses.append(
                _use(target, target.size if way.size is None else way.size, writes=True)
            )
            return
        own = prepared.storage.get(way.io.argument)
        size = way.size
        if size is None:
            size = 0 if way.operand is None else way.operand.size
        if own is None:
            own = self._memory.at(way.io, size, self._device_of(way.io))
            prepared.storage[way.io.argument] = own
        prepared.uses.append(_use(own, size, writes=True))
        operand = way.operand if made is None else self._runtime.operand(made, "dst")
        if operand is None or not size:
            return
        source = self._runtime.operand(copied_from(own), "src")
        if not same_place(operand, source):
            prepared.leaving.append(Move(operand, source, size))


def copy_out(runtime: Runtime, moves: Sequence[Move]) -> None:
    """Copy outputs to where the caller wants them: by the device wherever it reaches both."""
    context = runtime.context()
    segments = [
        Segment(target, source, move.size)
        for move in moves
        if (target := move.target.pointer) is not None
        and (source := move.source.pointer) is not None
    ]
    if segments:
        runtime.run_now(context, runtime.copy_task(context.device, segments, "model output"))
    staged = [move for move in moves if move.target.pointer is None or move.source.pointer is None]
    if staged:
        runtime.copy_now(context, staged, "model output")


def copied_from(pointer: Pointer) -> DevicePointer | HostPointer:
    """The name that copies take; they take no mapped addresses (ZC-22)."""
    if isinstance(pointer, DevicePointer):
        return pointer
    return HostPointer(pointer.allocation, pointer.offset, pointer.writable)


def _use(pointer: Pointer, size: int, *, writes: bool) -> Use:
    end = pointer.offset + min(size, pointer.size)
    return Use(pointer.allocation, pointer.offset, end, writes)


def results_of(
    prepared: Prepared,
    binding: Binding,
    given: Sequence[OutputBuffer],
    returned: Sequence[DeviceArray],
) -> list[IoBuffer]:
    """The memory that each output is in, as the caller names it.

    Tensors are told the shape and element type that the program gave them.
    """
    results: list[IoBuffer] = []
    for way, made, buffer, view in zip(
        binding.outputs, prepared.made, given, returned, strict=True
    ):
        memory = memory_of(buffer)
        if made is not None:
            memory = made
        elif memory is None or isinstance(memory, tuple):
            # The storage of an input, which was updated in place.
            memory = copied_from(prepared.storage[way.io.argument])
        if isinstance(buffer, Tensor):
            buffer.memory, buffer.shape = memory, view.shape
            buffer.dtype = element_dtype(way.io) or view.dtype
        results.append(memory)
    return results


def input_view(way: InputWay, pointer: Pointer) -> DeviceArray:
    """An input's memory with its shape and element type."""
    dtype: np.dtype[Any] = element_dtype(way.io) or BYTES
    size = prod(way.shape) * dtype.itemsize
    return DeviceArray(pointer.subspan(min(size, pointer.size)), way.shape, dtype)


def output_view(way: OutputWay, pointer: Pointer) -> DeviceArray:
    """The storage of an output, as bytes."""
    size = pointer.size if way.size is None else min(way.size, pointer.size)
    return DeviceArray(pointer.subspan(size), (size,), BYTES)
