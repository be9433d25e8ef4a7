"""Which maintenance a function lacks, and which of it is not needed.

Obligations are closed where they are cheapest to close and safe for everything else: a flush at
the end of the writer's region (one for all consumers), an invalidate at the start of the
reader's (one for all reads in it). What only has to leave a cache before another domain
overwrites it, or before storage is given back, is discarded at the end of the last region of the
domain that uses the storage if nothing reads it any more, else flushed.
"""

from bisect import insort
from collections.abc import Iterable
from dataclasses import dataclass, field

from ...dialects.diagnostics import Note, OpError
from ...dialects.location import location_text
from ...dialects.topology import Topology, WriteBack
from .memory_events import (
    WHOLE_END,
    Kind,
    MemoryEvent,
    MemoryEvents,
    Range,
    Region,
    Storage,
    boundaries,
    pieces,
)
from .rules import Item, Rule, Sweep, Unmet, kind_flags

_ROUNDS = 8
"""Sweeps until nothing new is open; two suffice unless lines are shared."""


@dataclass(frozen=True, slots=True)
class Placement:
    """One operation to insert."""

    region: Region
    kind: Kind
    storage: Storage
    range: Range
    partner: str | None
    """The agent on the other side, where there is just one device."""


@dataclass(slots=True)
class _Planned:
    """One operation of the plan before ranges are merged."""

    region: Region
    kind: Kind
    partners: dict[str, None] = field(default_factory=dict[str, None])


@dataclass(slots=True)
class _Piece:
    """An interval of a storage and what happens to it."""

    range: Range
    items: list[Item] = field(default_factory=list[Item])
    planned: dict[tuple[int, Kind], _Planned] = field(
        default_factory=dict[tuple[int, Kind], _Planned]
    )


