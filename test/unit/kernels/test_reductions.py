"""Reductions of linalg.generic against plain numpy, one iteration after the other."""

# numpy's types of array expressions are partly unknown to the checker:
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from generic_ops import generic, random
from kernel_harness import MLIR_NAMES

BF16 = np.dtype(ml_dtypes.bfloat16)
Array = np.ndarray[Any, Any]


COMBINERS: dict[str, Any] = {
    "addf": np.add,
    "mulf": np.multiply,
    "maximumf": np.maximum,
    "minimumf": np.minimum,
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
}


@pytest.mark.parametrize("dtype", [np.float16, BF16, np.float32, np.float64])
@pytest.mark.parametrize("op", COMBINERS)
@pytest.mark.parametrize(
    ("shape", "out_map", "iterators", "axes"),
    [
        ((6, 7), "(d0, d1) -> (d0)", "pr", (1,)),
        ((6, 7), "(d0, d1) -> (d1)", "rp", (0,)),
        ((6, 7), "(d0, d1) -> ()", "rr", (0, 1)),
        ((2, 3, 40), "(d0, d1, d2) -> (d2)", "rrp", (0, 1)),
        ((70, 3), "(d0, d1) -> (d1)", "rp", (0,)),
    ],
)
def test_float_reductions(
    dtype: Any, op: str, shape: Any, out_map: str, iterators: str, axes: Any
) -> None:
    a = random(shape, dtype)
    rest = tuple(size for axis, size in enumerate(shape) if axis not in axes)
    init = random(rest, dtype, 1)
    loops = out_map.partition(" ->")[0]
    region = f"%s = arith.{op} %o0, %a : {MLIR_NAMES[a.dtype.name]}"
    got = generic([f"{loops} -> {loops}", out_map], iterators, [a], [init], region, "%s")[0]
    want = init.astype(np.float64)
    order = [*(axis for axis in range(len(shape)) if axis not in axes), *axes]
    rows = a.transpose(order).reshape(*rest, -1)
    for at in range(rows.shape[-1]):  # the loops' order, rounded each time
        want = COMBINERS[op](want, rows[..., at].astype(np.float64)).astype(dtype).astype(float)
    if np.dtype(dtype).itemsize <= 2:
        np.testing.assert_array_equal(got.astype(float), want)
    else:
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
@pytest.mark.parametrize(
    "op", ["addi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"]
)
def test_integer_reductions_wrap(op: str, dtype: Any) -> None:
    a, init = random((5, 9), dtype), random((5,), dtype, 1)
    region = f"%s = arith.{op} %a, %o0 : {MLIR_NAMES[a.dtype.name]}"
    maps = ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"]
    got = generic(maps, "pr", [a], [init], region, "%s")[0]
    ufunc = {
        "addi": np.add,
        "muli": np.multiply,
        "andi": np.bitwise_and,
        "ori": np.bitwise_or,
        "xori": np.bitwise_xor,
        "maxsi": np.maximum,
        "minsi": np.minimum,
        "maxui": np.maximum,
        "minui": np.minimum,
    }[op]
    view = np.dtype(f"u{a.dtype.itemsize}") if op.endswith("ui") else a.dtype
    want = init.view(view)
    for at in range(9):
        want = ufunc(want, a[:, at].view(view))
    np.testing.assert_array_equal(got, want.view(dtype))


@pytest.mark.parametrize(("op", "ufunc"), [("ori", np.any), ("andi", np.all)])
def test_reductions_of_i1(op: str, ufunc: Any) -> None:
    a = np.random.default_rng(0).integers(0, 2, (6, 3)).astype(bool)
    init = np.full(6, op == "andi")
    maps = ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"]
    got = generic(maps, "pr", [a], [init], f"%s = arith.{op} %a, %o0 : i1", "%s")[0]
    np.testing.assert_array_equal(got, ufunc(a, axis=1))


def test_sum_of_something_computed() -> None:
    """The variance around a mean: the region computes before it reduces."""
    a, mean, init = random((8, 50)), random((8,), seed=1), np.zeros(8, np.float32)
    region = """
      %d = arith.subf %a, %b : f32
      %q = arith.mulf %d, %d : f32
      %s = arith.addf %q, %o0 : f32"""
    maps = ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)", "(d0, d1) -> (d0)"]
    got = generic(maps, "pr", [a, mean], [init], region, "%s")[0]
    np.testing.assert_allclose(got, ((a - mean[:, None]) ** 2).sum(1), rtol=1e-5)


def test_sum_over_a_loop_that_the_value_does_not_depend_on() -> None:
    """It counts once for each iteration."""
    a, window, init = random((4,)), random((3,), seed=1), np.zeros(4, np.float32)
    maps = ["(d0, d1) -> (d0)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0)"]
    got = generic(maps, "pr", [a, window], [init], "%s = arith.addf %o0, %a : f32", "%s")[0]
    np.testing.assert_allclose(got, 3 * a, rtol=1e-6)


def test_empty_reduction_keeps_the_init() -> None:
    a, init = np.zeros((4, 0), np.float32), random((4,))
    maps = ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"]
    for op in ("addf", "maximumf"):
        got = generic(maps, "pr", [a], [init], f"%s = arith.{op} %a, %o0 : f32", "%s")[0]
        np.testing.assert_array_equal(got, init)


