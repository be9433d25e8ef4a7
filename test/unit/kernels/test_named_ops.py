"""Named linalg ops against plain numpy."""
# numpy's types of array expressions are partly unknown to the checker:
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from kernel_harness import run_body, tensor_type
from xdsl.utils.exceptions import DiagnosticException

Array = np.ndarray[Any, Any]


def random(shape: Sequence[int], dtype: Any = np.float32, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "i":
        return rng.integers(-9, 9, shape).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


def named(op: str, inputs: Sequence[Array], init: Array, properties: str = "") -> Array:
    """`linalg.op` in generic syntax on inputs and an initial output."""
    arrays = [*inputs, init]
    operands = ", ".join(f"%in{at}" for at in range(len(arrays)))
    types = ", ".join(tensor_type(array) for array in arrays)
    segments = f"operandSegmentSizes = array<i32: {len(inputs)}, 1>"
    text = f"""
    %out0 = "linalg.{op}"({operands}) <{{{segments}{properties}}}> ({{}})
        : ({types}) -> {tensor_type(init)}"""
    return run_body(text, arrays, [init])[0]


@pytest.mark.parametrize(
    ("op", "left", "right", "letters"),
    [
        ("matmul", (3, 4), (4, 5), "mk,kn->mn"),
        ("matmul_transpose_a", (4, 3), (4, 5), "km,kn->mn"),
        ("matmul_transpose_b", (3, 4), (5, 4), "mk,nk->mn"),
        ("batch_matmul", (2, 3, 4), (2, 4, 5), "bmk,bkn->bmn"),
        ("batch_matmul_transpose_b", (2, 3, 4), (2, 5, 4), "bmk,bnk->bmn"),
        ("batch_reduce_matmul", (2, 3, 4), (2, 4, 5), "bmk,bkn->mn"),
        ("matvec", (3, 4), (4,), "mk,k->m"),
        ("vecmat", (4,), (4, 5), "k,kn->n"),
        ("batch_matvec", (2, 3, 4), (2, 4), "bmk,bk->bm"),
        ("dot", (4,), (4,), "k,k->"),
        ("mmt4d", (2, 3, 4, 5), (6, 3, 7, 5), "mkac,nkbc->mnab"),
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_products(op: str, left: Any, right: Any, letters: str, dtype: Any) -> None:
    a, b = random(left, dtype), random(right, dtype, 1)
    want = np.einsum(letters, a, b)
    init = random(np.shape(want), dtype, 2)
    np.testing.assert_allclose(named(op, [a, b], init), want + init, rtol=1e-4, atol=1e-5)


def test_matmul_with_maps_of_its_own() -> None:
    a, b, init = random((4, 3)), random((4, 5)), np.zeros((3, 5), np.float32)
    maps = ", ".join(
        f"affine_map<(d0, d1, d2) -> ({text})>" for text in ("d2, d0", "d2, d1", "d0, d1")
    )
    got = named("matmul", [a, b], init, f", indexing_maps = [{maps}]")
    np.testing.assert_allclose(got, a.T @ b, rtol=1e-5)
    got = named("contract", [a, b], init, f", indexing_maps = [{maps}]")
    np.testing.assert_allclose(got, a.T @ b, rtol=1e-5)


def test_mixed_matmul_widens_its_operands() -> None:
    a, b = random((3, 4), np.int8), random((4, 5), np.int8, 1)
    got = named("matmul", [a, b], np.zeros((3, 5), np.int32))
    np.testing.assert_array_equal(got, a.astype(np.int32) @ b.astype(np.int32))
    cast = ", cast = #linalg.type_fn<cast_unsigned>"
    got = named("matmul", [a, b], np.zeros((3, 5), np.int32), cast)
    wide = a.view(np.uint8).astype(np.int32) @ b.view(np.uint8).astype(np.int32)
    np.testing.assert_array_equal(got, wide)
    half = random((3, 4), np.float16), random((4, 5), np.float16, 1)
    got = named("matmul", half, np.zeros((3, 5), np.float32))
    want = half[0].astype(np.float32) @ half[1].astype(np.float32)
    np.testing.assert_allclose(got, want, rtol=1e-5)


def test_quantized_matmul() -> None:
    a, b = random((3, 4), np.int8), random((4, 5), np.int8, 1)
    zeros = [np.array(3, np.int32), np.array(-2, np.int32)]
    got = named("quantized_matmul", [a, b, *zeros], np.zeros((3, 5), np.int32))
    np.testing.assert_array_equal(got, (a.astype(np.int32) - 3) @ (b.astype(np.int32) + 2))


def convolved(a: Array, w: Array, letters: str, strides: Any, dilations: Any, out: Array) -> Array:
    """`letters` as `nhwc,HWcf->nhwf`: a window at a time."""
    layout, window, output = letters.replace("->", ",").split(",")
    spatial = [letter for letter in layout if letter.upper() in window]
    result = out.astype(np.float64)
    positions = [range(out.shape[output.index(letter)]) for letter in spatial]
    for point in np.ndindex(*map(len, positions)):
        index: list[Any] = [slice(None)] * a.ndim
        target: list[Any] = [slice(None)] * out.ndim
        for at, letter in enumerate(spatial):
            size = w.shape[window.index(letter.upper())]
            start = point[at] * strides[at]
            index[layout.index(letter)] = slice(
                start, start + (size - 1) * dilations[at] + 1, dilations[at]
            )
            target[output.index(letter)] = point[at]
        patch = a[tuple(index)].astype(np.float64)
        kept = "".join(letter for letter in output if letter not in spatial)
        seen = "".join(letter.upper() if letter in spatial else letter for letter in layout)
        result[tuple(target)] += np.einsum(f"{seen},{window}->{kept}", patch, w.astype(np.float64))
    return result


CONVOLUTIONS = [
    ("conv_1d", (9,), (3,), "w,W->w"),
    ("conv_2d", (9, 8), (3, 2), "hw,HW->hw"),
    ("conv_1d_nwc_wcf", (2, 9, 3), (3, 3, 4), "nwc,Wcf->nwf"),
    ("conv_1d_ncw_fcw", (2, 3, 9), (4, 3, 3), "ncw,fcW->nfw"),
    ("conv_2d_nhwc_hwcf", (2, 9, 8, 3), (3, 2, 3, 4), "nhwc,HWcf->nhwf"),
    ("conv_2d_nhwc_fhwc", (2, 9, 8, 3), (4, 3, 2, 3), "nhwc,fHWc->nhwf"),
    ("conv_2d_nchw_fchw", (2, 3, 9, 8), (4, 3, 3, 2), "nchw,fcHW->nfhw"),
    ("conv_2d_ngchw_fgchw", (2, 2, 3, 9, 8), (4, 2, 3, 3, 2), "ngchw,fgcHW->ngfhw"),
    ("conv_2d_ngchw_gfchw", (2, 2, 3, 9, 8), (2, 4, 3, 3, 2), "ngchw,gfcHW->ngfhw"),
    ("conv_2d_nhwgc_gfhwc", (2, 9, 8, 2, 3), (2, 4, 3, 2, 3), "nhwgc,gfHWc->nhwgf"),
    ("conv_3d_ndhwc_dhwcf", (1, 5, 6, 7, 2), (2, 3, 2, 2, 3), "ndhwc,DHWcf->ndhwf"),
    ("depthwise_conv_2d_nhwc_hwc", (2, 9, 8, 3), (3, 2, 3), "nhwc,HWc->nhwc"),
    ("depthwise_conv_2d_nchw_chw", (2, 3, 9, 8), (3, 3, 2), "nchw,cHW->nchw"),
    ("depthwise_conv_2d_nhwc_hwcm", (2, 9, 8, 3), (3, 2, 3, 2), "nhwc,HWcm->nhwcm"),
    ("depthwise_conv_1d_nwc_wc", (2, 9, 3), (3, 3), "nwc,Wc->nwc"),
]  # fmt: skip


@pytest.mark.parametrize("case", CONVOLUTIONS, ids=[case[0] for case in CONVOLUTIONS])
@pytest.mark.parametrize("moved", [False, True])
def test_convolutions(case: Any, moved: bool) -> None:
    op, shape, filter_shape, letters = case
    layout, window, output = letters.replace("->", ",").split(",")
    spatial = [letter for letter in layout if letter.upper() in window]
    strides = [2 if moved else 1] * len(spatial)
    dilations = [1] * (len(spatial) - 1) + [2 if moved else 1]
    sizes = dict(zip(layout, shape, strict=True)) | dict(zip(window, filter_shape, strict=True))
    for letter, stride, dilation in zip(spatial, strides, dilations, strict=True):
        sizes[letter] = (sizes[letter] - (sizes[letter.upper()] - 1) * dilation - 1) // stride + 1
    a, w = random(shape), random(filter_shape, seed=1)
    init = random([sizes[letter] for letter in output], seed=2)
    attributes = (
        ""
        if not moved and len(spatial) == 1 and "_" not in op[5:]
        else (
            f", strides = dense<{strides}> : tensor<{len(spatial)}xi64>"
            f", dilations = dense<{dilations}> : tensor<{len(spatial)}xi64>"
        )
    )
    got = named(op, [a, w], init, attributes)
    want = convolved(a, w, letters, strides, dilations, init)
    np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-4)


def test_quantised_convolution() -> None:
    a, w = random((1, 5, 6, 2), np.int8), random((2, 3, 2, 3), np.int8, 1)
    zeros = [np.array(1, np.int32), np.array(-4, np.int32)]
    init = np.zeros((1, 4, 4, 3), np.int32)
    got = named("conv_2d_nhwc_hwcf_q", [a, w, *zeros], init)
    shifted = a.astype(np.int32) - 1, w.astype(np.int32) + 4
    want = convolved(*shifted, "nhwc,HWcf->nhwf", (1, 1), (1, 1), init)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(
    ("op", "ufunc", "start"),
    [
        ("pooling_nhwc_sum", np.add, 0),
        ("pooling_nhwc_max", np.maximum, -100),
        ("pooling_nhwc_min", np.minimum, 100),
        ("pooling_nchw_max", np.maximum, -100),
        ("pooling_nchw_sum", np.add, 0),
    ],
)
def test_pooling(op: str, ufunc: Any, start: int) -> None:
    channels_last = "nhwc" in op
    a = random((2, 7, 8, 3))
    window = np.zeros((3, 2), np.float32)
    want = np.full((2, 3, 4, 3), start, np.float32)
    for y in range(3):
        for x in range(4):
            patch = a[:, 2 * y : 2 * y + 3, 2 * x : 2 * x + 2]
            want[:, y, x] = ufunc(want[:, y, x], ufunc.reduce(patch, axis=(1, 2)))
    order = (0, 1, 2, 3) if channels_last else (0, 3, 1, 2)
    init = np.full(want.transpose(order).shape, start, np.float32)
    attributes = ", strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>"
    got = named(op, [np.ascontiguousarray(a.transpose(order)), window], init, attributes)
    np.testing.assert_allclose(got, want.transpose(order), rtol=1e-5, atol=1e-5)


def test_unsigned_pooling() -> None:
    a = random((1, 4, 4, 1), np.int8)
    init = np.zeros((1, 2, 2, 1), np.int8)
    attributes = ", strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>"
    window = np.zeros((2, 2), np.int8)
    got = named("pooling_nhwc_max_unsigned", [a, window], init, attributes)
    want = a.view(np.uint8).reshape(2, 2, 2, 2).max((1, 3))
    np.testing.assert_array_equal(got.view(np.uint8).reshape(2, 2), want)


def test_fill_copy_transpose_broadcast_reduce_map() -> None:
    a = random((3, 4))
    got = run_body(
        """
    %two = arith.constant 2.0 : f32
    %e = tensor.empty() : tensor<3x4xf32>
    %f = tensor.empty() : tensor<4x3xf32>
    %g = tensor.empty() : tensor<3xf32>
    %out0 = linalg.fill ins(%two : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
    %out1 = linalg.transpose ins(%in0 : tensor<3x4xf32>) outs(%f : tensor<4x3xf32>)
        permutation = [1, 0]
    %z = linalg.fill ins(%two : f32) outs(%g : tensor<3xf32>) -> tensor<3xf32>
    %out2 = "linalg.reduce"(%in0, %z) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: f32, %o: f32):
      %s = arith.addf %x, %o : f32
      linalg.yield %s : f32
    }) : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3xf32>
    %out3 = "linalg.broadcast"(%out2, %e) <{dimensions = array<i64: 1>}> ({})
        : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %out4 = "linalg.map"(%in0, %e) ({
    ^bb0(%x: f32, %o: f32):
      %s = arith.negf %x : f32
      linalg.yield %s : f32
    }) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %out5 = "linalg.map"(%in0, %e) ({
    ^bb0(%x: f32):
      %s = arith.negf %x : f32
      linalg.yield %s : f32
    }) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %out6 = linalg.copy ins(%in0 : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
    %out7 = linalg.add ins(%in0, %in0 : tensor<3x4xf32>, tensor<3x4xf32>)
        outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>""",
        [a],
        [a, np.empty((4, 3), np.float32), np.empty(3, np.float32), a, a, a, a, a],
    )
    sums = a.sum(1) + 2
    wants = [np.full((3, 4), 2), a.T, sums, np.repeat(sums[:, None], 4, 1), -a, -a, a, a + a]
    for array, want in zip(got, wants, strict=True):
        np.testing.assert_allclose(array, want, rtol=1e-6)


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        ("exp", np.exp),
        ("negf", np.negative),
        ("abs", np.abs),
        ("square", np.square),
        ("reciprocal", np.reciprocal),
        ("tanh", np.tanh),
    ],
)
def test_elementwise_kinds(kind: str, function: Any) -> None:
    a = random((3, 4))
    got = named("elementwise", [a], a, f", kind = #linalg.elementwise_kind<{kind}>")
    np.testing.assert_allclose(got, function(a), rtol=1e-6)


