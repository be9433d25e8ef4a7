"""linalg.generic with parallel loops against plain numpy: maps, gathers, indices, blocks."""

# numpy's types of array expressions are partly unknown to the checker:
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from generic_ops import generic, random
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_harness import run_body, tensor_type
from xdsl.utils.exceptions import DiagnosticException

BF16 = np.dtype(ml_dtypes.bfloat16)
Array = np.ndarray[Any, Any]


@pytest.mark.parametrize(
    ("source", "operand_map", "expression"),
    [
        ((3, 4, 5), "(d0, d1, d2) -> (d0, d1, d2)", lambda a: a),
        ((5, 3, 4), "(d0, d1, d2) -> (d2, d0, d1)", lambda a: a.transpose(1, 2, 0)),
        ((4,), "(d0, d1, d2) -> (d1)", lambda a: a[None, :, None]),
        ((5, 3), "(d0, d1, d2) -> (d2, d0)", lambda a: a.T[:, None, :]),
        ((), "(d0, d1, d2) -> ()", lambda a: a),
        ((1, 4), "(d0, d1, d2) -> (0, d1)", lambda a: a[0][None, :, None]),
        ((9, 5), "(d0, d1, d2) -> (d0 * 2 + d1, d2)", None),
        ((4,), "(d0, d1, d2) -> (-d1 + 3)", lambda a: a[::-1][None, :, None]),
        ((2, 4), "(d0, d1, d2) -> (d0 floordiv 2, d1)", None),
        ((2, 4, 5), "(d0, d1, d2) -> (d0 mod 2, d1, d2)", lambda a: a[[0, 1, 0]]),
    ],
)
def test_operand_maps(source: Any, operand_map: str, expression: Any) -> None:
    a, b = random(source), random((3, 4, 5), seed=1)
    got = generic(
        [operand_map, "(d0, d1, d2) -> (d0, d1, d2)", "(d0, d1, d2) -> (d0, d1, d2)"],
        "ppp",
        [a, b],
        [b],
        "%s = arith.addf %a, %b : f32",
        "%s",
    )[0]
    if expression is None:
        i, j, k = np.indices(b.shape)
        seen = a[i * 2 + j, k] if source == (9, 5) else a[i // 2, j]
    else:
        seen = expression(a)
    np.testing.assert_array_equal(got, seen + b)


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.tuples(
            st.lists(st.integers(0, 4), min_size=n, max_size=n),
            st.permutations(range(n)),
            st.permutations(range(n)),
            st.lists(st.booleans(), min_size=n, max_size=n),
        )
    )
)
def test_projected_permutations(case: Any) -> None:
    """Operands and output see the loops through any (projected) permutation."""
    extents, order, out_order, kept = case
    loops = ", ".join(f"d{at}" for at in range(len(extents)))
    axes = [axis for axis in order if kept[axis]]

    def operand(chosen: Any) -> str:
        return f"({loops}) -> ({', '.join(f'd{axis}' for axis in chosen)})"

    a = random(tuple(extents[axis] for axis in axes))
    b = random(tuple(extents), seed=1)
    init = np.zeros([extents[axis] for axis in out_order], np.float32)
    got = generic(
        [operand(axes), operand(range(len(extents))), operand(out_order)],
        "p" * len(extents),
        [a, b],
        [init],
        "%s = arith.mulf %a, %b : f32",
        "%s",
    )[0]
    letters = "ijkl"
    text = "".join(letters[axis] for axis in axes)
    full, out = letters[: len(extents)], "".join(letters[axis] for axis in out_order)
    np.testing.assert_array_equal(got, np.einsum(f"{text},{full}->{out}", a, b))


def test_output_is_read_where_the_region_uses_it() -> None:
    a, init = random((3, 4)), random((3, 4), seed=1)
    identity = "(d0, d1) -> (d0, d1)"
    got = generic([identity, identity], "pp", [a], [init], "%s = arith.subf %o0, %a : f32", "%s")[0]
    np.testing.assert_array_equal(got, init - a)


def test_index_and_gather() -> None:
    """An embedding lookup: rows of a table at loaded indices."""
    table, rows = random((10, 4)), np.array([7, 0, 9, 7], np.int64)
    got = run_body(
        f"""
    %e = tensor.empty() : tensor<4x4xf32>
    %out0 = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0)>,
        affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}}
        ins(%in1 : {tensor_type(rows)}) outs(%e : tensor<4x4xf32>) {{
    ^bb0(%i: i64, %o: f32):
      %row = arith.index_cast %i : i64 to index
      %column = linalg.index 1 : index
      %x = tensor.extract %in0[%row, %column] : {tensor_type(table)}
      linalg.yield %x : f32
    }} -> tensor<4x4xf32>""",
        [table, rows],
        [np.empty((4, 4), np.float32)],
    )[0]
    np.testing.assert_array_equal(got, table[rows])


