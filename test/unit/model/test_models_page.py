"""docs/models.md: its Python runs, and its table of GE's parts names what is there (GE-76)."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from zcir.tools.zc_run import run

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "models.md").read_text()


def test_ge_76_each_part_of_ge_has_an_owner() -> None:
    """GE-76: nineteen responsibilities in the document's layers, each a symbol that is there."""
    rows = re.findall(r"^\| ([\w ]+) \| .* \| .* \| `([\w.]+):(\w+)` \|$", PAGE, re.M)
    layers = [layer for layer, _, _ in rows]
    assert {layer: layers.count(layer) for layer in layers} == {
        "API": 2,
        "definitions": 2,
        "compiler": 6,
        "runtime V1": 5,
        "runtime V2": 4,
    }
    for _, module, symbol in rows:
        assert hasattr(import_module(module), symbol), f"{module} has no {symbol}"


def test_the_page_shows_python_that_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    exec(block, {})
    assert capsys.readouterr().out == "bound\n[7. 7. 7.] 0\n"


def test_the_page_names_flags_that_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["--help"])
    text = capsys.readouterr().out
    flags = set(re.findall(r"`(--[\w-]+)", PAGE)) | {"--model", "--repeat"}
    assert len(flags) > 8
    for flag in flags:
        assert flag in text or flag in ("--remarks", "--print-io-plan"), flag
