"""stream-elide-timepoints: every wait names only what nothing else that it names implies.

```mlir
%0 = stream.timepoint.immediate
%t1 = stream.cmd.execute on(@a) await(%0) => with(…) { … }
%t2 = stream.cmd.execute on(@b) await(%t1) => with(…) { … }
%1 = stream.timepoint.join max(%t1, %t2, %t2)
%t3 = stream.cmd.execute on(@a) await(%1) => with(…) { … }
```

becomes

```mlir
%t1 = stream.cmd.execute on(@a) with(…) { … }
%t2 = stream.cmd.execute on(@b) await(%t1) => with(…) { … }
%t3 = stream.cmd.execute on(@a) await(%t2) => with(…) { … }
```

A timepoint is implied by one that is reached after it, by being immediate, and by a wait of the
host that stands before: what the host launches later comes later. What is known where an op with
regions stands is known in its blocks, and at the end of a function's first block in all others. A
wait for nothing goes; a region never does.

Does not handle: what the blocks of a loop or branch, other than the first of a function, leave
behind; timepoints that control flow, calls or globals carry, which are taken as not reached. More
than `analysis.timeline.WIDTH` timelines that run side by side: some implied waits are then kept.
"""

from collections import ChainMap
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.passes import ModulePass

from ..dialects import stream
from .analysis.block_times import BlockTimes
from .build import make
from .timepoints import AWAIT, TIMEPOINT, join_timepoints, may_wait_for_nothing, set_await


@dataclass(frozen=True)
class StreamElideTimepointsPass(ModulePass):
    """Reduce all waits of the module."""

    name = "stream-elide-timepoints"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`."""
        for function in op.body.block.ops:
            for region in function.regions:
                _Elision(BlockTimes(), {}).run(region)


_Joins = MutableMapping[tuple[int, ...], SSAValue]


class _Elision:
    """The blocks of a region, op by op.

    `times` and `joins`, the joins by what they join, are those of what stands before.
    """

    def __init__(self, times: BlockTimes, joins: _Joins) -> None:
        self.times = times
        self.joins: _Joins = ChainMap({}, joins)

    def run(self, region: Region) -> None:
        """Rewrite the blocks; the first one comes before all others."""
        for block in list(region.blocks)[:1]:
            self._run_block(block)
        for block in list(region.blocks)[1:]:
            with self.times.nested():
                _Elision(self.times, self.joins)._run_block(block)

    def _run_block(self, block: Block) -> None:
        ops = list(block.ops)
        for op in ops:
            if isinstance(op, stream.TimepointAwaitOp) and self._drop_wait(op):
                continue
            if isinstance(op, IRDLOperation) and getattr(op, AWAIT, None) is not None:
                self._reduce(op)
            for region in op.regions:
                with self.times.nested():
                    _Elision(self.times, self.joins).run(region)
            self.times.visit(op)
            if isinstance(op, stream.TimepointJoinOp):
                self.joins.setdefault(
                    tuple(self.times.parts([op.result_timepoint])), op.result_timepoint
                )
        for op in reversed(ops):
            made = isinstance(op, stream.TimepointJoinOp | stream.TimepointImmediateOp)
            if made and op.results[0].first_use is None:
                op.detach()
                op.erase()

    def _drop_wait(self, op: stream.TimepointAwaitOp) -> bool:
        """Remove a wait of the host for what it has waited for already."""
        if self.times.needed(self.times.parts([op.await_timepoint])) or op.sync is not None:
            return False
        for result, operand in zip(op.result_resources, op.resource_operands, strict=True):
            result.replace_all_uses_with(operand)
        op.detach()
        op.erase()
        return True

    def _reduce(self, op: IRDLOperation) -> None:
        """Let `op` wait only for what is needed."""
        awaited: SSAValue = getattr(op, AWAIT)
        joined = self._join(self.times.needed(self.times.parts([awaited])), op)
        if joined is None and _starts_chain(op):
            return
        if joined is None and not may_wait_for_nothing(op):
            if isinstance(awaited.owner, stream.TimepointImmediateOp):
                return
            immediate = make(stream.TimepointImmediateOp, op, [TIMEPOINT])
            _insert_before(op, [immediate])
            joined = immediate.result_timepoint
        if joined is not awaited:
            set_await(op, joined)

    def _join(self, past: list[int], op: Operation) -> SSAValue | None:
        """The timepoint for `past`, with a join before `op` where there is none yet."""
        key = tuple(past)
        if key not in self.joins:
            joined, ops = join_timepoints(self.times.timepoints(past), op)
            _insert_before(op, ops)
            if joined is None:
                return None
            self.joins[key] = joined
        return self.joins[key]


def _starts_chain(op: Operation) -> bool:
    """Whether nothing but a further allocation waits for this one.

    Such a one keeps what it waits for: IREE 3.13's canonicaliser crashes on a chain of
    allocations whose first waits for nothing.
    """
    if not isinstance(op, stream.ResourceAllocaOp) or not op.result_timepoint.has_one_use():
        return False
    (use,) = op.result_timepoint.uses
    return isinstance(use.operation, stream.ResourceAllocaOp)


def _insert_before(op: Operation, ops: Sequence[Operation]) -> None:
    assert op.parent is not None
    op.parent.insert_ops_before(ops, op)
