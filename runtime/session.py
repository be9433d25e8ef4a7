"""A program on one machine: its initializers run once, its functions any number of times.

```python
session = load("chain.flow.mlir", topology="noncoherent.mlir").session()
for batch in batches:
    (result,) = session.call(inputs=[batch])
session.finish()
session.system.statistics.total.recordings
```
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakSet

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.interpreter import Interpreter
from xdsl.interpreters.arith import ArithFunctions
from xdsl.interpreters.cf import CfFunctions
from xdsl.interpreters.scf import ScfFunctions
from xdsl.ir import Attribute, Operation

from ..dialects import util
from ..dialects.hal.types import FenceType
from .border import to_argument, to_result
from .checker import CheckResult
from .checker import check as judge
from .costs import CostModel
from .counters import Statistics
from .element_types import InputError, Value
from .errors import DeadlockError
from .events import EventGraph
from .functions import Function
from .hal.buffer import Buffer
from .hal.recorder import Source
from .hal.semaphore import NULL_FENCE, Fence
from .hal.system import System
from .signature import arguments_of, find_function, fit_inputs, function_names
from .timeline import Timeline
from .trace import write_trace
from .vm.constant_ops import ConstantFunctions
from .vm.control_ops import ControlFunctions
from .vm.defaults import default_value
from .vm.hal_ops import hal_functions
from .vm.interpreter import VmInterpreter
from .vm.parameter_ops import StreamParameterFunctions
from .vm.reclaim import storages_of, unreachable
from .vm.scalar_ops import ShiftFunctions
from .vm.state import VmState
from .vm.stream_ops import StreamFunctions
from .vm.stream_storage_ops import StreamFileFunctions, StreamStorageFunctions
from .vm.util_buffer_ops import UtilBufferFunctions
from .vm.util_list_ops import UtilListFunctions
from .vm.util_ops import UtilFunctions
from .vm.util_value_ops import UtilValueFunctions
from .vm.values import BufferView
from .vm.view_ops import ViewFunctions


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Call:
    """A call whose work may still be queued on devices. What it holds is kept as long as it is."""

    signal: Fence
    """Reached when its results are there; null for a function that takes no fences."""
    _state: VmState
    _returned: tuple[object, ...]
    _arguments: tuple[object, ...]

    @property
    def held(self) -> tuple[object, ...]:
        """The values of the interpreter that it went in with and came out with."""
        return (*self._arguments, *self._returned)

    def results(self) -> list[Value]:
        """Wait for the results and read them as the host does.

        Raises:
            DeadlockError: nothing submitted so far will ever reach `signal`.
            HalError: the work failed.
        """
        if self.signal.timepoints:
            self._state.system.host.wait(self.signal)
        return [to_result(self._state, value, self._arguments) for value in self._returned]


class Session:
    """An instance of a program. Globals, memoized command buffers and memory outlive a call.

    Functions of the program are attributes: `session.f(x)` is `session.call("f", [x])` with the
    results as Python has them: none, one, or a tuple. `session["run"](x)` reaches a function whose
    name is one of ours.
    """

    def __init__(self, state: VmState) -> None:
        """Run the initializers; raises OpError or HalError where one fails."""
        self._state = state
        self._called = False
        self._pending: WeakSet[Call] = WeakSet()
        self._interpreter = _interpreter(state)
        _initialize(state, self._interpreter)

    @property
    def system(self) -> System:
        """The machine, with its statistics and event graph so far."""
        return self._state.system

    def reclaim(self) -> None:
        """Wait until the machine is idle, and free what earlier calls have left behind.

        That is memory of inputs and results, and what the program made and did not give back,
        unless a global, a memoized value or a `Call` still leads to it. Nothing is freed while a
        submission is left over that waits for a fence. Each call begins with this unless it is the
        first, or there still is a `Call`, which may not have been waited for.
        """
        host = self.system.host
        if not host.wait_idle():
            return
        for buffer in unreachable(self._state, [call.held for call in self._pending]):
            self._state.forget(buffer.storage)
            host.deallocate(buffer, Source("release"))

    def call(
        self,
        function: str | None = None,
        inputs: Sequence[Value | None] = (),
        *,
        count_missing: bool = False,
    ) -> list[Value]:
        """Call a function and give its results as the host reads them.

        Fences that it takes are the call's: the last is awaited before results are read, those
        before it are reached from the start (`iree.abi.model = "coarse-fences"`).

        Raises:
            InputError: the function or its inputs do not fit.
            OpError, HalError: the program fails.
        """
        return self.submit(function, inputs, count_missing=count_missing).results()

    def submit(
        self,
        function: str | None = None,
        inputs: Sequence[Value | None] = (),
        *,
        wait: Fence = NULL_FENCE,
        signal: Fence | None = None,
        count_missing: bool = False,
    ) -> Call:
        """Call a function without waiting for what it leaves to devices.

        A function that takes fences (`iree.abi.model = "coarse-fences"`) starts its work once
        `wait` is reached, and reaches `signal`, by default a fence of the call. Others wait for
        their work themselves, and take no fences.

        Raises:
            InputError: the function or its inputs do not fit, or it takes no fences.
            OpError, HalError: the program fails.
        """
        if self._called and not self._pending:
            self.reclaim()
        self._called = True
        entry = find_function(self._state.module, function)
        wanted = arguments_of(entry)
        values = fit_inputs(wanted, inputs, count_missing=count_missing)
        types = [type for type in entry.function_type.inputs.data if not _is_fence(type)]
        arguments = [
            to_argument(value, type, f"%arg{index}", given_away=wanted[index].given_away)
            for index, (value, type) in enumerate(zip(values, types, strict=True))
        ]
        if len(types) == len(entry.function_type.inputs.data):
            if wait.timepoints or signal is not None:
                raise InputError(f"@{entry.sym_name.data} takes no fences")
            signal = NULL_FENCE
        elif signal is None:
            signal = Fence.create(f"signal of @{entry.sym_name.data}")
        returned = self._enter(entry, arguments, wait, signal)
        call = Call(signal, self._state, returned, tuple(arguments))
        self._pending.add(call)
        return call

    def call_views(self, function: str, values: Sequence[BufferView | Attribute]) -> list[object]:
        """Call a function on buffers that are on the machine, and give what it returns.

        Scalars are attributes, as `border.to_scalar` makes them.

        Nothing is imported, and nothing is read back: whoever owns a buffer does that.

        Raises:
            InputError: no such function.
            OpError, HalError: the program fails.
        """
        entry = find_function(self._state.module, function)
        signal = Fence.create(f"signal of @{entry.sym_name.data}")
        returned = self._enter(entry, values, NULL_FENCE, signal)
        if any(map(_is_fence, entry.function_type.inputs.data)):
            self.system.host.wait(signal)
        for storage in storages_of(returned):
            self._state.forget(storage)
        return list(returned)

    def _enter(
        self, entry: util.FuncOp, values: Sequence[object], wait: Fence, signal: Fence
    ) -> tuple[object, ...]:
        """Run a function with its arguments and, where it takes them, its fences."""
        types = entry.function_type.inputs.data
        last = max((index for index, type in enumerate(types) if _is_fence(type)), default=-1)
        given = iter(values)
        arguments = [
            (signal if index == last else wait) if _is_fence(type) else next(given)
            for index, type in enumerate(types)
        ]
        return self._interpreter.call_op(entry, tuple(arguments))

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return Function.of(self._state.module, name, self.call)

    def __getitem__(self, name: str) -> Function:
        return Function.of(self._state.module, name, self.call, KeyError)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *function_names(self._state.module)]

    @property
    def statistics(self) -> Statistics:
        """What all calls so far have counted, per agent and in total."""
        return self.system.statistics

    def check(self) -> CheckResult:
        """Judge all executions of what was called so far; what is still queued is executed.

        A deadlock is a report. The session must record (`check=True` or `record=True`).

        Raises:
            InputError: it does not record.
            HalError: what is still queued fails.
        """
        graph = self._recorded("check()")
        try:
            self.finish()
        except DeadlockError as deadlock:
            graph.stuck.extend(deadlock.waits)
        return judge(graph, self.system.machine)

    def write_trace(self, path: str | Path) -> None:
        """Write all calls so far in simulated time as trace events, for Perfetto.

        Raises:
            InputError: the session does not record.
            OSError: the file cannot be written.
        """
        costs = CostModel(self.system.machine, self._state.topology)
        timeline = Timeline(self._recorded("write_trace()"), costs)
        with open(path, "w", encoding="utf-8") as file:
            write_trace(timeline, file)

    def _recorded(self, what: str) -> EventGraph:
        if not self.system.recorder.enabled:
            raise InputError(f"{what} needs the events of the session; open it with record=True")
        return self.system.graph

    def place(self, buffers: Mapping[Operation, Buffer]) -> None:
        """Serve allocations of the program from memory that was set aside, by the op of each."""
        self._state.placed.update(buffers)

    def finish(self) -> None:
        """Execute what is still submitted and end; raises as `System.finish`."""
        self.system.finish()


def _is_fence(type: Attribute) -> bool:
    return isinstance(type, FenceType)


def _interpreter(state: VmState) -> Interpreter:
    interpreter = VmInterpreter(state.module)
    for functions in (
        ArithFunctions(),
        CfFunctions(),
        ScfFunctions(),
        ControlFunctions(),
        UtilFunctions(state),
        UtilBufferFunctions(),
        UtilListFunctions(),
        UtilValueFunctions(),
        ViewFunctions(state),
        StreamFunctions(state),
        StreamStorageFunctions(state),
        StreamFileFunctions(state),
        StreamParameterFunctions(state),
        *hal_functions(state),
    ):
        interpreter.register_implementations(functions)
    for functions in (ConstantFunctions(), ShiftFunctions()):
        interpreter.register_implementations(functions, override=True)
    return interpreter


def _initialize(state: VmState, interpreter: Interpreter) -> None:
    """Give globals their initial values and run initializers, in textual order."""
    for op in state.module.body.block.ops:
        match op:
            case util.GlobalOp(initial_value=IntegerAttr() | FloatAttr() as value):
                state.globals[op.sym_name.data] = value
            case util.GlobalOp() if (value := default_value(op.type)) is not None:
                state.globals[op.sym_name.data] = value
            case util.InitializerOp():
                interpreter.run_ssacfg_region(op.body, (), "initializer")
            case _:
                pass
