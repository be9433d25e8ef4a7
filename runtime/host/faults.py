"""Faults that tests inject into calls of the host API, by name and occurrence."""

from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to one call instead of its work."""

    code: int
    """The error that it returns; 0 for success with a null result (ZC-20)."""


class Faults:
    """Which calls fail. A call that fails has no effect."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._planned: dict[tuple[str, int], Fault] = {}

    def fail(self, operation: str, code: int, occurrence: int = 1) -> None:
        """Let the call number `occurrence` of an operation, from 1, fail with `code`."""
        self._planned[operation, occurrence] = Fault(code)

    def give_null(self, operation: str, occurrence: int = 1) -> None:
        """Let the call number `occurrence` of an operation succeed with None as its result."""
        self._planned[operation, occurrence] = Fault(0)

    def take(self, operation: str) -> Fault | None:
        """Count a call of an operation; the fault planned for it, if any."""
        self._counts[operation] += 1
        return self._planned.get((operation, self._counts[operation]))
