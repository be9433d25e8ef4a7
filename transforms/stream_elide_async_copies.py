"""stream-elide-async-copies: clones and same-device transfers that nobody can tell from aliases.

```mlir
%1 = stream.async.clone on(@a) %0 : …
%2 = stream.async.dispatch on(@a) @f(%1[…]) …   // reads only
```

becomes

```mlir
%2 = stream.async.dispatch on(@a) @f(%0[…]) …
```

A clone stays where either name is updated in place while the other is still read, or where the
storage belongs to somebody else. Transfers between devices stay, aliases as well: the handoff
is theirs (rows IR-04, IR-05); only a transfer from a device to itself is taken for a clone
(IR-08).

Does not handle: slices of a resource as subviews of it.
"""

from dataclasses import dataclass

from typing_extensions import TypeIs
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stream, util
from ..dialects.access import op_affinity
from .analysis.value_affinity import value_affinity
from .analysis.versions import COPY, Versions, tied_updates, transfer_kind


@dataclass(frozen=True)
class StreamElideAsyncCopiesPass(ModulePass):
    """Remove the copies within a device that value semantics do not ask for."""

    name = "stream-elide-async-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all functions."""
        for function in op.body.block.ops:
            if isinstance(function, util.FuncOp | util.InitializerOp):
                _elide(function)


def _elide(function: Operation) -> None:
    versions = Versions(function)
    updates: dict[SSAValue, list[Operation]] = {}
    for op in function.walk():
        for operand in tied_updates(op):
            updates.setdefault(operand, []).append(op)
    for op in list(function.walk()):
        if _is_local_copy(op) and _may_alias(versions, updates, op.source, op.result):
            versions.sets.union(op.source, op.result)
            op.result.replace_all_uses_with(op.source)
            updates.setdefault(op.source, []).extend(updates.pop(op.result, []))
            op.detach()
            op.erase()


def _is_local_copy(op: Operation) -> TypeIs[stream.AsyncCloneOp | stream.AsyncTransferOp]:
    """A clone where its source lives, or an alias transfer from a device to itself."""
    match op:
        case stream.AsyncCloneOp():
            home = value_affinity(op.source)
            return op.source.type == op.result.type and home == op_affinity(op)
        case stream.AsyncTransferOp():
            same = op.source_affinity is not None and op.source_affinity == op.target_affinity
            return same and op.source.type == op.result.type and transfer_kind(op) != COPY
        case _:
            return False


def _may_alias(
    versions: Versions,
    updates: dict[SSAValue, list[Operation]],
    source: SSAValue,
    result: SSAValue,
) -> bool:
    """Whether no update in place of either name would be seen through the other."""
    names = [*versions.sets.members(source), *versions.sets.members(result)]
    return all(
        versions.conflict(op, name, names) is None for name in names for op in updates.get(name, ())
    )
