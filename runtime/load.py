"""Programs ready to run: `load` reads and lowers, `Program.run` runs once on a fresh machine.

```python
program = load("chain.flow.mlir", topology="noncoherent.mlir")
run = program.run(inputs=[np.ones(16, np.float32)], check=True)
run.results[0], run.statistics.total.copy_cmds, run.check.reports
```
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.interpreter import Interpreter
from xdsl.interpreters.arith import ArithFunctions
from xdsl.interpreters.cf import CfFunctions
from xdsl.interpreters.scf import ScfFunctions
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..dialects import flow, stream, util
from ..dialects.diagnostics import OpError, verify_module
from ..dialects.hal.tensor import TensorImportOp
from ..dialects.hal.types import FenceType
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
from .hal.script import Script
from .hal.semaphore import NULL_FENCE
from .hal.system import System, SystemOptions
from .kernels.library import KernelLibrary
from .machine import Machine
from .machine_model import machine_of
from .memories import MEMORIES, memory_topology
from .signature import Argument, arguments_of, find_function, fit_inputs
from .vm.hal_ops import hal_functions
from .vm.interpreter import VmInterpreter
from .vm.state import VmState, read_view
from .vm.stream_ops import StreamFunctions
from .vm.stream_storage_ops import StreamFileFunctions, StreamStorageFunctions
from .vm.util_ops import UtilFunctions
from .vm.values import DeviceArray, HostArray
from .vm.view_ops import ViewFunctions


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

        Raises:
            InputError: the function or its inputs do not fit.
            OpError, HalError: the program cannot be run or fails. A deadlock does not if `check`
                is set: it is a report.
        """
        entry = find_function(self.module, function)
        values = fit_inputs(arguments_of(entry), inputs, count_missing=count_missing)
        machine = machine_of(self.topology)
        # What a strict run refuses, uses of dead buffers, the checker reports and a witness shows.
        options = SystemOptions(
            schedule, script, record or check, strict=not check and script is None
        )
        system = System(machine, options)
        kernels = KernelLibrary(self.module, self.sources)
        state = VmState(self.module, self.topology, system, kernels)
        interpreter = _interpreter(state)
        _initialize(state, interpreter)
        arguments = tuple(
            _argument(value, type, f"%arg{index}")
            for index, (value, type) in enumerate(
                zip(values, entry.function_type.inputs, strict=True)
            )
        )
        results: list[Value] = []
        try:
            returned = interpreter.call_op(entry, arguments)
            results = [_result(state, value) for value in returned]
            system.finish()
        except DeadlockError as deadlock:
            if not check:
                raise
            results = []
            system.graph.stuck.extend(deadlock.waits)
        verdict = judge(system.graph, machine) if check else None
        return RunResult(results, system.statistics, system.graph, machine, verdict)


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


def _interpreter(state: VmState) -> Interpreter:
    interpreter = VmInterpreter(state.module, index_bitwidth=64)
    for functions in (
        ArithFunctions(),
        CfFunctions(),
        ScfFunctions(),
        UtilFunctions(state),
        ViewFunctions(state),
        StreamFunctions(state),
        StreamStorageFunctions(state),
        StreamFileFunctions(state),
        *hal_functions(state),
    ):
        interpreter.register_implementations(functions)
    return interpreter


def _initialize(state: VmState, interpreter: Interpreter) -> None:
    """Give globals their initial values and run initializers, in textual order."""
    for op in state.module.body.block.ops:
        match op:
            case util.GlobalOp(initial_value=IntegerAttr() | FloatAttr() as value):
                state.globals[op.sym_name.data] = value
            case util.GlobalOp() if (value := _default(op.type)) is not None:
                state.globals[op.sym_name.data] = value
            case util.InitializerOp():
                interpreter.run_ssacfg_region(op.body, (), "initializer")
            case _:
                pass


def _default(type: Attribute) -> object:
    """What a global without an initial value holds; None where it has to be stored to first."""
    if isinstance(type, FenceType | stream.TimepointType):
        return NULL_FENCE
    if isinstance(type, AnyFloat):
        return FloatAttr(0.0, type)
    if isa(type, IntegerType) or isinstance(type, IndexType):
        return IntegerAttr(0, type)
    return None


def _argument(value: Value, type: Attribute, name: str) -> HostArray | Attribute:
    """A value of the caller as the interpreter has it."""
    if isinstance(value, np.ndarray):
        return HostArray(value, name)
    number = np.asarray(value).item()
    if isinstance(type, AnyFloat):
        return FloatAttr(float(number), type)
    return IntegerAttr(int(number), IndexType() if isinstance(type, IndexType) else _integer(type))


def _integer(type: Attribute) -> IntegerType:
    if not isa(type, IntegerType):
        raise InputError(f"no value can be given for an argument of type {type}")
    return type


def _result(state: VmState, value: object) -> Value:
    """A value of the interpreter as the caller gets it."""
    match value:
        case HostArray() | DeviceArray():
            return read_view(state, value)
        case IntegerAttr() | FloatAttr():
            return value.value.data
        case _:
            raise InputError(f"a result of kind {type(value).__name__} cannot be given back")
