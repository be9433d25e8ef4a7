"""Which maintenance a module lacks, and which of it is not needed.

Obligations are closed where they are cheapest to close and safe for everything else: a flush at
the end of the writer's region (one for all consumers), an invalidate at the start of the
reader's (one for all reads in it). What only has to leave a cache before another domain
overwrites it, or before storage is given back, is discarded at the end of the last region of the
domain that uses the storage if nothing reads it any more, else flushed.

A plan is judged by walking the storages with it (`walk`): all paths, loops included.
"""

from bisect import bisect_left
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects.diagnostics import Note, OpError
from ...dialects.location import location_text
from ...dialects.topology import HOST
from .byte_state import MAINTAINABLE, Fault, Mark, Rule
from .improve import Improver
from .memory_events import ALL, WHOLE_END, Kind, MemoryEvent, Range, Region
from .walk import MAX_HISTORIES, ByteClass, Track, Walker

_ROUNDS = 12
"""Walks until nothing new is open; two suffice unless lines are shared."""


@dataclass(frozen=True, slots=True)
class Placement:
    """One operation to insert."""

    region: Region
    kind: Kind
    operand: SSAValue
    """What the region captures the storage as."""
    range: Range
    """Of the operand; `ALL` for all of it."""
    partner: str | None
    """The agent on the other side, where there is just one device."""


