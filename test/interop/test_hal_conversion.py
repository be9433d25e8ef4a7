"""What IREE's own HAL conversion makes of test/data/programs, on coherent memory."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from zcir.runtime.load import load

BIN = Path(sys.executable).parent
PROGRAMS = Path(__file__).parents[1] / "data" / "programs"

WRONG = {"inplace.unified", "inplace.oneway"}
"""IREE elides a transfer whose source is still read after the result is updated in place."""

BORROWED = {"alias.none", "alias.unified", "alias.oneway"}
"""The result is written into an argument, of which IREE's output does not say that it is given."""


@pytest.mark.parametrize("source", sorted(PROGRAMS.glob("*.executable-sources.mlir")), ids=str)
def test_converted_program_runs(source: Path, tmp_path: Path) -> None:
    opt = BIN / "iree-opt"
    if not opt.exists():
        pytest.skip("iree-base-compiler is not installed")
    converted = tmp_path / "hal.mlir"
    command = [opt, "--iree-hal-conversion", "--mlir-disable-threading", source, "-o", converted]
    subprocess.run(command, check=True)
    name = source.name.removesuffix(".executable-sources.mlir")
    stem = name.split(".")[0]
    inputs = [np.load(path) for path in sorted(PROGRAMS.glob(f"{stem}.in?.npy"))]
    wanted = [np.load(path) for path in sorted(PROGRAMS.glob(f"{stem}.want?.npy"))]
    result = load(converted, memory="coherent").run(inputs=inputs, check=True)
    same = all(map(np.array_equal, result.results, wanted))
    assert same is (name not in WRONG)
    assert result.check is not None
    rules = {report.rule.value for report in result.check.reports}
    assert rules == ({"borrowed"} if name in BORROWED else set())
