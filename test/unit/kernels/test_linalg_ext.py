"""Ops of iree_linalg_ext, and packing, against plain numpy."""

# numpy's types of array expressions are partly unknown to the checker:
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_harness import MLIR_NAMES, run_body, tensor_type
from xdsl.utils.exceptions import DiagnosticException
from zcir.runtime.kernels.ordering import exchanges

Array = np.ndarray[Any, Any]


def random(shape: Sequence[int], dtype: Any = np.float32, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "i":
        return rng.integers(-9, 9, shape).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


def extended(
    op: str,
    inputs: Sequence[Array],
    inits: Sequence[Array],
    properties: str,
    region: str | None = None,
) -> list[Array]:
    """`iree_linalg_ext.op` in generic syntax, with a region in text `(arguments) ops`."""
    arrays = [*inputs, *inits]
    operands = ", ".join(f"%in{at}" for at in range(len(arrays)))
    types = ", ".join(tensor_type(array) for array in arrays)
    results = ", ".join(tensor_type(array) for array in inits)
    blocks = "" if region is None else f"({{\n{region}\n}})"
    name = op if "." in op else f"iree_linalg_ext.{op}"
    text = f"""%g:{len(inits)} = "{name}"({operands}) <{{{properties}}}> {blocks}
        : ({types}) -> ({results})"""
    for at, init in enumerate(inits):
        text += f"\n%out{at} = tensor.cast %g#{at} : {tensor_type(init)} to {tensor_type(init)}"
    return run_body(text, arrays, inits)


def compare(kinds: Sequence[str], ops: str, yielded: str = "%c") -> str:
    """A comparator region: %a0, %b0 of the first array, and so on."""
    arguments = ", ".join(f"%a{at}: {kind}, %b{at}: {kind}" for at, kind in enumerate(kinds))
    return f'^bb0({arguments}):\n{ops}\n"iree_linalg_ext.yield"({yielded}) : (i1) -> ()'


BF16 = np.dtype(ml_dtypes.bfloat16)


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float16, BF16, np.float32])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("predicate", ["lt", "gt"])
def test_sort(dtype: Any, axis: int, predicate: str) -> None:
    a, payload = random((7, 9), dtype), np.arange(63, dtype=np.int32).reshape(7, 9)
    kind = MLIR_NAMES[a.dtype.name]
    cmp = f"cmpi s{predicate}" if a.dtype.kind == "i" else f"cmpf o{predicate}"
    region = compare([kind, "i32"], f"%c = arith.{cmp}, %a0, %b0 : {kind}")
    properties = f"dimension = {axis} : i64, operandSegmentSizes = array<i32: 0, 2>"
    keys, carried = extended("sort", [], [a, payload], properties, region)
    sign = 1 if predicate == "lt" else -1
    order = np.argsort(sign * a.astype(np.float64), axis=axis, kind="stable")
    np.testing.assert_array_equal(keys, np.take_along_axis(a, order, axis))
    np.testing.assert_array_equal(carried, np.take_along_axis(payload, order, axis))


@pytest.mark.parametrize(
    ("ops", "key"),
    [
        ("%c = arith.cmpi ult, %a0, %b0 : i8", lambda x: x & 255),
        ("%c = arith.cmpi slt, %b0, %a0 : i8", lambda x: -x),
        ("%c = arith.cmpi sle, %a0, %b0 : i8", lambda x: x),
        ("%x = math.absi %a0 : i8\n%y = math.absi %b0 : i8\n%c = arith.cmpi slt, %x, %y : i8", abs),
    ],
)
@pytest.mark.parametrize("count", [1, 2, 5, 16, 37])
def test_sort_by_any_comparator(ops: str, key: Any, count: int) -> None:
    """Unsigned, exchanged, not strict; computed keys go through a network. All are stable."""
    a, payload = random((count,), np.int8), np.arange(count, dtype=np.int32)
    properties = "dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 2>"
    keys, carried = extended("sort", [], [a, payload], properties, compare(["i8", "i32"], ops))
    order = sorted(range(count), key=lambda at: key(int(a[at])))
    np.testing.assert_array_equal(carried, order)
    np.testing.assert_array_equal(keys, a[order])


@given(st.integers(0, 5), st.randoms(use_true_random=False))
def test_sorting_network_sorts(log: int, source: Any) -> None:
    values = [source.randrange(2) for _ in range(1 << log)]
    for first, second in exchanges(1 << log):
        assert len({*first.tolist(), *second.tolist()}) == 2 * len(first)
        for i, j in zip(first.tolist(), second.tolist(), strict=True):
            if values[j] < values[i]:
                values[i], values[j] = values[j], values[i]
    assert values == sorted(values)


