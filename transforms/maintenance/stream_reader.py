"""Reads a segment of a host program at stream.cmd level: commands and host actions as events.

```mlir
%done = stream.cmd.execute on(@a) await(%ready) => with(%x as %arg: …) {   // enter
  stream.cmd.dispatch @f { ro %arg[%c0 for %c64] … }                      // a reads x[0, 64)
}                                                                         // leave: %done
```

Host ops that touch memory (an import is filled, an export is read) are events of the host; a file
is read or written by a device, outside of regions.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar

from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stream, util
from ...dialects.access import RangeAccess, inherited_affinity, range_accesses
from ...dialects.diagnostics import fail
from ...dialects.hal import AffinityAttr
from ...dialects.topology import HOST, Topology
from ..analysis.host_graph import HostFunction, HostGraph, Segment, Value
from ..analysis.kernel_access import BindingUse
from ..build import constant_value
from .file_regions import Fetch
from .memory_events import ALL, Kind, MemoryEvent, Place, Region, SegmentEvents
from .pools import pool_name
from .segment_reader import (
    Level,
    SegmentReader,
    Surroundings,
    span_of,
    touch_binding,
    touch_range,
)


class StreamLevel(Level):
    """Programs at stream.cmd level."""

    resources = (stream.ResourceType,)
    timepoints = (stream.TimepointType,)
    signals_arguments = False

    def same_storage(self) -> dict[SSAValue, SSAValue]:
        """Imports of what is in the same memory already: a buffer that was imported before, on all
        paths, or that was exported."""
        return _same_imports(self.graph, self.topology)

    def read(
        self, segment: Segment, entry_points: Iterable[Value], around: Surroundings
    ) -> SegmentEvents:
        """The events of `segment`; raises OpError for a region without a device."""
        return _StreamReader(segment, entry_points, around).read()


_MAINTENANCE: dict[type[Operation], Kind] = {
    stream.CmdFlushOp: Kind.FLUSH,
    stream.CmdInvalidateOp: Kind.INVALIDATE,
    stream.CmdDiscardOp: Kind.DISCARD,
}

Queued = (
    stream.FileReadOp
    | stream.FileWriteOp
    | stream.CmdParameterReadOp
    | stream.CmdParameterWriteOp
    | stream.CmdParameterGatherOp
    | stream.CmdParameterScatterOp
)
"""A transfer between a resource and bytes that no agent reaches but a queue."""


class _StreamReader(SegmentReader):
    level: ClassVar[type[Level]] = StreamLevel

    def __init__(
        self, segment: Segment, entry_points: Iterable[Value], around: Surroundings
    ) -> None:
        super().__init__(segment, entry_points, around)
        self.whole: dict[SSAValue, SSAValue] = {}
        """Within a region: captured resource to its size."""
        self.fetched: dict[SSAValue, list[MemoryEvent]] = {}
        """By timepoint, what a device reads from files and archives of parameters."""
        self.empty: dict[SSAValue, Region] = {}
        """By timepoint, regions without commands."""
        self.chained: list[int] = []
        """What the caller waits for by its own fences before it looks at what is exported."""

    def host_op(self, op: Operation) -> None:
        match op:
            case stream.CmdExecuteOp():
                self._region(op)
            case stream.ResourceAllocaOp():
                self.make(op.result, op.storage_size, inherited_affinity(op), op)
                node = self.points[op.result_timepoint] = self._submit(op.await_timepoint)
                self._life(node, Kind.ALLOCA, op, self.at(op.result))
            case stream.ResourceDeallocaOp():
                node = self.points[op.result_timepoint] = self._submit(op.await_timepoint)
                self._life(node, Kind.DEALLOCA, op, self.at(op.operand))
            case stream.ResourceSubviewOp():
                self._subview(op)
            case stream.TimepointJoinOp():
                awaited = [self.point(value) for value in op.await_timepoints]
                self.points[op.result_timepoint] = self.timeline.add(*awaited)
            case stream.TimepointChainExternalOp():
                self.chained.append(self.point(op.await_timepoint))
            case stream.TimepointImmediateOp() | stream.TimepointImportOp():
                self.points[op.result_timepoint] = self.host
            case stream.TimepointBarrierOp():
                self.result.places[op.result] = self.at(op.resource)
                self.points[op.result_timepoint] = self.host
            case stream.TimepointAwaitOp():
                self.host = self.timeline.add(self.host, self.point(op.await_timepoint))
                pairs = zip(op.resource_operands, op.result_resources, strict=True)
                for operand, result in pairs:
                    self.result.places[result] = self.at(operand)
            case util.GlobalLoadOp() | util.GlobalStoreOp() | util.ListGetOp():
                self.pass_on(op)
            case _:
                self._border(op)

    def _border(self, op: Operation) -> None:
        """What comes in and goes out."""
        match op:
            case stream.TensorImportOp():
                self._import(op)
            case stream.TensorExportOp():
                place = self.at(op.source)
                after = self.timeline.add(self.host, *self.chained) if self.chained else self.host
                self.host_reads(op, place, span_of(place, None, op.source_size), after)
            case stream.ResourceLoadOp():
                place = self.at(op.source)
                span = self.element(place, op.source_offset, op.result.type)
                self.host = self.host_reads(op, place, span, self.host)
            case stream.TensorTraceOp():
                for resource, size in zip(op.resources, op.resource_sizes, strict=True):
                    place = self.at(resource)
                    self.host = self.host_reads(op, place, span_of(place, None, size), self.host)
            case stream.ResourceStoreOp():
                place = self.at(op.target)
                self.host_stores(op, place, self.element(place, op.target_offset, op.value.type))
            case stream.ResourceTryMapOp():
                self.make(op.result, op.result_size, inherited_affinity(op), op)
                self.host_stores(op, Place(op.result, 0, True), ALL)
            case _ if isinstance(op, Queued):
                self._queued(op)
            case stream.CmdParameterLoadOp():
                self._loaded(op)
            case stream.ResourceAllocOp():
                self.make(op.result, op.storage_size, inherited_affinity(op), op)
            case stream.ResourceConstantsOp():
                self._constants(op)
            case _:
                pass

    def _submit(self, awaited: SSAValue | None) -> int:
        """A submission: after the host's past and what it waits for."""
        return self.timeline.add(self.point(awaited), self.host)

    def _life(
        self,
        node: int,
        kind: Kind,
        op: stream.ResourceAllocaOp | stream.ResourceDeallocaOp,
        place: Place,
    ) -> None:
        """The queue of a device, or the host, takes or gives back storage."""
        known = op.affinity is not None or isinstance(op, stream.ResourceAllocaOp)
        agent = device_of(op) if known else HOST
        self.event(MemoryEvent(node, agent, kind, op, place))

    def _subview(self, op: stream.ResourceSubviewOp) -> None:
        root, base, _ = self.at(op.source)
        offset = constant_value(op.source_offset)
        start = None if base is None or offset is None else base + offset
        same = offset == 0 and op.source_size is op.result_size
        self.result.places[op.result] = Place(root, start, same and self.at(op.source).whole)

    # The host.

    def _import(self, op: stream.TensorImportOp) -> None:
        if (first := self.around.same.get(op.result)) is not None:
            self.result.places[op.result] = self.at(first)
            return
        self.make(op.result, op.result_size, inherited_affinity(op), op)
        self.host_stores(op, Place(op.result, 0, True), ALL)

    def _constants(self, op: stream.ResourceConstantsOp) -> None:
        self.points[op.result_timepoint] = self.host
        for result, size in zip(op.result_resources, op.result_sizes, strict=True):
            self.make(result, size, inherited_affinity(op), op)
            self.host_stores(op, Place(result, 0, True), ALL)

    def _queued(self, op: Queued) -> None:
        """A transfer that a device makes outside of any region."""
        node = self.points[op.result_timepoint] = self._submit(op.await_timepoint)
        by_value: dict[SSAValue, MemoryEvent] = {}
        for access in range_accesses(op):
            event = by_value.get(access.value)
            if event is None:
                place = self.at(access.value)
                event = MemoryEvent(node, device_of(op), Kind.ACCESS, op, place)
                by_value[access.value] = event
                self.event(event)
            self._touch(event, access, None)
        if isinstance(op, Fetch):
            self.fetched[op.result_timepoint] = list(by_value.values())
        elif op.await_timepoint is not None:
            _give(self.empty.get(op.await_timepoint), by_value.values(), self.at)

    def _loaded(self, op: stream.CmdParameterLoadOp) -> None:
        """Storage that a device makes and fills."""
        node = self.points[op.result_timepoint] = self._submit(op.await_timepoint)
        fetched = self.fetched[op.result_timepoint] = list[MemoryEvent]()
        for resource, size in zip(op.result_resources, op.result_sizes, strict=True):
            self.make(resource, size, inherited_affinity(op), op)
            place = Place(resource, 0, True)
            event = MemoryEvent(node, device_of(op), Kind.ACCESS, op, place, writes=[ALL])
            self.event(event)
            fetched.append(event)

    def leave(self) -> None:
        """A function that nobody here calls hands its results to the host."""
        segment = self.result.segment
        if segment.returned is None or not self.around.outside:
            return
        points = [self.point(v) for v in segment.returned if v in self.points]
        for value in segment.returned:
            if isinstance(value.type, stream.ResourceType) and segment.end is not None:
                after = self.timeline.add(self.host, *points)
                self.host_reads(segment.end, self.at(value), ALL, after)

    # Regions.

    def _region(self, op: stream.CmdExecuteOp) -> None:
        captures: dict[SSAValue, SSAValue] = {}
        for operand, argument in zip(op.resource_operands, op.body.block.args, strict=True):
            self.result.places[argument] = self.at(operand)
            captures[argument] = operand
        self.whole = dict(zip(op.body.block.args, op.resource_operand_sizes, strict=True))
        enter = self._submit(op.await_timepoint)
        agent = device_of(op)
        region = Region(op, agent, self.result.segment, self.timeline.add(enter))
        last = self._serial(region, captures, op.body.block, region.enter_invalidate)
        region.leave_flush = self.timeline.add(last)
        region.leave_discard = self.timeline.add(region.leave_flush)
        self.points[op.result_timepoint] = self.timeline.add(region.leave_discard)
        self.result.regions.append(region)
        self._adopt(region, op)

    def _adopt(self, region: Region, op: stream.CmdExecuteOp) -> None:
        """A region without commands takes the maintenance of what was fetched before it, and of
        what is stored once it is done."""
        if op.body.block.first_op is not op.body.block.last_op:
            return
        self.empty[op.result_timepoint] = region
        if op.await_timepoint is not None:
            _give(region, self.fetched.get(op.await_timepoint, ()), self.at)

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
                group = self.timeline.open()
                ends = [
                    self._command(region, captures, child, after) for child in op.body.block.ops
                ]
                return self.timeline.close(group, *ends) if ends else after
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
                node, region.agent, kind, op, self.at(value), region=region, operand=operand
            )

        if isinstance(op, stream.CmdFlushOp | stream.CmdInvalidateOp | stream.CmdDiscardOp):
            maintenance = event(op.target)
            span = span_of(maintenance.place, op.target_offset, op.target_length)
            maintenance.target.append(span)
            whole = self._is_whole(op.target, op.target_offset, op.target_length)
            maintenance.certain = span != ALL or whole
            self.event(maintenance)
            return
        by_value: dict[SSAValue, MemoryEvent] = {}
        for access, use in self._accesses(op):
            made = by_value.get(access.value)
            if made is None:
                made = by_value[access.value] = event(access.value)
                self.event(made)
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
        if use is not None and use.known and None not in (offset, event.place.offset):
            assert offset is not None
            touch_binding(event, offset, length, use)
            return
        span = span_of(event.place, access.offset, access.length)
        whole = self._is_whole(access.value, access.offset, access.length)
        touch_range(event, access.mode, span, certain=span != ALL or (event.place.whole and whole))

    def _is_whole(self, value: SSAValue, offset: SSAValue | None, length: SSAValue) -> bool:
        """Whether a range is all that the region captures as `value`."""
        start = 0 if offset is None else constant_value(offset)
        return start == 0 and self.whole.get(value) is length


