"""Regions of ops that are no structured ops, evaluated on arrays: all elements at once."""

from xdsl.interpreter import PythonValues
from xdsl.ir import Block

from .interpreter import ReferenceInterpreter


def region_values(
    interpreter: ReferenceInterpreter, block: Block, args: PythonValues
) -> PythonValues:
    """What the region of an op yields for arrays as arguments."""
    *ops, terminator = block.ops
    with interpreter.scope("region"):
        interpreter.set_values(zip(block.args, args, strict=True))
        for op in ops:
            interpreter.run_body_op(op)
        return interpreter.get_values(terminator.operands)
