"""Programs ready to run: `load` reads and lowers, functions of the program are its attributes.

```python
program = load("chain.flow.mlir", topology="noncoherent.mlir")
y = program.f(np.ones(16, np.float32))          # globals live on from call to call
program.statistics.total.copy_cmds, program.check().reports
run = program.run(inputs=[np.ones(16, np.float32)], check=True)     # once, on a fresh machine
run.results[0], run.statistics.total.copy_cmds, run.check.reports
```
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ..dialects import stream, util
from ..dialects.diagnostics import OpError, verify_module
from ..dialects.hal.executable import ExecutableOp, ExecutableSourceOp
from ..dialects.parsing import make_context, parse_file, replace_topology
from ..dialects.topology import Topology, verify_topology
from ..dialects.topology_reading import host_properties, topology_attribute
from ..dialects.verified import PassVerifier
from .archives import Archives, parameter_files
from .assumptions import broken_assumptions
from .checker import CheckResult
from .checker import check as judge
from .counters import Statistics
from .element_types import Array, InputError, Value
from .errors import DeadlockError
from .events import EventGraph
from .functions import Function
from .hal.buffer import Buffer
from .hal.options import Maintenance
from .hal.script import Script
from .hal.system import System, SystemOptions
from .kernels.library import KernelLibrary
from .machine import Machine
from .machine_model import machine_of
from .memories import MEMORIES, memory_topology
from .session import Session
from .signature import (
    Argument,
    arguments_of,
    check_callable,
    find_function,
    function_names,
)
from .switches import AS_IT_IS, Switches, switched
from .vm.state import VmState


@dataclass(frozen=True, slots=True)
class RunResult:
    """What one run leaves behind."""

    calls: list[list[Value]]
    """The results of each call: arrays for buffer views, numbers for scalars; a call that a
    deadlock ended in a checked run and those after it are not there."""
    statistics: Statistics
    graph: EventGraph
    machine: Machine
    check: CheckResult | None
    """The checker's verdict, if it was asked for."""

    @property
    def results(self) -> list[Value]:
        """The results of the last call; none where there is none."""
        return self.calls[-1] if self.calls else []


