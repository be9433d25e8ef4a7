"""zc-run: traces of whole runs, and strict runs."""

import itertools
import json
from pathlib import Path

import pytest
from zcir.dialects.diagnostics import OpError
from zcir.tools import zc_check, zc_run
from zcir.tools.driver import ToolError

ROOT = Path(__file__).parents[3]
CHAIN = str(ROOT / "examples" / "chain.flow.mlir")
NONCOHERENT = f"--topology={ROOT / 'examples' / 'topologies' / 'noncoherent.mlir'}"
DEAD_BUFFER = str(ROOT / "test" / "data" / "stream" / "dead_buffer.mlir")

Capture = pytest.CaptureFixture[str]


def test_a_run_is_written_as_trace_events(tmp_path: Path, capsys: Capture) -> None:
    """Three dispatches on two devices, each between its maintenance, in the order of the chain;
    the signal comes after the flush (IR-31)."""
    path = tmp_path / "t.json"
    assert zc_run.run([CHAIN, NONCOHERENT, "--input=16xf32=1", f"--trace={path}"]) == 0
    assert "16xf32=2 2 2" in capsys.readouterr().out
    rows = json.loads(path.read_text())["traceEvents"]
    processes = {row["pid"]: row["args"]["name"] for row in rows if row["name"] == "process_name"}
    assert sorted(processes.values()) == ["device_a", "device_b", "host"]
    spans = [row for row in rows if row["ph"] == "X" and processes[row["pid"]] != "host"]
    spans.sort(key=lambda row: row["ts"])
    kinds = [row["cat"] for row in spans]
    assert kinds.count("access") == 3
    for before, after in itertools.pairwise(spans):
        assert before["ts"] + before["dur"] <= after["ts"] + 1e-6
    dispatches = [row for row in spans if row["cat"] == "access"]
    assert [processes[row["pid"]] for row in dispatches] == ["device_a", "device_b", "device_a"]
    assert all(row["args"]["bytes_written"] == 64 for row in dispatches)
    assert {"flush", "invalidate"} < set(kinds)
    # Arrows follow fences: what a produces starts what b does, and back.
    arrows = [(row["ph"], processes[row["pid"]]) for row in rows if row.get("cat") == "order"]
    ways = {(start, end) for (_, start), (_, end) in zip(arrows[::2], arrows[1::2], strict=True)}
    assert ways >= {("device_a", "device_b"), ("device_b", "device_a"), ("host", "device_a")}


def test_a_trace_needs_a_run_on_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    with pytest.raises(ToolError, match="--trace shows a run on the machine"):
        zc_run.run([CHAIN, "--reference", "--input=16xf32=1", f"--trace={path}"])
    assert not path.exists()


@pytest.mark.parametrize("tool", ["zc-run", "zc-check"])
def test_strict_refuses_what_is_reported_otherwise(tool: str, capsys: Capture) -> None:
    """K8: a use after the dealloca is a report of a judged run, exit code 1, and ends a strict
    one, exit code 2."""
    main, check = (zc_run.main, ["--check"]) if tool == "zc-run" else (zc_check.main, [])
    for flags, code, message in (
        (check, 1, "uses bytes [0,16) of %r"),
        ([*check, "--strict"], 2, "use of deallocated buffer"),
    ):
        with pytest.raises(SystemExit) as exit_:
            main([DEAD_BUFFER, *flags])
        captured = capsys.readouterr()
        assert exit_.value.code == code
        assert message in captured.out + captured.err


def test_the_reference_refuses_a_module_that_does_not_verify(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    text = Path(CHAIN).read_text()
    path.write_text(text.replace("@f_dispatch_1", "@f_dispatch_0"))
    with pytest.raises(OpError, match="defines the symbol @f_dispatch_0 a second time"):
        zc_run.run([str(path), "--reference", "--input=16xf32=1"])
