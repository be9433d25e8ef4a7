"""How far a long run is, on a terminal: one line that is written over, and gone at the end."""

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

from ..runtime.hal.system import System

_ERASE = "\r\x1b[K"
"""To the start of the line, and clear it."""


class Progress:
    """Tells every so often what `say` or `follow` told last; nothing where nobody looks.

    Args:
        stream: where to tell it, if it is a terminal.
        delay: seconds before it is told first: short runs stay quiet.
        period: seconds from one telling to the next.
    """

    def __init__(self, stream: TextIO, delay: float = 2.0, period: float = 0.5) -> None:
        self._stream = stream
        self._delay = delay
        self._period = period
        self._tell: Callable[[], str] = str
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> "Progress":
        if self._stream.isatty():
            self._thread = threading.Thread(target=self._repeat, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()

    def say(self, text: str) -> None:
        """What goes on from now on."""
        self._tell = lambda: text

    def follow(self, system: System) -> None:
        """From now on a machine runs; its counters tell how far it is."""
        self._tell = lambda: run_text(system)

    def _repeat(self) -> None:
        start = time.monotonic()
        if self._done.wait(self._delay):
            return
        while not self._done.wait(self._period):
            seconds = time.monotonic() - start
            self._stream.write(f"{_ERASE}{seconds:.0f} s: {self._tell()}")
            self._stream.flush()
        self._stream.write(_ERASE)
        self._stream.flush()


def run_text(system: System) -> str:
    """What a machine has executed so far, in a line."""
    total = system.statistics.total
    parts = [f"{total.dispatches:,} dispatches", f"{total.copy_cmds:,} copies"]
    upkeep = total.flush_bytes + total.invalidate_bytes
    if upkeep:
        parts.append(f"{upkeep:,} bytes flushed or invalidated")
    return "running: " + ", ".join(parts)
