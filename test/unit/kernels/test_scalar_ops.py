"""Each scalar op and type against plain numpy: wrapping, signs, rounding, NaN."""
# numpy's types of array expressions are partly unknown to the checker:
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from kernel_harness import MLIR_NAMES, elementwise
from xdsl.utils.exceptions import DiagnosticException

BF16 = np.dtype(ml_dtypes.bfloat16)
INTEGERS = [np.int8, np.int16, np.int32, np.int64]
FLOATS = [np.float16, BF16, np.float32, np.float64]

Array = np.ndarray[Any, Any]


def integers(dtype: Any) -> tuple[Array, Array]:
    """Pairs of integers, extremes among them; the second is never 0."""
    info = np.iinfo(dtype)
    edge = [info.min, info.min + 1, -7, -3, -1, 1, 2, 3, 5, info.max - 1, info.max]
    a, b = np.meshgrid(np.array([*edge, 0], dtype), np.array(edge, dtype))
    return a.reshape(-1), b.reshape(-1)


def exactly(function: Any, a: Array, b: Array) -> Array:
    """`function` on Python's unbounded integers, wrapped to the arrays' type."""
    bits = a.dtype.itemsize * 8
    values = [function(int(x), int(y)) & ((1 << bits) - 1) for x, y in zip(a, b, strict=True)]
    return np.array(values, np.uint64).astype(a.dtype)


def unsigned(value: int, bits: int) -> int:
    return value & ((1 << bits) - 1)


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


