"""Loops, branches and calls from flow to commands: numpy's results under a hostile schedule.

IR-02, IR-26, IR-45, IR-47, IR-48, IR-49: storage that control flow carries between devices. The
programs are what `iree-compile --compile-to=flow` prints for small ones on two devices.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import stream
from zcir.dialects.parsing import make_context, parse_file
from zcir.runtime.load import load, run_passes

PROGRAMS = Path(__file__).parents[2] / "data" / "control_flow"
X = np.arange(1, 17, dtype=np.float32) / 4
Array = NDArray[np.floating]


def swapped(x: Array, count: int) -> Sequence[Array]:
    a, b = x + x, x * x
    for _ in range(count):
        a, b = b, (a - b) + x
    return a, b


def branch(x: Array, condition: int) -> Sequence[Array]:
    y = x + x
    return (y * y if condition > 0 else y) - x, y


def blocks(x: Array, condition: int) -> Sequence[Array]:
    y = x + x
    return (x * x if condition > 0 else y) - y, x


def call(x: Array) -> Sequence[Array]:
    y = x + x
    a = y * y + x
    return a * a + y - a, y


def nested(x: Array, count: int) -> Sequence[Array]:
    a = x
    for i in range(count):
        a = (a if i % 2 else a * (1 + i)) + x
    return (a,)


CASES: list[tuple[str, Callable[..., Sequence[Array]], tuple[int, ...]]] = [
    ("loop2", swapped, (0,)),
    ("loop2", swapped, (3,)),
    ("if", branch, (0,)),
    ("if", branch, (1,)),
    ("ident", blocks, (0,)),
    ("ident", blocks, (1,)),
    ("call", call, ()),
    ("nested", nested, (4,)),
]


@pytest.mark.parametrize(
    ("memory", "pipeline"),
    [("coherent", "zc-to-stream"), ("noncoherent", "zc-to-stream"), ("noncoherent", "zc-pipeline")],
)
@pytest.mark.parametrize(
    ("name", "expected", "scalars"), CASES, ids=lambda value: getattr(value, "__name__", str(value))
)
def test_every_execution_gives_numpys_results(
    name: str,
    expected: Callable[..., Sequence[Array]],
    scalars: tuple[int, ...],
    memory: str,
    pipeline: str,
) -> None:
    program = load(PROGRAMS / f"{name}.flow.mlir", passes=(pipeline,), memory=memory)
    result = program.run(inputs=[X, *scalars], schedule="adversarial:1", check=True)
    assert result.check is not None
    assert not result.check.reports
    for got, want in zip(result.results, expected(X, *scalars), strict=True):
        np.testing.assert_array_equal(np.asarray(got), want)


def test_an_iteration_frees_what_it_took_and_waits_for_nothing_on_the_host() -> None:
    context = make_context()
    module = parse_file(context, str(PROGRAMS / "loop2.flow.mlir"))
    run_passes(context, module, ("zc-to-stream",))
    body = next(op.parent for op in module.walk() if isinstance(op, stream.ResourceDeallocaOp))
    assert body is not None
    freed = [op.operand for op in body.ops if isinstance(op, stream.ResourceDeallocaOp)]
    assert any(value.owner is not body and not hasattr(value, "op") for value in freed)
    assert not any(isinstance(op, stream.TimepointAwaitOp) for op in body.ops)


def test_the_maintenance_of_nested_loops_is_the_same_in_each_run() -> None:
    context = make_context()
    texts: set[str] = set()
    kept: list[ModuleOp] = []  # Each module at other addresses: sets of its values differ in order.
    for _ in range(6):
        kept.append(parse_file(context, str(PROGRAMS / "nested.flow.mlir")))
        run_passes(context, kept[-1], ("zc-to-stream",))
        texts.add(str(kept[-1]))
    assert len(texts) == 1
