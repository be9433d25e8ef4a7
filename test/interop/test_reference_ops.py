"""The reference on what `iree-compile` makes of test/data/ops, against IREE's own llvm-cpu code.

The flow-phase module is read in generic form, as some of its ops have custom syntax that xDSL
does not know.
"""

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from zcir.runtime.element_types import Array, Value
from zcir.runtime.io import parse_inputs
from zcir.runtime.reference import Reference
from zcir.runtime.reference.values import element_dtype, is_tensor, tensor_shape
from zcir.runtime.results import compare, format_array, format_value
from zcir.tools.frontend import ZcFrontend
from zcir.tools.zc_opt import ZcOptMain

BIN = Path(sys.executable).parent
SOURCE = Path(__file__).parents[1] / "data" / "ops" / "ops.mlir"
NAMES = [
    line.split("@")[1].split("(")[0]
    for line in SOURCE.read_text().splitlines()
    if line.startswith("func.func @")
]


class Programs(NamedTuple):
    """The functions of the source, ready to run."""

    reference: Reference
    compiled: Path
    argument_types: dict[str, tuple[Attribute, ...]]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    compiler = BIN / "iree-compile"
    if not compiler.exists():
        pytest.skip("iree-base-compiler is not installed")
    folder = tmp_path_factory.mktemp("ops")
    flow, compiled = folder / "ops.flow.mlir", folder / "ops.vmfb"
    command = [
        compiler,
        SOURCE,
        "--iree-hal-target-device=local",
        "--iree-hal-local-target-device-backends=llvm-cpu",
        "--iree-llvmcpu-target-cpu=generic",
    ]
    generic = ["--compile-to=flow", "--mlir-print-op-generic"]
    subprocess.run([*command, *generic, "-o", flow], check=True, capture_output=True)
    subprocess.run([*command, "-o", compiled], check=True, capture_output=True)
    context = ZcOptMain([]).ctx
    module = ZcFrontend().parse(context, BytesIO(flow.read_bytes()), flow.name)
    module.verify()
    source = ZcFrontend().parse(context, BytesIO(_headers().encode()), SOURCE.name)
    types = {
        op.sym_name.data: op.function_type.inputs.data
        for op in source.body.ops
        if isinstance(op, FuncOp)
    }
    return Programs(Reference(module), compiled, types)


def _headers() -> str:
    """The functions as declarations: bodies may have syntax that xDSL does not know."""
    lines = [line for line in SOURCE.read_text().splitlines() if line.startswith("func.func @")]
    declarations: list[str] = []
    for line in lines:
        name, rest = line.removeprefix("func.func ").split("(", 1)
        arguments, results = rest.rstrip(" {").rsplit(") -> ", 1)
        types = ", ".join(argument.split(": ")[1] for argument in arguments.split(", %"))
        declarations.append(f"func.func private {name}({types}) -> {results}")
    return "\n".join(declarations)


def _some(type_: Attribute, random: np.random.Generator) -> Value:
    dtype = element_dtype(type_)
    if not is_tensor(type_):
        return dtype.type(3)
    shape = [3 if size is None else size for size in tensor_shape(type_)]
    if dtype == np.int64:
        # Indices of a gather.
        return random.integers(0, 6, shape)
    if dtype.kind == "i":
        values = random.integers(-100, 100, shape).astype(dtype)
        return np.where(values == 0, dtype.type(1), values)
    return (random.standard_normal(shape) * 2).astype(dtype)


def _flag(value: Value, folder: Path, number: int) -> str:
    """An input for iree-run-module, of signless type, which a .npy file cannot state."""
    if not isinstance(value, np.ndarray):
        return f"--input={format_value(value).split('=')[1]}"
    path = folder / f"{number}.bin"
    path.write_bytes(value.tobytes())
    head: Array = value[tuple([slice(0, 1)] * value.ndim)]
    element_type = format_array(head).split("=")[0].split("x")[-1]
    sizes = "".join(f"{size}x" for size in value.shape)
    return f"--input={sizes}{element_type}=@{path}"


@pytest.mark.parametrize("name", NAMES)
def test_equals_iree(name: str, programs: Programs, tmp_path: Path) -> None:
    random = np.random.default_rng(17)
    inputs = [_some(type_, random) for type_ in programs.argument_types[name]]
    results = programs.reference.call(name, inputs)
    output = tmp_path / "results.npy"
    sinks = [f"--output={'+' if number else '@'}{output}" for number in range(len(results))]
    subprocess.run(
        [
            BIN / "iree-run-module",
            "--device=local-sync",
            f"--module={programs.compiled}",
            f"--function={name}",
            *(_flag(value, tmp_path, number) for number, value in enumerate(inputs)),
            *sinks,
        ],
        check=True,
        capture_output=True,
    )
    assert compare(results, parse_inputs([f"*{output}"])) == ""
