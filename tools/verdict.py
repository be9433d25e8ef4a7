"""Printing what the checker found."""

import sys

from ..runtime.checker import CheckResult, render, render_redundant
from .driver import EXIT_OK, EXIT_WRONG


def print_verdict(result: CheckResult, events: int, *, quiet: bool = False) -> int:
    """Print reports and remarks on standard error and the verdict on standard output.

    Args:
        result: what the checker found.
        events: how many events it judged.
        quiet: leave out the verdict of a right program.

    Returns:
        The exit code: 1 where there is any report.
    """
    sys.stdout.flush()
    for report in result.reports:
        for line in render(report):
            print(line, file=sys.stderr)
    for redundant in result.redundant:
        print(render_redundant(redundant), file=sys.stderr)
    if result.reports:
        count = len(result.reports)
        print(f"check: {count} fault{'s' if count > 1 else ''} in {events} events")
        return EXIT_WRONG
    if not quiet:
        print(f"check: {events} events, right under every schedule, eviction and prefetch")
    return EXIT_OK
