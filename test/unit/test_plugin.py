"""Plain `xdsl-opt`, with zcir among its plugins, reads our dialects and runs our passes."""

import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from xdsl.universe import Universe
from xdsl.xdsl_opt_main import xDSLOptMain
from zcir.dialects import DIALECTS, FOREIGN_DIALECTS
from zcir.transforms.registry import PASSES

ROOT = Path(__file__).resolve().parents[2]
GROUP = "xdsl.universe"


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> list[metadata.EntryPoint]:
    """The plugins as they are where zcir is installed: what pyproject names, and the others'."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ours = [
        metadata.EntryPoint(name, value, GROUP)
        for name, value in project["entry-points"][GROUP].items()
    ]
    others = [one for one in metadata.entry_points(group=GROUP) if one not in ours]
    assert ours
    assert others, "xDSL's own plugin is not found"

    def entry_points(group: str) -> list[metadata.EntryPoint]:
        assert group == GROUP
        return others + ours

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    return others + ours


def run(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """What xDSL's own tool prints."""
    xDSLOptMain(args=args).run()
    return capsys.readouterr().out


@pytest.mark.usefixtures("plugins")
def test_xdsl_opt_reads_and_prints_our_dialects(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = ROOT / "test/data/hal/handoff.mlir"
    once = run(capsys, str(path))
    assert "hal.command_buffer.flush_buffer<" in once
    again = tmp_path / "again.mlir"
    again.write_text(once)
    assert run(capsys, str(again)) == once
    again.write_text(run(capsys, str(path), "--print-op-generic"))
    assert run(capsys, str(again)) == once


@pytest.mark.usefixtures("plugins")
def test_xdsl_opt_runs_our_passes(capsys: pytest.CaptureFixture[str]) -> None:
    # Its device targets hold an attribute of a dialect that nobody here has.
    path = (str(ROOT / "examples/chain.flow.mlir"), "--allow-unregistered-dialect")
    before = run(capsys, *path)
    assert "flow.dispatch @" in before
    assert "stream." not in before.split("util.func", 1)[1]
    after = run(capsys, *path, "-p", "flow-to-stream,stream-resolve-transfer-kinds")
    assert "stream.async.dispatch" in after
    assert "flow.dispatch @" not in after
    assert "stream.transfer_kind" in after


@pytest.mark.usefixtures("plugins")
def test_our_names_do_not_clash() -> None:
    """xDSL refuses two plugins with one name; its dialects that ours replace stay its own."""
    everything = Universe.get_multiverse()
    assert set(DIALECTS) <= set(everything.all_dialects)
    assert set(PASSES) <= set(everything.all_passes)
    for name in FOREIGN_DIALECTS.keys() - {"index"}:  # xDSL has none of that name
        operations = everything.all_dialects[name]().operations
        assert all(op.__module__.startswith("xdsl.") for op in operations)
