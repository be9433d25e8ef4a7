"""What a load does, in order: addresses first (GE-45), then memory, then the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from xdsl.ir import Operation

from ...dialects.io_plan import IoPlan, ModelInput
from ..hal.buffer import Buffer
from ..host.errors import ErrorCode, HostError
from ..host.memory import DevicePointer
from ..host.runtime import Runtime
from ..load import Program
from ..session import Session
from ..signature import find_function
from .copy_only import WhyCopied, copy_only_addresses
from .memory import Allocator, Allocators, ModelMemory, check_memory, required_size
from .options import OPERATION, LoweringOptions
from .placement import Range, residents, transient_ranges, weight_ranges
from .ways import IoMemory
from .zero_copy_offset import OutsideAddresses, ZeroCopyOffset, input_info, output_info


@dataclass(frozen=True, slots=True)
class LoadSettings:
    """How a model is loaded, besides the options of its lowering."""

    memory: IoMemory = IoMemory.BOUND
    work: DevicePointer | None = None
    """The caller's memory for the model's own; None to have it allocated (GE-03)."""
    weight: DevicePointer | None = None
    """The caller's memory for the constants; None to have it allocated (GE-03)."""
    allocators: Mapping[str, Allocator] = field(default_factory=dict[str, Allocator])
    """The caller's, by the device whose memory they give (GE-11)."""
    merge_input_copies: bool = True
    """Copies of neighbouring inputs from the host are one (GE-23)."""
    feature_map_refreshable: bool = False
    """The feature map may move between runs."""


def check_loadable(runtime: Runtime, program: Program, options: object) -> None:
    """Refuse what are no options, and a machine without the program's devices (HostError)."""
    if not isinstance(options, LoweringOptions):
        raise HostError(
            ErrorCode.INVALID_MODEL_PARAMETER,
            OPERATION,
            f"options are {options!r}; give LoweringOptions(…), or LoweringOptions.of(…)",
            parameter="options",
            value=options,
        )
    known = [device.name for device in runtime.devices]
    missing = [name for name in program.topology.device_names if name not in known]
    if missing:
        raise HostError(
            ErrorCode.INVALID_MODEL_PARAMETER,
            OPERATION,
            f"the model runs on {', '.join(missing)}, the machine has {', '.join(known)}",
            parameter="runtime",
            value=runtime,
        )


class LoadStep(StrEnum):
    """What the loader does about addresses, in this order."""

    CREATE = "create and initialize a ZeroCopyOffset for each input and output"
    REGISTER = "register their virtual addresses"
    DISABLE = "disable zero copy of those that are copied"


@dataclass(slots=True)
class LoadedAddresses:
    """Inputs and outputs by their logical addresses."""

    inputs: dict[int, ZeroCopyOffset] = field(default_factory=dict[int, ZeroCopyOffset])
    """By ordinal (GE-44)."""
    outputs: dict[int, ZeroCopyOffset] = field(default_factory=dict[int, ZeroCopyOffset])
    outside: OutsideAddresses = field(default_factory=OutsideAddresses)
    reasons: dict[int, WhyCopied] = field(default_factory=dict[int, WhyCopied])
    """Why an address is copy-only."""
    steps: list[LoadStep] = field(default_factory=list[LoadStep])
    """What has been done, in order."""


def load_addresses(plan: IoPlan, memory: IoMemory) -> LoadedAddresses:
    """All steps about addresses; HostError INVALID_MODEL_PARAMETER where the plan has none."""
    loaded = LoadedAddresses()
    for step, act in _STEPS:
        act(loaded, plan, memory)
        loaded.steps.append(step)
    return loaded


def _create(loaded: LoadedAddresses, plan: IoPlan, memory: IoMemory) -> None:
    for io in plan.inputs:
        _check_described(io)
    loaded.inputs, loaded.outputs = input_info(plan), output_info(plan)


def _check_described(io: ModelInput) -> None:
    """Refuse an input of known size without an address (GE-45)."""
    if io.size is not None and io.offset is None:
        raise HostError(
            ErrorCode.INVALID_MODEL_PARAMETER,
            OPERATION,
            f"Data[{io.name}] init failed: output size is 1, output offset size is 0; run "
            "model-assign-io-memory",
            parameter=f"input {io.ordinal}",
            value=io.size,
        )


