"""linalg.generic against plain numpy: maps, reductions, contractions, gathers, indices."""
# numpy's types of array expressions are partly unknown to the checker:
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_harness import MLIR_NAMES, SharedView, compile_body, run_body, tensor_type
from xdsl.utils.exceptions import DiagnosticException

BF16 = np.dtype(ml_dtypes.bfloat16)
Array = np.ndarray[Any, Any]


def generic(
    maps: list[str],
    iterators: str,
    inputs: list[Array],
    inits: list[Array],
    region: str,
    yields: str,
) -> list[Array]:
    """A generic op on %in0 … with initial outputs also loaded; maps as `(d0) -> (d0)`."""
    count, arrays = len(inputs), [*inputs, *inits]
    kinds = {"p": "#linalg.iterator_type<parallel>", "r": "#linalg.iterator_type<reduction>"}
    types = [tensor_type(array) for array in arrays]
    scalars = [MLIR_NAMES[array.dtype.name] for array in arrays]
    names = [*"abcdef"[:count], *(f"o{at}" for at in range(len(inits)))]
    arguments = ", ".join(f"%{n}: {s}" for n, s in zip(names, scalars, strict=True))
    name = "%out0" if len(inits) == 1 else f"%g:{len(inits)}"
    text = f"""
    {name} = "linalg.generic"({", ".join(f"%in{at}" for at in range(len(arrays)))}) <{{
        indexing_maps = [{", ".join(f"affine_map<{text}>" for text in maps)}],
        iterator_types = [{", ".join(kinds[letter] for letter in iterators)}],
        operandSegmentSizes = array<i32: {count}, {len(inits)}>}}> ({{
    ^bb0({arguments}):
      {region}
      linalg.yield {yields} : {", ".join(scalars[count:])}
    }}) : ({", ".join(types)}) -> ({", ".join(types[count:])})"""
    if len(inits) > 1:
        for at, type_ in enumerate(types[count:]):
            text += f"\n%out{at} = tensor.cast %g#{at} : {type_} to {type_}"
    return run_body(text, arrays, inits)


def random(shape: tuple[int, ...], dtype: Any = np.float32, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        return rng.integers(-100, 100, shape).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


# Maps of parallel loops.


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


# Reductions.


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


# Contractions.


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


# Large spaces are evaluated in blocks.


@pytest.mark.parametrize("shape", [(1 << 19,), (3, 1 << 18), (1 << 10, 1 << 10), (1 << 18, 3)])
def test_blocks_make_no_difference(shape: Any) -> None:
    a, b = random(shape), random(shape[-1:], seed=1)
    loops = ", ".join(f"d{at}" for at in range(len(shape)))
    region = """
      %x = arith.addf %a, %b : f32
      %y = arith.mulf %x, %x : f32
      %z = arith.subf %y, %a : f32
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %k = arith.sitofp %j : i32 to f32
      %s = arith.addf %z, %k : f32"""
    maps = [
        f"({loops}) -> ({loops})",
        f"({loops}) -> (d{len(shape) - 1})",
        f"({loops}) -> ({loops})",
    ]
    got = generic(maps, "p" * len(shape), [a, b], [a], region, "%s")[0]
    rows = np.arange(shape[0], dtype=np.float32).reshape(-1, *(1,) * (len(shape) - 1))
    np.testing.assert_array_equal(got, (a + b) ** 2 - a + rows)


@pytest.mark.parametrize(("out_map", "iterators", "axis"), [
    ("(d0, d1) -> (d0)", "pr", 1), ("(d0, d1) -> (d1)", "rp", 0), ("(d0, d1) -> ()", "rr", None),
])  # fmt: skip
def test_reductions_in_blocks(out_map: str, iterators: str, axis: Any) -> None:
    a = random((1 << 9, 1 << 10), np.float64)
    want = (a * a + a).sum(axis)
    region = """
      %q = arith.mulf %a, %a : f64
      %p = arith.addf %q, %a : f64
      %s = arith.addf %o0, %p : f64"""
    init = np.zeros(np.shape(want))
    got = generic(["(d0, d1) -> (d0, d1)", out_map], iterators, [a], [init], region, "%s")[0]
    np.testing.assert_allclose(got, want, rtol=1e-10)


def test_long_sum_in_f16_is_in_order_through_blocks() -> None:
    a = np.ones(1 << 19, np.float16)
    region = """
      %q = arith.mulf %a, %a : f16
      %t = arith.addf %q, %q : f16
      %s = arith.addf %o0, %t : f16"""
    init = np.zeros((), np.float16)
    got = generic(["(d0) -> (d0)", "(d0) -> ()"], "r", [a], [init], region, "%s")[0]
    assert got == 4096


# What is refused.


def test_output_map_that_is_no_permutation_is_refused() -> None:
    a, init = random((3,)), np.zeros((3, 3), np.float32)
    with pytest.raises(DiagnosticException, match="permutes the parallel loops"):
        generic(["(d0) -> (d0)", "(d0) -> (d0, d0)"], "p", [a], [init], "", "%a")


def overlapping(shift: int, op: str) -> Array:
    """A large elementwise op whose output binding lies `shift` floats after its input."""
    count = 1 << 17
    memory = random((count + shift,))
    a, before = memory[:count], memory.copy()
    kernel = compile_body(
        f"""
    %e = tensor.empty() : tensor<{count}xf32>
    %out0 = linalg.generic {{indexing_maps = [affine_map<(d0) -> ({op})>,
        affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
        ins(%in0 : tensor<{count}xf32>) outs(%e : tensor<{count}xf32>) {{
    ^bb0(%a: f32, %o: f32):
      %r = arith.addf %a, %a : f32
      linalg.yield %r : f32
    }} -> tensor<{count}xf32>""",
        [a],
        [a],
    )
    views = [SharedView(memory[start:][:count].view(np.uint8)) for start in (0, shift)]
    kernel.run(views, ())
    got, want = memory[shift:], before[:count] * 2
    np.testing.assert_array_equal(got, want[::-1] if op != "d0" else want)
    return got


@pytest.mark.parametrize("shift", [0, 1, 1000, 1 << 17])
@pytest.mark.parametrize("op", ["d0", f"-d0 + {(1 << 17) - 1}"])
def test_result_in_place_of_what_is_read(shift: int, op: str) -> None:
    """In place, and overlapping in part: an op is done as if all was read before it writes."""
    overlapping(shift, op)


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
