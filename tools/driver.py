"""What the three tools share: exit codes, one-line errors, deep IR, reading modules.

Exit codes: 0 right, 1 the program is wrong (a check failed, an output differs), 2 the tool
cannot do it (usage, unreadable or invalid input).
"""

import argparse
import gc
import os
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from typing import NoReturn

from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError

from ..dialects.diagnostics import (
    FaultyProgramError,
    OpError,
    PlacedError,
    render,
    render_error,
)

EXIT_OK = 0
EXIT_WRONG = 1
EXIT_CANNOT = 2

# Each level of nested regions costs the recursive parser and printer about 20 Python frames.
_RECURSION_LIMIT = 200_000
_STACK_BYTES = 512 * 1024 * 1024
# IR lives as long as the tool does: to look for garbage in it is mostly in vain.
_GC_THRESHOLDS = (50_000, 20, 20)


class ToolError(PlacedError):
    """What ends a tool with exit code 2.

    Args:
        message: one line, lower case, no final stop.
        location: a file name or `file:line:col`, or "".
    """

    def __init__(self, message: str, location: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.location = location


class OneLineParser(argparse.ArgumentParser):
    """argparse whose errors are one line, as all of ours."""

    def error(self, message: str) -> NoReturn:
        """Refuse a command line; raises ToolError."""
        raise ToolError(f"{message}; {self.prog} --help tells the flags")


def error_lines(error: BaseException, line_offset: int = 0) -> list[str]:
    """The diagnostic lines for what a tool may raise; `line_offset` is added to parse errors."""
    match error:
        case OpError():
            return render_error(error)
        case ParseError():
            place = error.span.get_location()
            where = f"{place.file}:{place.line + line_offset}:{place.col}"
            return [render(where, "error", _lower_first(error.msg))]
        case PlacedError():
            return [render(error.location, "error", error.told())]
        case OSError():
            text = (error.strerror or "cannot be read or written").lower()
            name = "" if error.filename is None else str(error.filename) or "''"
            return [render(name, "error", text)]
        case DiagnosticException():
            return [render("", "error", _lower_first(str(error)))]
        case ArgSpecParseError():
            return [render("", "error", "malformed pass pipeline: " + _pipeline_reason(error))]
        case _:
            if os.environ.get("ZCIR_DEBUG"):
                traceback.print_exception(error)
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            hint = "set ZCIR_DEBUG=1 for the traceback"
            return [render("", "error", f"internal error: {reason}; {hint}")]


def _lower_first(text: str) -> str:
    text = " ".join(text.split()).rstrip(".!")
    return text[:1].lower() + text[1:]


def _pipeline_reason(error: BaseException) -> str:
    lines = [line.strip(" ^-") for line in str(error).splitlines() if line.strip(" ^-")]
    return _lower_first(lines[-1]) if lines else "cannot be parsed"


def print_error(error: BaseException, line_offset: int = 0) -> None:
    """Print the lines of `error_lines` on standard error."""
    sys.stdout.flush()
    for line in error_lines(error, line_offset):
        print(line, file=sys.stderr)


def exit_code_of(error: BaseException) -> int:
    """1 where the program was judged and is wrong, else 2."""
    return EXIT_WRONG if isinstance(error, FaultyProgramError) else EXIT_CANNOT


def run_deep(body: Callable[[], int]) -> int:
    """Run `body` on a stack deep enough for IR nested some thousand regions deep, and seldom
    look for garbage meanwhile."""
    outcome: list[int] = []

    def target() -> None:
        sys.setrecursionlimit(_RECURSION_LIMIT)
        outcome.append(guarded(body))

    previous = threading.stack_size(_STACK_BYTES)
    thresholds = gc.get_threshold()
    try:
        thread = threading.Thread(target=target)
        thread.start()
        gc.set_threshold(*_GC_THRESHOLDS)
    finally:
        threading.stack_size(previous)
    thread.join()
    gc.set_threshold(*thresholds)
    return outcome[0] if outcome else EXIT_CANNOT


def guarded(body: Callable[[], int]) -> int:
    """Run `body`; whatever it raises becomes one error line and exit code 2."""
    try:
        return body()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else EXIT_CANNOT
    except BrokenPipeError:
        # The reader has gone: nothing can be said any more.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        return EXIT_CANNOT
    except (KeyboardInterrupt, ArgSpecParseError, Exception) as error:
        print_error(error)
        return exit_code_of(error)


def _open_closed_streams() -> None:
    """Where the caller closed a standard stream, Python has none: nothing is read or said there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - as long as the process


def tool_main(run: Callable[[Sequence[str] | None], int]) -> Callable[..., NoReturn]:
    """The entry point of a tool from a function that takes arguments and gives an exit code."""

    def main(args: Sequence[str] | None = None) -> NoReturn:
        _open_closed_streams()
        sys.exit(run_deep(lambda: run(args)))

    return main
