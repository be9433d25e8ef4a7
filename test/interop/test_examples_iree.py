"""Stock IREE reads all that we print for the examples, and computes the right numbers from it."""

import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from zcir.dialects.parsing import make_context, parse_file, replace_topology
from zcir.runtime.load import load, run_passes
from zcir.transforms.pipeline import TO_STREAM

Floats = NDArray[np.floating[Any]]

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
IREE = {name: BIN / name for name in ("iree-opt", "iree-compile", "iree-run-module")}
TOPOLOGIES = ("coherent", "noncoherent", "discrete", "oneway")

pytestmark = pytest.mark.skipif(
    not all(tool.exists() for tool in IREE.values()), reason="iree-base-compiler is not installed"
)


class Example(NamedTuple):
    """A program of examples/, and what it computes."""

    name: str
    devices: int
    shapes: tuple[tuple[int, ...], ...]
    """Of the inputs."""
    compute: Callable[..., Floats]


def _chain(x: Floats) -> Floats:
    a = x + x
    return a * a - a


def _fanout(x: Floats) -> Floats:
    a = x + x
    return (a * a - a) * a


def _inplace(x: Floats, w: Floats) -> Floats:
    a = x + x
    return (a + w @ w) - a


EXAMPLES = (
    Example("chain", 2, ((16,),), _chain),
    Example("fanout", 3, ((16,),), _fanout),
    Example("inplace", 2, ((4, 4), (4, 4)), _inplace),
)
each_case = pytest.mark.parametrize(
    ("example", "topology"),
    [
        pytest.param(example, topology, id=f"{example.name}-{topology}")
        for example in EXAMPLES
        for topology in TOPOLOGIES
    ],
)


def _flow(context: Context, example: Example, topology: str) -> ModuleOp:
    module = parse_file(context, str(ROOT / "examples" / f"{example.name}.flow.mlir"))
    replace_topology(context, module, str(ROOT / "examples" / "topologies" / f"{topology}.mlir"))
    return module


def _text(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue() + "\n"


def _iree(tool: str, *arguments: str | Path) -> None:
    done = subprocess.run(
        [IREE[tool], *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr[-4000:]


@each_case
def test_iree_opt_accepts_each_module_that_we_print(
    example: Example, topology: str, tmp_path: Path
) -> None:
    context = make_context()
    module = _flow(context, example, topology)
    printed = [_text(module)]
    for name in TO_STREAM:
        run_passes(context, module, (name,))
        printed.append(_text(module))
    assert printed[0] != printed[-1]
    path = tmp_path / "all.mlir"
    path.write_text("// -----\n".join(printed))
    _iree("iree-opt", "--split-input-file", path, "-o", tmp_path / "out.mlir")


def _computed_by_iree(
    module: ModuleOp, phase: str, example: Example, inputs: list[Floats], folder: Path
) -> Floats:
    """The result of a module at a phase of iree-compile, compiled and run by stock IREE."""
    source, compiled, output = (folder / name for name in ("m.mlir", "m.vmfb", "out.npy"))
    source.write_text(_text(module))
    flags: list[str] = []
    for index, array in enumerate(inputs):
        np.save(folder / f"in{index}.npy", array)
        flags.append(f"--input=@{folder}/in{index}.npy")
    targets = [
        f"--iree-hal-target-device=device_{'abc'[index]}=local[{index}]"
        for index in range(example.devices)
    ]
    backend = "--iree-hal-local-target-device-backends=vmvx"
    _iree("iree-compile", f"--compile-from={phase}", *targets, backend, source, "-o", compiled)
    devices = ["--device=local-sync"] * example.devices
    program = (f"--module={compiled}", "--function=f")
    _iree("iree-run-module", *program, *devices, *flags, f"--output=@{output}")
    return np.load(output)


@each_case
def test_iree_computes_the_right_numbers_from_our_stream_level(
    example: Example, topology: str, tmp_path: Path
) -> None:
    context = make_context()
    module = _flow(context, example, topology)
    run_passes(context, module, ("zc-to-stream",))
    rng = np.random.default_rng(7)
    inputs = [rng.integers(-8, 9, shape).astype(np.float32) for shape in example.shapes]
    expected = example.compute(*inputs)
    theirs = _computed_by_iree(module, "stream", example, inputs, tmp_path)
    np.testing.assert_array_equal(theirs, expected)
    # Ours computes the same from the same module.
    np.testing.assert_array_equal(load(module).run(inputs=inputs).results[0], expected)


def test_iree_itself_gets_the_update_in_place_wrong(tmp_path: Path) -> None:
    """Stock IREE's own lowering overwrites what a still reads; ours does not."""
    example = EXAMPLES[2]
    module = _flow(make_context(), example, "noncoherent")
    inputs = [np.ones(shape, np.float32) for shape in example.shapes]
    expected = example.compute(*inputs)
    theirs = _computed_by_iree(module, "flow", example, inputs, tmp_path)
    assert not np.array_equal(theirs, expected)
    np.testing.assert_array_equal(load(module).run(inputs=inputs).results[0], expected)
