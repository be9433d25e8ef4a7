"""Timepoints of a block on a timeline: what each implies, and what the host has waited for.

Ops are visited in textual order; `Timeline` answers what is implied by what.
"""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager

from xdsl.ir import Operation, SSAValue

from ...dialects import stream
from ...dialects.access import await_timepoints, result_timepoint
from .loop_times import Loop, LoopTimes
from .timeline import Timeline


class BlockTimes:
    """Timepoints by number, in the order they are met."""

    def __init__(self, loops: LoopTimes | None = None) -> None:
        """`loops`: what blocks of one function share, so that no loop is judged twice."""
        self._loops = loops or LoopTimes()
        self._timeline = Timeline()
        self._numbers: dict[SSAValue, int] = {}
        self._timepoints: list[SSAValue | None] = []
        """By number; None for a wait of the host."""
        self._host: tuple[int, ...] = ()

    def record(self, timepoint: SSAValue | None, past: Iterable[int]) -> int:
        """A timepoint that is reached after `past` and after what the host has waited for."""
        number = self._timeline.add(*past, *self._host)
        self._timepoints.append(timepoint)
        if timepoint is not None:
            self._numbers[timepoint] = number
        return number

    def wait(self, past: Sequence[int]) -> None:
        """The host waits for `past`: all that comes later comes after it."""
        if past:
            self._host = (self.record(None, past),)

    @contextmanager
    def nested(self) -> Generator[None]:
        """Within the context, what is met is in a block that may not be executed."""
        host, known = self._host, len(self._timepoints)
        try:
            yield
        finally:
            self._host = host
            while self._numbers and next(reversed(self._numbers.values())) >= known:
                self._numbers.popitem()

    def number(self, timepoint: SSAValue) -> int:
        """The number of `timepoint`; one that comes from outside the block starts a past."""
        if timepoint not in self._numbers:
            self.record(timepoint, ())
        return self._numbers[timepoint]

    def parts(self, timepoints: Iterable[SSAValue]) -> list[int]:
        """The numbers of `timepoints`; for a join those of what it joins, none if immediate."""
        numbers: list[int] = []
        for timepoint in timepoints:
            owner = timepoint.owner
            joined = isinstance(owner, stream.TimepointJoinOp)
            numbers.extend(
                self.number(part)
                for part in (owner.await_timepoints if joined else (timepoint,))
                if not isinstance(part.owner, stream.TimepointImmediateOp)
            )
        return numbers

    def needed(self, numbers: Iterable[int], told: Iterable[int] = ()) -> list[int]:
        """`numbers` without those that others of them, `told`, or the host's waits, imply."""
        return self._timeline.reduce(numbers, *told, *self._host)

    def outstanding(self, leaving: Iterable[int]) -> list[int]:
        """What is not known to be reached once `leaving` is, or because the host has waited."""
        return self._timeline.reduce(range(len(self._timepoints)), *leaving, *self._host)

    def implied(self, number: int, by: Iterable[int]) -> bool:
        """Whether `number` is reached once all of `by` are, or because the host has waited.

        True as well where the timeline does not know: for those who must raise no false alarm.
        """
        return any(self._timeline.may_cover(other, number) for other in (*by, *self._host))

    def timepoints(self, numbers: Iterable[int]) -> list[SSAValue]:
        """The timepoints with these numbers."""
        found = (self._timepoints[number] for number in numbers)
        return [timepoint for timepoint in found if timepoint is not None]

    def visit(self, op: Operation) -> None:
        """Record what `op`, as it stands, waits for and makes.

        What a loop gives comes after what it started with, where that is so (`loop_times`).
        """
        past = self.parts(await_timepoints(op))
        if isinstance(op, stream.TimepointAwaitOp):
            self.wait(past)
        elif isinstance(op, Loop):
            for result, init in self._loops.inits(op).items():
                self.record(result, () if init is None else self.parts([init]))
        elif (made := result_timepoint(op)) is not None:
            self.record(made, past)
