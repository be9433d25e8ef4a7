"""How a device does cache maintenance."""

from enum import StrEnum


class Maintenance(StrEnum):
    """A back end's way to execute flush, invalidate and discard commands (IR-34).

    All ways give the same order of each command against those that it depends on.
    """

    QUEUE = "queue"
    """As commands of the queue."""
    HOST = "host"
    """As work of the host, done one after the other in the order in which it falls due."""
    SPLIT = "split"
    """As submissions of their own: all before the maintenance ends before it begins, and all
    after it begins when it has ended."""
    NONE = "none"
    """Not at all: recording them is refused with UNIMPLEMENTED (IR-17)."""
