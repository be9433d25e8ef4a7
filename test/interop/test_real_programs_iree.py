"""Stock IREE on the programs of test/data/real: its llvm-cpu code gives the numbers that ours do.

Every program is compiled from its source; those whose name is in `QUICK` in each run of the tests.
Where our stream level is given back to it, it computes the same.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from test_examples_iree import _text
from zcir.dialects.parsing import make_context, parse_file, replace_topology
from zcir.runtime.element_types import Array, Value
from zcir.runtime.io import parse_inputs
from zcir.runtime.load import load, run_passes
from zcir.runtime.results import format_array

ROOT = Path(__file__).parents[2]
DATA = ROOT / "test" / "data" / "real"
BIN = Path(sys.executable).parent
TWO_DEVICES = {"pipeline", "scatter", "tensor_parallel"}
NAMES = sorted(path.name.split(".")[0] for path in DATA.glob("*.flow.mlir"))
QUICK = {"softmax"}

pytestmark = pytest.mark.skipif(
    not (BIN / "iree-compile").exists(), reason="iree-base-compiler is not installed"
)


def _iree(tool: str, *arguments: str | Path) -> None:
    done = subprocess.run(
        [BIN / tool, *arguments], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr[-4000:]


def _targets(name: str) -> list[str]:
    devices = ["device_a=local[0]", "device_b=local[1]"] if name in TWO_DEVICES else ["local"]
    return [f"--iree-hal-target-device={device}" for device in devices]


def _compile(name: str, source: Path, compiled: Path, *flags: str) -> None:
    backend = "--iree-hal-local-target-device-backends=llvm-cpu"
    cpu = "--iree-llvmcpu-target-cpu=generic"
    _iree("iree-compile", *flags, *_targets(name), backend, cpu, source, "-o", compiled)


def _read(name: str, call: int, kind: str) -> list[Array]:
    return [np.asarray(value) for value in parse_inputs([f"*{DATA}/{name}.{call}.{kind}.npy"])]


def _flag(array: Array, path: Path) -> str:
    """An input of signless type, which a .npy file cannot state."""
    if not array.ndim:
        return f"--input={array}"
    path.write_bytes(array.tobytes())
    head: Array = array[tuple([slice(0, 1)] * array.ndim)]
    element = format_array(head).split("=")[0].split("x")[-1]
    return f"--input={'x'.join(map(str, array.shape))}x{element}=@{path}"


def _run(name: str, compiled: Path, call: int, results: int, folder: Path) -> list[Array]:
    """What IREE computes in one call."""
    output = folder / "results.npy"
    devices = ["--device=local-sync"] * (2 if name in TWO_DEVICES else 1)
    inputs = [
        _flag(array, folder / f"{at}.bin") for at, array in enumerate(_read(name, call, "in"))
    ]
    sinks = [f"--output={'+' if at else '@'}{output}" for at in range(results)]
    function = "step" if name == "rnn" else "f"
    program = (f"--module={compiled}", f"--function={function}")
    _iree("iree-run-module", *program, *devices, *inputs, *sinks)
    return [np.asarray(value) for value in parse_inputs([f"*{output}"])]


def _assert_close(results: list[Array], wanted: list[Array]) -> None:
    assert len(results) == len(wanted)
    for result, want in zip(results, wanted, strict=True):
        assert result.shape == want.shape
        if want.dtype.kind == "f":
            tolerance = 2e-3 if want.dtype == np.float16 else 2e-5
            np.testing.assert_allclose(result, want, rtol=tolerance, atol=tolerance)
        else:
            np.testing.assert_array_equal(result, want)


def _ours(name: str, call: int) -> list[Array]:
    inputs: list[Value | None] = [
        array if array.ndim else array[()] for array in _read(name, call, "in")
    ]
    session = load(DATA / f"{name}.flow.mlir").session()
    return [np.asarray(x) for x in session.call("step" if name == "rnn" else "f", inputs)]


def _call_numbers(name: str) -> range:
    """The calls that a fresh process can make: the state of `rnn` is that of the first."""
    return range(1 if name == "rnn" else len(list(DATA.glob(f"{name}.*.in.npy"))))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else (pytest.mark.deep,)) for name in NAMES],
)
def test_iree_computes_what_ours_do(name: str, tmp_path: Path) -> None:
    compiled = tmp_path / "m.vmfb"
    _compile(name, DATA / f"{name}.mlir", compiled)
    for call in _call_numbers(name):
        wanted = _read(name, call, "want")
        theirs = _run(name, compiled, call, len(wanted), tmp_path)
        _assert_close(theirs, wanted)
        _assert_close(_ours(name, call), theirs)


# IREE 3.13 compiles what we give it; its own command buffer then lacks a slot that it uses.
LACKS_SLOTS = pytest.mark.xfail(reason="slot 0 of a command buffer of capacity 0", strict=True)


@pytest.mark.deep
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=LACKS_SLOTS if name == "lstm" else ()) for name in NAMES]
)
def test_iree_computes_numpys_results_from_our_stream_level(name: str, tmp_path: Path) -> None:
    context = make_context()
    module = parse_file(context, str(DATA / f"{name}.flow.mlir"))
    if name in TWO_DEVICES:
        replace_topology(context, module, str(ROOT / "examples/topologies/noncoherent.mlir"))
    run_passes(context, module, ("zc-to-stream",))
    source, compiled = tmp_path / "m.mlir", tmp_path / "m.vmfb"
    source.write_text(_text(module))
    _compile(name, source, compiled, "--compile-from=stream")
    for call in _call_numbers(name):
        wanted = _read(name, call, "want")
        _assert_close(_run(name, compiled, call, len(wanted), tmp_path), wanted)
