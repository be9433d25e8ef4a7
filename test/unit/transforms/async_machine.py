"""Runs modules of the async phases, before they have storage, with the project's kernels.

On values every op makes new bytes, as the semantics of tensors have it. In place, ties, alias
transfers and exports share storage, as allocation will have it: where a clone is missing, the two
differ. Ops run in textual order; timepoints are nothing.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    ReturnedValues,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.interpreters.arith import ArithFunctions
from xdsl.interpreters.cf import CfFunctions
from xdsl.interpreters.scf import ScfFunctions
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa
from zcir.dialects import stream
from zcir.dialects.access import tied_operand
from zcir.dialects.parsing import ModuleOp
from zcir.dialects.topology import Topology
from zcir.runtime.element_types import dtype_of_name
from zcir.runtime.hal.system import System, SystemOptions
from zcir.runtime.kernels.api import Bytes, Runs
from zcir.runtime.kernels.library import KernelLibrary
from zcir.runtime.machine_model import machine_of
from zcir.runtime.signature import find_function
from zcir.runtime.vm.hal_ops import hal_functions
from zcir.runtime.vm.interpreter import VmInterpreter
from zcir.runtime.vm.state import VmState
from zcir.runtime.vm.util_ops import UtilFunctions
from zcir.runtime.vm.view_ops import ViewFunctions
from zcir.runtime.vm.words import bytes_of, words_of

Array = NDArray[Any]


@dataclass(eq=False)
class View:
    """A `!hal.buffer_view`: bytes with a shape and an element type."""

    memory: Bytes
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def array(self) -> Array:
        return self.memory.view(self.dtype).reshape(self.shape)


@dataclass
class _Binding:
    """A range of bytes that a dispatch loads and stores at once."""

    memory: Bytes

    @property
    def length(self) -> int:
        return len(self.memory)

    def load(self, start: int, length: int) -> Bytes:
        return self.memory[start : start + length].copy()

    borrow = load

    def claim(self, start: int, length: int) -> Bytes:
        return self.memory[start : start + length]

    def store(self, start: int, data: Bytes) -> None:
        self.memory[start : start + len(data)] = data

    def load_runs(self, runs: Runs) -> Bytes:
        return self.memory[self._bytes(runs)]

    def store_runs(self, runs: Runs, data: Bytes) -> None:
        self.memory[self._bytes(runs)] = data

    def _bytes(self, runs: Runs) -> Array:
        inside = np.zeros(self.length + 1, np.int8)
        inside[runs[:, 0]] += 1
        inside[runs[:, 1]] -= 1
        return np.flatnonzero(np.cumsum(inside[:-1]))


def _undefined(size: int) -> Bytes:
    return np.full(size, 0xCD, np.uint8)


@register_impls
@dataclass
class _AsyncFunctions(InterpreterFunctions):
    """Ops of the stream dialect before allocation. A resource is an array of bytes."""

    kernels: KernelLibrary
    in_place: bool

    def _own(self, memory: Bytes, *, shares: bool) -> Bytes:
        return memory if shares and self.in_place else memory.copy()

    @impl(stream.TensorImportOp)
    def import_(
        self, interpreter: Interpreter, op: stream.TensorImportOp, args: PythonValues
    ) -> PythonValues:
        assert len(args[0].memory) == args[-1].value.data
        return (self._own(args[0].memory, shares=True),)

    @impl(stream.TensorExportOp)
    def export(
        self, interpreter: Interpreter, op: stream.TensorExportOp, args: PythonValues
    ) -> PythonValues:
        dims = iter(value.value.data for value in args[1 : 1 + len(op.source_encoding_dims)])
        encoding = op.source_encoding
        assert isa(encoding, TensorType[Attribute])
        shape = tuple(next(dims) if extent < 0 else extent for extent in encoding.get_shape())
        dtype = np.dtype(dtype_of_name(str(encoding.element_type)))
        return (View(self._own(args[0], shares=True), shape, dtype),)

    @impl(stream.AsyncCastOp)
    def cast(
        self, interpreter: Interpreter, op: stream.AsyncCastOp, args: PythonValues
    ) -> PythonValues:
        return (self._own(args[0], shares=True),)

    @impl(stream.AsyncTransferOp)
    def transfer(
        self, interpreter: Interpreter, op: stream.AsyncTransferOp, args: PythonValues
    ) -> PythonValues:
        return (self._own(args[0], shares=op.kind == "alias"),)

    @impl(stream.AsyncCloneOp)
    def clone(
        self, interpreter: Interpreter, op: stream.AsyncCloneOp, args: PythonValues
    ) -> PythonValues:
        return (args[0].copy(),)

    @impl(stream.AsyncAllocaOp)
    def alloca(
        self, interpreter: Interpreter, op: stream.AsyncAllocaOp, args: PythonValues
    ) -> PythonValues:
        return (_undefined(args[0].value.data),)

    @impl(stream.AsyncSplatOp)
    def splat(
        self, interpreter: Interpreter, op: stream.AsyncSplatOp, args: PythonValues
    ) -> PythonValues:
        *_, value, size = args
        pattern = np.frombuffer(bytes_of(value, op.value.type), np.uint8)
        return (np.tile(pattern, size.value.data // len(pattern)),)

    @impl(stream.ResourceSubviewOp)
    def subview(
        self, interpreter: Interpreter, op: stream.ResourceSubviewOp, args: PythonValues
    ) -> PythonValues:
        memory, _, offset, size = args
        part = memory[offset.value.data : offset.value.data + size.value.data]
        return (self._own(part, shares=True),)

    @impl(stream.AsyncSliceOp)
    def slice(
        self, interpreter: Interpreter, op: stream.AsyncSliceOp, args: PythonValues
    ) -> PythonValues:
        memory, _, start, end, _ = args
        return (memory[start.value.data : end.value.data].copy(),)

    @impl(stream.AsyncUpdateOp)
    def update(
        self, interpreter: Interpreter, op: stream.AsyncUpdateOp, args: PythonValues
    ) -> PythonValues:
        target = self._own(args[0], shares=True)
        _, _, start, end, update, _ = args
        target[start.value.data : end.value.data] = update
        return (target,)

    @impl(stream.AsyncDispatchOp)
    def dispatch(
        self, interpreter: Interpreter, op: stream.AsyncDispatchOp, args: PythonValues
    ) -> PythonValues:
        values = dict(zip(op.operands, args, strict=True))
        ties = {tied_operand(result): result for result in op.results}
        constants: list[int] = []
        bindings: list[_Binding] = []
        results: dict[SSAValue, Bytes] = {}
        ranges = iter(zip(op.resource_operand_offsets, op.resource_operand_ends, strict=True))
        for operand in op.resource_operands:
            if not isinstance(operand.type, stream.ResourceType):
                constants.extend(words_of(values[operand], operand.type))
                continue
            start, end = (values[value].value.data for value in next(ranges))
            memory = values[operand]
            if (result := ties.get(operand)) is not None:
                memory = results.setdefault(result, self._own(memory, shares=True))
            bindings.append(_Binding(memory[start:end]))
        for result, size in zip(op.results, op.result_sizes, strict=True):
            if result not in results:
                results[result] = _undefined(values[size].value.data)
                bindings.append(_Binding(results[result]))
        self.kernels.kernel(op.entry_points.data[0]).run(bindings, tuple(constants))
        return tuple(results[result] for result in op.results)

    # Regions and timepoints: an execution is what is in it.

    @impl(stream.AsyncExecuteOp)
    def execute(
        self, interpreter: Interpreter, op: stream.AsyncExecuteOp, args: PythonValues
    ) -> PythonValues:
        return (*self._region(interpreter, op, args), None)

    @impl(stream.AsyncConcurrentOp)
    def concurrent(
        self, interpreter: Interpreter, op: stream.AsyncConcurrentOp, args: PythonValues
    ) -> PythonValues:
        return self._region(interpreter, op, args)

    def _region(self, interpreter: Interpreter, op: Any, args: PythonValues) -> PythonValues:
        captured = args[: len(op.resource_operands)]
        return interpreter.run_ssacfg_region(op.body, captured, op.name)

    @impl_terminator(stream.YieldOp)
    def yield_(
        self, interpreter: Interpreter, op: stream.YieldOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        return ReturnedValues(args[: len(op.resource_operands)]), ()

    @impl(stream.TimepointImmediateOp)
    def immediate(
        self, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        return (None,)

    @impl(stream.TimepointJoinOp)
    def join(self, interpreter: Interpreter, op: Operation, args: PythonValues) -> PythonValues:
        return (None,)

    @impl(stream.TimepointAwaitOp)
    def await_(
        self, interpreter: Interpreter, op: stream.TimepointAwaitOp, args: PythonValues
    ) -> PythonValues:
        return args[: len(op.resource_operands)]


def run_async(module: ModuleOp, inputs: list[Array], *, in_place: bool) -> list[Array]:
    """What the only public function of `module` gives, and after that what `inputs` hold then.

    In place a result is what its storage holds at the end.
    """
    topology = Topology.from_module(module)
    kernels = KernelLibrary(module)
    state = VmState(module, topology, System(machine_of(topology), SystemOptions()), kernels)
    interpreter = VmInterpreter(module)
    for functions in (
        ArithFunctions(),
        CfFunctions(),
        ScfFunctions(),
        UtilFunctions(state),
        ViewFunctions(state),
        *hal_functions(state),
        _AsyncFunctions(kernels, in_place),
    ):
        interpreter.register_implementations(functions)
    views = [
        View(np.frombuffer(bytearray(array.tobytes()), np.uint8), array.shape, array.dtype)
        for array in inputs
    ]
    results = interpreter.call_op(find_function(module, None), tuple(views))
    return [view.array for view in (*results, *views)]