def test_elementwise_with_maps() -> None:
    a, b = random((3, 4)), random((4,), seed=1)
    maps = ", ".join(f"affine_map<(d0, d1) -> ({text})>" for text in ("d0, d1", "d1", "d0, d1"))
    kind = f", kind = #linalg.elementwise_kind<sub>, indexing_maps = [{maps}]"
    np.testing.assert_array_equal(named("elementwise", [a, b], a, kind), a - b)


def test_unknown_elementwise_kind_is_refused() -> None:
    a = random((3,))
    with pytest.raises(DiagnosticException, match="of kind strange is not supported"):
        named("elementwise", [a], a, ", kind = #linalg.elementwise_kind<strange>")


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("axis", [0, 1])
def test_softmax(dtype: Any, axis: int) -> None:
    a = random((5, 7), dtype)
    text = f"""
    %out0 = "linalg.softmax"(%in0, %in0) <{{dimension = {axis} : i64}}>
        : ({tensor_type(a)}, {tensor_type(a)}) -> {tensor_type(a)}"""
    got = run_body(text, [a], [a])[0]
    powers = np.exp(a.astype(float) - a.max(axis, keepdims=True))
    want = powers / powers.sum(axis, keepdims=True)
    np.testing.assert_allclose(got.astype(float), want, rtol=1e-2 if dtype == np.float16 else 1e-5)
