"""What one segment of a host program does to memory, as events in their happens-before order.

```mlir
%done = stream.cmd.execute on(@a) await(%ready) => with(%x as %arg: …) {   // enter
  stream.cmd.dispatch @f { ro %arg[%c0 for %c64] … }                      // a reads x[0, 64)
}                                                                         // leave: %done
```

Every region has slots at its start and end into which maintenance can go. `segment_reader` makes
the events. Storage and timepoints that come from elsewhere are named by the value or global that
holds them at the start of the segment.
"""

from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from typing import NamedTuple

from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stream
from ..analysis.host_graph import Segment, Value
from ..analysis.timeline import Timeline

WHOLE_END = 1 << 62
"""The end of a storage whose size is not constant."""

ENTRY = 0
"""The node of what happened before the segment, as far as the host has waited for it."""


class Kind(IntEnum):
    """What an event does."""

    ACCESS = 0
    FLUSH = 1
    INVALIDATE = 2
    DISCARD = 3
    DEALLOCA = 4
    ALLOCA = 5
    DROP = 6
    """Nothing names the storage any more: it is given back once all that uses it is done."""


class Range(NamedTuple):
    """Bytes [start, end)."""

    start: int
    end: int

    def shifted(self, offset: int) -> "Range":
        """The range in a frame whose origin lies `offset` bytes lower."""
        return Range(self.start + offset, min(self.end + offset, WHOLE_END))


class Place(NamedTuple):
    """Where a resource lies: in the storage that `root` names at the start of the segment."""

    root: Value
    offset: int | None
    """Bytes; None where not constant."""
    whole: bool
    """Whether it is all of it."""


@dataclass(slots=True, eq=False)
class Storage:
    """An op or argument that makes storage: one for each time that it is met."""

    root: SSAValue
    size: int
    """Bytes; `WHOLE_END` where not constant."""
    affinity: Attribute | None
    """Where it is allocated; None where that is not known."""
    op: Operation | None
    """What makes it; None for an argument."""


@dataclass(slots=True, eq=False)
class Region:
    """One submission of commands, and at stream level the slots of its maintenance."""

    op: Operation
    agent: str
    segment: Segment
    enter_invalidate: int
    leave_flush: int = -1
    leave_discard: int = -1

    @property
    def execute(self) -> stream.CmdExecuteOp:
        """The region, at stream level."""
        assert isinstance(self.op, stream.CmdExecuteOp), "maintenance is placed at stream level"
        return self.op

    def captured(self, operand: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The region's own name for `operand`, which it captures, and its size in bytes."""
        execute = self.execute
        index = list(execute.resource_operands).index(operand)
        return execute.body.block.args[index], execute.resource_operand_sizes[index]

    def slot(self, kind: Kind) -> int:
        """The node of maintenance of `kind` that is added."""
        if kind is Kind.INVALIDATE:
            return self.enter_invalidate
        return self.leave_flush if kind is Kind.FLUSH else self.leave_discard


@dataclass(slots=True, eq=False)
class MemoryEvent:
    """One command or host action on one resource."""

    node: int
    """Its node on the segment's timeline; nodes are numbered in textual order."""
    agent: str
    kind: Kind
    op: Operation
    place: Place
    """The resource; ranges count from its start, or name all of the storage."""
    reads: list[Range] = field(default_factory=list[Range])
    writes: list[Range] = field(default_factory=list[Range])
    may_write: list[Range] = field(default_factory=list[Range])
    """What it may write, or not."""
    target: list[Range] = field(default_factory=list[Range])
    """For maintenance: what it names."""
    region: Region | None = None
    """What it is submitted with; None for the host, and for files at stream level."""
    operand: SSAValue | None = None
    """What the region captures it as."""
    flushed: bool = False
    """The host's writes are flushed at once."""
    certain: bool = True
    """Whether it reads, or names for maintenance, all of its ranges; else these are bounds."""
    number: int = field(default_factory=count().__next__)
    """In the order of making: what of several events of one node comes first."""


ALL = Range(0, WHOLE_END)
"""A whole storage, whatever its size and wherever the resource starts in it."""


@dataclass(slots=True)
class SegmentEvents:
    """All of a segment."""

    segment: Segment
    timeline: Timeline = field(default_factory=Timeline)
    host: int = ENTRY
    """The node of what the host has waited for at the end."""
    entries: dict[Value, int] = field(default_factory=dict[Value, int])
    """Timepoint at the start to its node."""
    points: dict[Value, int] = field(default_factory=dict[Value, int])
    """Timepoint at the end to the node that reaches it."""
    places: dict[Value, Place] = field(default_factory=dict[Value, Place])
    """Resource to its place, for resources that the segment makes or renames."""
    made: list[Storage] = field(default_factory=list[Storage])
    events: dict[Value, list[MemoryEvent]] = field(default_factory=dict[Value, list[MemoryEvent]])
    """By root."""
    regions: list[Region] = field(default_factory=list[Region])
    stored: set[Value] = field(default_factory=set[Value])
    """Roots of what is stored to globals."""
    drop: MemoryEvent | None = None
    """The end of storage that nothing names after the segment."""

    def place(self, value: Value) -> Place:
        """Where a resource lies at the end of the segment."""
        return self.places.get(value) or Place(value, 0, True)
