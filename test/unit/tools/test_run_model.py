"""zc-run --model: the flags of a load, memory of each kind, and refusals in one line."""

import json
from pathlib import Path
from typing import Any

import pytest
from zcir.tools import zc_run
from zcir.tools.driver import ToolError

ROOT = Path(__file__).parents[3]
SCALE = str(ROOT / "examples" / "scale.flow.mlir")
CHAIN = str(ROOT / "examples" / "chain.flow.mlir")
NONCOHERENT = f"--topology={ROOT / 'examples' / 'topologies' / 'noncoherent.mlir'}"
GIVEN = ["--model", "--input=1024xf32=3", "--expected_output=1024xf32=7"]

DEEP = pytest.mark.deep
Capture = pytest.CaptureFixture[str]


def totals(capsys: Capture, *flags: str) -> dict[str, Any]:
    """The counters of a run of the model, which gives the right numbers."""
    code = zc_run.run([SCALE, *GIVEN, *flags, "--stats-format=json"])
    out = capsys.readouterr().out
    assert code == 0, out
    assert "[SUCCESS]" in out
    return json.loads(out[: out.rindex("}") + 1])["total"]


@pytest.mark.parametrize(
    ("flags", "copies", "fallbacks"),
    [
        ((), 0, 0),
        (("--io-memory=pageable",), 2, 2),
        pytest.param(("--io-memory=pinned",), 2, 2, marks=DEEP),
        pytest.param(("--output-memory=none",), 0, 1, marks=DEEP),
        # The tool's own copy to the device counts.
        pytest.param(("--io-memory=device",), 1, 0, marks=DEEP),
        (("--reuse-zero-copy-memory=0",), 2, 0),
        pytest.param(("--reuse-zero-copy-memory=1",), 0, 0, marks=DEEP),
        pytest.param(
            ("--reuse-zero-copy-memory=0", "--no-merge-input-copies"), 2, 0, marks=pytest.mark.deep
        ),
        (("--always-zero-copy", "--always-external-allocator", "--enable-single-stream"), 0, 0),
        pytest.param(
            ("--zero-copy-align=512", "--feature-map-align=64", "--memory=coherent"),
            0,
            0,
            marks=pytest.mark.deep,
        ),
        (("--schedule=adversarial:3", "--memory=noncoherent", "--check"), 0, 0),
    ],
)
def test_flags_are_those_of_a_load(
    flags: tuple[str, ...], copies: int, fallbacks: int, capsys: Capture
) -> None:
    if "--check" in flags:
        assert zc_run.run([SCALE, *GIVEN, *flags]) == 0
        assert "right under every schedule" in capsys.readouterr().out
        flags = tuple(flag for flag in flags if flag != "--check")
    counts = totals(capsys, *flags)
    assert (counts["copy_cmds"], counts["fallbacks"]) == (copies, fallbacks)


def test_calls_with_fresh_buffers_record_nothing_more(capsys: Capture) -> None:
    once, often = totals(capsys), totals(capsys, "--repeat=20")
    assert often["recordings"] == once["recordings"]
    assert often["copy_cmds"] == 0
    # The input is invalidated and read, the output is written and flushed.
    assert often["slots_refreshed"] - once["slots_refreshed"] == 19 * 4


def test_a_model_on_two_devices_and_its_results(tmp_path: Path, capsys: Capture) -> None:
    trace = tmp_path / "t.json"
    flags = [NONCOHERENT, "--model", "--input=16xf32=1", "--check", f"--trace={trace}"]
    assert zc_run.run([CHAIN, *flags]) == 0
    out = capsys.readouterr().out
    assert "right under every schedule" in out
    assert "16xf32=2 2 2" in out
    assert json.loads(trace.read_text())["traceEvents"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--repeat=2"], "--repeat is about models; add --model"),
        (["--always-zero-copy"], "--always-zero-copy is about models; add --model"),
        ([*GIVEN, "--reference"], "--reference does not go with --model; drop one"),
        ([*GIVEN, "--repeat=0"], "--repeat takes a number of calls from 1, got 0"),
        (
            [*GIVEN, "--io-memory=pageable", "--always-zero-copy"],
            "input 0 placement host does not match required placement device 0",
        ),
        (
            [*GIVEN, "--io-memory=pageable", "--reuse-zero-copy-memory=1"],
            r"input 0 is located in host memory .*available: 0, required: 8192",
        ),
        ([*GIVEN, "--call=f", "--call=f"], "belongs to the --call before it"),
        (["--model", "--call=f", "--call=f"], "--model takes one call; --repeat repeats it"),
    ],
)
def test_what_does_not_go_together(flags: list[str], message: str) -> None:
    with pytest.raises(ToolError, match=message):
        zc_run.run([SCALE, *flags])


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--zero-copy-align=24"], "alignment must be a power of two, got 24"),
        (["--function=g"], "expected a public function @g as the model, got @f"),
        (["--input=3xf32=1"], "expected 1 inputs, got 2"),
    ],
)
def test_models_that_cannot_be_planned_or_called(flags: list[str], message: str) -> None:
    with pytest.raises(Exception, match=message):
        zc_run.run([SCALE, *GIVEN, *flags])
