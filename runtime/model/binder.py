"""Checks what a call was given against the plan of its model; see `ways` for what comes out.

All refusals come from here, before anything is submitted, allocated or counted (GE-70).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NoReturn

from ...dialects.io_plan import IoPlan, ModelInput, ModelIo, ModelOutput
from ..element_types import same_elements
from ..host.errors import ErrorCode
from ..host.memory import HostPointer, MappedPointer, Pointer
from ..host.operands import Operand
from ..host.runtime import Runtime
from ..host.stream import DeviceState
from .copy_only import WhyCopied
from .one_tensor import bind_first
from .options import LoweringOptions
from .overlaps import check_outputs_apart, keep_from_inputs
from .shapes import ShapeInference, element_dtype
from .tensor import InputBuffer, IoBuffer, OutputBuffer, dtype_of, memory_of, misuse, shape_of
from .ways import Binding, InputWay, IoMemory, OutputWay, Way

SIZE_TOLERANCE = 64
"""Bytes that memory may be short of, since allocations are aligned to as many (GE-47)."""


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
        copy_only: AbstractSet[int],
        reasons: Mapping[int, WhyCopied],
    ) -> None:
        """`device`: where inputs and outputs are that state no device; `own_size`: bytes that the
        model has; `copy_only`: logical addresses that are copied; `reasons`: why some are."""
        self._copy_only = copy_only
        self._reasons = reasons
        self._runtime = runtime
        self._plan = plan
        self._device = device
        self._memory = memory
        self._options = options
        self._own_size = own_size
        self._shapes = ShapeInference(runtime, options)

    def bind(
        self, inputs: Sequence[InputBuffer | None], outputs: Sequence[OutputBuffer]
    ) -> Binding:
        """What a call with `inputs` and `outputs` does.

        Raises HostError for a number of inputs or outputs, a size, a shape, a place or a null that
        the model does not take; the call at hand is that which `runtime.enter` was told of.
        """
        self._check_counts(inputs, outputs)
        warnings: list[str] = []
        ways = tuple(
            self._input(io, value, warnings)
            for io, value in zip(self._plan.inputs, inputs, strict=True)
        )
        results = [
            self._output(io, value, inputs, warnings)
            for io, value in zip(self._plan.outputs, outputs, strict=True)
        ]
        check_outputs_apart(self._runtime, results)
        strict = self._options.always_zero_copy
        apart = [keep_from_inputs(self._runtime, way, ways, strict=strict) for way in results]
        if self._memory is IoMemory.BOUND:
            apart = bind_first(apart, self._reasons)
        return Binding(ways, tuple(apart), tuple(warnings))

    def _can_bind(self, io: ModelIo) -> bool:
        return io.zero_copy and io.offset not in self._copy_only

    def device_of(self, io: ModelIo) -> DeviceState:
        """The device whose memory an input or output is in."""
        if io.device is None:
            return self._device
        return next(device for device in self._runtime.devices if device.name == io.device)

    def _check_counts(
        self, inputs: Sequence[InputBuffer | None], outputs: Sequence[OutputBuffer]
    ) -> None:
        for role, values in (("input", inputs), ("output", outputs)):
            for ordinal, value in enumerate(values):
                if (reason := misuse(self._runtime, value)) is not None:
                    self._refuse(f"{role} {ordinal} {reason}", f"{role} {ordinal}", value)
        wanted = len(self._plan.inputs)
        given = [value for value in inputs if value is not None and memory_of(value) is not None]
        missing = next(
            (i for i, value in enumerate(inputs) if value is None or memory_of(value) is None),
            len(inputs),
        )
        if missing < wanted:
            self._refuse(
                f"The required input {missing} is not provided by user, while the total input data "
                f"num is {len(given)}; the model has {wanted}",
                f"input {missing}",
            )
        if len(inputs) > wanted:
            self._refuse(
                f"input_data.blobs.size:{len(inputs)} != input_data_info.size:{wanted}",
                "inputs",
                len(inputs),
            )
        if len(outputs) != len(self._plan.outputs):
            self._refuse(
                f"output_data.blobs.size:{len(outputs)} != output_data_info.size:"
                f"{len(self._plan.outputs)}",
                "outputs",
                len(outputs),
            )

    # One input.

    def _input(self, io: ModelInput, value: InputBuffer | None, warnings: list[str]) -> InputWay:
        name = f"input {io.ordinal}"
        self._check_elements(io, value, name)
        operand, pointer = self._resolve(io, memory_of(value), name)
        shape = io.shape if io.size is not None else self._input_shape(io, value, name)
        size = self._shapes.size(io, shape, name) if io.size is None else io.size
        copied = InputWay(io, operand, pointer, Way.COPIED, size, shape)
        if not size and pointer is not None:
            return replace(copied, way=Way.BOUND)
        if not operand.size or not size:
            if size:
                warnings.append(f"{name} has no bytes: none are copied, the model uses {size}")
            return copied
        if self._memory is IoMemory.OWNED or not self._can_bind(io):
            self._check_copied_input(io, operand)
            return copied
        if pointer is not None:
            self._check_bound_size(io, operand, name, warnings)
            self._check_dynamic_size(io, operand, size, name)
            return replace(copied, way=Way.BOUND)
        if self._options.always_zero_copy:
            self._refuse_place(io, operand, name)
        self._check_own_segment(name, operand)
        self._check_copied_input(io, operand)
        return replace(copied, fallback=True)

    def _input_shape(self, io: ModelInput, value: InputBuffer | None, name: str) -> tuple[int, ...]:
        """The shape of an input that the program does not state."""
        shape = shape_of(value)
        if shape is None:
            self._refuse(
                f"{name} has a shape that is only known at run time; give it as an array, or a "
                "Tensor with its shape",
                name,
            )
        fits = len(shape) == len(io.shape) and all(
            want in (-1, got) for want, got in zip(io.shape, shape, strict=True)
        )
        if io.shape and not fits:
            self._refuse(
                f"{name} has shape {list(shape)}, the model takes {list(io.shape)} (-1 for any)",
                name,
                shape,
            )
        return shape

    def _check_copied_input(self, io: ModelInput, operand: Operand) -> None:
        if io.size is not None and operand.size > io.size:
            self._refuse(
                f"input data size({operand.size}) is bigger than model required size({io.size}) "
                f"of input {io.ordinal}",
                operand.parameter,
                operand.size,
            )

    def _check_dynamic_size(
        self, io: ModelIo, operand: Operand, size: int | None, name: str
    ) -> None:
        """Memory holds the shape that came with it; there is no tolerance (GE-47)."""
        if io.size is None and size is not None and operand.size < size:
            self._refuse(
                f"{name} has {operand.size} bytes, its shape asks for {size}", name, operand.size
            )

    # One output.

    def _output(
        self,
        io: ModelOutput,
        value: OutputBuffer,
        inputs: Sequence[InputBuffer | None],
        warnings: list[str],
    ) -> OutputWay:
        name = f"output {io.ordinal}"
        self._check_elements(io, value, name)
        buffer = memory_of(value)
        if isinstance(buffer, tuple):
            if buffer[1]:
                self._refuse(f"data is null but size is {buffer[1]} of {name}", name, buffer)
            buffer = None
        way = self._sized(io, value, inputs)
        if buffer is None:
            return self._without_memory(way, name)
        operand, pointer = self._resolve(io, buffer, name)
        self._check_writable(operand, name)
        copied = replace(way, operand=operand, pointer=pointer)
        if self._options.always_zero_copy:
            self._check_strict_size(copied, operand, name)
            if pointer is None and way.size != 0:
                self._refuse_place(io, operand, name)
        bound = self._can_bind(io) and not io.reference and pointer is not None
        if self._memory is IoMemory.REUSED and bound and io.size is not None:
            self._check_bound_size(io, operand, name, warnings)
            return replace(copied, way=Way.BOUND, in_place=True)
        self._check_copied_output(copied, operand, name)
        if self._memory is IoMemory.OWNED or io.reference:
            return copied
        if bound:
            return replace(copied, way=Way.BOUND, in_place=True)
        if self._can_bind(io) and way.size != 0:
            self._check_own_segment(name, operand)
        return replace(copied, fallback=way.size != 0)

    def _sized(
        self, io: ModelOutput, value: OutputBuffer, inputs: Sequence[InputBuffer | None]
    ) -> OutputWay:
        """An output with its shape, as far as it can be told before the program runs."""
        way = OutputWay(io, None, None, Way.COPIED, io.size, io.shape)
        if io.size is not None:
            return way
        if self._shapes.trusts(io):
            shape = self._shapes.stated(io, value)
            return replace(way, shape=shape, size=self._shapes.size(io, shape, _name(io)))
        shape = self._shapes.inferred(io, inputs)
        if shape is None:
            return replace(way, shape=None)
        size = self._shapes.size(io, shape, _name(io))
        return replace(way, shape=shape, size=size, inferred=True)

    def _without_memory(self, way: OutputWay, name: str) -> OutputWay:
        if way.io.reference:
            return replace(way, way=Way.BOUND)
        if self._options.always_zero_copy:
            self._refuse(
                "E13031 The output tensor and its address must be allocated and passed by the "
                f"caller: {name} is null",
                name,
            )
        if way.size is None:
            self._refuse(
                f"{name} has a shape that is only known at run time; give memory for it", name
            )
        return replace(
            way,
            way=Way.ALLOCATED,
            in_place=self._can_bind(way.io),
            fallback=self._memory is not IoMemory.OWNED,
        )

    def _check_strict_size(self, way: OutputWay, operand: Operand, name: str) -> None:
        if way.size is not None and operand.size < way.size:
            self._refuse(
                f"The output tensor memory size {operand.size} is smaller than the actual size "
                f"{way.size} required by tensor: {name}",
                name,
                operand.size,
            )

    def _check_copied_output(self, way: OutputWay, operand: Operand, name: str) -> None:
        if way.size is not None and operand.size < way.size:
            self._refuse(
                f"given buffer size {operand.size} is less than output tensor size {way.size} of "
                f"{name}",
                name,
                operand.size,
            )

    def _check_writable(self, operand: Operand, name: str) -> None:
        if (operand.pointer is not None and not operand.pointer.writable) or (
            operand.array is not None and not operand.array.flags.writeable
        ):
            self._refuse(f"{name} is read-only memory; give memory that can be written", name)

    # Both.

    def _check_elements(self, io: ModelIo, value: OutputBuffer, name: str) -> None:
        """What an array or tensor states as its elements is what the model has, or bytes."""
        given, wanted = dtype_of(value), element_dtype(io)
        if given is None or wanted is None or given == "uint8" or same_elements(given, wanted):
            return
        self._refuse(
            f"{name} has elements of {given}, the model has {io.element}; give these, or bytes",
            name,
            value,
        )

    def _resolve(
        self, io: ModelIo, value: IoBuffer | tuple[None, int] | None, name: str
    ) -> tuple[Operand, Pointer | None]:
        """The operand, and the name by which the device of `io` reaches it in place, if any."""
        device = self.device_of(io)
        if isinstance(value, tuple):
            self._refuse(f"{name} has no address: {value}", name, value)
        if isinstance(value, MappedPointer):
            registration = value.registration
            if registration is None or not registration.alive:
                self._refuse(f"{name} refers to an unregistered mapping: {value!r}", name, value)
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
            self._refuse(
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
        self._refuse(
            "E13025 Zero-copy memory reuse mode is enabled, requiring all I/O tensors to be "
            f"allocated in device memory, but {name} is located in {operand.location} memory that "
            f"the device does not reach (available: {self._own_size}, required: {required})",
            name,
        )

    def _refuse_place(self, io: ModelIo, operand: Operand, name: str) -> None:
        device = self.device_of(io)
        self._refuse(
            f"{name} placement {operand.location} does not match required placement device "
            f"{device.index}: it does not have memory type DEVICE_VISIBLE there",
            name,
        )

    def _refuse(self, message: str, parameter: str, value: object = None) -> NoReturn:
        self._runtime.refuse(ErrorCode.INVALID_MODEL_PARAMETER, message, parameter, value)


def _name(io: ModelOutput) -> str:
    return f"output {io.ordinal}"
