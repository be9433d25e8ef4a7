"""Who is next: the order in which submissions and commands execute that nothing orders.

A policy picks; it cannot break an order. With the same policy and seed a run is the same.
"""

import random
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Protocol

from ..errors import invalid_argument
from ..memory import Memory
from .adversary import Adversary, Habit
from .recorder import Footprint
from .submission import Running

EVERYTHING = 1 << 62
"""As a number of steps: until nothing can be executed."""


class Policy(Protocol):
    """Chooses the order of execution."""

    @property
    def in_order(self) -> bool:
        """Whether the commands of one command buffer execute in the order of recording."""
        ...

    def host_steps(self, waited: bool) -> int:
        """How many commands may execute before the next action of the host, which has just
        `waited` for a fence that is reached, or has not."""
        ...

    def pick(self, running: Sequence[Running]) -> tuple[int, int] | None:
        """Which of the submissions executes next, and which of its choices; None: none yet."""
        ...


class CacheMoves(Protocol):
    """What caches do by themselves, around the commands and host actions of a run."""

    def before(self, domain: int, footprint: Footprint) -> None:
        """Moves before an agent of `domain` does what `footprint` says."""
        ...

    def after(self, domain: int, footprint: Footprint) -> None:
        """Moves after it."""
        ...


class Fifo:
    """Everything in the order of submission and recording, as early as possible."""

    in_order = True

    def host_steps(self, waited: bool) -> int:
        """See `Policy`."""
        return EVERYTHING

    def pick(self, running: Sequence[Running]) -> tuple[int, int]:
        """See `Policy`."""
        return 0, 0


class Deferred(Fifo):
    """The same order, and nothing before the host waits, as if devices were slow to start."""

    def host_steps(self, waited: bool) -> int:
        """See `Policy`."""
        return 0


class Random:
    """Any order, all choices alike."""

    in_order = False

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def host_steps(self, waited: bool) -> int:
        """See `Policy`."""
        return self._rng.choice((0, 0, 1, 3, 20, EVERYTHING))

    def pick(self, running: Sequence[Running]) -> tuple[int, int]:
        """See `Policy`."""
        choice = self._rng.randrange(sum(entry.choices() for entry in running))
        for index, entry in enumerate(running):
            if choice < entry.choices():
                return index, choice
            choice -= entry.choices()
        raise AssertionError("the choice is below the sum of choices")


class Latest:
    """The latest submission and the latest command first, and nothing before the host waits.

    Whatever should have been ordered and is not happens the wrong way round.
    """

    in_order = False

    def __init__(self, drain: bool) -> None:
        self._drain = drain
        """Whether a wait of the host also lets everything else end that it does not wait for."""

    def host_steps(self, waited: bool) -> int:
        """See `Policy`."""
        return EVERYTHING if waited and self._drain else 0

    def pick(self, running: Sequence[Running]) -> tuple[int, int]:
        """See `Policy`."""
        last = len(running) - 1
        # Host work comes after what the queue itself has ready.
        return last, max(len(running[last].ready) - 1, 0)


class ScheduleKind(StrEnum):
    """The ways to schedule a run."""

    FIFO = "fifo"
    DEFERRED = "deferred"
    RANDOM = "random"
    ADVERSARIAL = "adversarial"


_ORDERS: tuple[Callable[[int], Policy], ...] = (
    lambda seed: Latest(drain=False),
    lambda seed: Latest(drain=True),
    lambda seed: Fifo(),
    Random,
)
_LAZY, _DRAINING, _EAGER, _RANDOM = range(4)

_ADVERSARIES = (
    (_LAZY, Habit.HOARD),
    (_DRAINING, Habit.HOARD_AND_EVICT_LATE),
    (_EAGER, Habit.HOARD_AND_EVICT_LATE),
    (_EAGER, Habit.HOARD_AND_EVICT_LAST),
    (_RANDOM, Habit.MIXED),
    (_LAZY, Habit.HOARD_AND_EVICT_LAST),
    (_RANDOM, Habit.HOARD_AND_EVICT_LATE),
    (_RANDOM, Habit.ANYTHING),
)
"""What the first adversarial seeds do, the most telling first; those after draw theirs."""


_UNSEEDED = (ScheduleKind.FIFO, ScheduleKind.DEFERRED)


def parse_schedule(text: str) -> tuple[ScheduleKind, int]:
    """`fifo`, `deferred`, `random:SEED` or `adversarial:SEED`; INVALID_ARGUMENT for others."""
    name, _, seed = text.partition(":")
    if name in set(ScheduleKind) and seed.isdecimal() is not (name in _UNSEEDED):
        return ScheduleKind(name), int(seed or 0)
    raise invalid_argument(
        f"schedule `{text}` is unknown; expected fifo, random:SEED or adversarial:SEED"
    )


def make_policy(
    schedule: str, memory: Memory, *, eviction: bool = True, prefetch: bool = True
) -> tuple[Policy, Adversary | None]:
    """The policy of a schedule, and what the caches of `memory` do meanwhile, as far as they
    may evict and prefetch lines."""
    kind, seed = parse_schedule(schedule)
    if kind is ScheduleKind.FIFO:
        return Fifo(), None
    if kind is ScheduleKind.DEFERRED:
        return Deferred(), None
    if kind is ScheduleKind.RANDOM:
        return Random(seed), None
    if seed < len(_ADVERSARIES):
        order, habit = _ADVERSARIES[seed]
    else:
        rng = random.Random(seed)
        order, habit = rng.randrange(len(_ORDERS)), rng.choice(list(Habit))
    return _ORDERS[order](seed), Adversary(
        memory, habit, seed, eviction=eviction, prefetch=prefetch
    )
