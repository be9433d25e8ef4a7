"""stream-serialize-execution: all work is done one piece after the other, as the program has it.

```mlir
%t0 = stream.cmd.execute on(@a) with(…) { dispatch @f; dispatch @g } => !stream.timepoint
%t1 = stream.cmd.execute on(@a) with(…) { dispatch @h } => !stream.timepoint
```

becomes

```mlir
%t0 = stream.cmd.execute on(@a) with(…) { … } => !stream.timepoint attributes {stream.in_order}
%t1 = stream.cmd.execute on(@a) await(%t0) => with(…) { … } => !stream.timepoint
    attributes {stream.in_order}
```

GE's `enable_single_stream` (GE-12): one stream has all tasks. Each region waits for the one before
it in its block, whatever the devices, and the attribute tells `stream-to-hal` to put a barrier
after each command. Nothing is given up but time: what was ordered stays so.

Does not handle: order between a block and those that it branches to; the host waits there for what
crosses the border, and what does not cross it is not ordered.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stream
from .functions import functions_of, host_blocks
from .hal_conversion.commands import IN_ORDER
from .timepoints import join_timepoints, set_await


@dataclass(frozen=True)
class StreamSerializeExecutionPass(ModulePass):
    """Chain the execution regions of each block of the module."""

    name = "stream-serialize-execution"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`."""
        for function in functions_of(op):
            for block in host_blocks(function):
                _chain(block)


def _chain(block: Block) -> None:
    last: SSAValue | None = None
    for op in list(block.ops):
        if not isinstance(op, stream.CmdExecuteOp):
            continue
        op.attributes[IN_ORDER] = UnitAttr()
        if last is not None:
            awaited = [] if op.await_timepoint is None else [op.await_timepoint]
            joined, joins = join_timepoints(list(dict.fromkeys([*awaited, last])), op)
            block.insert_ops_before(joins, op)
            set_await(op, joined)
        last = op.result_timepoint
