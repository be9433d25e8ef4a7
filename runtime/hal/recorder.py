"""Writes the event graph of a run: one node for each thing that happened, direct hb edges only."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ..events import HOST_ACTION, BufferRange, Event, EventGraph, EventKind, Signal, Span
from ..machine import HOST
from .buffer import Storage
from .semaphore import Fence, Semaphore

NO_EVENT = -1
"""The id of an event that is not recorded."""


@dataclass(slots=True, eq=False)
class Footprint:
    """What a command or host action does to memory, in flat byte addresses."""

    kind: EventKind
    reads: tuple[Span, ...] = ()
    writes: tuple[Span, ...] = ()
    """Bytes written; for an alloca or dealloca the storage."""
    target: tuple[Span, ...] = ()
    """For maintenance: the bytes it names."""
    copies: tuple[tuple[Span, Span], ...] = ()
    """For copies: source and target."""
    flushed: bool = False
    """For the host: the writes are flushed before its next action."""
    skipped: bool = False
    """For maintenance: no other domain reaches the memory, so it is not executed (IR-28)."""
    borrowed: bool = False
    """For the alloca of an import: its owner did not give it away."""
    transfer: bool = False
    """A copy, fill or update command, which may reach memory that kernels do not."""
    reuses: tuple[int, ...] = ()
    """For an alloca: events of deallocas that it follows since it reuses their memory."""


NO_FOOTPRINT = Footprint(EventKind.SYNC)
"""Touches no memory."""


@dataclass(frozen=True, slots=True)
class Source:
    """What the caller calls an operation, and where it stands in the program."""

    label: str = ""
    """The op or host action as a person names it."""
    location: str = ""
    """`file:line:col`, or "" where unknown."""

    def or_label(self, label: str) -> "Source":
        """This source, with `label` where the caller gave none."""
        return self if self.label else Source(label, self.location)


UNNAMED = Source()
"""No label, no place."""


class Recorder:
    """Appends events to a graph, unless recording is off; then every id is `NO_EVENT`."""

    def __init__(self, enabled: bool) -> None:
        self.enabled = enabled
        self.graph = EventGraph()
        self._host_last = NO_EVENT
        self._host_actions = 0
        self._names: dict[Semaphore, str] = {}
        self._taken: Counter[str] = Counter()

    def add(
        self,
        agent: str,
        footprint: Footprint,
        after: Iterable[int],
        source: Source,
        key: tuple[int, int] | None = None,
    ) -> int:
        """Record what `agent` did after the events `after`; the id of the event."""
        if not self.enabled:
            return NO_EVENT
        event = Event(
            id=len(self.graph.events),
            agent=agent,
            kind=footprint.kind,
            after=tuple(sorted({*after, *footprint.reuses} - {NO_EVENT})),
            reads=footprint.reads,
            writes=footprint.writes,
            target=footprint.target,
            label=source.label,
            location=source.location,
            flushed=footprint.flushed,
            borrowed=footprint.writes if footprint.borrowed else (),
            copies=footprint.copies,
            skipped=footprint.skipped,
            transfer=footprint.transfer,
            key=key,
        )
        self.graph.events.append(event)
        return event.id

    def host(self, footprint: Footprint, source: Source, after: Iterable[int] = ()) -> int:
        """Record the next action of the host program, after all before it and after `after`."""
        key = (HOST_ACTION, self._host_actions)
        self._host_actions += 1
        event = self.add(HOST, footprint, (self._host_last, *after), source, key)
        self._host_last = event
        return event

    def reached(self, fence: Fence, agent: str) -> tuple[int, ...]:
        """The events after which `fence` is reached: its signal, or the join of its signals.

        The first wait of several timepoints records the join, on behalf of `agent`.
        """
        signals = tuple(p.semaphore.signaled_by(p.value) for p in fence.timepoints)
        if len(signals) < 2 or not self.enabled:
            return signals
        if fence.join_event == NO_EVENT:
            join = Source(f"join of {fence.name}")
            fence.join_event = self.add(agent, NO_FOOTPRINT, signals, join)
        return (fence.join_event,)

    def signaled(self, semaphore: Semaphore, value: int, event: int) -> None:
        """The semaphore reached `value` by `event`."""
        if not self.enabled:
            return
        if semaphore not in self._names:
            self._taken[semaphore.name] += 1
            count = self._taken[semaphore.name]
            self._names[semaphore] = f"{semaphore.name}#{count}" if count > 1 else semaphore.name
        self.graph.signals.append(Signal(self._names[semaphore], value, event))

    def opened(self, storage: Storage, event: int) -> None:
        """Name the bytes of `storage`, which `event` allocated, for messages."""
        if not self.enabled:
            return
        storage.record = len(self.graph.buffers)
        location = storage.params.location
        name = f"{storage.params.name} ({location})" if location else storage.params.name
        self.graph.buffers.append(BufferRange(name, storage.span, storage.pool, (event, None)))

    def closed(self, storage: Storage, event: int) -> None:
        """The storage ended with `event`."""
        if storage.record >= 0:
            record = self.graph.buffers[storage.record]
            record.events = (record.events[0], event)


def span_of(start: int, length: int) -> tuple[Span, ...]:
    """`length` bytes from `start`; no span when there are none."""
    return (Span(start, start + length),) if length else ()
