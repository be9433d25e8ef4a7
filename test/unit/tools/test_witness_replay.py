"""Each report has a schedule that reads a wrong value, and the simulator reads it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.checker import check
from zcir.runtime.event_builder import GraphBuilder, shared_memory
from zcir.runtime.load import Program, RunResult, load
from zcir.runtime.replay import Replay
from zcir.runtime.witness import OF_VALUES, from_json, to_json, witness_of
from zcir.tools import zc_check, zc_run
from zcir.tools.driver import error_lines

ROOT = Path(__file__).resolve().parents[3]
HANDOFF = ROOT / "test/data/hal/handoff.mlir"
MAINTENANCE = ("flush_buffer", "invalidate_buffer", "stream.cmd.flush", "stream.cmd.invalidate")

Capture = pytest.CaptureFixture[str]


def _program(text: str) -> Program:
    context = make_context()
    return load(parse_text(context, text, "mutant.mlir"), context=context)


def _mutants(text: str) -> Iterator[str]:
    """The program without one flush or invalidate."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if any(command in line for command in MAINTENANCE):
            yield "\n".join([*lines[:number], *lines[number + 1 :]])


def _stream(example: str) -> str:
    program = load(
        ROOT / f"examples/{example}.flow.mlir",
        topology=ROOT / "examples/topologies/noncoherent.mlir",
        passes=("zc-to-stream",),
    )
    return str(program.module)


def _replayed(program: Program, outcome: RunResult) -> Iterator[Replay]:
    """For each report about values the replay of its witness, through JSON."""
    assert outcome.check is not None
    for report in outcome.check.reports:
        if report.rule not in OF_VALUES:
            continue
        witness = witness_of(report, outcome.graph, outcome.machine)
        assert witness is not None, report.message
        assert witness.exact, report.message
        assert len(witness.steps) <= 6
        row = json.loads(json.dumps(to_json(witness, outcome.graph)))
        replay = Replay.of(from_json(row))
        program.run(script=replay.script, count_missing=True)
        yield replay


@pytest.mark.parametrize("level", ["hal", "stream"])
def test_every_mutants_witness_is_read_on_the_simulator(level: str) -> None:
    # IR-30, IR-32, IR-35: without a flush or an invalidate, some schedule reads another value.
    text = HANDOFF.read_text() if level == "hal" else _stream("chain")
    replays = 0
    for mutant in _mutants(text):
        program = _program(mutant)
        outcome = program.run(check=True, count_missing=True)
        for replay in _replayed(program, outcome):
            assert replay.wrong
            assert replay.script.over
            if replay.got is not None:
                assert replay.read is not None
                assert replay.read.tobytes() == replay.got.tobytes()
            replays += 1
    assert replays >= 4


@pytest.mark.parametrize("lines", [1, 64, 4096])
def test_message_passing_without_the_invalidate_takes_few_steps(lines: int) -> None:
    machine = shared_memory(("a",), ("b",))
    size = lines * 64
    graph = GraphBuilder()
    graph.alloca("a", "%x", 0, size)
    graph.access("a", writes=[(0, size)])
    graph.access("a", writes=[(0, size)])
    graph.flush("a", (0, size))
    graph.access("b", reads=[(0, size)])
    (report,) = check(graph.graph, machine).reports
    witness = witness_of(report, graph.graph, machine)
    assert witness is not None
    assert len(witness.steps) <= 6


def test_the_tools_write_and_replay_a_witness(tmp_path: Path, capsys: Capture) -> None:
    program = tmp_path / "t.mlir"
    lines = HANDOFF.read_text().split("\n")
    number = next(n for n, line in enumerate(lines) if "invalidate_buffer<%consume" in line)
    program.write_text("\n".join([*lines[:number], "", *lines[number + 1 :]]))
    file = tmp_path / "w.json"
    assert zc_check.run([str(program), f"--witness={file}"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert "note: a wrong value is read in 4 steps:" in told
    assert told[-1].endswith("and reads the initial contents")
    assert zc_run.run([str(program), f"--replay={file}"]) == 1
    out = capsys.readouterr().out
    assert "replay of stale: read cd cd cd cd" in out
    # A schedule names commands by their numbers, and the repaired program has one more.
    with pytest.raises(Exception, match="does not fit the program"):
        zc_run.run([str(HANDOFF), f"--replay={file}"])


def test_a_witness_file_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "w.json"
    for text, message in (
        ("{", "not a JSON file"),
        ("{}", "not a witness file"),
        ("[]", "not a witness file"),
        ('{"witnesses": 5}', "not a witness file"),
        ('{"witnesses": [5]}', "not a witness file"),
        ('{"witnesses": [{"witness": {"line": [0]}}]}', "no schedule that can be replayed"),
        ('{"witnesses": [{"rule": "stale", "witness": 5}]}', "no schedule that can be replayed"),
        ('{"witnesses": []}', "no report of the file has a witness"),
        (
            '{"witnesses": [{"rule": "stale", "witness": {"line": [0]}}]}',
            "no schedule that can be replayed",
        ),
    ):
        file.write_text(text)
        with pytest.raises(Exception, match=message):
            zc_run.run([str(HANDOFF), f"--replay={file}"])


def test_an_empty_file_name_is_told() -> None:
    with pytest.raises(FileNotFoundError) as told:
        zc_check.run([str(HANDOFF), "--witness="])
    assert error_lines(told.value) == ["'': error: no such file or directory"]
