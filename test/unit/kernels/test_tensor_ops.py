"""Ops of the tensor dialect and control flow on tensors against plain numpy."""
# numpy's types of array expressions are partly unknown to the checker:
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_harness import run_body, tensor_type
from xdsl.utils.exceptions import DiagnosticException

Array = np.ndarray[Any, Any]


def random(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(1, 3), st.integers(0, 2)),
        min_size=1,
        max_size=3,
    )
)
def test_slices(dims: list[tuple[int, int, int, int]]) -> None:
    """extract_slice and insert_slice agree with numpy's slices."""
    offsets, sizes, strides, slack = (list(column) for column in zip(*dims, strict=True))
    shape = [
        offset + max(size - 1, 0) * stride + 1 + extra
        for offset, size, stride, extra in zip(offsets, sizes, strides, slack, strict=True)
    ]
    a, part = random(*shape), random(*sizes, seed=1)
    index = tuple(
        slice(o, o + (n - 1) * s + 1 if n else o, s)
        for o, n, s in zip(offsets, sizes, strides, strict=True)
    )
    at = f"{offsets} {sizes} {strides}"
    got, updated = run_body(
        f"""
    %out0 = tensor.extract_slice %in0{at} : {tensor_type(a)} to {tensor_type(part)}
    %out1 = tensor.insert_slice %in1 into %in0{at} : {tensor_type(part)} into {tensor_type(a)}""",
        [a, part],
        [np.empty_like(part), np.empty_like(a)],
    )
    np.testing.assert_array_equal(got, a[index])
    want = a.copy()
    want[index] = part
    np.testing.assert_array_equal(updated, want)


def test_rank_reducing_slices() -> None:
    a, row = random(4, 1, 5), random(5, seed=1)
    got, updated = run_body(
        """
    %out0 = tensor.extract_slice %in0[2, 0, 0] [1, 1, 5] [1, 1, 1]
        : tensor<4x1x5xf32> to tensor<5xf32>
    %out1 = tensor.insert_slice %in1 into %in0[1, 0, 0] [1, 1, 5] [1, 1, 1]
        : tensor<5xf32> into tensor<4x1x5xf32>""",
        [a, row],
        [np.empty_like(row), np.empty_like(a)],
    )
    np.testing.assert_array_equal(got, a[2, 0])
    a[1, 0] = row
    np.testing.assert_array_equal(updated, a)


def test_slice_out_of_bounds_is_refused() -> None:
    body = """
    %two = arith.constant 2 : index
    %out0 = tensor.extract_slice %in0[%two] [3] [1] : tensor<4xf32> to tensor<3xf32>"""
    with pytest.raises(DiagnosticException, match=r"slice \[2, 4\] leaves dimension 0 of 4"):
        run_body(body, [random(4)], [random(3)])


def test_negative_slice_sizes_are_refused() -> None:
    body = """
    %less = arith.constant -1 : index
    %s = tensor.extract_slice %in0[0] [%less] [1] : tensor<4xf32> to tensor<?xf32>
    %out0 = tensor.cast %s : tensor<?xf32> to tensor<3xf32>"""
    with pytest.raises(DiagnosticException, match="no negative size in dimension 0, got size -1"):
        run_body(body, [random(4)], [random(3)])


def test_reshapes() -> None:
    a = random(2, 3, 4)
    flat, grown = run_body(
        """
    %out0 = tensor.collapse_shape %in0 [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
    %out1 = tensor.expand_shape %out0 [[0, 1, 2], [3]] output_shape [1, 3, 2, 4]
        : tensor<6x4xf32> into tensor<1x3x2x4xf32>""",
        [a],
        [np.empty((6, 4), np.float32), np.empty((1, 3, 2, 4), np.float32)],
    )
    np.testing.assert_array_equal(flat, a.reshape(6, 4))
    np.testing.assert_array_equal(grown, a.reshape(1, 3, 2, 4))


def test_dynamic_reshape_and_dim() -> None:
    a = random(2, 6)
    got = run_body(
        """
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %a = tensor.cast %in0 : tensor<2x6xf32> to tensor<2x?xf32>
    %n = tensor.dim %a, %one : tensor<2x?xf32>
    %half = arith.divsi %n, %two : index
    %b = tensor.expand_shape %a [[0], [1, 2]] output_shape [2, %half, 2]
        : tensor<2x?xf32> into tensor<2x?x2xf32>
    %c = tensor.collapse_shape %b [[0, 1], [2]] : tensor<2x?x2xf32> into tensor<?x2xf32>
    %out0 = tensor.cast %c : tensor<?x2xf32> to tensor<6x2xf32>""",
        [a],
        [np.empty((6, 2), np.float32)],
    )[0]
    np.testing.assert_array_equal(got, a.reshape(6, 2))


def test_reshape_by_a_tensor() -> None:
    a, shape = random(6), np.array([2, 3], np.int64)
    got = run_body(
        """
    %out0 = tensor.reshape %in0(%in1) : (tensor<6xf32>, tensor<2xi64>) -> tensor<2x3xf32>""",
        [a, shape],
        [np.empty((2, 3), np.float32)],
    )[0]
    np.testing.assert_array_equal(got, a.reshape(2, 3))


