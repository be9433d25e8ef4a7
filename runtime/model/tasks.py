"""What the tasks of a model follow when addresses change, and which addresses are fixed.

    in (model io) -> identity (feature map) -> k, which takes its addresses once
    with a feature map that may move:  identity's output and k's input are fixed

A task that takes its addresses once has all that would have to be refreshed fixed instead; who is
at the other end of such an address inherits that (GE-54, GE-55).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from ...dialects.io_plan import MemoryUse, ModelTask
from ..host.errors import ErrorCode, HostError
from .memory_types import MemoryAppType, Refresh, argument_refresh
from .options import OPERATION


@dataclass(frozen=True, slots=True)
class TaskRefresh:
    """What one task follows."""

    task: ModelTask
    arguments: tuple[Refresh, ...]
    """By argument."""
    fixed: tuple[int, ...]
    """The arguments that would follow something, did the task take new addresses."""

    @property
    def total(self) -> Refresh:
        """What any argument follows; NONE for a task that a refresh never visits."""
        return reduce(lambda all, one: all | one, self.arguments, Refresh.NONE)


def classify_tasks(tasks: Sequence[ModelTask], *, feature_map: bool) -> tuple[TaskRefresh, ...]:
    """What each task of a model follows.

    Args:
        tasks: of the plan, whose peers are numbers in this list.
        feature_map: whether the feature map may move.

    Raises HostError INVALID_MODEL_PARAMETER for a task that takes its addresses once, where the
    peer of such an address in the feature map does more than copy (GE-55).
    """
    natural = [
        [argument_refresh(_app_type(a.use), feature_map=feature_map) for a in task.arguments]
        for task in tasks
    ]
    fixed: list[set[int]] = [set() for _ in tasks]
    for number, task in enumerate(tasks):
        if task.refreshable:
            continue
        for index, argument in enumerate(task.arguments):
            if not natural[number][index]:
                continue
            fixed[number].add(index)
            for peer in argument.peers:
                _check_peer(task, tasks[peer], argument.use)
                fixed[peer].update(_facing(tasks[peer], number, writes=not argument.writes))
    return tuple(
        TaskRefresh(
            task,
            tuple(
                Refresh.NONE if index in fixed[number] else kind
                for index, kind in enumerate(natural[number])
            ),
            tuple(sorted(index for index in fixed[number] if natural[number][index])),
        )
        for number, task in enumerate(tasks)
    )


def _app_type(use: MemoryUse) -> MemoryAppType:
    return MemoryAppType(use.value)


def _check_peer(task: ModelTask, peer: ModelTask, use: MemoryUse) -> None:
    if use is MemoryUse.FEATURE_MAP and not peer.copies:
        raise HostError(
            ErrorCode.INVALID_MODEL_PARAMETER,
            OPERATION,
            f"only support peer node type Identity, but get {peer.kind}({peer.name}): "
            f"{task.kind}({task.name}) takes its addresses once, and the feature map may move; put "
            "a copy between them",
            parameter="feature_map_refreshable",
            value=True,
        )


def _facing(peer: ModelTask, number: int, *, writes: bool) -> list[int]:
    """The arguments of `peer` at the other end of an address of task `number`."""
    if not peer.copies:
        return []
    return [
        index
        for index, argument in enumerate(peer.arguments)
        if argument.writes == writes and number in argument.peers
    ]