class Planner:
    """Plans for all storages of a module."""

    def __init__(self, module: ModuleOp, max_histories: int = MAX_HISTORIES) -> None:
        """Read `module`; follow at most `max_histories` of each byte."""
        self.walker = Walker(module, max_histories=max_histories)
        self._closing: dict[tuple[Region, Kind, SSAValue], set[Range]] = {}
        """What has been added to close faults."""

    # What is missing -----------------------------------------------------------------------------

    def missing(self) -> list[Placement]:
        """All operations that the rules ask for and the module does not have.

        Raises:
            OpError: bytes for which no maintenance is right.
        """
        open_ = list(self.walker.tracks)
        left: dict[Track, list[ByteClass]] = {}
        for _ in range(_ROUNDS):
            added: list[MemoryEvent] = []
            for track in open_:
                left[track] = self.walker.faults(track)
                for group in left[track]:
                    added += self._close(track, group)
            if not added:
                break
            roots = {(event.region.segment, event.place.root) for event in added if event.region}
            open_ = [
                track
                for track in self.walker.tracks
                if any(
                    (visit.segment, name.value) in roots
                    for visit in track.visits
                    for name in visit.names
                )
            ]
        else:
            left.update((track, self.walker.faults(track)) for track in open_)
        for track, groups in left.items():
            for group in groups:
                if any(fault.rule in MAINTAINABLE for fault in group.faults):
                    raise self._impossible(track, group)
        self._merge()
        Improver(self.walker).run()
        partners = {
            event: self._served(event) for events in self.walker.added.values() for event in events
        }
        return self._placements(partners)

    def _merge(self) -> None:
        """Make one event of each operation."""
        placements = self._placements({})
        for events in self.walker.added.values():
            for event in list(events):
                self.walker.take(event)
        for placement in placements:
            region = placement.region
            place = self.walker.program.events[region.segment].place(placement.operand)
            event = MemoryEvent(
                region.slot(placement.kind),
                region.agent,
                placement.kind,
                region.execute,
                place,
                region=region,
                operand=placement.operand,
            )
            event.target.append(placement.range)
            self.walker.put(event)

    def _close(self, track: Track, group: ByteClass) -> list[MemoryEvent]:
        """Add what closes the faults of a class; gives what is new."""
        added: list[MemoryEvent] = []
        for fault in sorted(group.faults, key=lambda fault: fault.order):
            for kind, mark in self._remedies(track, group, fault):
                event = self._add(track, group, kind, mark)
                if event is not None:
                    added.append(event)
        return added

    def _remedies(self, track: Track, group: ByteClass, fault: Fault) -> list[tuple[Kind, Mark]]:
        """What closes a fault: the kind, and in whose region."""
        write, other = fault.write, fault.other
        match fault.rule:
            case Rule.STALE | Rule.FALSE_SHARING:
                flush = (Kind.FLUSH, write)
                drop = (Kind.INVALIDATE, other)
                return [drop] if fault.flushed else [flush, drop]
            case Rule.LOST:
                return [(Kind.FLUSH, write)]
            case Rule.CLOBBER | Rule.LIFETIME:
                return [self._leaving(track, group, fault)]
            case _:
                return []

    def _leaving(self, track: Track, group: ByteClass, fault: Fault) -> tuple[Kind, Mark]:
        """Where the bytes of a write leave its cache at the least cost: a discard, where it
        breaks nothing, at the last use of the domain or after the write itself; else a flush."""
        for mark in dict.fromkeys((self._last_use(track, group, fault.write), fault.write)):
            event = self._event(track, group, Kind.DISCARD, mark)
            if event is None:
                continue
            self.walker.put(event)
            near = self._near(track, group)
            after = self._faults_of(track, near)
            self.walker.take(event)
            known = self._faults_of(track, near)
            if after < known and not any(f == fault for _, f in after):
                return Kind.DISCARD, mark
        return Kind.FLUSH, fault.write

    def _near(self, track: Track, group: ByteClass) -> set[int]:
        """The pieces of a class and those in lines with them."""
        line = max(cache.line for cache in self.walker.caches.values())
        near: set[int] = set()
        for start, end in group.spans:
            low = track.index(start // line * line)
            near.update(range(max(low, 0), bisect_left(track.cuts, -(-end // line) * line)))
        return {piece for piece in near if piece < len(track.cuts) - 1}

    def _last_use(self, track: Track, group: ByteClass, write: Mark) -> Mark:
        """The last access of the bytes, as the text has it, by the domain of `write`."""
        domain = self.walker.caches[write.event.agent].number
        result = write
        ((_, items),) = self.walker.items(track).classes((track.index(group.spans[0].start),))
        for number, of_visit in items.items():
            for item in of_visit:
                event = item.mark.event
                if (
                    item.domain == domain
                    and event.region is not None
                    and event.kind is Kind.ACCESS
                    and (track.visits[number].segment.number, item.node) >= result.place
                ):
                    result = item.mark
        return result

    def _faults_of(self, track: Track, wanted: set[int]) -> set[tuple[int, Fault]]:
        """The faults of pieces with the plan as it stands."""
        return {
            (piece, fault)
            for group in self.walker.faults(track, wanted)
            for piece in group.pieces
            for fault in group.faults
        }

    # Adding --------------------------------------------------------------------------------------

    def _event(self, track: Track, group: ByteClass, kind: Kind, mark: Mark) -> MemoryEvent | None:
        """Maintenance of a class in the region of `mark`; None where it has none."""
        source = mark.event
        region, operand = source.region, source.operand
        if region is None or operand is None:
            return None
        event = MemoryEvent(
            region.slot(kind), region.agent, kind, source.op, source.place, region=region
        )
        event.operand = operand
        for span in group.spans:
            event.target += self._named(track, span, mark)
        event.target = list(dict.fromkeys(event.target))
        return event

    def _named(self, track: Track, span: Range, mark: Mark) -> list[Range]:
        """What maintenance names to act on `span`: the bytes of the resource, or, where these
        are neighbours of what it writes, the writes that drag them along."""
        source = mark.event
        if mark.shift is None or span.end == WHOLE_END or span == Range(0, track.storage.size):
            return [ALL]
        target = span.shifted(-mark.shift)
        stored = [*source.writes, *source.may_write]
        touched = [*source.reads, *stored]
        if any(other == ALL or _overlap(other, target) for other in touched):
            return [target]
        line = self.walker.caches[source.agent].line

        shift = mark.shift

        def lines(other: Range) -> Range:
            start, end = other.start + shift, other.end + shift
            return Range(start // line * line, -(-end // line) * line)

        return [other for other in stored if _overlap(lines(other), span)]

    def _add(self, track: Track, group: ByteClass, kind: Kind, mark: Mark) -> MemoryEvent | None:
        """Add maintenance; None if nothing of it is new."""
        event = self._event(track, group, kind, mark)
        if event is None:
            return None
        assert event.region is not None
        assert event.operand is not None
        named = self._closing.setdefault((event.region, event.kind, event.operand), set())
        event.target = [span for span in event.target if span not in named]
        if not event.target:
            return None
        named.update(event.target)
        self.walker.put(event)
        return event

    def _served(self, event: MemoryEvent) -> dict[str, None]:
        """The agents on the other side: whose reads would be stale, or whose writes unseen,
        without `event`; of many any two."""
        agents: set[str] = set()
        with closing(self.walker.each_fault_without(event)) as faults:
            for fault in faults:
                if fault.rule in (Rule.STALE, Rule.FALSE_SHARING):
                    other = fault.other if event.kind is Kind.FLUSH else fault.write
                    agents.add(other.event.agent)
                if len(agents) > 1:
                    break
        return dict.fromkeys(sorted(agents))

    def _placements(self, partners: Mapping[MemoryEvent, dict[str, None]]) -> list[Placement]:
        """Operations of one region, kind and operand on ranges that touch, or share a line,
        become one."""
        groups: dict[tuple[Region, Kind, SSAValue], list[tuple[Range, MemoryEvent]]] = {}
        for events in self.walker.added.values():
            for event in events:
                assert event.region is not None
                assert event.operand is not None
                key = event.region, event.kind, event.operand
                groups.setdefault(key, []).extend((span, event) for span in event.target)
        result: list[Placement] = []
        for (region, kind, operand), entries in groups.items():
            entries.sort(key=lambda entry: entry[0])
            runs: list[tuple[Range, dict[str, None]]] = []
            for span, event in entries:
                agents = partners.get(event, {})
                if runs and self._touch(runs[-1][0], span, region, kind):
                    last, served = runs[-1]
                    runs[-1] = Range(last.start, max(last.end, span.end)), {**served, **agents}
                else:
                    runs.append((span, dict(agents)))
            for span, served in runs:
                partner = next(iter(served)) if len(served) == 1 else None
                result.append(Placement(region, kind, operand, span, partner))
        result.sort(
            key=lambda p: (
                p.region.segment.number,
                p.region.slot(p.kind),
                list(p.region.execute.resource_operands).index(p.operand),
                p.range,
            )
        )
        return result

    def _touch(self, left: Range, right: Range, region: Region, kind: Kind) -> bool:
        """Whether what lies between is nothing, or is dragged along anyway. A discard says that
        all it names is dead, and so names no more."""
        if kind is Kind.DISCARD:
            return left.end >= right.start
        line = self.walker.caches[region.agent].line
        return -(-left.end // line) * line >= right.start // line * line

    def _impossible(self, track: Track, group: ByteClass) -> OpError:
        open_ = (fault for fault in group.faults if fault.rule in MAINTAINABLE)
        fault = min(open_, key=lambda fault: fault.order)
        write, other = fault.write.event, fault.other.event
        spans = ", ".join(f"[{s.start},{s.end})" for s in group.spans)
        rule = fault.rule.name.lower().replace("_", " ")
        line = self.walker.caches[other.agent].line
        message = (
            f"no cache maintenance makes bytes {spans} right ({rule}): {_agent(write)} and "
            f"{_agent(other)} use lines of {line} bytes together without an order; align and pad "
            "their ranges to cache lines, or await the timepoint of the one"
        )
        notes = (Note(location_text(other.op), "the access that it must not reach"),)
        return OpError(location_text(write.op), message, notes)

    # What is redundant ---------------------------------------------------------------------------

    def redundant(self) -> list[MemoryEvent]:
        """Maintenance that can go, all of it together, with every rule still holding.

        Decided one by one, last in the text first, so that of several that serve the same reads
        the first stays.
        """
        events: dict[MemoryEvent, None] = {
            event: None
            for track in self.walker.tracks
            for visit in track.visits
            for event, _ in visit.happenings({})
            if event.region is not None and event.kind in _MAINTENANCE and event.certain
        }
        result: list[MemoryEvent] = []
        wrong: dict[Track, dict[int, set[Fault]]] = {}
        for event in sorted(events, key=lambda e: Mark(e, 0).order, reverse=True):
            touched = self.walker.touched(event)
            before = {
                track: self._wrong(track, pieces, wrong.setdefault(track, {}))
                for track, pieces in touched.items()
            }
            self.walker.remove(event)
            if all(
                _alike(fault) in before[track]
                for track, pieces in touched.items()
                for fault in self.walker.each_fault(track, pieces)
            ):
                result.append(event)
                for track, pieces in touched.items():
                    for piece in pieces:
                        del wrong[track][piece]
            else:
                self.walker.restore(event)
        return result

    def _wrong(self, track: Track, pieces: set[int], known: dict[int, set[Fault]]) -> set[Fault]:
        """What is wrong with any of these pieces; `known` by piece, which is filled."""
        if unknown := [piece for piece in pieces if piece not in known]:
            known.update((piece, set[Fault]()) for piece in unknown)
            for group in self.walker.faults(track, unknown):
                faults = set(map(_alike, group.faults))
                known.update(dict.fromkeys(group.pieces, faults))
        return set[Fault]().union(*(known[piece] for piece in pieces))


def _alike(fault: Fault) -> Fault:
    """Stale reads alike, whatever they lack."""
    return fault._replace(flushed=False)


def _agent(event: MemoryEvent) -> str:
    return "the host" if event.agent == HOST else f"@{event.agent}"


def _overlap(left: Range, right: Range) -> bool:
    return left.start < right.end and right.start < left.end


_MAINTENANCE = frozenset({Kind.FLUSH, Kind.INVALIDATE, Kind.DISCARD})
