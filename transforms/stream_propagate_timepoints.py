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

A `stream.timepoint.barrier` of what is made on the timeline is the timepoint at which it is made
and nothing earlier touches it any more; what it gives is exported as it is:

```mlir
%0 = stream.timepoint.await %t0 => %r0 …
%1, %t1 = stream.timepoint.barrier on(@a) %0 …
stream.timepoint.chain_external on(@a) %t1 => (%signal : !hal.fence)
%2 = stream.tensor.export on(@a) %1 …
```

becomes

```mlir
stream.timepoint.chain_external on(@a) %t0 => (%signal : !hal.fence)
%2 = stream.tensor.export on(@a) %r0 …
```

A function that chains its work to a fence of its caller returns without waiting for it, unless
storage gets to others by another way too (`analysis/caller_fences.py`).

Loops and branches carry a timepoint with every resource (`carried_timepoints`): it is reached
once the resource is made and nothing of the block that passes it on touches its storage any
more, and together they are reached once all work of the block is. What a loop uses without
carrying it is waited for before the loop; where two iterations may conflict over such storage,
the host waits in each.

Does not handle: timepoints carried by branches of `cf`, calls and globals; the host waits at the
borders of their blocks.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.access import await_timepoints, result_timepoint
from ..dialects.walk import walk
from .analysis.block_times import BlockTimes
from .analysis.caller_fences import hands_over_by_fences, is_told_to_caller, mutable_globals
from .analysis.hazards import HazardMap
from .analysis.loop_times import LoopTimes
from .analysis.nested_ops import NestedAccess, NestedOps
from .analysis.storage import StorageSets, is_resource
from .carried_timepoints import CarriedTimepoints
from .functions import host_blocks
from .timepoints import TIMEPOINT, join_timepoints, may_wait_for_nothing, set_await


