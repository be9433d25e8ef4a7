"""Partitioning of a graph of coloured nodes into as few one-colour steps as edges allow.

The nodes are the ops of a block: device nodes carry the colour of the device that executes
them, host nodes carry `HOST`. A step of device nodes becomes one execution region, a step of
host nodes stays in the block between regions. Steps are in an order that honours every edge, so
the graph of steps has no cycle:

    a0 -> b0 -> a2, a0 -> a1        a = {a0, a1}, b = {b0}, a = {a2}

Each device step takes everything of its colour that is ready or becomes ready through the step
itself. The colour that has most changes of colour still ahead of it goes first; for two colours
the number of steps is then minimal. Cost: n log n in nodes plus edges.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

HOST = "<host>"
"""The colour of host nodes."""


@dataclass(frozen=True, slots=True)
class Step:
    """Nodes that are executed together."""

    colour: Hashable
    nodes: tuple[int, ...]
    """In ascending order."""
    awaits_devices: bool = False
    """A host step of which some node depends on a device node."""


def changes_ahead(colours: Sequence[Hashable], preds: Sequence[Sequence[int]]) -> list[int]:
    """For each node: the most changes of colour on a path that starts at it."""
    ahead = [0] * len(colours)
    for node in range(len(colours) - 1, -1, -1):
        for pred in preds[node]:
            length = ahead[node] + (colours[pred] != colours[node])
            ahead[pred] = max(ahead[pred], length)
    return ahead


class _Partitioner:
    def __init__(self, colours: Sequence[Hashable], preds: Sequence[Sequence[int]]) -> None:
        self.colours = colours
        self.ahead = changes_ahead(colours, preds)
        self.successors: list[list[int]] = [[] for _ in colours]
        self.open_preds = [0] * len(colours)
        self.after_device = [False] * len(colours)
        for node, node_preds in enumerate(preds):
            for pred in dict.fromkeys(node_preds):
                self.successors[pred].append(node)
                self.open_preds[node] += 1
                after = colours[pred] != HOST or self.after_device[pred]
                self.after_device[node] = self.after_device[node] or after
        self.host_now: list[int] = []
        self.host_later: list[int] = []
        self.device: dict[Hashable, list[tuple[int, int]]] = {}
        for node, count in enumerate(self.open_preds):
            if not count:
                self.make_ready(node)

    def make_ready(self, node: int) -> None:
        colour = self.colours[node]
        if colour != HOST:
            heappush(self.device.setdefault(colour, []), (-self.ahead[node], node))
        elif self.after_device[node]:
            heappush(self.host_later, node)
        else:
            heappush(self.host_now, node)

    def complete(self, node: int) -> None:
        for successor in self.successors[node]:
            self.open_preds[successor] -= 1
            if not self.open_preds[successor]:
                self.make_ready(successor)

    def host_step(self, ready: list[int], awaits_devices: bool) -> Step:
        nodes: list[int] = []
        while ready:
            node = heappop(ready)
            nodes.append(node)
            self.complete(node)
        return Step(HOST, tuple(nodes), awaits_devices)

    def device_step(self) -> Step:
        colour = min(
            (colour for colour, ready in self.device.items() if ready),
            key=lambda colour: self.device[colour][0],
        )
        ready = self.device[colour]
        nodes: list[int] = []
        while ready:
            node = heappop(ready)[1]
            nodes.append(node)
            self.complete(node)
        return Step(colour, tuple(sorted(nodes)))


def partition(colours: Sequence[Hashable], preds: Sequence[Sequence[int]]) -> list[Step]:
    """The steps, in execution order, that cover every node once.

    Host nodes that depend on no device node come first; host nodes that do wait until nothing
    more can be launched without them, and share one step, so that the host blocks rarely.

    Args:
        colours: colour of each node.
        preds: for each node the nodes before it; all smaller than the node.
    """
    work = _Partitioner(colours, preds)
    steps: list[Step] = []
    while True:
        if work.host_now:
            steps.append(work.host_step(work.host_now, awaits_devices=False))
        elif any(work.device.values()):
            steps.append(work.device_step())
        elif work.host_later:
            steps.append(work.host_step(work.host_later, awaits_devices=True))
        else:
            return steps


def waves(preds: Sequence[Sequence[int]]) -> list[list[int]]:
    """Nodes by length of the longest path that leads to them; no edge within a wave.

    Args:
        preds: for each node the nodes before it; all smaller than the node.
    """
    level: list[int] = []
    result: list[list[int]] = []
    for node, node_preds in enumerate(preds):
        level.append(1 + max((level[pred] for pred in node_preds), default=-1))
        if level[node] == len(result):
            result.append([])
        result[level[node]].append(node)
    return result
