"""Reads a segment of a host program at hal level: submissions and host actions as events.

```mlir
hal.device.queue.execute.indirect<%a …> wait(%ready) signal(%done)        // after what %ready is
    commands(%cmd) bindings([(%x : !hal.buffer)[%c0, %c64]])              // the recorded commands,
                                                                          // slot 0 is %x
```

A recorded command is an event for each submission, on what the slots name there. A fence is
reached by what signals it, in whatever order the host program submits. The caller's buffers were
written and flushed by the host; what a function returns, the host reads behind the fences that
it signals.

Does not handle: several recordings or devices to choose from at one submission, buffers out of
lists and selects; these are errors.
"""

from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import util
from ...dialects.access import (
    Access,
    Maintenance,
    RangeAccess,
    maintained_range,
    maintenance_kind,
    range_accesses,
)
from ...dialects.diagnostics import fail
from ...dialects.hal.allocator import AllocatorAllocateOp, AllocatorImportOp
from ...dialects.hal.buffer import (
    BufferAssertOp,
    BufferLoadOp,
    BufferStoreOp,
    BufferSubspanOp,
)
from ...dialects.hal.buffer_view import BufferViewBufferOp, BufferViewCreateOp
from ...dialects.hal.command_buffer import (
    CommandBufferDispatchIndirectOp,
    CommandBufferDispatchOp,
    CommandBufferExecutionBarrierOp,
)
from ...dialects.hal.command_checks import CommandOp, dispatch_layout
from ...dialects.hal.device_queue import (
    DeviceQueueAllocaOp,
    DeviceQueueDeallocaOp,
    DeviceQueueExecuteIndirectOp,
    DeviceQueueExecuteOp,
    DeviceQueueOp,
)
from ...dialects.hal.fence import FenceAwaitOp, FenceJoinOp, FenceQueryOp, FenceSignalOp
from ...dialects.hal.types import BufferType, BufferViewType, FenceType
from ...dialects.topology import Topology
from ..analysis.host_graph import HostGraph, Segment, Value
from ..analysis.value_origins import ValueOrigins
from ..build import constant_value
from .hal_devices import HalDevices
from .hal_recording import BarrierOrder, Recordings, stage_of
from .memory_events import ALL, ENTRY, Kind, MemoryEvent, Place, Range, Region, SegmentEvents
from .segment_reader import (
    Level,
    SegmentReader,
    Surroundings,
    span_of,
    touch_binding,
    touch_range,
)

_KINDS = {
    Maintenance.FLUSH: Kind.FLUSH,
    Maintenance.INVALIDATE: Kind.INVALIDATE,
    Maintenance.DISCARD: Kind.DISCARD,
}
_WORKGROUP_COUNTS = 12
"""Bytes that an indirect dispatch reads of its counts."""

_Execute = DeviceQueueExecuteOp | DeviceQueueExecuteIndirectOp


class HalLevel(Level):
    """Programs at hal level."""

    resources = (BufferType, BufferViewType)
    timepoints = (FenceType,)
    signals_arguments = True

    def __init__(self, graph: HostGraph, topology: Topology) -> None:
        super().__init__(graph, topology)
        origins = ValueOrigins(graph)
        self.devices = HalDevices(origins, topology)
        self.recordings = Recordings(origins)

    def uses(self, segment: Segment) -> Iterable[SSAValue]:
        """The buffers that recordings name, and at its end the fences that a function was given."""
        for op in segment.ops:
            if isinstance(op, _Execute):
                for command in self.recordings.of(op, op.command_buffer):
                    yield from command.operands
        if segment.returned is not None:
            yield from segment.function.body.blocks[0].args

    def affinity(self, argument: SSAValue) -> Attribute | None:
        """Where an assertion on the caller's buffer says that it lies."""
        for use in argument.uses:
            op = use.operation
            if isinstance(op, BufferViewBufferOp) and (found := self.affinity(op.result)):
                return found
            if isinstance(op, BufferAssertOp) and op.buffer is argument:
                return self.devices.affinity(op, op.allocator)
        return None

    def read(
        self, segment: Segment, entry_points: Iterable[Value], around: Surroundings
    ) -> SegmentEvents:
        """The events of `segment`; raises OpError at what cannot be followed."""
        return _HalReader(self, segment, entry_points, around).read()