class Planner:
    """Plans for all storages of one function."""

    def __init__(self, events: MemoryEvents, topology: Topology) -> None:
        self.events = events
        self.topology = topology
        self.domains = topology.domains()
        self.number = {
            agent: index for index, domain in enumerate(self.domains) for agent in domain.agents
        }
        self.lines = sorted({domain.cache_line for domain in self.domains})
        self.last_use = self._last_uses()

    def _last_uses(self) -> dict[tuple[int, int], Region]:
        """For each storage and domain the last region that accesses it, in textual order."""
        result: dict[tuple[int, int], Region] = {}
        for index, storage in enumerate(self.events.storages):
            for event in storage.events:
                if event.region is not None and event.kind is Kind.ACCESS:
                    result[index, self.domain(event.agent)] = event.region
        return result

    def domain(self, agent: str) -> int:
        """The number of an agent's coherence domain."""
        return self.number[agent]

    def missing(self) -> list[Placement]:
        """All operations that the rules ask for and the function does not have."""
        return [
            placement
            for index, storage in enumerate(self.events.storages)
            for placement in self._missing(index, storage)
        ]

    def redundant(self) -> list[MemoryEvent]:
        """Maintenance that can go, all of it together, with every rule still holding.

        Decided one by one in textual order, last first, so that of several that serve the same
        reads the first stays.
        """
        return [event for storage in self.events.storages for event in self._redundant(storage)]

    # Intervals.

    def _pieces(self, storage: Storage) -> list[_Piece]:
        cuts = boundaries(storage.events, storage.size, self.lines)
        result = [_Piece(span) for span in pieces(cuts)]
        for event in storage.events:
            for piece in result:
                if (item := self._item(event, piece.range, storage)) is not None:
                    piece.items.append(item)
        for piece in result:
            piece.items.sort(key=lambda item: item.node)
        return result

    def _item(self, event: MemoryEvent, piece: Range, storage: Storage) -> Item | None:
        domain = self.domain(event.agent)
        if event.kind is Kind.DEALLOCA:
            return Item(event.node, domain, event, frees=True)
        if event.kind is not Kind.ACCESS:
            if not any(self._covers(span, piece, domain) for span in event.target):
                return None
            named = any(_overlap(span, piece) for span in event.target)
            return Item(event.node, domain, event, named=named, **kind_flags(event.kind))
        reads = any(_overlap(span, piece) for span in event.reads)
        writes = any(_overlap(span, piece) for span in event.writes)
        by_line = self.domains[domain].write_back is WriteBack.LINE
        carries = (
            by_line
            and not writes
            and any(self._covers(span, piece, domain) for span in event.writes)
        )
        if not (reads or writes or carries):
            return None
        return Item(
            event.node,
            domain,
            event,
            reads=reads,
            writes=writes,
            carries=carries,
            flushes=False,
        )

    def _covers(self, span: Range, piece: Range, domain: int) -> bool:
        """Whether maintenance of `span`, rounded out to lines, touches `piece`."""
        return _overlap(self._lines(span, domain), piece)

    def _lines(self, span: Range, domain: int) -> Range:
        line = self.domains[domain].cache_line
        return Range(span.start // line * line, -(-span.end // line) * line)

    def _sweep(self, piece: _Piece) -> list[Unmet]:
        # The host flushes its own writes when the mapping closes.
        closing = [
            Item(item.node, item.domain, None, flushes=True)
            for item in piece.items
            if item.event is not None and item.event.flushed and item.writes
        ]
        items = [*piece.items, *closing]
        items.sort(key=lambda item: item.node)
        return Sweep(items, self._covers_node).run()

    def _covers_node(self, later: int, earlier: int) -> bool:
        return self.events.timeline.covers(later, earlier)

    # What is missing.

    def _missing(self, index: int, storage: Storage) -> list[Placement]:
        if len(self.domains) < 2:
            return []
        parts = self._pieces(storage)
        open_: Unmet | None = None
        for _ in range(_ROUNDS):
            open_ = None
            for part in parts:
                for unmet in self._sweep(part):
                    self._close(index, parts, part, unmet)
                    open_ = unmet
            if open_ is None:
                return self._merged(storage, parts)
        assert open_ is not None
        raise self._impossible(open_)

    def _close(self, index: int, parts: list[_Piece], part: _Piece, unmet: Unmet) -> None:
        write, other = unmet.write, unmet.other
        match unmet.rule:
            case Rule.STALE:
                reader = other.event
                if not unmet.flushed:
                    self._plan(parts, part, self._region(unmet, write), Kind.FLUSH, other)
                if reader is not None and reader.region is not None:
                    self._plan(parts, part, reader.region, Kind.INVALIDATE, write)
            case Rule.LOST:
                self._plan(parts, part, self._region(unmet, write), Kind.FLUSH, None)
            case Rule.CLOBBER | Rule.LIFETIME:
                region, kind = self._leave(index, part, unmet)
                self._plan(parts, part, region, kind, None)

    def _leave(self, index: int, part: _Piece, unmet: Unmet) -> tuple[Region, Kind]:
        """Where the bytes of a write leave its cache at the least cost."""
        region = self._region(unmet, unmet.write)
        last = self.last_use.get((index, unmet.write.domain), region)
        slot = last.leave_discard
        readers = [item for item in part.items if item.reads or item.carries]
        # A discard is safe once nobody reads the old bytes after it, and it must come in time.
        in_time = self._covers_node(unmet.other.node, slot)
        unread = all(
            self._covers_node(slot, item.node) or self._reads_later_write(part, item, slot)
            for item in readers
        )
        if in_time and unread and self._covers_node(slot, unmet.write.node):
            return last, Kind.DISCARD
        return region, Kind.FLUSH

    def _reads_later_write(self, part: _Piece, reader: Item, slot: int) -> bool:
        """Whether what `reader` reads was written after the slot."""
        writes = [item for item in part.items if item.writes and item.node < reader.node]
        return bool(writes) and self._covers_node(writes[-1].node, slot)

    def _region(self, unmet: Unmet, item: Item) -> Region:
        event = item.event
        if event is None or event.region is None:
            raise self._impossible(unmet)
        return event.region

    def _plan(
        self,
        parts: list[_Piece],
        part: _Piece,
        region: Region,
        kind: Kind,
        partner: Item | None,
    ) -> None:
        """Add an operation on `part`; it acts on all pieces of the lines that it touches."""
        domain = self.domain(region.agent)
        node = {
            Kind.FLUSH: region.leave_flush,
            Kind.INVALIDATE: region.enter_invalidate,
            Kind.DISCARD: region.leave_discard,
        }[kind]
        planned = part.planned.get((node, kind))
        if planned is None:
            planned = part.planned[node, kind] = _Planned(region, kind)
            for touched in parts:
                if self._covers(part.range, touched.range, domain):
                    named = touched is part
                    item = Item(node, domain, None, named=named, **kind_flags(kind))
                    insort(touched.items, item, key=lambda entry: entry.node)
        if partner is not None and partner.event is not None:
            planned.partners[partner.event.agent] = None

    def _merged(self, storage: Storage, parts: Iterable[_Piece]) -> list[Placement]:
        """Operations of one region and kind on pieces that touch, or share a line, become one."""
        runs: dict[tuple[int, Kind], list[tuple[_Planned, Range]]] = {}
        for part in parts:
            for key, planned in part.planned.items():
                group = runs.setdefault(key, [])
                domain = self.domain(planned.region.agent)
                if group and self._touch(group[-1][1], part.range, domain):
                    last, span = group[-1]
                    last.partners.update(planned.partners)
                    group[-1] = (last, Range(span.start, part.range.end))
                else:
                    group.append((planned, part.range))
        return [
            Placement(planned.region, planned.kind, storage, span, _partner(planned))
            for key in sorted(runs)
            for planned, span in runs[key]
        ]

    def _touch(self, left: Range, right: Range, domain: int) -> bool:
        """Whether what lies between is nothing, or is dragged along anyway."""
        return self._lines(left, domain).end >= right.start or left.end == right.start

    def _impossible(self, unmet: Unmet) -> OpError:
        event = unmet.write.event
        location = "" if event is None else location_text(event.op)
        notes = (
            ()
            if unmet.other.event is None
            else (Note(location_text(unmet.other.event.op), "the access that it must not reach"),)
        )
        return OpError(
            location,
            f"no cache maintenance makes this write right ({unmet.rule.name.lower()}): writers of "
            "one cache line cannot be told apart; align and pad their ranges to cache lines",
            notes,
        )

    # What is redundant.

    def _redundant(self, storage: Storage) -> list[MemoryEvent]:
        maintenance = [
            event
            for event in storage.events
            if event.region is not None and event.kind not in (Kind.ACCESS, Kind.DEALLOCA)
        ]
        if not maintenance or len(self.domains) < 2:
            # One cache serves all: nothing is ever stale, nor dirty where another would see it.
            return maintenance
        parts = self._pieces(storage)
        removed: list[MemoryEvent] = []
        for event in reversed(maintenance):
            touched = [(part, item) for part in parts for item in part.items if item.event is event]
            before = sum(len(self._sweep(part)) for part, _ in touched)
            for part, item in touched:
                part.items.remove(item)
            if sum(len(self._sweep(part)) for part, _ in touched) <= before:
                removed.append(event)
                continue
            for part, item in touched:
                insort(part.items, item, key=lambda entry: entry.node)
        return removed


def _overlap(left: Range, right: Range) -> bool:
    return left.start < right.end and right.start < left.end


def _partner(planned: _Planned) -> str | None:
    return next(iter(planned.partners)) if len(planned.partners) == 1 else None


def is_whole(span: Range, storage: Storage) -> bool:
    """Whether a range is all of a storage, whose size may not be constant."""
    return span == Range(0, storage.size) or span.end >= WHOLE_END