def device_of(op: Operation) -> str:
    """The device that executes an op: the first that its affinity, or the default, names.

    Raises OpError where there is none.
    """
    affinity = inherited_affinity(op)
    names = affinity.device_names if isinstance(affinity, AffinityAttr) else ()
    if not names:
        fail(op, "states no device to run on; give it an affinity")
    return names[0]


def _same_imports(graph: HostGraph, topology: Topology) -> dict[SSAValue, SSAValue]:
    """Imports of what is in the same memory already: a buffer that was imported before, on all
    paths, or that was exported."""
    result: dict[SSAValue, SSAValue] = {}
    first: dict[tuple[SSAValue, str | None], tuple[Segment, SSAValue]] = {}
    entries: dict[HostFunction, Segment] = {s.function: s for s in graph.entries.values()}
    for segment in graph.segments:
        for op in segment.ops:
            if not isinstance(op, stream.TensorImportOp):
                continue
            maker: Operation | None = (
                op.source.owner if isinstance(op.source.owner, Operation) else None
            )
            if isinstance(maker, stream.TensorExportOp):
                result[op.result] = maker.source
                continue
            key = (op.source, pool_name(topology, inherited_affinity(op)))
            where, value = first.setdefault(key, (segment, op.result))
            if value is not op.result and where in (segment, entries[segment.function]):
                result[op.result] = value
    return result


def _give(
    region: Region | None, events: Iterable[MemoryEvent], at: Callable[[Value], Place]
) -> None:
    """Let a region hold the maintenance of accesses, as far as it captures what they touch."""
    if region is None or not isinstance(region.op, stream.CmdExecuteOp):
        return
    for event in events:
        for operand in region.op.resource_operands:
            if at(operand) == event.place:
                event.region, event.operand = region, operand
