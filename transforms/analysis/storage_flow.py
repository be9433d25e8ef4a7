"""Which values may have one storage because control flow or a call carries it from one to another.

```mlir
%r = scf.for … iter_args(%x = %init) {
  %1 = stream.async.update … -> %x as …      // in the first iteration this is the storage of %init
  scf.yield %1
}
stream.async.dispatch @f(%init)              // and here its old contents are read: a conflict
```

Within one storage, the tree of its names and versions says who may update it (`versions.py`);
here it is told which trees are connected, by the edges of `value_flow.py`. Two values that are
there at one point of the program have one storage only if the edges by which the later one came
say so: with `%a` and `%b` carried by one loop, `(%b, %a)` yielded and `(%i, %j)` before, `%a` and
`%b` are one only if `%i` and `%j` are. Storage that is allocated later is never that of a value
that was there before.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stream
from ...dialects.walk import walk
from .call_summaries import CallSummaries
from .flow_order import LOOPS, FlowOrder
from .storage import is_call, is_resource
from .value_flow import Edge, value_edges

SPLITTABLE = frozenset(
    ("cf.br", "cf.cond_br", "cf.switch", "scf.condition", "scf.for", "scf.while", "scf.yield")
)
"""Ops before which a value can be cloned for what they carry it to."""


class Entry(NamedTuple):
    """An operand of an op that carries it on, so that a clone can take its place."""

    carrier: Operation
    operand: int


@dataclass(slots=True)
class StorageFlow:
    """The edges between the storages of `function`.

    `calls` says what functions give; without, what they took may be anything that they give.
    `origin` gives the first name of a value's contents, `root` that of its storage, `tree` all
    names and versions below a value.
    """

    function: Operation
    calls: CallSummaries | None
    origin: Callable[[SSAValue], SSAValue]
    root: Callable[[SSAValue], SSAValue]
    tree: Callable[[SSAValue], Iterator[SSAValue]]
    order: FlowOrder = field(init=False)
    sources: dict[SSAValue, list[Edge]] = field(default_factory=dict[SSAValue, list[Edge]])
    """What each carried value comes from."""
    targets: dict[SSAValue, list[Edge]] = field(default_factory=dict[SSAValue, list[Edge]])
    _split: set[Entry] = field(default_factory=set[Entry])

    def __post_init__(self) -> None:
        self.order = FlowOrder(self.function)
        for edge in (*value_edges(self.function), *self._call_edges()):
            if isinstance(edge.source.type, stream.ResourceType):
                self.sources.setdefault(edge.target, []).append(edge)
                self.targets.setdefault(edge.source, []).append(edge)

    def split(self, entry: Entry) -> None:
        """What `entry` carries is a clone."""
        self._split.add(entry)

    @contextmanager
    def without(self, entries: Iterable[Entry]) -> Generator[None]:
        """Within the context, what `entries` carry are clones."""
        added = set(entries) - self._split
        self._split |= added
        try:
            yield
        finally:
            self._split -= added

    def edges(self) -> Iterator[Edge]:
        """All edges that carry storage on."""
        return (edge for edges in self.sources.values() for edge in edges if self._holds(edge))

    def _holds(self, edge: Edge) -> bool:
        return Entry(edge.carrier, edge.operand) not in self._split

    def connected(self, value: SSAValue) -> list[SSAValue]:
        """The values, of all trees, whose storage edges connect to that of `value`, itself too."""
        if not self.sources:
            return list(self.tree(self.root(value)))
        found: dict[SSAValue, None] = {}
        pending = [self.root(value)]
        roots = set(pending)
        while pending:
            for name in self.tree(pending.pop()):
                found[name] = None
                ends = [edge.source for edge in self.sources.get(name, ()) if self._holds(edge)]
                ends += [edge.target for edge in self.targets.get(name, ()) if self._holds(edge)]
                for end in ends:
                    if (root := self.root(end)) not in roots:
                        roots.add(root)
                        pending.append(root)
        return list(found)

    def origins(self, value: SSAValue) -> Iterator[SSAValue]:
        """The first names of all contents that `value` may be carried from, its own included.

        What lies before an update in place is left out: the storage was judged for that.
        """
        seen = {self.origin(value)}
        pending = list(seen)
        while pending:
            name = pending.pop()
            yield name
            for edge in self.sources.get(name, ()):
                source = self.origin(edge.source)
                if self._holds(edge) and source not in seen:
                    seen.add(source)
                    pending.append(source)

    def carries(self, user: Operation, value: SSAValue) -> bool:
        """Whether `user` only hands `value` on to values of this function."""
        return any(edge.carrier is user for edge in self.targets.get(value, ()))

    def may_share(self, left: SSAValue, right: SSAValue) -> bool:
        """Whether two values that are there at one point of the program may have one storage."""
        assumed: set[tuple[SSAValue, SSAValue]] = set()
        pending = [(left, right)]
        while pending:
            a, b = (self.root(value) for value in pending.pop())
            if a is b:
                return True
            if (a, b) in assumed:
                continue
            # Apart so far: what carries them apart keeps them so.
            assumed |= {(a, b), (b, a)}
            pending.extend(self._before(a, b))
        return False

    def _before(self, a: SSAValue, b: SSAValue) -> Iterable[tuple[SSAValue, SSAValue]]:
        """The pairs of which one must have had one storage for `a` and `b` to have."""
        if a.owner is b.owner and a in self.sources and b in self.sources:
            pairs = zip(self.sources[a], self.sources[b], strict=False)
            return [(x.source, y.source) for x, y in pairs if self._holds(x) and self._holds(y)]
        if self.order.bound_at(a) < self.order.bound_at(b):
            a, b = b, a
        return [(edge.source, b) for edge in self.sources.get(a, ()) if self._holds(edge)]

    def entries(self, op: Operation, operand: SSAValue) -> list[Edge]:
        """The edges that give `operand` its storage, where clones on them can replace one at `op`.

        Those of a loop, which would else clone in each iteration, and those of a branch right
        before `op`.
        """
        root = self.root(operand)
        edges = [edge for edge in self.sources.get(root, ()) if self._holds(edge)]
        block = root.owner if isinstance(root.owner, Block) else root.owner.parent
        is_loop = any(self.comes_around(edge) for edge in edges)
        if not is_loop and block is not op.parent:
            return []
        return edges if all(edge.carrier.name in SPLITTABLE for edge in edges) else []

    def comes_around(self, edge: Edge) -> bool:
        """Whether `edge` is the way back of a loop."""
        block = edge.target.owner
        around = block.parent_op() if isinstance(block, Block) else None
        if around is None or edge.carrier is around:
            return False
        if around.name in LOOPS:
            return True
        assert isinstance(block, Block)
        return edge.carrier.parent is block or edge.carrier.parent in self.order.reach(block)

    def shares_through(self, edge: Edge, other: SSAValue) -> bool:
        """Whether the target of `edge` may have the storage of `other` by way of that edge."""
        root = self.root(other)
        if root.owner is edge.target.owner and root in self.sources:
            number = self.sources[edge.target].index(edge)
            return self.may_share(edge.source, self.sources[root][number].source)
        return self.may_share(edge.source, other)

    def _call_edges(self) -> Iterator[Edge]:
        """From the resources that a call takes to those that it gives, if it may give them."""
        for op in walk(self.function):
            if is_call(op):
                yield from any_edges(op) if self.calls is None else self.calls.edges(op)


def any_edges(call: Operation) -> Iterator[Edge]:
    """From each resource that `call` takes to each that it gives."""
    for number, operand in enumerate(call.operands):
        for result in call.results if is_resource(operand) else ():
            if is_resource(result):
                yield Edge(operand, result, call, number)
