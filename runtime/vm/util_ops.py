"""Implementations of the util ops that host programs use."""

from typing import Any

from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    ReturnedValues,
    TerminatorValue,
    impl,
    impl_callable,
    impl_terminator,
    register_impls,
)
from xdsl.ir import Operation

from ...dialects import util
from ...dialects.diagnostics import fail
from .state import VmState


@register_impls
class UtilFunctions(InterpreterFunctions):
    """util.func, calls, globals and hints."""

    def __init__(self, state: VmState) -> None:
        self._state = state

    @impl_callable(util.FuncOp)
    def call_function(
        self, interpreter: Interpreter, op: util.FuncOp, args: tuple[Any, ...]
    ) -> PythonValues:
        """Run the body of a function."""
        if op.body.first_block is None:
            fail(op, f"@{op.sym_name.data} has no body to call")
        return interpreter.run_ssacfg_region(op.body, args, op.sym_name.data)

    @impl(util.CallOp)
    def call(self, interpreter: Interpreter, op: util.CallOp, args: PythonValues) -> PythonValues:
        """Call a function of the module; refused where calls nest deeper than the stack."""
        try:
            return interpreter.call_op(op.callee.string_value(), args)
        except RecursionError:
            pass  # Raised anew below, where what was on the stack is gone.
        fail(op, "calls nest too deep; a recursion that ends late, or never, cannot be run")

    @impl_terminator(util.ReturnOp)
    def return_(
        self, interpreter: Interpreter, op: util.ReturnOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        """Leave a function."""
        return ReturnedValues(args), ()

    @impl(util.GlobalLoadOp)
    def load_global(
        self, interpreter: Interpreter, op: util.GlobalLoadOp, args: PythonValues
    ) -> PythonValues:
        """The value of a global."""
        return (self._load(op, op.global_name.string_value()),)

    def _load(self, op: Operation, name: str) -> object:
        if name not in self._state.globals:
            fail(op, f"loads @{name} before anything has stored to it")
        return self._state.globals[name]

    @impl(util.GlobalStoreOp)
    def store_global(
        self, interpreter: Interpreter, op: util.GlobalStoreOp, args: PythonValues
    ) -> PythonValues:
        """Set a global."""
        self._state.globals[op.global_name.string_value()] = args[0]
        return ()

    @impl(util.GlobalAddressOp)
    def address(
        self, interpreter: Interpreter, op: util.GlobalAddressOp, args: PythonValues
    ) -> PythonValues:
        """The address of a global, which is its name."""
        return (op.global_name.string_value(),)

    @impl(util.GlobalLoadIndirectOp)
    def load_indirect(
        self, interpreter: Interpreter, op: util.GlobalLoadIndirectOp, args: PythonValues
    ) -> PythonValues:
        """The value of the global at an address."""
        return (self._load(op, args[0]),)

    @impl(util.GlobalStoreIndirectOp)
    def store_indirect(
        self, interpreter: Interpreter, op: util.GlobalStoreIndirectOp, args: PythonValues
    ) -> PythonValues:
        """Set the global at an address."""
        self._state.globals[args[1]] = args[0]
        return ()

    @impl(util.HoistableConversionOp)
    def conversion(
        self, interpreter: Interpreter, op: util.HoistableConversionOp, args: PythonValues
    ) -> PythonValues:
        """Run the body."""
        return interpreter.run_ssacfg_region(op.body, args, "conversion")

    @impl(util.OptimizationBarrierOp)
    def barrier(
        self, interpreter: Interpreter, op: util.OptimizationBarrierOp, args: PythonValues
    ) -> PythonValues:
        """Values pass unchanged."""
        return args