class _Bound(NamedTuple):
    """A buffer that a command works on."""

    place: Place
    size: SSAValue | None
    """Its length, where a value tells it."""


class _HalReader(SegmentReader):
    level: ClassVar[type[Level]] = HalLevel

    def __init__(
        self, of: HalLevel, segment: Segment, entry_points: Iterable[Value], around: Surroundings
    ) -> None:
        super().__init__(segment, entry_points, around)
        self.devices, self.recordings = of.devices, of.recordings
        self.joins: dict[SSAValue, tuple[SSAValue, ...]] = {}
        """Joined fence to its parts: they may be signaled later."""
        self.signals = _signals(segment.ops)
        """How often a fence is yet to be signaled."""
        self.waiting: list[tuple[DeviceQueueOp, int]] = []
        """Submissions that wait for later ones, with what the host has waited for."""

    # Fences.

    def point(self, timepoint: Value | None) -> int:
        """The node that reaches a fence."""
        if isinstance(timepoint, SSAValue) and timepoint in self.joins:
            parts = [self.point(part) for part in self.joins[timepoint]]
            return self.timeline.add(*parts) if parts else ENTRY
        if timepoint is None or timepoint in self.points:
            return super().point(timepoint)
        return ENTRY

    def _is_ahead(self, fence: SSAValue) -> bool:
        """Whether a later submission of the segment signals a fence."""
        if fence in self.joins:
            return any(self._is_ahead(part) for part in self.joins[fence])
        return fence not in self.points and self.signals.get(fence, 0) > 0

    def _reached(self, fence: SSAValue, node: int) -> None:
        self.points[fence] = node
        self.signals[fence] = self.signals.get(fence, 1) - 1
        ready = [entry for entry in self.waiting if not self._is_ahead(entry[0].fences()[0])]
        self.waiting = [entry for entry in self.waiting if entry not in ready]
        for op, host in ready:
            self._queue(op, host)

    def leave(self) -> None:
        """The caller reads what is returned once the fences that it gave are signaled."""
        for op, host in self.waiting:
            self._queue(op, host)
        for fence in self.joins:
            self.points[fence] = self.point(fence)
        segment = self.result.segment
        if segment.returned is None or segment.end is None or not self.around.outside:
            return
        given = [
            self.points[argument]
            for argument in segment.function.body.blocks[0].args
            if argument in self.points
        ]
        for value in segment.returned:
            if isinstance(value.type, self.level.resources):
                after = self.timeline.add(self.host, *given)
                span, certain = _view_span(value)
                self.host_reads(segment.end, self.at(value), span, after, certain=certain)

    # The host.

    def host_op(self, op: Operation) -> None:
        """Read one op of the host."""
        match op:
            case DeviceQueueOp():
                wait, signal = op.fences()
                if isinstance(op, DeviceQueueAllocaOp):
                    affinity = self.devices.affinity(op, op.device)
                    self.make(op.result, op.result_size, affinity, op)
                if self._is_ahead(wait) and signal is not wait:
                    self.waiting.append((op, self.host))
                else:
                    self._queue(op, self.host)
            case FenceJoinOp():
                self.joins[op.result] = tuple(op.fences)
            case FenceAwaitOp():
                if (limit := constant_value(op.timeout_millis)) is not None and limit < 0:
                    self._waited(op.fences)
            case util.StatusCheckOkOp():
                asked = op.status.owner
                if isinstance(asked, FenceAwaitOp):
                    self._waited(asked.fences)
                elif isinstance(asked, FenceQueryOp):
                    self._waited([asked.fence])
            case FenceSignalOp():
                self._reached(op.fence, self.host)
            case util.GlobalLoadOp() | util.GlobalStoreOp() | util.ListGetOp():
                self.pass_on(op)
            case _:
                self._buffer_op(op)

    def _waited(self, fences: Iterable[SSAValue]) -> None:
        self.host = self.timeline.add(self.host, *(self.point(fence) for fence in fences))

    def _buffer_op(self, op: Operation) -> None:
        match op:
            case BufferViewBufferOp():
                self.result.places[op.result] = self.at(op.buffer_view)
            case BufferViewCreateOp():
                self._part(op.result, op.source_buffer, op.source_offset, op.source_length)
            case BufferSubspanOp():
                self._part(op.result, op.source_buffer, op.source_offset, op.length)
            case AllocatorAllocateOp():
                self.make(op.result, op.result_size, self.devices.affinity(op, op.allocator), op)
            case AllocatorImportOp():
                self.make(op.result, op.length, self.devices.affinity(op, op.allocator), op)
                self.host_stores(op, Place(op.result, 0, True), ALL)
            case BufferLoadOp():
                place = self.at(op.source_buffer)
                span = self.element(place, op.source_offset, op.result.type)
                self.host = self.host_reads(op, place, span, self.host, certain=span != ALL)
            case BufferStoreOp():
                place = self.at(op.target_buffer)
                self.host_stores(op, place, self.element(place, op.target_offset, op.value.type))
            case util.NullOp():
                pass
            case _:
                self._refuse_makers(op)

    def _refuse_makers(self, op: Operation) -> None:
        for result in op.results:
            if isinstance(result.type, self.level.resources):
                fail(
                    op, "gives a buffer that is not followed; cache maintenance of it is not known"
                )

    def _part(self, result: SSAValue, source: SSAValue, offset: SSAValue, length: SSAValue) -> None:
        bound = self._bound(self.at(source), source, offset, length)
        self.result.places[result] = bound.place

    # Submissions.

    def _queue(self, op: DeviceQueueOp, host: int) -> None:
        """A submission: after the host's past and what it waits for."""
        wait, signal = op.fences()
        node = self.timeline.add(self.point(wait), host)
        agent = self.devices.device(op, op.operands[0])
        match op:
            case DeviceQueueAllocaOp():
                self.event(MemoryEvent(node, agent, Kind.ALLOCA, op, self.at(op.result)))
            case DeviceQueueDeallocaOp():
                self.event(MemoryEvent(node, agent, Kind.DEALLOCA, op, self.at(op.buffer)))
            case DeviceQueueExecuteOp() | DeviceQueueExecuteIndirectOp():
                node = self._execute(op, agent, node)
            case _:
                region = Region(op, agent, self.result.segment, node)
                self._transfer(op, region, node, {})
        if not isinstance(signal.owner, util.NullOp):
            self._reached(signal, node)

    def _execute(self, op: _Execute, agent: str, enter: int) -> int:
        """All commands of the recording; gives the node at which they are done."""
        region = Region(op, agent, self.result.segment, enter)
        table: dict[int, _Bound] = {}
        if isinstance(op, DeviceQueueExecuteIndirectOp):
            rows = zip(op.binding_buffers, op.binding_offsets, op.binding_lengths, strict=True)
            for slot, (buffer, offset, length) in enumerate(rows):
                table[slot] = self._bound(self.at(buffer), buffer, offset, length)
        order = BarrierOrder(self.timeline, enter)
        for command in self.recordings.of(op, op.command_buffer):
            if isinstance(command, CommandBufferExecutionBarrierOp):
                masks = command.source_stage_mask, command.target_stage_mask
                order.barrier(*(mask.value.data for mask in masks))
                continue
            self._transfer(command, region, order.command(stage_of(command)), table)
        return order.end()

    def _transfer(self, op: Operation, region: Region, node: int, table: dict[int, _Bound]) -> None:
        """One command, or one copy, fill, update, read or write of a queue."""
        named = maintained_range(op)
        if named is not None:
            kind = maintenance_kind(op)
            assert kind is not None
            bound = self._named(op, named.value, table)
            span, certain = _span(bound, named)
            self.event(
                MemoryEvent(
                    node,
                    region.agent,
                    _KINDS[kind],
                    op,
                    bound.place,
                    target=[span],
                    region=region,
                    certain=certain,
                )
            )
            return
        accesses = range_accesses(op)
        uses = self.around.kernels.of(op) if isinstance(op, CommandBufferDispatchOp) else None
        layout = dispatch_layout(op) if isinstance(op, CommandOp) and _dispatches(op) else None
        for number, access in enumerate(accesses):
            bound = self._named(op, access.value, table)
            event = MemoryEvent(node, region.agent, Kind.ACCESS, op, bound.place, region=region)
            self.event(event)
            span, certain = _span(bound, access)
            use = uses[number] if uses is not None and number < len(uses) else None
            offset = 0 if access.offset is None else constant_value(access.offset)
            if use is not None and use.known and None not in (offset, bound.place.offset):
                assert offset is not None
                touch_binding(event, offset, constant_value(access.length), use)
            elif use is not None:
                touch_range(event, use.mode, span, certain=certain)
            else:
                # Without its kernel, a dispatch may do what its layout allows, or not.
                touch_range(event, access.mode, span, certain=certain and layout is None)
        if isinstance(op, CommandBufferDispatchIndirectOp):
            self._counts(op, region, node, table)

    def _counts(
        self,
        op: CommandBufferDispatchIndirectOp,
        region: Region,
        node: int,
        table: dict[int, _Bound],
    ) -> None:
        bound = self._named(op, op.workgroups_buffer, table)
        event = MemoryEvent(node, region.agent, Kind.ACCESS, op, bound.place, region=region)
        start = constant_value(op.workgroups_offset)
        known = start is not None and bound.place.offset is not None
        span = Range(start, start + _WORKGROUP_COUNTS) if start is not None and known else ALL
        touch_range(event, Access.READ, span, certain=known)
        self.event(event)

    # Buffers of commands.

    def _named(self, op: Operation, value: SSAValue, table: dict[int, _Bound]) -> _Bound:
        """A buffer, or what is bound to a slot."""
        if isinstance(value.type, BufferType):
            return _Bound(self.at(value), _size_of(value))
        slot = constant_value(value)
        if slot is None or slot not in table:
            fail(op, "names a slot of the binding table that is not a constant, or not bound")
        return table[slot]

    def _bound(self, place: Place, buffer: SSAValue, offset: SSAValue, length: SSAValue) -> _Bound:
        """A part of a buffer at `place`."""
        start = constant_value(offset)
        whole = place.whole and start == 0 and _equal(length, _size_of(buffer))
        at = None if place.offset is None or start is None else place.offset + start
        return _Bound(Place(place.root, at, whole), length)


