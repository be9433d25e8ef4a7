"""stream-materialize-copy-on-write: a clone before every update that another name would see.

```mlir
%2 = stream.async.transfer %1 … from(@a) -> to(@b) …
%3 = stream.async.update on(@b) %u, %2[%c16 to %c32] : … -> %2 as !stream.resource<*>{%c64}
%4 = stream.async.dispatch on(@a) @r(%1[…]) …
```

becomes

```mlir
%2 = stream.async.transfer %1 … from(@a) -> to(@b) …
%clone = stream.async.clone on(@b) %2 : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
%3 = stream.async.update on(@b) %u, %clone[%c16 to %c32] : … -> %clone as !stream.resource<*>{%c64}
%4 = stream.async.dispatch on(@a) @r(%1[…]) …
```

Unlike IREE's pass of this name it looks through alias transfers (an update of a transfer's
result is an update of its source), tells ranges apart, knows who owns an import, and clones only
where a clone is needed; `stream-elide-async-copies` then has only the program's own clones to
judge. Where those who still read the old contents do not need the update's result, they are
moved before the update instead, whatever device they run on:

```mlir
%3 = stream.async.fill on(@b) %v, %2[…] : … -> %2 as …
%4 = stream.async.dispatch on(@a) @r(%1[…]) …    // %2 is an alias of %1
```

becomes the dispatch, then the fill; scheduling makes this a wait of b for a (row IR-47).

Does not handle: readers on the other side of host ops with effects, or in other blocks.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stream, util
from ..dialects.access import op_affinity
from ..dialects.diagnostics import remark
from ..dialects.location import location_text
from .analysis.call_summaries import CallSummaries
from .analysis.in_place import InPlaceUpdates
from .analysis.storage_flow import Entry
from .analysis.value_affinity import ValueAffinities
from .analysis.versions import Conflict
from .build import make
from .dead_ops import remove_dead
from .functions import refuse_func_dialect
from .self_updates import fold_self_updates
from .size_queries import size_before
from .undefined_copies import fold_undefined_copies


@dataclass(frozen=True)
class StreamMaterializeCopyOnWritePass(ModulePass):
    """Insert the clones that value semantics ask for."""

    name = "stream-materialize-copy-on-write"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all functions; raises OpError at one of the func dialect."""
        refuse_func_dialect(op)
        homes, calls = ValueAffinities(op), CallSummaries(op)
        for function in op.body.block.ops:
            if isinstance(function, util.FuncOp | util.InitializerOp):
                _materialize(function, homes, calls)


def _materialize(function: Operation, homes: ValueAffinities, calls: CallSummaries) -> None:
    fold_self_updates(function)
    # Who reads what nobody uses asks for no clone.
    remove_dead(function)
    # Decide all, then rewrite: a clone inserted makes no other one needed or needless.
    decided = InPlaceUpdates(function, calls=calls)
    decided.reorder()
    for (op, operand), conflict in decided.clones.items():
        _insert_clone(op, operand, conflict)
    for entry, conflict in decided.entry_clones.items():
        _insert_entry_clone(entry, conflict, homes)
    fold_undefined_copies(function)


def _insert_clone(op: Operation, operand: SSAValue, conflict: Conflict) -> None:
    clone = _clone(op, operand, op_affinity(op))
    # All operands of the op see the clone, or it would read the original and write the copy.
    operand.replace_uses_with_if(clone, lambda use: use.operation is op)
    remark(op, f"updated in place on a clone: {conflict.reason}{_at(conflict)}")


def _insert_entry_clone(entry: Entry, conflict: Conflict, homes: ValueAffinities) -> None:
    """A clone that a loop or branch takes in, once, instead of one at each update in it."""
    source = entry.carrier.operands[entry.operand]
    affinity = homes.of(source)
    entry.carrier.operands[entry.operand] = _clone(entry.carrier, source, affinity)
    remark(entry.carrier, f"takes in a clone: {conflict.reason}{_at(conflict)}")


def _at(conflict: Conflict) -> str:
    return "" if conflict.reader is None else f" ({location_text(conflict.reader)})"


def _clone(op: Operation, operand: SSAValue, affinity: Attribute | None) -> SSAValue:
    """A clone of `operand` right before `op`."""
    block = op.parent
    assert block is not None
    size = size_before(op, operand)
    clone = make(
        stream.AsyncCloneOp,
        op,
        [operand.type],
        source=operand,
        source_size=size,
        result_size=size,
        affinity=affinity,
    )
    block.insert_op_before(clone, op)
    return clone.result
