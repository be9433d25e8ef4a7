"""The functions of a module that hold host programs, and their blocks."""

from collections.abc import Iterator

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.traits import CallableOpInterface

from ..dialects import stream
from ..dialects.diagnostics import fail


def functions_of(module: ModuleOp) -> Iterator[Operation]:
    """Functions and initializers at the top of `module`, in order."""
    for op in module.body.block.ops:
        if (
            op.has_trait(CallableOpInterface, value_if_unregistered=False)
            or op.name == "util.initializer"
        ):
            yield op


def refuse_func_dialect(module: ModuleOp) -> None:
    """Raise OpError at a host function that is none of the util dialect."""
    for op in functions_of(module):
        if isinstance(op, func.FuncOp) and any(map(_takes_resources, op.walk())):
            fail(op, "expected the host function to be a util.func; flow-to-stream makes it one")


def _takes_resources(op: Operation) -> bool:
    values = (*op.operands, *op.results)
    return any(isinstance(value.type, stream.ResourceType) for value in values)


def host_blocks(op: Operation) -> Iterator[Block]:
    """The blocks of the host program within `op`, those of execution regions excepted."""
    for region in op.regions:
        for block in region.blocks:
            yield block
            for inner in block.ops:
                if not isinstance(inner, stream.AsyncExecuteOp | stream.CmdExecuteOp):
                    yield from host_blocks(inner)
