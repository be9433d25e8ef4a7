"""Copies of neighbouring inputs from the host as one (GE-23).

    D1 [5632, 5832)   D0 [6144, 7144)      one copy of [5632, 7144), 1512 bytes

Blocks of inputs stand together, ordered by size, so that what lies between two of them is the
padding of the first. Their bytes are gathered in memory of the host, with that padding, and go over
in one command.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...dialects.io_plan import MemoryBlock, ModelInput
from ..host.copies import Move, read_source


@dataclass(frozen=True, slots=True)
class Arrival:
    """The copy of an input to its place in the model's memory."""

    io: ModelInput
    move: Move


def mergeable(arrivals: Sequence[Arrival], blocks: Sequence[MemoryBlock]) -> list[list[Arrival]]:
    """`arrivals` in groups of which each can be one copy, in the order of their first members.

    A group is of inputs that come from host memory and whose blocks follow each other; all but the
    last bring all of their bytes, so that nothing is overwritten that separate copies would leave.
    """
    at = {block.ordinal: block for block in blocks if block.is_input}
    groups: list[list[Arrival]] = []
    for arrival in sorted(arrivals, key=lambda one: _offset(one, at)):
        if groups and _continues(groups[-1][-1], arrival, at):
            groups[-1].append(arrival)
        else:
            groups.append([arrival])
    order = {arrival.io.ordinal: number for number, arrival in enumerate(arrivals)}
    return sorted(groups, key=lambda group: min(order[one.io.ordinal] for one in group))


def _offset(arrival: Arrival, blocks: dict[int, MemoryBlock]) -> int:
    block = blocks.get(arrival.io.ordinal)
    return -1 if block is None else block.offset


def _continues(before: Arrival, after: Arrival, blocks: dict[int, MemoryBlock]) -> bool:
    first, second = blocks.get(before.io.ordinal), blocks.get(after.io.ordinal)
    return (
        first is not None
        and second is not None
        and first.end == second.offset
        and _stand_together(before, after)
        and before.move.size == first.size
        and before.move.source.is_host
        and after.move.source.is_host
    )


def _stand_together(before: Arrival, after: Arrival) -> bool:
    """Whether both go to places of one memory that are as far apart as their logical addresses:
    what a model allocates for single inputs is elsewhere."""
    here, there = before.move.target.pointer, after.move.target.pointer
    if here is None or there is None or here.allocation is not there.allocation:
        return False
    distance = (after.io.offset or 0) - (before.io.offset or 0)
    return there.offset - here.offset == distance


def gathered(group: Sequence[Arrival]) -> NDArray[np.uint8]:
    """The bytes of a group from its first to its last, with zeros for padding."""
    first = group[0].io.offset or 0
    last = group[-1]
    result = np.zeros((last.io.offset or 0) + last.move.size - first, np.uint8)
    for arrival in group:
        start = (arrival.io.offset or 0) - first
        result[start : start + arrival.move.size] = read_source(arrival.move)
    return result
