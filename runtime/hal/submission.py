"""Submissions: a program to execute between fences, and its state while it executes."""

from collections import deque
from dataclasses import dataclass, field

from .commands import Execution
from .frontier import NOTHING, Frontier
from .options import Maintenance
from .program import Program
from .recorder import NO_EVENT, Source
from .semaphore import Fence


@dataclass(slots=True, eq=False)
class Submission:
    """Accepted work: waits for a fence, executes a program, signals a fence."""

    number: int
    """Counted over the system, from 0: the order in which the host submitted."""
    source: Source
    wait: Fence
    signal: Fence
    program: Program
    execution: Execution
    maintenance: Maintenance
    event: int = NO_EVENT
    """The event of the host that submitted it."""
    done: Frontier = NOTHING
    """Deallocations that have happened when it is finished, as far as is known at the start."""

    def describe(self) -> str:
        """Label, device and place, for messages."""
        place = f" at {self.source.location}" if self.source.location else ""
        return f"{self.source.label or 'submission'} on {self.execution.agent}{place}"


@dataclass(slots=True, eq=False)
class Running:
    """A submission whose waits are over."""

    submission: Submission
    after: tuple[int, ...]
    """Events that its first nodes follow."""
    events: list[int]
    """For each node the event under which it was recorded."""
    cursor: int = 0
    """The first node not yet executed, when nodes are executed in the order of recording."""
    waiting: list[int] | None = None
    """For each node how many of those that it follows are not executed; None while in order."""
    ready: list[int] = field(default_factory=list[int])
    """Nodes that may be executed next, when they are executed in any order."""
    host_work: deque[int] = field(default_factory=deque[int])
    """Maintenance that the host does for the device, in this order (IR-34)."""
    parked: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    """By segment, nodes that wait for the segments before theirs."""
    segment: int = 0
    left: list[int] = field(default_factory=list[int])
    """For each segment how many nodes are not executed."""

    @property
    def program(self) -> Program:
        """What it executes."""
        return self.submission.program

    @property
    def finished(self) -> bool:
        """Whether all nodes are executed."""
        return self.cursor == len(self.program.nodes)

    def choices(self) -> int:
        """How many nodes may be executed next."""
        return len(self.ready) + bool(self.host_work)

    def scatter(self) -> None:
        """Let nodes be executed in any order that their dependences allow."""
        program = self.program
        self.waiting = [len(before) for before in program.preds]
        if self.submission.maintenance is Maintenance.SPLIT:
            self.left = [0] * (program.segments[-1] + 1)
            for segment in program.segments:
                self.left[segment] += 1
        for index in program.roots:
            self._offer(index)

    def take(self, choice: int) -> int:
        """Remove and return the node with that number among the choices."""
        if choice >= len(self.ready):
            return self.host_work.popleft()
        last = self.ready.pop()
        if choice == len(self.ready):
            return last
        node, self.ready[choice] = self.ready[choice], last
        return node

    def executed(self, index: int) -> None:
        """Node `index` is executed: offer those that now follow."""
        self.cursor += 1
        if self.waiting is None:
            return
        for after in self.program.succs[index]:
            self.waiting[after] -= 1
            if not self.waiting[after]:
                self._offer(after)
        if self.left:
            self.left[self.program.segments[index]] -= 1
            self._advance()

    def _offer(self, index: int) -> None:
        program, how = self.program, self.submission.maintenance
        if self.left and program.segments[index] > self.segment:
            self.parked.setdefault(program.segments[index], []).append(index)
        elif how is Maintenance.HOST and program.maintains[index]:
            self.host_work.append(index)
        else:
            self.ready.append(index)

    def _advance(self) -> None:
        while self.segment + 1 < len(self.left) and not self.left[self.segment]:
            self.segment += 1
            for index in self.parked.pop(self.segment, ()):
                self._offer(index)
