"""What a function of the cmd phase does to memory, as events in their happens-before order.

```mlir
%done = stream.cmd.execute on(@a) await(%ready) => with(%x as %arg: …) {   // enter
  stream.cmd.dispatch @f { ro %arg[%c0 for %c64] … }                      // a reads x[0, 64)
}                                                                         // leave: %done
```

Every region has slots at its start and end into which maintenance can go. Host ops that touch
memory (an import is filled, an export is read) are events of the host. Ranges are as the
commands state them; a range that is not constant counts as the whole storage, read and written.

Does not handle: execution regions inside of host control flow.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import stream
from ...dialects.access import Access, RangeAccess, range_accesses
from ...dialects.diagnostics import fail
from ...dialects.hal import AffinityAttr
from ...dialects.topology import HOST
from ..analysis.timeline import Timeline
from ..build import constant_value

WHOLE_END = 1 << 62
"""The end of a storage whose size is not constant."""


class Kind(IntEnum):
    """What an event does."""

    ACCESS = 0
    FLUSH = 1
    INVALIDATE = 2
    DISCARD = 3
    DEALLOCA = 4


@dataclass(frozen=True, slots=True)
class Range:
    """Bytes [start, end) of a storage."""

    start: int
    end: int


@dataclass(slots=True, eq=False)
class Storage:
    """One allocation or import."""

    root: SSAValue
    size: int
    """Bytes; `WHOLE_END` where not constant."""
    affinity: Attribute | None
    """Where it is allocated."""
    events: list["MemoryEvent"] = field(default_factory=list["MemoryEvent"])


@dataclass(slots=True, eq=False)
class Region:
    """One execution region and the slots of its maintenance."""

    op: stream.CmdExecuteOp
    agent: str
    enter_invalidate: int
    leave_flush: int
    leave_discard: int


@dataclass(slots=True, eq=False)
class MemoryEvent:
    """One command or host action on one storage."""

    node: int
    """Its node on the timeline; nodes are numbered in textual order."""
    agent: str
    kind: Kind
    op: Operation
    storage: Storage
    reads: tuple[Range, ...] = ()
    writes: tuple[Range, ...] = ()
    target: tuple[Range, ...] = ()
    """For maintenance: what it names."""
    region: Region | None = None
    """None for the host."""
    flushed: bool = False
    """The host's writes are flushed at once."""


@dataclass(slots=True)
class MemoryEvents:
    """All of a function."""

    timeline: Timeline = field(default_factory=Timeline)
    storages: list[Storage] = field(default_factory=list[Storage])
    regions: list[Region] = field(default_factory=list[Region])


def read_events(function: Operation) -> MemoryEvents:
    """The events of `function`; raises OpError for control flow around execution regions."""
    return _Reader(function).read()


_MAINTENANCE: dict[type[Operation], Kind] = {
    stream.CmdFlushOp: Kind.FLUSH,
    stream.CmdInvalidateOp: Kind.INVALIDATE,
    stream.CmdDiscardOp: Kind.DISCARD,
}


