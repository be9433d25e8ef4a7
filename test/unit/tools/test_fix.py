"""`--fix`: the result is clean, and every operation added is needed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import Program, RunResult, load
from zcir.tools import zc_check
from zcir.tools.fix import fix
from zcir.tools.fix_edits import apply

ROOT = Path(__file__).resolve().parents[3]
HANDOFF = ROOT / "test/data/hal/handoff.mlir"
REMOVED = (
    "flush_buffer",
    "invalidate_buffer",
    "execution_barrier",
    "stream.cmd.flush",
    "stream.cmd.invalidate",
)

Capture = pytest.CaptureFixture[str]


def _parsed(text: str) -> Program:
    context = make_context()
    return load(parse_text(context, text, "mutant.mlir"), context=context)


def _lowered(example: str, pipeline: str) -> str:
    program = load(
        ROOT / f"examples/{example}.flow.mlir",
        topology=ROOT / "examples/topologies/noncoherent.mlir",
        passes=(pipeline,),
    )
    return str(program.module)


def _mutants(text: str) -> Iterator[str]:
    """The program without one operation, and without any maintenance."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if any(name in line for name in REMOVED):
            yield "\n".join([*lines[:number], "", *lines[number + 1 :]])
    yield "\n".join("" if any(name in line for name in REMOVED) else line for line in lines)


def _check_of(program: Program):  # noqa: ANN202
    def check(module: ModuleOp) -> RunResult:
        return Program(module, program.topology).run(check=True, count_missing=True)

    return check


def _judge(text: str) -> int:
    """Repair a mutant; how many operations were added."""
    program = _parsed(text)
    check = _check_of(program)
    fixed = fix(program.module, check)
    assert not fixed.result.reports, [report.message for report in fixed.result.reports]
    assert not fixed.refusals
    # Any one operation less brings a report back.
    for edit in fixed.edits:
        rest = [other for other in fixed.edits if other != edit]
        verdict = check(apply(program.module, rest)).check
        assert verdict is not None
        assert verdict.reports, edit
    # What is printed is what was judged.
    again = _parsed(str(fixed.module)).run(check=True, count_missing=True).check
    assert again is not None
    assert not again.reports
    return len(fixed.edits)


def test_every_hal_mutant_is_repaired_with_the_fewest_operations() -> None:
    # IR-30, IR-32, IR-35: the operations that were taken out come back.
    counts = [_judge(mutant) for mutant in _mutants(HANDOFF.read_text())]
    assert set(counts[:-1]) <= {1, 2, 3}
    assert counts[-1] >= 4


@pytest.mark.parametrize("example", ["chain", "inplace"])
def test_every_stream_mutant_is_repaired_with_the_fewest_operations(example: str) -> None:
    counts = [_judge(mutant) for mutant in _mutants(_lowered(example, "zc-to-stream"))]
    assert set(counts[:-1]) <= {0, 1, 2}
    assert counts[-1] >= 3


def test_a_missing_wait_is_added() -> None:
    # IR-47: the consumer does not wait for the producer, but for the allocas alone.
    text = HANDOFF.read_text().replace("wait(%produced)", "wait(%ready)")
    assert _judge(text) == 1


def test_the_tool_writes_the_repaired_program(tmp_path: Path, capsys: Capture) -> None:
    broken = tmp_path / "t.mlir"
    broken.write_text(list(_mutants(HANDOFF.read_text()))[-1])
    fixed = tmp_path / "fixed.mlir"
    assert zc_check.run([str(broken), f"--fix={fixed}"]) == 1
    assert "0 faults left" in capsys.readouterr().err
    assert zc_check.run([str(fixed)]) == 0


def test_what_cannot_be_repaired_is_said(tmp_path: Path, capsys: Capture) -> None:
    deadlock = ROOT / "test/data/judge/deadlock.mlir"
    assert zc_check.run([str(deadlock), f"--fix={tmp_path / 'x.mlir'}"]) == 1
    err = capsys.readouterr().err
    assert "fix: 0 operations added, 1 faults left" in err
    assert "deadlock: no operation repairs it" in err
