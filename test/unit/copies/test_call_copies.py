"""Transfers in functions that call each other: kinds are decided for the whole module.

IR-21, IR-26, IR-29, IR-49: caller on a, callee on b, on shared memory, a one-way link and
separate memories; numpy's results under hostile schedules on memory that is not coherent.
"""

import numpy as np
import pytest
from small_programs import LINKS, add, callee, main, make, module, move
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import stream
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import load, run_passes

X = np.arange(16, dtype=np.int32) * 5


def f(x: np.ndarray) -> np.ndarray:
    return np.arange(16, dtype=np.int32) + 7 + 3 * x


CALLEE = "private @g(%x: tensor<16xi32>) -> tensor<16xi32>"
CALL = "%2 = util.call @g(%1) : (tensor<16xi32>) -> tensor<16xi32>"
RETURN = "util.return %4 : tensor<16xi32>"

ROUND_TRIP = main(
    make("make", "1", "x", "a"), CALL, make("make", "9", "2", "a"), result="9"
) + callee(CALLEE, move("2", "x", "b"), make("make", "3", "2", "b"), move("4", "3", "a"), RETURN)
"""The callee transfers to b and back."""
KEPT = main(
    make("make", "1", "x", "a"),
    CALL,
    move("3", "1", "b"),
    make("make", "4", "3", "b"),
    move("5", "4", "a"),
    "%6 = util.call @g(%5) : (tensor<16xi32>) -> tensor<16xi32>",
    make("make", "9", "6", "a"),
    result="9",
) + callee(CALLEE, make("make", "4", "x", "a"), RETURN)
"""The caller transfers; what b makes goes into a callee on a, and its result of before is lost."""
IN_PLACE = main(
    make("make", "1", "x", "a"),
    move("0", "1", "b"),
    "%2 = util.call @g(%0) : (tensor<16xi32>) -> tensor<16xi32>",
    move("3", "2", "a"),
    make("make", "9", "3", "a"),
    result="9",
) + callee(CALLEE, add("4", "x", "b"), RETURN)
"""The callee on b updates in place what a made."""
GLOBAL = (
    "util.global private mutable @v : tensor<16xi32>"
    + main(
        make("make", "1", "x", "a"),
        "util.global.store %1, @v : tensor<16xi32>",
        "util.call @h() : () -> ()",
        "%2 = util.global.load @v : tensor<16xi32>",
        make("make", "9", "2", "a"),
        result="9",
    )
    + callee(
        "private @h()",
        "%1 = util.global.load @v : tensor<16xi32>",
        move("2", "1", "b"),
        make("make", "3", "2", "b"),
        move("4", "3", "a"),
        "util.global.store %4, @v : tensor<16xi32>",
        "util.return",
    )
)
"""A global is the way between them."""

READER = main(
    make("make", "1", "x", "a"),
    CALL,
    add("3", "1", "a"),
    add("4", "2", "a"),
    "%9 = flow.dispatch @two::@f(%3, %4, %k) {stream.affinity = #hal.device.affinity<@a>} : "
    "(tensor<16xi32>, tensor<16xi32>, i32) -> tensor<16xi32>",
    result="9",
) + callee(CALLEE, move("2", "x", "b"), make("make", "3", "2", "b"), move("4", "3", "a"), RETURN)
"""The callee only reads what the caller updates in place afterwards."""
KEEPER = (
    "util.global private mutable @v : tensor<16xi32>"
    + main(
        make("make", "1", "x", "a"),
        "util.call @h(%1) : (tensor<16xi32>) -> ()",
        add("3", "1", "a"),
        "%4 = util.global.load @v : tensor<16xi32>",
        "%9 = flow.dispatch @two::@f(%3, %4, %k) {stream.affinity = #hal.device.affinity<@a>} : "
        "(tensor<16xi32>, tensor<16xi32>, i32) -> tensor<16xi32>",
        result="9",
    )
    + callee(
        "private @h(%x: tensor<16xi32>)", "util.global.store %x, @v : tensor<16xi32>", "util.return"
    )
)
"""The callee keeps what the caller updates in place afterwards."""

CASES = {
    "round-trip": (ROUND_TRIP, f(f(f(X))), {"unified": 0, "oneway": 0, "none": 2}),
    "kept": (KEPT, f(f(f(f(X)))), {"unified": 0, "oneway": 0, "none": 2}),
    "in-place": (IN_PLACE, f(f(f(X))), {"unified": 1, "oneway": 1, "none": 3}),
    "reader": (
        READER,
        f(0 * X) + 3 * f(f(X)) + 5 * f(f(f(X))),
        {"unified": 0, "oneway": 0, "none": 2},
    ),
    "keeper": (KEEPER, f(0 * X) + 3 * f(f(X)) + 5 * f(X), {"unified": 1, "oneway": 1, "none": 1}),
    "global": (GLOBAL, f(f(f(X))), {"unified": 0, "oneway": 0, "none": 2}),
}
"""Functions, numpy's result, and the copies that are left."""


def lowered(name: str, topology: str, *, hal: bool = False) -> ModuleOp:
    context = make_context()
    program = parse_text(context, module(LINKS[topology], CASES[name][0]), f"{name}.mlir")
    run_passes(context, program, ("zc-pipeline",) if hal else ("zc-to-stream",))
    return program


@pytest.mark.parametrize("topology", LINKS)
@pytest.mark.parametrize("name", CASES)
def test_caller_and_callee_agree_where_storage_lies(name: str, topology: str) -> None:
    _, wanted, copies = CASES[name]
    program = lowered(name, topology)
    count = sum(isinstance(op, stream.CmdCopyOp) for op in program.walk())
    assert count == copies[topology]
    for seed in range(3):
        run = load(program).run(inputs=[X], schedule=f"adversarial:{seed}", check=True)
        assert run.check is not None
        assert not run.check.reports
        np.testing.assert_array_equal(run.results[0], wanted)


@pytest.mark.parametrize("name", CASES)
def test_command_buffers_give_the_same(name: str) -> None:
    program = lowered(name, "oneway", hal=True)
    run = load(program).run(inputs=[X], schedule="adversarial:5", check=True)
    assert run.check is not None
    assert not run.check.reports
    np.testing.assert_array_equal(run.results[0], CASES[name][1])
