"""A capture: the tasks of streams, stored instead of executed, and the graph that they become."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from ..hal.command_buffer import CommandBuffer
from .capture_rules import CaptureMode
from .errors import ErrorCode, HostError
from .memory import Allocation
from .stream import DeviceState, Event, Stream
from .tasks import Task, Use, barrier


class CaptureStatus(IntEnum):
    """What a stream does (`aclmdlRICaptureStatus`)."""

    NONE = 0
    ACTIVE = 1
    INVALIDATED = 2
    """A call has spoiled the capture: ending it fails (CP-21)."""


@dataclass(slots=True, eq=False)
class Graph:
    """Captured tasks, to be executed any number of times (`aclmdlRI`)."""

    number: int
    device: DeviceState
    commands: CommandBuffer | None = None
    """None while it is captured."""
    uses: tuple[Use, ...] = ()
    tasks: int = 0
    """How many it holds."""
    issued: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Stream number and task number of executions that the host did not know to be complete when
    it last looked."""
    alive: bool = True

    @property
    def name(self) -> str:
        """As messages name it."""
        return f"captured graph {self.number}"


@dataclass(slots=True)
class Capture:
    """Stores tasks, and of each the tasks that it follows.

    A stream joins where it waits for an event of the capture. What a stream's next task follows is
    its tip: numbers of tasks, from 0 in the order of issue.
    """

    operation: Callable[[], str]
    """The name of the call at hand, for errors."""
    origin: Stream
    mode: CaptureMode
    thread: int
    graph: Graph
    tasks: list[Task] = field(default_factory=list[Task])
    after: list[frozenset[int]] = field(default_factory=list[frozenset[int]])
    tips: dict[Stream, frozenset[int]] = field(default_factory=dict[Stream, frozenset[int]])
    events: dict[Event, frozenset[int]] = field(default_factory=dict[Event, frozenset[int]])
    spoiled: str = ""
    """Why it is invalidated, or ""."""

    def __post_init__(self) -> None:
        self.tips[self.origin] = frozenset()
        self.origin.capture = self

    @property
    def status(self) -> CaptureStatus:
        """ACTIVE or INVALIDATED."""
        return CaptureStatus.INVALIDATED if self.spoiled else CaptureStatus.ACTIVE

    # TaskSink.

    def add(self, stream: Stream, task: Task) -> None:
        """Store a task; what it uses cannot be freed from now on."""
        if self.spoiled:
            raise self._refused(
                ErrorCode.CAPTURE_INVALIDATED, f"the capture is invalidated: {self.spoiled}"
            )
        self.after.append(self.tips[stream])
        self.tips[stream] = frozenset((len(self.tasks),))
        self.tasks.append(task)
        for allocation in _allocations(task):
            if self.graph.name not in allocation.holders:
                allocation.holders.append(self.graph.name)

    def record_event(self, stream: Stream, event: Event) -> None:
        """The event stands for the stream's tasks so far."""
        event.capture, event.position = self, None
        self.events[event] = self.tips[stream]

    def wait_event(self, stream: Stream, event: Event) -> None:
        """Let the stream follow an event, and join the capture. WAIT_WITHOUT_RECORD, which
        invalidates the capture, for an event that was not recorded in it: its order would be lost
        in replays."""
        if event not in self.events or event.capture is not self:
            self.spoiled = f"{stream.name} waited for event{event.number} from outside"
            raise self._refused(
                ErrorCode.WAIT_WITHOUT_RECORD,
                f"event{event.number} was not recorded in the capture of {self.origin.name}; "
                "record it on a stream that captures",
            )
        if stream.capture not in (None, self):
            raise self._refused(
                ErrorCode.STREAM_CAPTURING, f"{stream.name} captures something else"
            )
        if stream.context is not self.origin.context:
            raise self._refused(
                ErrorCode.FEATURE_NOT_SUPPORTED,
                f"{stream.name} of another device cannot join the capture of {self.origin.name}",
            )
        stream.capture = self
        self.tips[stream] = self.tips.get(stream, frozenset()) | self.events[event]

    # Its end.

    def unjoined(self) -> Stream | None:
        """A stream with a task that the origin's last task or wait does not follow."""
        followed = set(self.tips[self.origin])
        stack = list(followed)
        while stack:
            fresh = self.after[stack.pop()] - followed
            followed |= fresh
            stack.extend(fresh)
        return next((stream for stream, tip in self.tips.items() if not tip <= followed), None)

    def close(self) -> None:
        """Let streams and events be as if nothing had been captured."""
        for stream in self.tips:
            stream.capture = None
        for event in self.events:
            if event.capture is self:
                event.capture = None

    def release(self) -> None:
        """Let what the tasks use be freed."""
        for task in self.tasks:
            release_holds(self.graph, task.uses)

    def record(self, commands: CommandBuffer) -> None:
        """Record all tasks: in levels, each task a level after the last of those it follows.

        A barrier separates levels, so that a task may be ordered after more than it follows.
        """
        levels: list[int] = []
        for follows in self.after:
            levels.append(1 + max((levels[task] for task in follows), default=-1))
        order = sorted(range(len(self.tasks)), key=levels.__getitem__)
        for before, task in zip([None, *order], order, strict=False):
            if before is not None and levels[before] != levels[task]:
                barrier(commands)
            self.tasks[task].record(commands)

    def _refused(self, code: int, message: str) -> HostError:
        return HostError(code, self.operation(), message)


def _allocations(task: Task) -> dict[Allocation, None]:
    return dict.fromkeys(use.allocation for use in task.uses)


def release_holds(graph: Graph, uses: tuple[Use, ...]) -> None:
    """Let the memory of `uses` be freed as far as `graph` is concerned."""
    for use in uses:
        if graph.name in use.allocation.holders:
            use.allocation.holders.remove(graph.name)
