"""Contractions of linalg.generic against plain numpy: products, windows, quantisation."""

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


MATMULS = [
    ("(d0, d1, d2) -> (d0, d2)", "(d0, d1, d2) -> (d2, d1)", "(d0, d1, d2) -> (d0, d1)",
     "ppr", (4, 6), (6, 5), "mk,kn->mn"),
    ("(d0, d1, d2) -> (d2, d0)", "(d0, d1, d2) -> (d1, d2)", "(d0, d1, d2) -> (d1, d0)",
     "ppr", (6, 4), (5, 6), "km,nk->nm"),
    ("(d0, d1, d2, d3) -> (d0, d1, d3)", "(d0, d1, d2, d3) -> (d0, d3, d2)",
     "(d0, d1, d2, d3) -> (d0, d1, d2)", "pppr", (2, 4, 6), (2, 6, 5), "bmk,bkn->bmn"),
    ("(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0)",
     "pr", (4, 6), (6,), "mk,k->m"),
    ("(d0, d1, d2, d3) -> (d0, d2, d3)", "(d0, d1, d2, d3) -> (d3, d1, d2)",
     "(d0, d1, d2, d3) -> (d0, d1)", "pprr", (4, 3, 6), (6, 5, 3), "mab,bna->mn"),
]  # fmt: skip


@pytest.mark.parametrize("case", MATMULS, ids=[case[-1] for case in MATMULS])
@pytest.mark.parametrize(
    "dtype", [np.float16, BF16, np.float32, np.float64, np.complex64, np.int8, np.int32, np.int64]
)
def test_contractions(case: Any, dtype: Any) -> None:
    left, right, out, iterators, left_shape, right_shape, text = case
    a, b = random(left_shape, dtype), random(right_shape, dtype, 1)
    kind = MLIR_NAMES[a.dtype.name]
    wide = np.dtype(np.float64 if a.dtype.kind in "fV" else a.dtype)
    want = np.einsum(text, a.astype(wide), b.astype(wide))
    init = random(want.shape, dtype, 2)
    add, mul = {"i": ("arith.addi", "arith.muli"), "c": ("complex.add", "complex.mul")}.get(
        a.dtype.kind, ("arith.addf", "arith.mulf")
    )
    region = f"""
      %p = {mul} %a, %b : {kind}
      %s = {add} %o0, %p : {kind}"""
    got = generic([left, right, out], iterators, [a, b], [init], region, "%s")[0]
    want = want + init.astype(wide)
    if a.dtype.kind == "i":
        np.testing.assert_array_equal(got, want)
    else:
        tolerance = {2: 0.1 if a.dtype.name == "bfloat16" else 2e-2}.get(a.dtype.itemsize, 1e-5)
        close = np.float64 if a.dtype.kind != "c" else a.dtype
        np.testing.assert_allclose(got.astype(close), want, rtol=tolerance, atol=tolerance)


def test_f16_product_rounds_after_each_step() -> None:
    """Ones add up to 2048 and no further, as they do in IREE."""
    a, b = np.ones((2, 4096), np.float16), np.ones((4096, 3), np.float16)
    region = """
      %p = arith.mulf %a, %b : f16
      %s = arith.addf %o0, %p : f16"""
    maps = [f"(d0, d1, d2) -> ({t})" for t in ("d0, d2", "d2, d1", "d0, d1")]
    init = np.zeros((2, 3), np.float16)
    got = generic(maps, "ppr", [a, b], [init], region, "%s")[0]
    np.testing.assert_array_equal(got, np.full((2, 3), 2048))


@pytest.mark.parametrize("magnitude", [3, 2**11, 2**20, 2**31])
def test_integer_products_are_exact(magnitude: int) -> None:
    """Whichever way they are computed: in f32, f64, by halves."""
    rng = np.random.default_rng(0)
    a, b = (
        rng.integers(-magnitude, magnitude, shape).astype(np.int32) for shape in ((5, 64), (64, 7))
    )
    region = """
      %p = arith.muli %a, %b : i32
      %s = arith.addi %o0, %p : i32"""
    maps = [f"(d0, d1, d2) -> ({t})" for t in ("d0, d2", "d2, d1", "d0, d1")]
    got = generic(maps, "ppr", [a, b], [np.zeros((5, 7), np.int32)], region, "%s")[0]
    want = a.astype(object) @ b.astype(object) % 2**32
    np.testing.assert_array_equal(got.view(np.uint32), want.astype(np.uint32))


def test_quantised_product() -> None:
    """i8 operands widened and shifted by their zero points before they are multiplied."""
    a, b, init = random((4, 9), np.int8), random((9, 5), np.int8, 1), np.zeros((4, 5), np.int32)
    region = """
      %x = arith.extsi %a : i8 to i32
      %y = arith.extsi %b : i8 to i32
      %z = arith.constant 7 : i32
      %u = arith.subi %x, %z : i32
      %p = arith.muli %u, %y : i32
      %s = arith.addi %o0, %p : i32"""
    maps = [f"(d0, d1, d2) -> ({t})" for t in ("d0, d2", "d2, d1", "d0, d1")]
    got = generic(maps, "ppr", [a, b], [init], region, "%s")[0]
    np.testing.assert_array_equal(got, (a.astype(np.int32) - 7) @ b.astype(np.int32))


def test_mixed_product_accumulates_in_the_wider_type() -> None:
    a, b = np.ones((2, 4096), np.float16), np.ones((4096, 2), np.float16)
    region = """
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %b : f16 to f32
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %o0, %p : f32"""
    maps = [f"(d0, d1, d2) -> ({t})" for t in ("d0, d2", "d2, d1", "d0, d1")]
    got = generic(maps, "ppr", [a, b], [np.zeros((2, 2), np.float32)], region, "%s")[0]
    np.testing.assert_array_equal(got, np.full((2, 2), 4096))


def test_convolution_as_generic() -> None:
    a, w = random((3, 8, 9)), random((4, 3, 3, 2), seed=1)
    maps = [
        "(d0, d1, d2, d3, d4, d5) -> (d3, d1 * 2 + d4, d2 + d5 * 3)",
        "(d0, d1, d2, d3, d4, d5) -> (d0, d3, d4, d5)",
        "(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)",
    ]
    region = """
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o0, %p : f32"""
    want = np.zeros((4, 3, 6), np.float32)
    for y in range(3):
        for x in range(6):
            patch = a[:, y * 2 : y * 2 + 3, [x, x + 3]]
            want[:, y, x] = np.einsum("chw,fchw->f", patch, w)
    got = generic(maps, "ppprrr", [a, w], [np.zeros_like(want)], region, "%s")[0]
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


def test_pooling_as_generic() -> None:
    """The window operand gives its extents only."""
    a, window = random((2, 6, 8)), np.zeros((2, 3), np.float32)
    maps = [
        "(d0, d1, d2, d3, d4) -> (d0, d1 * 2 + d3, d2 + d4)",
        "(d0, d1, d2, d3, d4) -> (d3, d4)",
        "(d0, d1, d2, d3, d4) -> (d0, d1, d2)",
    ]
    init = np.full((2, 3, 6), -np.inf, np.float32)
    region = "%s = arith.maximumf %o0, %a : f32"
    got = generic(maps, "ppprr", [a, window], [init], region, "%s")[0]
    want = np.array(
        [
            [[a[c, 2 * y : 2 * y + 2, x : x + 3].max() for x in range(6)] for y in range(3)]
            for c in range(2)
        ]
    )
    np.testing.assert_array_equal(got, want)
