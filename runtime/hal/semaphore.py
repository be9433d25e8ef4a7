"""Timeline semaphores, and fences over them, with failure that spreads to all who wait (IR-59)."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..errors import HalError, invalid_argument
from .frontier import NOTHING, Frontier

Waiter = Callable[[], None]
"""Called once when a timepoint is reached or its semaphore has failed."""


class Semaphore:
    """A payload that only grows. A failed semaphore stays failed; its error is that of the
    submission that should have signaled it."""

    def __init__(self, name: str, value: int = 0) -> None:
        self.name = name
        self.value = value
        """Payload reached in execution."""
        self.failure: HalError | None = None
        self._signaled: list[int] = []
        self._events: list[int] = []
        self._planned: list[int] = []
        self._plans: dict[int, Frontier] = {}
        self._storage_only: set[int] = set()
        """Values whose signal follows no commands: they say that storage is there, or gone."""
        self._waiters: dict[int, list[Waiter]] = {}

    def __repr__(self) -> str:
        return f"{self.name}@{self.value}"

    def plan(self, value: int, frontier: Frontier, *, follows_work: bool = True) -> None:
        """A submission was accepted that will signal `value`; deallocations in `frontier` will
        have happened then, and commands have been executed, or the host waited for, if it
        `follows_work`."""
        if not follows_work:
            self._storage_only.add(value)
        if value not in self._plans:
            insort(self._planned, value)
        self._plans[value] = frontier

    def planned(self, value: int) -> Frontier:
        """Deallocations that have happened once `value` is reached, as far as is known now."""
        index = bisect_left(self._planned, value)
        return self._plans[self._planned[index]] if index < len(self._planned) else NOTHING

    def follows_work(self, value: int) -> bool:
        """Whether `value` follows more than allocations and deallocations, as far as is known."""
        return value not in self._storage_only

    def signal(self, value: int, event: int) -> None:
        """Reach `value`, by the event with that id. INVALID_ARGUMENT unless the payload grows."""
        if self.failure is not None:
            return
        if value <= self.value:
            raise invalid_argument(
                f"semaphore {self.name} is signaled to {value} but has reached {self.value}; "
                "expected values to grow"
            )
        self.value = value
        self._signaled.append(value)
        self._events.append(event)
        self._wake(lambda awaited: awaited <= value)

    def fail(self, error: HalError) -> None:
        """Fail for good; the first error stays."""
        if self.failure is None:
            self.failure = error
            self._wake(lambda awaited: True)

    def signaled_by(self, value: int) -> int:
        """The id of the signal that first reached `value`; -1 where it was reached from birth."""
        index = bisect_left(self._signaled, value)
        return self._events[index] if index < len(self._events) else -1

    def when(self, value: int, waiter: Waiter) -> None:
        """Call `waiter` when `value` is reached or the semaphore fails, which is not yet so."""
        self._waiters.setdefault(value, []).append(waiter)

    def _wake(self, reached: Callable[[int], bool]) -> None:
        ready = [value for value in self._waiters if reached(value)]
        for value in sorted(ready):
            for waiter in self._waiters.pop(value):
                waiter()


@dataclass(frozen=True, slots=True)
class Timepoint:
    """A payload value of a semaphore."""

    semaphore: Semaphore
    value: int

    @property
    def reached(self) -> bool:
        """Whether the payload is there."""
        return self.semaphore.value >= self.value

    @property
    def settled(self) -> bool:
        """Whether the payload is there or never will be since the semaphore has failed."""
        return self.reached or self.semaphore.failure is not None

    def __str__(self) -> str:
        return f"{self.semaphore.name} at {self.semaphore.value} of {self.value}"


class Fence:
    """A set of timepoints, all of which are waited for or signaled. The null fence has none."""

    def __init__(self, timepoints: Iterable[Timepoint] = (), name: str = "") -> None:
        latest: dict[Semaphore, int] = {}
        for point in timepoints:
            latest[point.semaphore] = max(latest.get(point.semaphore, 0), point.value)
        self.timepoints = tuple(Timepoint(*item) for item in latest.items())
        """One for each semaphore, in the order given."""
        self.name = name or "+".join(s.name for s in latest) or "null fence"
        self.join_event = -1
        """The event that joins its timepoints, once someone has waited for several."""

    @classmethod
    def create(cls, name: str) -> "Fence":
        """A fence that nobody has signaled yet, over a semaphore of its own."""
        return cls((Timepoint(Semaphore(name), 1),), name)

    @classmethod
    def join(cls, fences: Iterable["Fence"], name: str = "") -> "Fence":
        """A fence that is reached when all of `fences` are; one alone is returned as it is."""
        given = tuple(fences)
        if len(given) == 1:
            return given[0]
        return cls((point for fence in given for point in fence.timepoints), name)

    def __repr__(self) -> str:
        return f"Fence({', '.join(map(str, self.timepoints))})"

    @property
    def settled(self) -> bool:
        """Whether all timepoints are reached, or one has failed."""
        return self.failure is not None or all(point.reached for point in self.timepoints)

    @property
    def failure(self) -> HalError | None:
        """The error of the first of its semaphores that failed before reaching its value."""
        for point in self.timepoints:
            if point.semaphore.failure is not None and not point.reached:
                return point.semaphore.failure
        return None

    @property
    def frontier(self) -> Frontier:
        """Deallocations known to have happened once it is reached."""
        known = NOTHING
        for point in self.timepoints:
            known |= point.semaphore.planned(point.value)
        return known

    @property
    def follows_work(self) -> bool:
        """Whether who waits for it waits for commands or the host, not for storage alone."""
        return any(point.semaphore.follows_work(point.value) for point in self.timepoints)

    def plan(self, frontier: Frontier, *, follows_work: bool = True) -> None:
        """A submission was accepted that will signal the fence; see `Semaphore.plan`."""
        for point in self.timepoints:
            point.semaphore.plan(point.value, frontier, follows_work=follows_work)

    def pending(self) -> str:
        """The timepoints that are not reached, for messages."""
        return ", ".join(str(point) for point in self.timepoints if not point.reached)

    def fail(self, error: HalError) -> None:
        """Fail all of its semaphores."""
        for point in self.timepoints:
            point.semaphore.fail(error)


NULL_FENCE = Fence()
"""Reached from the start."""
