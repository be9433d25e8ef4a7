"""A recorded command buffer decoded to a flat program: commands, barriers, and what waits for what.

Decoding turns barriers into dependences once; an execution only counts them down. The number of
edges is linear in the commands for any fixed set of stage masks.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .commands import Command
from .flags import ExecutionStage
from .recorder import Source
from .refs import Table

if TYPE_CHECKING:
    from .command_buffer import CommandBuffer

_STAGES = (ExecutionStage.DISPATCH, ExecutionStage.TRANSFER)
"""The stages that commands are in."""


@dataclass(frozen=True, slots=True)
class Barrier:
    """Orders all before it in its source stages against all after it in its target stages."""

    source: Source
    before: ExecutionStage
    after: ExecutionStage

    def record_into(self, target: "CommandBuffer", table: Table) -> None:
        """Record it into another command buffer, as the commands beside it."""
        target.execution_barrier(self.before, self.after, self.source)


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Nodes in the order of recording, which is a linear extension of their dependences."""

    nodes: tuple[Command | Barrier, ...]
    commands: tuple[Command, ...]
    """The nodes without the barriers."""
    preds: tuple[tuple[int, ...], ...]
    """For each node the nodes that it directly follows, ascending."""
    succs: tuple[tuple[int, ...], ...]
    """For each node those that directly follow it, ascending."""
    roots: tuple[int, ...]
    """Nodes that follow none."""
    sinks: tuple[int, ...]
    """Nodes that none follows."""
    maintains: tuple[bool, ...]
    """For each node whether it is a flush, invalidate or discard."""
    segments: tuple[int, ...]
    """For each node the number of the stretch between maintenance and other work it lies in."""


class _Order:
    """Follows which barriers and commands a next node directly follows."""

    def __init__(self) -> None:
        self._commands: dict[ExecutionStage, list[int]] = {stage: [] for stage in _STAGES}
        self._barriers: dict[tuple[ExecutionStage, ExecutionStage], int] = {}
        """The last barrier for each pair of masks: it covers what earlier ones of the pair do."""

    def command(self, stage: ExecutionStage, index: int) -> tuple[int, ...]:
        """Add a command in `stage` and return what it follows."""
        self._commands[stage].append(index)
        return tuple(sorted(self._covering(stage)))

    def barrier(self, before: ExecutionStage, after: ExecutionStage, index: int) -> tuple[int, ...]:
        """Add a barrier and return what it follows."""
        preds = self._covering(before)
        for stage in _STAGES:
            if stage not in before:
                continue
            # An earlier barrier whose source stages are among ours stands for all it covers.
            base = max(
                (
                    at
                    for (sources, _), at in self._barriers.items()
                    if stage in sources and sources in before
                ),
                default=-1,
            )
            if base >= 0:
                preds.add(base)
            commands = self._commands[stage]
            preds.update(commands[bisect_right(commands, base) :])
        self._barriers[before, after] = index
        return tuple(sorted(preds))

    def _covering(self, stages: ExecutionStage) -> set[int]:
        """The last barriers whose target stages meet `stages`, without those covered by later."""
        meeting = [
            (at, sources) for (sources, targets), at in self._barriers.items() if targets & stages
        ]
        return {
            at
            for at, sources in meeting
            if not any(later > at and sources in wider for later, wider in meeting)
        }


def decode(nodes: Sequence[Command | Barrier]) -> Program:
    """The program of recorded commands and barriers."""
    order = _Order()
    preds: list[tuple[int, ...]] = []
    for index, node in enumerate(nodes):
        if isinstance(node, Barrier):
            preds.append(order.barrier(node.before, node.after, index))
        else:
            preds.append(order.command(node.stage, index))
    succs: list[list[int]] = [[] for _ in nodes]
    for index, before in enumerate(preds):
        for other in before:
            succs[other].append(index)
    return Program(
        nodes=tuple(nodes),
        commands=tuple(node for node in nodes if isinstance(node, Command)),
        preds=tuple(preds),
        succs=tuple(map(tuple, succs)),
        roots=tuple(index for index, before in enumerate(preds) if not before),
        sinks=tuple(index for index, after in enumerate(succs) if not after),
        maintains=tuple(isinstance(node, Command) and node.maintains for node in nodes),
        segments=_segments(nodes),
    )


def _segments(nodes: Sequence[Command | Barrier]) -> tuple[int, ...]:
    segments: list[int] = []
    current, maintains = 0, None
    for node in nodes:
        if isinstance(node, Command):
            if maintains is not None and node.maintains is not maintains:
                current += 1
            maintains = node.maintains
        segments.append(current)
    return tuple(segments)
