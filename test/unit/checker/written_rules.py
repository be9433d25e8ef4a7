"""The rules of docs/memory-model.md word by word: every byte, every pair of events, no pruning.

The oracle of the checker's histories: cubic and slow, but short enough to compare with the text.
"""

from collections.abc import Iterable

from zcir.runtime.events import Event, EventGraph, EventKind, Span
from zcir.runtime.machine import Domain, Machine, WriteBack

DROPS = (EventKind.INVALIDATE, EventKind.DISCARD)
MAINTENANCE = (EventKind.FLUSH, *DROPS)


def closure(events: list[Event]) -> list[set[int]]:
    """The ids that happen before each event."""
    past: list[set[int]] = []
    for event in events:
        before = set(event.after)
        for predecessor in event.after:
            before |= past[predecessor]
        past.append(before)
    return past


def _has(spans: Iterable[Span], byte: int) -> bool:
    return any(span.start <= byte < span.end for span in spans)


class WrittenRules:
    """The faults of a graph: `faults()` gives (rule, byte) pairs."""

    def __init__(self, graph: EventGraph, machine: Machine) -> None:
        self.events = graph.events
        self.past = closure(graph.events)
        self.domain = [machine.domain_of(event.agent) for event in graph.events]
        self.domains = machine.domains
        self.graph = graph
        self.shared = len(machine.domains) > 1

    def before(self, a: int, b: int) -> bool:
        """Whether a happens before b."""
        return a in self.past[b]

    def ordered(self, a: int, b: int) -> bool:
        """Whether either happens before the other."""
        return self.before(a, b) or self.before(b, a)

    def _line(self, event: int, byte: int) -> Span:
        size = self._domain(event).cache_line
        return Span(byte // size * size, byte // size * size + size)

    def _domain(self, event: int) -> Domain:
        return self.domains[self.domain[event]]

    def _covers(self, event: Event, spans: Iterable[Span], byte: int) -> bool:
        line = self._line(event.id, byte)
        return any(span.start < line.end and line.start < span.end for span in spans)

    def of_byte(self, byte: int) -> None:
        """Sort the events by what they do to the byte's line and the byte."""
        accesses = [e for e in self.events if e.kind is EventKind.ACCESS]
        self.writes = [e.id for e in accesses if _has(e.writes, byte)]
        self.reads = [e.id for e in accesses if _has(e.reads, byte)]
        self.carries = [
            e.id
            for e in accesses
            if self._domain(e.id).write_back is WriteBack.LINE
            and self._covers(e, e.writes, byte)
            and not _has(e.writes, byte)
        ]
        upkeep = [e for e in self.events if e.kind in MAINTENANCE]
        covering = [e for e in upkeep if self._covers(e, e.target, byte)]
        self.flushes = [e.id for e in covering if e.kind is EventKind.FLUSH]
        self.drops = [e.id for e in covering if e.kind in DROPS]
        self.named = [e.id for e in upkeep if _has(e.target, byte)]
        self.fills = [e.id for e in accesses if e.flushed and self._covers(e, e.writes, byte)]

    def _flush_before(self, write: int, event: int) -> list[int]:
        """Flushes of the writer's domain after `write` and before `event`."""
        domain = self.domain[write]
        plain = [f for f in self.flushes if self.domain[f] == domain and self.before(write, f)]
        own = [
            f
            for f in self.fills
            if self.domain[f] == domain and (f == write or self.before(write, f))
        ]
        return [f for f in plain + own if self.before(f, event)]

    def _clean_before(self, dirty: int, event: int) -> bool:
        """Whether some maintenance of its domain lies between `dirty` and `event`."""
        domain = self.domain[dirty]
        return bool(self._flush_before(dirty, event)) or any(
            self.domain[x] == domain and self.before(dirty, x) and self.before(x, event)
            for x in self.drops
        )

    def fresh(self, write: int, event: int) -> bool:
        """Fresh(w, e)."""
        domain = self.domain[event]
        return self.domain[write] == domain or any(
            self.domain[i] == domain and self.before(i, event) and self._flush_before(write, i)
            for i in self.drops
        )

    def last_write(self, read: int) -> int | None:
        """The hb-greatest write before a read; None if there is none."""
        earlier = [w for w in self.writes if self.before(w, read)]
        greatest = [w for w in earlier if all(v == w or self.before(v, w) for v in earlier)]
        return greatest[0] if greatest else None

    def readers(self, write: int) -> list[int]:
        """The reads whose last write it is."""
        return [r for r in self.reads if self.last_write(r) == write]

    def race(self) -> bool:
        """Two accesses by different commands, one a write, unordered."""
        accesses = set(self.writes) | set(self.reads)
        return any(a != w and not self.ordered(a, w) for w in self.writes for a in accesses)

    def stale(self) -> bool:
        """A reader that the write is not fresh for."""
        return any(not self.fresh(w, r) for w in self.writes for r in self.readers(w))

    def lost(self) -> bool:
        """An invalidate that may drop a value still wanted."""
        return any(
            self.domain[i] == self.domain[w]
            and not self.before(i, w)
            and any(not self.before(r, i) for r in self.readers(w))
            and not self._flush_before(w, i)
            for w in self.writes
            for i in self.drops
        )

    def clobber(self) -> bool:
        """An earlier dirty line of another domain under a value that is read."""
        return any(
            self.domain[v] != self.domain[w] and self.before(v, w) and not self._clean_before(v, w)
            for w in self.writes
            if self.readers(w)
            for v in (*self.writes, *self.carries)
        )

    def false_sharing(self) -> bool:
        """A whole line written back over a value that is read."""
        return any(
            self.domain[v] != self.domain[w] and self._carry_harms(w, v)
            for w in self.writes
            if self.readers(w)
            for v in self.carries
        )

    def _carry_harms(self, write: int, carry: int) -> bool:
        if not self.ordered(write, carry):
            return True
        later = any(r != carry and not self.before(r, carry) for r in self.readers(write))
        return self.before(write, carry) and later and not self.fresh(write, carry)

    def lifetime(self, byte: int) -> bool:
        """A use outside of the one lifetime of the byte, or its end with a dirty line."""
        uses = [*self.writes, *self.reads, *self.named]
        for buffer in self.graph.buffers:
            alloca, dealloca = buffer.events
            if not _has([buffer.span], byte) or dealloca is None:
                continue
            if any(not self.before(u, dealloca) for u in uses if self.before(alloca, u)):
                return True
            dirty = [v for v in (*self.writes, *self.carries) if not self.before(v, alloca)]
            if self.shared and any(
                not self.before(dealloca, v) and not self._clean_last(v, dirty, dealloca)
                for v in dirty
            ):
                return True
        return False

    def _clean_last(self, dirty: int, others: list[int], dealloca: int) -> bool:
        """Whether maintenance follows the last of the domain's writes and carries."""
        return all(
            self._clean_before(v, dealloca)
            for v in others
            if self.domain[v] == self.domain[dirty] and not self.before(dealloca, v)
        )

    def faults(self, size: int) -> set[tuple[str, int]]:
        """All faults of the bytes [0, size)."""
        result: set[tuple[str, int]] = set()
        for byte in range(size):
            self.of_byte(byte)
            verdicts = {
                "race": self.race(),
                "stale": self.stale(),
                "lost": self.lost(),
                "clobber": self.clobber(),
                "false-sharing": self.false_sharing(),
                "lifetime": self.lifetime(byte),
            }
            result.update((rule, byte) for rule, fault in verdicts.items() if fault)
        return result