class _Reader:
    def __init__(self, function: Operation) -> None:
        self.function = function
        self.result = MemoryEvents()
        self.timeline = self.result.timeline
        self.host = self.timeline.add()
        self.points: dict[SSAValue, int] = {}
        """Timepoint to the node that reaches it."""
        self.places: dict[SSAValue, tuple[Storage, int | None]] = {}
        """Resource to its storage and the offset in it."""

    def read(self) -> MemoryEvents:
        block = self.function.regions[0].first_block
        if block is not None:
            if block.next_block is not None:
                fail(self.function, "has several blocks, which maintenance does not handle")
            for op in block.ops:
                self._host_op(op)
        return self.result

    def _host_op(self, op: Operation) -> None:
        match op:
            case stream.CmdExecuteOp():
                self._region(op)
            case stream.ResourceAllocaOp():
                self._new_storage(op.result, op.storage_size, op.affinity)
                self.points[op.result_timepoint] = self._submit(op.await_timepoint)
            case stream.ResourceDeallocaOp():
                self._dealloca(op)
            case stream.ResourceSubviewOp():
                self._subview(op)
            case stream.TimepointJoinOp():
                awaited = [self._point(value) for value in op.await_timepoints]
                self.points[op.result_timepoint] = self.timeline.add(*awaited)
            case stream.TimepointImmediateOp() | stream.TimepointImportOp():
                self.points[op.result_timepoint] = self.host
            case stream.TimepointBarrierOp():
                self.places[op.result] = self._place(op, op.resource)
                self.points[op.result_timepoint] = self.host
            case stream.TimepointAwaitOp():
                self._await(op)
            case stream.TensorImportOp():
                self._import(op)
            case stream.TensorExportOp():
                self._export(op)
            case _:
                if op.regions and any(_is_memory_op(child) for child in op.walk()):
                    fail(op, "contains execution regions, which maintenance does not handle")

    def _point(self, timepoint: SSAValue | None) -> int:
        return self.host if timepoint is None else self.points.get(timepoint, self.host)

    def _submit(self, awaited: SSAValue | None) -> int:
        """A submission: after the host's past and what it waits for."""
        return self.timeline.add(self._point(awaited), self.host)

    # Storage.

    def _new_storage(self, root: SSAValue, size: SSAValue, affinity: Attribute | None) -> Storage:
        constant = constant_value(size)
        storage = Storage(root, WHOLE_END if constant is None else constant, affinity)
        self.result.storages.append(storage)
        self.places[root] = (storage, 0)
        return storage

    def _place(self, op: Operation, value: SSAValue) -> tuple[Storage, int | None]:
        place = self.places.get(value)
        if place is None:
            fail(op, "uses a resource whose allocation or import is not in this function")
        return place

    def _subview(self, op: stream.ResourceSubviewOp) -> None:
        storage, base = self._place(op, op.source)
        offset = constant_value(op.source_offset)
        start = None if base is None or offset is None else base + offset
        self.places[op.result] = (storage, start)

    def _dealloca(self, op: stream.ResourceDeallocaOp) -> None:
        storage, _ = self._place(op, op.operand)
        node = self._submit(op.await_timepoint)
        self.points[op.result_timepoint] = node
        whole = (Range(0, storage.size),)
        storage.events.append(MemoryEvent(node, HOST, Kind.DEALLOCA, op, storage, target=whole))

    # The host.

    def _import(self, op: stream.TensorImportOp) -> None:
        storage = self._new_storage(op.result, op.result_size, op.affinity)
        self.host = self.timeline.add(self.host)
        whole = (Range(0, storage.size),)
        event = MemoryEvent(self.host, HOST, Kind.ACCESS, op, storage, writes=whole, flushed=True)
        storage.events.append(event)

    def _export(self, op: stream.TensorExportOp) -> None:
        """The host invalidates and reads what goes out."""
        storage, base = self._place(op, op.source)
        target = (self._range(storage, base, None, op.source_size),)
        for kind in (Kind.INVALIDATE, Kind.ACCESS):
            self.host = self.timeline.add(self.host)
            reads = target if kind is Kind.ACCESS else ()
            storage.events.append(
                MemoryEvent(self.host, HOST, kind, op, storage, reads=reads, target=target)
            )

    def _await(self, op: stream.TimepointAwaitOp) -> None:
        self.host = self.timeline.add(self.host, self._point(op.await_timepoint))
        for operand, result in zip(op.resource_operands, op.result_resources, strict=True):
            self.places[result] = self._place(op, operand)

    # Regions.

    def _region(self, op: stream.CmdExecuteOp) -> None:
        for operand, argument in zip(op.resource_operands, op.body.block.args, strict=True):
            self.places[argument] = self._place(op, operand)
        enter = self._submit(op.await_timepoint)
        invalidate = self.timeline.add(enter)
        agent = region_agent(op)
        region = Region(op, agent, invalidate, -1, -1)
        last = self._serial(region, op.body.block, invalidate)
        region.leave_flush = self.timeline.add(last)
        region.leave_discard = self.timeline.add(region.leave_flush)
        self.points[op.result_timepoint] = self.timeline.add(region.leave_discard)
        self.result.regions.append(region)

    def _serial(self, region: Region, block: Block, after: int) -> int:
        for op in block.ops:
            after = self._command(region, op, after)
        return after

    def _command(self, region: Region, op: Operation, after: int) -> int:
        match op:
            case stream.YieldOp():
                return after
            case stream.CmdSerialOp():
                return self._serial(region, op.body.block, after)
            case stream.CmdConcurrentOp():
                ends = [self._command(region, child, after) for child in op.body.block.ops]
                return self.timeline.add(*ends) if ends else after
            case _:
                node = self.timeline.add(after)
                self._record(region, op, node)
                return node

    def _record(self, region: Region, op: Operation, node: int) -> None:
        kind = _MAINTENANCE.get(type(op))
        if isinstance(op, stream.CmdFlushOp | stream.CmdInvalidateOp | stream.CmdDiscardOp):
            storage, base = self._place(op, op.target)
            target = self._range(storage, base, op.target_offset, op.target_length)
            assert kind is not None
            storage.events.append(
                MemoryEvent(node, region.agent, kind, op, storage, target=(target,), region=region)
            )
            return
        reads: dict[Storage, list[Range]] = {}
        writes: dict[Storage, list[Range]] = {}
        for access in range_accesses(op):
            storage, span, exact = self._access(op, access)
            mode = access.mode if exact else Access.READ_WRITE if _writes(access) else Access.READ
            if mode & Access.READ:
                reads.setdefault(storage, []).append(span)
            if mode & Access.WRITE:
                writes.setdefault(storage, []).append(span)
        for storage in dict.fromkeys([*reads, *writes]):
            storage.events.append(
                MemoryEvent(
                    node,
                    region.agent,
                    Kind.ACCESS,
                    op,
                    storage,
                    reads=tuple(reads.get(storage, ())),
                    writes=tuple(writes.get(storage, ())),
                    region=region,
                )
            )

    def _access(self, op: Operation, access: RangeAccess) -> tuple[Storage, Range, bool]:
        storage, base = self._place(op, access.value)
        span = self._range(storage, base, access.offset, access.length)
        exact = base is not None and constant_value(access.length) is not None
        whole = span == Range(0, storage.size)
        return storage, span, exact or whole

    def _range(
        self, storage: Storage, base: int | None, offset: SSAValue | None, length: SSAValue
    ) -> Range:
        start = 0 if offset is None else constant_value(offset)
        size = constant_value(length)
        if base is None or start is None or size is None:
            return Range(0, storage.size)
        return Range(base + start, base + start + size)


