"""`make demo` says what it should, and README's commands print what README says."""

import importlib.util
import re
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
PROGRAMS = ("chain", "fanout", "inplace")
TOPOLOGIES = ("coherent", "noncoherent", "discrete", "oneway")


class Demo(NamedTuple):
    """One run of the demo."""

    code: int
    output: str
    folder: Path


def _demo_module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("zcir_demo", ROOT / "examples" / "demo.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    folder = tmp_path_factory.mktemp("demo") / "lowered"
    module = _demo_module()
    stream = StringIO()
    with redirect_stdout(stream):
        code = module.main(folder)
    return Demo(code, stream.getvalue(), folder)


def test_demo_finds_all_as_it_should_be(demo: Demo) -> None:
    assert demo.code == 0, demo.output
    assert "NOT AS IT SHOULD BE" not in demo.output


def test_demo_shows_each_program_on_each_topology(demo: Demo) -> None:
    rows = re.findall(r"^  (\w+) +(\d+) +(\d+) .* = reference +right$", demo.output, re.M)
    copies = [(topology, int(count)) for topology, count, _ in rows]
    wanted = ((0, 0, 2, 0), (0, 0, 4, 0), (1, 1, 2, 1))
    assert copies == [
        (topology, count) for row in wanted for topology, count in zip(TOPOLOGIES, row, strict=True)
    ]


def test_demo_fits_a_terminal_and_names_no_place_of_this_machine(demo: Demo) -> None:
    assert max(map(len, demo.output.splitlines())) <= 100
    assert str(ROOT) not in demo.output
    assert str(demo.folder) not in demo.output


def test_demo_shows_the_flush_the_report_and_the_wrong_numbers(demo: Demo) -> None:
    tail = demo.output.partition("One flush taken out")[2]
    line = re.search(r"line (\d+):\n +(\S+)", tail)
    assert line is not None
    broken = (demo.folder / "chain_broken.mlir").read_text().splitlines()
    assert broken[int(line[1]) - 1].strip().startswith(f"// taken out: {line[2]}")
    assert re.search(r"error: stale read of\s+bytes \[0,64\)", tail)
    assert re.search(r"for want of a\s+flush\s+by\s+@device_a", tail)
    wrong = re.search(r"wrong +(\S.*)", tail)
    right = re.search(r"right +(\S.*)", tail)
    assert wrong is not None
    assert right is not None
    assert right[1].startswith("2 12 30 56")
    assert wrong[1] != right[1]


def test_demo_notices_what_is_not_as_it_should_be() -> None:
    module = _demo_module()
    example = module.Example("chain", "asks for a copy too many", 1, 2)
    with redirect_stdout(StringIO()):
        faults = module.demonstrate(example)
    assert faults == [
        f"chain on {topology}: expected 1 copies, got 0"
        for topology in TOPOLOGIES
        if topology != "discrete"
    ]
