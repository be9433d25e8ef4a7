"""What captures forbid to calls while they last (CP-22, CP-23)."""

from __future__ import annotations

import threading
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from .core import RuntimeCore
from .errors import ErrorCode
from .stream import Stream

if TYPE_CHECKING:
    from .capture import Capture
    from .tasks import Task


class CaptureMode(IntEnum):
    """Which calls a capture forbids besides those on its streams (`aclmdlRICaptureMode`)."""

    GLOBAL = 0
    """Synchronous copies and sets on any thread."""
    THREAD_LOCAL = 1
    """The same on the thread that captures."""
    RELAXED = 2
    """None."""


class CaptureRules(RuntimeCore):
    """Knows the captures that are going on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.captures: list[Capture] = []
        """All that are going on."""
        self.thread_modes: dict[int, CaptureMode] = {}
        """By thread what it asked for with `capture_thread_exchange_mode`."""

    def thread_mode(self) -> CaptureMode:
        """The mode of the calling thread; GLOBAL until it is exchanged."""
        return self.thread_modes.get(threading.get_ident(), CaptureMode.GLOBAL)

    def forbidding_capture(self) -> Capture | None:
        """A capture that forbids synchronous copies and sets to the calling thread, if any.

        A thread in mode RELAXED is free. Otherwise its own captures count unless they are
        RELAXED, and in mode GLOBAL those of other threads that are GLOBAL.
        """
        mode, thread = self.thread_mode(), threading.get_ident()
        if mode is CaptureMode.RELAXED:
            return None
        for capture in self.captures:
            own = capture.thread == thread and capture.mode is not CaptureMode.RELAXED
            everyones = mode is CaptureMode.GLOBAL and capture.mode is CaptureMode.GLOBAL
            if own or everyones:
                return capture
        return None

    def check_synchronous(self) -> None:
        """Refuse a synchronous copy or set that a capture forbids (107030)."""
        capture = self.forbidding_capture()
        if capture is not None:
            self.refuse(
                ErrorCode.FORBIDDEN_IN_CAPTURE_MODE,
                f"not allowed while {capture.origin.name} captures in mode {capture.mode.name}; "
                "capture in mode RELAXED or use a stream",
            )

    def check_turned_synchronous(self, what: str) -> None:
        """Refuse an asynchronous call that has to wait, where a capture forbids that (107041)."""
        capture = self.forbidding_capture()
        if capture is not None:
            self.refuse(
                ErrorCode.ASYNC_BLOCKED_BY_CAPTURE_MODE,
                f"{what} of pageable memory has been converted to a synchronous operation, and "
                f"the capture mode is not relaxed: {capture.origin.name} captures in mode "
                f"{capture.mode.name}",
            )

    def check_issue(self, stream: Stream) -> None:
        """Refuse a task on the default stream of a context that captures (107031)."""
        if stream is not stream.context.default_stream:
            return
        capture = self.forbidding_capture()
        if capture is not None and capture.origin.context is stream.context:
            self.refuse(
                ErrorCode.DEFAULT_STREAM_IN_CAPTURE,
                f"the default stream takes no tasks while {capture.origin.name} captures in mode "
                f"{capture.mode.name}; use another stream",
                "stream",
            )

    def submit(self, stream: Stream, task: Task) -> None:
        """See `RuntimeCore.submit`; DEFAULT_STREAM_IN_CAPTURE as `check_issue` says."""
        self.check_issue(stream)
        super().submit(stream, task)
