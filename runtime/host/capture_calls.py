"""Capture and replay: `aclmdlRICaptureBegin`, `aclmdlRICaptureEnd`, `aclmdlRIExecuteAsync`, ….

Between begin and end the tasks of a stream are stored, not executed. They become one command
buffer, recorded once, whose replays read memory as it is when they run (CP-24).
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ..hal.command_buffer import CommandBuffer
from ..hal.device import Device
from ..hal.recorder import Source
from ..hal.semaphore import Fence
from .caller import caller
from .calls import api
from .capture import Capture, CaptureStatus, Graph, release_holds
from .capture_rules import CaptureMode, CaptureRules
from .errors import ErrorCode
from .stream import Stream
from .tasks import Task

if TYPE_CHECKING:
    from .tasks import TaskSink


class CaptureCalls(CaptureRules):
    """Calls that capture and replay."""

    @api("aclmdlRICaptureBegin")
    def capture_begin(self, stream: Stream | None, mode: CaptureMode = CaptureMode.GLOBAL) -> None:
        """Store the tasks of a stream from now on (`aclmdlRICaptureBegin`, CP-19).

        Raises HostError: DEFAULT_STREAM_IN_CAPTURE for the default stream, STREAM_CAPTURING for
        one that captures, INVALID_PARAMETER for an unknown mode.
        """
        found = self.stream_of(stream)
        self._check_mode(mode)
        if found is found.context.default_stream:
            self.refuse(
                ErrorCode.DEFAULT_STREAM_IN_CAPTURE,
                "the default stream cannot be captured; create one",
                "stream",
            )
        if found.capture is not None:
            self.refuse(ErrorCode.STREAM_CAPTURING, f"{found.name} is capturing", "stream")
        graph = Graph(next(self.numbers), found.context.device)
        capture = Capture(
            lambda: self.operation, found, CaptureMode(mode), threading.get_ident(), graph
        )
        self.captures.append(capture)

    @api("aclmdlRICaptureEnd")
    def capture_end(self, stream: Stream | None) -> Graph:
        """End the capture that began on a stream; the graph of its tasks (`aclmdlRICaptureEnd`).

        Raises HostError: STREAM_NOT_CAPTURING; CAPTURE_ENDED_ON_WRONG_THREAD unless the mode is
        RELAXED; UNJOINED_STREAM while a stream that joined has tasks that the origin does not
        wait for; CAPTURE_INVALIDATED, which ends the capture without a graph (CP-21).
        """
        found = self.stream_of(stream)
        capture = self._capture_of(found)
        if capture is None or capture.origin is not found:
            self.refuse(
                ErrorCode.STREAM_NOT_CAPTURING,
                f"no capture began on {found.name}",
                "stream",
            )
        if capture.mode is not CaptureMode.RELAXED and capture.thread != threading.get_ident():
            self.refuse(
                ErrorCode.CAPTURE_ENDED_ON_WRONG_THREAD,
                f"the capture of {found.name} ends on the thread on which it began",
            )
        if capture.spoiled:
            self._close(capture)
            capture.release()
            self.refuse(
                ErrorCode.CAPTURE_INVALIDATED, f"the capture is invalidated: {capture.spoiled}"
            )
        loose = capture.unjoined()
        if loose is not None:
            self.refuse(
                ErrorCode.UNJOINED_STREAM,
                f"{loose.name} has not joined {found.name}: record an event on it and let "
                f"{found.name} wait for it",
            )
        return self._finish(capture)

    @api("aclmdlRICaptureGetInfo")
    def capture_get_info(self, stream: Stream | None) -> tuple[CaptureStatus, Graph | None]:
        """Whether a stream captures, and the graph to be (`aclmdlRICaptureGetInfo`)."""
        capture = self._capture_of(self.stream_of(stream))
        if capture is None:
            return CaptureStatus.NONE, None
        return capture.status, capture.graph

    @api("aclmdlRICaptureThreadExchangeMode")
    def capture_thread_exchange_mode(self, mode: CaptureMode) -> CaptureMode:
        """Set the calling thread's mode; the former one
        (`aclmdlRICaptureThreadExchangeMode`, CP-22)."""
        self._check_mode(mode)
        former = self.thread_mode()
        self.thread_modes[threading.get_ident()] = CaptureMode(mode)
        return former

    @api("aclmdlRIExecuteAsync")
    def execute_async(self, graph: Graph | None, stream: Stream | None = None) -> None:
        """Issue all tasks of a graph to a stream (`aclmdlRIExecuteAsync`, CP-24).

        Raises HostError: INVALID_HANDLE for a destroyed graph, MODEL_CAPTURING for one that is
        still captured, INVALID_RUNTIME_PARAMETER for a stream of another device,
        FEATURE_NOT_SUPPORTED for a stream that captures.
        """
        where = self.stream_of(stream)
        found = self._graph_of(graph)
        if where.context.device is not found.device:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"{found.name} is for device {found.device.index}, the stream is on device "
                f"{where.context.device.index}",
                "stream",
            )
        if where.capture is not None:
            self.refuse(
                ErrorCode.FEATURE_NOT_SUPPORTED, "a graph cannot be captured in another", "stream"
            )
        commands = found.commands
        assert commands is not None
        source = Source(f"graph {found.number}", caller())

        def enqueue(queue: Device, wait: Fence, signal: Fence) -> None:
            queue.queue_execute(wait, signal, commands, source=source)

        def record(_: CommandBuffer) -> None:
            raise AssertionError("a stream that captures takes no graph")

        self.submit(where, Task(source.label, found.uses, enqueue, record))
        found.issued = [*self._running(found), (where.number, where.value)]

    @api("aclmdlRIDestroy")
    def destroy_graph(self, graph: Graph | None) -> None:
        """Destroy a graph; what it used may be freed (`aclmdlRIDestroy`).

        Raises HostError INVALID_HANDLE, MODEL_CAPTURING, and MODEL_RUNNING while an execution is
        not known to be complete.
        """
        found = self._graph_of(graph)
        running = self._running(found)
        if running:
            self.refuse(
                ErrorCode.MODEL_RUNNING,
                f"{found.name} is running on stream{running[0][0]}; synchronize first",
            )
        found.alive = False
        release_holds(found, found.uses)

    # Parts of these.

    def _check_mode(self, mode: int) -> None:
        if mode not in set(CaptureMode):
            self.refuse(
                ErrorCode.INVALID_PARAMETER,
                f"invalid capture mode {mode}; expected a CaptureMode, 0 to 2",
                "mode",
                mode,
            )

    def _capture_of(self, stream: Stream) -> Capture | None:
        sink: TaskSink | None = stream.capture
        return sink if isinstance(sink, Capture) else None

    def _finish(self, capture: Capture) -> Graph:
        graph = capture.graph
        commands = graph.device.hal.create_command_buffer(source=Source(graph.name, caller()))
        capture.record(commands)
        commands.finalize()
        graph.commands = commands
        graph.uses = tuple(dict.fromkeys(use for task in capture.tasks for use in task.uses))
        graph.tasks = len(capture.tasks)
        self._close(capture)
        return graph

    def _close(self, capture: Capture) -> None:
        capture.close()
        self.captures.remove(capture)

    def _graph_of(self, graph: Graph | None) -> Graph:
        self.require(modelRI=graph)
        assert graph is not None
        if not graph.alive:
            self.refuse(ErrorCode.INVALID_HANDLE, f"invalid handle: {graph.name} is destroyed")
        if graph.commands is None:
            self.refuse(ErrorCode.MODEL_CAPTURING, f"{graph.name} is capturing")
        return graph

    def _running(self, graph: Graph) -> list[tuple[int, int]]:
        clock = self.host_access.clock
        return [(stream, value) for stream, value in graph.issued if clock.get(stream, 0) < value]
