"""A model that is loaded: `bind` checks a call and `run` carries it out.

A run binds the caller's memory into the binding tables of command buffers that were recorded when
the model was loaded; it copies only what cannot be bound. Slots whose address is the one of the
run before are not refreshed (GE-43).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from ...dialects.io_plan import IoPlan
from ..errors import HalError, unimplemented
from ..hal.command_buffer import CommandBuffer
from ..hal.device import Device
from ..hal.semaphore import Fence
from ..host.calls import Needs
from ..host.errors import ErrorCode, from_hal
from ..host.memory import DevicePointer
from ..host.runtime import Runtime
from ..host.stream import DeviceState
from ..host.tasks import Task
from ..load import Program
from ..session import Session
from ..signature import Argument, find_function
from ..vm.values import BufferView, DeviceArray
from .binder import Binder, IoBuffer, OutputBuffer
from .call import Prepared, input_view, prepare, results_of
from .memory import Allocator, ModelMemory, check_work, required_size
from .memory_types import RunAddresses, UpdatePolicy, update_policy
from .options import OPERATION, LoweringOptions
from .transients import transient_ranges
from .ways import Binding, IoMemory
from .zero_copy_offset import data_info, registered

EXECUTE = "aclmdlExecute"
"""The call that runs a model, as messages name it."""

_BYTES = np.dtype(np.uint8)


@dataclass(frozen=True, slots=True)
class LoadSettings:
    """How a model is loaded, besides the options of its lowering."""

    memory: IoMemory = IoMemory.BOUND
    work: DevicePointer | None = None
    """The caller's memory for the model's own; None to have it allocated (GE-03)."""
    allocators: Mapping[str, Allocator] = field(default_factory=dict[str, Allocator])
    """The caller's, by the device whose memory they give (GE-11)."""


