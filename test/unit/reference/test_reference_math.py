"""math and complex ops of the reference, op by op, against Python's math and cmath."""

import cmath
import math
from collections.abc import Callable
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from reference_snippets import elementwise, in_body
from zcir.runtime.element_types import Array

ANY = np.array([-3.7, -2.5, -1.0, -0.3, -0.0, 0.0, 0.3, 0.5, 1.0, 2.5, 3.7])
UNIT = np.array([-1.0, -0.9, -0.5, 0.0, 0.3, 0.9, 1.0])
POSITIVE = np.array([1e-3, 0.3, 1.0, 1.5, 2.0, 10.0, 1e3])

UNARY: dict[str, tuple[Callable[[float], float], Array]] = {
    "absf": (abs, ANY),
    "acos": (math.acos, UNIT),
    "acosh": (math.acosh, POSITIVE[2:]),
    "asin": (math.asin, UNIT),
    "asinh": (math.asinh, ANY),
    "atan": (math.atan, ANY),
    "atanh": (math.atanh, UNIT[1:-1]),
    "cbrt": (math.cbrt, ANY),
    "ceil": (lambda x: float(math.ceil(x)), ANY),
    "cos": (math.cos, ANY),
    "cosh": (math.cosh, ANY),
    "erf": (math.erf, np.concatenate([ANY, [-9.0, 9.0, 5.9, 1e-9]])),
    "exp": (math.exp, ANY),
    "exp2": (math.exp2, ANY),
    "expm1": (math.expm1, np.concatenate([ANY, [1e-9]])),
    "floor": (lambda x: float(math.floor(x)), ANY),
    "log": (math.log, POSITIVE),
    "log10": (math.log10, POSITIVE),
    "log1p": (math.log1p, np.concatenate([POSITIVE, [1e-9]])),
    "log2": (math.log2, POSITIVE),
    "round": (lambda x: math.copysign(math.floor(abs(x) + 0.5), x), ANY),
    "roundeven": (lambda x: float(round(x)), ANY),
    "rsqrt": (lambda x: 1 / math.sqrt(x), POSITIVE),
    "sin": (math.sin, ANY),
    "sinh": (math.sinh, ANY),
    "sqrt": (math.sqrt, POSITIVE),
    "tan": (math.tan, ANY),
    "tanh": (math.tanh, ANY),
    "trunc": (lambda x: float(math.trunc(x)), ANY),
}

# A few units in the last place of each type.
RELATIVE = {
    np.dtype(np.float16): 2e-3,
    np.dtype(ml_dtypes.bfloat16): 1.6e-2,
    np.dtype(np.float32): 5e-7,
    np.dtype(np.float64): 1e-15,
}
DTYPES = list(RELATIVE)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name: str, dtype: np.dtype[np.generic]) -> None:
    function, numbers = UNARY[name]
    values: Array = numbers.astype(dtype)
    got = elementwise(f"math.{name}", [values])
    expected = [function(value) for value in values.astype(np.float64).tolist()]
    assert got.dtype == dtype
    scale = RELATIVE[dtype]
    np.testing.assert_allclose(got.astype(np.float64), expected, rtol=scale, atol=scale / 8)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_two_operands(dtype: np.dtype[np.generic]) -> None:
    left, right = (values.reshape(-1) for values in np.meshgrid(ANY, POSITIVE[:-1]))
    left, right = left.astype(dtype), right.astype(dtype)
    pairs = list(zip(*(x.astype(np.float64).tolist() for x in (left, right)), strict=True))
    scale = RELATIVE[dtype]
    for name, function in (("atan2", math.atan2), ("copysign", math.copysign)):
        got = elementwise(f"math.{name}", [left, right]).astype(np.float64)
        np.testing.assert_allclose(got, [function(a, b) for a, b in pairs], rtol=scale, atol=scale)
    got = elementwise("math.powf", [right, left]).astype(np.float64)
    with np.errstate(over="ignore"):
        expected: Array = np.array([b**a for a, b in pairs]).astype(dtype).astype(np.float64)
    np.testing.assert_allclose(got, expected, rtol=scale, atol=scale / 8)


