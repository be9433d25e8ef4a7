"""Small random race-free programs, about half of them right.

Random accesses in a random order; what the checker finds missing is placed, and placed again,
until it is content (were it content too early, the explorer would say so); then mutations:
operations are deleted, moved, shrunk, given to another agent, turned into another kind.
"""

import random
from dataclasses import dataclass, field, replace

from zcir.runtime.checker import Action, Rule, check
from zcir.runtime.event_builder import GraphBuilder, mixed_memory
from zcir.runtime.events import EventGraph, EventKind
from zcir.runtime.machine import Machine, WriteBack

AGENTS = ("a", "b", "c")
MAINTENANCE = (EventKind.FLUSH, EventKind.INVALIDATE, EventKind.DISCARD)
MAX_EVENTS = 8
MAX_ROUNDS = 8

Range = tuple[int, int]


@dataclass(frozen=True)
class Node:
    """An event without its place in the order."""

    agent: str
    kind: EventKind
    reads: tuple[Range, ...] = ()
    writes: tuple[Range, ...] = ()
    target: tuple[Range, ...] = ()
    flushed: bool = False


@dataclass
class Sketch:
    """A program while it is made: nodes, and the order as edges between their indices."""

    machine: Machine
    size: int
    nodes: list[Node] = field(default_factory=list[Node])
    edges: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])

    def order(self) -> list[int] | None:
        """The nodes in a linear extension, or None if the edges have a cycle."""
        left = dict.fromkeys(range(len(self.nodes)))
        order: list[int] = []
        while left:
            ready = [n for n in left if not any(b == n and a in left for a, b in self.edges)]
            if not ready:
                return None
            order.append(ready[0])
            del left[ready[0]]
        return order

    def graph(self) -> tuple[EventGraph, list[int]]:
        """The event graph, and the node of each event but the first, an alloca of all bytes."""
        order = self.order()
        assert order is not None
        builder = GraphBuilder()
        builder.alloca(AGENTS[0], "%x", 0, self.size)
        event_of = {node: index + 1 for index, node in enumerate(order)}
        for index in order:
            node = self.nodes[index]
            builder.event(
                node.agent,
                node.kind,
                after={0} | {event_of[a] for a, b in self.edges if b == index},
                reads=node.reads,
                writes=node.writes,
                target=node.target,
                flushed=node.flushed,
            )
        return builder.graph, order

    def insert(self, node: Node, after: int | None, before: int | None) -> None:
        """Add a node between two others."""
        self.nodes.append(node)
        new = len(self.nodes) - 1
        if after is not None:
            self.edges.add((after, new))
        if before is not None:
            self.edges.add((new, before))

    def upkeep(self) -> int:
        """Maintenance operations."""
        return sum(node.kind in MAINTENANCE for node in self.nodes)

    def events(self) -> int:
        """Nodes that act."""
        return sum(node.kind is not EventKind.SYNC for node in self.nodes)


def _machine(rng: random.Random, memory: str) -> tuple[Machine, int]:
    """Three domains and the size of two of their largest lines, 1 to 4 locations each."""
    if memory == "mixed":
        lines = rng.choice([(1, 2, 4), (2, 4, 4), (2, 2, 4), (1, 1, 2), (4, 2, 1), (4, 4, 1)])
        modes = [rng.choice(list(WriteBack)) for _ in AGENTS]
    else:
        lines = (rng.choice([1, 2, 2, 4]),) * 3
        modes = [WriteBack(memory)] * 3
    domains = [((a,), n, m) for a, n, m in zip(AGENTS, lines, modes, strict=True)]
    return mixed_memory(*domains), 2 * max(lines)


def _range(rng: random.Random, size: int) -> Range:
    """One to three locations, mostly of the first line, so that accesses meet."""
    line = size // 2
    base = 0 if rng.random() < 0.75 else line
    start = base + rng.randrange(line)
    return start, rng.randint(start + 1, min(size, start + rng.choice([1, 2, 3])))