SIGNED: dict[str, Any] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "maxsi": max,
    "minsi": min,
    "divsi": truncated,
    "remsi": lambda a, b: a - truncated(a, b) * b,
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
}
UNSIGNED: dict[str, Any] = {
    "maxui": max,
    "minui": min,
    "divui": lambda a, b: a // b,
    "remui": lambda a, b: a % b,
    "ceildivui": lambda a, b: -(-a // b),
}


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("op", [*SIGNED, *UNSIGNED])
def test_integer_ops_wrap(op: str, dtype: Any) -> None:
    a, b = integers(dtype)
    bits, kind = a.dtype.itemsize * 8, MLIR_NAMES[a.dtype.name]
    got = elementwise(f"%r = arith.{op} %a, %b : {kind}", [a, b], a)
    if op in SIGNED:
        want = exactly(SIGNED[op], a, b)
    else:
        want = exactly(lambda x, y: UNSIGNED[op](unsigned(x, bits), unsigned(y, bits)), a, b)
    defined = ~((a == np.iinfo(dtype).min) & (b == -1)) if "div" in op or "rem" in op else ...
    np.testing.assert_array_equal(got[defined], want[defined])


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("op", ["shli", "shrsi", "shrui"])
def test_shifts(op: str, dtype: Any) -> None:
    bits, kind = np.dtype(dtype).itemsize * 8, MLIR_NAMES[np.dtype(dtype).name]
    a, _ = integers(dtype)
    b = (np.arange(a.size) % bits).astype(dtype)
    shift = {
        "shli": lambda x, y: x << y,
        "shrsi": lambda x, y: x >> y,
        "shrui": lambda x, y: unsigned(x, bits) >> y,
    }[op]
    got = elementwise(f"%r = arith.{op} %a, %b : {kind}", [a, b], a)
    np.testing.assert_array_equal(got, exactly(shift, a, b))


PREDICATES: dict[str, Any] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize(
    "predicate", ["eq", "ne"] + [s + p for p in list(PREDICATES)[2:] for s in "su"]
)
def test_integer_comparisons(predicate: str, dtype: Any) -> None:
    a, b = integers(dtype)
    kind = MLIR_NAMES[a.dtype.name]
    got = elementwise(f"%r = arith.cmpi {predicate}, %a, %b : {kind}", [a, b], a != b)
    if predicate.startswith("u"):
        twin = np.dtype(f"u{a.dtype.itemsize}")
        a, b = a.view(twin), b.view(twin)
    np.testing.assert_array_equal(got, PREDICATES[predicate[-2:]](a, b))


@pytest.mark.parametrize(
    ("op", "want"),
    [
        ("addi", [0, 1, 1, 0]),
        ("subi", [0, 1, 1, 0]),
        ("muli", [0, 0, 0, 1]),
        ("andi", [0, 0, 0, 1]),
        ("ori", [0, 1, 1, 1]),
        ("xori", [0, 1, 1, 0]),
        ("maxsi", [0, 0, 0, 1]),
        ("minsi", [0, 1, 1, 1]),
        ("maxui", [0, 1, 1, 1]),
        ("minui", [0, 0, 0, 1]),
        ("cmpi slt,", [0, 0, 1, 0]),
        ("cmpi ult,", [0, 1, 0, 0]),
        ("cmpi sge,", [1, 1, 0, 1]),
    ],
)
def test_i1_is_a_number_of_one_bit(op: str, want: list[int]) -> None:
    a, b = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
    got = elementwise(f"%r = arith.{op} %a, %b : i1", [a, b], a)
    np.testing.assert_array_equal(got, np.array(want, bool))


def test_odd_widths_wrap_within_a_body() -> None:
    a = np.arange(-128, 128, dtype=np.int8)
    ops = """
      %t = arith.trunci %a : i8 to i4
      %s = arith.addi %t, %t : i4
      %u = arith.shrui %s, %one : i4
      %r = arith.extsi %u : i4 to i8
    """
    got = elementwise("%one = arith.constant 1 : i4\n" + ops, [a], a)
    want = [(((x & 15) * 2 & 15) >> 1) for x in range(-128, 128)]
    np.testing.assert_array_equal(got, np.array(want, np.int8))


def test_odd_widths_compare_and_extend() -> None:
    a = np.arange(-8, 8, dtype=np.int8)
    ops = """
      %t = arith.trunci %a : i8 to i3
      %u = arith.extui %t : i3 to i8
      %s = arith.extsi %t : i3 to i8
      %c = arith.cmpi ugt, %t, %three : i3
      %r = arith.select %c, %u, %s : i8
    """
    got = elementwise("%three = arith.constant 3 : i3\n" + ops, [a], a)
    want = [x & 7 for x in range(-8, 8)]
    np.testing.assert_array_equal(got, np.array(want, np.int8))


@pytest.mark.parametrize(
    ("source", "target", "op"),
    [
        (np.int8, np.int32, "extsi"),
        (np.int8, np.int32, "extui"),
        (bool, np.int8, "extsi"),
        (bool, np.int8, "extui"),
        (np.int64, np.int8, "trunci"),
        (np.int32, bool, "trunci"),
    ],
)
def test_integer_conversions(source: Any, target: Any, op: str) -> None:
    a = np.arange(-200, 200).astype(source) if source is not bool else np.array([True, False])
    out = np.empty(a.shape, target)
    names = MLIR_NAMES[a.dtype.name], MLIR_NAMES[out.dtype.name]
    got = elementwise(f"%r = arith.{op} %a : {names[0]} to {names[1]}", [a], out)
    if op == "extsi":
        want = -a.astype(target) if source is bool else a.astype(target)
    elif op == "extui":
        want = a.astype(target) if source is bool else a.view(np.uint8).astype(target)
    else:
        want = (a & 1).astype(bool) if target is bool else a.astype(target)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", FLOATS)
def test_float_conversions_truncate_and_keep_signs(dtype: Any) -> None:
    a = np.array([-2.75, -0.5, 0.5, 1.5, 100.0], dtype)
    kind = MLIR_NAMES[a.dtype.name]
    integer = np.empty(a.shape, np.int32)
    got = elementwise(f"%r = arith.fptosi %a : {kind} to i32", [a], integer)
    np.testing.assert_array_equal(got, [-2, 0, 0, 1, 100])
    got = elementwise(f"%r = arith.fptoui %a : {kind} to i32", [np.abs(a)], integer)
    np.testing.assert_array_equal(got, [2, 0, 0, 1, 100])
    numbers = np.array([-1, 0, 7, 120], np.int8)
    got = elementwise(f"%r = arith.sitofp %a : i8 to {kind}", [numbers], np.empty(4, dtype))
    np.testing.assert_array_equal(got.astype(float), [-1, 0, 7, 120])
    got = elementwise(f"%r = arith.uitofp %a : i8 to {kind}", [numbers], np.empty(4, dtype))
    np.testing.assert_array_equal(
        got.astype(float), np.array([255, 0, 7, 120], dtype).astype(float)
    )


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("target", INTEGERS)
def test_floats_out_of_range_become_the_nearest_in_range(dtype: Any, target: Any) -> None:
    """Undefined in MLIR; the same as in the reference, and on every machine."""
    a = np.array([np.nan, np.inf, -np.inf, -0.9, 126.5, -129.0, 60000.0, -60000.0], dtype)
    kind, integer = MLIR_NAMES[a.dtype.name], np.empty(a.shape, target)
    name = f"i{integer.itemsize * 8}"
    for op, info in (("fptosi", np.iinfo(target)), ("fptoui", np.iinfo(f"u{integer.itemsize}"))):
        got = elementwise(f"%r = arith.{op} %a : {kind} to {name}", [a], integer)
        low, high = int(info.min), int(info.max)
        exact = [float(value) for value in a]
        want = [0, high, low, *(max(low, min(high, int(value))) for value in exact[3:])]
        assert got.view(info.dtype).tolist() == want


def test_unsigned_floats_beyond_the_signed_range() -> None:
    a = np.array([3e9, 4294967040.0], np.float32)
    got = elementwise("%r = arith.fptoui %a : f32 to i32", [a], np.empty(2, np.int32))
    np.testing.assert_array_equal(got.view(np.uint32), a.astype(np.uint32))


@pytest.mark.parametrize("dtype", [np.float16, BF16])
def test_narrow_floats_round_after_each_op(dtype: Any) -> None:
    """(a + b) - a is not b: each addition rounds to the type."""
    rng = np.random.default_rng(1)
    a, b = ((rng.standard_normal(500) * 50).astype(dtype) for _ in range(2))
    kind = MLIR_NAMES[a.dtype.name]
    ops = f"""
      %s = arith.addf %a, %b : {kind}
      %t = arith.subf %s, %a : {kind}
      %m = arith.mulf %t, %b : {kind}
      %r = arith.divf %m, %a : {kind}
    """
    got = elementwise(ops, [a, b], a)

    def rounded(values: Array) -> Array:
        return values.astype(dtype).astype(np.float64)

    x, y = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(over="ignore"):
        want = rounded(rounded(rounded(rounded(x + y) - x) * y) / x)
    np.testing.assert_array_equal(got.astype(np.float64), want)


@pytest.mark.parametrize("dtype", FLOATS)
def test_maxima_and_nan(dtype: Any) -> None:
    a = np.array([np.nan, 1, np.nan, -1], dtype)
    b = np.array([1, np.nan, np.nan, 2], dtype)
    kind = MLIR_NAMES[a.dtype.name]
    for op, function in {
        "maximumf": np.maximum,
        "minimumf": np.minimum,
        "maxnumf": np.fmax,
        "minnumf": np.fmin,
    }.items():
        got = elementwise(f"%r = arith.{op} %a, %b : {kind}", [a, b], a)
        want = function(a.astype(float), b.astype(float))
        np.testing.assert_array_equal(got.astype(float), want)


ORDERED: dict[str, Any] = {
    "false": lambda a, b: False,
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "one": lambda a, b: a < b or a > b,
    "ord": lambda a, b: not (math.isnan(a) or math.isnan(b)),
}
UNORDERED = {
    "ueq": "one",
    "ugt": "ole",
    "uge": "olt",
    "ult": "oge",
    "ule": "ogt",
    "une": "oeq",
    "uno": "ord",
    "true": "false",
}


@pytest.mark.parametrize("predicate", [*ORDERED, *UNORDERED])
def test_float_comparisons(predicate: str) -> None:
    values = np.array([-1, 0, 1, np.nan, np.inf], np.float32)
    a, b = (side.reshape(-1) for side in np.meshgrid(values, values))
    got = elementwise(f"%r = arith.cmpf {predicate}, %a, %b : f32", [a, b], np.empty(a.shape, bool))
    pairs = [(float(x), float(y)) for x, y in zip(a, b, strict=True)]
    if predicate in ORDERED:
        want = [ORDERED[predicate](x, y) for x, y in pairs]
    else:
        want = [not ORDERED[UNORDERED[predicate]](x, y) for x, y in pairs]
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_bit_counts(dtype: Any) -> None:
    a, _ = integers(dtype)
    bits, kind = a.dtype.itemsize * 8, MLIR_NAMES[a.dtype.name]
    texts = [f"{unsigned(int(x), bits):0{bits}b}" for x in a]
    wants = {
        "ctpop": [text.count("1") for text in texts],
        "ctlz": [len(text) - len(text.lstrip("0")) for text in texts],
        "cttz": [len(text) - len(text.rstrip("0")) for text in texts],
    }
    for op, want in wants.items():
        got = elementwise(f"%r = math.{op} %a : {kind}", [a], a)
        np.testing.assert_array_equal(got, want)


def test_integer_powers() -> None:
    a = np.array([2, -2, -1, -1, 1, 3, 5], np.int32)
    b = np.array([31, 31, -3, -2, -9, -1, 20], np.int32)
    got = elementwise("%r = math.ipowi %a, %b : i32", [a, b], a)
    want = [-(2**31), -(2**31), -1, 1, 1, 0, 5**20]
    np.testing.assert_array_equal(
        got, np.array([x & 0xFFFFFFFF for x in want], np.uint32).view(np.int32)
    )


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("sign", ["s", "u"])
def test_extended_products(sign: str, dtype: Any) -> None:
    a, b = integers(dtype)
    bits, kind = a.dtype.itemsize * 8, MLIR_NAMES[a.dtype.name]

    def product(x: int, y: int) -> int:
        return x * y if sign == "s" else unsigned(x, bits) * unsigned(y, bits)

    for result, shift in (("%low", 0), ("%high", bits)):
        ops = f"%low, %high = arith.mul{sign}i_extended %a, %b : {kind}"
        got = elementwise(ops, [a, b], a, result)
        np.testing.assert_array_equal(got, exactly(lambda x, y: product(x, y) >> shift, a, b))  # noqa: B023


def test_carry_of_an_addition() -> None:
    a, b = integers(np.int8)
    ops = "%s, %r = arith.addui_extended %a, %b : i8, i1"
    got = elementwise(ops, [a, b], a != b)
    np.testing.assert_array_equal(got, a.view(np.uint8).astype(int) + b.view(np.uint8) > 255)


def test_bitcast_keeps_bits() -> None:
    a = np.array([1.0, -0.0, np.nan], np.float32)
    got = elementwise("%r = arith.bitcast %a : f32 to i32", [a], np.empty(3, np.int32))
    np.testing.assert_array_equal(got, a.view(np.int32))


def test_bool_bytes_other_than_one_are_true() -> None:
    """Memory may hold any byte for i1; what is stored is 0 or 1."""
    a = np.array([0, 1, 255, 2], np.uint8).view(bool)
    got = elementwise("%r = arith.xori %a, %a : i1", [a], a)
    np.testing.assert_array_equal(got.view(np.uint8), [0, 0, 0, 0])
    got = elementwise("%r = arith.ori %a, %a : i1", [a], a)
    np.testing.assert_array_equal(got.view(np.uint8), [0, 1, 1, 1])


def test_unsupported_op_names_itself_and_its_place() -> None:
    a = np.zeros(3, np.float32)
    with pytest.raises(DiagnosticException, match=r"test.what' op is not supported") as caught:
        elementwise('%r = "test.what"(%a) : (f32) -> f32', [a], a)
    assert str(getattr(caught.value, "location", "")).startswith("body.mlir:")


def test_unsupported_type_names_itself() -> None:
    a = np.zeros(3, np.int64)
    ops = "%w = arith.extsi %a : i64 to i128\n%r = arith.trunci %w : i128 to i64"
    with pytest.raises(DiagnosticException, match="i128 is wider than 64 bits"):
        elementwise(ops, [a], a)


@pytest.mark.parametrize(
    ("op", "other"),
    [
        ("add", "addi"), ("sub", "subi"), ("mul", "muli"), ("divs", "divsi"), ("divu", "divui"),
        ("ceildivs", "ceildivsi"), ("ceildivu", "ceildivui"), ("floordivs", "floordivsi"),
        ("rems", "remsi"), ("remu", "remui"), ("maxs", "maxsi"), ("maxu", "maxui"),
        ("mins", "minsi"), ("minu", "minui"), ("and", "andi"), ("or", "ori"), ("xor", "xori"),
    ],
)  # fmt: skip
def test_index_ops_are_those_of_arith_on_indices(op: str, other: str) -> None:
    a, b = integers(np.int64)
    casts = "%i = index.casts %a : i64 to index\n%j = index.castu %b : i64 to index\n"
    ours = elementwise(
        f"{casts}%k = index.{op} %i, %j\n%r = index.castu %k : index to i64", [a, b], a
    )
    theirs = elementwise(f"%r = arith.{other} %a, %b : i64", [a, b], a)
    assert ours.tolist() == theirs.tolist()


def test_index_shifts_and_constants() -> None:
    a = np.array([-9, 5, 1 << 40], np.int64)
    text = """%i = index.casts %a : i64 to index
        %c = index.constant 3
        %x = index.shl %i, %c
        %y = index.shrs %x, %c
        %z = index.shru %y, %c
        %r = index.casts %z : index to i64"""
    want = (a.view(np.uint64) >> np.uint64(3)).view(np.int64)
    assert elementwise(text, [a], a).tolist() == want.tolist()
