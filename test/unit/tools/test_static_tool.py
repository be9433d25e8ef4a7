"""zc-check --static: both levels, every form, exit codes 0, 1 and 2 (IR-13, IR-30, IR-47)."""

import json
from pathlib import Path
from typing import Any

import pytest
from zcir.tools import zc_check
from zcir.tools.driver import tool_main

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "test" / "data"
HANDOFF = DATA / "hal" / "handoff.mlir"
CHAIN = ROOT / "examples" / "chain.flow.mlir"
NONCOHERENT = str(ROOT / "examples" / "topologies" / "noncoherent.mlir")
IREE = DATA / "hal" / "chain.none.hal.mlir"
SOURCES = DATA / "programs" / "chain.none.executable-sources.mlir"

Capture = pytest.CaptureFixture[str]

LOOP = """\
module attributes {stream.topology = #hal.device.topology<links = [
    (@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @loop(%more: i1) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : RESOURCE{%c64} \
=> !stream.timepoint
    cf.br ^bb1(%x0 : !stream.timepoint)
  ^bb1(%t: !stream.timepoint):
    %u = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t) => with(%x as %o: \
RESOURCE{%c64}) {
      stream.cmd.copy %o[%c0], %o[%c32], %c32 : RESOURCE{%c64} -> RESOURCE{%c64}
    } => !stream.timepoint
    %v = stream.cmd.execute on(#hal.device.affinity<@b>) await(%u) => with(%x as %o: \
RESOURCE{%c64}) {
      stream.cmd.fill %byte, %o[%c0 for %c32] : i8 -> RESOURCE{%c64}
    } => !stream.timepoint
    cf.cond_br %more, ^bb1(%v : !stream.timepoint), ^bb2
  ^bb2:
    util.return
  }
}
""".replace("RESOURCE", "!stream.resource<transient>")
"""Only a second round reads what @b has written."""


def broken(target: Path) -> str:
    """The hand-over without its flush."""
    kept = [line for line in HANDOFF.read_text().split("\n") if "flush_buffer" not in line]
    target.write_text("\n".join(kept))
    return str(target)


def document(args: list[str], capsys: Capture, code: int) -> Any:
    assert zc_check.run(args) == code
    return json.loads(capsys.readouterr().out)


def test_right_programs_of_each_level(capsys: Capture) -> None:
    right = "check: right on all paths, under every schedule, eviction and prefetch\n"
    for args in (
        [str(HANDOFF)],
        [str(CHAIN), f"--topology={NONCOHERENT}"],
        [str(CHAIN), f"--topology={NONCOHERENT}", "-p", "zc-pipeline"],
        [str(IREE), "--memory=coherent"],
    ):
        assert zc_check.run([*args, "--static"]) == 0
        assert capsys.readouterr().out == right


def test_a_fault_as_text(tmp_path: Path, capsys: Capture) -> None:
    file = broken(tmp_path / "t.mlir")
    assert zc_check.run([file, "--static"]) == 1
    out, err = capsys.readouterr()
    assert out == "check: 2 faults: 2 definite, 0 may\n"
    first = err.replace(file, "t.mlir").splitlines()[0]
    assert first == (
        "t.mlir:99:5: error: stale read of bytes [0,64) of %mid by @b: it may not see the write "
        "by @a, for want of a flush by @a"
    )


def test_a_fault_as_json(tmp_path: Path, capsys: Capture) -> None:
    found = document([broken(tmp_path / "t.mlir"), "--static", "--format=json"], capsys, 1)
    assert found["static"] is True
    first = found["reports"][0]
    assert (first["rule"], first["certainty"]) == ("stale", "definite")
    assert set(first) == {
        *("rule", "certainty", "message", "bytes", "at", "write", "read", "other", "missing")
    }
    assert [gap["action"] for gap in first["missing"]] == ["flush"]
    assert first["write"]["agent"] == "a"


def test_a_fault_as_sarif_is_an_error_or_a_warning(tmp_path: Path, capsys: Capture) -> None:
    file = broken(tmp_path / "t.mlir")
    (run,) = document([file, "--static", "--format=sarif"], capsys, 1)["runs"]
    assert {(row["ruleId"], row["level"]) for row in run["results"]} == {("stale", "error")}
    sometimes = tmp_path / "loop.mlir"
    sometimes.write_text(LOOP)
    (run,) = document([str(sometimes), "--static", "--format=sarif"], capsys, 1)["runs"]
    assert {(row["ruleId"], row["level"]) for row in run["results"]} >= {("stale", "warning")}


def test_documents_of_right_programs(capsys: Capture) -> None:
    assert document([str(HANDOFF), "--static", "--format=json"], capsys, 0)["reports"] == []
    (run,) = document([str(HANDOFF), "--static", "--format=sarif"], capsys, 0)["runs"]
    assert run["results"] == []


def test_hal_programs_of_iree_with_the_kernels_of_another_phase(capsys: Capture) -> None:
    """Their hand-overs lack maintenance; without kernels each fault may be one, or not."""
    args = [str(IREE), "--static", "--memory=noncoherent", "--format=json"]
    for sources, precise in (([], False), ([f"--executable-sources={SOURCES}"], True)):
        rows = document([*args, *sources], capsys, 1)["reports"]
        stale = [row for row in rows if row["rule"] == "stale"]
        assert len(stale) >= 4
        assert all(row["certainty"] == "definite" for row in stale) is precise


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--input=4xf32"], "--static judges all paths and runs nothing; drop --input"),
        (["--function=f"], "--static judges all paths and runs nothing; drop --function"),
        (["--witness=w"], "--static judges all paths and runs nothing; drop --witness"),
        (["--fix=o"], "--static judges all paths and runs nothing; drop --fix"),
        (["--explore"], "--static judges all paths and runs nothing; drop --explore"),
    ],
)
def test_flags_of_a_run_are_refused(flags: list[str], message: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as stop:
        tool_main(zc_check.run)([str(HANDOFF), "--static", *flags])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
