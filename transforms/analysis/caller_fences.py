"""Who waits for what an asynchronous function leaves to devices: the host in it, or its caller.

```mlir
util.func public @f(%x: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> … {
  …
  stream.timepoint.chain_external on(@a) %t => (%signal : !hal.fence)   // the caller's
```

The caller knows by the fence that %t is reached. It needs no more than that if work that is under
way when the function returns touches nothing but imports, exports and what the call itself made.
What is handed over by other ways (resources as arguments and results, mutable globals, further
calls) is taken as quiet by those who get it, so that the host has to wait for it.
"""

from xdsl.ir import Block, BlockArgument, Operation

from ...dialects import stream, util
from ...dialects.walk import walk
from .storage import is_call, is_resource


def mutable_globals(module: Operation) -> frozenset[str]:
    """The names of the globals of `module` that are mutable."""
    return frozenset(
        op.sym_name.data
        for op in walk(module)
        if isinstance(op, util.GlobalOp) and op.is_mutable is not None
    )


def hands_over_by_fences(function: Operation, mutable: frozenset[str]) -> bool:
    """Whether fences are all that others need to use what `function` works on.

    Args:
        function: a function or initializer at stream async level.
        mutable: the module's mutable globals.
    """
    blocks = function.regions[0].blocks if function.regions else ()
    if not blocks or any(map(is_resource, blocks[0].args)):
        return False
    return not any(_hands_over(op, mutable) for op in walk(function))


def is_told_to_caller(op: stream.TimepointChainExternalOp, entry: Block) -> bool:
    """Whether a fence that the function with the block `entry` takes tells of the timepoint."""
    return any(
        isinstance(value, BlockArgument) and value.owner is entry for value in op.external_values
    )


def _hands_over(op: Operation, mutable: frozenset[str]) -> bool:
    """Whether `op` passes storage to or from others than by import and export."""
    if is_call(op):
        return True
    if isinstance(op, util.GlobalLoadOp):
        return is_resource(op.result) and op.global_name.string_value() in mutable
    if op.name == "util.global.address":
        return True
    if op.name == "util.return" or op.name.startswith("util.global."):
        return any(map(is_resource, (*op.operands, *op.results)))
    return False