@pytest.mark.parametrize("index", [-1, 10])
def test_gather_out_of_bounds_is_refused(index: int) -> None:
    table, rows = random((10,)), np.array([index], np.int64)
    body = f"""
    %e = tensor.empty() : tensor<1xf32>
    %out0 = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>,
        affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
        ins(%in1 : {tensor_type(rows)}) outs(%e : tensor<1xf32>) {{
    ^bb0(%i: i64, %o: f32):
      %row = arith.index_cast %i : i64 to index
      %x = tensor.extract %in0[%row] : {tensor_type(table)}
      linalg.yield %x : f32
    }} -> tensor<1xf32>"""
    with pytest.raises(DiagnosticException, match=f"index {index} leaves dimension 0 of 10"):
        run_body(body, [table, rows], [np.empty(1, np.float32)])


def test_branch_in_a_region_guards_its_gather() -> None:
    """Lanes that do not take a branch do not fail in it."""
    table, rows = random((4,)), np.array([-5, 2, 9], np.int64)
    body = f"""
    %zero = arith.constant 0 : index
    %four = arith.constant 4 : index
    %none = arith.constant -1.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %out0 = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>,
        affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
        ins(%in1 : {tensor_type(rows)}) outs(%e : tensor<3xf32>) {{
    ^bb0(%i: i64, %o: f32):
      %row = arith.index_cast %i : i64 to index
      %low = arith.cmpi sge, %row, %zero : index
      %high = arith.cmpi slt, %row, %four : index
      %in = arith.andi %low, %high : i1
      %x = scf.if %in -> (f32) {{
        %y = tensor.extract %in0[%row] : {tensor_type(table)}
        scf.yield %y : f32
      }} else {{
        scf.yield %none : f32
      }}
      linalg.yield %x : f32
    }} -> tensor<3xf32>"""
    got = run_body(body, [table, rows], [np.empty(3, np.float32)])[0]
    np.testing.assert_array_equal(got, np.array([-1, table[2], -1], np.float32))


@pytest.mark.parametrize("blocked", [False, True])
@pytest.mark.parametrize("case", ["last", "middle", "two", "transposed", "both", "all"])
def test_gathers_along_loops(case: str, blocked: bool) -> None:
    """`linalg.index` as last index of a gather takes whole rows."""
    rows, columns = (300, 256) if blocked else (5, 4)
    maps = {
        "last": ("%i, %c", "%c = linalg.index 1 : index", (50, columns)),
        "middle": ("%c, %i", "%c = linalg.index 1 : index", (columns, 50)),
        "two": ("%i, %r, %c", "%r = linalg.index 0 : index\n%c = linalg.index 1 : index",
                (50, rows, columns)),
        "transposed": ("%c, %r", "%r = linalg.index 0 : index\n%c = linalg.index 1 : index",
                       (columns, rows)),
        "both": ("%r, %c", "%r = linalg.index 0 : index\n%c = linalg.index 1 : index",
                 (rows, columns)),
        "all": ("%i", "", (50,)),
    }  # fmt: skip
    indices, ops, shape = maps[case]
    table = random(shape)
    at = np.random.default_rng(0).integers(0, 50, rows)
    got = run_body(
        f"""
    %e = tensor.empty() : tensor<{rows}x{columns}xf32>
    %out0 = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0)>,
        affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}}
        ins(%in1 : {tensor_type(at)}) outs(%e : tensor<{rows}x{columns}xf32>) {{
    ^bb0(%n: i64, %o: f32):
      %i = arith.index_cast %n : i64 to index
      {ops}
      %x = tensor.extract %in0[{indices}] : {tensor_type(table)}
      linalg.yield %x : f32
    }} -> tensor<{rows}x{columns}xf32>""",
        [table, at],
        [np.empty((rows, columns), np.float32)],
    )[0]
    i, j = np.indices((rows, columns))
    want = {
        "last": lambda: table[at],
        "middle": lambda: table[j, at[i]],
        "two": lambda: table[at[i], i, j],
        "transposed": lambda: table.T,
        "both": lambda: table,
        "all": lambda: np.repeat(table[at][:, None], columns, 1),
    }[case]()
    np.testing.assert_array_equal(got, want)


def test_output_map_that_is_no_permutation_is_refused() -> None:
    a, init = random((3,)), np.zeros((3, 3), np.float32)
    with pytest.raises(DiagnosticException, match="permutes the parallel loops"):
        generic(["(d0) -> (d0)", "(d0) -> (d0, d0)"], "p", [a], [init], "", "%a")
