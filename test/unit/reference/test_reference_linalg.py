"""Named linalg ops of the reference against numpy."""

import numpy as np
import pytest
from reference_snippets import evaluate, mlir_type
from zcir.runtime.element_types import Array

RANDOM = np.random.default_rng(19)


def floats(*shape: int) -> Array:
    return RANDOM.standard_normal(shape).astype(np.float32)


def named(text: str, arguments: list[Array], result: Array) -> Array:
    type_ = mlir_type(result)
    (got,) = evaluate(f"%r = {text}\nreturn %r : {type_}", arguments, type_)
    return np.asarray(got)


def test_fill() -> None:
    out = np.zeros((2, 3), np.float32)
    t = mlir_type(out)
    body = f"""
    %c = arith.constant 2.5 : f32
    %r = linalg.fill ins(%c : f32) outs(%0 : {t}) -> {t}
    return %r : {t}"""
    (got,) = evaluate(body, [out], t)
    assert np.asarray(got).tolist() == [[2.5] * 3] * 2


def test_elementwise_names() -> None:
    left, right, out = floats(2, 3), floats(2, 3), np.zeros((2, 3), np.float32)
    t = mlir_type(left)
    for name, expected in (("add", left + right), ("sub", left - right), ("mul", left * right)):
        text = f"linalg.{name} ins(%0, %1 : {t}, {t}) outs(%2 : {t}) -> {t}"
        assert named(text, [left, right, out], out).tolist() == expected.tolist()


def test_matmul() -> None:
    left, right, out = floats(5, 7), floats(7, 3), floats(5, 3)
    types = f"{mlir_type(left)}, {mlir_type(right)}"
    text = f"linalg.matmul ins(%0, %1 : {types}) outs(%2 : {mlir_type(out)}) -> {mlir_type(out)}"
    got = named(text, [left, right, out], out)
    np.testing.assert_allclose(got, out + left @ right, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "subscripts", "shapes"),
    [
        ("batch_matmul", "bmk,bkn->bmn", [(2, 3, 5), (2, 5, 4), (2, 3, 4)]),
        ("matvec", "mk,k->m", [(3, 5), (5,), (3,)]),
        ("vecmat", "k,kn->n", [(5,), (5, 4), (4,)]),
        ("batch_matvec", "bmk,bk->bm", [(2, 3, 5), (2, 5), (2, 3)]),
        ("batch_vecmat", "bk,bkn->bn", [(2, 5), (2, 5, 4), (2, 4)]),
        ("batch_reduce_matmul", "bmk,bkn->mn", [(2, 3, 5), (2, 5, 4), (3, 4)]),
        ("dot", "k,k->", [(6,), (6,), ()]),
        ("mmt4d", "mkxz,nkyz->mnxy", [(2, 3, 4, 2), (5, 3, 6, 2), (2, 5, 4, 6)]),
    ],
)
def test_contractions_by_name(name: str, subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    left, right, out = (floats(*shape) for shape in shapes)
    types = ", ".join(mlir_type(x) for x in (left, right, out))
    text = (
        f'"linalg.{name}"(%0, %1, %2) <{{operandSegmentSizes = array<i32: 2, 1>}}> ({{\n'
        f"^bb0(%a: f32, %b: f32, %c: f32):\n linalg.yield %c : f32\n}}) "
        f": ({types}) -> {mlir_type(out)}"
    )
    got = named(text, [left, right, out], out)
    expected = out + np.einsum(subscripts, left, right)
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("is_unsigned", [False, True])
def test_a_contraction_widens_its_operands(is_unsigned: bool) -> None:
    left = RANDOM.integers(-128, 128, (1, 20)).astype(np.int8)
    right = RANDOM.integers(-128, 128, (20, 2)).astype(np.int8)
    out = np.zeros((1, 2), np.int32)
    types = ", ".join(mlir_type(x) for x in (left, right))
    attributes = "{cast = #linalg.type_fn<cast_unsigned>}" if is_unsigned else ""
    outs = f"outs(%2 : {mlir_type(out)}) -> {mlir_type(out)}"
    text = f"linalg.matmul {attributes} ins(%0, %1 : {types}) {outs}"
    got = named(text, [left, right, out], out)
    kind = np.uint8 if is_unsigned else np.int8
    expected = left.view(kind).astype(np.int32) @ right.view(kind).astype(np.int32)
    assert got.tolist() == expected.tolist()


def test_convolution() -> None:
    image, weights = floats(1, 7, 7, 2), floats(3, 3, 2, 4)
    out = np.zeros((1, 3, 3, 4), np.float32)
    types = f"{mlir_type(image)}, {mlir_type(weights)}"
    text = (
        "linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, "
        f"strides = dense<2> : tensor<2xi64>}} ins(%0, %1 : {types}) "
        f"outs(%2 : {mlir_type(out)}) -> {mlir_type(out)}"
    )
    got = named(text, [image, weights, out], out)
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(1, 2))[:, ::2, ::2]
    expected = np.einsum("nhwcij,ijcf->nhwf", windows, weights)
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


def test_reduce_broadcast_transpose() -> None:
    values = floats(3, 4)
    t = mlir_type(values)
    text = f"linalg.transpose ins(%0 : {t}) outs(%1 : tensor<4x3xf32>) permutation = [1, 0]"
    out = np.zeros((4, 3), np.float32)
    assert named(text, [values, out], out).tolist() == values.T.tolist()
    row, wide = floats(3), np.zeros((3, 4), np.float32)
    text = f"linalg.broadcast ins(%0 : tensor<3xf32>) outs(%1 : {t}) dimensions = [1]"
    assert named(text, [row, wide], wide).tolist() == np.tile(row[:, None], 4).tolist()
    text = f"""linalg.reduce ins(%0 : {t}) outs(%1 : tensor<3xf32>) dimensions = [1]
      (%in: f32, %out: f32) {{
        %t = arith.addf %in, %out : f32
        linalg.yield %t : f32
      }}"""
    zero = np.zeros(3, np.float32)
    np.testing.assert_allclose(named(text, [values, zero], zero), values.sum(axis=1), rtol=1e-5)


def test_softmax() -> None:
    values = floats(3, 8)
    t = mlir_type(values)
    text = f'"linalg.softmax"(%0, %1) {{dimension = 1 : i64}} : ({t}, {t}) -> {t}'
    got = named(text, [values, np.zeros_like(values)], values)
    powers = np.exp(values.astype(np.float64))
    np.testing.assert_allclose(got, powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)
