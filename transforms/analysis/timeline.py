"""Happens-before between the nodes of a timeline (regions, allocations, joins), in linear cost.

Nodes are added in an order that honours their edges. Each node lies on one chain, a path of
edges, and carries a clock: for every chain, how far along it the node's past reaches. A node
that merely continues a chain shares the clock of the node before it; where pasts meet, the new
clock states only what its base, the largest of theirs, lacks.

    a = add(), b = add(a), c = add(a)       covers(b, a), not covers(b, c)

Nodes that work side by side until all of them are done are a group (`open`, `close`). What comes
after the group knows only the node that closes it, and so no clock grows with a group's width.

Does not handle: more than `WIDTH` chains in one clock. The oldest are then forgotten: `covers`
may answer False for nodes that are ordered, never True for nodes that are not; `may_cover`
answers True where something was forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

WIDTH = 4096
"""Entries kept in one clock."""

_DEPTH = 32
"""Clocks on a path of bases, at most; then one is written out in full."""

_FEW = 8
"""Up to so many nodes are compared with each other one by one."""


@dataclass(eq=False, slots=True)
class _Clock:
    """Positions on chains: `delta`, and what `base` says of other chains."""

    base: _Clock | None
    delta: dict[int, int]
    depth: int = 0
    size: int = 0
    """At least the number of chains."""
    forgetful: bool = False

    def path(self) -> Iterator[_Clock]:
        clock: _Clock | None = self
        while clock is not None:
            yield clock
            clock = clock.base

    def get(self, chain: int) -> int:
        for clock in self.path():
            position = clock.delta.get(chain)
            if position is not None:
                return position
        return -1

    def entries(self, known: set[int] | None = None) -> Iterator[tuple[int, int]]:
        """Entries, newer ones first; those of clocks in `known` are left out."""
        for clock in self.path():
            if known is not None and id(clock) in known:
                return
            yield from clock.delta.items()

    def written_out(self) -> _Clock:
        full: dict[int, int] = {}
        for clock in reversed(list(self.path())):
            full.update(clock.delta)
        forgetful = self.forgetful or len(full) > WIDTH
        for chain in list(full)[: max(0, len(full) - WIDTH)]:
            del full[chain]
        return _Clock(None, full, 0, len(full), forgetful)


_EMPTY = _Clock(None, {})


class Group(NamedTuple):
    """Nodes that one node closes."""

    first: int
    """The first of them."""
    chains: int
    """The first chain that begins in it."""


class Timeline:
    """Records nodes with their direct predecessors and answers which are ordered."""

    def __init__(self) -> None:
        self._chain: list[int] = []
        self._position: list[int] = []
        self._clock: list[_Clock] = []
        self._tail: list[int] = []
        self._closed_by: list[int] = []
        """The node that closes the innermost closed group of a node; 0 for none."""

    def add(self, *preds: int) -> int:
        """Append a node that follows `preds`; gives its number, counting from 0."""
        return self._add(preds, None)

    def _add(self, preds: Sequence[int], chains: int | None) -> int:
        """Append a node; of chains from `chains` on its clock need tell nothing."""
        node = len(self._chain)
        extended = next((p for p in preds if self._tail[self._chain[p]] == p), None)
        if extended is None:
            self._chain.append(len(self._tail))
            self._position.append(0)
            self._tail.append(node)
        else:
            chain = self._chain[extended]
            self._chain.append(chain)
            self._position.append(self._position[extended] + 1)
            self._tail[chain] = node
        self._clock.append(self._clock_after(preds, extended, chains))
        self._closed_by.append(0)
        return node

    def open(self) -> Group:
        """Begin a group: the nodes that are added from now on."""
        return Group(len(self._chain), len(self._tail))

    def close(self, group: Group, *preds: int) -> int:
        """Append a node that follows `preds` and, through them, all nodes of a group.

        What follows a node of the group from now on has to follow this one, too.
        """
        node = self._add(preds, group.chains)
        member = group.first
        while member < node:
            if inner := self._closed_by[member]:
                member = inner
            else:
                self._closed_by[member] = node
                member += 1
        return node

    def _clock_after(
        self, preds: Sequence[int], extended: int | None, chains: int | None
    ) -> _Clock:
        own = _EMPTY if extended is None else self._clock[extended]
        others = [p for p in preds if p != extended]
        if not others:
            return own
        clocks = [own, *(self._clock[p] for p in others)]
        base = max(clocks, key=lambda clock: clock.size)
        known = {id(clock) for clock in base.path()}
        delta: dict[int, int] = {}

        def note(chain: int, position: int) -> None:
            if chains is not None and chain >= chains:
                return
            if max(delta.get(chain, -1), base.get(chain)) < position:
                delta[chain] = position

        for clock in clocks:
            for chain, position in clock.entries(known):
                note(chain, position)
        for pred in others:
            note(self._chain[pred], self._position[pred])
        forgetful = any(clock.forgetful for clock in clocks)
        if not delta and forgetful == base.forgetful:
            return base
        size, depth = base.size + len(delta), base.depth + 1
        merged = _Clock(base, delta, depth, size, forgetful)
        return merged.written_out() if depth >= _DEPTH or size > WIDTH else merged

    def covers(self, later: int, earlier: int) -> bool:
        """Whether `earlier` is `later` or happens before it."""
        while 0 < (closed := self._closed_by[earlier]) <= later:
            earlier = closed
        chain, position = self._chain[earlier], self._position[earlier]
        if self._chain[later] == chain and self._position[later] >= position:
            return True
        return self._clock[later].get(chain) >= position

    def may_cover(self, later: int, earlier: int) -> bool:
        """Like `covers`, but True where the past of `later` is not known in full."""
        return self._clock[later].forgetful or self.covers(later, earlier)

    def reduce(self, nodes: Iterable[int], *given: int) -> list[int]:
        """`nodes` without those that another of them, or one of `given`, already follows.

        The order is kept.
        """
        unique = [n for n in dict.fromkeys(nodes) if not any(self.covers(g, n) for g in given)]
        if len(unique) <= _FEW:
            return [n for n in unique if not any(o != n and self.covers(o, n) for o in unique)]
        past = Past(self)
        last: set[int] = set()
        for node in sorted(unique, reverse=True):
            if node not in past:
                last.add(node)
            past.include(node)
        return [node for node in unique if node in last]

    def reach(self, node: int) -> tuple[int, int, _Clock]:
        """For `Past`: the chain of a node, its position there, and its clock."""
        return self._chain[node], self._position[node], self._clock[node]

    def closing(self, node: int) -> int:
        """The node that closes the group of `node`; 0 if there is none."""
        return self._closed_by[node]


class Past:
    """Some nodes and all that happens before any of them. Including a node costs what the past of
    those before it lacks."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._reach: dict[int, int] = {}
        """By chain how far the past goes."""
        self._known: set[int] = set()
        """Clocks that are part of it, by id."""

    def include(self, node: int) -> None:
        """Add a node and its past."""
        chain, position, clock = self._timeline.reach(node)
        self._extend(chain, position)
        for other, reached in clock.entries(self._known):
            self._extend(other, reached)
        for part in clock.path():
            if id(part) in self._known:
                break
            self._known.add(id(part))

    def _extend(self, chain: int, position: int) -> None:
        if self._reach.get(chain, -1) < position:
            self._reach[chain] = position

    def __contains__(self, node: int) -> bool:
        while True:
            chain, position, _ = self._timeline.reach(node)
            if self._reach.get(chain, -1) >= position:
                return True
            node = self._timeline.closing(node)
            if not node:
                return False

    def __bool__(self) -> bool:
        return bool(self._reach)