def _span(bound: _Bound, access: RangeAccess) -> tuple[Range, bool]:
    """The range of a command in the buffer that it names, and whether it is exact."""
    span = span_of(bound.place, access.offset, access.length)
    start = 0 if access.offset is None else constant_value(access.offset)
    whole = bound.place.whole and start == 0 and _equal(access.length, bound.size)
    return span, span != ALL or whole


def _equal(left: SSAValue, right: SSAValue | None) -> bool:
    """Whether two lengths are one for sure."""
    if right is None or left is right:
        return left is right
    value = constant_value(left)
    return value is not None and value == constant_value(right)


def _size_of(buffer: SSAValue) -> SSAValue | None:
    """The length of a buffer, where the op that makes it, or an assertion, states it."""
    match buffer.owner:
        case DeviceQueueAllocaOp() | AllocatorAllocateOp():
            return buffer.owner.result_size
        case AllocatorImportOp() | BufferSubspanOp():
            return buffer.owner.length
        case _:
            asserted = (use.operation for use in buffer.uses)
            return next(
                (op.minimum_length for op in asserted if isinstance(op, BufferAssertOp)), None
            )


def _view_span(view: SSAValue) -> tuple[Range, bool]:
    """The bytes of what is returned, from its start on, and whether that is known for sure."""
    op = view.owner
    if not isinstance(op, BufferViewCreateOp):
        return ALL, False
    length = constant_value(op.source_length)
    if length is not None:
        return Range(0, length), True
    whole = constant_value(op.source_offset) == 0
    return ALL, whole and _equal(op.source_length, _size_of(op.source_buffer))


def _dispatches(op: CommandOp) -> bool:
    return isinstance(op, CommandBufferDispatchOp | CommandBufferDispatchIndirectOp)


def _signals(ops: Iterable[Operation]) -> dict[SSAValue, int]:
    """By fence how often the ops signal it."""
    counts: dict[SSAValue, int] = {}
    for op in ops:
        if isinstance(op, DeviceQueueOp | FenceSignalOp):
            fence = op.fences()[1] if isinstance(op, DeviceQueueOp) else op.fence
            counts[fence] = counts.get(fence, 0) + 1
    return counts