def test_argmax() -> None:
    """Two outputs that depend on each other: no reduction that numpy knows."""
    a = random((6, 9))
    a[2, [3, 5]] = 4.0
    inits = [np.full(6, -np.inf, np.float32), np.zeros(6, np.int32)]
    region = """
      %j = linalg.index 1 : index
      %i = arith.index_cast %j : index to i32
      %c = arith.cmpf ogt, %a, %o0 : f32
      %v = arith.select %c, %a, %o0 : f32
      %s = arith.select %c, %i, %o1 : i32"""
    maps = ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)", "(d0, d1) -> (d0)"]
    best, at = generic(maps, "pr", [a], inits, region, "%v, %s")
    np.testing.assert_array_equal(best, a.max(1))
    np.testing.assert_array_equal(at, a.argmax(1))


SELECTIONS = {
    "greatest": ("%c = arith.cmpi sgt, %a, %o0 : i32", "%c, %a, %o0", "%c, %i, %o1"),
    "last greatest": ("%c = arith.cmpi sge, %a, %o0 : i32", "%c, %a, %o0", "%c, %i, %o1"),
    "kept": ("%c = arith.cmpi sle, %o0, %a : i32", "%c, %o0, %a", "%c, %o1, %i"),
    "unsigned": ("%c = arith.cmpi ult, %a, %o0 : i32", "%c, %a, %o0", "%c, %i, %o1"),
}


@pytest.mark.parametrize("case", SELECTIONS)
@pytest.mark.parametrize("iterators", ["pr", "rr", "rp"])
@pytest.mark.parametrize("start", [-50, 50])
def test_arg_reductions(case: str, iterators: str, start: int) -> None:
    """Pairwise selection gives what the loops' order gives, ties and inits included."""
    compare, first, second = SELECTIONS[case]
    a = np.random.default_rng(0).integers(-3, 3, (5, 11)).astype(np.int32)
    kept = [at for at in range(2) if iterators[at] == "p"]
    shape = tuple(a.shape[at] for at in kept)
    inits = [np.full(shape, start, np.int32), np.full(shape, -1, np.int32)]
    region = f"""
      %r = linalg.index 0 : index
      %j = linalg.index 1 : index
      %n = arith.constant 100 : index
      %m = arith.muli %r, %n : index
      %k = arith.addi %m, %j : index
      %i = arith.index_cast %k : index to i32
      {compare}
      %v = arith.select {first} : i32
      %s = arith.select {second} : i32"""
    out = f"(d0, d1) -> ({', '.join(f'd{at}' for at in kept)})"
    maps = ["(d0, d1) -> (d0, d1)", out, out]
    got = generic(maps, iterators, [a], inits, region, "%v, %s")
    best, at = (init.copy() for init in inits)
    for i, j in np.ndindex(5, 11):
        place = tuple((i, j)[axis] for axis in kept)
        x, o = int(a[i, j]), int(best[place])
        better = {
            "greatest": x > o,
            "last greatest": x >= o,
            "kept": not o <= x,
            "unsigned": x % 2**32 < o % 2**32,
        }[case]
        if better:
            best[place], at[place] = x, i * 100 + j
    np.testing.assert_array_equal(got[0], best)
    np.testing.assert_array_equal(got[1], at)


def test_argmax_with_nan_runs_in_order() -> None:
    a = random((4, 9))
    a[1, 3] = a[2, 0] = np.nan
    inits = [np.full(4, -np.inf, np.float32), np.zeros(4, np.int32)]
    region = """
      %j = linalg.index 1 : index
      %i = arith.index_cast %j : index to i32
      %c = arith.cmpf ugt, %a, %o0 : f32
      %v = arith.select %c, %a, %o0 : f32
      %s = arith.select %c, %i, %o1 : i32"""
    maps = ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)", "(d0, d1) -> (d0)"]
    best, at = generic(maps, "pr", [a], inits, region, "%v, %s")
    for row in range(4):
        value, index = np.float32(-np.inf), 0
        for j in range(9):
            if not a[row, j] <= value:
                value, index = a[row, j], j
        np.testing.assert_array_equal(best[row], value)
        assert at[row] == index


def test_two_independent_reductions() -> None:
    a = random((5, 8))
    inits = [np.zeros(5, np.float32), np.full(5, np.inf, np.float32)]
    region = """
      %s = arith.addf %a, %o0 : f32
      %m = arith.minimumf %a, %o1 : f32"""
    maps = ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)", "(d0, d1) -> (d0)"]
    total, least = generic(maps, "pr", [a], inits, region, "%s, %m")
    np.testing.assert_allclose(total, a.sum(1), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(least, a.min(1))


def test_subtraction_is_done_in_order() -> None:
    """`out - x` is no combiner: the region runs once for each iteration."""
    a, init = random((3, 5)), random((3,), seed=1)
    maps = ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"]
    got = generic(maps, "pr", [a], [init], "%s = arith.subf %o0, %a : f32", "%s")[0]
    want = init
    for at in range(5):
        want = want - a[:, at]
    np.testing.assert_array_equal(got, want)


def test_last_iteration_wins_where_the_output_is_not_read() -> None:
    a, init = random((3, 5)), random((3,), seed=1)
    maps = ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"]
    got = generic(maps, "pr", [a], [init], "%s = arith.negf %a : f32", "%s")[0]
    np.testing.assert_array_equal(got, -a[:, -1])
