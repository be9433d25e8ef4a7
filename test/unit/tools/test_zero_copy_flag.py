"""--verify-zero-copy of all tools: nothing is copied on the way of an alias transfer (IR-21)."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from zcir.tools import zc_check, zc_opt, zc_run
from zcir.tools.driver import guarded

ROOT = Path(__file__).resolve().parents[3]
CHAIN = str(ROOT / "examples" / "chain.flow.mlir")
INPLACE = str(ROOT / "examples" / "inplace.flow.mlir")
SCALE = str(ROOT / "examples" / "scale.flow.mlir")
LINKS = ROOT / "examples" / "topologies"
IREE = str(ROOT / "test" / "data" / "programs" / "chain.oneway.stream.mlir")
INPUTS = ("--input=4x4xf32=1", "--input=4x4xf32=2")
FLAG = "--verify-zero-copy"

Capture = pytest.CaptureFixture[str]
Tool = Callable[[Sequence[str]], int]


def outcome(tool: Tool, arguments: Sequence[str], capsys: Capture) -> tuple[int, str]:
    """Exit code and standard error of a tool."""
    code = guarded(lambda: tool(arguments))
    return code, capsys.readouterr().err


def topology(name: str) -> str:
    return f"--topology={LINKS / name}.mlir"


# Aliases without a copy, and copies for want of a link: nothing is said at either level.
@pytest.mark.parametrize("links", ["coherent", "noncoherent", "oneway", "discrete"])
def test_ir_21_what_copies_nothing_passes(links: str, capsys: Capture) -> None:
    for passes in ("zc-to-stream", "zc-pipeline"):
        code, text = outcome(zc_opt.run, [CHAIN, topology(links), "-p", passes, FLAG], capsys)
        assert (code, text) == (0, "")
    code, text = outcome(zc_run.run, [CHAIN, topology(links), FLAG, "--input=16xf32=1"], capsys)
    assert (code, text) == (0, "")


# The program's update in place needs a clone of what a handed to b: all tools say where it is.
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (zc_opt.run, ["-p", "zc-to-stream"]),
        (zc_opt.run, ["-p", "zc-pipeline"]),
        (zc_run.run, INPUTS),
        (zc_check.run, INPUTS),
        (zc_check.run, ["--static"]),
    ],
)
def test_ir_21_a_copy_on_the_way_is_told_by_place(
    tool: Tool, arguments: Sequence[str], capsys: Capture
) -> None:
    code, text = outcome(tool, [INPLACE, topology("noncoherent"), *arguments, FLAG], capsys)
    error, *notes = text.splitlines()
    place = f"{INPLACE}:76:5"
    assert code == 1
    assert error.startswith(
        f"{place}: error: copy of 64 bytes at {place} on alias transfer from @device_a to @device_b"
    )
    assert [note.split(" (")[0] for note in notes] == [
        f"{INPLACE}:72:5: note: written here by @device_a",
        f"{INPLACE}:76:5: note: read here by @device_b",
    ]


# Asked for, the same copy is none of an alias transfer.
def test_ir_21_a_copy_that_is_asked_for_passes(tmp_path: Path, capsys: Capture) -> None:
    text = Path(INPLACE).read_text()
    alias = "flow.tensor.transfer %3 : tensor<16xf32> to #hal.device.affinity<@device_b>"
    assert alias in text
    stated = tmp_path / "stated.mlir"
    stated.write_text(text.replace(alias, alias + ' attributes {stream.transfer_kind = "copy"}'))
    arguments = [str(stated), topology("noncoherent"), FLAG, *INPUTS, "--stats"]
    code, text = outcome(zc_run.run, arguments, capsys)
    assert (code, text) == (0, "")


# IREE 3.13 copies between devices of which one reaches the other's memory.
def test_ir_21_a_copy_that_stock_iree_makes_is_told(capsys: Capture) -> None:
    code, text = outcome(zc_opt.run, [IREE, FLAG], capsys)
    assert code == 1
    assert f"{IREE}:95:7: error: copy of 64 bytes at {IREE}:95:7 on alias transfer" in text


def test_a_model_is_looked_at_as_well(capsys: Capture) -> None:
    arguments = [SCALE, "--model", "--input=1024xf32=3", "--output=", FLAG]
    assert outcome(zc_run.run, arguments, capsys) == (0, "")
    inplace = [INPLACE, topology("noncoherent"), "--model", *INPUTS, "--output=", FLAG]
    code, text = outcome(zc_run.run, inplace, capsys)
    assert code == 1
    assert "on alias transfer from @device_a to @device_b" in text


def test_what_is_not_lowered_is_refused(capsys: Capture) -> None:
    code, text = outcome(zc_opt.run, [CHAIN, FLAG], capsys)
    assert code == 2
    assert f"once the program is allocated ({FLAG})" in text
    assert len(text.splitlines()) == 1
    code, text = outcome(zc_run.run, [CHAIN, "--reference", FLAG, "--input=16xf32=1"], capsys)
    assert (code, text) == (
        2,
        f"error: {FLAG} looks at the lowered program; drop --reference\n",
    )