def _writes(access: RangeAccess) -> bool:
    return bool(access.mode & Access.WRITE)


def _is_memory_op(op: Operation) -> bool:
    return isinstance(op, stream.CmdExecuteOp | stream.ResourceAllocaOp | stream.ResourceDeallocaOp)


def region_agent(op: stream.CmdExecuteOp) -> str:
    """The device that executes a region: the first that its affinity names."""
    affinity = op.affinity
    names = affinity.device_names if isinstance(affinity, AffinityAttr) else ()
    if not names:
        fail(op, "states no device to run on; give it an affinity")
    return names[0]


def boundaries(events: Iterable[MemoryEvent], size: int, lines: Iterable[int]) -> list[int]:
    """Where the storage must be cut so that each piece is wholly in or out of every range, and
    of every range rounded out to lines of each size."""
    cuts = {0, size}
    for event in events:
        for span in (*event.reads, *event.writes, *event.target):
            cuts.update((span.start, span.end))
    rounded = {
        bound
        for line in lines
        for cut in cuts
        if cut != WHOLE_END
        for bound in (cut // line * line, -(-cut // line) * line)
    }
    return sorted(cut for cut in cuts | rounded if 0 <= cut <= size)


def pieces(cuts: list[int]) -> Iterator[Range]:
    """The ranges between consecutive cuts."""
    for start, end in pairwise(cuts):
        yield Range(start, end)
