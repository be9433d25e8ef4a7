"""Which rules break for a storage on some path: its bytes are followed along all its visits.

Bytes with the same history are one class and are followed once. For each visit all histories
that lead there are kept apart, so that the answer is exact up to paths that no input takes.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ...dialects.diagnostics import OpError
from ...dialects.location import location_text
from ...dialects.topology import HOST, Topology, WriteBack
from ..analysis.host_graph import Segment, Value
from ..analysis.module_topology import module_topology
from .byte_state import (
    ALWAYS,
    ByteState,
    Fault,
    Item,
    Mark,
    Position,
    Transition,
    Written,
)
from .crossing import moved
from .memory_events import (
    ALL,
    ENTRY,
    WHOLE_END,
    Kind,
    MemoryEvent,
    Place,
    Range,
    Storage,
)
from .pools import pool_name
from .program import Program, read_program
from .segment_reader import Level
from .stream_reader import StreamLevel
from .visits import Step, Visit, follow

MAX_HISTORIES = 50_000
"""Histories of one class of bytes that are followed by default."""


@dataclass(frozen=True, slots=True)
class Cache:
    """A coherence domain's cache."""

    number: int
    line: int
    """Bytes."""
    whole_lines: bool
    """Whether it writes back whole lines."""


@dataclass(slots=True, eq=False)
class Track:
    """A storage, where it goes, and how its bytes are cut into pieces of one history each."""

    storage: Storage
    visits: list[Visit]
    shared: bool
    """Whether more than one cache reaches it."""
    cuts: list[int] = field(default_factory=list[int])
    """Piece i is [cuts[i], cuts[i + 1])."""

    def piece(self, index: int) -> Range:
        """The bytes of a piece."""
        return Range(self.cuts[index], self.cuts[index + 1])


class Arrival(NamedTuple):
    """An event meets a byte with one history."""

    item: Item
    state: ByteState
    """Before the event."""
    faults: frozenset[Fault]
    """What breaks there."""


@dataclass(slots=True)
class ByteClass:
    """Pieces with one history, and what is wrong with them."""

    pieces: list[int]
    faults: set[Fault]


