"""Telling what the checker found: as text, and as documents for machines."""

import json
import sys
from collections.abc import Sequence
from typing import Any

from ..runtime.checker import render, render_redundant
from ..runtime.load import RunResult
from ..runtime.witness import Witness, explain, to_json
from .driver import EXIT_OK, EXIT_WRONG
from .sarif import to_sarif

FORMATS = ("text", "json", "sarif")
"""How zc-check tells its findings."""


def print_verdict(outcome: RunResult, witnesses: Sequence[Witness | None] = ()) -> int:
    """Print reports and remarks on standard error and the verdict on standard output.

    Args:
        outcome: a checked run.
        witnesses: for each report its witness, whose steps are told after it; or none.

    Returns:
        The exit code: 1 where there is any report.
    """
    result = outcome.check
    assert result is not None, "the run was checked"
    sys.stdout.flush()
    for index, report in enumerate(result.reports):
        for line in render(report):
            print(line, file=sys.stderr)
        witness = witnesses[index] if witnesses else None
        if witness is not None:
            count = len(witness.steps)
            print(f"note: a wrong value is read in {count} steps:", file=sys.stderr)
            for line in explain(witness, outcome.graph):
                print(f"  {line}", file=sys.stderr)
    for redundant in result.redundant:
        print(render_redundant(redundant), file=sys.stderr)
    events = len(outcome.graph.events)
    if result.reports:
        count = len(result.reports)
        print(f"check: {count} fault{'s' if count > 1 else ''} in {events} events")
        return EXIT_WRONG
    print(f"check: {events} events, right under every schedule, eviction and prefetch")
    return EXIT_OK


def print_document(
    outcome: RunResult, witnesses: Sequence[Witness | None], file: str, form: str
) -> int:
    """Print the findings on `file` as one document, `json` or `sarif`, on standard output.

    Returns:
        The exit code: 1 where there is any report.
    """
    assert outcome.check is not None, "the run was checked"
    document = to_sarif(outcome.check, file) if form == "sarif" else _to_json(outcome, witnesses)
    print(json.dumps(document, indent=2))
    return EXIT_WRONG if outcome.check.reports else EXIT_OK


def _to_json(outcome: RunResult, witnesses: Sequence[Witness | None]) -> dict[str, Any]:
    """Rows with stable keys, all keys of a row always there."""
    result = outcome.check
    assert result is not None, "the run was checked"
    return {
        "events": len(outcome.graph.events),
        "reports": [
            report.to_json() | {"witness": witness and to_json(witness, outcome.graph)}
            for report, witness in zip(result.reports, witnesses, strict=True)
        ],
        "redundant": [redundant.to_json() for redundant in result.redundant],
    }
