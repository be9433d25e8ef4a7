"""Stock IREE compiles and runs a resource under two lifetimes, as we write it (IR-51)."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from zcir.dialects.parsing import make_context, parse_file
from zcir.runtime.load import load, run_passes

PROGRAM = Path(__file__).parents[1] / "data" / "stream" / "staging_alias.mlir"
BIN = Path(sys.executable).parent
IREE = [BIN / name for name in ("iree-compile", "iree-run-module")]

pytestmark = pytest.mark.skipif(
    not all(tool.exists() for tool in IREE), reason="iree-base-compiler is not installed"
)


def test_ir_51_stock_iree_computes_what_host_and_device_share(tmp_path: Path) -> None:
    module = parse_file(make_context(), str(PROGRAM))
    run_passes(make_context(), module, ("zc-to-stream",))
    source, compiled, output = (tmp_path / name for name in ("s.mlir", "s.vmfb", "y.npy"))
    text = str(module)
    assert "util.list.get" in text
    source.write_text(text + "\n")
    x = np.arange(16, dtype=np.int32) * 5
    np.save(tmp_path / "x.npy", x)
    compiler, runner = IREE
    target = "--iree-hal-target-device=a=local[0]"
    backend = "--iree-hal-local-target-device-backends=vmvx"
    _run(compiler, source, "--compile-from=stream", target, backend, "-o", compiled)
    out = _run(
        runner,
        f"--module={compiled}",
        "--function=main",
        "--device=local-sync",
        f"--input=@{tmp_path}/x.npy",
        "--output=-",
        f"--output=@{output}",
    )
    element, result = load(module).run(inputs=[x]).results
    assert f"i32={element}" in out
    np.testing.assert_array_equal(np.load(output), result)


def _run(*command: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
