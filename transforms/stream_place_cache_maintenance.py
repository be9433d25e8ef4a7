"""stream-place-cache-maintenance: flush, invalidate and discard where the memory model asks.

```mlir
%done_a = stream.cmd.execute on(@a) … {
  stream.cmd.dispatch @f { wo %x[%c0 for %c64] … }
}
%done_b = stream.cmd.execute on(@b) await(%done_a) … {
  stream.cmd.dispatch @g { ro %x[%c0 for %c64], … }
}
```

becomes, where a and b are not coherent,

```mlir
%done_a = stream.cmd.execute on(@a) … {
  stream.cmd.dispatch @f { wo %x[%c0 for %c64] … }
  stream.cmd.flush to(@b) %x[%c0 for %c64] : …
}
%done_b = stream.cmd.execute on(@b) await(%done_a) … {
  stream.cmd.invalidate from(@a) %x[%c0 for %c64] : …
  stream.cmd.dispatch @g { ro %x[%c0 for %c64], … }
}
```

Maintenance that is there already counts. A flush without `to` and an invalidate without `from`
face the host or several agents. Rows IR-30 … IR-32, IR-35, IR-36, IR-53. How it is decided:
`maintenance/plan.py`.

Loops, branches, calls and globals are followed: an operation stands where some path needs it.
Storage that a store to a global leaves without name is given back there, with no op of its own: no
line of it is dirty then. What
a device reads from a file or an archive of parameters gets a region of its own for it, and so does
what it writes there (`maintenance/file_regions.py`).

Does not handle: recursion, where caches are not coherent. Where two domains write parts of one
line without an order and whole lines are written back, no maintenance is right: an error with the
ranges.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.hal import DeviceAffinityAttr
from ..dialects.topology import HOST
from .analysis.host_graph import HostFunction
from .analysis.module_topology import module_topology
from .build import make
from .indices import IndexBuilder
from .maintenance.file_regions import close_file_regions, open_file_regions
from .maintenance.memory_events import ALL, Kind
from .maintenance.plan import Placement, Planner
from .maintenance.walk import MAX_HISTORIES


@dataclass(frozen=True)
class StreamPlaceCacheMaintenancePass(ModulePass):
    """Insert the maintenance that the functions of the module lack."""

    name = "stream-place-cache-maintenance"

    max_histories: int = MAX_HISTORIES
    """How many histories of one byte are followed, over all paths; more is an error."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all functions; raises OpError where no maintenance would be right."""
        if len(module_topology(op).domains()) == 1:
            return  # One cache for all: there is nothing to place.
        regions = open_file_regions(op)
        insert(Planner(op, self.max_histories).missing())
        close_file_regions(regions)


def insert(placements: Iterable[Placement]) -> None:
    """Put all operations into their slots."""
    indices: dict[HostFunction, IndexBuilder] = {}
    anchors: dict[Operation, Operation | None] = {}
    for placement in placements:
        function = placement.region.segment.function
        if function not in indices:
            entry = function.body.first_block
            assert entry is not None
            indices[function] = IndexBuilder(entry)
        _insert(placement, indices[function], anchors)
    for builder in indices.values():
        builder.finish()


def _insert(
    placement: Placement, indices: IndexBuilder, anchors: dict[Operation, Operation | None]
) -> None:
    """Put one op into its slot; invalidates keep their order at the region's start."""
    execute = placement.region.execute
    block = execute.body.block
    first = anchors.setdefault(execute, block.first_op)
    new = _build(placement, indices)
    terminator = block.last_op
    assert terminator is not None
    before = first if placement.kind is Kind.INVALIDATE and first is not None else terminator
    block.insert_op_before(new, before)


def _build(placement: Placement, indices: IndexBuilder) -> Operation:
    execute = placement.region.execute
    target, size = placement.region.captured(placement.operand)
    span = placement.range
    if span == ALL:
        offset, length = indices.constant(0), size
    else:
        offset = indices.constant(span.start)
        length = indices.constant(span.end - span.start)
    fields = {
        "target": target,
        "target_size": size,
        "target_offset": offset,
        "target_length": length,
    }
    partner = placement.partner
    affinity = None if partner is None or partner == HOST else DeviceAffinityAttr(partner)
    match placement.kind:
        case Kind.FLUSH:
            return make(stream.CmdFlushOp, execute, **fields, **_side(affinity))
        case Kind.INVALIDATE:
            return make(stream.CmdInvalidateOp, execute, **fields, **_side(affinity))
        case _:
            return make(stream.CmdDiscardOp, execute, **fields)


def _side(affinity: DeviceAffinityAttr | None) -> dict[str, DeviceAffinityAttr]:
    return {} if affinity is None else {"source_affinity": affinity}
