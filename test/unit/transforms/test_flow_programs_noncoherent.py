"""The nine programs from the flow phase on memory that is not coherent: numpy's numbers, no report,
nothing redundant.

IR-35, IR-43, IR-53, IR-54: lines of 64 and 128 bytes, of dirty bytes or whole lines written back,
under hostile and random schedules; a hundred of these in the deep run.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from test_maintenance_programs import CACHES, NAMES, PROGRAMS, hammer, judge, noncoherent
from zcir.runtime.load import Program, load


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("flow_topologies")


@cache
def lowered(
    name: str, line: int, write_back: str, directory: Path, links: str = "noncoherent"
) -> Program:
    topology = noncoherent(line, write_back, directory, links)
    return load(PROGRAMS / f"{name}.none.flow.mlir", topology=topology)


def _cases() -> Iterator[object]:
    for index, name in enumerate(NAMES):
        for number, (line, write_back) in enumerate(CACHES):
            marks = () if number == index % len(CACHES) else (pytest.mark.deep,)
            yield pytest.param(
                name, line, write_back, marks=marks, id=f"{name}-{line}-{write_back}"
            )


@pytest.mark.parametrize(("name", "line", "write_back"), list(_cases()))
def test_programs_from_flow_are_right(name: str, line: int, write_back: str, folder: Path) -> None:
    program = lowered(name, line, write_back, folder)
    inputs = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.in*.npy"))]
    wanted = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.want*.npy"))]
    judge(program, inputs, wanted)


@pytest.mark.deep
@pytest.mark.parametrize("links", ["noncoherent", "oneway"])
@pytest.mark.parametrize(("line", "write_back"), CACHES)
@pytest.mark.parametrize("name", NAMES)
def test_a_hundred_random_schedules(
    name: str, line: int, write_back: str, links: str, folder: Path
) -> None:
    program = lowered(name, line, write_back, folder, links)
    inputs = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.in*.npy"))]
    wanted = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.want*.npy"))]
    hammer(program, inputs, wanted)
    if links != "noncoherent":
        judge(program, inputs, wanted)
