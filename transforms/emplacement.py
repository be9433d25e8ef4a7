"""Results that are made in storage of their own, and then copied as a whole to another: made there.

```mlir
%0 = stream.async.alloca on(@a) : …{%c64}
%1 = stream.async.dispatch on(@a) @f(%x[…], %0[%c0 to %c32 for %c32]) : … -> %0{%c64}
%2 = stream.async.dispatch on(@a) @g(%x[…], %1[%c32 to %c64 for %c32]) : … -> %1{%c64}
%3 = stream.async.update on(@a) %2, %y[%c0 to %c64] : … -> %y as …{%c64}
```

becomes

```mlir
%1 = stream.async.dispatch on(@a) @f(%x[…], %y[%c0 to %c32 for %c32]) : … -> %y{%c64}
%2 = stream.async.dispatch on(@a) @g(%x[…], %1[%c32 to %c64 for %c32]) : … -> %1{%c64}
```

and an update with a splat becomes a fill of its range. A whole that is put together from parts is
so written where it goes (GE-29).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from xdsl.ir import Operation, SSAValue

from ..dialects import stream
from ..dialects.access import op_affinity, tied_results
from ..dialects.diagnostics import remark
from ..dialects.walk import walk
from .analysis.in_place import InPlaceUpdates
from .analysis.shared_storage import SharedStorage
from .build import constant_value, make

_PATTERN_BYTES = 8
"""No pattern of a splat has more; a range that starts and ends at these is aligned to any."""


def fill_instead_of_splat(function: Operation) -> None:
    """Fill ranges that are updated with a splat which nothing else uses."""
    for op in list(walk(function)):
        if not isinstance(op, stream.AsyncUpdateOp):
            continue
        splat = op.update.owner
        if (
            isinstance(splat, stream.AsyncSplatOp)
            and splat.await_timepoint is None
            and splat.result.has_one_use()
            and op_affinity(splat) == op_affinity(op)
            and _is_aligned(op)
        ):
            _fill(op, splat)


def _is_aligned(op: stream.AsyncUpdateOp) -> bool:
    start, size = constant_value(op.target_offset), constant_value(op.update_size)
    return start is not None and start % _PATTERN_BYTES == 0 and size is not None


def _fill(update: stream.AsyncUpdateOp, splat: stream.AsyncSplatOp) -> None:
    block = update.parent
    assert block is not None
    fill = make(
        stream.AsyncFillOp,
        update,
        [update.result.type],
        target=update.target,
        target_size=update.target_size,
        target_offset=update.target_offset,
        target_end=update.target_end,
        target_length=update.update_size,
        value=splat.value,
        affinity=update.affinity,
    )
    block.insert_op_before(fill, update)
    update.result.replace_all_uses_with(fill.result)
    block.erase_op(update)
    if splat.parent is not None:
        splat.parent.erase_op(splat)


def has_wholes(function: Operation) -> bool:
    """Whether a whole of `function` is made elsewhere than where it goes."""
    return any(
        isinstance(op, stream.AsyncUpdateOp) and _whole(op) is not None for op in walk(function)
    )


class WholeStorage:
    """Wholes of one function that are made elsewhere: decides all, then rewrites."""

    def __init__(self, decided: InPlaceUpdates, storage: SharedStorage) -> None:
        self._decided = decided
        self._storage = storage

    def run(self) -> None:
        """Make each where it is copied to, if it may."""
        found = [
            (update, root)
            for update in walk(self._decided.function)
            if isinstance(update, stream.AsyncUpdateOp)
            and (whole := _whole(update)) is not None
            and (root := self._root(update, whole)) is not None
        ]
        self._decided.reorder()
        for update, root in found:
            root.result.replace_all_uses_with(update.target)
            remark(root, "its parts are made where the whole is copied to")
            root.detach()
            root.erase()
            update.result.replace_all_uses_with(update.update)
            update.detach()
            update.erase()

    def _root(
        self, update: stream.AsyncUpdateOp, whole: Sequence[Operation]
    ) -> stream.AsyncAllocaOp | None:
        """The allocation whose place the update's target takes; the order is noted."""
        *made, root = whole
        assert isinstance(root, stream.AsyncAllocaOp)
        if (
            root.result.type != update.target.type
            or op_affinity(root) != op_affinity(update)
            or (update, update.target) in self._decided.clones
            or not self._storage.may_share(update.target, root.result)
        ):
            return None
        demands = self._decided.versions.demands(update, update.target)
        first = made[-1]
        owners = [update.target.owner, update.target_size.owner]
        before = [op for op in owners if isinstance(op, Operation) and op.parent is update.parent]
        edges = [(op, first) for op in dict.fromkeys(chain(before, demands.readers))]
        if demands.conflict is not None or not self._decided.put_before(edges):
            return None
        self._storage.union(update.target, root.result)
        return root


def _whole(update: stream.AsyncUpdateOp) -> list[Operation] | None:
    """What makes the value of an update of all of its target, from the last op back to the
    allocation; None for anything else."""
    if not updates_all(update):
        return None
    ops: list[Operation] = []
    value: SSAValue = update.update
    if not value.has_one_use():
        return None
    while isinstance(op := value.owner, Operation) and op.parent is update.parent:
        ops.append(op)
        if isinstance(op, stream.AsyncAllocaOp):
            return ops if len(ops) > 1 and op.result.has_one_use() else None
        tied = dict(tied_results(op)).get(value)  # pyright: ignore[reportArgumentType, reportCallIssue]
        if tied is None:
            return None
        value = tied
    return None


def updates_all(update: stream.AsyncUpdateOp) -> bool:
    """Whether an update replaces all of its target."""
    starts = constant_value(update.target_offset) == 0
    return starts and _same(update.update_size, update.target_size)


def _same(left: SSAValue, right: SSAValue) -> bool:
    size = constant_value(left)
    return left is right or (size is not None and size == constant_value(right))
