"""Programs ready to run: `load` reads and lowers, `Program.run` runs once on a fresh machine.

```python
program = load("chain.flow.mlir", topology="noncoherent.mlir")
run = program.run(inputs=[np.ones(16, np.float32)], check=True)
run.results[0], run.statistics.total.copy_cmds, run.check.reports
```
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from ..dialects import flow
from ..dialects.diagnostics import OpError, verify_module
from ..dialects.hal.tensor import TensorImportOp
from ..dialects.parsing import make_context, parse_file, replace_topology
from ..dialects.topology import Topology, verify_topology
from ..dialects.topology_reading import host_properties, topology_attribute
from .assumptions import broken_assumptions
from .checker import CheckResult
from .checker import check as judge
from .counters import Statistics
from .element_types import InputError, Value
from .errors import DeadlockError
from .events import EventGraph
from .hal.options import Maintenance
from .hal.script import Script
from .hal.system import System, SystemOptions
from .kernels.library import KernelLibrary
from .machine import Machine
from .machine_model import machine_of
from .memories import MEMORIES, memory_topology
from .session import Session
from .signature import Argument, arguments_of, find_function
from .vm.state import VmState


@dataclass(frozen=True, slots=True)
class RunResult:
    """What one run leaves behind."""

    results: list[Value]
    """The function's results: arrays for buffer views, numbers for scalars; none where a checked
    run ended in a deadlock."""
    statistics: Statistics
    graph: EventGraph
    machine: Machine
    check: CheckResult | None
    """The checker's verdict, if it was asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A module at stream.cmd or hal level, and the machine that it runs on."""

    module: ModuleOp
    topology: Topology
    """Of the machine."""
    sources: ModuleOp | None = None
    """Where the kernels are of which the module has only binaries."""
    kernels: KernelLibrary = field(init=False, repr=False)
    """Of the module, each compiled once for all runs: the module is not to be changed."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "kernels", KernelLibrary(self.module, self.sources))

    def arguments(self, function: str | None = None) -> list[Argument]:
        """What `function`, by default the only public one, takes; raises InputError."""
        return arguments_of(find_function(self.module, function))

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
        session = self.session(
            schedule=schedule, check=check, record=record, script=script, strict=strict
        )
        results: list[Value] = []
        try:
            results = session.call(function, inputs, count_missing=count_missing)
            session.finish()
        except DeadlockError as deadlock:
            if not check:
                raise
            results = []
            session.system.graph.stuck.extend(deadlock.waits)
        system = session.system
        verdict = judge(system.graph, system.machine) if check else None
        return RunResult(results, system.statistics, system.graph, system.machine, verdict)

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
        # What a strict run refuses, uses of dead buffers, the checker reports and a witness shows.
        if strict is None:
            strict = not check and script is None
        maintenance = {
            device.name: Maintenance(device.maintenance.value) for device in self.topology.devices
        }
        deferred = [device.name for device in self.topology.devices if device.deferred_recording]
        options = SystemOptions(schedule, script, record or check, strict, maintenance, deferred)
        return self.session_on(System(machine_of(self.topology), options))

    def session_on(self, system: System) -> Session:
        """The program on a machine that others use too; it must have the program's devices."""
        return Session(VmState(self.module, self.topology, system, self.kernels))


def load(
    source: str | Path | ModuleOp,
    *,
    topology: str | Path | None = None,
    memory: str = "module",
    passes: Sequence[str] = (),
    context: Context | None = None,
    executable_sources: str | Path | None = None,
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

    Raises:
        OSError, ParseError, OpError, VerifyException: the program cannot be read or lowered.
        InputError: the machine does not give what the program assumes (IR-27).
    """
    context = context or make_context()
    module = source.clone() if isinstance(source, ModuleOp) else parse_file(context, str(source))
    if topology is not None:
        replace_topology(context, module, str(topology))
    verify_module(module)
    verify_topology(module)
    run_passes(context, module, passes)
    if is_flow(module):
        run_passes(context, module, ("zc-pipeline",))
    compiled_for = Topology.from_module(module)
    machine = _machine_topology(context, memory, compiled_for)
    if broken := broken_assumptions(compiled_for, machine):
        raise InputError(broken[0])
    sources = None
    if executable_sources is not None:
        sources = parse_file(context, str(executable_sources))
        verify_module(sources)
    return Program(module, machine, sources)


def is_flow(module: ModuleOp) -> bool:
    """Whether a module is at flow level, so that it has to be lowered before it can run."""
    return any(
        isinstance(op, flow.ExecutableOp | flow.DispatchOp | TensorImportOp) for op in module.walk()
    )


def run_passes(context: Context, module: ModuleOp, passes: Sequence[str]) -> None:
    """Run passes and named pipelines on `module`, verifying after each.

    Raises:
        OpError: a pass fails or leaves IR that does not verify.
        InputError: an unknown pass.
    """
    # The lowering is not needed to run programs that are low enough already.
    from ..transforms.registry import make_passes

    for module_pass in make_passes(passes):
        module_pass.apply(context, module)
        verify_module(module)


def _machine_topology(context: Context, memory: str, program: Topology) -> Topology:
    """The machine that `--memory` names, with the devices of the program."""
    if memory in MEMORIES:
        return memory_topology(memory, program)
    module = parse_file(context, memory)
    try:
        verify_topology(module)
        return Topology.from_attribute(
            topology_attribute(module), program.device_names, host_properties(module)
        )
    except VerifyException as error:
        raise OpError(memory, str(error)) from error
