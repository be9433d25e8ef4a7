"""Structured ops of the reference against numpy: maps, reductions, gathers."""

from collections.abc import Callable

import numpy as np
import pytest
from reference_snippets import evaluate, mlir_type
from xdsl.ir import Block
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from zcir.runtime.element_types import Array, InputError
from zcir.runtime.reference import structured

RANDOM = np.random.default_rng(11)


def floats(*shape: int) -> Array:
    return RANDOM.standard_normal(shape).astype(np.float32)


def generic(
    maps: str, kinds: str, code: str, inputs: list[Array], outputs: list[Array]
) -> list[Array]:
    """A linalg.generic on `inputs` and `outputs`; the body names its arguments itself."""
    arguments = [*inputs, *outputs]
    types = [mlir_type(argument) for argument in arguments]
    results = ", ".join(types[len(inputs) :])
    iterators = {"p": "#linalg.iterator_type<parallel>", "r": "#linalg.iterator_type<reduction>"}
    names = ", ".join(f"%x{number}" for number in range(len(outputs)))
    body = f"""
    {names} = "linalg.generic"({", ".join(f"%{k}" for k in range(len(types)))}) <{{
      indexing_maps = [{", ".join(f"affine_map<{m}>" for m in maps.split(";"))}],
      iterator_types = [{", ".join(iterators[kind] for kind in kinds)}],
      operandSegmentSizes = array<i32: {len(inputs)}, {len(outputs)}>}}> ({{
      {code}
    }}) : ({", ".join(types)}) -> ({results})
    return {names} : {results}"""
    return [np.asarray(value) for value in evaluate(body, arguments, results)]


ADD = """
^bb0(%in: f32, %out: f32):
  %t = arith.addf %in, %out : f32
  linalg.yield %t : f32"""
MULTIPLY_ADD = """
^bb0(%l: f32, %r: f32, %out: f32):
  %m = arith.mulf %l, %r : f32
  %t = arith.addf %out, %m : f32
  linalg.yield %t : f32"""


def test_sum_goes_from_left_to_right() -> None:
    values = floats(3, 1000)
    (got,) = generic(
        "(i, j) -> (i, j);(i, j) -> (i)", "pr", ADD, [values], [np.zeros(3, np.float32)]
    )
    expected = np.zeros(3, np.float32)
    for column in values.T:
        expected = column + expected
    assert got.tolist() == expected.tolist()


def test_half_precision_sum_rounds_after_each_step() -> None:
    code = ADD.replace("f32", "f16")
    ones = np.ones(5000, np.float16)
    (got,) = generic("(i) -> (i);(i) -> ()", "r", code, [ones], [np.zeros((), np.float16)])
    # From 2048 on adding 1 changes nothing.
    assert got == 2048


