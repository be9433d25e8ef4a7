"""The nine programs at flow phase and at source level, on three topologies, against numpy."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from zcir.runtime.element_types import Array
from zcir.runtime.reference import run_reference
from zcir.tools.frontend import ZcFrontend
from zcir.tools.zc_opt import ZcOptMain

PROGRAMS = Path(__file__).parents[2] / "data" / "programs"
NAMES = sorted({path.name.split(".")[0] for path in PROGRAMS.glob("*.mlir")})
TOPOLOGIES = ("none", "unified", "oneway")


def read(name: str) -> ModuleOp:
    path = PROGRAMS / name
    return ZcFrontend().parse(ZcOptMain([]).ctx, BytesIO(path.read_bytes()), path.name)


def arrays(name: str, kind: str) -> list[Array]:
    return [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.{kind}*.npy"))]


def test_there_are_nine() -> None:
    assert len(NAMES) == 9


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("phase", ["flow", "source"])
def test_equals_numpy(name: str, topology: str, phase: str) -> None:
    module = read(f"{name}.{topology}{'.flow' if phase == 'flow' else ''}.mlir")
    results = run_reference(module, "f", arrays(name, "in"))
    expected = arrays(name, "want")
    assert len(results) == len(expected)
    for result, want in zip(results, expected, strict=True):
        assert isinstance(result, np.ndarray)
        assert result.dtype == want.dtype
        np.testing.assert_array_equal(result, want)


# GE-35: the result also lands in the buffer that the caller gave.
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_the_alias_storage_holds_the_result(topology: str) -> None:
    value, storage = arrays("alias", "in")
    (result,) = run_reference(read(f"alias.{topology}.flow.mlir"), None, [value, storage])
    (want,) = arrays("alias", "want")
    np.testing.assert_array_equal(storage, want)
    np.testing.assert_array_equal(result, want)


def test_inputs_are_left_alone() -> None:
    inputs = arrays("inplace", "in")
    kept = [array.copy() for array in inputs]
    run_reference(read("inplace.none.flow.mlir"), "@f", inputs)
    for array, copy in zip(inputs, kept, strict=True):
        np.testing.assert_array_equal(array, copy)
