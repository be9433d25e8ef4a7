"""What the rules share while one graph is judged: order, domains, findings, use of maintenance."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ..events import Event, EventGraph, Span
from ..machine import Machine, Pool
from .intervals import IntervalMap
from .order import HappensBefore
from .report import Action, Rule
from .state import NONE, ByteState, Origin


class Gap(NamedTuple):
    """A missing operation: what, by whom, after and before which events (or NONE)."""

    action: Action
    agent: str
    after: int
    before: int


class Finding(NamedTuple):
    """A fault at a byte. Events are ids, NONE where a role is not filled; see `Report`."""

    rule: Rule
    variant: str
    at: int
    write: int = NONE
    read: int = NONE
    other: int = NONE
    misplaced: int = NONE
    gaps: tuple[Gap, ...] = ()
    origin: Origin | None = None

    def cause(self) -> tuple[object, ...]:
        """Equal for findings that are one fault: one rule, one pair of operations."""
        read = self.read if self.rule in (Rule.RACE, Rule.STALE) else NONE
        origin = self.origin.event if self.origin else NONE
        return (self.rule, self.variant, self.at, self.write, self.other, read, origin, self.gaps)


class Place(NamedTuple):
    """Bytes of a finding, and the alloca (alive) or dealloca (freed) of their buffer, or NONE."""

    span: Span
    owner: int


Step = Callable[[ByteState], ByteState]


@dataclass
class Context:
    """The state of one run of the checker."""

    graph: EventGraph
    machine: Machine
    order: HappensBefore = field(init=False)
    domain: list[int] = field(init=False)
    """The coherence domain of each event's agent."""
    bytes: IntervalMap[ByteState] = field(init=False)
    findings: dict[tuple[object, ...], tuple[Finding, list[Place]]] = field(init=False)
    acts: set[int] = field(init=False)
    """Maintenance with something before it to act on."""
    useful: set[int] = field(init=False)
    """Maintenance that does something no maintenance before it has done."""
    used: set[int] = field(init=False)
    """Maintenance that some rule relies on: without the rest every rule holds as it does now."""

    def __post_init__(self) -> None:
        self.order = HappensBefore(self.graph.events)
        domains = {
            agent: index
            for index, domain in enumerate(self.machine.domains)
            for agent in domain.agents
        }
        for event in self.graph.events:
            if event.agent not in domains:
                raise ValueError(
                    f"expected an agent of the machine ({', '.join(sorted(domains))}), "
                    f"got {event.agent!r} of event {event.id}"
                )
        self._domains = domains
        self.domain = [domains[event.agent] for event in self.graph.events]
        self.bytes = IntervalMap(ByteState())
        self.findings = {}
        self.acts = set()
        self.useful = set()
        self.used = set()
        self._pools = sorted(self.machine.pools, key=lambda pool: pool.base)
        self._bases = [pool.base for pool in self._pools]
        self._shared = {
            pool.name for pool in self._pools if len(self.machine.reaching_domains(pool.name)) > 1
        }
        self._found: list[Finding] = []
        self._origins: dict[tuple[int, int], Origin] = {}

    def event(self, event: int) -> Event:
        """The event with an id."""
        return self.graph.events[event]

    def domain_of(self, agent: str) -> int:
        """The domain of an agent, or NONE for ""."""
        return self._domains.get(agent, NONE)

    def pools_of(self, span: Span) -> list[Pool]:
        """The pools that `span` meets, in address order."""
        first = max(bisect_right(self._bases, span.start) - 1, 0)
        return [
            pool
            for pool in self._pools[first : bisect_right(self._bases, span.end - 1)]
            if pool.base < span.end and span.start < pool.base + pool.size
        ]

    def shared(self, spans: Iterable[Span]) -> bool:
        """Whether agents of more than one domain reach some of the pools of `spans`."""
        return any(p.name in self._shared for span in spans for p in self.pools_of(span))

    def found(self, finding: Finding) -> None:
        """Record a fault at the byte that a step is judging."""
        self._found.append(finding)

    def note(self, finding: Finding, span: Span, state: ByteState) -> None:
        """Record a fault at all bytes of `span`, whose history is `state`."""
        owner = state.alive[-1] if state.alive else state.freed
        places = self.findings.setdefault(finding.cause(), (finding, []))[1]
        places.append(Place(span, owner))

    def origin(self, event: int, source: Origin | None = None) -> Origin:
        """The origin of undefined contents, the same object for the same arguments."""
        key = (event, id(source))
        return self._origins.setdefault(key, Origin(event, source))

    def apply(self, spans: Iterable[Span], step: Step) -> None:
        """Take each byte of `spans` through `step`, once for all bytes of equal history."""
        memo: dict[int, tuple[ByteState, ByteState, list[Finding]]] = {}

        def change(run: Span, state: ByteState) -> ByteState:
            known = memo.get(id(state))
            if known is None:
                self._found = []
                known = memo[id(state)] = (state, step(state), self._found)
            for finding in known[2]:
                self.note(finding, run, state)
            return known[1]

        for span in spans:
            self.bytes.update(span, change)

    def preferred(self, events: Iterable[int], event: int) -> int:
        """One of `events` that happens before `event`, if possible one relied on; else NONE."""
        first = NONE
        for candidate in events:
            if self.order.before(candidate, event):
                if candidate in self.used:
                    return candidate
                if first == NONE:
                    first = candidate
        return first
