"""Happens-before between the nodes of a timeline (regions, allocations, joins), in linear cost.

Nodes are added in an order that honours their edges. Each node lies on one chain, a path of
edges, and carries a clock: for every chain, how far along it the node's past reaches. A node
that merely continues a chain shares the clock of the node before it, so a chain of n nodes
costs n.

    a = add(), b = add(a), c = add(a)       covers(b, a), not covers(b, c)

Does not handle: more than `WIDTH` chains in one clock. The oldest are then forgotten: `covers`
may answer False for nodes that are ordered, never True for nodes that are not.
"""

from collections.abc import Iterable, Mapping

WIDTH = 256
"""Entries kept in one clock."""


class Timeline:
    """Records nodes with their direct predecessors and answers which are ordered."""

    def __init__(self) -> None:
        self._chain: list[int] = []
        self._position: list[int] = []
        self._clock: list[Mapping[int, int]] = []
        self._tail: list[int] = []

    def add(self, *preds: int) -> int:
        """Append a node that follows `preds`; gives its number, counting from 0."""
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
        self._clock.append(self._clock_after(preds, extended))
        return node

    def _clock_after(self, preds: tuple[int, ...], extended: int | None) -> Mapping[int, int]:
        others = [p for p in preds if p != extended and not self._within(extended, p)]
        base: Mapping[int, int] = {} if extended is None else self._clock[extended]
        if not others:
            return base
        clock = dict(base)
        for pred in others:
            for chain, position in self._clock[pred].items():
                if clock.get(chain, -1) < position:
                    clock[chain] = position
            chain, position = self._chain[pred], self._position[pred]
            if clock.get(chain, -1) < position:
                clock[chain] = position
        while len(clock) > WIDTH:
            del clock[next(iter(clock))]
        return clock

    def _within(self, later: int | None, node: int) -> bool:
        return later is not None and self.covers(later, node)

    def covers(self, later: int, earlier: int) -> bool:
        """Whether `earlier` is `later` or happens before it."""
        chain, position = self._chain[earlier], self._position[earlier]
        if self._chain[later] == chain and self._position[later] >= position:
            return True
        return self._clock[later].get(chain, -1) >= position

    def reduce(self, nodes: Iterable[int], *given: int) -> list[int]:
        """`nodes` without those that another of them, or one of `given`, already follows.

        Cost: a list of n nodes is one pass over their clocks. The order is kept.
        """
        unique = list(dict.fromkeys(nodes))
        reach: dict[int, int] = {}
        for node in (*unique, *given):
            for chain, position in self._clock[node].items():
                reach[chain] = max(reach.get(chain, -1), position)
        # On its own chain a node covers what stands before it, not itself.
        last: dict[int, int] = {}
        for node in unique:
            chain = self._chain[node]
            last[chain] = max(last.get(chain, -1), self._position[node])
        for node in given:
            chain = self._chain[node]
            reach[chain] = max(reach.get(chain, -1), self._position[node])
        return [
            node
            for node in unique
            if reach.get(self._chain[node], -1) < self._position[node]
            and last[self._chain[node]] == self._position[node]
        ]
