"""hal-elide-redundant-commands: barriers between which nothing is recorded.

```mlir
hal.command_buffer.flush_buffer<%cmd> …
hal.command_buffer.execution_barrier<%cmd> source("Dispatch|Transfer") target("Dispatch|Transfer")
%offset = arith.addi %a, %b : index
hal.command_buffer.execution_barrier<%cmd> source(Transfer) target(Dispatch)
hal.command_buffer.dispatch<%cmd> …
```

becomes

```mlir
hal.command_buffer.flush_buffer<%cmd> …
hal.command_buffer.execution_barrier<%cmd> source("Dispatch|Transfer") target("Dispatch|Transfer")
%offset = arith.addi %a, %b : index
hal.command_buffer.dispatch<%cmd> …
```

as IREE's pass of that name. Of two barriers the one goes whose stages are all among the other's.
Every command between them, maintenance as any other, keeps both (IR-55); a remark counts them.
What `stream-to-hal` makes has none.

Does not handle: barriers whose stages overlap in part, which stay; commands that are recorded
through a call or a region, which end the search.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from ..dialects.diagnostics import remark
from ..dialects.hal.command_buffer import CommandBufferExecutionBarrierOp

_COMMANDS = "hal.command_buffer."


@dataclass(frozen=True)
class HalElideRedundantCommandsPass(ModulePass):
    """Erase barriers that another one implies."""

    name = "hal-elide-redundant-commands"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every block of `op`."""
        for function in op.body.block.ops:
            found = [inner for block in blocks_of(function) for inner in redundant(block)]
            for barrier in found:
                barrier.detach()
                barrier.erase()
            if found:
                remark(function, f"{len(found)} barriers erased, between which nothing is recorded")


def blocks_of(op: Operation) -> Iterable[Block]:
    """The blocks in `op`, at any depth."""
    for inner in op.walk():
        for region in inner.regions:
            yield from region.blocks


def redundant(block: Block) -> list[CommandBufferExecutionBarrierOp]:
    """Barriers of a block that can go, all together."""
    result: list[CommandBufferExecutionBarrierOp] = []
    last: CommandBufferExecutionBarrierOp | None = None
    for op in block.ops:
        if not isinstance(op, CommandBufferExecutionBarrierOp):
            if _may_record(op):
                last = None
        elif last is None or last.command_buffer is not op.command_buffer:
            last = op
        elif _implies(last, op):
            result.append(op)
        else:
            if _implies(op, last):
                result.append(last)
            last = op
    return result


def _may_record(op: Operation) -> bool:
    """Whether `op` may add a command, to whatever command buffer."""
    return bool(op.regions) or op.name.startswith(_COMMANDS) or op.name.endswith(".call")


def _implies(one: CommandBufferExecutionBarrierOp, other: CommandBufferExecutionBarrierOp) -> bool:
    """Whether all that `other` orders is ordered by `one`."""
    return all(
        theirs & ~ours == 0
        for ours, theirs in (
            (one.source_stage_mask.value.data, other.source_stage_mask.value.data),
            (one.target_stage_mask.value.data, other.target_stage_mask.value.data),
        )
    )
