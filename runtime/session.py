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

import numpy as np
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.interpreter import Interpreter
from xdsl.interpreters.arith import ArithFunctions
from xdsl.interpreters.cf import CfFunctions
from xdsl.interpreters.scf import ScfFunctions
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from ..dialects import stream, util
from ..dialects.hal.types import FenceType
from .element_types import InputError, Value
from .hal.buffer import Buffer
from .hal.recorder import Source
from .hal.semaphore import NULL_FENCE, Fence
from .hal.system import System
from .signature import arguments_of, find_function, fit_inputs
from .vm.constant_ops import ConstantFunctions
from .vm.hal_ops import hal_functions
from .vm.interpreter import VmInterpreter
from .vm.reclaim import storages_of, unreachable
from .vm.state import VmState, read_view
from .vm.stream_ops import StreamFunctions
from .vm.stream_storage_ops import StreamFileFunctions, StreamStorageFunctions
from .vm.util_ops import UtilFunctions
from .vm.values import BufferView, DeviceArray, HostArray
from .vm.view_ops import ViewFunctions


class Session:
    """An instance of a program. Globals, memoized command buffers and memory outlive a call."""

    def __init__(self, state: VmState) -> None:
        """Run the initializers; raises OpError or HalError where one fails."""
        self._state = state
        self._called = False
        self._interpreter = _interpreter(state)
        _initialize(state, self._interpreter)

    @property
    def system(self) -> System:
        """The machine, with its statistics and event graph so far."""
        return self._state.system

    def reclaim(self) -> None:
        """Wait until the machine is idle, and free what earlier calls have left behind.

        That is memory of inputs and results, and what the program made and did not give back,
        unless a global or a memoized value still leads to it. Nothing is freed while a submission
        is left over that waits for a fence. Each call but the first begins with this.
        """
        host = self.system.host
        if not host.wait_idle():
            return
        for buffer in unreachable(self._state):
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
        if self._called:
            self.reclaim()
        self._called = True
        entry = find_function(self._state.module, function)
        values = fit_inputs(arguments_of(entry), inputs, count_missing=count_missing)
        types = [type for type in entry.function_type.inputs.data if not _is_fence(type)]
        arguments = [
            _argument(value, type, f"%arg{index}")
            for index, (value, type) in enumerate(zip(values, types, strict=True))
        ]
        return [_result(self._state, value) for value in self._invoke(entry, arguments)]

    def call_views(self, function: str, views: Sequence[BufferView]) -> list[object]:
        """Call a function on buffers that are on the machine, and give what it returns.

        Nothing is imported, and nothing is read back: whoever owns a buffer does that.

        Raises:
            InputError: no such function.
            OpError, HalError: the program fails.
        """
        results = list(self._invoke(find_function(self._state.module, function), views))
        for storage in storages_of(results):
            self._state.forget(storage)
        return results

    def _invoke(self, entry: util.FuncOp, values: Sequence[object]) -> tuple[object, ...]:
        """Call a function with its arguments, the fences excepted, which are the call's."""
        types = entry.function_type.inputs.data
        fences = [index for index, type in enumerate(types) if _is_fence(type)]
        signal = Fence.create(f"signal of @{entry.sym_name.data}") if fences else NULL_FENCE
        given = iter(values)
        arguments = [
            (signal if index == fences[-1] else NULL_FENCE) if _is_fence(type) else next(given)
            for index, type in enumerate(types)
        ]
        returned = self._interpreter.call_op(entry, tuple(arguments))
        if fences:
            self.system.host.wait(signal)
        return returned

    def place(self, buffers: Mapping[Operation, Buffer]) -> None:
        """Serve allocations of the program from memory that was set aside, by the op of each."""
        self._state.placed.update(buffers)

    def finish(self) -> None:
        """Execute what is still submitted and end; raises as `System.finish`."""
        self.system.finish()


def _is_fence(type: Attribute) -> bool:
    return isinstance(type, FenceType)


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
    interpreter.register_implementations(ConstantFunctions(), override=True)
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
