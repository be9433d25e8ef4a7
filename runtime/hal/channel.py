"""Channels of collectives: a program on one machine is the only participant of its groups."""

from dataclasses import dataclass

from ..errors import unimplemented

UNKNOWN = -1
"""A rank or count that the runtime is to supply."""


@dataclass(frozen=True, slots=True)
class Channel:
    """One participant's part in a group."""

    rank: int = 0
    """Which participant."""
    count: int = 1
    """How many there are."""


def create_channel(rank: int = UNKNOWN, count: int = UNKNOWN) -> Channel:
    """The channel of a group; UNIMPLEMENTED for one that has other participants."""
    if count not in (UNKNOWN, 1) or rank not in (UNKNOWN, 0):
        raise unimplemented(
            f"a channel of participant {rank} of {count} is not implemented: a machine takes part "
            "in groups of one; give rank 0 and count 1, or neither"
        )
    return Channel()
