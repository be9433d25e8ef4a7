"""Control flow of host programs that xDSL's interpreter lacks."""

from xdsl.dialects import cf, scf
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    Successor,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)

from ...dialects import util
from ...dialects.diagnostics import fail
from .hal_scalar_ops import signed


@register_impls
class ControlFunctions(InterpreterFunctions):
    """Switches between blocks, regions that are run once, and ends of programs that went wrong."""

    @impl_terminator(cf.SwitchOp)
    def switch(
        self, interpreter: Interpreter, op: cf.SwitchOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        """Go to the block of the case, or to the default."""
        flag = signed(args[0], op.flag.type)
        cases = [] if op.case_values is None else [int(v) for v in op.case_values.get_values()]
        if flag not in cases:
            values = interpreter.get_values(op.default_operands)
            return Successor(op.default_block, values), ()
        case = cases.index(flag)
        return Successor(op.case_blocks[case], interpreter.get_values(op.case_operand[case])), ()

    @impl(cf.AssertOp)
    def assert_(
        self, interpreter: Interpreter, op: cf.AssertOp, args: PythonValues
    ) -> PythonValues:
        """End the program with the message unless the condition holds."""
        if not args[0].value.data:
            fail(op, f"failed: {op.msg.data}")
        return ()

    @impl(scf.ExecuteRegionOp)
    def execute(
        self, interpreter: Interpreter, op: scf.ExecuteRegionOp, args: PythonValues
    ) -> PythonValues:
        """Run the region once."""
        return interpreter.run_ssacfg_region(op.region, (), "execute_region")

    @impl_terminator(util.UnreachableOp)
    def unreachable(
        self, interpreter: Interpreter, op: util.UnreachableOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        """End the program with the message."""
        fail(op, f"reached: {op.message.data}" if op.message is not None else "reached")
