"""What stock iree-compile gives for its hal phase, on the host VM."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from zcir.runtime.load import load

BIN = Path(sys.executable).parent
PROGRAMS = Path(__file__).parents[1] / "data" / "programs"
SOURCES = sorted(PROGRAMS.glob("*.executable-sources.mlir"))
WRONG = {"inplace.unified", "inplace.oneway"}
"""IREE elides a transfer whose source is still read after the result is updated in place."""


@pytest.mark.parametrize(
    "sources",
    [
        path if ".unified." in path.name else pytest.param(path, marks=pytest.mark.deep)
        for path in SOURCES
    ],
    ids=lambda path: path.name.removesuffix(".executable-sources.mlir"),
)
def test_hal_phase_runs(sources: Path, tmp_path: Path) -> None:
    if not (BIN / "iree-compile").exists():
        pytest.skip("iree-base-compiler is not installed")
    name = sources.name.removesuffix(".executable-sources.mlir")
    stem = name.split(".")[0]
    text = (PROGRAMS / f"{name}.mlir").read_text()
    devices = [device for device in "abc" if f"@device_{device}" in text]
    targets = [
        f"--iree-hal-target-device=device_{device}=local[{ordinal}]"
        for ordinal, device in enumerate(devices)
    ]
    backend = "llvm-cpu" if stem == "types" else "vmvx"
    lowered = tmp_path / "hal.mlir"
    command = [BIN / "iree-compile", PROGRAMS / f"{name}.mlir", *targets, "--compile-to=hal"]
    options = [f"--iree-hal-local-target-device-backends={backend}", "-o", lowered]
    subprocess.run([*command, *options], check=True, stderr=subprocess.DEVNULL)
    inputs = [np.load(path) for path in sorted(PROGRAMS.glob(f"{stem}.in?.npy"))]
    wanted = [np.load(path) for path in sorted(PROGRAMS.glob(f"{stem}.want?.npy"))]
    program = load(lowered, memory="coherent", executable_sources=sources)
    result = program.run(inputs=inputs, check=True)
    assert all(map(np.array_equal, result.results, wanted)) is (name not in WRONG)
    assert result.check is not None
    # That the result is written into an argument IREE's output does not say to be allowed.
    rules = {report.rule.value for report in result.check.reports}
    assert rules == ({"borrowed"} if stem == "alias" else set())