class Model:
    """A model on a machine."""

    def __init__(
        self,
        program: Program,
        plan: IoPlan,
        options: LoweringOptions,
        runtime: Runtime,
        settings: LoadSettings,
    ) -> None:
        """Load a planned and lowered program; see `zcir.runtime.model.load`."""
        self.program = program
        self.io_plan = plan
        self.options = options
        self.runtime = runtime
        self.settings = settings
        self.number = next(runtime.numbers)
        """The model's id."""
        self._running = False
        self._last: RunAddresses | None = None
        self.policy = UpdatePolicy.NONE
        """How much the last run refreshed (GE-56)."""
        with self._call(OPERATION):
            self._device = runtime.context().device
            self._memory = self._own_memory()
        self.input_data_info, self.output_data_info = data_info(plan)
        self._addresses = registered(self.input_data_info.values(), self.output_data_info.values())
        for io in plan.ios:
            if not io.zero_copy and io.offset is not None:
                self._addresses.disable(io.offset)
        copied = self._addresses.copy_only
        self._binder = Binder(
            runtime, plan, self._device, settings.memory, options, self._memory.size, copied
        )
        self._shapes = self._input_shapes()
        self._session = self._open()
        self._loaded = True

    def plan(self) -> IoPlan:
        """How the memory of inputs and outputs is handled."""
        return self.io_plan

    @property
    def copy_only(self) -> frozenset[int]:
        """Logical addresses that are copied to or from at each run, and never replaced (GE-49)."""
        return frozenset(self._addresses.copy_only)

    def disable_zero_copy(self, address: int) -> None:
        """Copy what is at a logical address from now on, instead of binding the caller's memory
        (`DisableZeroCopy`, GE-49). Nothing happens for an address that stands for no input or
        output, or for parts of one.
        """
        self._addresses.disable(address)

    @property
    def work_size(self) -> int:
        """Bytes of work memory that the model needs (GE-03)."""
        return required_size(self.io_plan, self.settings.memory)

    # Calls.

    def bind(
        self, inputs: Sequence[IoBuffer | None], outputs: Sequence[OutputBuffer] | None = None
    ) -> Binding:
        """Check a call and say what it would do; nothing is done.

        Args:
            inputs: memory of each input: an array, or a pointer of the runtime.
            outputs: memory for each output; None for one that the call is to allocate.

        Raises HostError where the model does not take them; see `Binder`.
        """
        with self._call(EXECUTE):
            return self._bind(inputs, outputs)

    def run(
        self, inputs: Sequence[IoBuffer | None], outputs: Sequence[OutputBuffer] | None = None
    ) -> list[IoBuffer]:
        """Run the model; results are there when this returns (`aclmdlExecute`, GE-73).

        Takes what `bind` takes. Gives for each output the memory that it is in: the caller's, or
        memory that the call allocated, which the caller frees (GE-74).

        Raises HostError as `bind` does, without effect, and where the program fails.
        """
        with self._call(EXECUTE):
            binding = self._bind(inputs, outputs)
            self._enter()
            try:
                given = [None] * len(binding.outputs) if outputs is None else outputs
                return self._run(binding, inputs, given)
            finally:
                self._running = False

    def unload(self) -> None:
        """End the model and free what was allocated for it; the caller's memory stays."""
        with self._call("aclmdlUnload"):
            self._check_loaded()
            self._loaded = False
            held = list(self._memory.spares.values())
            if self._memory.base is not None:
                self._memory.base.allocation.holders.remove(self._holder)
                if self._memory.owned:
                    held.append(self._memory.base)
            for pointer in held:
                self.runtime.check_idle(pointer.allocation)
                self.runtime.release_memory(pointer.allocation)

    # Loading.

    @property
    def _holder(self) -> str:
        return f"model {self.number}"

    def _own_memory(self) -> ModelMemory:
        runtime, settings = self.runtime, self.settings
        size = self.work_size
        memory = ModelMemory(None, 0, settings.work is None, self._allocate, {})
        if settings.work is not None:
            check_work(runtime, settings.work, size, self._device)
            memory.base, memory.size = settings.work, settings.work.size
        elif size:
            memory.base = self._allocate(size, f"model{self.number}", self._device)
            memory.size = size
        if memory.base is not None:
            memory.base.allocation.holders.append(self._holder)
        return memory

    def _allocate(self, size: int, name: str, device: DeviceState) -> DevicePointer:
        allocator = self.settings.allocators.get(device.name)
        if allocator is not None:
            return allocator(size, name)
        if self.options.always_external_allocator:
            self.runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"external allocator for placement {device.name} was not provided; {size} bytes "
                f"are needed for {name}",
                "allocators",
                device.name,
            )
        return self.runtime.allocate_device(size, name, device)

    def _open(self) -> Session:
        """Start the program: its initializers record command buffers."""
        session = self.program.session_on(self.runtime.system)
        function = find_function(self.program.module, self.io_plan.function)
        base = self._memory.base
        if base is not None:
            session.place(
                {
                    op: (base + start).subspan(size)
                    for op, (start, size) in transient_ranges(function, self.io_plan).items()
                }
            )
        return session

    def _input_shapes(self) -> list[Argument]:
        return self.program.arguments(self.io_plan.function)[: len(self.io_plan.inputs)]

    # Running.

    def _bind(
        self, inputs: Sequence[IoBuffer | None], outputs: Sequence[OutputBuffer] | None
    ) -> Binding:
        self._check_loaded()
        if outputs is None:
            outputs = [None] * len(self.io_plan.outputs)
        return self._binder.bind(inputs, outputs)

    def _check_loaded(self) -> None:
        if not self._loaded:
            self.runtime.refuse(
                ErrorCode.INVALID_MODEL_ID, f"model {self.number} is unloaded", "modelId"
            )

    def _enter(self) -> None:
        if self._running:
            self.runtime.refuse(
                ErrorCode.MODEL_RUNNING, f"model {self.number} is already executing", "modelId"
            )
        self._running = True

    def _run(
        self, binding: Binding, inputs: Sequence[IoBuffer | None], outputs: Sequence[OutputBuffer]
    ) -> list[IoBuffer]:
        runtime, context = self.runtime, self.runtime.context()
        if context.default_stream.value:
            runtime.wait_for(context.default_stream.position, context.default_stream.name)
        prepared = prepare(runtime, self._memory, binding, self._binder.device_of)
        for way in (*binding.inputs, *binding.outputs):
            runtime.statistics[self._device.name].fallbacks += way.fallback
        self._note_addresses(prepared)
        if prepared.arriving:
            runtime.copy_now(context, prepared.arriving, "model input")
        runtime.run_now(context, self._task(binding, prepared, self._views(prepared, inputs)))
        if prepared.leaving:
            runtime.copy_now(context, prepared.leaving, "model output")
        return results_of(prepared, binding, outputs)

    def _note_addresses(self, prepared: Prepared) -> None:
        base = self._memory.base
        now = RunAddresses(
            {argument: pointer.address for argument, pointer in prepared.storage.items()},
            None if base is None else base.address,
            bool(prepared.arriving),
        )
        self.policy = update_policy(self._last, now)
        self._last = now

    def _views(
        self, prepared: Prepared, inputs: Sequence[IoBuffer | None]
    ) -> dict[int, BufferView]:
        """What the function is called with, by argument: memory with a shape."""
        views: dict[int, BufferView] = {}
        for io, shaped, given in zip(self.io_plan.inputs, self._shapes, inputs, strict=True):
            pointer = prepared.storage[io.argument]
            views[io.argument] = input_view(self.runtime, io, shaped, pointer, given)
        for io in self.io_plan.outputs:
            if io.argument not in views:
                pointer = prepared.storage[io.argument]
                size = pointer.size if io.size is None else min(io.size, pointer.size)
                views[io.argument] = DeviceArray(pointer.subspan(size), (size,), _BYTES)
        return views

    def _task(self, binding: Binding, prepared: Prepared, views: Mapping[int, BufferView]) -> Task:
        """The program as a task: it executes before it is submitted to the end."""
        host = self.runtime.system.host
        arguments = [views[argument] for argument in sorted(views)]

        def enqueue(device: Device, wait: Fence, signal: Fence) -> None:
            if wait.timepoints:
                host.wait(wait)
            self._session.call_views(self.io_plan.function, arguments)
            host.signal(signal)

        def record(commands: CommandBuffer) -> None:
            raise unimplemented(f"model {self.number} cannot be part of a captured graph")

        return Task(f"model {self.io_plan.function}", tuple(prepared.uses), enqueue, record)

    @contextmanager
    def _call(self, operation: str) -> Generator[None]:
        """One call of the API: it is logged, and what the HAL refuses is a HostError."""
        self.runtime.enter(operation, Needs.CONTEXT)
        try:
            yield
        except HalError as error:
            raise from_hal(operation, error) from None
