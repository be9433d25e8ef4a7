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

Does not handle: execution regions inside of host control flow, resources that come from
arguments, calls or globals; each is an error at the op.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stream, util
from ..dialects.diagnostics import fail
from ..dialects.hal import DeviceAffinityAttr
from ..dialects.topology import HOST, Topology
from .build import constant_value, make
from .indices import IndexBuilder
from .maintenance.memory_events import Kind, Range, read_events
from .maintenance.plan import Placement, Planner, is_whole


@dataclass(frozen=True)
class StreamPlaceCacheMaintenancePass(ModulePass):
    """Insert the maintenance that the functions of the module lack."""

    name = "stream-place-cache-maintenance"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all functions; raises OpError where no maintenance would be right."""
        topology = Topology.from_module(op)
        for function in op.body.block.ops:
            if isinstance(function, util.FuncOp | util.InitializerOp):
                place_maintenance(function, topology)


def place_maintenance(function: util.FuncOp | util.InitializerOp, topology: Topology) -> None:
    """Insert what `function` lacks."""
    entry = function.body.first_block
    if entry is None:
        return
    planner = Planner(read_events(function), topology)
    indices = IndexBuilder(entry)
    anchors: dict[Operation, Operation | None] = {}
    for placement in planner.missing():
        _insert(placement, indices, anchors)
    indices.finish()


def _insert(
    placement: Placement, indices: IndexBuilder, anchors: dict[Operation, Operation | None]
) -> None:
    """Put one op into its slot; invalidates keep their order at the region's start."""
    execute = placement.region.op
    block = execute.body.block
    first = anchors.setdefault(execute, block.first_op)
    new = _build(placement, indices)
    terminator = block.last_op
    assert terminator is not None
    before = first if placement.kind is Kind.INVALIDATE and first is not None else terminator
    block.insert_op_before(new, before)


def _build(placement: Placement, indices: IndexBuilder) -> Operation:
    execute = placement.region.op
    target, size, base = _captured(placement)
    span = placement.range
    if is_whole(span, placement.storage) and base == 0:
        offset, length = indices.constant(0), size
    else:
        offset, length = indices.constant(span.start - base), _length(indices, span)
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


def _length(indices: IndexBuilder, span: Range) -> SSAValue:
    return indices.constant(span.end - span.start)


def _captured(placement: Placement) -> tuple[SSAValue, SSAValue, int]:
    """The region's name for the storage, its size, and its offset in the storage."""
    execute = placement.region.op
    captures = zip(
        execute.resource_operands,
        execute.resource_operand_sizes,
        execute.body.block.args,
        strict=True,
    )
    for operand, size, argument in captures:
        base = _offset_in(operand, placement.storage.root)
        if base is None:
            continue
        known = constant_value(size)
        span = placement.range
        fits = known is not None and base <= span.start and span.end <= base + known
        if fits or (base == 0 and is_whole(span, placement.storage)):
            return argument, size, base
    fail(execute, "does not capture a resource that it needs cache maintenance of")


def _offset_in(value: SSAValue, root: SSAValue) -> int | None:
    """The constant offset of `value` in the storage of `root`; None if it is no part of it."""
    offset = 0
    while value is not root:
        if not isinstance(value, OpResult):
            return None
        match owner := value.op:
            case stream.ResourceSubviewOp():
                step = constant_value(owner.source_offset)
                if step is None:
                    return None
                offset += step
                value = owner.source
            case stream.TimepointAwaitOp():
                value = owner.resource_operands[value.index]
            case stream.TimepointBarrierOp():
                value = owner.resource
            case _:
                return None
    return offset
