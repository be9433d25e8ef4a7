"""What the readers of host programs share: host actions and accesses as memory events.

A reader goes through the ops of one segment and puts what they do to memory on a timeline
(`SegmentEvents`). Host ops that touch memory are events of the host. What a dispatch touches is
read off its kernel, as far as that is known; a range that is not constant counts as the whole
storage, perhaps read and perhaps written. `stream_reader` and `hal_reader` know the ops.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import util
from ...dialects.access import Access
from ...dialects.storage import packed_bytes
from ...dialects.topology import HOST, Topology
from ..analysis.host_graph import HostGraph, Segment, Value
from ..analysis.kernel_access import BindingUse, KernelAccesses, Touched
from ..analysis.list_passages import passed_through
from ..build import constant_value
from .memory_events import (
    ALL,
    ENTRY,
    WHOLE_END,
    Kind,
    MemoryEvent,
    Place,
    Range,
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


class Level(ABC):
    """Host programs of one level: which values name storage and points in time, how to read ops."""

    resources: ClassVar[tuple[type[Attribute], ...]]
    """Types of values that name storage."""
    timepoints: ClassVar[tuple[type[Attribute], ...]]
    """Types of values that name points in time."""
    signals_arguments: ClassVar[bool]
    """Whether a function may reach the timepoints that it is given."""

    def __init__(self, graph: HostGraph, topology: Topology) -> None:
        self.graph = graph
        self.topology = topology

    def same_storage(self) -> dict[SSAValue, SSAValue]:
        """Results that name storage which another result names already."""
        return {}

    def uses(self, segment: Segment) -> Iterable[SSAValue]:
        """Values that a segment uses though they are no operands of its ops."""
        return ()

    def affinity(self, argument: SSAValue) -> Attribute | None:
        """Where the storage lies that the outside hands in; None where that is not known."""
        return None

    @abstractmethod
    def read(
        self, segment: Segment, entry_points: Iterable[Value], around: Surroundings
    ) -> SegmentEvents:
        """The events of `segment`; `entry_points` are the timepoints that it gets from elsewhere.

        Raises:
            OpError: at an op that cannot be followed.
        """


class SegmentReader(ABC):
    """Reads one segment."""

    level: ClassVar[type[Level]]

    def __init__(
        self, segment: Segment, entry_points: Iterable[Value], around: Surroundings
    ) -> None:
        self.around = around
        self.result = SegmentEvents(segment)
        self.timeline = self.result.timeline
        self.host = self.timeline.add()
        self.points = self.result.points
        for value in entry_points:
            self.points[value] = self.result.entries[value] = self.timeline.add()

    def read(self) -> SegmentEvents:
        """All of it."""
        for op in self.result.segment.ops:
            self.host_op(op)
        self.leave()
        self.result.host = self.host
        self.result.drop = self._drop()
        return self.result

    def _drop(self) -> MemoryEvent:
        """The end of what a store to a global leaves without name."""
        segment = self.result.segment
        stores = (
            op
            for op in reversed(segment.ops)
            if isinstance(op, util.GlobalStoreOp)
            and isinstance(op.value.type, self.level.resources)
        )
        op = next(stores, segment.end or segment.function)
        node = self.timeline.add(self.host)
        return MemoryEvent(node, HOST, Kind.DROP, op, Place("", None, False))

    @abstractmethod
    def host_op(self, op: Operation) -> None:
        """Read one op of the host."""

    @abstractmethod
    def leave(self) -> None:
        """Read the end of the segment: a function that nobody here calls hands over results."""

    # Time.

    def point(self, timepoint: Value | None) -> int:
        """The node that reaches a timepoint; without one the host's past."""
        if timepoint is None:
            return self.host
        return self.points.get(timepoint, ENTRY)

    # Storage.

    def make(
        self, root: SSAValue, size: SSAValue, affinity: Attribute | None, op: Operation
    ) -> None:
        """`op` makes storage of `size` bytes."""
        constant = constant_value(size)
        whole = WHOLE_END if constant is None else constant
        self.result.made.append(Storage(root, whole, affinity, op))

    def at(self, value: Value) -> Place:
        """Where a resource lies now."""
        return self.result.place(value)

    def pass_on(self, op: util.GlobalLoadOp | util.GlobalStoreOp | util.ListGetOp) -> None:
        """A global takes the place of a value, or a value that of a global, or of what was put
        into a list, if that is known (IR-51)."""
        if isinstance(op, util.ListGetOp):
            put = passed_through(op)
            if put is not None and isinstance(put.type, self.level.resources):
                self.result.places[op.result] = self.at(put)
        else:
            self._global_access(op)

    def _global_access(self, op: util.GlobalLoadOp | util.GlobalStoreOp) -> None:
        name = op.global_name.string_value()
        source, target = (
            (name, op.result) if isinstance(op, util.GlobalLoadOp) else (op.value, name)
        )
        value = op.result if isinstance(op, util.GlobalLoadOp) else op.value
        if isinstance(value.type, self.level.timepoints):
            self.points[target] = self.point(source)
        elif isinstance(value.type, self.level.resources):
            self.result.places[target] = self.at(source)
            if target == name:
                self.result.stored.add(self.at(source).root)

    def event(self, event: MemoryEvent) -> None:
        """Record an event."""
        self.result.events.setdefault(event.place.root, []).append(event)

    # The host.

    def host_stores(self, op: Operation, place: Place, span: Range) -> None:
        """The host writes through a mapping, which it flushes; a range not known perhaps."""
        self.host = self.timeline.add(self.host)
        stored = MemoryEvent(self.host, HOST, Kind.ACCESS, op, place, flushed=True)
        certain = span != ALL or place.whole
        (stored.writes if certain else stored.may_write).append(span)
        self.event(stored)

    def host_reads(
        self, op: Operation, place: Place, span: Range, after: int, *, certain: bool = True
    ) -> int:
        """The host reads what goes out, after it dropped its lines. What a device left in them
        that shares its cache it writes back first. Gives the node of the read."""
        kinds = (Kind.INVALIDATE, Kind.ACCESS)
        for kind in (Kind.FLUSH, *kinds) if self.around.host_shares else kinds:
            after = self.timeline.add(after)
            reads = [span] if kind is Kind.ACCESS else []
            sure = certain or kind is not Kind.ACCESS
            self.event(
                MemoryEvent(after, HOST, kind, op, place, reads=reads, target=[span], certain=sure)
            )
        self.host = self.timeline.add(self.host)
        return after

    def element(self, place: Place, offset: SSAValue, type: Attribute) -> Range:
        """The bytes of one value of the host."""
        start, size = constant_value(offset), packed_bytes(1, type)
        if place.offset is None or start is None or size is None:
            return ALL
        return Range(start, start + size)


def span_of(place: Place, offset: SSAValue | None, length: SSAValue) -> Range:
    """A range of the resource at `place`; all of the storage where it is not constant."""
    start = 0 if offset is None else constant_value(offset)
    size = constant_value(length)
    if place.offset is None or start is None or size is None:
        return ALL
    return Range(start, start + size)


def touch_range(event: MemoryEvent, mode: Access, span: Range, *, certain: bool) -> None:
    """Add a range that is read or written to an event; a bound if it is not `certain`."""
    if mode & Access.READ:
        event.reads.append(span)
        event.certain &= certain
    if mode & Access.WRITE:
        (event.writes if certain else event.may_write).append(span)


def touch_binding(event: MemoryEvent, offset: int, length: int | None, use: BindingUse) -> None:
    """Add what a kernel does with a binding of `length` bytes at `offset` of the resource."""
    limit = WHOLE_END if length is None else length

    def clipped(touched: Touched) -> Range:
        return Range(offset + touched.start, offset + min(touched.end, limit))

    event.reads += [clipped(t) for t in use.reads]
    event.certain &= all(t.certain for t in use.reads)
    event.writes += [clipped(t) for t in use.writes if t.certain]
    event.may_write += [clipped(t) for t in use.writes if not t.certain]