def test_sort_of_two_keys() -> None:
    """By the first, then the second: lexicographic order through a network."""
    a, b = random((20,), np.int32) // 4, random((20,), np.int32, 1)
    ops = """
      %l = arith.cmpi slt, %a0, %b0 : i32
      %e = arith.cmpi eq, %a0, %b0 : i32
      %m = arith.cmpi slt, %a1, %b1 : i32
      %t = arith.andi %e, %m : i1
      %c = arith.ori %l, %t : i1"""
    properties = "dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 2>"
    got = extended("sort", [], [a, b], properties, compare(["i32", "i32"], ops))
    pairs = sorted(zip(a.tolist(), b.tolist(), strict=True))
    assert list(zip(*(array.tolist() for array in got), strict=True)) == pairs


@pytest.mark.parametrize("given_indices", [False, True])
def test_topk(given_indices: bool) -> None:
    a = random((3, 20))
    inputs = [a, *([np.arange(60, 0, -1, dtype=np.int32).reshape(3, 20)] if given_indices else [])]
    inits = [np.full((3, 4), -np.inf, np.float32), np.zeros((3, 4), np.int32)]
    region = compare(["f32"], "%c = arith.cmpf ogt, %a0, %b0 : f32")
    values, indices = extended("topk", inputs, inits, "dimension = 1 : i64", region)
    order = np.argsort(-a, axis=1, kind="stable")[:, :4]
    np.testing.assert_array_equal(values, np.take_along_axis(a, order, 1))
    want = np.take_along_axis(inputs[1], order, 1) if given_indices else order
    np.testing.assert_array_equal(indices, want)


def test_topk_v2() -> None:
    a = random((20, 3))
    inits = [np.zeros((4, 3), np.float32), np.zeros((4, 3), np.int64)]
    region = compare(["f32"], "%c = arith.cmpf olt, %a0, %b0 : f32")
    properties = "dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1>"
    values, indices = extended("topk_v2", [a], inits, properties, region)
    order = np.argsort(a, axis=0, kind="stable")[:4]
    np.testing.assert_array_equal(values, np.take_along_axis(a, order, 0))
    np.testing.assert_array_equal(indices, order)


@pytest.mark.parametrize("count", [1, 2, 17, 64])
def test_arg_compare(count: int) -> None:
    a = np.round(random((5, count)) * 2)
    inits = [np.full(5, -np.inf, np.float32), np.zeros(5, np.int32)]
    region = compare(["f32"], "%c = arith.cmpf ogt, %a0, %b0 : f32")
    properties = "dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>"
    values, indices = extended("arg_compare", [a], inits, properties, region)
    np.testing.assert_array_equal(values, a.max(1))
    np.testing.assert_array_equal(indices, a.argmax(1))


def sequential_scan(function: Any, values: Array, start: Array | None) -> Array:
    """Along the first axis: inclusive without `start`, else exclusive from it."""
    result = [values[0] if start is None else start]
    for at in range(1, len(values)):
        result.append(function(result[-1], values[at if start is None else at - 1]))
    return np.array(result)


SCANS: dict[str, tuple[str, Any]] = {
    "sum": ("%r = arith.addi %a, %b : i32", lambda a, b: a + b),
    "product": ("%r = arith.muli %b, %a : i32", lambda a, b: a * b),
    "greatest": ("%r = arith.maxsi %a, %b : i32", max),
    "mixed": ("%p = arith.muli %a, %a : i32\n%r = arith.subi %p, %b : i32", lambda a, b: a * a - b),
}


@pytest.mark.parametrize("inclusive", [True, False])
@pytest.mark.parametrize("case", SCANS)
@pytest.mark.parametrize("count", [1, 6])
def test_scan(case: str, inclusive: bool, count: int) -> None:
    a, accumulator = random((4, count), np.int32), random((4,), np.int32, 1)
    ops, function = SCANS[case]
    region = f'^bb0(%a: i32, %b: i32):\n{ops}\n"iree_linalg_ext.yield"(%r) : (i32) -> ()'
    properties = f"dimension = 1 : i64, inclusive = {str(inclusive).lower()}"
    got, last = extended("scan", [a], [np.zeros_like(a), accumulator], properties, region)

    def wrapped(x: Any, y: Any) -> Array:
        return np.array(function(int(x), int(y))).astype(np.int32)

    starts = [None if inclusive else start for start in accumulator]
    rows = zip(a, starts, strict=True)
    want = np.array([sequential_scan(wrapped, row, start) for row, start in rows])
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(last, want[:, -1] if count > 1 else accumulator)


SCATTERS: dict[str, tuple[str, Any]] = {
    "sum": ("%r = arith.addf %b, %a : f32", lambda new, old: new + old),
    "overwrite": ("%r = arith.negf %a : f32", lambda new, old: -new),
    "update": ("", lambda new, old: new),
    "least": ("%r = arith.minimumf %a, %b : f32", min),
    "mixed": ("%p = arith.mulf %b, %b : f32\n%r = arith.subf %a, %p : f32",
              lambda new, old: new - old * old),
}  # fmt: skip


