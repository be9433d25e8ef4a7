"""Checks what a call was given against the plan of its model; see `ways` for what comes out.

All refusals come from here, before anything is submitted, allocated or counted (GE-70).
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from ...dialects.io_plan import IoPlan, ModelInput, ModelIo, ModelOutput
from ..host.errors import ErrorCode
from ..host.memory import DevicePointer, HostPointer, MappedPointer, Pointer
from ..host.operands import Operand
from ..host.runtime import Runtime
from ..host.stream import DeviceState
from .options import LoweringOptions
from .ways import Binding, InputWay, IoMemory, OutputWay, Way

SIZE_TOLERANCE = 64
"""Bytes that memory may be short of, since allocations are aligned to as many (GE-47)."""

IoBuffer = HostPointer | DevicePointer | MappedPointer | NDArray[Any]
"""Memory of the caller: pageable (an array), page-locked, mapped, or the device's."""

OutputBuffer = IoBuffer | tuple[None, int] | None
"""None, or no address and a size of 0, where the call is to allocate."""


class Binder:
    """Decides for the calls of one model."""

    def __init__(
        self,
        runtime: Runtime,
        plan: IoPlan,
        device: DeviceState,
        memory: IoMemory,
        options: LoweringOptions,
        own_size: int,
        copy_only: AbstractSet[int] = frozenset(),
    ) -> None:
        """`device`: where inputs and outputs are that state no device; `own_size`: bytes that the
        model has of its own; `copy_only`: logical addresses that are copied, which may change."""
        self._copy_only = copy_only
        self._runtime = runtime
        self._plan = plan
        self._device = device
        self._memory = memory
        self._options = options
        self._own_size = own_size

    def bind(self, inputs: Sequence[IoBuffer | None], outputs: Sequence[OutputBuffer]) -> Binding:
        """What a call with `inputs` and `outputs` does.

        Raises HostError for a number of inputs or outputs, a size, a place or a null that the
        model does not take; the call at hand is that which `runtime.enter` was told of.
        """
        self._check_counts(inputs, outputs)
        warnings: list[str] = []
        ways = tuple(
            self._input(io, value, warnings)
            for io, value in zip(self._plan.inputs, inputs, strict=True)
        )
        results = tuple(
            self._output(io, value, warnings)
            for io, value in zip(self._plan.outputs, outputs, strict=True)
        )
        return Binding(ways, results, tuple(warnings))

    def _can_bind(self, io: ModelIo) -> bool:
        return io.zero_copy and io.offset not in self._copy_only

    def device_of(self, io: ModelIo) -> DeviceState:
        """The device whose memory an input or output is in."""
        if io.device is None:
            return self._device
        return next(device for device in self._runtime.devices if device.name == io.device)

    def _check_counts(
        self, inputs: Sequence[IoBuffer | None], outputs: Sequence[OutputBuffer]
    ) -> None:
        wanted = len(self._plan.inputs)
        missing = next((i for i, value in enumerate(inputs) if value is None), len(inputs))
        if missing < wanted:
            given = sum(value is not None for value in inputs)
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"The required input {missing} is not provided by user, while the total input data "
                f"num is {given}; the model has {wanted}",
                f"input {missing}",
            )
        if len(inputs) > wanted:
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"input_data.blobs.size:{len(inputs)} != input_data_info.size:{wanted}",
                "inputs",
                len(inputs),
            )
        if len(outputs) != len(self._plan.outputs):
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"output_data.blobs.size:{len(outputs)} != output_data_info.size:"
                f"{len(self._plan.outputs)}",
                "outputs",
                len(outputs),
            )

    # One input.

    def _input(self, io: ModelInput, value: IoBuffer | None, warnings: list[str]) -> InputWay:
        name = f"input {io.ordinal}"
        operand, pointer = self._resolve(io, value, name)
        copied = InputWay(io, operand, pointer, Way.COPIED)
        if self._memory is IoMemory.OWNED or not self._can_bind(io):
            self._check_copied_input(io, operand)
            return copied
        if pointer is not None:
            self._check_bound_size(io, operand, name, warnings)
            return replace(copied, way=Way.BOUND)
        if self._options.always_zero_copy:
            self._refuse_place(io, operand, name)
        self._check_own_segment(name, operand)
        self._check_copied_input(io, operand)
        return replace(copied, fallback=True)

    def _check_copied_input(self, io: ModelInput, operand: Operand) -> None:
        if io.size is not None and operand.size > io.size:
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"input data size({operand.size}) is bigger than model required size({io.size}) "
                f"of input {io.ordinal}",
                operand.parameter,
                operand.size,
            )

    # One output.

    def _output(self, io: ModelOutput, value: OutputBuffer, warnings: list[str]) -> OutputWay:
        name = f"output {io.ordinal}"
        if isinstance(value, tuple):
            if value[1]:
                self._runtime.refuse(
                    ErrorCode.INVALID_MODEL_PARAMETER,
                    f"data is null but size is {value[1]} of {name}",
                    name,
                    value,
                )
            value = None
        if value is None:
            if io.reference:
                return OutputWay(io, None, None, Way.BOUND)
            return self._without_memory(io, name)
        operand, pointer = self._resolve(io, value, name)
        self._check_writable(operand, name)
        copied = OutputWay(io, operand, pointer, Way.COPIED)
        if self._options.always_zero_copy:
            self._check_strict_size(io, operand, name)
            if pointer is None:
                self._refuse_place(io, operand, name)
        bound = self._can_bind(io) and not io.reference and pointer is not None
        if self._memory is IoMemory.REUSED and bound:
            self._check_bound_size(io, operand, name, warnings)
            return replace(copied, way=Way.BOUND)
        self._check_copied_output(io, operand, name)
        if self._memory is IoMemory.OWNED or io.reference:
            return copied
        if bound:
            return replace(copied, way=Way.BOUND)
        if self._can_bind(io):
            self._check_own_segment(name, operand)
        return replace(copied, fallback=True)

    def _without_memory(self, io: ModelOutput, name: str) -> OutputWay:
        if self._options.always_zero_copy:
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                "E13031 The output tensor and its address must be allocated and passed by the "
                f"caller: {name} is null",
                name,
            )
        if io.size is None:
            self._refuse_dynamic(name)
        return OutputWay(io, None, None, Way.ALLOCATED, self._memory is not IoMemory.OWNED)

    def _check_strict_size(self, io: ModelOutput, operand: Operand, name: str) -> None:
        if io.size is not None and operand.size < io.size:
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"The output tensor memory size {operand.size} is smaller than the actual size "
                f"{io.size} required by tensor: {name}",
                name,
                operand.size,
            )

    def _check_copied_output(self, io: ModelOutput, operand: Operand, name: str) -> None:
        if io.size is not None and operand.size < io.size:
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"given buffer size {operand.size} is less than output tensor size {io.size} of "
                f"{name}",
                name,
                operand.size,
            )

    def _check_writable(self, operand: Operand, name: str) -> None:
        if (operand.pointer is not None and not operand.pointer.writable) or (
            operand.array is not None and not operand.array.flags.writeable
        ):
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"{name} is read-only memory; give memory that can be written",
                name,
            )

    # Both.

    def _resolve(
        self, io: ModelIo, value: IoBuffer | None, name: str
    ) -> tuple[Operand, Pointer | None]:
        """The operand, and the name by which the device of `io` reaches it in place, if any."""
        device = self.device_of(io)
        if isinstance(value, MappedPointer):
            registration = value.registration
            if registration is None or not registration.alive:
                self._runtime.refuse(
                    ErrorCode.INVALID_MODEL_PARAMETER,
                    f"{name} refers to an unregistered mapping: {value!r}",
                    name,
                    value,
                )
            host = HostPointer(value.allocation, value.offset, value.writable)
            operand = replace(self._runtime.operand(host, name), size=value.size)
            return operand, value if device.index in registration.imported_by else None
        operand = self._runtime.operand(value, name)
        pointer = operand.pointer
        if isinstance(pointer, HostPointer):
            registration = pointer.allocation.registration
            if (
                registration is None
                or not registration.mapped
                or device.index not in registration.imported_by
            ):
                return operand, None
            return operand, MappedPointer(
                pointer.allocation, pointer.offset, pointer.writable, registration
            )
        if pointer is None or pointer.allocation.buffer.pool not in device.hal.reach.in_place:
            return operand, None
        return operand, pointer

    def _check_bound_size(
        self, io: ModelIo, operand: Operand, name: str, warnings: list[str]
    ) -> None:
        """The tolerance of GE-47; what runs is still bounded by the memory that is there."""
        if io.size is None:
            return
        if operand.size + SIZE_TOLERANCE < io.size:
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"E13025 The provided {operand.size} bytes of buffer size plus the aligned "
                f"{SIZE_TOLERANCE} bytes is less than the tensor size {io.size} bytes required by "
                f"the model: {name}",
                name,
                operand.size,
            )
        if operand.size > io.size:
            warnings.append(f"{name} has {operand.size} bytes, the model uses {io.size}")

    def _check_own_segment(self, name: str, operand: Operand) -> None:
        """With reuse on, host memory is served only if the model has a place for it (GE-05)."""
        required = self._plan.memory_size
        if self._memory is not IoMemory.REUSED or self._own_size >= required:
            return
        self._runtime.refuse(
            ErrorCode.INVALID_MODEL_PARAMETER,
            "E13025 Zero-copy memory reuse mode is enabled, requiring all I/O tensors to be "
            f"allocated in device memory, but {name} is located in {operand.location} memory that "
            f"the device does not reach (available: {self._own_size}, required: {required})",
            name,
        )

    def _refuse_place(self, io: ModelIo, operand: Operand, name: str) -> None:
        device = self.device_of(io)
        self._runtime.refuse(
            ErrorCode.INVALID_MODEL_PARAMETER,
            f"{name} placement {operand.location} does not match required placement device "
            f"{device.index}: it does not have memory type DEVICE_VISIBLE there",
            name,
        )

    def _refuse_dynamic(self, name: str) -> None:
        self._runtime.refuse(
            ErrorCode.INVALID_MODEL_PARAMETER,
            f"{name} has a shape that is only known at run time; give memory for it",
            name,
        )
