"""A model that is loaded: `bind` checks a call and `run` carries it out.

A run binds the caller's memory into the binding tables of command buffers that were recorded when
the model was loaded; it copies only what cannot be bound. Slots whose address is the one of the
run before are not refreshed (GE-43).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from xdsl.ir import Attribute

from ...dialects.io_plan import IoPlan
from ..element_types import Scalar
from ..errors import HalError, unimplemented
from ..hal.command_buffer import CommandBuffer
from ..hal.device import Device
from ..hal.semaphore import Fence
from ..host.calls import Needs
from ..host.errors import ErrorCode, from_hal
from ..host.memory import DevicePointer
from ..host.runtime import Runtime
from ..host.tasks import Task
from ..load import Program
from ..signature import find_function
from ..vm.values import BufferView, DeviceArray
from .binder import Binder
from .call import Preparation, Prepared, copy_out, input_view, output_view, results_of
from .copy_only import WhyCopied
from .loading import LoadSettings, MemoryLoader, load_addresses
from .memory import check_memory, required_size
from .memory_types import RunAddresses, UpdatePolicy, update_policy
from .options import OPERATION, LoweringOptions
from .pending import PendingRun, issued
from .scalars import ScalarArguments
from .tasks import classify_tasks
from .tensor import InputBuffer, IoBuffer, OutputBuffer
from .ways import Binding, Way

EXECUTE = "aclmdlExecute"
"""The call that runs a model, as messages name it."""


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
        self.runtime = runtime
        self.settings = settings
        self.number = next(runtime.numbers)
        """The model's id."""
        self.policy = UpdatePolicy.NONE
        """How much the last run refreshed (GE-56)."""
        self.shape_inferences = 0
        """Outputs whose shape a run has inferred (GE-08)."""
        self._options = options
        self._running = False
        self._last: RunAddresses | None = None
        function = find_function(program.module, plan.function)
        self._scalars = ScalarArguments(runtime, function)
        with self._call(OPERATION):
            self.tasks = classify_tasks(plan.tasks, feature_map=settings.feature_map_refreshable)
            """What each task follows when addresses change (GE-54, GE-55)."""
            self.addresses = load_addresses(plan, settings.memory)
            """Inputs and outputs by logical address (GE-44)."""
            self._context = runtime.context()
            self._device = self._context.device
            self._loader = MemoryLoader(runtime, program, plan, options, settings, self.number)
            self._memory = self._loader.memory()
            self._session = self._loader.open(self._memory)
            self._hold()
        outside = self.addresses.outside
        self._binder = Binder(
            runtime,
            plan,
            self._device,
            settings.memory,
            options,
            self._memory.size,
            outside.copy_only,
            self.addresses.reasons,
        )
        self._preparation = Preparation(
            runtime,
            plan,
            self._memory,
            self._binder.device_of,
            merges=settings.merge_input_copies,
        )
        self._loaded = True

    def plan(self) -> IoPlan:
        """How the memory of inputs and outputs is handled."""
        return self.io_plan

    @property
    def options(self) -> LoweringOptions:
        """The options that the model was loaded with; they do not change (GE-07)."""
        return self._options

    @options.setter
    def options(self, value: LoweringOptions) -> None:
        """Refuse."""
        with self._call(OPERATION):
            self.runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                "lowering options are fixed at load; load the model again with others",
                "options",
                value,
            )

    @property
    def copy_only(self) -> frozenset[int]:
        """Logical addresses that are copied to or from at each run, and never replaced (GE-49)."""
        return frozenset(self.addresses.outside.copy_only)

    def disable_zero_copy(self, address: int) -> None:
        """Copy what is at a logical address from now on, instead of binding the caller's memory
        (`DisableZeroCopy`, GE-49). Nothing happens for an address that stands for no input or
        output, or for parts of one.
        """
        outside = self.addresses.outside
        outside.disable(address)
        if address in outside.copy_only:
            # Whatever made it copy-only before, it is now by the caller's word.
            self.addresses.reasons[address] = WhyCopied.DISABLED

    @property
    def work_size(self) -> int:
        """Bytes of work memory that the model needs (GE-03)."""
        return required_size(self.io_plan, self.settings.memory)

    @property
    def weight_size(self) -> int:
        """Bytes of weight memory that the model needs (GE-03)."""
        return self.io_plan.weight_size

    # Calls.

    def bind(
        self,
        inputs: Sequence[InputBuffer | None],
        outputs: Sequence[OutputBuffer] | None = None,
        scalars: Sequence[Scalar] = (),
    ) -> Binding:
        """Check a call and say what it would do; nothing is done.

        Args:
            inputs: memory of each input: an array, a pointer of the runtime, or a `Tensor`.
            outputs: memory for each output; None for one that the call is to allocate.
            scalars: a number for each argument of the model that is none of memory.

        Raises HostError where the model does not take them; see `Binder`.
        """
        with self._call(EXECUTE):
            self._scalars.fit(scalars)
            return self._bind(inputs, outputs)

    def run(
        self,
        inputs: Sequence[InputBuffer | None],
        outputs: Sequence[OutputBuffer] | None = None,
        scalars: Sequence[Scalar] = (),
    ) -> list[IoBuffer]:
        """Run the model; results are there when this returns (`aclmdlExecute`, GE-73).

        Takes what `bind` takes. Gives for each output the memory that it is in: the caller's, or
        memory that the call allocated, which the caller frees (GE-74). A `Tensor` is told its
        memory, shape and element type (GE-68).

        Raises HostError as `bind` does, without effect, and where the program fails.
        """
        with self._call(EXECUTE):
            values = self._scalars.fit(scalars)
            binding = self._bind(inputs, outputs)
            self._enter()
            try:
                given = [None] * len(binding.outputs) if outputs is None else outputs
                return self._run(binding, values, given)
            finally:
                self._running = False

    def run_async(
        self,
        inputs: Sequence[InputBuffer | None],
        outputs: Sequence[OutputBuffer] | None = None,
        scalars: Sequence[Scalar] = (),
    ) -> PendingRun:
        """Issue a run, as `run` takes it, and return at once (`aclmdlExecuteAsync`).

        Until the host has waited, the caller's memory is in use: to read an output or to write an
        input is a hazard, and memory is not freed (GE-02, GE-67). The model takes no other call,
        since its arguments would change under it (GE-43).
        """
        with self._call("aclmdlExecuteAsync"):
            values = self._scalars.fit(scalars)
            binding = self._bind(inputs, outputs)
            self._enter()
            given = [None] * len(binding.outputs) if outputs is None else outputs
            stream = self.runtime.new_stream(self._context)
            _, signal = stream.advance()
            pending = PendingRun(self.runtime, stream, f"model {self.io_plan.function}")
            issued(self.runtime, stream, binding, pending.label)

        def complete() -> None:
            # What follows registers its own uses of the same memory.
            self.runtime.host_access.learn({stream.number: stream.value})
            try:
                pending.results = self._run(binding, values, given)
            except HalError as error:
                raise from_hal("aclmdlExecuteAsync", error) from None
            finally:
                self._running = False
                self.runtime.system.host.signal(signal)
                self._context.streams.remove(stream)

        self.runtime.host_work.append(complete)
        return pending

    def move_work(self, work: DevicePointer) -> None:
        """Put the feature map into other memory of the caller, from the next run on (GE-56).

        Raises HostError for a model that was not loaded with `feature_map_refreshable`, that has
        its work memory of its own, or a task with fixed addresses in it, and for memory that is
        too small.
        """
        with self._call("aclmdlUpdateWorkMemory"):
            self._check_loaded()
            self._check_movable()
            check_memory(self.runtime, "work", work, self.work_size, self._device)
            assert self._memory.base is not None
            self._memory.base.allocation.holders.remove(self._holder)
            self._memory.base = work
            work.allocation.holders.append(self._holder)
            self._session.place(self._loader.transients(work))

    def unload(self) -> None:
        """End the model and free what was allocated for it; the caller's memory stays."""
        with self._call("aclmdlUnload"):
            self._check_loaded()
            self._check_not_running()
            self._loaded = False
            for pointer in self._held():
                pointer.allocation.holders.remove(self._holder)
            self._loader.free(self._memory)

    # Loading.

    @property
    def _holder(self) -> str:
        return f"model {self.number}"

    def _held(self) -> list[DevicePointer]:
        """Memory that must stay for as long as the model is loaded."""
        memory = self._memory
        own = [] if memory.weights in memory.owned else [memory.weights]
        return [p for p in (memory.base, *own, *memory.owned) if p is not None]

    def _hold(self) -> None:
        for pointer in self._held():
            pointer.allocation.holders.append(self._holder)

    def _check_movable(self) -> None:
        """Refuse to move a feature map that is not the caller's, or that a task has fixed."""
        fixed = next((task.task for task in self.tasks if task.fixed), None)
        if self.settings.work is None:
            why = "it is the model's own; load it with work memory"
        elif not self.settings.feature_map_refreshable:
            why = "the model was loaded without feature_map_refreshable"
        elif fixed is not None:
            why = f"{fixed.kind}({fixed.name}) has fixed addresses"
        else:
            return
        self.runtime.refuse(
            ErrorCode.INVALID_MODEL_PARAMETER, f"the feature map cannot move: {why}", "workPtr"
        )

    # Running.

    def _bind(
        self, inputs: Sequence[InputBuffer | None], outputs: Sequence[OutputBuffer] | None
    ) -> Binding:
        self._check_loaded()
        if self.runtime.context() is not self._context:
            self.runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"model {self.number} was loaded in context {self._context.number}, the current "
                f"one is {self.runtime.context().number}",
                "modelId",
            )
        if outputs is None:
            outputs = [None] * len(self.io_plan.outputs)
        return self._binder.bind(inputs, outputs)

    def _check_loaded(self) -> None:
        if not self._loaded:
            self.runtime.refuse(
                ErrorCode.INVALID_MODEL_ID, f"model {self.number} is unloaded", "modelId"
            )

    def _check_not_running(self) -> None:
        if self._running:
            self.runtime.refuse(
                ErrorCode.MODEL_RUNNING,
                f"model {self.number} is already executing: it is running; cannot refresh "
                "arguments",
                "modelId",
            )

    def _enter(self) -> None:
        self._check_not_running()
        self._running = True

    def _run(
        self, binding: Binding, scalars: Mapping[int, Attribute], outputs: Sequence[OutputBuffer]
    ) -> list[IoBuffer]:
        runtime, context = self.runtime, self.runtime.context()
        if context.default_stream.value:
            runtime.wait_for(context.default_stream.position, context.default_stream.name)
        prepared = self._preparation.prepare(binding)
        for way in (*binding.inputs, *binding.outputs):
            runtime.statistics[self._device.name].fallbacks += way.fallback
        self.shape_inferences += sum(way.inferred for way in binding.outputs)
        self._note_addresses(binding, prepared)
        if prepared.arriving:
            runtime.copy_now(context, self._preparation.moves(prepared), "model input")
        returned: list[DeviceArray] = []
        task = self._task(prepared, self._values(binding, prepared, scalars), returned)
        runtime.run_now(context, task)
        copy_out(runtime, prepared.leaving)
        return results_of(prepared, binding, outputs, returned)

    def _note_addresses(self, binding: Binding, prepared: Prepared) -> None:
        base = self._memory.base
        now = RunAddresses(
            {argument: pointer.address for argument, pointer in prepared.storage.items()},
            None if base is None else base.address,
            any(way.way is Way.COPIED and way.operand.is_host for way in binding.inputs),
        )
        self.policy = update_policy(self._last, now)
        self._last = now

    def _values(
        self, binding: Binding, prepared: Prepared, scalars: Mapping[int, Attribute]
    ) -> list[BufferView | Attribute]:
        """What the function is called with: memory with a shape, and numbers."""
        values: dict[int, BufferView | Attribute] = dict(scalars)
        for way in binding.inputs:
            values[way.io.argument] = input_view(way, prepared.storage[way.io.argument])
        for way in binding.outputs:
            if way.io.argument not in values:
                storage = prepared.storage[way.io.argument]
                values[way.io.argument] = output_view(way, storage)
        return [values[index] for index in sorted(values)]

    def _task(
        self,
        prepared: Prepared,
        values: Sequence[BufferView | Attribute],
        returned: list[DeviceArray],
    ) -> Task:
        """The program as a task: it executes before it is submitted to the end; what it returns
        is added to `returned`."""
        host = self.runtime.system.host

        def enqueue(device: Device, wait: Fence, signal: Fence) -> None:
            if wait.timepoints:
                host.wait(wait)
            results = self._session.call_views(self.io_plan.function, values)
            returned.extend(view for view in results if isinstance(view, DeviceArray))
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