@pytest.mark.parametrize(("low", "high"), [([1, 0], [2, 3]), ([0, 0], [0, 0]), ([-1, 2], [1, -2])])
def test_pad(low: list[int], high: list[int]) -> None:
    a = random(3, 4)
    out = np.full([n + x + y for n, x, y in zip(a.shape, low, high, strict=True)], 7.0, np.float32)
    got = run_body(
        f"""
    %seven = arith.constant 7.0 : f32
    %out0 = tensor.pad %in0 low{low} high{high} {{
    ^bb0(%i: index, %j: index):
      tensor.yield %seven : f32
    }} : tensor<3x4xf32> to {tensor_type(out)}""",
        [a],
        [out],
    )[0]
    for i, j in np.ndindex(*out.shape):
        x, y = i - low[0], j - low[1]
        if 0 <= x < 3 and 0 <= y < 4:
            out[i, j] = a[x, y]
    np.testing.assert_array_equal(got, out)


def test_pad_with_a_value_by_position() -> None:
    got = run_body(
        """
    %out0 = tensor.pad %in0 low[1] high[2] {
    ^bb0(%i: index):
      %n = arith.index_cast %i : index to i32
      tensor.yield %n : i32
    } : tensor<2xi32> to tensor<5xi32>""",
        [np.array([50, 60], np.int32)],
        [np.empty(5, np.int32)],
    )[0]
    np.testing.assert_array_equal(got, [0, 50, 60, 3, 4])


def test_makers() -> None:
    """concat, from_elements, splat, generate, insert, extract, constants."""
    a = random(2, 3)
    got = run_body(
        """
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %out0 = tensor.concat dim(1) %in0, %in0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
    %x = tensor.extract %in0[%one, %zero] : tensor<2x3xf32>
    %out1 = tensor.from_elements %x, %x : tensor<2xf32>
    %out2 = tensor.splat %x : tensor<3xf32>
    %out3 = tensor.insert %x into %out2[%one] : tensor<3xf32>
    %out4 = "tensor.generate"() ({
    ^bb0(%i: index, %j: index):
      %s = arith.addi %i, %j : index
      %n = arith.index_cast %s : index to i32
      tensor.yield %n : i32
    }) : () -> tensor<2x3xi32>
    %out5 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    %out6 = arith.constant dense<1.5> : tensor<3xbf16>""",
        [a],
        [
            np.empty((2, 6), np.float32),
            np.empty(2, np.float32),
            np.empty(3, np.float32),
            np.empty(3, np.float32),
            np.empty((2, 3), np.int32),
            np.empty((2, 2), np.int64),
            np.empty(3, __import__("ml_dtypes").bfloat16),
        ],
    )
    np.testing.assert_array_equal(got[0], np.concatenate([a, a], 1))
    for array in got[1:4]:
        np.testing.assert_array_equal(array, np.full(array.shape, a[1, 0]))
    np.testing.assert_array_equal(got[4], np.add.outer(np.arange(2), np.arange(3)))
    np.testing.assert_array_equal(got[5], [[1, 2], [3, 4]])
    np.testing.assert_array_equal(got[6].astype(float), [1.5] * 3)


def test_extract_out_of_bounds_is_refused() -> None:
    body = """
    %four = arith.constant 4 : index
    %x = tensor.extract %in0[%four] : tensor<4xf32>
    %out0 = tensor.splat %x : tensor<2xf32>"""
    with pytest.raises(DiagnosticException, match="index 4 leaves dimension 0 of 4"):
        run_body(body, [random(4)], [random(2)])


def test_loop_on_tensors() -> None:
    """A cumulative sum by insert_slice."""
    a = random(5)
    got = run_body(
        """
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %five = arith.constant 5 : index
    %none = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<5xf32>
    %out0, %sum = scf.for %i = %zero to %five step %one
        iter_args(%t = %e, %s = %none) -> (tensor<5xf32>, f32) {
      %x = tensor.extract %in0[%i] : tensor<5xf32>
      %n = arith.addf %s, %x : f32
      %u = tensor.insert %n into %t[%i] : tensor<5xf32>
      scf.yield %u, %n : tensor<5xf32>, f32
    }""",
        [a],
        [np.empty(5, np.float32)],
    )[0]
    np.testing.assert_allclose(got, np.cumsum(a), rtol=1e-5)


@pytest.mark.parametrize("value", [-1.0, 1.0])
def test_branch_on_tensors(value: float) -> None:
    a = np.array([value, 2.0], np.float32)
    got = run_body(
        """
    %zero = arith.constant 0 : index
    %none = arith.constant 0.0 : f32
    %x = tensor.extract %in0[%zero] : tensor<2xf32>
    %c = arith.cmpf ogt, %x, %none : f32
    %out0 = scf.if %c -> (tensor<2xf32>) {
      scf.yield %in0 : tensor<2xf32>
    } else {
      %s = tensor.splat %none : tensor<2xf32>
      scf.yield %s : tensor<2xf32>
    }""",
        [a],
        [np.empty(2, np.float32)],
    )[0]
    np.testing.assert_array_equal(got, a if value > 0 else np.zeros(2))


def test_affine_ops() -> None:
    got = run_body(
        """
    %seven = arith.constant 7 : index
    %three = arith.constant 3 : index
    %a = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 2)>(%seven)[%three]
    %b = affine.min affine_map<(d0)[s0] -> (d0, s0 + 1)>(%seven)[%three]
    %c = arith.index_cast %a : index to i64
    %d = arith.index_cast %b : index to i64
    %out0 = tensor.from_elements %c, %d : tensor<2xi64>""",
        [],
        [np.empty(2, np.int64)],
    )[0]
    np.testing.assert_array_equal(got, [15, 4])
