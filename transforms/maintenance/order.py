"""When something happened, as one segment sees it, and what happens before what.

Inside of the segment that is being read a position is a node of its timeline; from before it the
set of timepoints that are reached after it.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ..analysis.host_graph import Value
from ..analysis.timeline import Past, Timeline

Position = int | frozenset[Value]
"""A node of this segment, or the timepoints that cover something earlier."""

ALWAYS: frozenset[Value] = frozenset({""})
"""The position of what the host has waited for: it happens before all that is to come."""

T = TypeVar("T")


class Order:
    """Happens-before in a segment.

    Args:
        timeline: of the segment.
        entries: the nodes of the timepoints that are known at its start.
    """

    def __init__(self, timeline: Timeline, entries: Mapping[Value, int]) -> None:
        self._timeline = timeline
        self._entries = entries
        self._known: dict[tuple[frozenset[Value], int], bool] = {}

    def before(self, position: Position, node: int) -> bool:
        """Whether what happened at `position` happens before `node`, or there."""
        if isinstance(position, int):
            return self._timeline.covers(node, position)
        if position is ALWAYS or position == ALWAYS:
            return True
        result = self._known.get((position, node))
        if result is None:
            result = self._known[position, node] = any(
                self._timeline.covers(node, self._entries[t])
                for t in position
                if t in self._entries
            )
        return result

    def unfollowed(self, entries: Sequence[tuple[T, Position]]) -> list[tuple[T, Position]]:
        """Those of `entries`, in the order in which they came, that happen before none that came
        later at a node of this segment."""
        past = Past(self._timeline)
        kept: list[tuple[T, Position]] = []
        for entry in reversed(entries):
            if not self._is_in(entry[1], past):
                kept.append(entry)
            if isinstance(entry[1], int):
                past.include(entry[1])
        kept.reverse()
        return kept

    def _is_in(self, position: Position, past: Past) -> bool:
        if isinstance(position, int):
            return position in past
        if position == ALWAYS:
            return bool(past)
        return any(self._entries[t] in past for t in position if t in self._entries)
