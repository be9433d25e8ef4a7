"""When each event of a run happens, in simulated time.

An event starts when all that it directly follows has ended and its engine is free, and takes what
the cost model says. Engines are the host, and for each device its compute units, a copy engine for
each direction, and its cache maintenance; each does one thing at a time. Waits and signals take
no time and no engine, so that the result depends on what the program orders, blocks on and lets
overlap. The signal of a submission comes after its last command, flushes included (IR-31).

An engine serves events in the order in which they were recorded, but lets a later one pass that
fits into a gap before: work that is ready does not wait for work that is not.
"""

from bisect import bisect_right, insort
from dataclasses import dataclass, field

from .costs import CostModel
from .events import Event, EventGraph, EventKind
from .machine import HOST

HOST_PROGRAM = "program"
"""The engine of all that the host does."""


@dataclass(slots=True)
class EngineTime:
    """The times at which an engine is busy: disjoint, ascending, not adjacent."""

    busy: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])

    def reserve(self, ready: float, duration: float) -> float:
        """Take the first free time of that length from `ready` on; when it starts."""
        if duration <= 0:
            return ready
        index = bisect_right(self.busy, (ready, float("inf")))
        start = max(ready, self.busy[index - 1][1]) if index else ready
        while index < len(self.busy) and self.busy[index][0] < start + duration:
            start = self.busy[index][1]
            index += 1
        self._add(start, start + duration)
        return start

    def _add(self, start: float, end: float) -> None:
        index = bisect_right(self.busy, (start, float("inf")))
        if index < len(self.busy) and self.busy[index][0] == end:
            end = self.busy.pop(index)[1]
        if index and self.busy[index - 1][1] == start:
            start = self.busy.pop(index - 1)[0]
        insort(self.busy, (start, end))


@dataclass(slots=True)
class Timeline:
    """Start, end and engine of each event, by id. Follows a graph that still grows."""

    graph: EventGraph
    model: CostModel
    starts: list[float] = field(default_factory=list[float])
    """Nanoseconds."""
    ends: list[float] = field(default_factory=list[float])
    """Nanoseconds."""
    engines: list[str] = field(default_factory=list[str])
    """The agent's engine that an event occupies; "" for none."""
    host_ns: float = 0.0
    """When the last event of the host ended: the host's clock."""
    makespan_ns: float = 0.0
    """When the last event of all ended."""
    _times: dict[tuple[str, str], EngineTime] = field(
        default_factory=dict[tuple[str, str], EngineTime]
    )

    def advance(self) -> "Timeline":
        """Take in the events recorded since the last call; itself."""
        for event in self.graph.events[len(self.ends) :]:
            self._place(event)
        return self

    def _place(self, event: Event) -> None:
        ready = max((self.ends[before] for before in event.after), default=0.0)
        duration = self.model.duration(event)
        engine = engine_of(event, self.model)
        start = ready
        if engine not in ("", HOST_PROGRAM):
            times = self._times.setdefault((event.agent, engine), EngineTime())
            start = times.reserve(ready, duration)
        end = start + duration
        self.starts.append(start)
        self.ends.append(end)
        self.engines.append(engine)
        self.makespan_ns = max(self.makespan_ns, end)
        if event.agent == HOST:
            self.host_ns = max(self.host_ns, end)

    def busy_ns(self, agent: str, engine: str) -> float:
        """How long an engine was busy in all."""
        times = self._times.get((agent, engine))
        return 0.0 if times is None else sum(end - start for start, end in times.busy)


def engine_of(event: Event, model: CostModel) -> str:
    """The engine of its agent that an event occupies: `compute`, `copy in` from host memory,
    `copy out` to it, `copy` elsewhere, `cache`; "" for none, `program` for the host's."""
    if event.agent == HOST:
        return HOST_PROGRAM
    if event.kind is EventKind.ACCESS:
        if not event.copies and not event.transfer:
            return "compute"
        if _touches_host(event, model, writes=False):
            return "copy in"
        return "copy out" if _touches_host(event, model, writes=True) else "copy"
    if event.kind in (EventKind.SYNC, EventKind.ALLOCA, EventKind.DEALLOCA) or event.skipped:
        return ""
    return "cache"


def _touches_host(event: Event, model: CostModel, writes: bool) -> bool:
    spans = event.writes if writes else event.reads
    return any(pool not in model.topology.device_names for pool in model.pools(spans))