def test_the_sign_of_zero_is_kept() -> None:
    values = np.array([-0.3, -0.0, 0.0])
    for name in ("round", "roundeven", "trunc", "ceil", "sqrt"):
        got = elementwise(f"math.{name}", [values[1:] if name == "sqrt" else values])
        assert np.signbit(got)[-2:].tolist() == [True, False]


def test_rounding_just_below_a_half() -> None:
    below = np.nextafter(0.5, 0.0)
    assert elementwise("math.round", [np.array([below, 2.5, -2.5])]).tolist() == [0, 3, -3]


def exact_fma(a: float, b: float, c: float, dtype: type[np.generic]) -> float:
    """a * b + c in fractions, rounded once by way of the neighbours of a first guess."""
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    guess: Array = np.asarray(float(exact)).astype(dtype)
    near = [guess, np.nextafter(guess, dtype(np.inf)), np.nextafter(guess, dtype(-np.inf))]
    width = np.dtype(dtype).itemsize

    def distance(value: Array) -> tuple[Fraction, int]:
        is_odd = int(value.reshape(1).view(f"u{width}")[0]) & 1
        return abs(Fraction(float(value)) - exact), is_odd

    return float(min((np.asarray(value) for value in near), key=distance))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_fma_rounds_once(dtype: type[np.generic]) -> None:
    random = np.random.default_rng(3)
    a, b, c = (random.standard_normal(300).astype(dtype) for _ in range(3))
    # Half of the sums nearly cancel, where rounding the product first shows.
    c[::2] = (-(a.astype(np.float64) * b.astype(np.float64))).astype(dtype)[::2]
    got = elementwise("math.fma", [a, b, c])
    triples = zip(a.tolist(), b.tolist(), c.tolist(), strict=True)
    assert got.tolist() == [exact_fma(*triple, dtype) for triple in triples]


# 1 + 2^-12 squared is 1 + 2^-11 + 2^-24: with -2^-11 of it taken the tie is broken by the rest.
def test_fma_ties() -> None:
    a = np.array([1 + 2.0**-12], np.float32)
    got = elementwise("math.fma", [a, a, np.array([2.0**-60], np.float32)])
    assert got.tolist() == [exact_fma(1 + 2.0**-12, 1 + 2.0**-12, 2.0**-60, np.float32)]


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64])
def test_bits(dtype: type[np.signedinteger]) -> None:
    info = np.iinfo(dtype)
    values = np.array([0, 1, 2, 3, 8, 100, -1, -8, info.min, info.max], dtype)
    bits = info.bits
    unsigned = [value & ((1 << bits) - 1) for value in values.tolist()]

    def trailing(value: int) -> int:
        return (value & -value).bit_length() - 1 if value else bits

    assert elementwise("math.ctlz", [values]).tolist() == [
        bits - value.bit_length() for value in unsigned
    ]
    assert elementwise("math.cttz", [values]).tolist() == [trailing(value) for value in unsigned]
    assert elementwise("math.ctpop", [values]).tolist() == [value.bit_count() for value in unsigned]
    absolute = elementwise("math.absi", [values]).tolist()
    assert absolute == [abs(value) if value != info.min else info.min for value in values.tolist()]


def test_integer_power() -> None:
    base, power = (
        x.reshape(-1).astype(np.int32)
        for x in np.meshgrid([-3, -1, 0, 1, 2, 7], [-3, -2, -1, 0, 1, 2, 5, 31])
    )

    def expected(a: int, n: int) -> int:
        if n < 0:
            return {1: 1, -1: 1 if n % 2 == 0 else -1}.get(a, 0)
        return (a**n + (1 << 31)) % (1 << 32) - (1 << 31)

    pairs = zip(base.tolist(), power.tolist(), strict=True)
    assert elementwise("math.ipowi", [base, power]).tolist() == [expected(a, n) for a, n in pairs]


