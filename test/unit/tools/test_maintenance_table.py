"""The table of maintenance and barriers in docs/: its rows are what the programs need today."""

from pathlib import Path

import numpy as np
import pytest
from zcir.dialects.parsing import make_context
from zcir.tools.maintenance_table import Row, Upkeep, measure, render

ROOT = Path(__file__).parents[3]
PROGRAMS = ROOT / "test" / "data" / "programs"
PAGE = ROOT / "docs" / "maintenance-table.md"
QUICK = {"chain.unified", "reduction.none"}
ALL = sorted(path.name.removesuffix(".flow.mlir") for path in PROGRAMS.glob("*.flow.mlir"))


def written() -> dict[str, list[str]]:
    """The cells of the page, by program."""
    lines = PAGE.read_text().splitlines()
    rule = next(number for number, line in enumerate(lines) if line.startswith("| ---"))
    return {(cells := line.strip("| ").split(" | "))[0]: cells for line in lines[rule + 1 :]}


@pytest.mark.parametrize(
    "program",
    [pytest.param(p, marks=() if p in QUICK else (pytest.mark.deep,)) for p in ALL],
)
def test_a_row_of_the_page_is_what_the_program_needs(program: str) -> None:
    name = program.partition(".")[0]
    inputs = [np.load(file) for file in sorted(PROGRAMS.glob(f"{name}.in*.npy"))]
    row = measure(make_context(), PROGRAMS / f"{program}.flow.mlir", inputs)
    assert row.cells() == written()[program], "run make docs"
    # Elision leaves no more than was placed, and that is no more than maintaining everything.
    assert row.left.operations <= row.placed.operations <= row.everything.operations
    assert row.barriers < row.commands


def test_the_page_has_all_programs_and_their_sums() -> None:
    cells = written()
    assert sorted(cells) == ["**total**", *ALL]
    for column in range(1, 12):
        total = sum(int(cells[program][column]) for program in ALL)
        assert int(cells["**total**"][column]) == total


def test_rendering_adds_up() -> None:
    row = Row("p", Upkeep(4, 128, 64), Upkeep(3, 64, 64), Upkeep(2, 64, 0), 5, 2)
    last = render([row, row]).splitlines()[-1]
    assert last == "| **total** | 8 | 256 | 128 | 6 | 128 | 128 | 4 | 128 | 0 | 10 | 4 |"