@dataclass(frozen=True, slots=True)
class CallSpec:
    """A call to make: which function, and with what."""

    function: str | None = None
    """The only public function by default."""
    inputs: Sequence[Value | None] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Program:
    """A module at stream.cmd or hal level, and the machine that it runs on.

    Functions of the program are attributes: `program.f(x)` calls @f in one session that all such
    calls share, and which records events, so that `check` and `write_trace` can tell of them.
    `program["run"](x)` reaches a function whose name is one of ours. `run` makes a machine for a
    single call; `session` gives one of which nothing is recorded unless asked for.
    """

    module: ModuleOp
    topology: Topology
    """Of the machine."""
    sources: ModuleOp | None = None
    """Where the kernels are of which the module has only binaries."""
    eviction: bool = True
    """Whether an adversarial schedule may evict lines."""
    prefetch: bool = True
    """Whether it may prefetch lines."""
    parameters: Archives = field(default_factory=dict[str, Mapping[str, Array]])
    """What the program reads from archives, and where it writes to them."""
    kernels: KernelLibrary = field(init=False, repr=False)
    """Of the module, each compiled once for all runs: the module is not to be changed."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "kernels", KernelLibrary(self.module, self.sources))

    def arguments(self, function: str | None = None) -> list[Argument]:
        """What `function`, by default the only public one, takes; raises InputError."""
        return arguments_of(find_function(self.module, function))

    def functions(self) -> list[str]:
        """The names of all public functions, in their order."""
        return function_names(self.module)

    def result_count(self, function: str | None = None) -> int:
        """How many results `function`, by default the only public one, gives; raises InputError."""
        return len(find_function(self.module, function).function_type.outputs.data)

    def run(
        self,
        function: str | None = None,
        inputs: Sequence[Value | None] = (),
        *,
        schedule: str = "fifo",
        check: bool = False,
        record: bool = False,
        count_missing: bool = False,
        script: Script | None = None,
        strict: bool | None = None,
    ) -> RunResult:
        """Call a function once, on a machine whose memory and caches are fresh.

        Args:
            function: its name; the only public function by default.
            inputs: an array or number for each argument.
            schedule: `fifo`, `random:SEED` or `adversarial:SEED`.
            check: judge the run, that is all executions of its event graph.
            record: keep the event graph, which `check` does anyway.
            count_missing: inputs not given count 1, 2, 3, …
            script: what to follow instead of `schedule`.
            strict: whether a use of a buffer before its alloca or after its dealloca fails, or
                touches the memory that is there. By default it fails unless the run is judged
                or follows a script.

        Raises:
            InputError: the function or its inputs do not fit.
            OpError, HalError: the program cannot be run or fails. A deadlock does not if `check`
                is set: it is a report.
        """
        return self.run_calls(
            [CallSpec(function, inputs)],
            schedule=schedule,
            check=check,
            record=record,
            count_missing=count_missing,
            script=script,
            strict=strict,
        )

    def run_calls(
        self,
        calls: Sequence[CallSpec],
        *,
        schedule: str = "fifo",
        check: bool = False,
        record: bool = False,
        count_missing: bool = False,
        script: Script | None = None,
        strict: bool | None = None,
        watch: Callable[[System], None] | None = None,
    ) -> RunResult:
        """Make calls one after the other on a machine whose memory and caches are fresh.

        Globals live on from call to call. `watch` gets the machine before anything runs on it;
        the other options and errors are those of `run`.
        """
        system = self._system(schedule, check or record, script, check, strict)
        if watch is not None:
            watch(system)
        session = self.session_on(system)
        results: list[list[Value]] = []
        try:
            for call in calls:
                results += [session.call(call.function, call.inputs, count_missing=count_missing)]
            session.finish()
        except DeadlockError as deadlock:
            if not check:
                raise
            results = results[: len(calls) - 1]
            system.graph.stuck.extend(deadlock.waits)
        verdict = judge(system.graph, system.machine) if check else None
        return RunResult(results, system.statistics, system.graph, system.machine, verdict)

    @cached_property
    def shared(self) -> Session:
        """The session of calls through attributes, opened by the first of them."""
        return self.session(record=True)

    def __repr__(self) -> str:
        functions = ", ".join(f"@{name}" for name in self.functions()) or "no function"
        devices = ", ".join(f"@{name}" for name in self.topology.device_names) or "no device"
        return f"<program of {functions} on {devices}>"

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return Function.of(self.module, name, self._call)

    def __getitem__(self, name: str) -> Function:
        return Function.of(self.module, name, self._call, KeyError)

    def _call(self, function: str, inputs: Sequence[Value | None]) -> list[Value]:
        return self.shared.call(function, inputs)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *function_names(self.module)]

    @property
    def statistics(self) -> Statistics:
        """What calls through attributes have counted, per agent and in total."""
        return self.shared.statistics

    def check(self) -> CheckResult:
        """Judge all executions of the calls through attributes; see `Session.check`."""
        return self.shared.check()

    def write_trace(self, path: str | Path) -> None:
        """Write the calls through attributes as trace events; see `Session.write_trace`."""
        self.shared.write_trace(path)

    def session(
        self,
        *,
        schedule: str = "fifo",
        check: bool = False,
        record: bool = False,
        script: Script | None = None,
        strict: bool | None = None,
    ) -> Session:
        """The program on a fresh machine, to be called any number of times; options as `run`.

        Initializers have run when it is given.
        """
        return self.session_on(self._system(schedule, record or check, script, check, strict))

    def _system(
        self,
        schedule: str,
        record: bool,
        script: Script | None,
        check: bool,
        strict: bool | None,
    ) -> System:
        """A fresh machine."""
        # What a strict run refuses, uses of dead buffers, the checker reports and a witness shows.
        if strict is None:
            strict = not check and script is None
        maintenance = {
            device.name: Maintenance(device.maintenance.value) for device in self.topology.devices
        }
        deferred = [device.name for device in self.topology.devices if device.deferred_recording]
        options = SystemOptions(
            schedule,
            script,
            record,
            strict,
            maintenance,
            deferred,
            eviction=self.eviction,
            prefetch=self.prefetch,
        )
        return System(machine_of(self.topology), options)

    def session_on(
        self, system: System, placed: Mapping[Operation, Buffer] | None = None
    ) -> Session:
        """The program on a machine that others use too; it must have the program's devices.

        `placed`: memory that was set aside, by the op that would allocate it; see also
        `Session.place`.
        """
        state = VmState(self.module, self.topology, system, self.kernels)
        state.parameters = parameter_files(self.parameters)
        state.placed.update(placed or {})
        return Session(state)


def load(
    source: str | Path | ModuleOp,
    *,
    topology: str | Path | None = None,
    memory: str = "module",
    passes: Sequence[str] = (),
    context: Context | None = None,
    executable_sources: str | Path | None = None,
    switches: Switches = AS_IT_IS,
    parameters: Archives | None = None,
) -> Program:
    """Read a program and lower it as far as it needs to run.

    Args:
        source: a file, or a module, which is not changed.
        topology: a file whose module carries the `stream.topology` to compile for.
        memory: the machine: `module` (as the topology says), `coherent`, `noncoherent`,
            `discrete`, or a topology file.
        passes: passes to run first. A flow program is lowered by `zc-pipeline` after these;
            programs at stream.cmd and hal level run as they are.
        context: the dialects to read files with.
        executable_sources: for a program in IREE's hal phase, whose kernels are binaries, a file
            with the same program's executable-sources phase, which has their bodies.
        switches: changes to the machine that the program need not have been made for: what it
            assumes is compared with the machine before.
        parameters: contiguous arrays by scope, "" for none, and key. What the program writes to an
            archive is written to the array, which has to be writable for that.

    Raises:
        OSError, ParseError, OpError, VerifyException: the program cannot be read or lowered.
        InputError: the program is what iree-compile starts from, or the machine does not give what
            it assumes (IR-27).
    """
    context = context or make_context()
    module = source.clone() if isinstance(source, ModuleOp) else parse_file(context, str(source))
    if topology is not None:
        replace_topology(context, module, str(topology))
    verify_module(module)
    verify_topology(module)
    run_passes(context, module, passes)
    if is_flow(module):
        check_callable(module)
        run_passes(context, module, ("zc-pipeline",))
    compiled_for = Topology.from_module(module)
    machine = _machine_topology(context, memory, compiled_for)
    if broken := broken_assumptions(compiled_for, machine):
        raise InputError(broken[0])
    machine = switched(machine, switches)
    sources = None
    if executable_sources is not None:
        sources = parse_file(context, str(executable_sources))
        verify_module(sources)
    return Program(module, machine, sources, switches.eviction, switches.prefetch, parameters or {})


def is_flow(module: ModuleOp) -> bool:
    """Whether a module is at flow level, so that it has to be lowered before it can run.

    There the host program, kernels apart, has tensors; further down it has resources or buffers.
    """
    return any(
        inner.name.startswith("flow.") or _has_tensors(inner)
        for op in module.body.block.ops
        if not isinstance(op, stream.ExecutableOp | ExecutableOp | ExecutableSourceOp)
        for inner in op.walk()
    )


def _has_tensors(op: Operation) -> bool:
    if isinstance(op, util.GlobalOp):
        return isinstance(op.type, TensorType)
    blocks = (block for region in op.regions for block in region.blocks)
    values = (*op.operands, *op.results, *(argument for block in blocks for argument in block.args))
    return any(isinstance(value.type, TensorType) for value in values)


def run_passes(context: Context, module: ModuleOp, passes: Sequence[str]) -> None:
    """Run passes and named pipelines on `module`, verifying after each that changes it.

    Raises:
        OpError: a pass fails or leaves IR that does not verify.
        InputError: an unknown pass.
    """
    # The lowering is not needed to run programs that are low enough already.
    from ..transforms.registry import make_passes

    verifier = PassVerifier()
    for module_pass in make_passes(passes):
        module_pass.apply(context, module)
        verifier.verify(module)


def _machine_topology(context: Context, memory: str, program: Topology) -> Topology:
    """The machine that `--memory` names, with the devices of the program."""
    if memory in MEMORIES:
        return memory_topology(memory, program)
    if not Path(memory).exists():
        known = ", ".join(MEMORIES)
        raise InputError(f"unknown memory '{memory}'; expected {known} or a topology file")
    module = parse_file(context, memory)
    try:
        verify_topology(module)
        return Topology.from_attribute(
            topology_attribute(module), program.device_names, host_properties(module)
        )
    except VerifyException as error:
        raise OpError(memory, str(error)) from error
