"""Which rules break for a storage on some path: its bytes are followed along all its visits.

Bytes with the same history are one class and are followed once. For each visit all histories
that lead there are kept apart, so that the answer is exact up to paths that no input takes.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ...dialects.diagnostics import OpError
from ...dialects.location import location_text
from ...dialects.topology import HOST, Topology, WriteBack
from ..analysis.host_graph import Segment, Value
from ..analysis.module_topology import module_topology
from .byte_state import ByteState, Fault, Item, Mark, Rule, Transition, Written
from .crossing import moved
from .items import Cache, Happenings, PieceItems, find_cuts
from .memory_events import ALL, ENTRY, Kind, MemoryEvent, Place, Range, Storage
from .order import ALWAYS, Order, Position
from .pools import pool_name
from .program import Program, read_program
from .segment_reader import Level
from .stream_reader import StreamLevel
from .visits import Step, Visit, follow

MAX_HISTORIES = 50_000
"""Histories of one class of bytes that are followed by default."""


Entered = tuple[int, ByteState]
"""A byte comes into a visit, by number, with a history."""

Move = Callable[[Position], frozenset[Value]]
"""Where a position of one segment is seen from the next."""


class Way(NamedTuple):
    """How a storage gets on from a visit."""

    order: Order
    """Of the segment."""
    steps: list[tuple[int, Move]]
    """The numbers of the visits that may follow."""


@dataclass(slots=True, eq=False)
class Track:
    """A storage, where it goes, and how its bytes are cut into pieces of one history each."""

    storage: Storage
    visits: list[Visit]
    shared: bool
    """Whether more than one cache reaches it."""
    cuts: list[int]
    """Piece i is [cuts[i], cuts[i + 1])."""
    ways: list[Way]
    """By number of the visit."""
    items: PieceItems | None = None
    """What happens to the pieces, once somebody has asked for it (`Walker.items`)."""

    def piece(self, index: int) -> Range:
        """The bytes of a piece."""
        return Range(self.cuts[index], self.cuts[index + 1])

    def is_cut(self, byte: int) -> bool:
        """Whether a piece, or the storage, starts or ends there."""
        at = bisect_left(self.cuts, byte)
        return at < len(self.cuts) and self.cuts[at] == byte

    def index(self, byte: int) -> int:
        """The piece that a byte is in."""
        return bisect_right(self.cuts, byte) - 1


_NO_FAULT: frozenset[Fault] = frozenset()


class Arrival(NamedTuple):
    """An event meets a byte with one history."""

    item: Item
    state: ByteState
    """Before the event."""
    faults: frozenset[Fault]
    """What breaks there."""
    visit: Entered
    """In which visit."""


@dataclass(slots=True)
class ByteClass:
    """Pieces with one history, and what is wrong with them."""

    pieces: list[int]
    """Until the storage is cut anew."""
    spans: list[Range]
    """The bytes of each."""
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
        self.added: dict[tuple[Segment, Value], dict[MemoryEvent, None]] = {}
        """By segment and root, in the order of adding."""
        self.tracks: list[Track] = [
            self._track(segment, storage) for segment, storage in self._storages()
        ]
        self._visits: dict[tuple[Segment, Value], list[tuple[Track, int]]] = {}
        for track in self.tracks:
            for number, visit in enumerate(track.visits):
                for root in dict.fromkeys(name.value for name in visit.names):
                    self._visits.setdefault((visit.segment, root), []).append((track, number))

    def _storages(self) -> Iterator[tuple[Segment, Storage]]:
        for segment, events in self.program.events.items():
            for storage in (*self.program.arguments.get(segment, ()), *events.made):
                yield segment, storage

    # Storages.

    def _track(self, segment: Segment, storage: Storage) -> Track:
        visits = follow(self.program, segment, storage)
        events = (entry for visit in visits for entry in visit.happenings({}))
        cuts = find_cuts(storage.size, events, {cache.line for cache in self.caches.values()})
        index = {visit: number for number, visit in enumerate(visits)}
        ways = [_way(visit, index) for visit in visits]
        return Track(storage, visits, self._shared(storage), cuts, ways)

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

    def _read(self, track: Track) -> PieceItems:
        """What happens to the pieces of a storage, maintenance that was added included."""
        items = PieceItems(track.cuts, track.storage.size, self.caches)
        for number, visit in enumerate(track.visits):
            for event, shift in visit.happenings(self.added):
                items.add(number, event, shift)
        return items

    def items(self, track: Track) -> PieceItems:
        """What happens to the pieces of a storage as things stand."""
        if track.items is None:
            track.items = self._read(track)
        return track.items

    # Maintenance.

    def put(self, event: MemoryEvent) -> None:
        """Add `event`, which the module does not have."""
        self._cut_at(event)
        self._added(event)[event] = None
        self.restore(event)

    def _cut_at(self, event: MemoryEvent) -> None:
        """Cut all storages that `event` acts on such that no piece is partly in its ranges.

        Ranges come from what one storage needs, and the region may take in others as well.
        """
        lines = {cache.line for cache in self.caches.values()}
        for track, _, shift in self._sites(event):
            new = find_cuts(track.storage.size, ((event, shift),), lines)
            if not all(map(track.is_cut, new)):
                track.cuts = sorted({*new, *track.cuts})
                track.items = None

    def take(self, event: MemoryEvent) -> None:
        """Take away `event`, which was added."""
        del self._added(event)[event]
        self.remove(event)

    def _added(self, event: MemoryEvent) -> dict[MemoryEvent, None]:
        assert event.region is not None
        return self.added.setdefault((event.region.segment, event.place.root), {})

    def remove(self, event: MemoryEvent) -> None:
        """Walk without `event`, of the module or added, from now on."""
        for track, number, shift in self._sites(event):
            if track.items is not None:
                track.items.remove(number, event, shift)

    def restore(self, event: MemoryEvent) -> None:
        """Walk with `event`, which is not there so far, from now on."""
        for track, number, shift in self._sites(event):
            if track.items is not None:
                track.items.add(number, event, shift)

    def _sites(self, event: MemoryEvent) -> Iterator[tuple[Track, int, int | None]]:
        """The storages and visits in which `event` happens, and where its resource starts."""
        assert event.region is not None
        for track, number in self._visits.get((event.region.segment, event.place.root), ()):
            for shift in track.visits[number].shift(event.place):
                yield track, number, shift

    def touched(self, event: MemoryEvent) -> dict[Track, set[int]]:
        """The storages that maintenance acts on, and the pieces of each."""
        found: dict[Track, set[int]] = {}
        for track, _, shift in self._sites(event):
            found.setdefault(track, set()).update(self.items(track).touched(event, shift))
        return found

    # Walking.

    def faults(self, track: Track, pieces: Iterable[int] | None = None) -> list[ByteClass]:
        """What is wrong with the bytes of a storage, or of some of its pieces, by class; classes
        without fault are left out."""
        if not track.shared:
            return []
        result: list[ByteClass] = []
        for of_class, items in self.items(track).classes(pieces):
            faults = self.walk(track, items)
            if faults:
                spans = [track.piece(piece) for piece in of_class]
                result.append(ByteClass(of_class, spans, faults))
        return result

    def broken_without(self, event: MemoryEvent) -> list[tuple[Fault, frozenset[Segment]]]:
        """What breaks where `event` acts if it does not, or anyhow, each with the segments of one
        path that leads there, of the shortest."""
        result: list[tuple[Fault, frozenset[Segment]]] = []
        touched = self.touched(event)
        self.remove(event)
        for track, pieces in touched.items():
            if not track.shared:
                continue
            for _, items in self.items(track).classes(pieces):
                came: dict[Entered, Entered | None] = {}
                for arrival in self.arrivals(track, items, came):
                    if arrival.faults:
                        path = frozenset(_path(track, arrival.visit, came))
                        result.extend((fault, path) for fault in arrival.faults)
        self.restore(event)
        return result

    def each_fault_without(self, event: MemoryEvent) -> Generator[Fault]:
        """What breaks where `event` acts if it does not, or anyhow, as it is found; to be taken to
        its end or closed before anything else is asked."""
        touched = self.touched(event)
        self.remove(event)
        try:
            for track, pieces in touched.items():
                yield from self.each_fault(track, pieces)
        finally:
            self.restore(event)

    def breaks(self, track: Track, pieces: Iterable[int], rules: Container[Rule]) -> bool:
        """Whether some piece breaks one of `rules` on some path."""
        return any(fault.rule in rules for fault in self.each_fault(track, pieces))

    def each_fault(self, track: Track, pieces: Iterable[int]) -> Iterator[Fault]:
        """What is wrong with some of the pieces of a storage, as it is found."""
        if not track.shared:
            return
        for _, items in self.items(track).classes(pieces):
            for arrival in self.arrivals(track, items):
                yield from arrival.faults

    def walk(self, track: Track, items: Happenings) -> set[Fault]:
        """What breaks for a byte on any path."""
        return {fault for arrival in self.arrivals(track, items) for fault in arrival.faults}

    def arrivals(
        self,
        track: Track,
        items: Happenings,
        came: dict[Entered, Entered | None] | None = None,
    ) -> Iterator[Arrival]:
        """Follow a byte along all paths; each event comes once for each history that leads there.

        Args:
            track: the storage.
            items: what happens to the byte in each of its visits.
            came: where given, short paths go first, and it is filled with whence each comes.

        Raises:
            OpError: more histories than can be followed.
        """
        if not items:
            return
        start: Entered = 0, self._start(track)
        ways: dict[Entered, Entered | None] = {} if came is None else came
        ways[start] = None
        work: deque[Entered] = deque((start,))
        count = 0
        while work:
            entered = work.pop() if came is None else work.popleft()
            number, state = entered
            count += 1
            if count > self._max_histories:
                self._too_many(track)
            way = track.ways[number]
            states = [state]
            raised: set[Fault] = set()
            transition = Transition(way.order, raised)
            for item in items.get(number, ()):
                after: list[ByteState] = []
                for old in dict.fromkeys(states) if len(states) > 1 else states:
                    after += transition.apply(old, item)
                    if raised:
                        yield Arrival(item, old, frozenset(raised), entered)
                        raised.clear()
                    else:
                        yield Arrival(item, old, _NO_FAULT, entered)
                states = after
            for target, move in way.steps:
                for new in states:
                    following = target, moved(new, move)
                    if following not in ways:
                        ways[following] = entered
                        work.append(following)

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


def _path(
    track: Track, visit: Entered, came: Mapping[Entered, Entered | None]
) -> Iterator[Segment]:
    before: Entered | None = visit
    while before is not None:
        yield track.visits[before[0]].segment
        before = came[before]


def _way(visit: Visit, index: Mapping[Visit, int]) -> Way:
    order = Order(visit.events.timeline, visit.events.entries)
    steps = [(index[step.target], _mover(visit, step, order)) for step in visit.steps]
    return Way(order, steps)


def _mover(visit: Visit, step: Step, order: Order) -> Move:
    host, points = visit.events.host, visit.events.points
    known: dict[Position, frozenset[Value]] = {ALWAYS: ALWAYS}

    def find(position: Position) -> frozenset[Value]:
        if order.before(position, host):
            return ALWAYS
        return frozenset(
            there
            for there, here in step.times
            if (
                order.before(position, points[here])
                if here in points
                else not isinstance(position, int) and here in position
            )
        )

    def move(position: Position) -> frozenset[Value]:
        result = known.get(position)
        if result is None:
            result = known[position] = find(position)
        return result

    return move
