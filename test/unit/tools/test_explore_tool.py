"""zc-check --explore: outcome sets, counts, and pictures of an execution."""

import json
from pathlib import Path

import pytest
from zcir.tools import zc_check
from zcir.tools.driver import ToolError

HANDOFF = Path(__file__).resolve().parents[2] / "data/hal/handoff.mlir"

Capture = pytest.CaptureFixture[str]


def _broken(tmp_path: Path) -> str:
    """The handoff without the consumer's invalidate."""
    lines = HANDOFF.read_text().split("\n")
    number = next(n for n, line in enumerate(lines) if "invalidate_buffer<%consume" in line)
    path = tmp_path / "t.mlir"
    path.write_text("\n".join([*lines[:number], "", *lines[number + 1 :]]))
    return str(path)


def test_a_right_program_has_one_outcome_for_each_line(capsys: Capture) -> None:
    assert zc_check.run([str(HANDOFF), "--explore"]) == 0
    out = capsys.readouterr().out
    assert out.count(": 1 outcomes") == 3
    assert "explore: 3 lines, 3 outcomes, " in out
    assert "all read every value right" in out


def test_outcomes_do_not_depend_on_the_reductions(tmp_path: Path, capsys: Capture) -> None:
    path = _broken(tmp_path)
    told: list[list[str]] = []
    for flags in ([], ["--all-moves"]):
        assert zc_check.run([path, "--explore", *flags]) == 1
        out = capsys.readouterr().out.splitlines()
        assert "some read a wrong value" in out[-1]
        told.append(out[:-1])
    assert told[0] == told[1]
    assert any("reads initial contents" in line for line in told[0])


def test_a_wrong_execution_is_drawn(tmp_path: Path) -> None:
    dot, trace = tmp_path / "x.dot", tmp_path / "x.json"
    args = [_broken(tmp_path), "--explore", f"--dot={dot}", f"--trace={trace}"]
    assert zc_check.run(args) == 1
    text = dot.read_text()
    assert text.startswith("digraph execution {")
    assert text.count("{") == text.count("}")
    assert "prefetch by cache of" in text
    rows = json.loads(trace.read_text())["traceEvents"]
    steps = [row for row in rows if row["ph"] == "X"]
    assert [row["ts"] for row in steps] == list(range(len(steps)))
    assert len(steps) <= 6
    assert steps[-1]["args"]["reads"] == "initial"


def test_it_gives_up_at_a_bound_and_tells_the_way_out() -> None:
    flags = ["--explore", "--all-lines", "--all-moves", "--max-states=20"]
    with pytest.raises(ToolError) as told:
        zc_check.run([str(HANDOFF), *flags])
    assert str(told.value) == (
        "more than 20 states: too many to explore; drop --all-lines and --all-moves, or "
        "--max-states=200 allows more"
    )


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--all-lines"], "--all-lines is for the explorer; add --explore"),
        (["--all-moves"], "--all-moves is for the explorer; add --explore"),
        (["--max-states=9"], "--max-states is for the explorer; add --explore"),
        (["--dot=x"], "--dot is for the explorer; add --explore"),
        (["--static", "--trace=x"], "--trace is for the explorer; add --explore"),
        (["--explore", "--max-states=0"], "expected a number of states from 1 .* got 0"),
        (["--explore", "--fix=-"], "reports no faults; drop --fix"),
        (["--explore", "--witness=x"], "reports no faults; drop --witness"),
        (["--explore", "--format=sarif"], "reports no faults; drop --format=sarif"),
    ],
)
def test_a_flag_that_would_do_nothing_is_refused(flags: list[str], message: str) -> None:
    with pytest.raises(ToolError, match=message):
        zc_check.run([str(HANDOFF), *flags])