@pytest.mark.parametrize("case", SCATTERS)
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("flat", [False, True])
def test_scatter(case: str, masked: bool, flat: bool) -> None:
    """Repeated indices are met in order."""
    ops, function = SCATTERS[case]
    original, updates = random((6, 3)), random((5, 3), seed=1)
    indices = np.array([4, 0, 4, 2, 4], np.int32)
    mask = np.array([1, 1, 0, 1, 1], bool)
    inputs = [updates, indices if flat else indices[:, None], *([mask] if masked else [])]
    yielded = "%r" if ops else "%a"
    region = f'^bb0(%a: f32, %b: f32):\n{ops}\n"iree_linalg_ext.yield"({yielded}) : (f32) -> ()'
    properties = "dimension_map = array<i64: 0>, unique_indices = false"
    got = extended("scatter", inputs, [original], properties, region)[0]
    want = original.copy()
    for at, index in enumerate(indices):
        if mask[at] or not masked:
            for column in range(3):
                want[index, column] = function(updates[at, column], want[index, column])
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dimension_map", [[0, 1], [1, 0]])
def test_scatter_and_gather_of_elements(dimension_map: list[int]) -> None:
    original, updates = random((4, 5)), random((2, 3), seed=1)
    indices = np.array([[[0, 1], [2, 3], [3, 0]], [[1, 1], [0, 0], [2, 2]]], np.int64)
    region = '^bb0(%a: f32, %b: f32):\n"iree_linalg_ext.yield"(%a) : (f32) -> ()'
    properties = f"dimension_map = array<i64: {dimension_map[0]}, {dimension_map[1]}>"
    got = extended("scatter", [updates, indices], [original], properties, region)[0]
    where = [indices[..., dimension_map.index(axis)] for axis in (0, 1)]
    want = original.copy()
    want[where[0], where[1]] = updates
    np.testing.assert_array_equal(got, want)
    found = extended("gather", [got, indices], [np.zeros_like(updates)], properties)[0]
    np.testing.assert_array_equal(found, updates)


@pytest.mark.parametrize("masked", [False, True])
def test_gather_of_rows(masked: bool) -> None:
    source, old = random((6, 3)), random((4, 3), seed=1)
    indices, mask = np.array([5, 0, 99 if masked else 1, 5], np.int64), np.array([1, 1, 0, 1], bool)
    inputs = [source, indices, *([mask] if masked else [])]
    got = extended("gather", inputs, [old], "dimension_map = array<i64: 0>")[0]
    want = source[np.minimum(indices, 5)]
    np.testing.assert_array_equal(got, np.where(mask[:, None], want, old) if masked else want)


def test_gather_out_of_bounds_is_refused() -> None:
    inputs = [random((6, 3)), np.array([6], np.int64)]
    with pytest.raises(DiagnosticException, match="index 6 leaves dimension 0 of 6"):
        extended("gather", inputs, [np.zeros((1, 3), np.float32)], "dimension_map = array<i64: 0>")


def test_dimension_map_of_other_dimensions_is_refused() -> None:
    inputs = [random((6, 3)), np.array([0], np.int64)]
    with pytest.raises(DiagnosticException, match=r"permutes the first dimensions, got \[1\]"):
        extended("gather", inputs, [np.zeros((1, 3), np.float32)], "dimension_map = array<i64: 1>")


