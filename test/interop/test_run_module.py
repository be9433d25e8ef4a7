"""zc-run beside `iree-run-module`: the same command line on the same program prints the same."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from test_examples_iree import _iree, pytestmark
from zcir.runtime import load
from zcir.tools import zc_run

__all__ = ["pytestmark"]

BIN = Path(sys.executable).parent
FLAGS = ("--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=vmvx")

PROGRAM = """
func.func @two(%a: tensor<4xf32>, %b: tensor<2x2xi8>) -> (tensor<4xf32>, tensor<2x2xi8>) {
  %0 = arith.addf %a, %a : tensor<4xf32>
  %1 = arith.addi %b, %b : tensor<2x2xi8>
  return %0, %1 : tensor<4xf32>, tensor<2x2xi8>
}
func.func @scalars(%a: i8, %b: i64, %c: f32, %d: i1, %e: i32) -> (i8, i64, f32, i1, i32) {
  %0 = arith.addi %e, %e : i32
  return %a, %b, %c, %d, %0 : i8, i64, f32, i1, i32
}
func.func @types(%a: tensor<3xf32>) -> (tensor<3xi1>, tensor<f32>, tensor<2x0xf32>, tensor<3xf32>) {
  %c = arith.constant dense<1.0> : tensor<3xf32>
  %1 = arith.cmpf ogt, %a, %c : tensor<3xf32>
  %z = arith.constant dense<7.0> : tensor<f32>
  %e = arith.constant dense<> : tensor<2x0xf32>
  %r = arith.divf %c, %a : tensor<3xf32>
  return %1, %z, %e, %r : tensor<3xi1>, tensor<f32>, tensor<2x0xf32>, tensor<3xf32>
}
func.func @storage(%a: tensor<4xf32>, %o: !hal.buffer {iree.abi.output = 0 : index})
    -> tensor<4xf32> {
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
TWO = ("--function=two", "--input=4xf32=1,2,3,4", "--input=2x2xi8=[1 2][3 4]")
COMMANDS: tuple[tuple[str, ...], ...] = (
    TWO,
    ("--function=two", "--input=4xf32=0.5", "--input=2x2xi8"),
    ("--function=two", "--input=@two.npy", "--input=+two.npy"),
    ("--function=two", "--input=*two.npy"),
    ("--function=two", "--input=4xf32=@a.bin", "--input=2x2xi8=@a.bin"),
    (*TWO, "--output=-", "--output="),
    (*TWO, "--output=-", "--output=-", "--output_max_element_count=3"),
    (*TWO, "--output=@OUT/y.npy", "--output=+OUT/y.npy"),
    (*TWO, "--output=@OUT/y.bin", "--output=+OUT/y.bin"),
    (*TWO, "--expected_output=4xf32=2,4,6,8", "--expected_output=(ignored)"),
    (*TWO, "--expected_output=4xf32=2,4,6,8.00005", "--expected_output=2x2xi8=2,4,6,8"),
    (*TWO, "--expected_output=4xf32=2,4,7,8", "--expected_output=2x2xi8=2,4,6,9"),
    (*TWO, "--expected_output=2x2xf32=2,4,6,8", "--expected_output=2x2xi8=2,4,6,8"),
    (*TWO, "--expected_output=4xf32=2,4,6,8"),
    (
        *TWO,
        "--expected_output=4xf32=2,4,7,8",
        "--expected_output=(ignored)",
        "--expected_f32_threshold=1",
    ),
    (
        *TWO,
        "--expected_output=4xf32=2,4,6,8.00005",
        "--expected_output=(ignored)",
        "--equality_mode=exact",
    ),
    (
        "--function=scalars",
        "--input=-3",
        "--input=9223372036854775807",
        "--input=0.1",
        "--input=1",
        "--input=0x10",
    ),
    ("--function=types", "--input=3xf32=0 2 nan"),
    ("--function=storage", "--input=4xf32=1 2 3 4", "--input=&4xf32"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, compiled to the end and to its flow phase, and arrays."""
    folder = tmp_path_factory.mktemp("run_module")
    source = folder / "m.mlir"
    source.write_text(PROGRAM)
    _iree("iree-compile", *FLAGS, source, "-o", folder / "m.vmfb")
    _iree("iree-compile", *FLAGS, source, "--compile-to=flow", "-o", folder / "m.flow.mlir")
    first, second = np.arange(4, dtype=np.float32), np.array([[1, -2], [3, 4]], np.int8)
    with open(folder / "two.npy", "wb") as file:
        np.save(file, first)
        # IREE takes numpy's signed integers for si8, which its ABI lets pass for i8.
        np.save(file, second)
    (folder / "a.bin").write_bytes(first.tobytes())
    return folder


def _written(out: Path) -> dict[str, list[object]]:
    """The arrays of .npy files, and the bytes of others."""
    found: dict[str, list[object]] = {}
    for path in sorted(out.iterdir()):
        rows: list[object] = []
        with open(path, "rb") as file:
            while path.suffix == ".npy" and file.peek(1):
                array = np.load(file)
                rows.append((array.dtype.str, array.tolist()))
            rows.append(file.read())
        found[path.name] = rows
    return found


QUICK = {7, 11}
"""Those of the commands that run each time; the others are as cheap but many."""


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(flags, id=" ".join(flags), marks=() if at in QUICK else (pytest.mark.deep,))
        for at, flags in enumerate(COMMANDS)
    ],
)
def test_prints_and_writes_what_iree_run_module_does(
    command: tuple[str, ...],
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    for out in (theirs, ours):
        out.mkdir()
    flags = [flag.replace("OUT", str(theirs)) for flag in command]
    local = ["--module=m.vmfb", "--device=local-sync"]
    run = subprocess.run(
        [BIN / "iree-run-module", *local, *flags], capture_output=True, text=True, check=False
    )
    with pytest.raises(SystemExit) as stop:
        zc_run.main(["m.flow.mlir", *(flag.replace("OUT", str(ours)) for flag in command)])
    captured = capsys.readouterr()
    heading, _, printed = run.stdout.partition("\n")
    assert heading == f"EXEC @{command[0].partition('=')[2]}"
    assert captured.out == printed
    assert stop.value.code == run.returncode
    assert _written(ours) == _written(theirs)


ABI = """
func.func @give(%a: tensor<4xf32> {iree.abi.consume}, %b: tensor<4xf32>, %n: tensor<4xf32>
    {iree.abi.output = 1 : index}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = arith.addf %a, %b : tensor<4xf32>
  %1 = arith.mulf %0, %b : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
"""
PHASES = ("flow", "stream", "executable-sources", "hal")


@pytest.mark.deep
@pytest.mark.parametrize("model", ["async-internal", "async-external"])
def test_donated_inputs_and_storage_for_results_in_every_phase(model: str, tmp_path: Path) -> None:
    """With fences and without: the caller's array holds the result, and no report."""
    source = tmp_path / "m.mlir"
    source.write_text(ABI)
    execution = f"--iree-execution-model={model}"
    for phase in PHASES:
        path = tmp_path / f"{phase}.mlir"
        _iree("iree-compile", *FLAGS, execution, source, f"--compile-to={phase}", "-o", path)
    kernels = tmp_path / "executable-sources.mlir"
    for phase in PHASES:
        program = load(
            tmp_path / f"{phase}.mlir",
            memory="coherent",
            executable_sources=kernels if phase == "hal" else None,
        )
        x, y = np.arange(4, dtype=np.float32), np.full(4, 2, np.float32)
        storage = np.zeros(4, np.float32)
        total, product = program.give(x, y, storage)
        np.testing.assert_array_equal(total, [2, 3, 4, 5])
        assert product is storage, phase
        np.testing.assert_array_equal(storage, [4, 6, 8, 10])
        np.testing.assert_array_equal(y, 2)
        assert program.check().reports == (), phase
