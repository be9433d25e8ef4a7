"""What the checker has to say, as plain data: reports of faults and redundant maintenance."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from ..events import Event, Span, Wait


class Rule(StrEnum):
    """The rules of the memory model; `docs/memory-model.md` states each."""

    RACE = "race"
    STALE = "stale"
    LOST = "lost"
    CLOBBER = "clobber"
    FALSE_SHARING = "false-sharing"
    LIFETIME = "lifetime"
    UNINITIALIZED = "uninitialized"
    OUT_OF_BOUNDS = "out-of-bounds"
    UNREACHABLE = "unreachable"
    BORROWED = "borrowed"
    SIGNAL = "unordered-signals"
    DEADLOCK = "deadlock"


class Action(StrEnum):
    """What a program lacks."""

    FLUSH = "flush"
    INVALIDATE = "invalidate"
    DISCARD = "discard"
    ORDER = "order"
    """An execution barrier, fence wait or await that orders `after` before `before`."""
    WRITE = "write"
    """A write that gives the bytes contents."""


@dataclass(frozen=True, slots=True)
class EventRef:
    """An event as a report cites it; see `zcir.runtime.events.Event` for the fields."""

    id: int
    agent: str
    kind: str
    label: str
    location: str

    @classmethod
    def of(cls, event: Event) -> "EventRef":
        """The citation of `event`."""
        return cls(event.id, event.agent, event.kind.value, event.label, event.location)


@dataclass(frozen=True, slots=True)
class BufferBytes:
    """The bytes [start, end) of a buffer; of a pool where no buffer holds them."""

    name: str
    """The buffer's name; a pool's (`pool @a`) or "memory" for bytes of no buffer."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Missing:
    """One operation whose absence is the fault, and where to insert it.

    It belongs after `after` and before `before` in happens-before.
    """

    action: Action
    agent: str
    """The agent that must execute it; "" for an ORDER."""
    spans: tuple[Span, ...]
    """Bytes that it must cover, by address; none for an ORDER."""
    after: EventRef | None
    before: EventRef | None


@dataclass(frozen=True, slots=True)
class Report:
    """One fault, with one cause."""

    rule: Rule
    message: str
    """What is wrong, in one line without location."""
    at: EventRef
    """The event at fault; the diagnostic points here."""
    spans: tuple[Span, ...]
    """Bytes concerned, by address: sorted, disjoint, not adjacent."""
    bytes: tuple[BufferBytes, ...]
    """The same bytes, by buffer."""
    write: EventRef | None = None
    """The write whose value is in danger, or that is out of order."""
    read: EventRef | None = None
    """A read that may get a wrong value, or that is out of order."""
    other: EventRef | None = None
    """The operation that does the harm: an invalidate, discard or dealloca, the earlier write
    whose lines are still dirty, the command that carries stale bytes; for a race of two writes
    the second; the alloca or dealloca of a lifetime fault and of a borrowed import."""
    misplaced: EventRef | None = None
    """Maintenance that is there and covers the bytes, but comes too early to help."""
    missing: tuple[Missing, ...] = ()
    """What to insert, each with its place; empty where nothing inserted helps."""
    origin: tuple[EventRef, ...] = ()
    """Where uninitialized bytes come from: an alloca or discard, then the copies they took."""
    common: EventRef | None = None
    """For unordered pairs: the last event that happens before both, None if there is none."""
    waits: tuple[Wait, ...] = ()
    """For a deadlock: all waits that never end, the one at fault first."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents involved, in the order at fault, write, read, other."""
        refs = (self.at, self.write, self.read, self.other)
        return tuple(dict.fromkeys(ref.agent for ref in refs if ref is not None))

    def to_json(self) -> dict[str, Any]:
        """The report as a JSON row with stable keys."""
        return {"agents": list(self.agents)} | asdict(self)


class Redundancy(StrEnum):
    """Why a maintenance operation is not needed."""

    NEVER_DIRTY = "never-dirty"
    """Nothing happens before it for it to act on: no write of its domain to these lines and, for
    an invalidate or discard, no flush of them by another domain."""
    ALREADY_CLEAN = "already-clean"
    """Maintenance that happens before it has already done all that it does."""
    NO_LATER_READER = "no-later-reader"
    """It acts, but no later read or overwrite and no end of a lifetime relies on it."""
    COHERENT_MEMORY = "coherent-memory"
    """All agents that reach the memory are in one coherence domain."""


@dataclass(frozen=True, slots=True)
class RedundantOp:
    """A maintenance operation that can go: all those of one result can go together."""

    event: EventRef
    reason: Redundancy
    spans: tuple[Span, ...]
    bytes: tuple[BufferBytes, ...]

    @staticmethod
    def id_of(reason: Redundancy) -> str:
        """The stable rule id of findings of one class: `redundant-never-dirty`."""
        return f"redundant-{reason.value}"

    @property
    def rule_id(self) -> str:
        """The stable rule id of the finding."""
        return self.id_of(self.reason)

    def to_json(self) -> dict[str, Any]:
        """The finding as a JSON row with stable keys."""
        return {"rule": self.rule_id} | asdict(self)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """All that `check` found; right programs have no `reports`."""

    reports: tuple[Report, ...]
    """Faults in the order of the events at fault."""
    redundant: tuple[RedundantOp, ...]
    """Maintenance without effect, in event order."""
