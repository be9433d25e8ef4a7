"""What is wrong with a program on all its paths, as plain data.

A fault is `DEFINITE` if every run that gets to the operation where it shows goes wrong there, and
`MAY` if some path that leads there is right, or if what the operation touches is known only as an
upper bound. Paths are those of the control flow: which of them inputs take is not asked. So no
fault is missed, and a program may be accused of a path that no input takes.

Does not handle: reads of bytes that were never written (discarded ones it does), reach, bounds.
A resource at an offset that is not constant counts as all of its storage.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ...dialects import stream
from ...dialects.coherence_text import BytesOf
from ...dialects.location import value_name
from ...dialects.topology import Topology
from .byte_state import ByteState, Fault, Item, Mark, Rule
from .items import Happenings
from .memory_events import WHOLE_END, Kind, MemoryEvent, Storage
from .segment_reader import Level
from .stream_reader import StreamLevel
from .walk import Arrival, Track, Walker


class Certainty(StrEnum):
    """On which paths a fault is one."""

    DEFINITE = "definite"
    MAY = "may"


class Action(StrEnum):
    """What a program lacks."""

    FLUSH = "flush"
    INVALIDATE = "invalidate"
    DISCARD = "discard"
    ORDER = "order"
    WRITE = "write"


class Missing(NamedTuple):
    """One operation, whose place is after `after` and before `before`."""

    action: Action
    agent: str
    """"" for an order."""
    after: MemoryEvent
    before: MemoryEvent


class Roles(NamedTuple):
    """Who does what in a fault."""

    at: MemoryEvent
    """Where it is reported."""
    write: MemoryEvent | None
    read: MemoryEvent | None
    other: MemoryEvent | None
    """lost, discarded: the invalidate or discard; clobber: who holds dirty lines; false sharing:
    the carry; race: the second write; lifetime: the dealloca."""


@dataclass(frozen=True, slots=True)
class CoherenceFault:
    """One broken rule, with one cause."""

    rule: Rule
    roles: Roles
    bytes: tuple[BytesOf, ...]
    """Sorted, disjoint, not adjacent; of the storage."""
    missing: tuple[Missing, ...]
    certainty: Certainty
    ordered: bool
    """False sharing: the two are ordered."""


@dataclass(slots=True)
class _Finding:
    """A fault while it is being collected."""

    rule: Rule
    roles: Roles
    ordered: bool
    missing: tuple[Missing, ...]
    pieces: dict[Track, set[int]] = field(default_factory=dict[Track, set[int]])
    sites: set[MemoryEvent] = field(default_factory=set[MemoryEvent])
    """Where it shows."""


_Key = tuple[object, ...]
_LEFTOVERS = frozenset({Rule.CLOBBER, Rule.LIFETIME})
_OF_VALUES = frozenset({Rule.STALE, Rule.LOST, Rule.FALSE_SHARING})


def find_faults(
    module: ModuleOp,
    topology: Topology | None = None,
    level: type[Level] = StreamLevel,
    sources: ModuleOp | None = None,
) -> list[CoherenceFault]:
    """All faults of a module, in the order of the text.

    Args:
        module: it is not changed.
        topology: the machine, where it is not the one that the module states.
        level: of the module.
        sources: where the kernels are of which it has only binaries.

    Raises:
        OpError: what the control flow or the number of histories does not allow to follow.
    """
    return _Verifier(module, Walker(module, topology, level, sources)).run()


class _Verifier:
    def __init__(self, module: ModuleOp, walker: Walker) -> None:
        self.module = module
        self.walker = walker
        self.findings: dict[_Key, _Finding] = {}
        self.tracks_at: dict[MemoryEvent, set[Track]] = {}
        self.sure: set[tuple[MemoryEvent, Rule, Track]] = set()
        """Where each history of some byte of the storage breaks a rule."""

    def run(self) -> list[CoherenceFault]:
        for track in self.walker.tracks:
            for pieces, items in self.walker.items(track).classes():
                self._class(track, pieces, items)
        found = [self._fault(finding) for finding in self._without_followers()]
        places = {op: number for number, op in enumerate(self.module.walk())}
        found.sort(key=lambda fault: (places[fault.roles.at.op], fault.rule.value, fault.bytes))
        return found

    def _class(self, track: Track, pieces: list[int], items: Happenings) -> None:
        """Note what happens to bytes of one history."""
        met: Counter[MemoryEvent] = Counter()
        broken: Counter[tuple[MemoryEvent, Rule]] = Counter()
        for arrival in self.walker.arrivals(track, items):
            event = arrival.item.mark.event
            if arrival.item.flushes and event.kind is Kind.ACCESS:
                continue  # The host closes its mapping.
            met[event] += 1
            faults = _own(track, arrival.faults)
            broken.update((event, rule) for rule in {fault.rule for fault in faults})
            if not _is_exact(arrival.item):
                met[event] += 1  # As if a history there were without fault.
            for fault in faults:
                self._note(track, pieces, items, arrival, fault)
        for event in met:
            self.tracks_at.setdefault(event, set()).add(track)
        self.sure.update((e, rule, track) for (e, rule), n in broken.items() if n == met[e])

    def _note(
        self,
        track: Track,
        pieces: list[int],
        items: Happenings,
        arrival: Arrival,
        fault: Fault,
    ) -> None:
        roles = _roles(arrival, fault)
        missing = self._missing(track, items, fault, roles)
        lacks = tuple(gap.action for gap in missing)
        # The readers that one operation serves are one fault.
        one_reader = fault.rule is Rule.RACE or Action.INVALIDATE in lacks
        reader = roles.read if one_reader and fault.rule is not Rule.FALSE_SHARING else None
        at = None if fault.rule is Rule.STALE else roles.at
        if fault.rule in (Rule.EARLY, Rule.FREED):
            at = roles.at.region or at  # One wait serves all uses of a region.
        key = (fault.rule, at, roles.write, roles.other, reader, lacks, fault.ordered)
        finding = self.findings.get(key)
        if finding is None:
            finding = self.findings[key] = _Finding(fault.rule, roles, fault.ordered, missing)
        finding.pieces.setdefault(track, set()).update(pieces)
        finding.sites.add(arrival.item.mark.event)

    # What is missing.

    def _missing(
        self, track: Track, items: Happenings, fault: Fault, roles: Roles
    ) -> tuple[Missing, ...]:
        at, write, read, other = roles
        match fault.rule:
            case Rule.STALE if write is not None:
                return self._to_fresh(track, items, fault, write, at)
            case Rule.FALSE_SHARING if fault.ordered and write is not None:
                return self._to_fresh(track, items, fault, write, at)
            case Rule.LOST if write is not None and other is not None:
                return (Missing(Action.FLUSH, write.agent, write, other),)
            case Rule.CLOBBER if other is not None and write is not None:
                return (Missing(Action.FLUSH, other.agent, other, write),)
            case Rule.LIFETIME if write is not None:
                return (Missing(Action.DISCARD, write.agent, write, at),)
            case Rule.DEAD if read is not None and other is not None:
                return (Missing(Action.WRITE, read.agent, other, read),)
            case _:
                first, second = fault.write.event, fault.other.event
                if fault.rule is Rule.EARLY:
                    first, second = second, first
                return (Missing(Action.ORDER, "", first, second),)

    def _to_fresh(
        self,
        track: Track,
        items: Happenings,
        fault: Fault,
        write: MemoryEvent,
        event: MemoryEvent,
    ) -> tuple[Missing, ...]:
        """What the chain write, flush, invalidate, access lacks."""
        flush = Missing(Action.FLUSH, write.agent, write, event)
        invalidate = Missing(Action.INVALIDATE, event.agent, write, event)
        if fault.flushed:
            return (invalidate,)
        tried = {visit: list(_with_flush(happening, fault)) for visit, happening in items.items()}
        left = self.walker.walk(track, tried)
        same = {(f.rule, f.write, f.other) for f in left}
        healed = (fault.rule, fault.write, fault.other) not in same
        return (flush,) if healed else (flush, invalidate)

    # Putting together.

    def _without_followers(self) -> Iterator[_Finding]:
        """Findings whose cause no other one tells: for want of a flush lines stay dirty, too."""
        unflushed = {
            (finding.roles.write, track, piece)
            for finding in self.findings.values()
            if finding.rule in _OF_VALUES
            and any(gap.action is Action.FLUSH for gap in finding.missing)
            for track, pieces in finding.pieces.items()
            for piece in pieces
        }
        for finding in self.findings.values():
            if finding.rule in _LEFTOVERS:
                clobber = finding.rule is Rule.CLOBBER
                dirty = finding.roles.other if clobber else finding.roles.write
                for track, pieces in finding.pieces.items():
                    pieces.difference_update([p for p in pieces if (dirty, track, p) in unflushed])
            if any(finding.pieces.values()):
                yield finding

    def _fault(self, finding: _Finding) -> CoherenceFault:
        definite = any(
            all((site, finding.rule, track) in self.sure for track in self.tracks_at[site])
            for site in finding.sites
        )
        return CoherenceFault(
            finding.rule,
            finding.roles,
            tuple(_bytes(finding.pieces)),
            finding.missing,
            Certainty.DEFINITE if definite else Certainty.MAY,
            finding.ordered,
        )


def _own(track: Track, faults: Iterable[Fault]) -> list[Fault]:
    """The faults that count, in order: memory of one cache may be given back dirty, and what else
    is wrong where two accesses race depends on an order that does not exist."""
    kept = sorted(
        (fault for fault in faults if track.shared or fault.rule is not Rule.LIFETIME),
        key=lambda fault: fault.order,
    )
    races = [fault for fault in kept if fault.rule is Rule.RACE]
    return races or kept


def _is_exact(item: Item) -> bool:
    """Whether the event certainly does to the byte what the item says."""
    event, shift = item.mark
    if not event.certain or shift is None or item.may_write:
        return False
    return not (item.carries and event.may_write)


def _with_flush(items: Sequence[Item], fault: Fault) -> Iterator[Item]:
    """What happens to a byte, with a flush right after the write."""
    for item in items:
        yield item
        if item.mark == fault.write and (item.writes or item.may_write):
            yield Item(item.mark, item.node, item.domain, flushes=True, named=False)


def _roles(arrival: Arrival, fault: Fault) -> Roles:
    """Who is who in a fault that shows at an event."""
    item, state, *_ = arrival
    here, write, other = item.mark.event, fault.write.event, fault.other.event
    match fault.rule:
        case Rule.STALE:
            return Roles(here, write, here, None)
        case Rule.RACE:
            if state.last is not None and state.last.mark == fault.write:
                return (
                    Roles(here, write, here, None) if item.reads else Roles(here, write, None, here)
                )
            return Roles(here, here, write, None)
        case Rule.LOST:
            return Roles(other, write, _reader(arrival, fault), other)
        case Rule.DEAD:
            reader = _reader(arrival, fault)
            return Roles(reader, write, reader, other)
        case Rule.CLOBBER:
            return Roles(other, other, here, write)
        case Rule.FALSE_SHARING:
            last = None if state.last is None else state.last.mark
            if last == fault.other and last != fault.write:
                write, other = other, write
            return Roles(other, write, _reader(arrival, fault), other)
        case Rule.LIFETIME:
            return Roles(here, write, None, here)
        case Rule.FREED | Rule.EARLY:
            return Roles(write, None, None, other)


def _reader(arrival: Arrival, fault: Fault) -> MemoryEvent:
    """The reader that wants the value: the one that comes, or one that came before."""
    item, state, *_ = arrival
    if item.reads:
        return item.mark.event
    latest = max(_readers(state, fault), key=lambda mark: mark.order, default=item.mark)
    return latest.event


def _readers(state: ByteState, fault: Fault) -> Iterator[Mark]:
    """Those that have read the value already."""
    for write in (state.last, *state.old):
        if write is not None and write.mark == fault.write:
            yield from (mark for mark, _ in write.readers)


def _bytes(found: dict[Track, set[int]]) -> Iterator[BytesOf]:
    for track, pieces in found.items():
        name = _name(track.storage)
        runs: list[tuple[int, int]] = []
        for piece in sorted(pieces):
            start, end = track.piece(piece)
            if runs and runs[-1][1] == start:
                runs[-1] = runs[-1][0], end
            else:
                runs.append((start, end))
        for start, end in runs:
            yield name, start, None if end >= WHOLE_END else end


def _name(storage: Storage) -> str:
    """As the runtime calls it: an import after what it imports."""
    value = storage.root
    if value.name_hint is None and isinstance(storage.op, stream.TensorImportOp):
        value = storage.op.source
    return value_name(value)