@pytest.mark.parametrize("with_factors", [False, True])
def test_fft_stages(with_factors: bool) -> None:
    """All stages on a bit-reversed signal make its Fourier transform."""
    rng = np.random.default_rng(0)
    signal = rng.standard_normal((3, 8)) + 1j * rng.standard_normal((3, 8))
    state = signal[:, [0, 4, 2, 6, 1, 5, 3, 7]].astype(np.complex64)
    for stage in (1, 2, 3):
        half = 1 << stage >> 1
        turn = np.exp(-1j * np.pi * np.arange(half) / half)
        factors = [np.real(turn).astype(np.float32), np.imag(turn).astype(np.float32)]
        arrays = [*(factors if with_factors else []), np.real(state).copy(), np.imag(state).copy()]
        names = ", ".join(f"%in{at}" for at in range(len(arrays)))
        types = ", ".join(tensor_type(array) for array in arrays)
        result = tensor_type(arrays[-1])
        count = int(with_factors)
        segments = f"operandSegmentSizes = array<i32: 1, {count}, {count}, 1, 1>"
        text = f"""
    %s = arith.constant {stage} : index
    %g:2 = "iree_linalg_ext.fft"(%s, {names}) <{{{segments}}}>
        : (index, {types}) -> ({result}, {result})
    %out0 = tensor.cast %g#0 : {result} to {result}
    %out1 = tensor.cast %g#1 : {result} to {result}"""
        real, imaginary = run_body(text, arrays, arrays[-2:])
        state = (real + 1j * imaginary).astype(np.complex64)
    np.testing.assert_allclose(state, np.fft.fft(signal), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("mask_kind", [None, "float", "bool"])
def test_attention(dtype: Any, mask_kind: str | None) -> None:
    q, k, v = random((2, 4, 8), dtype), random((2, 6, 8), dtype, 1), random((2, 6, 5), dtype, 2)
    kind = MLIR_NAMES[q.dtype.name]
    masks: list[Array] = []
    if mask_kind == "float":
        masks = [random((2, 4, 6), dtype, 3)]
    elif mask_kind == "bool":
        masks = [random((2, 4, 6), dtype, 3) > -0.5]
    out = np.zeros((2, 4, 5), dtype)
    letters = ["b, m, k", "b, l, k", "b, l, n", "", *["b, m, l"] * len(masks), "b, m, n"]
    maps = ", ".join(f"affine_map<(b, m, n, k, l) -> ({text})>" for text in letters)
    arrays = [q, k, v, *masks, out]
    names = [f"%in{at}" for at in range(len(arrays))]
    types = [tensor_type(array) for array in arrays]
    names.insert(3, "%scale")
    types.insert(3, kind)
    text = f"""
    %scale = arith.constant 0.25 : {kind}
    %out0 = "iree_linalg_ext.attention"({", ".join(names)}) <{{indexing_maps = [{maps}],
        operandSegmentSizes = array<i32: 1, 1, 1, 1, {len(masks)}, 1>}}> ({{
    ^bb0(%x: f32):
      "iree_linalg_ext.yield"(%x) : (f32) -> ()
    }}) : ({", ".join(types)}) -> {types[-1]}"""
    got = run_body(text, arrays, [out])[0]
    scores = np.einsum("bmk,blk->bml", q.astype(float), k.astype(float)) * 0.25
    if mask_kind == "float":
        scores = scores + masks[0].astype(float)
    elif mask_kind == "bool":
        scores = np.where(masks[0], scores, -np.inf)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    want = np.einsum("bml,bln->bmn", powers / powers.sum(-1, keepdims=True), v.astype(float))
    tolerance = 5e-3 if dtype == np.float16 else 1e-5
    np.testing.assert_allclose(got.astype(float), want, rtol=tolerance, atol=tolerance)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=3).flatmap(
        lambda shape: st.tuples(
            st.just(shape),
            st.permutations(range(len(shape))),
            st.lists(st.sampled_from(range(len(shape))), unique=True),
            st.lists(st.integers(1, 4), min_size=3, max_size=3),
        )
    )
)
def test_pack_and_unpack(case: Any) -> None:
    shape, outer, inner, tiles = case
    a = random(shape)
    size = dict(zip(inner, tiles, strict=False))
    counts = [-(-extent // size.get(dim, 1)) for dim, extent in enumerate(shape)]
    packed = np.zeros([*(counts[dim] for dim in outer), *(size[dim] for dim in inner)], np.float32)
    attributes = (
        f"outer_dims_perm = array<i64: {', '.join(map(str, outer))}>, "
        f"inner_dims_pos = array<i64{': ' if inner else ''}{', '.join(map(str, inner))}>, "
        f"static_inner_tiles = array<i64{': ' if inner else ''}"
        f"{', '.join(str(size[dim]) for dim in inner)}>"
    )
    text = f"""
    %p = arith.constant 7.0 : f32
    %out0 = "linalg.pack"(%in0, %in1, %p) <{{operandSegmentSizes = array<i32: 1, 1, 1, 0>,
        {attributes}}}> : ({tensor_type(a)}, {tensor_type(packed)}, f32) -> {tensor_type(packed)}
    %out1 = "linalg.unpack"(%out0, %in0) <{{operandSegmentSizes = array<i32: 1, 1, 0>,
        {attributes}}}> : ({tensor_type(packed)}, {tensor_type(a)}) -> {tensor_type(a)}"""
    got, back = run_body(text, [a, packed], [packed, a])
    np.testing.assert_array_equal(back, a)
    for place in np.ndindex(*packed.shape):
        at = [0] * len(shape)
        for dim, count in zip(outer, place, strict=False):
            at[dim] = count * size.get(dim, 1)
        for dim, offset in zip(inner, place[len(shape) :], strict=True):
            at[dim] += offset
        inside = all(x < extent for x, extent in zip(at, shape, strict=True))
        assert got[place] == (a[tuple(at)] if inside else 7)
