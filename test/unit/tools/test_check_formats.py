"""zc-check: deadlocks are reports, and what is machine-readable keeps its form."""

import json
from pathlib import Path
from typing import Any

import pytest
from zcir.runtime.checker import Redundancy, Rule
from zcir.runtime.checker.rules import RULES
from zcir.tools import zc_check, zc_run

DATA = Path(__file__).resolve().parents[2] / "data"
DEADLOCK = str(DATA / "judge" / "deadlock.mlir")
HANDOFF = DATA / "hal" / "handoff.mlir"

Capture = pytest.CaptureFixture[str]


def _without(path: Path, text: str, target: Path) -> str:
    """A copy of a program without its lines that hold `text`."""
    kept = [line for line in path.read_text().split("\n") if text not in line]
    target.write_text("\n".join(kept))
    return str(target)


def _document(args: list[str], capsys: Capture, code: int = 1) -> Any:
    assert zc_check.run(args) == code
    return json.loads(capsys.readouterr().out)


def test_a_deadlock_is_a_report_with_the_fence_who_waits_and_what_is_missing(
    capsys: Capture,
) -> None:
    assert zc_check.run([DEADLOCK]) == 1
    lines = capsys.readouterr().err.replace(DEADLOCK, "t.mlir").splitlines()
    assert lines == [
        "t.mlir:11:5: error: deadlock: host waits for %done, but nothing left to execute signals "
        "%never at 0 of 1",
        "t.mlir:11:5: note: host waits for %done (%done at 0 of 1) here (hal.fence.await)",
        "t.mlir:10:5: note: @d waits for %never (%never at 0 of 1) here (hal.device.queue.barrier)",
    ]
    assert zc_run.run([DEADLOCK, "--check"]) == 1
    assert "deadlock: host waits" in capsys.readouterr().err


def test_a_deadlock_as_json(capsys: Capture) -> None:
    (row,) = _document([DEADLOCK, "--format=json"], capsys)["reports"]
    assert (row["rule"], row["at"]["id"], row["agents"]) == ("deadlock", -1, ["host"])
    assert [wait["never"] for wait in row["waits"]] == [[], ["%never at 0 of 1"]]


def test_rule_ids_are_stable() -> None:
    assert [rule.id for rule in RULES] == [
        "race",
        "stale",
        "lost",
        "clobber",
        "false-sharing",
        "lifetime",
        "uninitialized",
        "out-of-bounds",
        "unreachable",
        "borrowed",
        "unordered-signals",
        "deadlock",
        "redundant-never-dirty",
        "redundant-already-clean",
        "redundant-no-later-reader",
        "redundant-coherent-memory",
    ]
    assert len(RULES) == len(Rule) + len(Redundancy)


def test_sarif_has_the_notes_as_related_locations(tmp_path: Path, capsys: Capture) -> None:
    program = _without(HANDOFF, "flush_buffer", tmp_path / "t.mlir")
    log = _document([program, "--format=sarif"], capsys)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["results"]
    for result in run["results"]:
        assert set(result) <= {
            "ruleId",
            "ruleIndex",
            "level",
            "message",
            "locations",
            "relatedLocations",
            "partialFingerprints",
        }
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["defaultConfiguration"]["level"] == result["level"]
        for place in (*result["locations"], *result.get("relatedLocations", ())):
            physical = place["physicalLocation"]
            assert physical["artifactLocation"]["uri"]
            assert all(number > 0 for number in physical.get("region", {}).values())
    stale = next(r for r in run["results"] if r["ruleId"] == "stale")
    region = stale["locations"][0]["physicalLocation"]["region"]
    assert set(region) == {"startLine", "startColumn"}
    assert any("insert a flush" in place["message"]["text"] for place in stale["relatedLocations"])


def test_sarif_of_a_right_program_has_no_results(capsys: Capture) -> None:
    log = _document([str(HANDOFF), "--format=sarif"], capsys, code=0)
    assert log["runs"][0]["results"] == []
