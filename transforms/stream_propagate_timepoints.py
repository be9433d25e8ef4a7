"""stream-propagate-timepoints: regions wait for regions, and the host only where it must.

```mlir
%r0, %t0 = stream.async.execute on(@a) with(…) …
%0 = stream.timepoint.await %t0 => %r0 …
%r1, %t1 = stream.async.execute on(@b) with(%0 as %arg0) …
%1 = stream.tensor.export on(@a) %0 …
```

becomes

```mlir
%r0, %t0 = stream.async.execute on(@a) with(…) …
%r1, %t1 = stream.async.execute on(@b) await(%t0) => with(%r0 as %arg0) …
%0 = stream.timepoint.await %t0 => %r0 …
%1 = stream.tensor.export on(@a) %0 …
```

A region that captures an awaited resource captures what was awaited and waits itself. A wait of
the host moves down to the first op that needs it. What the host's wait had ordered besides stays
ordered: a region waits for earlier ones whose accesses to storage conflict with its own, and
before a host op that conflicts with work still in flight all earlier waits stand as they did.
`stream-schedule-execution` writes its waits in this form already; this is for programs from
elsewhere.

Does not handle: timepoints carried by loops, branches, calls and globals; the host waits at the
borders of their blocks.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.access import await_timepoints, result_timepoint
from .analysis.block_times import BlockTimes
from .analysis.hazards import HazardMap
from .analysis.storage import StorageSets
from .timepoints import join_timepoints, may_wait_for_nothing, set_await


@dataclass(frozen=True)
class StreamPropagateTimepointsPass(ModulePass):
    """Chain the timepoints of all blocks of the module."""

    name = "stream-propagate-timepoints"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`."""
        for function in op.body.block.ops:
            waits = [w for w in function.walk() if isinstance(w, stream.TimepointAwaitOp)]
            blocks = dict.fromkeys(w.parent for w in waits if w.parent is not None)
            storage = StorageSets(function) if blocks else None
            for block in blocks:
                assert storage is not None
                _Propagation(block, storage).run()


class _Propagation:
    """One block, op by op; waits of the host float until an op needs them."""

    def __init__(self, block: Block, storage: StorageSets) -> None:
        self.block = block
        self.storage = storage
        self.times = BlockTimes()
        self.hazards = HazardMap()
        self.nodes: list[int | None] = []
        """What the hazards know by number: the time of a region; None for a host op."""
        self.floating: dict[stream.TimepointAwaitOp, None] = {}
        self.awaited: dict[SSAValue, SSAValue] = {}
        """Results of waits to what is awaited."""

    def run(self) -> None:
        """Rewrite the block."""
        for op in list(self.block.ops):
            match op:
                case stream.TimepointAwaitOp() if op.sync is None:
                    self._float(op)
                case IRDLOperation() if may_wait_for_nothing(op):
                    self._chain(op)
                case _:
                    self._anchor(op)

    def _float(self, op: stream.TimepointAwaitOp) -> None:
        op.detach()
        self.floating[op] = None
        self.awaited.update(zip(op.result_resources, op.resource_operands, strict=True))

    def _chain(self, op: IRDLOperation) -> None:
        """The op, on the timeline, waits itself for what it captures, and for conflicts."""
        waits = list(await_timepoints(op))
        operands = list(op.operands)
        for index, value in enumerate(operands):
            while value in self.awaited:
                wait = value.owner
                assert isinstance(wait, stream.TimepointAwaitOp)
                waits.append(wait.await_timepoint)
                value = self.awaited[value]
            operands[index] = value
        op.operands = operands
        past = self.times.parts(waits)
        past.extend(time for time in self._conflicts(op) if time is not None)
        joined, ops = join_timepoints(self.times.timepoints(self.times.needed(past)), op)
        self.block.insert_ops_before(ops, op)
        set_await(op, joined)
        self.times.visit(op)
        if (made := result_timepoint(op)) is not None:
            self.nodes[-1] = self.times.number(made)

    def _conflicts(self, op: Operation) -> list[int | None]:
        """The times of earlier ops whose accesses conflict with those of `op` and its body."""
        node = len(self.nodes)
        self.nodes.append(None)
        found: list[int | None] = []
        for inner in op.walk():
            for access in self.storage.accesses(inner):
                found.extend(
                    self.nodes[other]
                    for other in self.hazards.record(
                        node, access.storage, access.range, writes=access.writes
                    )
                )
        return found

    def _anchor(self, op: Operation) -> None:
        """An op of the host: the waits it needs come before it."""
        conflicts = [time for time in self._conflicts(op) if time is not None]
        last = op.next_op is None
        if last or self.times.needed(conflicts):
            needed = list(self.floating)
        else:
            values = (value for inner in op.walk() for value in inner.operands)
            owners = (value.owner for value in values if value in self.awaited)
            needed = [owner for owner in owners if isinstance(owner, stream.TimepointAwaitOp)]
        for wait in needed:
            self._place(wait, op)
        self.times.visit(op)

    def _place(self, wait: stream.TimepointAwaitOp, before: Operation) -> None:
        if wait not in self.floating:
            return
        del self.floating[wait]
        for operand in wait.resource_operands:
            if operand in self.awaited:
                owner = operand.owner
                assert isinstance(owner, stream.TimepointAwaitOp)
                self._place(owner, before)
        self.block.insert_op_before(wait, before)
        self.times.visit(wait)