def _accesses(rng: random.Random, sketch: Sketch) -> None:
    """Two to four accesses, in an order without races."""
    for index in range(rng.choice([2, 3, 3, 4, 4])):
        kind = rng.random()
        span = (_range(rng, sketch.size),)
        reads = span if kind < 0.45 or kind > 0.85 else ()
        writes = span if kind >= 0.45 else ()
        if kind > 0.95:
            writes = (_range(rng, sketch.size),)
        flushed = bool(writes) and rng.random() < 0.05
        sketch.nodes.append(
            Node(rng.choice(AGENTS), EventKind.ACCESS, reads, writes, flushed=flushed)
        )
        for before in range(index):
            if rng.random() < 0.6:
                sketch.edges.add((before, index))


def _place(rng: random.Random, sketch: Sketch) -> bool:
    """Add what the checker finds missing until it finds nothing; whether that was possible."""
    for _ in range(MAX_ROUNDS):
        graph, order = sketch.graph()
        reports = [
            r for r in check(graph, sketch.machine).reports if r.rule is not Rule.UNINITIALIZED
        ]
        if not reports:
            return True
        for missing in rng.choice(reports).missing:
            after = order[missing.after.id - 1] if missing.after else None
            before = order[missing.before.id - 1] if missing.before else None
            if missing.action is Action.ORDER:
                assert after is not None
                assert before is not None
                sketch.edges.add((after, before))
            else:
                target = tuple((span.start, span.end) for span in missing.spans)
                kind = EventKind(missing.action.value)
                sketch.insert(Node(missing.agent, kind, target=target), after, before)
        if sketch.order() is None or sketch.events() > MAX_EVENTS:
            return False
    return False


def _mutate(rng: random.Random, sketch: Sketch) -> None:
    """Change one maintenance operation, or add one."""
    upkeep = [i for i, node in enumerate(sketch.nodes) if node.kind in MAINTENANCE]
    change = rng.choice(["delete", "delete", "move", "move", "shrink", "agent", "kind", "add"])
    if change == "add" or not upkeep:
        node = Node(rng.choice(AGENTS), rng.choice(MAINTENANCE), target=(_range(rng, sketch.size),))
        ends = rng.sample(range(len(sketch.nodes)), 2)
        sketch.insert(node, *[end if rng.random() < 0.8 else None for end in ends])
        return
    index = rng.choice(upkeep)
    node = sketch.nodes[index]
    if change == "delete":
        sketch.nodes[index] = replace(node, kind=EventKind.SYNC, target=())
    elif change == "move":
        sketch.nodes[index] = replace(node, kind=EventKind.SYNC, target=())
        ends = rng.sample(range(len(sketch.nodes)), 2)
        sketch.insert(node, *[end if rng.random() < 0.8 else None for end in ends])
    elif change == "shrink":
        start, end = rng.choice(node.target)
        sketch.nodes[index] = replace(node, target=((start, max(start + 1, end - 1)),))
    elif change == "agent":
        sketch.nodes[index] = replace(node, agent=rng.choice(AGENTS))
    else:
        sketch.nodes[index] = replace(node, kind=rng.choice(MAINTENANCE))


def _faults(sketch: Sketch) -> set[Rule]:
    reports = check(sketch.graph()[0], sketch.machine).reports
    return {report.rule for report in reports} - {Rule.UNINITIALIZED}


def random_program(seed: int, memory: str) -> tuple[EventGraph, Machine]:
    """A program for `memory`: "bytes" or "line" write-back, or "mixed" line sizes and both.

    Even seeds are mutated up to three times, odd ones until something is found.
    """
    rng = random.Random(f"{memory} {seed}")
    while True:
        sketch = Sketch(*_machine(rng, memory))
        _accesses(rng, sketch)
        if not _place(rng, sketch) or sketch.upkeep() < rng.choice([0, 1, 2, 2, 3]):
            continue
        for _ in range(8 if seed % 2 else rng.choice([0, 1, 2, 3])):
            mutant = Sketch(sketch.machine, sketch.size, list(sketch.nodes), set(sketch.edges))
            _mutate(rng, mutant)
            if mutant.order() is not None and mutant.events() <= MAX_EVENTS:
                sketch = mutant
            if seed % 2 and _faults(sketch):
                break
        if Rule.RACE not in _faults(sketch):
            return sketch.graph()[0], sketch.machine
