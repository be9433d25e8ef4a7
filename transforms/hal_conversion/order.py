"""In which steps the commands of a region run: a barrier between two steps, none within one.

```mlir
stream.cmd.dispatch @f { ro %a[…], wo %b[…] }   // step 0
stream.cmd.dispatch @g { ro %b[…], wo %c[…] }   // step 1: reads what @f writes
stream.cmd.dispatch @h { ro %a[…], wo %d[…] }   // step 0: independent of both
stream.cmd.flush %c[…]                          // step 2
```

A command is in the step after the last one that holds a command it depends on, whatever stands
between them in the text. There are as many steps as commands in the longest chain of
dependences, which no order with barriers can do without (IR-55).

Two accesses depend on each other where their ranges meet and one writes. A flush follows the
writes to the lines of its range, for maintenance may name a part of a line and mean all of it.
What drops lines comes after all that touched them before; other maintenance and accesses of these
lines come after it. Resources that may share storage are told apart by range only if they are
offsets from one buffer.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from ...dialects import stream
from ...dialects.access import Access, range_accesses
from ..analysis.hazards import WHOLE, HazardMap, Range
from ..build import constant_value


@dataclass(frozen=True, slots=True)
class Place:
    """Where the bytes of a captured resource are."""

    storage: object
    """Equal for resources that may share bytes."""
    buffer: SSAValue
    """What `offset` counts from."""
    offset: int | None
    """Bytes; None where not constant."""
    starts: bool
    """Whether the buffer starts at a line, so that lines can be told."""


@dataclass(slots=True, eq=False)
class CommandOrder:
    """Assigns steps to commands given in textual order."""

    places: Mapping[SSAValue, Place]
    """By argument of the region."""
    line: int
    """Bytes of the executing device's cache line."""
    _hazards: HazardMap = field(default_factory=HazardMap)
    _shared: set[object] = field(default_factory=set[object])
    """Storages with several buffers."""

    def steps(self, commands: Sequence[Operation]) -> list[list[Operation]]:
        """The commands by step, in textual order within each."""
        buffers: dict[object, SSAValue] = {}
        for place in self.places.values():
            if buffers.setdefault(place.storage, place.buffer) is not place.buffer:
                self._shared.add(place.storage)
        levels: list[int] = []
        steps: list[list[Operation]] = []
        for node, op in enumerate(commands):
            before = self._before(node, op)
            level = max((levels[earlier] + 1 for earlier in before), default=0)
            levels.append(level)
            if level == len(steps):
                steps.append([])
            steps[level].append(op)
        return steps

    def _before(self, node: int, op: Operation) -> set[int]:
        """The earlier commands that `op`, with that number, depends on."""
        return {
            earlier
            for storage, span, writes in self._accesses(op)
            for earlier in self._hazards.record(node, storage, span, writes=writes)
        }

    def _accesses(self, op: Operation) -> Iterator[tuple[object, Range, bool]]:
        """The storages and ranges that `op` touches, and whether it excludes other accesses."""
        if isinstance(op, stream.CmdFlushOp | stream.CmdInvalidateOp | stream.CmdDiscardOp):
            drops = not isinstance(op, stream.CmdFlushOp)
            span = _range(op.target_offset, op.target_length)
            place = self.places[op.target]
            yield place.storage, self._span(place, span, lines=True, drops=drops), drops
            return
        for access in range_accesses(op):
            place = self.places[access.value]
            span = _range(access.offset, access.length)
            yield place.storage, self._span(place, span), bool(access.mode & Access.WRITE)

    def _span(
        self, place: Place, span: Range | None, *, lines: bool = False, drops: bool = False
    ) -> Range:
        if span is None or place.offset is None or place.storage in self._shared:
            return WHOLE
        start = span.start + place.offset
        end = None if span.end is None else span.end + place.offset
        if not lines:
            return Range(start, end)
        # Without a known start, what drops lines reaches up to a line further on either side.
        # What a flush is to make available was placed as if the buffer started at a line.
        slack = self.line - 1 if drops and not place.starts else 0
        start = max(start - slack, 0) // self.line * self.line
        return Range(start, None if end is None else -(-(end + slack) // self.line) * self.line)


def _range(offset: SSAValue | None, length: SSAValue) -> Range | None:
    start = 0 if offset is None else constant_value(offset)
    size = constant_value(length)
    return None if start is None or size is None else Range(start, start + size)