def _register(loaded: LoadedAddresses, plan: IoPlan, memory: IoMemory) -> None:
    for offset in (*loaded.inputs.values(), *loaded.outputs.values()):
        loaded.outside.register(offset)


def _disable(loaded: LoadedAddresses, plan: IoPlan, memory: IoMemory) -> None:
    loaded.reasons = copy_only_addresses(plan, memory)
    for address in loaded.reasons:
        loaded.outside.disable(address)


_Act = Callable[[LoadedAddresses, IoPlan, IoMemory], None]
_STEPS: tuple[tuple[LoadStep, _Act], ...] = (
    (LoadStep.CREATE, _create),
    (LoadStep.REGISTER, _register),
    (LoadStep.DISABLE, _disable),
)


class MemoryLoader:
    """Gives a model its memory, and opens its program on it."""

    def __init__(
        self,
        runtime: Runtime,
        program: Program,
        plan: IoPlan,
        options: LoweringOptions,
        settings: LoadSettings,
        number: int,
    ) -> None:
        """`number`: the model's id."""
        self._runtime = runtime
        self._program = program
        self._plan = plan
        self._settings = settings
        self._number = number
        self._device = runtime.context().device
        self._allocators = Allocators(
            runtime, settings.allocators, options.always_external_allocator
        )

    def memory(self) -> ModelMemory:
        """The memory of the model; what is given has been checked before any is allocated.

        Raises HostError for memory that will not do, and where there is none; what was allocated
        until then is freed.
        """
        runtime, plan, settings = self._runtime, self._plan, self._settings
        self._allocators.check()
        size = required_size(plan, settings.memory)
        for what, given, required in (
            ("work", settings.work, size),
            ("weight", settings.weight, plan.weight_size),
        ):
            if given is not None:
                check_memory(runtime, what, given, required, self._device)
        memory = ModelMemory(None, 0, None, [], self._allocators.allocate, self.release, {})
        try:
            memory.base = settings.work or self._own(memory, size, "")
            memory.size = 0 if memory.base is None else memory.base.size
            if settings.work is None:
                memory.size = size
            memory.weights = settings.weight or self._own(memory, plan.weight_size, "weights")
        except HostError:
            self.free(memory)
            raise
        return memory

    def open(self, memory: ModelMemory) -> Session:
        """Start the program: constants are read, command buffers recorded. Raises as `memory`."""
        found = residents(self._program.module)
        placed: dict[Operation, Buffer] = {}
        if memory.weights is not None:
            ranges = weight_ranges(found, self._plan, self._device.name)
            placed |= _buffers(memory.weights, ranges)
        try:
            for one in found:
                if one.op in placed or not one.size:
                    continue
                device = next(d for d in self._runtime.devices if d.name == one.device)
                name = f"model{self._number} {'constant' if one.constant else 'variable'}"
                pointer = self._allocators.allocate(one.size, name, device)
                memory.owned.append(pointer)
                placed[one.op] = pointer.subspan(one.size)
            session = self._program.session_on(self._runtime.system, placed)
        except HostError:
            self.free(memory)
            raise
        if memory.base is not None:
            session.place(self.transients(memory.base))
        return session

    def transients(self, base: DevicePointer) -> dict[Operation, Buffer]:
        """Where the temporaries are if the feature map starts at `base`."""
        function = find_function(self._program.module, self._plan.function)
        return _buffers(base, transient_ranges(function, self._plan))

    def free(self, memory: ModelMemory) -> None:
        """Give back what was allocated for the model."""
        for pointer in (*memory.owned, *memory.spares.values()):
            self.release(pointer)
        memory.owned.clear()
        memory.spares.clear()

    def release(self, pointer: DevicePointer) -> None:
        """Give back one piece of memory, which nothing uses any more."""
        self._runtime.check_idle(pointer.allocation)
        self._runtime.release_memory(pointer.allocation)

    def _own(self, memory: ModelMemory, size: int, what: str) -> DevicePointer | None:
        """Memory that is the model's, or None where it needs none."""
        if not size:
            return None
        pointer = self._allocators.allocate(size, f"model{self._number}{what}", self._device)
        memory.owned.append(pointer)
        return pointer


def _buffers(base: DevicePointer, ranges: Mapping[Operation, Range]) -> dict[Operation, Buffer]:
    return {op: (base + start).subspan(size) for op, (start, size) in ranges.items()}
