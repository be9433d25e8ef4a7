"""Stock IREE compiles and runs our stream level of the programs in test/data: numpy's numbers."""

from pathlib import Path

import numpy as np
import pytest
from test_examples_iree import ROOT, _iree, _text, pytestmark
from zcir.dialects.parsing import make_context, parse_file
from zcir.runtime.load import run_passes

__all__ = ["pytestmark"]

PROGRAMS = ROOT / "test" / "data" / "programs"
DEVICES = {"fanout": 3}
NAMES = (
    "alias",
    "chain",
    "dynamic",
    "fanout",
    "inplace",
    "pingpong",
    "reduction",
    "slice",
    "types",
)
TOPOLOGIES = ("none", "unified", "oneway")
QUICK = {
    "alias-unified",
    "dynamic-none",
    "pingpong-oneway",
    "reduction-oneway",
    "slice-unified",
    "types-none",
}


def _case(name: str, topology: str) -> object:
    key = f"{name}-{topology}"
    return pytest.param(name, topology, id=key, marks=() if key in QUICK else (pytest.mark.deep,))


@pytest.mark.parametrize(
    ("name", "topology"), [_case(name, topology) for name in NAMES for topology in TOPOLOGIES]
)
def test_iree_computes_numpys_result_from_our_stream_level(
    name: str, topology: str, tmp_path: Path
) -> None:
    context = make_context()
    module = parse_file(context, str(PROGRAMS / f"{name}.{topology}.flow.mlir"))
    run_passes(context, module, ("zc-to-stream",))
    source, compiled = tmp_path / "m.mlir", tmp_path / "m.vmfb"
    source.write_text(_text(module))
    devices = DEVICES.get(name, 2)
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


@pytest.mark.deep
def test_iree_keeps_our_globals_from_call_to_call(tmp_path: Path) -> None:  # IR-49
    module = tmp_path / "m.mlir"
    compiled = tmp_path / "m.vmfb"
    context = make_context()
    program = parse_file(context, str(ROOT / "test" / "data" / "globals" / "counter.flow.mlir"))
    run_passes(context, program, ("zc-to-stream",))
    module.write_text(_text(program))
    _iree("iree-compile", "--compile-from=stream", module, "-o", compiled)
    outputs = [tmp_path / f"{index}.npy" for index in range(2)]
    _iree(
        "iree-run-module",
        f"--module={compiled}",
        "--function=thrice",
        *["--device=local-sync"] * 2,
        "--input=4xf32=1 2 3 4",
        *(f"--output=@{path}" for path in outputs),
    )
    first = np.array([12.5, 25.5, 38.5, 51.5], np.float32)
    third = np.array([35.5, 72.5, 109.5, 146.5], np.float32)
    for path, wanted in zip(outputs, (first, third), strict=True):
        np.testing.assert_array_equal(np.load(path), wanted)