class Walker:
    """Walks the storages of a module. Maintenance can be added and taken away in between."""

    def __init__(
        self,
        module: ModuleOp,
        topology: Topology | None = None,
        level: type[Level] = StreamLevel,
        sources: ModuleOp | None = None,
        max_histories: int = MAX_HISTORIES,
    ) -> None:
        """Read `module`; on a machine other than its own if `topology` says so, of the
        given level. `sources`: see `read_program`."""
        self._max_histories = max_histories
        self.topology = topology or module_topology(module)
        self.caches = {
            agent: Cache(number, domain.cache_line, domain.write_back is WriteBack.LINE)
            for number, domain in enumerate(self.topology.domains())
            for agent in domain.agents
        }
        self.program: Program = read_program(module, self.topology, level, sources)
        self.added: dict[tuple[Segment, Value], list[MemoryEvent]] = {}
        """By segment and root."""
        self.removed: set[MemoryEvent] = set()
        self.tracks: list[Track] = [
            self._track(segment, storage) for segment, storage in self._storages()
        ]

    def _storages(self) -> Iterator[tuple[Segment, Storage]]:
        for segment, events in self.program.events.items():
            for storage in (*self.program.arguments.get(segment, ()), *events.made):
                yield segment, storage

    # Storages.

    def _track(self, segment: Segment, storage: Storage) -> Track:
        track = Track(storage, follow(self.program, segment, storage), self._shared(storage))
        track.cuts = self._cuts(track)
        return track

    def _shared(self, storage: Storage) -> bool:
        """Whether caches that do not see each other reach the storage."""
        pool = pool_name(self.topology, storage.affinity)
        if pool is None:
            return len(self.topology.domains()) > 1
        reaching = {
            cache.number
            for agent, cache in self.caches.items()
            if any(
                reached.name == pool
                for reached in (
                    *self.topology.in_place_reach(agent),
                    *self.topology.copy_reach(agent),
                )
            )
        }
        return len(reaching) > 1

    def _cuts(self, track: Track) -> list[int]:
        """Bounds such that each piece is wholly in or out of every range, also of every range
        rounded out to lines of any size."""
        size = track.storage.size
        cuts = {0, size}
        for visit in track.visits:
            for event, shift in visit.happenings({}):
                for span in (*event.reads, *event.writes, *event.may_write, *event.target):
                    cuts.update(_placed(span, shift, size))
        lines = {cache.line for cache in self.caches.values()}
        rounded = {
            bound
            for line in lines
            for cut in cuts
            if cut < WHOLE_END
            for bound in (cut // line * line, -(-cut // line) * line)
        }
        return sorted(cut for cut in cuts | rounded if 0 <= cut <= size)

    # Items.

    def classes(self, track: Track) -> list[tuple[list[int], list[list[Item]]]]:
        """Pieces with the same items, and these items for each visit."""
        count = len(track.cuts) - 1
        by_piece: list[list[tuple[Item, ...]]] = [[] for _ in range(count)]
        for visit in track.visits:
            items: list[list[Item]] = [[] for _ in range(count)]
            for event, shift in visit.happenings(self.added):
                if event not in self.removed:
                    self._spread(track, event, shift, items)
            for piece in range(count):
                by_piece[piece].append(tuple(_in_order(items[piece])))
        groups: dict[tuple[tuple[Item, ...], ...], list[int]] = {}
        for piece in range(count):
            groups.setdefault(tuple(by_piece[piece]), []).append(piece)
        return [(pieces, [list(items) for items in key]) for key, pieces in groups.items()]

    def _spread(
        self, track: Track, event: MemoryEvent, shift: int | None, items: list[list[Item]]
    ) -> None:
        """Add what `event` does to each piece that it touches."""
        cache = self.caches[event.agent]
        mark = Mark(event, shift)
        size = track.storage.size
        count = len(items)

        def pieces(spans: Iterable[Range], line: int = 1) -> set[int]:
            found: set[int] = set()
            for span in spans:
                start, end = _placed(span, shift, size)
                if start >= end:
                    continue
                if line > 1:
                    start = start // line * line
                    end = end if end >= WHOLE_END else -(-end // line) * line
                low = max(bisect_right(track.cuts, start) - 1, 0)
                found.update(range(low, min(bisect_left(track.cuts, end), count)))
            return found

        if event.kind in (Kind.ALLOCA, Kind.DEALLOCA):
            makes = event.kind is Kind.ALLOCA
            item = Item(mark, event.node, cache.number, makes=makes, frees=not makes)
            for of_piece in items:
                of_piece.append(item)
            return
        if event.kind is not Kind.ACCESS:
            named = pieces(event.target)
            for piece in pieces(event.target, cache.line):
                items[piece].append(
                    Item(
                        mark,
                        event.node,
                        cache.number,
                        flushes=event.kind is Kind.FLUSH,
                        invalidates=event.kind is not Kind.FLUSH,
                        discards=event.kind is Kind.DISCARD and piece in named,
                        named=piece in named,
                        uncertain=not event.certain,
                    )
                )
            return
        reads, writes, may = pieces(event.reads), pieces(event.writes), pieces(event.may_write)
        if shift is None:
            writes, may = set[int](), writes | may
        stored = (*event.writes, *event.may_write)
        carries = pieces(stored, cache.line) - writes if cache.whole_lines else set[int]()
        for piece in sorted(reads | writes | may | carries):
            items[piece].append(
                Item(
                    mark,
                    event.node,
                    cache.number,
                    reads=piece in reads,
                    writes=piece in writes,
                    may_write=piece in may and piece not in writes,
                    carries=piece in carries,
                    named=piece not in carries or piece in reads,
                )
            )
            if event.flushed and (piece in writes or piece in may):
                # The host flushes its own writes when the mapping closes.
                items[piece].append(Item(mark, event.node, cache.number, flushes=True))

    # Walking.

    def faults(self, track: Track) -> list[ByteClass]:
        """What is wrong with the bytes of a storage, by class; classes without fault are left
        out."""
        if not track.shared:
            return []
        result: list[ByteClass] = []
        for pieces, items in self.classes(track):
            faults = self.walk(track, items)
            if faults:
                result.append(ByteClass(pieces, faults))
        return result

    def walk(self, track: Track, items: Sequence[Sequence[Item]]) -> set[Fault]:
        """What breaks for a byte on any path."""
        return {fault for arrival in self.arrivals(track, items) for fault in arrival.faults}

    def arrivals(self, track: Track, items: Sequence[Sequence[Item]]) -> Iterator[Arrival]:
        """Follow a byte along all paths; each event comes once for each history that leads there.

        Args:
            track: the storage.
            items: for each of its visits what happens to the byte.

        Raises:
            OpError: more histories than can be followed.
        """
        if not any(items):
            return
        index = {visit: number for number, visit in enumerate(track.visits)}
        seen: list[set[ByteState]] = [set() for _ in track.visits]
        work: list[tuple[int, ByteState]] = [(0, self._start(track))]
        count = 0
        while work:
            number, state = work.pop()
            if state in seen[number]:
                continue
            seen[number].add(state)
            count += 1
            if count > self._max_histories:
                self._too_many(track)
            visit = track.visits[number]
            before = _before(visit)
            states = [state]
            raised: set[Fault] = set()
            transition = Transition(before, raised)
            for item in items[number]:
                after: list[ByteState] = []
                for old in dict.fromkeys(states):
                    after += transition.apply(old, item)
                    yield Arrival(item, old, frozenset(raised))
                    raised.clear()
                states = after
            for step in visit.steps:
                move = _mover(visit, step, before)
                work.extend((index[step.target], moved(new, move)) for new in states)

    def _start(self, track: Track) -> ByteState:
        """An argument was filled by the host, which flushed it."""
        visit = track.visits[0]
        if visit.made:
            return ByteState()
        op, place = visit.segment.function, Place(track.storage.root, 0, True)
        filled = MemoryEvent(ENTRY, HOST, Kind.ACCESS, op, place, writes=[ALL], flushed=True)
        number = self.caches[HOST].number
        return ByteState(Written(Mark(filled, 0), number, ALWAYS, frozenset({ALWAYS})))

    def _too_many(self, track: Track) -> None:
        op = track.storage.op
        raise OpError(
            "" if op is None else location_text(op),
            f"this storage has more than {self._max_histories} histories to follow, too many; "
            "order what its branches do by timepoints, split the function, or state the ranges of "
            "its accesses as constants",
        )


def _before(visit: Visit) -> Callable[[Position, int], bool]:
    timeline, points = visit.events.timeline, visit.events.entries

    def before(position: Position, node: int) -> bool:
        if isinstance(position, int):
            return timeline.covers(node, position)
        if position is ALWAYS or position == ALWAYS:
            return True
        return any(timeline.covers(node, points[t]) for t in position if t in points)

    return before


def _mover(
    visit: Visit, step: Step, before: Callable[[Position, int], bool]
) -> Callable[[Position], frozenset[Value]]:
    host, points = visit.events.host, visit.events.points

    def move(position: Position) -> frozenset[Value]:
        if before(position, host):
            return ALWAYS
        return frozenset(
            there
            for there, here in step.times
            if (
                before(position, points[here])
                if here in points
                else not isinstance(position, int) and here in position
            )
        )

    return move


def _placed(span: Range, shift: int | None, size: int) -> Range:
    """A range of a resource as a range of its storage."""
    if shift is None or span == ALL:
        return Range(0, size)
    return Range(max(span.start + shift, 0), min(span.end + shift, size))


def _in_order(items: list[Item]) -> list[Item]:
    """By node; of one command first what only reads, then what it writes, flushed if that is done
    at once; and no carry where it writes the byte."""
    items.sort(key=lambda item: (item.node, item.flushes, item.writes or item.may_write))
    written = {item.node for item in items if item.writes}
    return [
        item._replace(carries=False) if item.carries and item.node in written else item
        for item in items
    ]
