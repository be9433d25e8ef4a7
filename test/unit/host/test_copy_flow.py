"""The example of explicit copies against mapped memory."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "copy_flow.py"


def load() -> Any:
    spec = importlib.util.spec_from_file_location("copy_flow", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["copy_flow"] = module
    spec.loader.exec_module(module)
    return module


flow = load()
SIZES = (1 << 10, 1 << 16, 1 << 20)


@pytest.mark.parametrize("name", ["coherent", "non-coherent", "discrete"])
def test_explicit_copies_move_the_data_twice_and_mapped_memory_never(name: str) -> None:
    # CP-09, CP-14, ZC-01: `measure` checks the numbers.
    costs = flow.table(flow.machines()[name], SIZES)
    for way in ("pageable", "pinned"):
        assert [cost.copied for cost in costs[way]] == [2 * size for size in SIZES]
    assert [cost.copied for cost in costs["mapped"]] == [0, 0, 0]
    # Pageable memory is staged, and its copies do not overlap anything.
    for pageable, pinned in zip(costs["pageable"], costs["pinned"], strict=True):
        assert pageable.time_ns > pinned.time_ns


def test_where_copies_begin_to_pay() -> None:
    machines = flow.machines()
    sizes = (1 << 10, 1 << 14, 1 << 18)
    # Small data on a coherent device are best left where they are; on a slow link never, if they
    # are read often, and always, if they are read once.
    assert flow.crossover(flow.table(machines["coherent"], sizes), sizes) == 1 << 14
    assert flow.crossover(flow.table(machines["discrete"], sizes), sizes) == 1 << 10
    assert flow.crossover(flow.table(machines["discrete"], sizes, passes=1), sizes) is None


def test_the_plot_needs_its_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(flow, "SIZES", SIZES)
    monkeypatch.setattr(flow.table, "__defaults__", (SIZES, 4))
    monkeypatch.setattr(flow.crossover, "__defaults__", (SIZES,))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert flow.main([f"--plot={tmp_path / 'plot.png'}"]) == 2
    printed = capsys.readouterr().out
    assert "coherent, 4 passes" in printed
    assert printed.count("crossover: ") == 3
    assert "install the extra `plot`" in printed
