"""What the checker remembers of a byte. All of it is immutable: runs of equal bytes share it.

Histories are pruned where the rules allow it; each field says why what is gone cannot matter.
The arguments hold for bytes without a race. A race is reported, and other faults of its events
at its bytes are not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..events import Span
from .antichain import Entries, Events, with_entry
from .order import HappensBefore

NONE = -1
"""No event."""

PerDomain = tuple[tuple[int, Events], ...]
"""Events by domain: (domain, events) pairs."""


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """Why contents are undefined: an alloca or discard, or a copy of undefined contents.

    Compared by identity, since copies of copies may be many; `Context.origin` makes them unique.
    """

    event: int
    source: "Origin | None" = None
    """For a copy: the origin of what it copied."""


class Served(NamedTuple):
    """A flush and an invalidate after it that bring a write to `domain`."""

    domain: int
    flush: int
    invalidate: int


class Write(NamedTuple):
    """A write, or undefined contents, and all that bears on its readers."""

    event: int = NONE
    domain: int = NONE
    undefined: Origin | None = None
    """Set where the contents are undefined; such a value has no right readers."""
    readers: Events = ()
    """Its latest readers. Earlier ones happen before these, so what must come after (or is
    excused by coming after) the latest must come after them."""
    flushes: Events = ()
    """The earliest flushes after it in its domain: the antichain of the `or` over flushes."""
    served: Entries[Served] = ()
    """The earliest invalidates of other domains after one of `flushes`."""
    # Faults that count once a read shows that somebody wants the value.
    lost_to: Events = ()
    """Invalidates of its domain, neither before it nor after a flush of it."""
    clobbered_by: Events = ()
    """Earlier writes and carries of other domains whose lines may still be dirty."""
    racing_carries: Events = ()
    """Carries of other domains not ordered with it."""
    stale_carries: Events = ()
    """Carries of other domains after it that it is not fresh for."""
    discarded_by: Events = ()
    """Discards, by any domain, that do not happen before it."""
    relies_on: Events = ()
    """Maintenance that keeps the above from being faults."""


class Dirty(NamedTuple):
    """A write or carry that made the byte dirty in a domain."""

    domain: int
    event: int
    carry: bool
    cleaned_by: Events = ()
    """The earliest flushes, invalidates and discards of the domain after it."""


class ByteState(NamedTuple):
    """The history of a byte, as far as it can still matter."""

    alive: Events = ()
    """Allocas whose storage the byte is, not yet deallocated."""
    freed: int = NONE
    """The dealloca that last ended the life of the byte."""
    borrowed: int = NONE
    """The alloca that says the byte must not be written."""
    writes: Events = ()
    """The latest writes: more than one only after a race."""
    last: Write = Write()
    old: tuple[Write, ...] = ()
    """For each domain the newest write before `last` that has been read. What is unordered with
    an older one's readers is unordered with this one too, and a fault with it."""
    stray_reads: Events = ()
    """Reads not of `last` that a later write may still race with."""
    dirty: tuple[Dirty, ...] = ()
    """The latest writes and carries of each domain. Earlier ones are cleaned by what cleans
    these. What is clean before an alloca is clean for all that comes after it."""
    drops: PerDomain = ()
    """The latest invalidates and discards of each domain that are not before the last write."""
    discards: Events = ()
    """The latest discards that name the byte, not before the last write."""
    upkeep: Events = ()
    """The latest maintenance that names the byte, for the end of its life."""
    recent_flush: PerDomain = ()
    """The newest flush of each domain, to point at one that comes too early."""
    recent_drop: PerDomain = ()
    """The newest invalidate or discard of each domain, likewise."""
    stored: PerDomain = ()
    """The earliest writes and carries of each domain; redundancy asks for them."""
    flushed: PerDomain = ()
    """The earliest flushes of each domain, likewise."""


def retained(state: ByteState) -> tuple[Write, ...]:
    """`old` for the time after the last write is no longer the last."""
    last = state.last
    if last.event == NONE or not last.readers or last.undefined is not None:
        return state.old
    return (*(w for w in state.old if w.domain != last.domain), last)


EXACT = 16
"""Entries at the end of an antichain that are compared with a new one."""


def grown(antichain: Sequence[object]) -> bool:
    """Whether an antichain is to be compacted: now and then, the more rarely the longer it is."""
    size = len(antichain)
    return size > 2 * EXACT and not size & (size - 1)


def _compact(antichain: Events, order: HappensBefore, last: bool) -> Events:
    """Now and then one entry per chain, so that antichains do not grow with the program."""
    if not grown(antichain):
        return antichain
    chosen: dict[int, int] = {}
    for event in antichain if last else reversed(antichain):
        chosen[order.chain[event]] = event
    return tuple(sorted(chosen.values()))


def with_latest(antichain: Events, event: int, order: HappensBefore) -> Events:
    """`antichain` with `event`, without (most of) what happens before it."""
    if antichain and antichain[-1] == event:
        return antichain
    newest = antichain[-EXACT:]
    kept = tuple(e for e in newest if not order.before(e, event))
    if len(kept) == len(newest):
        return _compact(with_entry(antichain, event), order, last=True)
    return (*antichain[:-EXACT], *kept, event)


def with_earliest(antichain: Events, event: int, order: HappensBefore) -> Events:
    """`antichain` with `event`, unless one of (the last) entries happens before it."""
    if any(e == event or order.before(e, event) for e in antichain[-EXACT:]):
        return antichain
    return _compact(with_entry(antichain, event), order, last=False)


def first_before(events: Iterable[int], event: int, order: HappensBefore) -> int:
    """The first of `events` that happens before `event`, or NONE."""
    return next((e for e in events if order.before(e, event)), NONE)


def unordered(events: Events, event: int, order: HappensBefore) -> Events:
    """Those of `events` that do not happen before `event`."""
    if not events:
        return events
    return tuple(e for e in events if not order.before(e, event))


def in_domain(pairs: PerDomain, domain: int) -> Events:
    """The events of `domain`."""
    for key, events in pairs:
        if key == domain:
            return events
    return ()


def with_domain(pairs: PerDomain, domain: int, events: Events) -> PerDomain:
    """`pairs` with `events` for `domain`, in the order of domains."""
    rest = [pair for pair in pairs if pair[0] != domain]
    return tuple(sorted([*rest, (domain, events)])) if rest else ((domain, events),)


def lines(spans: Iterable[Span], size: int) -> tuple[Span, ...]:
    """`spans`, sorted, rounded out to lines of `size` bytes and merged."""
    return merged(Span(s.start // size * size, -(-s.end // size) * size) for s in spans)


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """`spans` sorted, with those that meet or overlap joined."""
    result: list[Span] = []
    for span in sorted(spans):
        if span.start >= span.end:
            continue
        if result and span.start <= result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return tuple(result)


def without(spans: Iterable[Span], holes: Iterable[Span]) -> tuple[Span, ...]:
    """The bytes of `spans` that are in none of `holes`; both sorted and disjoint."""
    result: list[Span] = []
    rest = list(reversed(tuple(holes)))
    for span in spans:
        start = span.start
        while rest and rest[-1].end <= start:
            rest.pop()
        index = len(rest) - 1
        while index >= 0 and rest[index].start < span.end:
            if rest[index].start > start:
                result.append(Span(start, rest[index].start))
            start = max(start, rest[index].end)
            index -= 1
        if start < span.end:
            result.append(Span(start, span.end))
    return tuple(result)
