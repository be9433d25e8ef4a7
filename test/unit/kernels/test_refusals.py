"""What kernels refuse: one error that names the op and its place, when compiled or when run."""

from typing import Any

import numpy as np
import pytest
from kernel_harness import elementwise, run_body
from xdsl.utils.exceptions import DiagnosticException
from zcir.dialects.diagnostics import OpError, render_error

Array = np.ndarray[Any, Any]
A = np.arange(4, dtype=np.float32)


def refused(body: str, *inputs: Array, out: Array = A) -> str:
    """The one line of the error that `body` ends in."""
    with pytest.raises(DiagnosticException) as caught:
        run_body(body, inputs, [out])
    assert isinstance(caught.value, OpError)
    (line,) = render_error(caught.value)
    place, _, message = line.partition(": error: ")
    assert place.startswith("body.mlir:")
    return message


def test_store_of_another_size() -> None:
    message = refused(
        """
    %n = arith.constant 3 : index
    %e = tensor.empty(%n) : tensor<?xf32>
    %out0 = tensor.cast %e : tensor<?xf32> to tensor<4xf32>"""
    )
    assert message == (
        "'iree_tensor_ext.dispatch.tensor.store' op expected 16 bytes for the slice, got 12"
    )


def test_loop_without_progress() -> None:
    message = refused(
        """
    %i = arith.constant 0 : index
    %n = arith.constant 4 : index
    %out0 = scf.for %k = %i to %n step %i iter_args(%t = %in0) -> (tensor<4xf32>) {
      scf.yield %t : tensor<4xf32>
    }""",
        A,
    )
    assert message == "'scf.for' op expected a positive step, got 0"


def test_loop_whose_bounds_differ_from_point_to_point() -> None:
    with pytest.raises(DiagnosticException, match="has bounds that differ from point to point"):
        elementwise(
            """
      %i = linalg.index 0 : index
      %z = arith.constant 0 : index
      %one = arith.constant 1 : index
      %r = scf.for %k = %z to %i step %one iter_args(%t = %a) -> (f32) {
        %u = arith.addf %t, %a : f32
        scf.yield %u : f32
      }""",
            [A],
            A,
        )


def test_loop_that_no_operand_measures() -> None:
    message = refused(
        """
    %out0 = "linalg.generic"(%in0, %in1) <{indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>,
        affine_map<(d0, d1) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>,
        #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>""",
        A,
        A,
    )
    assert message == ("'linalg.generic' op expected an operand with a dimension for loop d1 alone")


def test_map_that_leaves_its_operand() -> None:
    message = refused(
        """
    %n = arith.constant 4 : index
    %s = arith.constant 3 : index
    %x = tensor.cast %in0 : tensor<4xf32> to tensor<?xf32>
    %out0 = "linalg.generic"(%x, %in0) <{indexing_maps = [affine_map<(d0) -> (d0 * 2)>,
        affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>],
        operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    }) : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>""",
        A,
    )
    assert message == "'linalg.generic' op index range [0, 6] leaves a dimension of 4"


def test_integer_op_without_meaning_on_i1() -> None:
    flags = np.array([True, False])
    with pytest.raises(DiagnosticException, match="has no meaning here on i1"):
        elementwise("%r = arith.remsi %a, %a : i1", [flags], flags)


def test_named_op_without_meaning_on_a_type() -> None:
    message = refused(
        """
    %out0 = "linalg.elementwise"(%in0, %in0, %in0) <{operandSegmentSizes = array<i32: 2, 1>,
        kind = #linalg.elementwise_kind<div_unsigned>}> ({})
        : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>""",
        A,
    )
    assert message.endswith("op has no meaning here on f32")


def test_types_that_do_not_convert() -> None:
    numbers = np.zeros((4, 4), np.complex64)
    message = refused(
        """
    %out0 = "linalg.matmul"(%in0, %in0, %in1) <{operandSegmentSizes = array<i32: 2, 1>}> ({})
        : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xcomplex<f32>>)
          -> tensor<4x4xcomplex<f32>>""",
        np.zeros((4, 4), np.float32),
        numbers,
        out=numbers,
    )
    assert message.endswith("op cannot cast f32 to complex<f32>")


def test_type_without_dtype() -> None:
    message = refused(
        """
    %e = tensor.empty() : tensor<4xf80>
    %out0 = tensor.cast %in0 : tensor<4xf32> to tensor<4xf32>""",
        A,
    )
    assert message == "'tensor.empty' op type f80 has no numpy dtype"


def test_constants_that_are_not_in_the_text() -> None:
    message = refused("%out0 = arith.constant dense_resource<weights> : tensor<4xf32>")
    assert message == "'arith.constant' op resource weights is not in the module's text"


def test_attention_with_other_maps() -> None:
    maps = ", ".join(
        f"affine_map<(d0, d1) -> ({text})>" for text in ("d0, d1", "d0, d1", "d0, d1", "", "d0, d1")
    )
    square = np.zeros((2, 2), np.float32)
    message = refused(
        f"""
    %s = arith.constant 1.0 : f32
    %out0 = "iree_linalg_ext.attention"(%in0, %in0, %in0, %s, %in0) <{{indexing_maps = [{maps}],
        operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>}}> ({{
    ^bb0(%x: f32):
      "iree_linalg_ext.yield"(%x) : (f32) -> ()
    }}) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, f32, tensor<2x2xf32>)
        -> tensor<2x2xf32>""",
        square,
        out=square,
    )
    assert message.endswith("op has indexing maps that are no attention's; not supported")
