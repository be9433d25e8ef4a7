"""An event graph sorted by line: which bytes each event reads, writes and maintains there."""

from collections import defaultdict
from collections.abc import Iterable

from ..events import Event, EventGraph, EventKind, Span
from ..machine import Machine

_MAINTENANCE = (EventKind.FLUSH, EventKind.INVALIDATE, EventKind.DISCARD)


def _pieces(spans: Iterable[Span], size: int) -> Iterable[tuple[int, Span]]:
    """`spans` cut at multiples of `size`, each piece with its line number."""
    for span in spans:
        for line in range(span.start // size, -(-span.end // size)):
            yield line, Span(max(span.start, line * size), min(span.end, (line + 1) * size))


class Lines:
    """The events of a graph, by the lines of the largest size that they touch.

    With `window`, a range of whole such lines, of what they do there alone; with `last`, of the
    events up to that one, a part of the graph that can be executed by itself.
    """

    def __init__(
        self,
        graph: EventGraph,
        machine: Machine,
        window: Span | None = None,
        last: int | None = None,
    ) -> None:
        self._window = window
        self.machine = machine
        self.events = graph.events
        self.pasts = _pasts(graph.events)
        """For each event the bit mask of the events that happen before it."""
        self.domain = [machine.domain_of(event.agent) for event in graph.events]
        self.size = max(domain.cache_line for domain in machine.domains)
        self._accesses: defaultdict[int, dict[tuple[int, bool], list[Span]]] = defaultdict(dict)
        self._upkeep: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for event in graph.events if last is None else graph.events[: last + 1]:
            self._enter(event)

    def _enter(self, event: Event) -> None:
        if event.kind is EventKind.ACCESS:
            for writes, spans in ((False, event.reads), (True, event.writes)):
                for line, piece in _pieces(self._seen(spans), self.size):
                    self._accesses[line].setdefault((event.id, writes), []).append(piece)
        elif event.kind in _MAINTENANCE and not event.skipped:
            own = self.cache_line(event.id)
            for line in sorted({line for line, _ in _pieces(self._seen(event.target), own)}):
                self._upkeep[line * own // self.size].append((event.id, line * own))

    def _seen(self, spans: Iterable[Span]) -> Iterable[Span]:
        """`spans` clipped to the window."""
        window = self._window
        if window is None:
            return spans
        return [
            Span(max(span.start, window.start), min(span.end, window.end))
            for span in spans
            if span.start < window.end and window.start < span.end
        ]

    def cache_line(self, event: int) -> int:
        """The line size of the domain of an event, in bytes."""
        return self.machine.domains[self.domain[event]].cache_line

    def read(self) -> list[int]:
        """The lines with bytes that somebody reads, ascending."""
        return sorted(
            line
            for line, touching in self._accesses.items()
            if any(not writes for _, writes in touching)
        )

    def accesses(self, lines: Iterable[int]) -> list[tuple[int, bool, Span]]:
        """(event, whether it writes, bytes) for each contiguous access to `lines`."""
        return [
            (event, writes, span)
            for line in lines
            for (event, writes), spans in self._accesses[line].items()
            for span in spans
        ]

    def upkeep(self, lines: Iterable[int]) -> list[tuple[int, int]]:
        """(event, address of the line) for the lines of its own that each event maintains."""
        return [entry for line in lines for entry in self._upkeep[line]]


def _pasts(events: list[Event]) -> list[int]:
    pasts: list[int] = []
    for event in events:
        past = 0
        for before in event.after:
            past |= pasts[before] | 1 << before
        pasts.append(past)
    return pasts
