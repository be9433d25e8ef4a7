"""Fewer operations, and fewer bytes, for the same rules.

A plan that closes each fault by itself may take two operations where one would do: a discard of
one half here and an invalidate of the other there, two flushes before one reader. Operations are
taken out, two of one cache are replaced by one in any region where the cache works on the
storage, and ranges are cut at their ends, as long as every rule holds; each step costs less than
what it replaces, counted in operations first and in bytes then.

Does not handle: plans from which only the exchange of three operations or more leads on; more
than `_MOST` operations on one storage are only taken out and cut.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ..analysis.host_graph import Segment
from ..build import constant_value
from .byte_state import MAINTAINABLE, Fault, Mark, Rule
from .memory_events import ALL, WHOLE_END, Kind, MemoryEvent, Range, Region
from .walk import Track, Walker

_MOST = 12
_KINDS: tuple[Kind, ...] = (Kind.FLUSH, Kind.INVALIDATE, Kind.DISCARD)
_DROPS: frozenset[Kind] = frozenset({Kind.INVALIDATE, Kind.DISCARD})
_WRONG = MAINTAINABLE | {Rule.DEAD}
_OF_READS = frozenset({Rule.STALE, Rule.FALSE_SHARING})
_OF_LINES = frozenset({Rule.CLOBBER, Rule.LIFETIME})


class _Site(NamedTuple):
    """An access of a region to a storage: maintenance may stand beside it."""

    access: MemoryEvent
    region: Region
    shift: int
    """Where the resource starts in the storage, in bytes."""
    size: int | None
    """Bytes of the resource, where they are known."""


class _Need(NamedTuple):
    """What an operation must be and where it must stand, to be of use for all that it is for."""

    kinds: frozenset[Kind]
    segments: frozenset[Segment] | None
    """Those that lie on all paths on which something breaks without it; None for any."""

    def both(self, other: "_Need") -> "_Need":
        """What serves the one and the other."""
        segments = self.segments
        if segments is None or other.segments is None:
            segments = segments if other.segments is None else other.segments
        else:
            segments &= other.segments
        return _Need(self.kinds & other.kinds, segments)

    def allows(self, site: _Site) -> bool:
        """Whether an operation there may do."""
        if not self.kinds:
            return False
        return self.segments is None or site.region.segment in self.segments


class Improver:
    """Works on the maintenance that a walker has added."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker
        # What holds until something is exchanged: storages share operations, and would ask anew.
        self._indispensable: set[MemoryEvent] = set()
        """Operations that cannot be taken out."""
        self._needs: dict[MemoryEvent, _Need] = {}

    def run(self) -> None:
        """Improve all storages."""
        for track in self.walker.tracks:
            if track.shared:
                self._track(track)

    def _track(self, track: Track) -> None:
        if not (events := self._added(track)):
            return
        sites = self._sites(track)
        while events:
            moves = (
                self._drop(events)
                or self._join(track, events, sites)
                or self._cut(track, events, sites)
            )
            if not moves:
                return
            events = self._added(track)

    def _added(self, track: Track) -> list[MemoryEvent]:
        found: dict[MemoryEvent, None] = {}
        for visit in track.visits:
            for name in visit.names:
                found.update(dict.fromkeys(self.walker.added.get((visit.segment, name.value), ())))
        return list(found)

    # Moves.

    def _drop(self, events: list[MemoryEvent]) -> bool:
        for event in reversed(events):
            if event in self._indispensable:
                continue
            if self._try([event], []):
                return True
            self._indispensable.add(event)
        return False

    def _join(self, track: Track, events: list[MemoryEvent], sites: dict[int, list[_Site]]) -> bool:
        """Replace two operations of one cache by one."""
        if len(events) > _MOST:
            return False
        caches = self.walker.caches
        for left, right in combinations(events, 2):
            number = caches[left.agent].number
            if caches[right.agent].number != number:
                continue
            need = self._need(left).both(self._need(right))
            near = [site for site in sites.get(number, ()) if need.allows(site)]
            spans = self._spans(track, left) + self._spans(track, right)
            if not near or not spans:
                continue
            hull = Range(min(spans).start, max(span.end for span in spans))
            for new in _alternatives(track, near, hull):
                if new.kind in need.kinds and self._try([left, right], [new]):
                    return True
        return False

    def _need(self, event: MemoryEvent) -> _Need:
        need = self._needs.get(event)
        if need is None:
            need = self._needs[event] = self._needed(event)
        return need

    def _needed(self, event: MemoryEvent) -> _Need:
        """What an operation of the cache of `event` must be to stand for it.

        What is stale or dirty without `event` on some path stays so if others go as well.
        """
        number = self.walker.caches[event.agent].number
        need = _Need(frozenset(_KINDS), None)
        for fault, path in self.walker.broken_without(event):
            if fault.rule in _OF_LINES or (fault.rule in _OF_READS and fault.ordered):
                need = need.both(_Need(self._helpful(fault, number), path))
        return need

    def _helpful(self, fault: Fault, number: int) -> frozenset[Kind]:
        """The kinds of operations of a cache that may close `fault`."""

        def is_its(mark: Mark) -> bool:
            return self.walker.caches[mark.event.agent].number == number

        if fault.rule in _OF_LINES:
            return frozenset(_KINDS) if is_its(fault.write) else frozenset()
        flushes = {Kind.FLUSH} if is_its(fault.write) else set[Kind]()
        drops = _DROPS if fault.flushed and is_its(fault.other) else frozenset[Kind]()
        return drops | flushes

    def _cut(self, track: Track, events: list[MemoryEvent], sites: dict[int, list[_Site]]) -> bool:
        """Take a piece off an end of a range, or do with less elsewhere."""
        for event in events:
            spans = self._spans(track, event)
            if len(spans) != 1 or spans[0].end == WHOLE_END:
                continue
            near = sites.get(self.walker.caches[event.agent].number, [])
            if len(events) > _MOST:
                near = [site for site in near if site.region is event.region]
            for less in self._shorter(track, spans[0]):
                for new in _alternatives(track, near, less):
                    if self._try([event], [new]):
                        return True
        return False

    def _shorter(self, track: Track, span: Range) -> Iterator[Range]:
        low, high = bisect_right(track.cuts, span.start) - 1, bisect_left(track.cuts, span.end)
        if high - low > 1:
            yield Range(track.cuts[low + 1], span.end)
            yield Range(span.start, track.cuts[high - 1])

    # Candidates.

    def _spans(self, track: Track, event: MemoryEvent) -> list[Range]:
        """What an operation names of the storage; empty where it has several places in it."""
        assert event.region is not None
        shifts = {
            shift
            for visit in track.visits
            if visit.segment is event.region.segment
            for shift in visit.shift(event.place)
        }
        if len(shifts) != 1 or (shift := shifts.pop()) is None:
            return []
        size = track.storage.size
        return [
            Range(0, size) if span == ALL else Range(span.start + shift, span.end + shift)
            for span in event.target
        ]

    def _sites(self, track: Track) -> dict[int, list[_Site]]:
        """Where maintenance of the storage can stand, by cache."""
        found: dict[int, list[_Site]] = {}
        seen: set[tuple[object, object]] = set()
        for visit in track.visits:
            for event, shift in visit.happenings({}):
                region = event.region
                if region is None or event.kind is not Kind.ACCESS or event.operand is None:
                    continue
                if shift is None or (region, event.operand) in seen or not event.place.whole:
                    continue
                seen.add((region, event.operand))
                number = self.walker.caches[event.agent].number
                size = constant_value(region.captured(event.operand)[1])
                found.setdefault(number, []).append(_Site(event, region, shift, size))
        return found

    # Trying.

    def _try(self, old: list[MemoryEvent], new: list[MemoryEvent]) -> bool:
        """Exchange operations if all rules hold then; False if nothing is changed."""
        for event in old:
            self.walker.take(event)
        for event in new:
            self.walker.put(event)
        if not self._breaks(old, new):
            self._indispensable.clear()
            self._needs.clear()
            return True
        for event in new:
            self.walker.take(event)
        for event in old:
            self.walker.put(event)
        return False

    def _breaks(self, old: list[MemoryEvent], new: list[MemoryEvent]) -> bool:
        """Whether a rule breaks where any of these operations acts."""
        before, after = self._touched(old), self._touched(new)
        both: list[tuple[Track, set[int]]] = []
        for track in before | after:
            left, right = before.get(track, set[int]()), after.get(track, set[int]())
            # What goes wrong does so where the one does not do what the other did.
            if self.walker.breaks(track, left ^ right, _WRONG):
                return True
            both.append((track, left & right))
        return any(self.walker.breaks(track, pieces, _WRONG) for track, pieces in both)

    def _touched(self, events: list[MemoryEvent]) -> dict[Track, set[int]]:
        found: dict[Track, set[int]] = {}
        for event in events:
            for track, pieces in self.walker.touched(event).items():
                found.setdefault(track, set()).update(pieces)
        return found


def _alternatives(track: Track, sites: Sequence[_Site], span: Range) -> Iterator[MemoryEvent]:
    """Operations on `span` in the regions of `sites`."""
    whole = span == Range(0, track.storage.size)
    for site in sites:
        event, region = site.access, site.region
        named = span.shifted(-site.shift)
        if named.start < 0 or (site.size is not None and named.end > site.size):
            continue  # What the region captures is another part of the storage.
        for kind in _KINDS:
            new = MemoryEvent(
                region.slot(kind),
                region.agent,
                kind,
                event.op,
                event.place,
                region=region,
                operand=event.operand,
            )
            new.target.append(ALL if whole else named)
            yield new
