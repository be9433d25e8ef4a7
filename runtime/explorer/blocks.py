"""What is explored: lines that stand by themselves, and the steps that act on them.

A *block* is a set of lines that is explored together: one line of the largest size, with the
smaller lines of other domains in it, since operations act on lines and lines do not touch each
other; or all lines, when that is not to be relied on. Bytes of a block that the same events read
and write, in the same lines, behave alike: one *location* stands for them. Bytes that nobody
reads cannot be told and are no location.

A command is not atomic: each access to a location is a *step* of its own, unordered with the
command's others, except that its read of a location precedes its write. So is maintenance of
each line, and the flush of a host filling comes after its writes.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from ..events import EventKind, Span
from ..machine import WriteBack
from .lines import Lines

NO_VALUE = -1
"""The right value of a read that has none: every value is wrong."""

BESIDE = -1
"""In place of a location: bytes of the line that nobody reads."""


class Step(NamedTuple):
    """One atomic action of an event on a block."""

    event: int
    kind: EventKind
    """ACCESS, FLUSH or INVALIDATE; a discard acts as an invalidate."""
    writes: bool
    """For an ACCESS: whether it writes its location or reads it."""
    location: int
    """For an ACCESS: the location, or BESIDE."""
    cell: int
    """The line of the acting domain that it touches."""
    before: int
    """Bit mask of the steps that happen before it."""
    value: int
    """For a write the token that it stores, 1 and up. For a read the token of the hb-greatest
    write before it, 0 for the initial contents, NO_VALUE where no write is hb-greatest."""


class Cell(NamedTuple):
    """A line of a domain: what its cache may hold of the block."""

    domain: int
    whole: bool
    """Whether a write-back stores the whole line, or the dirty locations only."""
    locations: tuple[int, ...]


@dataclass(slots=True)
class Location:
    """Bytes that behave alike."""

    span: Span
    """The first of them, for messages."""
    readers: list[int] = field(default_factory=list[int])
    writers: list[int] = field(default_factory=list[int])
    """Events in ascending order; the token of a write is its place here, counted from 1."""


@dataclass(frozen=True, slots=True)
class Block:
    """Steps, locations and cells of lines that are explored together."""

    locations: tuple[Location, ...]
    groups: tuple[int, ...]
    """For each location the number of its line, of the largest size, in `lines`."""
    lines: tuple[int, ...]
    """Addresses of the lines of the largest size."""
    cells: tuple[Cell, ...]
    spans: tuple[Span, ...]
    """The bytes of each cell."""
    steps: tuple[Step, ...]
    beside: dict[tuple[int, int], Span]
    """By event and cell: the first bytes there that the event writes and nobody reads."""

    def shape(self) -> tuple[object, ...]:
        """Equal for blocks whose explorations are the same up to names."""
        return (self.groups, self.cells, tuple(step[1:] for step in self.steps))


def blocks_of(lines: Lines, independent: bool) -> list[Block]:
    """The blocks with something to read: one for each line, or one for all."""
    read = lines.read()
    groups = [[line] for line in read] if independent else [read]
    return [_Maker(lines, group).block() for group in groups if group]


class _Maker:
    """Makes the block of some lines."""

    def __init__(self, lines: Lines, numbers: list[int]) -> None:
        self._lines = lines
        self._numbers = numbers
        self._locations: list[Location] = []
        self._beside: defaultdict[int, list[Span]] = defaultdict(list)
        """By event: bytes that it writes and nobody reads, ascending."""
        self._steps: list[Step] = []
        self._locate()
        self._make_cells()
        self._make_steps()

    def block(self) -> Block:
        """The finished block."""
        size = self._lines.size
        groups = [location.span.start // size for location in self._locations]
        return Block(
            tuple(self._locations),
            tuple(self._numbers.index(group) for group in groups),
            tuple(number * size for number in self._numbers),
            tuple(self._cells),
            tuple(self._spans),
            tuple(self._steps),
            {
                (event, cell): span
                for event in self._beside
                for cell, span in self._cells_beside(event).items()
            },
        )

    def _locate(self) -> None:
        """Cut the bytes into intervals that every event treats as one; join those alike."""
        sizes = [domain.cache_line for domain in self._lines.machine.domains]
        accesses = sorted(self._lines.accesses(self._numbers))
        cuts = {cut for _, _, span in accesses for cut in (span.start, span.end)}
        for number in self._numbers:
            start = number * self._lines.size
            cuts.update(range(start, start + self._lines.size + 1, min(sizes)))
        ordered = sorted(cuts)
        position = {cut: index for index, cut in enumerate(ordered)}
        touching: defaultdict[int, list[tuple[int, bool]]] = defaultdict(list)
        for event, writes, span in accesses:
            for index in range(position[span.start], position[span.end]):
                touching[index].append((event, writes))
        known: set[tuple[object, ...]] = set()
        for index in sorted(touching):
            start = ordered[index]
            readers = [event for event, writes in touching[index] if not writes]
            writers = [event for event, writes in touching[index] if writes]
            alike = (*(start // size for size in sizes), tuple(touching[index]))
            if not readers:
                for event in writers:
                    self._beside[event].append(Span(start, ordered[index + 1]))
            elif alike not in known:
                known.add(alike)
                self._locations.append(Location(Span(start, ordered[index + 1]), readers, writers))

    def _make_cells(self) -> None:
        self._cells: list[Cell] = []
        self._spans: list[Span] = []
        self._cell_at: dict[tuple[int, int], int] = {}
        for index, domain in enumerate(self._lines.machine.domains):
            held: defaultdict[int, list[int]] = defaultdict(list)
            for location, at in enumerate(self._locations):
                held[at.span.start // domain.cache_line].append(location)
            whole = domain.write_back is WriteBack.LINE
            for line in sorted(held):
                self._cell_at[index, line] = len(self._cells)
                self._cells.append(Cell(index, whole, tuple(held[line])))
                start = line * domain.cache_line
                self._spans.append(Span(start, start + domain.cache_line))

    def _cell(self, event: int, address: int) -> int | None:
        """The cell of the event's domain at `address`, if it holds locations."""
        line = address // self._lines.cache_line(event)
        return self._cell_at.get((self._lines.domain[event], line))

    def _make_steps(self) -> None:
        """The steps of each event, in event order."""
        reads: defaultdict[int, list[int]] = defaultdict(list)
        writes: defaultdict[int, list[int]] = defaultdict(list)
        for index, location in enumerate(self._locations):
            for event in location.readers:
                reads[event].append(index)
            for event in location.writers:
                writes[event].append(index)
        upkeep: defaultdict[int, list[int]] = defaultdict(list)
        for event, address in self._lines.upkeep(self._numbers):
            upkeep[event].append(address)
        for event in sorted({*reads, *writes, *self._beside, *upkeep}):
            past = self._past(event)
            first = len(self._steps)
            self._read_and_write(event, past, reads[event], writes[event])
            self._dirty(event, past)
            if self._lines.events[event].flushed:
                self._flush_all(event, past, first)
            for address in upkeep[event]:
                self._maintain(event, past, address)

    def _past(self, event: int) -> int:
        """The steps so far of events that happen before `event`."""
        past = self._lines.pasts[event]
        return sum(1 << i for i, step in enumerate(self._steps) if past >> step.event & 1)

    def _add(self, step: Step) -> int:
        """Append a step; its bit."""
        self._steps.append(step)
        return 1 << len(self._steps) - 1

    def _read_and_write(self, event: int, past: int, reads: list[int], writes: list[int]) -> None:
        read_bits: dict[int, int] = {}
        for index in reads:
            value = self._right_value(event, self._locations[index])
            cell = self._cell(event, self._locations[index].span.start)
            assert cell is not None, "every location is in a cell of every domain"
            step = Step(event, EventKind.ACCESS, False, index, cell, past, value)
            read_bits[index] = self._add(step)
        for index in writes:
            location = self._locations[index]
            cell = self._cell(event, location.span.start)
            assert cell is not None, "every location is in a cell of every domain"
            before = past | read_bits.get(index, 0)
            token = location.writers.index(event) + 1
            self._add(Step(event, EventKind.ACCESS, True, index, cell, before, token))

    def _dirty(self, event: int, past: int) -> None:
        """Writes to bytes that nobody reads make a line dirty that is written back whole."""
        for cell in self._cells_beside(event):
            if self._cells[cell].whole:
                self._add(Step(event, EventKind.ACCESS, True, BESIDE, cell, past, 0))

    def _cells_beside(self, event: int) -> dict[int, Span]:
        """The cells where it writes bytes that nobody reads, ascending, with the first of these."""
        spans: dict[int, Span] = {}
        for span in self._beside.get(event, ()):
            cell = self._cell(event, span.start)
            if cell is not None:
                spans.setdefault(cell, span)
        return dict(sorted(spans.items()))

    def _flush_all(self, event: int, past: int, first: int) -> None:
        """A filling is flushed after its writes: each line of these, the unread ones included."""
        own = sum(1 << index for index in range(first, len(self._steps)))
        cells = {step.cell for step in self._steps[first:] if step.writes}
        for cell in sorted(cells | self._cells_beside(event).keys()):
            self._add(Step(event, EventKind.FLUSH, False, BESIDE, cell, past | own, 0))

    def _maintain(self, event: int, past: int, address: int) -> None:
        cell = self._cell(event, address)
        if cell is not None:
            flushes = self._lines.events[event].kind is EventKind.FLUSH
            kind = EventKind.FLUSH if flushes else EventKind.INVALIDATE
            self._add(Step(event, kind, False, BESIDE, cell, past, 0))

    def _right_value(self, event: int, location: Location) -> int:
        """The token of the hb-greatest write before the read."""
        pasts = self._lines.pasts
        earlier = [w for w in location.writers if pasts[event] >> w & 1]
        if not earlier:
            return 0
        greatest = max(earlier)
        if all(w == greatest or pasts[greatest] >> w & 1 for w in earlier):
            return location.writers.index(greatest) + 1
        return NO_VALUE
