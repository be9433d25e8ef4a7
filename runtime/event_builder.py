"""Event graphs and machines by hand: for examples, tests and experiments with the memory model.

```python
machine = shared_memory(("host", "a"), ("b",), line=64)
graph = GraphBuilder()
x = graph.alloca("host", "%x", 0, 64)
w = graph.access("a", writes=[(0, 64)])
f = graph.flush("a", (0, 64))
i = graph.invalidate("b", (0, 64))
r = graph.access("b", reads=[(0, 64)])
check(graph.graph, machine)
```
"""

from collections.abc import Iterable, Sequence

from .events import BufferRange, Event, EventGraph, EventKind, Span
from .machine import Domain, Machine, Pool, WriteBack

Range = tuple[int, int]
"""The bytes [start, end) of the flat address space."""


def shared_memory(
    *domains: Sequence[str], line: int = 64, write_back: WriteBack = WriteBack.BYTES
) -> Machine:
    """A machine of one pool, `shared` at address 0, that every agent of `domains` reaches.

    Each of `domains` names the agents of one coherence domain; all have lines of `line` bytes.
    """
    return mixed_memory(*((agents, line, write_back) for agents in domains))


def mixed_memory(*domains: tuple[Sequence[str], int, WriteBack]) -> Machine:
    """As `shared_memory`, each domain with its own line size and write-back."""
    pool = Pool("shared", domains[0][0][0], 0, 1 << 20)
    reach = {agent: frozenset(("shared",)) for agents, _, _ in domains for agent in agents}
    return Machine(
        tuple(Domain(tuple(sorted(agents)), line, mode) for agents, line, mode in domains),
        (pool,),
        reach,
        reach,
    )


def _spans(ranges: Iterable[Range]) -> tuple[Span, ...]:
    return tuple(Span(start, end) for start, end in sorted(ranges))


class GraphBuilder:
    """Appends events to `graph` and gives their ids.

    `after` lists direct predecessors; by default an event comes after the one appended last.
    """

    def __init__(self) -> None:
        self.graph = EventGraph()
        self._buffers: dict[int, BufferRange] = {}

    def event(
        self,
        agent: str,
        kind: EventKind,
        *,
        after: Iterable[int] | None = None,
        reads: Iterable[Range] = (),
        writes: Iterable[Range] = (),
        target: Iterable[Range] = (),
        copies: Iterable[tuple[Range, Range]] = (),
        borrowed: Iterable[Range] = (),
        flushed: bool = False,
        location: str = "",
        label: str = "",
    ) -> int:
        """Any event; the methods below are shorter."""
        index = len(self.graph.events)
        if after is None:
            after = (index - 1,) if index else ()
        self.graph.events.append(
            Event(
                index,
                agent,
                kind,
                tuple(sorted(after)),
                _spans(reads),
                _spans(writes),
                _spans(target),
                label,
                location,
                flushed,
                _spans(borrowed),
                tuple((Span(*source), Span(*into)) for source, into in copies),
            )
        )
        return index

    def alloca(
        self,
        agent: str,
        name: str,
        start: int,
        end: int,
        *,
        borrowed: bool = False,
        after: Iterable[int] | None = None,
        location: str = "",
    ) -> int:
        """The buffer `name` at [start, end) begins to live."""
        lent = [(start, end)] if borrowed else []
        index = self.event(
            agent,
            EventKind.ALLOCA,
            after=after,
            writes=[(start, end)],
            borrowed=lent,
            location=location,
        )
        buffer = BufferRange(name, Span(start, end), "shared", (index, None))
        self._buffers[index] = buffer
        self.graph.buffers.append(buffer)
        return index

    def dealloca(
        self, agent: str, alloca: int, *, after: Iterable[int] | None = None, location: str = ""
    ) -> int:
        """The buffer of `alloca` ends its life."""
        buffer = self._buffers[alloca]
        whole = (buffer.span.start, buffer.span.end)
        index = self.event(
            agent, EventKind.DEALLOCA, after=after, writes=[whole], location=location
        )
        buffer.events = (alloca, index)
        return index

    def access(
        self,
        agent: str,
        *,
        reads: Iterable[Range] = (),
        writes: Iterable[Range] = (),
        after: Iterable[int] | None = None,
        flushed: bool = False,
        location: str = "",
        label: str = "",
    ) -> int:
        """A command or host action that reads, then writes."""
        return self.event(
            agent,
            EventKind.ACCESS,
            after=after,
            reads=reads,
            writes=writes,
            flushed=flushed,
            location=location,
            label=label,
        )

    def copy(
        self,
        agent: str,
        source: Range,
        target: Range,
        *,
        after: Iterable[int] | None = None,
        location: str = "",
    ) -> int:
        """A copy command."""
        return self.event(
            agent,
            EventKind.ACCESS,
            after=after,
            reads=[source],
            writes=[target],
            copies=[(source, target)],
            location=location,
        )

    def flush(
        self,
        agent: str,
        *target: Range,
        after: Iterable[int] | None = None,
        location: str = "",
    ) -> int:
        """A flush of `target` by `agent`."""
        kind = EventKind.FLUSH
        return self.event(agent, kind, after=after, target=target, location=location)

    def invalidate(
        self,
        agent: str,
        *target: Range,
        after: Iterable[int] | None = None,
        location: str = "",
    ) -> int:
        """An invalidate of `target` by `agent`."""
        kind = EventKind.INVALIDATE
        return self.event(agent, kind, after=after, target=target, location=location)

    def discard(
        self,
        agent: str,
        *target: Range,
        after: Iterable[int] | None = None,
        location: str = "",
    ) -> int:
        """A discard of `target` by `agent`."""
        kind = EventKind.DISCARD
        return self.event(agent, kind, after=after, target=target, location=location)

    def sync(self, agent: str, *, after: Iterable[int] | None = None, label: str = "") -> int:
        """A submission, barrier, signal, wait or join: orders only."""
        return self.event(agent, EventKind.SYNC, after=after, label=label)
