"""Witness files: written by `zc-check --witness`, replayed by `zc-run --replay`.

A file is a JSON object: `version`, and in `witnesses` for each report its `rule`, `message`,
`location` and `witness`, which is null where no read can tell.
"""

import json
import sys
from collections.abc import Sequence
from typing import Any, cast

from ..runtime.load import CallSpec, Program, RunResult
from ..runtime.replay import Replay
from ..runtime.witness import Witness, from_json, to_json, witness_of
from .driver import EXIT_OK, EXIT_WRONG, ToolError
from .zc_opt import write_atomically

VERSION = 1


def find_witnesses(outcome: RunResult) -> tuple[Witness | None, ...]:
    """For each report of a checked run a shortest schedule that shows it, or None."""
    assert outcome.check is not None, "the run was checked"
    return tuple(
        witness_of(report, outcome.graph, outcome.machine) for report in outcome.check.reports
    )


def write_witnesses(path: str, outcome: RunResult, witnesses: Sequence[Witness | None]) -> None:
    """Write the witnesses of all reports; raises OSError."""
    assert outcome.check is not None, "the run was checked"
    rows = [
        {
            "rule": report.rule.value,
            "message": report.message,
            "location": report.at.location,
            "witness": witness and to_json(witness, outcome.graph),
        }
        for report, witness in zip(outcome.check.reports, witnesses, strict=True)
    ]
    document = {"version": VERSION, "witnesses": rows}
    write_atomically(path, json.dumps(document, indent=2) + "\n")


def replay_file(path: str, program: Program, calls: Sequence[CallSpec]) -> int:
    """Make the calls once with each schedule of a witness file and print what its read gives.

    Returns:
        The exit code: 1 where a wrong value was read.

    Raises:
        OSError, ToolError: the file cannot be read, or holds no witness.
        HalError: a schedule does not fit the program.
    """
    wrong = False
    for row in _read(path):
        try:
            rule = str(row["rule"])
            witness = from_json(row["witness"])
        except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
            raise ToolError(f"no schedule that can be replayed: {error!r}", path) from error
        replay = Replay.of(witness)
        program.run_calls(calls, script=replay.script, count_missing=True)
        wrong = wrong or replay.wrong
        place = f"{row['location']}: " if row.get("location") else ""
        print(f"{place}replay of {rule}: {_outcome(replay)}")
    sys.stdout.flush()
    return EXIT_WRONG if wrong else EXIT_OK


def _read(path: str) -> list[dict[str, Any]]:
    """The rows with a witness; ToolError if there is none."""
    with open(path, encoding="utf-8") as file:
        try:
            document: Any = json.load(file)
        except ValueError as error:
            raise ToolError(f"not a JSON file: {error}", path) from error
    rows: object = None
    if isinstance(document, dict):
        rows = cast(dict[str, object], document).get("witnesses")
    if not isinstance(rows, list):
        raise ToolError("not a witness file; zc-check --witness writes one", path)
    found: list[dict[str, Any]] = []
    for row in cast(list[object], rows):
        if not isinstance(row, dict):
            raise ToolError("not a witness file; zc-check --witness writes one", path)
        kept = cast(dict[str, Any], row)
        if kept.get("witness"):
            found.append(kept)
    if not found:
        raise ToolError("no report of the file has a witness", path)
    return found


def _outcome(replay: Replay) -> str:
    """What the read gave, in words."""
    if replay.read is None:
        return "the read was not reached"
    read = replay.read.tobytes()[:_SHOWN].hex(" ")
    if replay.expected is None:
        return f"read {read}, where no write is the last"
    expected = replay.expected.tobytes()[:_SHOWN].hex(" ")
    if replay.wrong:
        return f"read {read}, where the last write left {expected}"
    return f"read {read}, as the last write left it; other inputs may tell the values apart"


_SHOWN = 8
"""Bytes of a value that are printed."""
