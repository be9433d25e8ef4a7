"""Float functions of the math dialect and complex arithmetic against plain numpy."""

# numpy's types of array expressions are partly unknown to the checker:
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from kernel_harness import MLIR_NAMES, elementwise

BF16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = [np.float16, BF16, np.float32, np.float64]

Array = np.ndarray[Any, Any]


UNARY: dict[str, Any] = {
    "absf": abs,
    "acos": lambda x: math.acos(x / 10),
    "acosh": lambda x: math.acosh(1 + abs(x)),
    "asin": lambda x: math.asin(x / 10),
    "asinh": math.asinh,
    "atan": math.atan,
    "atanh": lambda x: math.atanh(x / 10),
    "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
    "ceil": math.ceil,
    "cos": math.cos,
    "cosh": math.cosh,
    "erf": math.erf,
    "exp": math.exp,
    "exp2": lambda x: 2.0**x,
    "expm1": math.expm1,
    "floor": math.floor,
    "log": lambda x: math.log(abs(x)),
    "log10": lambda x: math.log10(abs(x)),
    "log1p": lambda x: math.log1p(abs(x)),
    "log2": lambda x: math.log2(abs(x)),
    "round": lambda x: math.copysign(math.floor(abs(x) + 0.5), x),
    "roundeven": round,
    "rsqrt": lambda x: 1 / math.sqrt(abs(x)),
    "sin": math.sin,
    "sinh": math.sinh,
    "sqrt": lambda x: math.sqrt(abs(x)),
    "tan": math.tan,
    "tanh": math.tanh,
    "trunc": math.trunc,
}
TOLERANCE = {"float16": 2e-3, "bfloat16": 1.6e-2, "float32": 1e-6, "float64": 1e-14}
POINTS = [-4.5, -2.5, -1.25, -0.75, -0.49999997, 0.1, 0.5, 1.0, 1.5, 2.5, 3.75]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", UNARY)
def test_math_functions(op: str, dtype: Any) -> None:
    x = np.array(POINTS, dtype)
    argument = {
        "acos": x / np.asarray(10, dtype),
        "asin": x / np.asarray(10, dtype),
        "atanh": x / np.asarray(10, dtype),
        "acosh": abs(x) + np.asarray(1, dtype),
    }.get(op, abs(x) if op in ("log", "log10", "log1p", "log2", "rsqrt", "sqrt") else x)
    kind = MLIR_NAMES[x.dtype.name]
    got = elementwise(f"%r = math.{op} %a : {kind}", [argument], x)
    want = [UNARY[op](value) for value in x.astype(float).tolist()]
    tolerance = TOLERANCE[x.dtype.name] * (4 if op in ("acos", "acosh", "tan") else 1)
    np.testing.assert_allclose(got.astype(float), want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_error_function_is_precise_everywhere(dtype: Any) -> None:
    x = np.concatenate([np.linspace(-7, 7, 4001), np.logspace(-30, 0, 100), [np.inf, -np.inf]])
    x = x.astype(dtype)
    got = elementwise(f"%r = math.erf %a : {MLIR_NAMES[x.dtype.name]}", [x], x)
    want = np.array([math.erf(value) for value in x.tolist()])
    np.testing.assert_allclose(got, want, rtol=16 * np.finfo(dtype).eps)
    assert np.isnan(
        elementwise(
            "%r = math.erf %a : f32", [np.array([np.nan], np.float32)], np.empty(1, np.float32)
        )
    )


def test_two_operand_math() -> None:
    a, b = np.array([1.5, -2.0, 3.0]), np.array([2.0, 3.0, -1.0])
    for op, function in {
        "atan2": math.atan2,
        "copysign": math.copysign,
        "powf": pow,
    }.items():
        got = elementwise(f"%r = math.{op} %a, %b : f64", [a, b], a)
        want = [function(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        np.testing.assert_allclose(got, want)


def test_fused_multiply_add_rounds_once() -> None:
    a = np.array([1 + 2**-12], np.float32)
    got = elementwise("%r = math.fma %a, %a, %b : f32", [a, -(a * a)], a)
    exact = float(a[0]) ** 2 - float(a[0] * a[0])
    assert exact != 0
    np.testing.assert_array_equal(got, np.float32(exact))


@pytest.mark.parametrize(("dtype", "part"), [(np.complex64, "f32"), (np.complex128, "f64")])
def test_complex_arithmetic(dtype: Any, part: str) -> None:
    rng = np.random.default_rng(2)
    a, b = (rng.standard_normal(9) + 1j * rng.standard_normal(9) for _ in range(2))
    a, b = a.astype(dtype), b.astype(dtype)
    kind = f"complex<{part}>"
    for op, want in {"add": a + b, "sub": a - b, "mul": a * b, "div": a / b}.items():
        got = elementwise(f"%r = complex.{op} %a, %b : {kind}", [a, b], a)
        np.testing.assert_allclose(got, want, rtol=1e-6)
    ops = f"""
      %re = complex.re %a : {kind}
      %im = complex.im %a : {kind}
      %r = complex.create %im, %re : {kind}
    """
    np.testing.assert_array_equal(elementwise(ops, [a], a), np.imag(a) + 1j * np.real(a))
    got = elementwise(f"%r = complex.abs %a : {kind}", [a], np.real(a).copy())
    np.testing.assert_allclose(got, abs(a), rtol=1e-6)
    got = elementwise(f"%r = complex.exp %a : {kind}", [a], a)
    np.testing.assert_allclose(got, np.exp(a), rtol=1e-6)
