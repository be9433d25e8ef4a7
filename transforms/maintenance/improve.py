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
from collections.abc import Iterator
from itertools import combinations

from ..analysis.host_graph import Segment, Value
from .byte_state import MAINTAINABLE, Rule
from .memory_events import ALL, WHOLE_END, Kind, MemoryEvent, Range
from .walk import Track, Walker

_MOST = 12
_KINDS = (Kind.FLUSH, Kind.INVALIDATE, Kind.DISCARD)


class Improver:
    """Works on the maintenance that a walker has added."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker
        self.tracks: dict[tuple[Segment, Value], list[Track]] = {}
        for track in walker.tracks:
            keys = {(v.segment, name.value) for v in track.visits for name in v.names}
            for key in keys:
                self.tracks.setdefault(key, []).append(track)

    def run(self) -> None:
        """Improve all storages."""
        for track in self.walker.tracks:
            if track.shared:
                self._track(track)

    def _track(self, track: Track) -> None:
        while True:
            events = self._added(track)
            if not events:
                return
            if not (self._drop(events) or self._join(track, events) or self._cut(track, events)):
                return

    def _added(self, track: Track) -> list[MemoryEvent]:
        found: dict[MemoryEvent, None] = {}
        for visit in track.visits:
            for name in visit.names:
                found.update(dict.fromkeys(self.walker.added.get((visit.segment, name.value), ())))
        return list(found)

    # Moves.

    def _drop(self, events: list[MemoryEvent]) -> bool:
        return any(self._try([event], []) for event in reversed(events))

    def _join(self, track: Track, events: list[MemoryEvent]) -> bool:
        """Replace two operations of one cache by one."""
        if len(events) > _MOST:
            return False
        caches = self.walker.caches
        for left, right in combinations(events, 2):
            if caches[left.agent].number != caches[right.agent].number:
                continue
            spans = self._spans(track, left) + self._spans(track, right)
            if not spans:
                continue
            hull = Range(min(spans).start, max(span.end for span in spans))
            for new in self._alternatives(track, left.agent, hull):
                if self._try([left, right], [new]):
                    return True
        return False

    def _cut(self, track: Track, events: list[MemoryEvent]) -> bool:
        """Take a piece off an end of a range, or do with less elsewhere."""
        for event in events:
            spans = self._spans(track, event)
            if len(spans) != 1 or spans[0].end == WHOLE_END:
                continue
            for less in self._shorter(track, spans[0]):
                for new in self._alternatives(track, event.agent, less):
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

    def _alternatives(self, track: Track, agent: str, span: Range) -> Iterator[MemoryEvent]:
        """Operations on `span` in the regions where the cache of `agent` accesses it."""
        number = self.walker.caches[agent].number
        seen: set[tuple[object, object]] = set()
        for visit in track.visits:
            for event, shift in visit.happenings({}):
                region = event.region
                if region is None or event.kind is not Kind.ACCESS or event.operand is None:
                    continue
                if self.walker.caches[event.agent].number != number or shift is None:
                    continue
                if (region, event.operand) in seen or not event.place.whole:
                    continue
                seen.add((region, event.operand))
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
                    whole = span == Range(0, track.storage.size)
                    new.target.append(ALL if whole else span.shifted(-shift))
                    yield new

    # Trying.

    def _try(self, old: list[MemoryEvent], new: list[MemoryEvent]) -> bool:
        """Exchange operations if all rules hold then; False if nothing is changed."""
        for event in old:
            self._list(event).remove(event)
        for event in new:
            self._list(event).append(event)
        if all(self._right(track) for track in self.touched([*old, *new])):
            return True
        for event in new:
            self._list(event).remove(event)
        for event in old:
            self._list(event).append(event)
        return False

    def touched(self, events: list[MemoryEvent]) -> list[Track]:
        """The storages that maintenance acts on."""
        found: dict[int, Track] = {}
        for event in events:
            assert event.region is not None
            key = event.region.segment, event.place.root
            found.update((id(track), track) for track in self.tracks.get(key, ()))
        return list(found.values())

    def _list(self, event: MemoryEvent) -> list[MemoryEvent]:
        assert event.region is not None
        return self.walker.added.setdefault((event.region.segment, event.place.root), [])

    def _right(self, track: Track) -> bool:
        return not any(
            fault.rule in MAINTAINABLE or fault.rule is Rule.DEAD
            for group in self.walker.faults(track)
            for fault in group.faults
        )
