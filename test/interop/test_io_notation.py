"""Our reading and printing of buffers against `iree-run-module` itself, type by type."""

import subprocess
import sys
from pathlib import Path

import pytest
from zcir.runtime.io import parse_inputs
from zcir.runtime.results import format_results

BIN = Path(sys.executable).parent
CASES = {
    "f32": "1 2.5 1e10 -3.4028e38 nan -inf 0.1 1e-45",
    "f64": "1 2.5 1e300 -1e-300 nan inf 0.1 123456.5",
    "f16": "1 65504 1e-5 0.1 -0.0 nan inf 3.14159",
    "i8": "1 -2 200 127 -128 0x7f 010 0",
    "i16": "1 -2 40000 32767 -32768 7 8 9",
    "i32": "1 -2 2147483647 -2147483648 3 4 5 6",
    "i64": "1 -2 9223372036854775807 -9223372036854775808 3 4 5 6",
    "i1": "01 00 01 01 00 00 01 01",
}


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notation")
    source, target = folder / "m.mlir", folder / "m.vmfb"
    source.write_text(
        "\n".join(
            f"util.func public @{name}(%a: tensor<2x2x2x{name}>) -> tensor<2x2x2x{name}> {{\n"
            f"  util.return %a : tensor<2x2x2x{name}>\n}}"
            for name in CASES
        )
    )
    compiler = BIN / "iree-compile"
    if not compiler.exists():
        pytest.skip("iree-base-compiler is not installed")
    flags = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=vmvx"]
    flags.append("--iree-input-demote-f64-to-f32=false")
    subprocess.run([compiler, source, *flags, "-o", target], check=True)
    return target


@pytest.mark.parametrize("name", CASES)
def test_same_text_out_for_the_same_text_in(name: str, module: Path) -> None:
    text = f"2x2x2x{name}={CASES[name]}"
    run = subprocess.run(
        [
            BIN / "iree-run-module",
            "--device=local-sync",
            f"--module={module}",
            f"--function={name}",
            f"--input={text}",
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    (value,) = parse_inputs([text])
    assert value is not None
    assert run.stdout == f"EXEC @{name}\n{format_results([value])}"
