"""Reads a segment of a host program: every command and host action as a memory event.

```mlir
%done = stream.cmd.execute on(@a) await(%ready) => with(%x as %arg: …) {   // enter
  stream.cmd.dispatch @f { ro %arg[%c0 for %c64] … }                      // a reads x[0, 64)
}                                                                         // leave: %done
```

Host ops that touch memory (an import is filled, an export is read) are events of the host; a file
is read or written by a device, outside of regions. What a dispatch touches is read off its
kernel, as far as that is known; a range that is not constant counts as the whole storage, perhaps
read and perhaps written.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import stream, util
from ...dialects.access import Access, RangeAccess, range_accesses
from ...dialects.diagnostics import fail
from ...dialects.hal import AffinityAttr
from ...dialects.storage import packed_bytes
from ...dialects.topology import HOST
from ..analysis.host_graph import Segment, Value
from ..analysis.kernel_access import BindingUse, KernelAccesses, Touched
from ..build import constant_value
from .memory_events import (
    ALL,
    ENTRY,
    WHOLE_END,
    Kind,
    MemoryEvent,
    Place,
    Range,
    Region,
    SegmentEvents,
    Storage,
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a segment has to know of the rest of the module."""

    kernels: KernelAccesses
    same: Mapping[SSAValue, SSAValue]
    """Imports of a buffer that another import has in the same memory: to that one's result."""
    outside: bool
    """Whether the function of the segment may be called by the host's user."""
    host_shares: bool
    """Whether devices share the host's cache."""


def read_segment(
    segment: Segment, entry_points: Iterable[Value], around: Surroundings
) -> SegmentEvents:
    """The events of `segment`; `entry_points` are the timepoints that it gets from elsewhere."""
    return _Reader(segment, entry_points, around).read()


_MAINTENANCE: dict[type[Operation], Kind] = {
    stream.CmdFlushOp: Kind.FLUSH,
    stream.CmdInvalidateOp: Kind.INVALIDATE,
    stream.CmdDiscardOp: Kind.DISCARD,
}


