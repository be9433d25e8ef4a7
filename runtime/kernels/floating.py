"""Float arithmetic of the arith and math dialects on numpy arrays.

Each op rounds its result to its own type, f16 and bf16 included, as MLIR says. Transcendental
functions are numpy's: within an ulp or so of IREE's polynomials, not bit-equal to them.
`math.fma` of f64 rounds twice (numpy has no fused one); f32 and narrower are fused in f64.
"""

from functools import cache, partial
from math import erf, erfc, exp
from typing import Any, cast

import ml_dtypes
import numpy as np
from numpy.polynomial import chebyshev
from xdsl.dialects import arith, math
from xdsl.ir import Operation

from .integer import Function
from .types import Array


def _exclude_nan(strict: Function, a: Array, b: Array) -> Array:
    """An ordered-or-unordered comparison as the negation of its ordered opposite."""
    return np.logical_not(strict(a, b))


def _ordered_not_equal(a: Array, b: Array) -> Array:
    return np.logical_or(np.less(a, b), np.greater(a, b))


def _ordered(a: Array, b: Array) -> Array:
    return np.logical_not(_unordered(a, b))


def _unordered(a: Array, b: Array) -> Array:
    return np.logical_or(np.isnan(a), np.isnan(b))


def _always(value: bool, a: Array, b: Array) -> Array:
    return np.broadcast_to(np.bool_(value), np.broadcast_shapes(np.shape(a), np.shape(b)))


FLOAT_COMPARISONS: tuple[Function, ...] = (
    partial(_always, False),
    np.equal,
    np.greater,
    np.greater_equal,
    np.less,
    np.less_equal,
    _ordered_not_equal,
    _ordered,
    partial(_exclude_nan, _ordered_not_equal),
    partial(_exclude_nan, np.less_equal),
    partial(_exclude_nan, np.less),
    partial(_exclude_nan, np.greater_equal),
    partial(_exclude_nan, np.greater),
    np.not_equal,
    _unordered,
    partial(_always, True),
)
"""By predicate of `arith.cmpf`: false, oeq, ogt, oge, olt, ole, one, ord, ueq … une, uno, true."""


def round_half_away(value: Array) -> Array:
    """Round to the nearest integer, halves away from zero."""
    whole = np.trunc(value)
    away = np.greater_equal(np.abs(np.subtract(value, whole)), value.dtype.type(0.5))
    return np.where(away, np.add(whole, np.copysign(value.dtype.type(1), value)), whole)


def reciprocal_sqrt(value: Array) -> Array:
    """1 / sqrt, each step rounded to the type."""
    return np.divide(value.dtype.type(1), np.sqrt(value))


def fused_multiply_add(a: Array, b: Array, c: Array) -> Array:
    """a * b + c: computed in f64 and rounded once for types narrower than f64."""
    dtype = a.dtype
    if dtype.itemsize >= 8:
        return np.add(np.multiply(a, b), c)
    wide = np.multiply(a.astype(np.float64), b.astype(np.float64))
    return np.add(wide, c.astype(np.float64)).astype(dtype)


def float_power_integer(a: Array, b: Array) -> Array:
    """`math.fpowi`: a float to an integer power."""
    return np.power(a, np.asarray(b).astype(a.dtype))


_CENTRE = 3.75
"""erfc(x) exp(x²) is smooth in t = (x - c) / (x + c), which maps [0, inf] to [-1, 1]."""
_END = 26.0
"""Beyond it erfc is below the least normal number of f64."""
_LAST = (_END - _CENTRE) / (_END + _CENTRE)


@cache
def _erf_series() -> Array:
    """Chebyshev series of erf(x)/x over x² in [0, 1]."""

    def ratio(t: Array) -> Array:
        return np.array([erf(x) / x for x in np.sqrt((t + 1) / 2)])

    return chebyshev.chebinterpolate(ratio, 12)


@cache
def _erfc_series() -> Array:
    """Chebyshev series of erfc(x) exp(x²) over [0, 26], in the variable of `_CENTRE`."""

    def scaled(t: Array) -> Array:
        ts = (t + 1) / 2 * (_LAST + 1) - 1
        return np.array([erfc(x) * exp(x * x) for x in _CENTRE * (1 + ts) / (1 - ts)])

    return chebyshev.chebinterpolate(scaled, 24)


