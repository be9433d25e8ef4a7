"""What the checker found as SARIF 2.1.0, the format of code-scanning services and editors."""

import hashlib
from pathlib import PurePath
from typing import Any

from ..runtime.checker import (
    CheckResult,
    Line,
    RedundantOp,
    Report,
    diagnose,
    diagnose_redundant,
)
from ..runtime.checker.rules import RULES

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def to_sarif(result: CheckResult, file: str) -> dict[str, Any]:
    """One SARIF log with one run.

    A report is an `error` with its notes as related locations; redundant maintenance is a `note`.
    Rule ids are those of `RULES`. Findings without a place are said to be in `file`.
    """
    rows = [_report(report, file) for report in result.reports]
    rows.extend(_redundant(redundant, file) for redundant in result.redundant)
    return sarif_log(rows)


def sarif_log(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A log with one run, of zc-check, whose results are `rows`."""
    driver = {
        "name": "zc-check",
        "rules": [
            {
                "id": rule.id,
                "name": rule.name,
                "shortDescription": {"text": rule.summary},
                "defaultConfiguration": {"level": rule.level},
            }
            for rule in RULES
        ],
    }
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": rows}],
    }


def _report(report: Report, file: str) -> dict[str, Any]:
    error, *notes = diagnose(report)
    return sarif_result(report.rule.value, "error", error, notes, file)


def _redundant(redundant: RedundantOp, file: str) -> dict[str, Any]:
    return sarif_result(redundant.rule_id, "note", diagnose_redundant(redundant), [], file)


def sarif_result(rule: str, level: str, line: Line, notes: list[Line], file: str) -> dict[str, Any]:
    """One result: a finding of a rule of `RULES` with its notes as related locations."""
    index = next(index for index, known in enumerate(RULES) if known.id == rule)
    related = [
        {"id": number, **_location(note.location, file), "message": {"text": note.text}}
        for number, note in enumerate(notes)
    ]
    row: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": index,
        "level": level,
        "message": {"text": line.text},
        "locations": [_location(line.location, file)],
        # Stable while the text of the finding is: independent of line numbers.
        "partialFingerprints": {
            "zcFinding/v1": hashlib.sha256(f"{rule}\n{line.text}".encode()).hexdigest()
        },
    }
    if related:
        row["relatedLocations"] = related
    return row


def _location(location: str, file: str) -> dict[str, Any]:
    """A `file:line:col` as a physical location; the whole `file` where it is unknown."""
    path, _, rest = location.partition(":") if location.count(":") == 2 else (file, "", "")
    uri = PurePath(path).as_posix()
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    line, _, column = rest.partition(":")
    if line.isdecimal() and int(line) > 0:
        physical["region"] = {"startLine": int(line)}
        if column.isdecimal() and int(column) > 0:
            physical["region"]["startColumn"] = int(column)
    return {"physicalLocation": physical}
