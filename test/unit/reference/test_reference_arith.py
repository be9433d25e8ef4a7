"""arith and index ops of the reference, op by op, against integers and floats of Python."""

import math
import operator
import struct
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest
from reference_snippets import elementwise, evaluate, in_body
from zcir.runtime.element_types import Array

INTEGERS = (np.int8, np.int16, np.int32, np.int64)


def edges(dtype: type[np.signedinteger]) -> tuple[Array, Array]:
    """All pairs of numbers at the ends and around zero, and some between."""
    info = np.iinfo(dtype)
    random = np.random.default_rng(5).integers(info.min, info.max, 6, dtype, endpoint=True)
    ends = np.array([info.min, info.min + 1, -7, -2, -1, 0, 1, 2, 3, 7, info.max], dtype)
    numbers = np.concatenate([ends, random])
    left, right = np.meshgrid(numbers, numbers)
    return left.reshape(-1), right.reshape(-1)


def wrap(number: int, bits: int) -> int:
    return (number + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def truncated(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


SIGNED: dict[str, Callable[[int, int], int]] = {
    "addi": operator.add,
    "subi": operator.sub,
    "muli": operator.mul,
    "andi": operator.and_,
    "ori": operator.or_,
    "xori": operator.xor,
    "maxsi": max,
    "minsi": min,
    "divsi": truncated,
    "floordivsi": operator.floordiv,
    "ceildivsi": lambda a, b: -(-a // b),
    "remsi": lambda a, b: a - truncated(a, b) * b,
}
UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "divui": operator.floordiv,
    "remui": operator.mod,
    "ceildivui": lambda a, b: -(-a // b),
    "maxui": max,
    "minui": min,
}


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", [*SIGNED, *UNSIGNED])
def test_integers(name: str, dtype: type[np.signedinteger]) -> None:
    left, right = edges(dtype)
    if "div" in name or "rem" in name:
        left, right = left[right != 0], right[right != 0]
    bits = left.dtype.itemsize * 8
    mask = (1 << bits) - 1
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    if name in SIGNED:
        expected = [wrap(SIGNED[name](a, b), bits) for a, b in pairs]
    else:
        expected = [wrap(UNSIGNED[name](a & mask, b & mask), bits) for a, b in pairs]
    assert elementwise(f"arith.{name}", [left, right]).tolist() == expected


@pytest.mark.parametrize("dtype", INTEGERS)
def test_shifts(dtype: type[np.signedinteger]) -> None:
    left, _ = edges(dtype)
    bits = left.dtype.itemsize * 8
    amount = (np.arange(left.size) % bits).astype(dtype)
    mask = (1 << bits) - 1
    pairs = list(zip(left.tolist(), amount.tolist(), strict=True))
    assert elementwise("arith.shli", [left, amount]).tolist() == [
        wrap(a << n, bits) for a, n in pairs
    ]
    assert elementwise("arith.shrsi", [left, amount]).tolist() == [a >> n for a, n in pairs]
    assert elementwise("arith.shrui", [left, amount]).tolist() == [
        wrap((a & mask) >> n, bits) for a, n in pairs
    ]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize(
    ("predicate", "function"),
    [
        ("eq", operator.eq),
        ("ne", operator.ne),
        ("slt", operator.lt),
        ("sle", operator.le),
        ("sgt", operator.gt),
        ("sge", operator.ge),
        ("ult", operator.lt),
        ("ule", operator.le),
        ("ugt", operator.gt),
        ("uge", operator.ge),
    ],
)
def test_integer_comparison(
    predicate: str, function: Callable[[int, int], bool], dtype: type[np.signedinteger]
) -> None:
    left, right = edges(dtype)
    mask = (1 << (left.dtype.itemsize * 8)) - 1 if predicate[0] == "u" else -1
    code = f"%r = arith.cmpi {predicate}, %a, %b : i{left.dtype.itemsize * 8}"
    (got,) = in_body(code, [left, right], "i1")
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    assert got.tolist() == [function(a & mask, b & mask) for a, b in pairs]


# One bit: addition is exclusive or, and the sign is the value.
@pytest.mark.parametrize(
    ("name", "expected"),
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
    ],
)
def test_one_bit(name: str, expected: list[int]) -> None:
    left, right = np.array([False, False, True, True]), np.array([False, True, False, True])
    assert elementwise(f"arith.{name}", [left, right]).tolist() == expected


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize(("name", "is_signed"), [("mulsi", True), ("mului", False)])
def test_extended_multiplication(name: str, is_signed: bool, dtype: type[np.signedinteger]) -> None:
    left, right = edges(dtype)
    bits = left.dtype.itemsize * 8
    type_ = f"i{bits}"
    types = f"({type_}, {type_})"
    code = f'%r0, %r1 = "arith.{name}_extended"(%a, %b) : {types} -> {types}'
    low, high = in_body(code, [left, right], type_, type_)
    mask = -1 if is_signed else (1 << bits) - 1
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    products = [(a & mask) * (b & mask) for a, b in pairs]
    assert low.tolist() == [wrap(p, bits) for p in products]
    assert high.tolist() == [wrap(p >> bits, bits) for p in products]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_extended_addition(dtype: type[np.signedinteger]) -> None:
    left, right = edges(dtype)
    bits = left.dtype.itemsize * 8
    type_ = f"i{bits}"
    code = f'%r0, %r1 = "arith.addui_extended"(%a, %b) : ({type_}, {type_}) -> ({type_}, i1)'
    total, overflow = in_body(code, [left, right], type_, "i1")
    mask = (1 << bits) - 1
    sums = [(a & mask) + (b & mask) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    assert total.tolist() == [wrap(s, bits) for s in sums]
    assert overflow.tolist() == [s > mask for s in sums]


FLOATS = (np.float16, ml_dtypes.bfloat16, np.float32, np.float64)


def float_pairs(dtype: type[np.generic]) -> tuple[Array, Array]:
    numbers = np.array(
        [0.0, -0.0, 1.0, -1.5, 0.1, 3e4, -7e-5, np.inf, -np.inf, np.nan, 2.0, 1 / 3], np.float64
    ).astype(dtype)
    left, right = np.meshgrid(numbers, numbers)
    return left.reshape(-1), right.reshape(-1)


def same(got: Array, expected: Array) -> bool:
    """Equal bit for bit, except that one NaN is as good as another."""
    both_nan = np.isnan(got) & np.isnan(expected)
    signs = np.signbit(got) == np.signbit(expected)
    return got.dtype == expected.dtype and bool(np.all(both_nan | ((got == expected) & signs)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    ("name", "function"),
    [("addf", np.add), ("subf", np.subtract), ("mulf", np.multiply), ("divf", np.divide)],
)
def test_floats_round_once_after_each_op(
    name: str, function: Callable[..., Array], dtype: type[np.generic]
) -> None:
    left, right = float_pairs(dtype)
    wide = np.float64 if dtype == np.float32 else np.float32
    if dtype == np.float64:
        wide = np.longdouble
    expected = function(left.astype(wide), right.astype(wide)).astype(dtype)
    assert same(elementwise(f"arith.{name}", [left, right]), expected)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", ["maximumf", "minimumf", "maxnumf", "minnumf"])
def test_float_extremes(name: str, dtype: type[np.generic]) -> None:
    left, right = float_pairs(dtype)
    pick = max if name.startswith("max") else min

    def expected(a: float, b: float) -> float:
        if math.isnan(a) or math.isnan(b):
            return math.nan if "imum" in name else (b if math.isnan(a) else a)
        # -0 is below +0.
        return pick((a, b), key=lambda x: (x, math.copysign(1, x)))

    pairs = zip(left.astype(float).tolist(), right.astype(float).tolist(), strict=True)
    want = np.array([expected(a, b) for a, b in pairs]).astype(dtype)
    assert same(elementwise(f"arith.{name}", [left, right]), want)


@pytest.mark.parametrize(
    "predicate",
    "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split(),  # noqa: SIM905
)
def test_float_comparison(predicate: str) -> None:
    left, right = float_pairs(np.float32)
    (got,) = in_body(f"%r = arith.cmpf {predicate}, %a, %b : f32", [left, right], "i1")
    functions = {
        "eq": operator.eq,
        "gt": operator.gt,
        "ge": operator.ge,
        "lt": operator.lt,
        "le": operator.le,
        "ne": operator.ne,
    }

    def expected(a: float, b: float) -> bool:
        unordered = math.isnan(a) or math.isnan(b)
        if predicate in ("true", "false"):
            return predicate == "true"
        if predicate in ("ord", "uno"):
            return unordered == (predicate == "uno")
        holds = functions[predicate[1:]](a, b)
        return (holds and not unordered) if predicate[0] == "o" else (holds or unordered)

    pairs = zip(left.tolist(), right.tolist(), strict=True)
    assert got.tolist() == [expected(a, b) for a, b in pairs]


@pytest.mark.parametrize(
    ("op", "values", "to", "expected"),
    [
        ("extsi", np.array([-1, 5], np.int8), "i32", [-1, 5]),
        ("extui", np.array([-1, 5], np.int8), "i32", [255, 5]),
        ("extsi", np.array([True, False]), "i8", [-1, 0]),
        ("extui", np.array([True, False]), "i8", [1, 0]),
        ("trunci", np.array([0x1FF, -129], np.int32), "i8", [-1, 127]),
        ("trunci", np.array([2, 3], np.int32), "i1", [False, True]),
        ("sitofp", np.array([-1, 5], np.int8), "f32", [-1.0, 5.0]),
        ("uitofp", np.array([-1, 5], np.int8), "f32", [255.0, 5.0]),
        ("sitofp", np.array([True, False]), "f32", [-1.0, 0.0]),
        ("uitofp", np.array([True, False]), "f32", [1.0, 0.0]),
        ("uitofp", np.array([-1], np.int64), "f64", [2.0**64]),
        ("fptosi", np.array([1.9, -1.9, 0.5], np.float32), "i32", [1, -1, 0]),
        ("fptoui", np.array([1.9, 200.7], np.float32), "i8", [1, -56]),
        ("fptosi", np.array([1e9, -1e9, np.nan], np.float32), "i8", [127, -128, 0]),
        ("fptosi", np.array([1e30, -1e30], np.float64), "i64", [2**63 - 1, -(2**63)]),
        ("fptoui", np.array([1e30, -5.0], np.float64), "i64", [-1, 0]),
        ("truncf", np.array([1 / 3, 1e9], np.float64), "f16", [0.333251953125, np.inf]),
        ("extf", np.array([0.1], np.float16), "f32", [0.0999755859375]),
        ("bitcast", np.array([1.0, -0.0], np.float32), "i32", [0x3F800000, -(2**31)]),
        ("bitcast", np.array([0x3C00], np.int16), "f16", [1.0]),
    ],
)
def test_casts(op: str, values: Array, to: str, expected: list[float]) -> None:
    got = elementwise(f"arith.{op}", [values], to)
    assert got.tolist() == expected


# 1 + 2^-8 is halfway between two bf16; the digit below decides, and f32 would have lost it.
def test_f64_rounds_to_bf16_once() -> None:
    tie = 1.0 + 2.0**-8
    values = np.array([tie, tie + 2.0**-40, tie - 2.0**-40, -tie - 2.0**-40, 1e300, np.nan])
    got = elementwise("arith.truncf", [values], "bf16").astype(np.float64)
    step = 2.0**-7
    assert got[:4].tolist() == [1.0, 1.0 + step, 1.0, -1.0 - step]
    assert got[4] == np.inf
    assert np.isnan(got[5])


def test_f32_rounds_to_bf16_as_its_bits_say() -> None:
    values = np.random.default_rng(1).standard_normal(500).astype(np.float32)
    got = elementwise("arith.truncf", [values], "bf16").astype(np.float32)

    def rounded(value: float) -> float:
        (bits,) = struct.unpack("<I", struct.pack("<f", value))
        bits += 0x7FFF + ((bits >> 16) & 1)
        return struct.unpack("<f", struct.pack("<I", bits & 0xFFFF0000))[0]

    assert got.tolist() == [rounded(value) for value in values.tolist()]


def test_index_casts() -> None:
    code = """
    %i = arith.index_cast %a : i8 to index
    %r0 = arith.index_cast %i : index to i64
    %u = "arith.index_castui"(%a) : (i8) -> index
    %r1 = "arith.index_castui"(%u) : (index) -> i64"""
    signed, unsigned = in_body(code, [np.array([-1, 5], np.int8)], "i64", "i64")
    assert signed.tolist() == [-1, 5]
    assert unsigned.tolist() == [255, 5]


def test_select_by_element_and_as_a_whole() -> None:
    condition = np.array([True, False, True])
    left, right = np.array([1, 2, 3], np.int32), np.array([4, 5, 6], np.int32)
    arguments = [condition, left, right]
    (got,) = in_body("%r = arith.select %a, %b, %c : i32", arguments, "i32")
    assert got.tolist() == [1, 5, 3]
    body = """
    %c = arith.constant false
    %r = arith.select %c, %0, %1 : tensor<3xi32>
    return %r : tensor<3xi32>"""
    (got,) = evaluate(body, [left, right], "tensor<3xi32>")
    assert np.asarray(got).tolist() == [4, 5, 6]


@pytest.mark.parametrize(
    ("text", "type_", "expected"),
    [
        ("dense<[1, -2, 3]>", "tensor<3xi8>", [1, -2, 3]),
        ("dense<7>", "tensor<2x2xi64>", [[7, 7], [7, 7]]),
        ("dense<[true, false]>", "tensor<2xi1>", [True, False]),
        ("dense<1.5>", "tensor<2xbf16>", [1.5, 1.5]),
        ("dense<(1.0, 2.0)>", "tensor<1xcomplex<f32>>", [1 + 2j]),
        ("dense<>", "tensor<0xf32>", []),
        ("dense<4>", "tensor<i32>", 4),
    ],
)
def test_constants(text: str, type_: str, expected: object) -> None:
    (got,) = evaluate(f"%r = arith.constant {text} : {type_}\nreturn %r : {type_}", [], type_)
    assert isinstance(got, np.ndarray)
    assert got.tolist() == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-5 : i32", np.int32(-5)),
        ("255 : i8", np.int8(-1)),
        ("true", np.bool_(True)),
        ("0x7FC00000 : f32", np.float32(np.nan)),
        ("0.1 : f16", np.float16(0.1)),
        ("7 : index", np.int64(7)),
    ],
)
def test_scalar_constants(text: str, expected: np.generic) -> None:
    type_ = text.split(" : ")[-1].replace("true", "i1")
    (got,) = evaluate(f"%r = arith.constant {text}\nreturn %r : {type_}", [], type_)
    assert isinstance(got, np.generic)
    assert got.dtype == expected.dtype
    assert got == expected or (np.isnan(got) and np.isnan(expected))  # pyright: ignore