def _upper_tail(size: Array) -> Array:
    """erfc of values in [0, 26]."""
    t = (size - _CENTRE) / (size + _CENTRE)
    return np.exp(-size * size) * chebyshev.chebval((t + 1) * 2 / (_LAST + 1) - 1, _erfc_series())


def error_function(value: Array) -> Array:
    """erf, computed in f64 (to about 3e-15) and rounded to the type."""
    x = np.asarray(value, np.float64)
    size = np.minimum(np.abs(x), _END)
    inner = x * chebyshev.chebval(2 * np.minimum(size, 1.0) ** 2 - 1, _erf_series())
    outer = np.copysign(1 - _upper_tail(size), x)
    return np.where(np.less(size, 1.0), inner, outer).astype(value.dtype)


def complementary_error_function(value: Array) -> Array:
    """erfc, computed in f64 (to about 1e-13 of its value) and rounded to the type."""
    x = np.asarray(value, np.float64)
    size = np.abs(x)
    tail = np.where(np.greater(size, _END), 0.0, _upper_tail(np.minimum(size, _END)))
    return np.where(np.less(x, 0), 2 - tail, tail).astype(value.dtype)


def _is_normal(value: Array) -> Array:
    info = cast(Any, ml_dtypes.finfo(value.dtype))
    tiny = info.smallest_normal
    return np.logical_and(np.isfinite(value), np.greater_equal(np.abs(value), tiny))


def _sine_and_cosine(value: Array) -> tuple[Array, Array]:
    return np.sin(value), np.cos(value)


def _clamp(value: Array, low: Array, high: Array) -> Array:
    return np.minimum(np.maximum(value, low), high)


NAMED_FLOAT_FUNCTIONS: dict[str, Function] = {
    "arith.remf": np.fmod,
    "math.clampf": _clamp,
    "math.erfc": complementary_error_function,
    "math.isfinite": np.isfinite,
    "math.isinf": np.isinf,
    "math.isnan": np.isnan,
    "math.isnormal": _is_normal,
    "math.sincos": _sine_and_cosine,
}
"""Ops that xDSL has no class for, by name."""


FLOAT_FUNCTIONS: dict[type[Operation], Function] = {
    arith.AddfOp: np.add,
    arith.SubfOp: np.subtract,
    arith.MulfOp: np.multiply,
    arith.DivfOp: np.divide,
    arith.NegfOp: np.negative,
    arith.MaximumfOp: np.maximum,
    arith.MinimumfOp: np.minimum,
    arith.MaxnumfOp: np.fmax,
    arith.MinnumfOp: np.fmin,
    math.AbsFOp: np.abs,
    math.AcosOp: np.arccos,
    math.AcoshOp: np.arccosh,
    math.AsinOp: np.arcsin,
    math.AsinhOp: np.arcsinh,
    math.AtanOp: np.arctan,
    math.Atan2Op: np.arctan2,
    math.AtanhOp: np.arctanh,
    math.CbrtOp: np.cbrt,
    math.CeilOp: np.ceil,
    math.CopySignOp: np.copysign,
    math.CosOp: np.cos,
    math.CoshOp: np.cosh,
    math.ErfOp: error_function,
    math.ExpOp: np.exp,
    math.Exp2Op: np.exp2,
    math.ExpM1Op: np.expm1,
    math.FloorOp: np.floor,
    math.FmaOp: fused_multiply_add,
    math.FPowIOp: float_power_integer,
    math.LogOp: np.log,
    math.Log10Op: np.log10,
    math.Log1pOp: np.log1p,
    math.Log2Op: np.log2,
    math.PowFOp: np.power,
    math.RoundOp: round_half_away,
    math.RoundEvenOp: np.rint,
    math.RsqrtOp: reciprocal_sqrt,
    math.SinOp: np.sin,
    math.SinhOp: np.sinh,
    math.SqrtOp: np.sqrt,
    math.TanOp: np.tan,
    math.TanhOp: np.tanh,
    math.TruncOp: np.trunc,
}


def compare_floats(op: arith.CmpfOp) -> Function:
    """The function of an `arith.cmpf`."""
    return FLOAT_COMPARISONS[op.predicate.value.data]
