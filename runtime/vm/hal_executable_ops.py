"""Implementations of the hal ops that load executables and number their functions.

All targets of an executable are run from its source, so that any loads on any device.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, SymbolRefAttr, i64
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Operation

from ...dialects.diagnostics import fail
from ...dialects.hal.executable_use import (
    ExecutableCalculateWorkgroupsOp,
    ExecutableCreateOp,
    ExecutableExportOrdinalOp,
    ExecutableLookupFunctionOp,
    ExecutableLookupOp,
)
from ...dialects.iree_tensor_ext.dispatch import DispatchWorkgroupCountFromSliceOp
from ..kernels.kernel import CompiledKernel
from .hal_values import DeviceRef, Executable, HalState, integer


@register_impls
class HalExecutableFunctions(InterpreterFunctions):
    """Executables by symbol, their functions by number."""

    def __init__(self, state: HalState) -> None:
        self._state = state

    @impl(ExecutableLookupOp)
    def lookup(
        self, interpreter: Interpreter, op: ExecutableLookupOp, args: PythonValues
    ) -> PythonValues:
        """An executable as loaded on a device: the same each time."""
        return (self._load(op, args[0], op.executable),)

    @impl(ExecutableCreateOp)
    def create(
        self, interpreter: Interpreter, op: ExecutableCreateOp, args: PythonValues
    ) -> PythonValues:
        """As a look-up. Constants that specialise a binary have no meaning for its source."""
        if op.constants:
            fail(
                op, f"expected no constants for an executable run from source, got {len(args) - 2}"
            )
        return (self._load(op, args[0], op.executable_target),)

    def _load(self, op: Operation, device: DeviceRef | None, symbol: SymbolRefAttr) -> Executable:
        state = self._state
        name = symbol.root_reference.data
        if name not in state.vm.kernels.executables:
            fail(op, f"names the unknown executable @{name}")
        agent = state.device(op, device).device.name
        return state.executables.setdefault((agent, name), Executable(name))

    @impl(ExecutableLookupFunctionOp)
    def lookup_function(
        self, interpreter: Interpreter, op: ExecutableLookupFunctionOp, args: PythonValues
    ) -> PythonValues:
        """The number of a function, which is the ordinal of its export."""
        executable: Executable = args[0]
        entry = op.entry_point
        if entry.root_reference.data != executable.symbol:
            fail(op, f"looks for {_text(entry)} in @{executable.symbol}")
        kernel = self._state.vm.kernels.kernel(entry)
        number = self._ordinal(op, entry)
        known = executable.functions.setdefault(number, kernel)
        if known is not kernel:
            fail(op, f"chooses another variant of {known.name} than before on the same device")
        return (IntegerAttr(number, i64),)

    @impl(ExecutableExportOrdinalOp)
    def export_ordinal(
        self, interpreter: Interpreter, op: ExecutableExportOrdinalOp, args: PythonValues
    ) -> PythonValues:
        """The ordinal of an export."""
        return (IntegerAttr.from_index_int_value(self._ordinal(op, op.entry_point)),)

    @impl(ExecutableCalculateWorkgroupsOp)
    def calculate_workgroups(
        self, interpreter: Interpreter, op: ExecutableCalculateWorkgroupsOp, args: PythonValues
    ) -> PythonValues:
        """The counts of an export for a workload."""
        kernel = self._state.vm.kernels.kernel(op.entry_point)
        return _indices(kernel.workgroup_count([integer(value) for value in args[1:]]))

    @impl(DispatchWorkgroupCountFromSliceOp)
    def count_from_slice(
        self, interpreter: Interpreter, op: DispatchWorkgroupCountFromSliceOp, args: PythonValues
    ) -> PythonValues:
        """1 in each direction: a kernel runs once for all workgroups."""
        return _indices((1, 1, 1))

    def _ordinal(self, op: Operation, entry: SymbolRefAttr) -> int:
        exports = self._state.vm.kernels.exports(entry.root_reference.data)
        name = (entry.root_reference, *entry.nested_references)[-1].data
        if name not in exports:
            fail(op, f"names the unknown export {_text(entry)}")
        return exports.index(name)


def function_of(
    state: HalState, op: Operation, executable: Executable | None, number: int
) -> CompiledKernel:
    """The kernel with that number; an error at `op` where the executable has none."""
    if executable is None:
        fail(op, "expected an executable, got null")
    kernel = executable.functions.get(number)
    if kernel is not None:
        return kernel
    exports: Sequence[str] = state.vm.kernels.exports(executable.symbol)
    if not 0 <= number < len(exports):
        fail(
            op,
            f"expected one of the {len(exports)} functions of @{executable.symbol}, got {number}",
        )
    kernel = state.vm.kernels.lookup(executable.symbol, exports[number])
    executable.functions[number] = kernel
    return kernel


def _text(symbol: SymbolRefAttr) -> str:
    names = (symbol.root_reference, *symbol.nested_references)
    return "::".join(f"@{name.data}" for name in names)


def _indices(counts: tuple[int, int, int]) -> PythonValues:
    return tuple(IntegerAttr.from_index_int_value(count) for count in counts)