def test_power_of_a_float_by_an_integer() -> None:
    base, power = np.array([2.0, -2.0, 0.5, 3.0], np.float32), np.array([3, 3, -2, 0], np.int32)
    (got,) = in_body("%r = math.fpowi %a, %b : f32, i32", [base, power])
    assert got.tolist() == [8.0, -8.0, 4.0, 1.0]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("isnan", [False, False, True, False]),
        ("isinf", [False, True, False, True]),
        ("isfinite", [True, False, False, False]),
    ],
)
def test_classes(name: str, expected: list[bool]) -> None:
    values = np.array([1.0, np.inf, np.nan, -np.inf], np.float32)
    (got,) = in_body(f'%r = "math.{name}"(%a) : (f32) -> i1', [values], "i1")
    assert got.tolist() == expected


def test_erfc_of_large_and_small() -> None:
    values = np.array([-3.0, -0.5, 0.0, 0.5, 1.9, 2.1, 5.0, 20.0])
    (got,) = in_body('%r = "math.erfc"(%a) : (f64) -> f64', [values])
    np.testing.assert_allclose(got, [math.erfc(value) for value in values.tolist()], rtol=1e-11)


def test_sine_and_cosine_together() -> None:
    values = np.array([0.3, 2.0])
    code = '%r0, %r1 = "math.sincos"(%a) : (f64) -> (f64, f64)'
    sine, cosine = in_body(code, [values], "f64", "f64")
    np.testing.assert_allclose(sine, np.sin(values))
    np.testing.assert_allclose(cosine, np.cos(values))


POINTS = np.array([1 + 2j, -0.5 + 0.1j, 2 - 3j, 0.25j], np.complex128)


COMPLEX_UNARY: dict[str, Callable[[complex], complex]] = {
    "cos": cmath.cos,
    "exp": cmath.exp,
    "log": cmath.log,
    "sin": cmath.sin,
    "sqrt": cmath.sqrt,
    "tan": cmath.tan,
    "tanh": cmath.tanh,
    "conj": complex.conjugate,
    "neg": lambda z: -z,
    "expm1": lambda z: cmath.exp(z) - 1,
    "log1p": lambda z: cmath.log(1 + z),
    "rsqrt": lambda z: 1 / cmath.sqrt(z),
    "sign": lambda z: z / abs(z),
}
COMPLEX_BINARY: dict[str, Callable[[complex, complex], complex]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
}


@pytest.mark.parametrize("name", COMPLEX_UNARY)
def test_complex_functions(name: str) -> None:
    function = COMPLEX_UNARY[name]
    code = f'%r = "complex.{name}"(%a) : (complex<f64>) -> complex<f64>'
    (got,) = in_body(code, [POINTS])
    np.testing.assert_allclose(got, [function(z) for z in POINTS.tolist()], rtol=1e-12)


@pytest.mark.parametrize("name", COMPLEX_BINARY)
def test_complex_arithmetic(name: str) -> None:
    function = COMPLEX_BINARY[name]
    other = POINTS[::-1].copy()
    code = f'%r = "complex.{name}"(%a, %b) : (complex<f64>, complex<f64>) -> complex<f64>'
    (got,) = in_body(code, [POINTS, other])
    pairs = zip(POINTS.tolist(), other.tolist(), strict=True)
    np.testing.assert_allclose(got, [function(a, b) for a, b in pairs], rtol=1e-12)


def test_complex_parts() -> None:
    code = """
    %re = "complex.re"(%a) : (complex<f64>) -> f64
    %im = "complex.im"(%a) : (complex<f64>) -> f64
    %z = "complex.create"(%im, %re) : (f64, f64) -> complex<f64>
    %r0 = "complex.abs"(%z) : (complex<f64>) -> f64
    %r1 = "complex.im"(%z) : (complex<f64>) -> f64
    %r2 = "complex.eq"(%a, %z) : (complex<f64>, complex<f64>) -> i1"""
    size, imaginary, equal = in_body(code, [POINTS], "f64", "f64", "i1")
    np.testing.assert_allclose(size, np.abs(POINTS))
    assert imaginary.tolist() == POINTS.real.tolist()
    assert equal.tolist() == [False] * 4
