"""IREE's own stream phase with our maintenance: stock IREE reads, compiles and runs it (IR-35)."""

from pathlib import Path

import numpy as np
import pytest
from test_examples_iree import ROOT, _iree, _text, pytestmark
from zcir.dialects.parsing import make_context, parse_file
from zcir.runtime.load import run_passes

__all__ = ["pytestmark"]

PROGRAMS = ROOT / "test" / "data" / "programs"
MAINTAIN = ("stream-place-cache-maintenance", "stream-elide-cache-maintenance")
NAMES = ("alias", "chain", "dynamic", "fanout", "pingpong", "reduction", "slice", "types")
QUICK = {"pingpong"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in QUICK else (pytest.mark.deep,)) for n in NAMES],
)
def test_ir35_iree_runs_its_own_stream_phase_maintained(name: str, tmp_path: Path) -> None:
    context = make_context()
    module = parse_file(context, str(PROGRAMS / f"{name}.unified.stream.mlir"))
    run_passes(context, module, MAINTAIN)
    text = _text(module)
    assert "stream.cmd.flush" in text
    assert "stream.cmd.invalidate" in text
    source, compiled = tmp_path / "m.mlir", tmp_path / "m.vmfb"
    source.write_text(text)
    _iree("iree-opt", source, "-o", tmp_path / "read.mlir")
    devices = 3 if name == "fanout" else 2
    targets = [
        f"--iree-hal-target-device=device_{'abc'[index]}=local[{index}]" for index in range(devices)
    ]
    backend = "llvm-cpu" if name == "types" else "vmvx"  # vmvx has no f16
    flags = (*targets, f"--iree-hal-local-target-device-backends={backend}")
    _iree("iree-compile", "--compile-from=stream", *flags, source, "-o", compiled)
    inputs = [f"--input=@{path}" for path in sorted(PROGRAMS.glob(f"{name}.in*.npy"))]
    wanted = sorted(PROGRAMS.glob(f"{name}.want*.npy"))
    outputs = [f"--output=@{tmp_path / path.name}" for path in wanted]
    local = ["--device=local-sync"] * devices
    program = (f"--module={compiled}", "--function=f")
    _iree("iree-run-module", *program, *local, *inputs, *outputs)
    for path in wanted:
        np.testing.assert_array_equal(np.load(tmp_path / path.name), np.load(path))
