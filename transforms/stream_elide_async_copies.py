"""stream-elide-async-copies: clones, slices and transfers that nobody can tell from aliases.

```mlir
%1 = stream.async.clone on(@a) %0 : …
%2 = stream.async.slice on(@a) %1[%c64 to %c128] : …{%c256} -> …{%c64}
%3 = stream.async.dispatch on(@a) @f(%2[…]) …   // reads only
```

becomes

```mlir
%2 = stream.resource.subview %0[%c64] : …{%c256} -> …{%c64}
%3 = stream.async.dispatch on(@a) @f(%2[…]) …
```

A copy stays where the bytes it takes are overwritten, under any name, before its last reader,
and no order of ops helps (case B06); where either storage is handed out or belongs to somebody
else and is written; and where no pool serves all who would then use one storage. A slice also
stays where the devices that write its storage drag along whole cache lines that it shares.
Where readers are moved before an update for it, the ops of the block change their order.

An alias transfer goes where it hands nothing over (`dialects/handoff.py`; rows IR-04, IR-05): from
a device to itself (IR-08), between devices whose caches are coherent, and back to where the value
comes from if nobody used it on its way (IR-06). Others stay, for what has to be flushed and
invalidated; so do copies, and changes of the lifetime. An update of a value with itself goes
(case B10).

A slice that goes out of the program as a view keeps all of its source alive.

Does not handle: slices whose start is not a known multiple of 4 bytes.
"""

from dataclasses import dataclass

from typing_extensions import TypeIs
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.access import op_affinity
from ..dialects.topology import WriteBack
from ..dialects.walk import walk
from .analysis.call_summaries import CallSummaries
from .analysis.in_place import InPlaceUpdates
from .analysis.io_flow import ISOLATION
from .analysis.module_topology import module_topology
from .analysis.shared_storage import SharedStorage
from .analysis.value_affinity import ValueAffinities
from .build import constant_value, make
from .functions import functions_of
from .idle_transfers import find_idle_transfers
from .self_updates import fold_self_updates

ALIGNMENT = 4
"""Bytes: where a view may start, for kernels that take it as elements of any common type."""

_LocalCopy = stream.AsyncCloneOp | stream.AsyncSliceOp


@dataclass(frozen=True)
class StreamElideAsyncCopiesPass(ModulePass):
    """Remove the copies within a device that value semantics do not ask for."""

    name = "stream-elide-async-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all functions."""
        functions = list(functions_of(op))
        for function in functions:
            fold_self_updates(function)
        calls = CallSummaries(op)
        decided = [InPlaceUpdates(function, calls=calls) for function in functions]
        storage = SharedStorage(op, module_topology(op), decided)
        storage.union_aliases()
        homes = ValueAffinities(op)
        idle = [find_idle_transfers(function, homes, storage.topology) for function in functions]
        for function in decided:
            _Elision(function, storage, homes).run()
        for transfers in idle:
            transfers.remove()


class _Elision:
    """The copies of one function: decide all, then rewrite."""

    def __init__(
        self, decided: InPlaceUpdates, storage: SharedStorage, homes: ValueAffinities
    ) -> None:
        self.function = decided.function
        self.decided = decided
        self.storage = storage
        self.homes = homes

    def run(self) -> None:
        """Elide what can be."""
        elided = [
            op
            for op in walk(self.function)
            if _is_local_copy(op, self.homes) and self._may_alias(op)
        ]
        self.decided.reorder()
        for op in elided:
            _rewrite(op)

    def _may_alias(self, op: _LocalCopy) -> bool:
        """Whether the result may be the source; takes note of it."""
        start = 0
        if isinstance(op, stream.AsyncSliceOp):
            offset = constant_value(op.source_offset)
            if offset is None or offset % ALIGNMENT:
                return False
            start = offset
        if not self.storage.may_share(op.source, op.result):
            return False
        if isinstance(op, stream.AsyncSliceOp) and self._carried(op, start):
            return False
        if not self.decided.share(op.source, op.result, start):
            return False
        self.storage.union(op.source, op.result)
        return True

    def _carried(self, op: stream.AsyncSliceOp, start: int) -> bool:
        """Whether a cache that writes back whole lines may carry bytes of the slice with it."""
        size = constant_value(op.result_size)
        writers = self.storage.merged(op.source, op.result).writers
        known = set(self.storage.topology.agents)
        domains = [self.storage.topology.domain_of(name) for name in writers if name in known]
        if len({id(domain) for domain in domains}) <= 1:
            return False
        return any(
            domain.write_back is WriteBack.LINE
            and (size is None or start % domain.cache_line or size % domain.cache_line)
            for domain in domains
        )


def _is_local_copy(op: Operation, homes: ValueAffinities) -> TypeIs[_LocalCopy]:
    """A copy where its source lives."""
    if not isinstance(op, _LocalCopy) or ISOLATION in op.attributes:
        return False
    return op.source.type == op.result.type and homes.of(op.source) == op_affinity(op)


def _rewrite(op: _LocalCopy) -> None:
    """Replace a copy by its source, or by a view of it."""
    block = op.parent
    assert block is not None
    replacement = op.source
    if isinstance(op, stream.AsyncSliceOp):
        view = make(
            stream.ResourceSubviewOp,
            op,
            [op.result.type],
            source=op.source,
            source_size=op.source_size,
            source_offset=op.source_offset,
            result_size=op.result_size,
        )
        block.insert_op_before(view, op)
        replacement = view.result
    op.result.replace_all_uses_with(replacement)
    op.detach()
    op.erase()