@dataclass(frozen=True)
class StreamPropagateTimepointsPass(ModulePass):
    """Chain the timepoints of all blocks of the module."""

    name = "stream-propagate-timepoints"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`."""
        mutable = mutable_globals(op)
        for function in op.body.block.ops:
            if not any(isinstance(inner, stream.TimepointAwaitOp) for inner in walk(function)):
                continue
            by_fences = hands_over_by_fences(function, mutable)
            carried = CarriedTimepoints(function)
            storage = StorageSets(function)
            known = _Function(storage, carried, NestedOps(function, storage), by_fences=by_fences)
            # Inner blocks first: what a loop's timepoints imply is read off its body.
            for block in reversed(list(host_blocks(function))):
                _Propagation(block, known).run()
            carried.finish()


@dataclass(slots=True)
class _Function:
    """What all blocks of a function have in common."""

    storage: StorageSets
    carried: CarriedTimepoints
    nested: NestedOps
    """Before anything is rewritten."""
    by_fences: bool
    loops: LoopTimes = field(default_factory=LoopTimes)


class _Propagation:
    """One block, op by op; waits of the host float until an op needs them."""

    def __init__(self, block: Block, function: _Function) -> None:
        self.block = block
        self.function = function
        self.told: list[int] = []
        """What fences of the caller tell of, where that is all that it needs."""
        self.exported: dict[SSAValue, list[int]] = {}
        """What barriers gave to exports, with what must be reached for it to be there."""
        self.storage = function.storage
        self.nested = function.nested
        self.companions = function.carried.companions
        self.times = BlockTimes(function.loops)
        self.hazards = HazardMap()
        self.nodes: list[tuple[int, ...]] = []
        """What the hazards know by number: when a node is done; nothing for a host op."""
        self.floating: dict[stream.TimepointAwaitOp, None] = {}
        self.awaited: dict[SSAValue, SSAValue] = {}
        """Results of waits to what is awaited."""
        self.makers: dict[SSAValue, SSAValue] = {}
        """Results of ops on the timeline to when they are there: a wait of the host that stood
        between them and a user has floated away."""

    def run(self) -> None:
        """Rewrite the block."""
        self.times.parts(value for value in self.block.args if value.type == TIMEPOINT)
        for op in list(self.block.ops):
            match op:
                case stream.TimepointAwaitOp() if op.sync is None:
                    self._float(op)
                case stream.TimepointBarrierOp():
                    self._resolve(op)
                case stream.TensorExportOp() if op.source in self.exported:
                    # Gives a view; who uses it knows of the barrier.
                    self._conflicts(self.nested.accesses(op))
                    self.nodes[-1] = tuple(self.exported[op.source])
                case stream.TimepointChainExternalOp():
                    self._anchor(op)
                    if self.function.by_fences and is_told_to_caller(op, self.block):
                        self.told.extend(self.times.parts([op.await_timepoint]))
                case IRDLOperation() if may_wait_for_nothing(op):
                    self._chain(op)
                case _ if op in self.companions:
                    self._carry(op)
                case _:
                    self._anchor(op)
        for wait in list(self.floating):
            self._drop(wait)

    def _drop(self, wait: stream.TimepointAwaitOp) -> None:
        """Give up a wait that nothing needs, and what gave it sizes."""
        del self.floating[wait]
        sizes = list(wait.resource_operand_sizes)
        wait.erase()
        for owner in dict.fromkeys(size.owner for size in sizes):
            if (
                isinstance(owner, arith.ConstantOp | stream.ResourceSizeOp)
                and owner.parent is self.block
                and owner.results[0].first_use is None
            ):
                owner.detach()
                owner.erase()

    def _float(self, op: stream.TimepointAwaitOp) -> None:
        op.detach()
        self.floating[op] = None
        self.awaited.update(zip(op.result_resources, op.resource_operands, strict=True))

    def _chain(self, op: IRDLOperation) -> None:
        """The op, on the timeline, waits itself for what it captures, and for conflicts."""
        waits = list(await_timepoints(op))
        operands = list(op.operands)
        for index, value in enumerate(operands):
            operands[index], needed = self._raw(value)
            waits.extend(needed)
        op.operands = operands
        past = self.times.parts(waits)
        past.extend(self._conflicts(self.nested.accesses(op)))
        joined, ops = join_timepoints(self.times.timepoints(self.times.needed(past)), op)
        self.block.insert_ops_before(ops, op)
        set_await(op, joined)
        self.times.visit(op)
        if (made := result_timepoint(op)) is not None:
            self.nodes[-1] = (self.times.number(made),)
            self.makers.update((result, made) for result in op.results if is_resource(result))

    def _raw(self, value: SSAValue) -> tuple[SSAValue, list[SSAValue]]:
        """What is awaited as `value`, and the timepoints of its waits."""
        waits: list[SSAValue] = []
        while value in self.awaited:
            wait = value.owner
            assert isinstance(wait, stream.TimepointAwaitOp)
            waits.append(wait.await_timepoint)
            value = self.awaited[value]
        if value in self.makers:
            waits.append(self.makers[value])
        return value, waits

    def _resolve(self, op: stream.TimepointBarrierOp) -> None:
        """The barrier is what its resource waits for, earlier accesses to its storage included."""
        node = len(self.nodes)
        used = self._conflicts_of(op.resource)
        raw, waits = self._raw(op.resource)
        past = self.times.needed([*self.times.parts(waits), *used])
        joined, ops = join_timepoints(self.times.timepoints(past), op)
        if joined is None:
            self._anchor(op)
            return
        self.block.insert_ops_before(ops, op)
        for new in ops:
            self.times.visit(new)
        self.nodes[node] = tuple(past)
        op.result_timepoint.replace_all_uses_with(joined)
        for use in list(op.result.uses):
            exports = isinstance(use.operation, stream.TensorExportOp)
            use.operation.operands[use.index] = raw if exports else op.resource
            if exports:
                self.exported[raw] = past
        op.detach()
        op.erase()

    def _conflicts(
        self, accesses: Iterable[NestedAccess], carried: Collection[object] = ()
    ) -> list[int]:
        """The times of earlier nodes whose accesses conflict with those of a new one.

        Those over the storages `carried` are recorded, but left out of the result.
        """
        node = len(self.nodes)
        self.nodes.append(())
        found: list[int] = []
        for _, access in accesses:
            before = self.hazards.record(node, access.storage, access.range, writes=access.writes)
            if access.storage not in carried:
                found.extend(time for other in before for time in self.nodes[other])
        return found

    # Control flow that carries timepoints ------------------------------------------------------

    def _carry(self, op: Operation) -> None:
        """`op` passes resources on as they are, each with the timepoint at which it is quiet.

        Quiet: made, and no longer read or written by anything of this block. What the op's
        regions use besides is waited for before.
        """
        sets = {self.storage.find(op.operands[index]) for index, _ in self.companions[op]}
        within = self.nested.accesses_within(op)
        # Before the op's own accesses, which are later than all of these.
        quiet = [self._conflicts_of(op.operands[index]) for index, _ in self.companions[op]]
        node = len(self.nodes)
        conflicts = self._conflicts(within, sets)
        if self.times.needed(conflicts) or self._meets_itself(op, within, sets):
            self._place_all(op)
        else:
            self._place_used(self.nested.uses_within(op), op)
        if op.next_op is None and not self.companions[op]:
            self._place_all(op)
        handed = [op.operands[index].owner for index, _ in self.companions[op]]
        self._hand_on(op, quiet)
        for wait in dict.fromkeys(handed):
            # From here on the op's own timepoints tell of what the wait was for.
            if not isinstance(wait, stream.TimepointAwaitOp) or wait not in self.floating:
                continue
            if all(result.first_use is None for result in wait.results):
                self._drop(wait)
        self.times.visit(op)
        self._leaves_under_way(op, node)

    def _hand_on(self, op: Operation, quiet: Sequence[Sequence[int]]) -> None:
        """Let `op` pass on raw resources, each with its timepoint.

        `quiet`, for each of them: when earlier accesses to its storage are done.
        """
        operands = list(op.operands)
        leaving: list[list[int]] = []
        for (index, _), times in zip(self.companions[op], quiet, strict=True):
            operands[index], waits = self._raw(operands[index])
            leaving.append(self.times.needed([*self.times.parts(waits), *times]))
        if op.next_op is None and leaving:
            # Whoever goes on from here learns of all that is under way in this block.
            gone = [time for times in leaving for time in times]
            leaving[0] = self.times.needed([*leaving[0], *self.times.outstanding(gone)])
        for (_, at), times in zip(self.companions[op], leaving, strict=True):
            joined, ops = join_timepoints(self.times.timepoints(times), op)
            self.block.insert_ops_before(ops, op)
            if joined is not None:
                operands[at] = joined
        op.operands = operands

    def _conflicts_of(self, value: SSAValue) -> list[int]:
        """When all earlier accesses of this block to the storage of `value` are done."""
        node = len(self.nodes)
        self.nodes.append(())
        before = self.hazards.record(node, self.storage.find(value), writes=True)
        found = self.times.needed(time for other in before for time in self.nodes[other])
        # Who meets this node from now on meets all that it stands for.
        self.nodes[node] = tuple(found)
        return found

    def _meets_itself(
        self, op: Operation, within: Sequence[NestedAccess], carried: Collection[object]
    ) -> bool:
        """Whether two iterations may conflict over storage that the loop does not carry."""
        if not isinstance(op, scf.ForOp | scf.WhileOp):
            return False
        written = {nested.access.storage for nested in within if nested.access.writes}
        named = {self.storage.find(v) for v in self.nested.uses_within(op) if is_resource(v)}
        named.update(self.nested.globals_within(op))
        return not named.isdisjoint(written.difference(carried))

    # The host ----------------------------------------------------------------------------------

    def _anchor(self, op: Operation) -> None:
        """An op of the host: the waits it needs come before it."""
        node = len(self.nodes)
        conflicts = self._conflicts(self.nested.accesses(op))
        used = [*op.operands, *self.nested.uses_within(op)]
        if self.times.needed(conflicts):
            self._place_all(op)
        elif op.next_op is None:
            self._place_used(used, op)
            self._place_all(op, self.told)
        else:
            self._place_used(used, op)
        self.times.visit(op)
        self._leaves_under_way(op, node)

    def _leaves_under_way(self, op: Operation, node: int) -> None:
        """What `op`, which is `node`, did to storage is done when its timepoints are reached."""
        self.nodes[node] = tuple(
            self.times.number(result) for result in op.results if result.type == TIMEPOINT
        )

    def _place_all(self, before: Operation, told: Sequence[int] = ()) -> None:
        """The host waits before `before` for all but what is `told` to those who need it."""
        for wait in list(self.floating):
            if not told or self.times.needed(self.times.parts([wait.await_timepoint]), told):
                self._place(wait, before)

    def _place_used(self, values: Iterable[SSAValue], before: Operation) -> None:
        """Wait before `before` for those of `values` that are awaited."""
        for value in values:
            if value in self.awaited:
                owner = value.owner
                assert isinstance(owner, stream.TimepointAwaitOp)
                self._place(owner, before)

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
