"""stream-schedule-concurrency: ops of a region that do not depend on each other run at once.

```mlir
stream.async.execute on(@a) with(%0 as %arg0) -> … {
  %1 = stream.async.dispatch @f(%arg0[…]) …
  %2 = stream.async.dispatch @g(%arg0[…]) …
  %3 = stream.async.dispatch @h(%1[…], %2[…]) …
  stream.yield %3
}
```

becomes

```mlir
stream.async.execute on(@a) with(%0 as %arg0) -> … {
  %4:2 = stream.async.concurrent with(%arg0 as %arg1) -> … {
    %1 = stream.async.dispatch @f(%arg1[…]) …
    %2 = stream.async.dispatch @g(%arg1[…]) …
    stream.yield %1, %2
  }
  %3 = stream.async.dispatch @h(%4#0[…], %4#1[…]) …
  stream.yield %3
}
```

An op runs in the first wave in which all that it depends on is done: values, and accesses to
the same bytes of which one writes, under whatever names (in-place updates, aliases). The region
then has as few barriers as its longest chain asks for. Other names of a value (alias transfers,
casts) and undefined contents are no work: they stand behind the wave that makes their source.

Does not handle: nested serial regions (a chain beside another one advances in step with it);
a wave as late as possible, which would shorten the life of some values.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.walk import walk
from .analysis.hazards import HazardMap
from .analysis.partitioning import waves
from .analysis.storage import StorageSets, renamed_source
from .build import make, tied_indices
from .outline import Outline


@dataclass(frozen=True)
class StreamScheduleConcurrencyPass(ModulePass):
    """Form waves in all execution regions of the module."""

    name = "stream-schedule-concurrency"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`."""
        for function in op.body.block.ops:
            regions = [r for r in walk(function) if isinstance(r, stream.AsyncExecuteOp)]
            if regions:
                storage = StorageSets(function)
                for region in regions:
                    _form_waves(region.body.block, storage)


class _Body:
    """The ops of a region: work, and names that follow the work they come from."""

    def __init__(self, block: Block, storage: StorageSets) -> None:
        self.work: list[Operation] = []
        self.preds: list[list[int]] = []
        self.names: dict[int, list[Operation]] = {}
        """Ops without work by the op after which they stand; -1 for the start."""
        self._made_by: dict[SSAValue, int] = {}
        hazards = HazardMap()
        for op in block.ops:
            if isinstance(op, stream.YieldOp):
                continue
            made = [self._made_by[value] for value in op.operands if value in self._made_by]
            if renamed_source(op) is not None or isinstance(op, stream.AsyncAllocaOp):
                number = max(made, default=-1)
                self.names.setdefault(number, []).append(op)
            else:
                number = len(self.work)
                for access in storage.accesses(op):
                    made.extend(
                        hazards.record(number, access.storage, access.range, writes=access.writes)
                    )
                self.work.append(op)
                self.preds.append(made)
            if number >= 0:
                self._made_by.update(dict.fromkeys(op.results, number))


def _form_waves(block: Block, storage: StorageSets) -> None:
    body = _Body(block, storage)
    found = waves(body.preds)
    if len(found) == len(body.work):
        return
    terminator = block.last_op
    for op in list(block.ops):
        op.detach()
    block.add_ops(body.names.get(-1, ()))
    for wave in found:
        ops = [body.work[number] for number in wave]
        block.add_op(ops[0] if len(ops) == 1 else _concurrent(ops))
        for number in wave:
            block.add_ops(body.names.get(number, ()))
    assert terminator is not None
    block.add_op(terminator)


def _concurrent(ops: list[Operation]) -> stream.AsyncConcurrentOp:
    """A region of the detached `ops`, whose users then use its results."""
    outline = Outline()
    for op in ops:
        outline.add(op, lambda value: value)
    outline.finish(ops[0])
    concurrent = make(
        stream.AsyncConcurrentOp,
        ops[0],
        [outline.result_types()],
        resource_operands=list(outline.captures),
        resource_operand_sizes=outline.capture_sizes,
        result_sizes=outline.escaping_sizes,
        tied_operands=tied_indices(outline.ties()) if outline.escaping else None,
        body=outline.region(),
    )

    def is_outside(use: Use) -> bool:
        return use.operation.parent is not outline.body

    for value, result in zip(outline.escaping, concurrent.result_resources, strict=True):
        value.replace_uses_with_if(result, is_outside)
    return concurrent
