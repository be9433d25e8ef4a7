"""The event graph of one run, as plain data: what the runtime records and the checker judges.

Events are numbered in a linear extension of happens-before (hb); `after` holds the direct
predecessors, hb is their transitive closure. Which order the simulator happened to choose is
not in it: events that no edge orders are unordered, whatever their numbers.
"""

from dataclasses import dataclass, field
from enum import StrEnum

HOST_ACTION = -1
"""In place of a submission in the key of an event: the host acts."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The bytes [start, end) of the flat address space of the machine."""

    start: int
    end: int


class EventKind(StrEnum):
    """What an event does."""

    ACCESS = "access"
    """Reads `reads`, then writes `writes`: a dispatch, copy, fill, update or host access."""
    FLUSH = "flush"
    INVALIDATE = "invalidate"
    DISCARD = "discard"
    ALLOCA = "alloca"
    """From here on `writes` is the storage of a buffer with undefined contents."""
    DEALLOCA = "dealloca"
    """Up to here `writes` is the storage of a buffer."""
    SYNC = "sync"
    """Orders only: a submission, barrier, signal, wait or join."""


@dataclass(frozen=True, slots=True)
class Event:
    """One node of the graph."""

    id: int
    agent: str
    """The agent that acts: "host" or a device's name; its domain is what maintenance acts on."""
    kind: EventKind
    after: tuple[int, ...]
    """Ids of direct hb predecessors, each smaller than `id`."""
    reads: tuple[Span, ...] = ()
    """Bytes read, sorted, disjoint. They precede the own writes."""
    writes: tuple[Span, ...] = ()
    """Bytes written (ACCESS) or the storage range (ALLOCA, DEALLOCA), sorted, disjoint."""
    target: tuple[Span, ...] = ()
    """Bytes named by a FLUSH, INVALIDATE or DISCARD, before rounding to lines."""
    label: str = ""
    """The op or host action, as a person names it: `stream.cmd.dispatch @f::@g`."""
    location: str = ""
    """`file:line:col` of the op, or "" where unknown."""
    flushed: bool = False
    """For the host's filling of an import: its writes count as flushed by the host right after."""
    borrowed: tuple[Span, ...] = ()
    """For ALLOCA of an import that the caller did not give away: bytes that must not be written."""
    copies: tuple[tuple[Span, Span], ...] = ()
    """For copies: (source, target) pairs; uninitialised bytes pass through these unreported."""
    skipped: bool = False
    """For maintenance that the runtime does not execute, since no other domain reaches the memory
    (`Machine.reaching_domains`): it has no effect, on dirty bytes neither."""
    transfer: bool = False
    """For ACCESS: a copy, fill or update command, which reaches `Machine.by_copy`; anything else
    reaches `Machine.in_place`. Events with `copies` are transfers anyway."""
    key: tuple[int, int] | None = None
    """What it is called under every schedule of the program: (submission, command) or
    (`HOST_ACTION`, number of the host's action); None for what is no action of its own."""


@dataclass(slots=True)
class BufferRange:
    """A named storage range, for messages: `%result_0 (@f, t.mlir:12:3)` at `span`."""

    name: str
    span: Span
    pool: str
    events: tuple[int, int | None]
    """Ids of its ALLOCA and of its DEALLOCA (None: alive at the end)."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A semaphore reached a value. Signals of one semaphore must be hb-ordered."""

    semaphore: str
    """Its name, unique in the run."""
    value: int
    event: int
    """Id of the SYNC event that signaled it."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait that never ends: the run stopped there."""

    agent: str
    """Who waits: "host", or the device of a submission that never starts."""
    label: str
    """The op or submission that waits, as a person names it."""
    location: str
    """`file:line:col` of the op, or "" where unknown."""
    fence: str
    """The name of the fence."""
    pending: tuple[str, ...]
    """Its timepoints that are not reached: `semaphore at 0 of 1`."""
    never: tuple[str, ...]
    """Those of them that no submission left would signal; without any the waits are a circle."""


@dataclass(slots=True)
class EventGraph:
    """All events of one run, by id, and the buffers they touch."""

    events: list[Event] = field(default_factory=list[Event])
    buffers: list[BufferRange] = field(default_factory=list[BufferRange])
    signals: list[Signal] = field(default_factory=list[Signal])
    """In the order of their events."""
    stuck: list[Wait] = field(default_factory=list[Wait])
    """Waits that never end, that of the host first; empty for a run that came to its end."""