class _Reader:
    def __init__(
        self, segment: Segment, entry_points: Iterable[Value], around: Surroundings
    ) -> None:
        self.around = around
        self.result = SegmentEvents(segment)
        self.timeline = self.result.timeline
        self.host = self.timeline.add()
        self.points = self.result.points
        self.whole: dict[SSAValue, SSAValue] = {}
        """Within a region: captured resource to its size."""
        for value in entry_points:
            self.points[value] = self.result.entries[value] = self.timeline.add()

    def read(self) -> SegmentEvents:
        for op in self.result.segment.ops:
            self._host_op(op)
        self._leave()
        self.result.host = self.host
        return self.result

    def _host_op(self, op: Operation) -> None:
        match op:
            case stream.CmdExecuteOp():
                self._region(op)
            case stream.ResourceAllocaOp():
                self._make(op.result, op.storage_size, op.affinity, op)
                node = self.points[op.result_timepoint] = self._submit(op.await_timepoint)
                self._life(node, Kind.ALLOCA, op, self._at(op.result))
            case stream.ResourceDeallocaOp():
                node = self.points[op.result_timepoint] = self._submit(op.await_timepoint)
                self._life(node, Kind.DEALLOCA, op, self._at(op.operand))
            case stream.ResourceSubviewOp():
                self._subview(op)
            case stream.TimepointJoinOp():
                awaited = [self._point(value) for value in op.await_timepoints]
                self.points[op.result_timepoint] = self.timeline.add(*awaited)
            case stream.TimepointImmediateOp() | stream.TimepointImportOp():
                self.points[op.result_timepoint] = self.host
            case stream.TimepointBarrierOp():
                self.result.places[op.result] = self._at(op.resource)
                self.points[op.result_timepoint] = self.host
            case stream.TimepointAwaitOp():
                self.host = self.timeline.add(self.host, self._point(op.await_timepoint))
                pairs = zip(op.resource_operands, op.result_resources, strict=True)
                for operand, result in pairs:
                    self.result.places[result] = self._at(operand)
            case util.GlobalLoadOp() | util.GlobalStoreOp():
                self._global(op)
            case _:
                self._border(op)

    def _border(self, op: Operation) -> None:
        """What comes in and goes out."""
        match op:
            case stream.TensorImportOp():
                self._import(op)
            case stream.TensorExportOp():
                place = self._at(op.source)
                self._host_reads(op, place, self._range(place, None, op.source_size), self.host)
            case stream.ResourceLoadOp():
                place = self._at(op.source)
                span = self._element(place, op.source_offset, op.result.type)
                self.host = self._host_reads(op, place, span, self.host)
            case stream.ResourceStoreOp():
                place = self._at(op.target)
                self._host_stores(op, place, self._element(place, op.target_offset, op.value.type))
            case stream.ResourceTryMapOp():
                self._make(op.result, op.result_size, op.affinity, op)
                self._host_stores(op, Place(op.result, 0, True), ALL)
            case stream.FileReadOp() | stream.FileWriteOp():
                self._queued(op)
            case stream.ResourceAllocOp():
                self._make(op.result, op.storage_size, op.affinity, op)
            case stream.ResourceConstantsOp():
                self._constants(op)
            case _:
                pass

    def _point(self, timepoint: Value | None) -> int:
        if timepoint is None:
            return self.host
        return self.points.get(timepoint, ENTRY)

    def _submit(self, awaited: SSAValue | None) -> int:
        """A submission: after the host's past and what it waits for."""
        return self.timeline.add(self._point(awaited), self.host)

    def _life(
        self,
        node: int,
        kind: Kind,
        op: stream.ResourceAllocaOp | stream.ResourceDeallocaOp,
        place: Place,
    ) -> None:
        """The queue of a device, or the host, takes or gives back storage."""
        agent = HOST if op.affinity is None else device_of(op, op.affinity)
        self._event(MemoryEvent(node, agent, kind, op, place))

    def _event(self, event: MemoryEvent) -> None:
        self.result.events.setdefault(event.place.root, []).append(event)

    # Storage.

    def _make(
        self, root: SSAValue, size: SSAValue, affinity: Attribute | None, op: Operation
    ) -> None:
        constant = constant_value(size)
        whole = WHOLE_END if constant is None else constant
        self.result.made.append(Storage(root, whole, affinity, op))

    def _at(self, value: Value) -> Place:
        return self.result.place(value)

    def _subview(self, op: stream.ResourceSubviewOp) -> None:
        root, base, _ = self._at(op.source)
        offset = constant_value(op.source_offset)
        start = None if base is None or offset is None else base + offset
        same = offset == 0 and op.source_size is op.result_size
        self.result.places[op.result] = Place(root, start, same and self._at(op.source).whole)

    def _global(self, op: util.GlobalLoadOp | util.GlobalStoreOp) -> None:
        name = op.global_name.string_value()
        source, target = (
            (name, op.result) if isinstance(op, util.GlobalLoadOp) else (op.value, name)
        )
        value = op.result if isinstance(op, util.GlobalLoadOp) else op.value
        if isinstance(value.type, stream.TimepointType):
            self.points[target] = self._point(source)
        elif isinstance(value.type, stream.ResourceType):
            self.result.places[target] = self._at(source)

    # The host.

    def _import(self, op: stream.TensorImportOp) -> None:
        if (first := self.around.same.get(op.result)) is not None:
            self.result.places[op.result] = self._at(first)
            return
        self._make(op.result, op.result_size, op.affinity, op)
        self._host_stores(op, Place(op.result, 0, True), ALL)

    def _constants(self, op: stream.ResourceConstantsOp) -> None:
        self.points[op.result_timepoint] = self.host
        for result, size in zip(op.result_resources, op.result_sizes, strict=True):
            self._make(result, size, op.affinity, op)
            self._host_stores(op, Place(result, 0, True), ALL)

    def _host_stores(self, op: Operation, place: Place, span: Range) -> None:
        """The host writes through a mapping, which it flushes; a range not known perhaps."""
        self.host = self.timeline.add(self.host)
        stored = MemoryEvent(self.host, HOST, Kind.ACCESS, op, place, flushed=True)
        certain = span != ALL or place.whole
        (stored.writes if certain else stored.may_write).append(span)
        self._event(stored)

    def _element(self, place: Place, offset: SSAValue, type: Attribute) -> Range:
        """The bytes of one value of the host."""
        start, size = constant_value(offset), packed_bytes(1, type)
        if place.offset is None or start is None or size is None:
            return ALL
        return Range(start, start + size)

    def _queued(self, op: stream.FileReadOp | stream.FileWriteOp) -> None:
        """A transfer that a device makes outside of any region."""
        node = self.points[op.result_timepoint] = self._submit(op.await_timepoint)
        agent = device_of(op, op.affinity)
        for access in range_accesses(op):
            event = MemoryEvent(node, agent, Kind.ACCESS, op, self._at(access.value))
            self._touch(event, access, None)
            self._event(event)

    def _host_reads(self, op: Operation, place: Place, span: Range, after: int) -> int:
        """The host reads what goes out, after it dropped its lines. What a device left in them
        that shares its cache it writes back first. Gives the node of the read."""
        kinds = (Kind.INVALIDATE, Kind.ACCESS)
        for kind in (Kind.FLUSH, *kinds) if self.around.host_shares else kinds:
            after = self.timeline.add(after)
            reads = [span] if kind is Kind.ACCESS else []
            self._event(MemoryEvent(after, HOST, kind, op, place, reads=reads, target=[span]))
        self.host = self.timeline.add(self.host)
        return after

    def _leave(self) -> None:
        """A function that nobody here calls hands its results to the host."""
        segment = self.result.segment
        if segment.returned is None or not self.around.outside:
            return
        points = [self._point(v) for v in segment.returned if v in self.points]
        for value in segment.returned:
            if isinstance(value.type, stream.ResourceType) and segment.end is not None:
                after = self.timeline.add(self.host, *points)
                self._host_reads(segment.end, self._at(value), ALL, after)

    # Regions.

    def _region(self, op: stream.CmdExecuteOp) -> None:
        captures: dict[SSAValue, SSAValue] = {}
        for operand, argument in zip(op.resource_operands, op.body.block.args, strict=True):
            self.result.places[argument] = self._at(operand)
            captures[argument] = operand
        self.whole = dict(zip(op.body.block.args, op.resource_operand_sizes, strict=True))
        enter = self._submit(op.await_timepoint)
        agent = device_of(op, op.affinity)
        region = Region(op, agent, self.result.segment, self.timeline.add(enter))
        last = self._serial(region, captures, op.body.block, region.enter_invalidate)
        region.leave_flush = self.timeline.add(last)
        region.leave_discard = self.timeline.add(region.leave_flush)
        self.points[op.result_timepoint] = self.timeline.add(region.leave_discard)
        self.result.regions.append(region)

    def _serial(
        self, region: Region, captures: dict[SSAValue, SSAValue], block: Block, after: int
    ) -> int:
        for op in block.ops:
            after = self._command(region, captures, op, after)
        return after

    def _command(
        self, region: Region, captures: dict[SSAValue, SSAValue], op: Operation, after: int
    ) -> int:
        match op:
            case stream.YieldOp():
                return after
            case stream.CmdSerialOp():
                return self._serial(region, captures, op.body.block, after)
            case stream.CmdConcurrentOp():
                ends = [
                    self._command(region, captures, child, after) for child in op.body.block.ops
                ]
                return self.timeline.add(*ends) if ends else after
            case _:
                node = self.timeline.add(after)
                self._record(region, captures, op, node)
                return node

    def _record(
        self, region: Region, captures: dict[SSAValue, SSAValue], op: Operation, node: int
    ) -> None:
        kind = _MAINTENANCE.get(type(op), Kind.ACCESS)

        def event(value: SSAValue) -> MemoryEvent:
            operand = captures.get(value)
            return MemoryEvent(
                node, region.agent, kind, op, self._at(value), region=region, operand=operand
            )

        if isinstance(op, stream.CmdFlushOp | stream.CmdInvalidateOp | stream.CmdDiscardOp):
            maintenance = event(op.target)
            span = self._range(maintenance.place, op.target_offset, op.target_length)
            maintenance.target.append(span)
            whole = self._is_whole(op.target, op.target_offset, op.target_length)
            maintenance.certain = span != ALL or whole
            self._event(maintenance)
            return
        by_value: dict[SSAValue, MemoryEvent] = {}
        for access, use in self._accesses(op):
            made = by_value.get(access.value)
            if made is None:
                made = by_value[access.value] = event(access.value)
                self._event(made)
            self._touch(made, access, use)

    def _accesses(self, op: Operation) -> Iterator[tuple[RangeAccess, BindingUse | None]]:
        accesses = range_accesses(op)
        uses = self.around.kernels.of(op) if isinstance(op, stream.CmdDispatchOp) else None
        if uses is None or len(uses) != len(accesses):
            uses = [None] * len(accesses)
        return zip(accesses, uses, strict=True)

    def _touch(self, event: MemoryEvent, access: RangeAccess, use: BindingUse | None) -> None:
        """Add what one binding is read and written to an event."""
        offset = 0 if access.offset is None else constant_value(access.offset)
        length = constant_value(access.length)
        if use is not None and offset is not None and event.place.offset is not None:
            limit = WHOLE_END if length is None else length

            def clipped(touched: Touched) -> Range:
                return Range(offset + touched.start, offset + min(touched.end, limit))

            event.reads += [clipped(t) for t in use.reads]
            event.certain &= all(t.certain for t in use.reads)
            event.writes += [clipped(t) for t in use.writes if t.certain]
            event.may_write += [clipped(t) for t in use.writes if not t.certain]
            return
        span = self._range(event.place, access.offset, access.length)
        whole = self._is_whole(access.value, access.offset, access.length)
        certain = span != ALL or (event.place.whole and whole)
        if access.mode & Access.READ:
            event.reads.append(span)
            event.certain &= certain
        if access.mode & Access.WRITE:
            (event.writes if certain else event.may_write).append(span)

    def _is_whole(self, value: SSAValue, offset: SSAValue | None, length: SSAValue) -> bool:
        """Whether a range is all that the region captures as `value`."""
        start = 0 if offset is None else constant_value(offset)
        return start == 0 and self.whole.get(value) is length

    def _range(self, place: Place, offset: SSAValue | None, length: SSAValue) -> Range:
        start = 0 if offset is None else constant_value(offset)
        size = constant_value(length)
        if place.offset is None or start is None or size is None:
            return ALL
        return Range(start, start + size)


def device_of(op: Operation, affinity: Attribute | None) -> str:
    """The device that executes an op: the first that its affinity names; raises OpError."""
    names = affinity.device_names if isinstance(affinity, AffinityAttr) else ()
    if not names:
        fail(op, "states no device to run on; give it an affinity")
    return names[0]
