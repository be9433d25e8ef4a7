"""The host's own reads and writes, and its half of every hand-over.

What the host writes stays in its cache until a task needs it: it is flushed just before the
submission. What tasks write to host memory is invalidated once the host has waited for them, and
not before: the host's lines are its own until then. Where the host and all devices share one
cache there is nothing to maintain.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..events import EventKind
from ..hal.recorder import Source
from ..hal.system import System
from .caller import caller
from .errors import ErrorCode, HostError
from .memory import Allocation, PendingUse
from .options import HOST_POOL
from .registered_array import fetch, publish
from .stream import Clock, joined
from .tasks import Use

_OPERATION = "host access"


@dataclass(frozen=True, slots=True)
class Hazard:
    """A host access of bytes that a task uses which the host does not know to be complete."""

    message: str
    location: str
    """`file:line` of the host program."""


class HostAccess:
    """Accesses of the host program, and what it knows to be complete."""

    def __init__(self, system: System, *, maintenance: bool, hazards_are_errors: bool) -> None:
        self.clock: dict[int, int] = {}
        """By stream number the tasks that the host knows to be complete."""
        self.hazards: list[Hazard] = []
        self._system = system
        self._strict = hazards_are_errors
        port = system.memory.port(system.host.domain, HOST_POOL)
        cached = port is not None and port.cached
        self._maintains = maintenance and cached
        self._cached = cached
        self._line = 1 if port is None else port.line
        self._unseen: list[tuple[Allocation, PendingUse]] = []
        self._watched: dict[Allocation, None] = {}

    # Accesses.

    def read(self, allocation: Allocation, offset: int, length: int) -> NDArray[np.uint8]:
        """A copy of bytes as the host sees them; a hazard where a task may still write them."""
        self._check(allocation, offset, length)
        publish(self._system, allocation)
        pending = self.in_flight(allocation, offset, offset + length, writes_only=True)
        self._report(allocation, pending, "read")
        if not length:
            return np.empty(0, np.uint8)
        part = allocation.buffer.subspan(offset, length)
        return self._system.host.load(part, Source(f"host read of {allocation.name}", caller()))

    def write(self, allocation: Allocation, offset: int, data: NDArray[np.uint8]) -> None:
        """Store bytes in the host's cache; a hazard where a task may still use them."""
        self._check(allocation, offset, len(data))
        pending = self.in_flight(allocation, offset, offset + len(data))
        self._report(allocation, pending, "write")
        if not len(data):
            return
        part = allocation.buffer.subspan(offset, len(data))
        source = Source(f"host write of {allocation.name}", caller())
        self._system.host.store(part, data, source)
        self._dirtied(allocation, offset, offset + len(data))
        allocation.published(offset, data)

    def in_flight(
        self, allocation: Allocation, start: int, end: int, *, writes_only: bool = False
    ) -> list[PendingUse]:
        """Uses of bytes [start, end) by tasks that the host does not know to be complete."""
        allocation.pending = [use for use in allocation.pending if not self._complete(use)]
        return [
            use
            for use in allocation.pending
            if use.overlaps(start, end) and (use.writes or not writes_only)
        ]

    # Hand-over.

    def hand_over(self, allocation: Allocation) -> None:
        """Before a task uses an allocation: make what the host wrote available to devices."""
        for start, end in publish(self._system, allocation):
            self._dirtied(allocation, start, end)
        self._flush(allocation)

    def notice(self) -> None:
        """Before the host waits: see what it changed in registered arrays that tasks use."""
        for allocation in self._watched:
            if allocation.alive:
                changed = publish(self._system, allocation)
                for start, end in changed:
                    pending = self.in_flight(allocation, start, end)
                    self._dirtied(allocation, start, end)
                    self._report(allocation, pending, "write")
        self._watched.clear()

    def submitted(self, uses: Iterable[Use], stream: int, value: int, label: str) -> None:
        """A task was submitted as number `value` of a stream."""
        for use in uses:
            pending = PendingUse(stream, value, use.start, use.end, use.writes, label)
            use.allocation.pending.append(pending)
            if use.allocation.array is not None:
                self._watched[use.allocation] = None
            if use.writes and use.allocation.is_host:
                self._unseen.append((use.allocation, pending))

    def learn(self, clock: Clock) -> None:
        """The host has waited: it knows what `clock` says to be complete, and sees its results."""
        self.clock = joined(self.clock, clock)
        done: dict[Allocation, list[tuple[int, int]]] = {}
        rest: list[tuple[Allocation, PendingUse]] = []
        for allocation, use in self._unseen:
            if not self._complete(use):
                rest.append((allocation, use))
            elif allocation.alive:
                done.setdefault(allocation, []).append((use.start, use.end))
        self._unseen = rest
        for allocation, spans in done.items():
            self._see(allocation, merged(spans))

    def release(self, allocation: Allocation) -> None:
        """End the life of an allocation that no task uses; dirty lines of it are discarded."""
        dirty, allocation.dirty = allocation.dirty, None
        if dirty is not None and self._cached:
            part = allocation.buffer.subspan(dirty[0], dirty[1] - dirty[0])
            self._system.host.maintain(EventKind.DISCARD, part, self._named("discard", allocation))
        self._system.host.deallocate(allocation.buffer, self._named("free", allocation))
        allocation.alive = False

    # Parts of these.

    def _complete(self, use: PendingUse) -> bool:
        return self.clock.get(use.stream, 0) >= use.value

    def _see(self, allocation: Allocation, spans: list[tuple[int, int]]) -> None:
        """Drop the host's lines of what tasks have written, its own unsaved bytes excepted."""
        for start, end in publish(self._system, allocation):
            self._dirtied(allocation, start, end)
        if self._maintains:
            if allocation.dirty is not None and any(
                self._shares_line(allocation.dirty, span) for span in spans
            ):
                self._flush(allocation)
            for start, end in spans:
                part = allocation.buffer.subspan(start, end - start)
                source = self._named("invalidate", allocation)
                self._system.host.maintain(EventKind.INVALIDATE, part, source)
        fetch(self._system, allocation, spans)

    def _shares_line(self, dirty: tuple[int, int], span: tuple[int, int]) -> bool:
        # Storage starts at a line, so that offsets in it count from one.
        first, last = span[0] // self._line, -(-span[1] // self._line)
        return dirty[0] < last * self._line and first * self._line < dirty[1]

    def _flush(self, allocation: Allocation) -> None:
        dirty, allocation.dirty = allocation.dirty, None
        if dirty is not None and self._maintains:
            part = allocation.buffer.subspan(dirty[0], dirty[1] - dirty[0])
            self._system.host.maintain(EventKind.FLUSH, part, self._named("flush", allocation))

    def _dirtied(self, allocation: Allocation, start: int, end: int) -> None:
        hull = allocation.dirty or (start, end)
        allocation.dirty = min(hull[0], start), max(hull[1], end)

    def _named(self, what: str, allocation: Allocation) -> Source:
        return Source(f"host {what} of {allocation.name}", caller())

    def _check(self, allocation: Allocation, offset: int, length: int) -> None:
        if not allocation.alive:
            raise HostError(
                ErrorCode.INVALID_RUNTIME_PARAMETER, _OPERATION, f"{allocation.name} is freed"
            )
        if offset < 0 or length < 0 or offset + length > allocation.size:
            raise HostError(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                _OPERATION,
                f"bytes [{offset}, {offset + length}) are outside of {allocation.name}, which has "
                f"{allocation.size}",
            )

    def _report(self, allocation: Allocation, pending: list[PendingUse], what: str) -> None:
        if not pending:
            return
        use = pending[0]
        message = (
            f"hazard: host {what} of {allocation.name} before {use.label} has completed; "
            "synchronize first"
        )
        if self._strict:
            raise HostError(ErrorCode.INVALID_RUNTIME_PARAMETER, _OPERATION, message)
        self.hazards.append(Hazard(message, caller()))


def merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The union of non-empty ranges: sorted, disjoint, not adjacent."""
    result: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(result[-1][1], end)
        elif start < end:
            result.append((start, end))
    return result