def test_a_reduction_starts_from_what_the_output_holds() -> None:
    values = floats(4, 5)
    start = floats(4)
    (got,) = generic("(i, j) -> (i, j);(i, j) -> (i)", "pr", ADD, [values], [start])
    np.testing.assert_allclose(got, start + values.sum(axis=1), rtol=1e-5)


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 20])
def test_blocks_of_any_size_give_one_result(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = floats(5, 33), floats(33, 4)
    maps = "(i, j, k) -> (i, k);(i, j, k) -> (k, j);(i, j, k) -> (i, j)"
    out = np.zeros((5, 4), np.float32)
    (whole,) = generic(maps, "ppr", MULTIPLY_ADD, [left, right], [out])
    monkeypatch.setattr(structured, "BLOCK_POINTS", block)
    (got,) = generic(maps, "ppr", MULTIPLY_ADD, [left, right], [out])
    assert got.tolist() == whole.tolist()
    np.testing.assert_allclose(got, left @ right, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("op", "function", "start"),
    [
        ("arith.maximumf", np.max, -np.inf),
        ("arith.minimumf", np.min, np.inf),
        ("arith.maxnumf", np.nanmax, -np.inf),
        ("arith.minnumf", np.nanmin, np.inf),
    ],
)
@pytest.mark.parametrize("count", [1, 2, 3, 8, 13])
def test_extremes(op: str, function: Callable[..., Array], start: float, count: int) -> None:
    values = floats(3, count)
    if "num" in op:
        values[1, 0] = np.nan
    values[1, -1] = 0.5
    code = f"""
    ^bb0(%in: f32, %out: f32):
      %t = {op} %in, %out : f32
      linalg.yield %t : f32"""
    outputs = [np.full(3, start, np.float32)]
    (got,) = generic("(i, j) -> (i, j);(i, j) -> (i)", "pr", code, [values], outputs)
    np.testing.assert_array_equal(got, function(values, axis=1))


def test_integer_product_wraps() -> None:
    values = RANDOM.integers(-100, 100, (2, 17)).astype(np.int8)
    code = """
    ^bb0(%in: i8, %out: i8):
      %t = arith.muli %in, %out : i8
      linalg.yield %t : i8"""
    ones = np.ones(2, np.int8)
    (got,) = generic("(i, j) -> (i, j);(i, j) -> (i)", "pr", code, [values], [ones])
    assert got.tolist() == np.multiply.reduce(values, axis=1, dtype=np.int8).tolist()


def test_reduction_over_two_loops_is_row_major() -> None:
    values = floats(6, 2, 7)
    (got,) = generic(
        "(i, j, k) -> (i, j, k);(i, j, k) -> (j)",
        "rpr",
        ADD,
        [values],
        [np.zeros(2, np.float32)],
    )
    expected = np.zeros(2, np.float32)
    for plane in values.transpose(0, 2, 1).reshape(-1, 2):
        expected = plane + expected
    assert got.tolist() == expected.tolist()


# The body of an arg-max mixes both outputs: no combiner, so it runs point by point.
def test_arg_max() -> None:
    values = floats(4, 9)
    code = """
    ^bb0(%in: f32, %best: f32, %at: i32):
      %j = linalg.index 1 : index
      %n = arith.index_cast %j : index to i32
      %above = arith.cmpf ogt, %in, %best : f32
      %b = arith.select %above, %in, %best : f32
      %a = arith.select %above, %n, %at : i32
      linalg.yield %b, %a : f32, i32"""
    best, at = generic(
        "(i, j) -> (i, j);(i, j) -> (i);(i, j) -> (i)",
        "pr",
        code,
        [values],
        [np.full(4, -np.inf, np.float32), np.zeros(4, np.int32)],
    )
    assert best.tolist() == values.max(axis=1).tolist()
    assert at.tolist() == values.argmax(axis=1).tolist()


# One output per point beside one that is reduced, as fused dispatches have.
def test_pointwise_and_reduced_output_together() -> None:
    values = floats(3, 5)
    code = """
    ^bb0(%in: f32, %square: f32, %sum: f32):
      %s = arith.mulf %in, %in : f32
      %t = arith.addf %sum, %s : f32
      linalg.yield %s, %t : f32, f32"""
    squares, sums = generic(
        "(i, j) -> (i, j);(i, j) -> (i, j);(i, j) -> (i)",
        "pr",
        code,
        [values],
        [np.zeros((3, 5), np.float32), np.zeros(3, np.float32)],
    )
    assert squares.tolist() == (values * values).tolist()
    np.testing.assert_allclose(sums, (values * values).sum(axis=1), rtol=1e-5)


# A running sum: the pointwise output takes the value that the reduced one has just got.
def test_output_that_follows_another_runs_point_by_point() -> None:
    values = floats(3, 5)
    code = """
    ^bb0(%in: f32, %running: f32, %sum: f32):
      %t = arith.addf %sum, %in : f32
      linalg.yield %t, %t : f32, f32"""
    running, sums = generic(
        "(i, j) -> (i, j);(i, j) -> (i, j);(i, j) -> (i)",
        "pr",
        code,
        [values],
        [np.zeros((3, 5), np.float32), np.zeros(3, np.float32)],
    )
    assert running.tolist() == np.add.accumulate(values, axis=1).tolist()
    assert sums.tolist() == running[:, -1].tolist()


def test_subtraction_is_no_combiner_yet_right() -> None:
    values = floats(3, 5)
    code = """
    ^bb0(%in: f32, %out: f32):
      %t = arith.subf %in, %out : f32
      linalg.yield %t : f32"""
    zero = np.zeros(3, np.float32)
    (got,) = generic("(i, j) -> (i, j);(i, j) -> (i)", "pr", code, [values], [zero])
    expected = zero
    for column in values.T:
        expected = column - expected
    assert got.tolist() == expected.tolist()


def test_broadcast_transpose_and_constant_maps() -> None:
    row, matrix, line = floats(4), floats(4, 3), floats(1, 3)
    code = """
    ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
      %s = arith.addf %a, %b : f32
      %t = arith.mulf %s, %c : f32
      linalg.yield %t : f32"""
    (got,) = generic(
        "(i, j) -> (j);(i, j) -> (j, i);(i, j) -> (0, i);(i, j) -> (i, j)",
        "pp",
        code,
        [row, matrix, line],
        [np.zeros((3, 4), np.float32)],
    )
    assert got.tolist() == ((row + matrix.T) * line.T).tolist()


def test_strided_window() -> None:
    signal, taps = floats(11), floats(3)
    maps = "(i, k) -> (i * 2 + k);(i, k) -> (k);(i, k) -> (i)"
    out = np.zeros(5, np.float32)
    (got,) = generic(maps, "pr", MULTIPLY_ADD, [signal, taps], [out])
    expected = [float(np.dot(signal[2 * i : 2 * i + 3], taps)) for i in range(5)]
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_floor_division_and_modulo_in_a_map() -> None:
    values = floats(2, 3)
    code = "^bb0(%in: f32, %out: f32):\n  linalg.yield %in : f32"
    maps = "(i) -> (i floordiv 3, i mod 3);(i) -> (i)"
    (got,) = generic(maps, "p", code, [values], [np.zeros(6, np.float32)])
    assert got.tolist() == values.reshape(-1).tolist()


def test_rank_0_and_empty_spaces() -> None:
    two, three = np.array(2, np.float32), np.array(3, np.float32)
    (got,) = generic("() -> ();() -> ()", "", ADD, [two], [three])
    assert got == 5
    assert got.shape == ()
    for shape in ((0, 3), (3, 0)):
        start = floats(shape[0])
        maps = "(i, j) -> (i, j);(i, j) -> (i)"
        (got,) = generic(maps, "pr", ADD, [np.zeros(shape, np.float32)], [start])
        assert got.tolist() == start.tolist()


def test_gather_through_an_index_tensor() -> None:
    table, at = floats(6, 3), np.array([5, 0, 2], np.int32)
    body = f"""
    %e = tensor.empty() : tensor<3x3xf32>
    %x = linalg.generic {{
        indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}}
      ins(%1 : tensor<3xi32>) outs(%e : tensor<3x3xf32>) {{
    ^bb0(%in: i32, %out: f32):
      %n = arith.index_cast %in : i32 to index
      %j = linalg.index 1 : index
      %v = tensor.extract %0[%n, %j] : {mlir_type(table)}
      linalg.yield %v : f32
    }} -> tensor<3x3xf32>
    return %x : tensor<3x3xf32>"""
    (got,) = evaluate(body, [table, at], "tensor<3x3xf32>")
    assert np.asarray(got).tolist() == table[at].tolist()
    with pytest.raises(InputError, match=r"^snippet\.mlir:11:7: 'tensor\.extract' op: index 6 is"):
        evaluate(body, [table, at + 1], "tensor<3x3xf32>")


def test_several_results_in_custom_syntax() -> None:
    source = floats(4)
    body = f"""
    %x:2 = linalg.generic {{
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]}}
      ins(%0 : {mlir_type(source)}) outs(%0, %0 : {mlir_type(source)}, {mlir_type(source)}) {{
    ^bb0(%in: f32, %a: f32, %b: f32):
      %s = arith.addf %in, %in : f32
      %p = arith.mulf %in, %in : f32
      linalg.yield %s, %p : f32, f32
    }} -> ({mlir_type(source)}, {mlir_type(source)})
    %d = arith.subf %x#0, %x#1 : {mlir_type(source)}
    return %d : {mlir_type(source)}"""
    (got,) = evaluate(body, [source], mlir_type(source))
    np.testing.assert_array_equal(np.asarray(got), source + source - source * source)


# Padding as a choice: lanes outside of the source take the other branch and read nothing.
def test_branches_within_a_body() -> None:
    source = floats(4)
    body = f"""
    %e = tensor.empty() : tensor<8xf32>
    %x = linalg.generic {{
        indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      outs(%e : tensor<8xf32>) {{
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %c4 = arith.constant 4 : index
      %inside = arith.cmpi slt, %i, %c4 : index
      %v = scf.if %inside -> (f32) {{
        %r = tensor.extract %0[%i] : {mlir_type(source)}
        scf.yield %r : f32
      }} else {{
        %z = arith.constant -1.0 : f32
        scf.yield %z : f32
      }}
      linalg.yield %v : f32
    }} -> tensor<8xf32>
    return %x : tensor<8xf32>"""
    (got,) = evaluate(body, [source], "tensor<8xf32>")
    assert np.asarray(got).tolist() == [*source.tolist(), -1, -1, -1, -1]


# The verifier refuses both already; the evaluator does not rely on it.
@pytest.mark.parametrize(
    ("expressions", "shape", "message"),
    [
        ((AffineDimExpr(0), AffineDimExpr(1)), (3, 4), "loop 0 has both 3 and 2 iterations"),
        ((AffineDimExpr(1) + 5, AffineDimExpr(0)), (8, 2), "no operand tells the size of loop 1"),
    ],
)
def test_spaces_that_make_no_sense(
    expressions: tuple[AffineExpr, ...], shape: tuple[int, ...], message: str
) -> None:
    maps = [AffineMap(2, 0, expressions), AffineMap(2, 0, (AffineDimExpr(0),))]
    outputs = [np.zeros(2, np.float32)]
    with pytest.raises(InputError, match=message):
        structured.Structured(maps, [False, True], Block(), [floats(*shape)], outputs)


def test_an_output_shared_by_parallel_points_is_refused() -> None:
    with pytest.raises(InputError, match="several parallel points write one element"):
        generic(
            "(i, j) -> (i, j);(i, j) -> (i)", "pp", ADD, [floats(2, 3)], [np.zeros(2, np.float32)]
        )


def test_a_window_that_leaves_its_operand_is_refused() -> None:
    with pytest.raises(Exception, match=r"outside of a dimension|greater than or equal to"):
        generic(
            "(i, k) -> (i + k);(i, k) -> (k);(i, k) -> (i)",
            "pr",
            MULTIPLY_ADD,
            [floats(6), floats(3)],
            [np.zeros(5, np.float32)],
        )
