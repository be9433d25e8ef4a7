"""stream-layout-slices: offsets for the slices of every slab.

```mlir
%p:3 = stream.resource.pack on(@a) slices({
  [0, 1] = %c100,
  [2, 3] = %c64
}) : index
```

becomes, the lifetimes being apart, `%p#0` (the size of the slab) = 128, `%p#1` = `%p#2` = 0.

A slice starts at a multiple of 64 bytes and of the largest cache line of the slab's devices,
and owns the bytes up to the next such multiple: no two slices share a line (IR-54). Steps are
those of the region's barriers, so slices reuse bytes only where a barrier stands between them.
Slices whose size is not constant lie behind the others; those of the same size value share
bytes among themselves.

Does not handle: sharing bytes between slices of different dynamic sizes.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ..dialects import hal, stream
from ..dialects.access import inherited_affinity
from ..dialects.topology import Topology
from ..dialects.walk import walk
from .analysis.module_topology import module_topology
from .analysis.packing import Slice, pack
from .build import constant_value
from .indices import IndexBuilder

MIN_ALIGNMENT = 64
"""Bytes: what devices ask of a binding's offset."""


@dataclass(frozen=True)
class StreamLayoutSlicesPass(ModulePass):
    """Resolve every `stream.resource.pack` of the module."""

    name = "stream-layout-slices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`."""
        topology = module_topology(op)
        for function in op.body.block.ops:
            packs = [inner for inner in walk(function) if isinstance(inner, stream.ResourcePackOp)]
            entry = function.regions[0].first_block if packs else None
            if entry is None:
                continue
            indices = IndexBuilder(entry)
            for inner in packs:
                _resolve(inner, alignment_of(inner, topology), indices)
            indices.finish()


def alignment_of(op: stream.ResourcePackOp, topology: Topology) -> int:
    """The bytes to which slices of a slab are aligned and padded."""
    affinity = inherited_affinity(op)
    names = affinity.device_names if isinstance(affinity, hal.AffinityAttr) else ()
    known = set(topology.device_names)
    lines = (topology.cache_line(name) for name in names if name in known)
    return max((MIN_ALIGNMENT, *lines))


def _resolve(op: stream.ResourcePackOp, alignment: int, indices: IndexBuilder) -> None:
    bounds = [bound.value.data for bound in op.lifetime_intervals]
    sizes = [constant_value(size) for size in op.dynamic_slice_sizes]
    intervals = list(zip(bounds[::2], bounds[1::2], strict=True))
    static = [index for index, size in enumerate(sizes) if size is not None]
    offsets, total = pack(
        [Slice(*intervals[index], size) for index in static if (size := sizes[index]) is not None],
        alignment,
    )
    places: dict[int, SSAValue] = {
        index: indices.constant(offset, op) for index, offset in zip(static, offsets, strict=True)
    }
    end = indices.constant(total, op)
    for size, group in _dynamic_groups(op, sizes).items():
        # A unit slice stands for `size` bytes, rounded up.
        units, count = pack([Slice(*intervals[index], 1) for index in group], 1)
        stride = indices.align(size, alignment, op)
        for index, unit in zip(group, units, strict=True):
            places[index] = indices.add(end, indices.multiply(stride, unit, op), op)
        end = indices.add(end, indices.multiply(stride, count, op), op)
    _replace(op, [places[index] for index in range(len(sizes))], end, indices)


def _dynamic_groups(
    op: stream.ResourcePackOp, sizes: list[int | None]
) -> dict[SSAValue, list[int]]:
    """Slices of dynamic size, by size."""
    groups: dict[SSAValue, list[int]] = {}
    for index, size in enumerate(op.dynamic_slice_sizes):
        if sizes[index] is None:
            groups.setdefault(size, []).append(index)
    return groups


def _replace(
    op: stream.ResourcePackOp, places: list[SSAValue], total: SSAValue, indices: IndexBuilder
) -> None:
    if op.offset is not None:
        places = [indices.add(op.offset, place, op) for place in places]
    assert op.parent is not None
    op.parent.insert_ops_before(indices.take(), op)
    indices.replace(op.total_length, total)
    for old, new in zip(op.packed_offsets, places, strict=True):
        indices.replace(old, new)
    op.detach()
    op.erase()
