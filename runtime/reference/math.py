"""The math dialect on numpy values, element by element.

Floats narrower than 32 bits are computed in f32 and rounded once. A zero raised to a negative
power, undefined in MLIR for integers, gives 0.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ..element_types import Array
from .arith import Elementwise, plain, signed, unsigned, wrapped
from .values import round_float


def in_f32(values: Array) -> Array:
    """Floats narrower than 32 bits as f32, others as they are."""
    return values.astype(np.float32) if values.dtype.itemsize < 4 else values


def _float(function: Callable[..., Array]) -> Elementwise:
    def evaluate(_: Operation, *args: Array) -> Array:
        return round_float(np.asarray(function(*(in_f32(arg) for arg in args))), args[0].dtype)

    return evaluate


def _round_away(values: Array) -> Array:
    """To the nearest whole number, halves away from zero."""
    whole = np.trunc(values)
    up = (np.abs(values - whole) >= 0.5).astype(values.dtype)
    return np.copysign(whole + np.copysign(up, values), values)


def _erf(values: Array) -> Array:
    """2/sqrt(pi) exp(-x²) sum of 2^n x^(2n+1) / (2n+1)!!: all terms of one sign, none cancels."""
    x = np.clip(values.astype(np.float64), -6.0, 6.0)
    term = x
    total = x
    for n in range(1, 150):
        term = term * (2.0 * x * x / (2 * n + 1))
        total = total + term
    return (2.0 / math.sqrt(math.pi) * np.exp(-x * x) * total).astype(values.dtype)


def _erfc(values: Array) -> Array:
    """1 - erf(x), and for large x the continued fraction of the tail."""
    x = np.maximum(values.astype(np.float64), 2.0)
    fraction = x
    for n in range(60, 0, -1):
        fraction = x + n / 2.0 / fraction
    tail = np.exp(-x * x) / math.sqrt(math.pi) / fraction
    near = 1.0 - _erf(values.astype(np.float64))
    return np.where(values > 2.0, tail, near).astype(values.dtype)


def _fma(_: Operation, left: Array, right: Array, added: Array) -> Array:
    """left * right + added, rounded once; f64 is computed in numpy's longest float."""
    dtype = left.dtype
    wide = np.dtype(np.longdouble if dtype == np.float64 else np.float64)
    a, b, c = (np.asarray(arg).astype(wide) for arg in (left, right, added))
    product = a * b
    total = product + c
    # What the sum lost (two-sum) decides where the total lies halfway between two results.
    back = total - product
    lost = (product - (total - back)) + (c - back)
    rounded = round_float(total, dtype)
    beyond = np.where(total > rounded.astype(wide), np.inf, -np.inf).astype(dtype)
    other = np.nextafter(rounded, beyond)
    is_tie = total - rounded.astype(wide) == other.astype(wide) - total
    towards = np.where(lost > 0, np.inf, -np.inf).astype(wide)
    nudged = np.where(is_tie & (lost != 0), np.nextafter(total, towards), total)
    return round_float(nudged, dtype)


def _bit_length(values: Array) -> Array:
    """How many bits each unsigned number needs."""
    rest = values
    length: Array = np.zeros_like(values)
    for step in (32, 16, 8, 4, 2, 1):
        if step >= values.dtype.itemsize * 8:
            continue
        above = rest >> values.dtype.type(step)
        has_more = above != 0
        length += has_more.astype(values.dtype) * values.dtype.type(step)
        rest = np.where(has_more, above, rest)
    return length + (rest != 0).astype(values.dtype)


def _width(values: Array) -> Any:
    return values.dtype.type(values.dtype.itemsize * 8)


def _leading_zeros(_: Operation, values: Array) -> Array:
    bits = unsigned(values)
    return wrapped(_width(bits) - _bit_length(bits), values.dtype)


def _trailing_zeros(_: Operation, values: Array) -> Array:
    bits = unsigned(values)
    lowest = bits & (~bits + bits.dtype.type(1))
    below = _bit_length(lowest) - bits.dtype.type(1)
    return wrapped(np.where(bits == 0, np.full_like(bits, _width(bits)), below), values.dtype)


def _population(_: Operation, values: Array) -> Array:
    return wrapped(np.bitwise_count(unsigned(values)), values.dtype)


def _absolute(_: Operation, values: Array) -> Array:
    return wrapped(np.abs(signed(values)), values.dtype)


def _integer_power(_: Operation, base: Array, exponent: Array) -> Array:
    power = signed(exponent)
    square = signed(base)
    negative = np.where(square == 1, 1, np.where(square == -1, 1 - 2 * (power & 1), 0))
    result = np.ones_like(square)
    for bit in range(square.dtype.itemsize * 8 - 1):
        is_set = ((power >> power.dtype.type(bit)) & 1) == 1
        result = np.where(is_set, result * square, result)
        square = square * square
    return wrapped(np.where(power < 0, negative, result), base.dtype)


def _float_to_integer_power(_: Operation, base: Array, exponent: Array) -> Array:
    wide = np.power(base.astype(np.float64), signed(exponent).astype(np.float64))
    return round_float(np.asarray(wide), base.dtype)


def _sine_and_cosine(_: Operation, values: Array) -> tuple[Array, ...]:
    wide = in_f32(values)
    return tuple(round_float(np.asarray(f(wide)), values.dtype) for f in (np.sin, np.cos))


def _reciprocal_root(values: Array) -> Array:
    return (1.0 / np.sqrt(values.astype(np.float64))).astype(values.dtype)


def _clamp(values: Array, low: Array, high: Array) -> Array:
    return np.minimum(np.maximum(values, low), high)


MATH: dict[str, Elementwise] = {
    "math.absf": _float(np.abs),
    "math.absi": _absolute,
    "math.acos": _float(np.arccos),
    "math.acosh": _float(np.arccosh),
    "math.asin": _float(np.arcsin),
    "math.asinh": _float(np.arcsinh),
    "math.atan": _float(np.arctan),
    "math.atan2": _float(np.arctan2),
    "math.atanh": _float(np.arctanh),
    "math.cbrt": _float(np.cbrt),
    "math.ceil": _float(np.ceil),
    "math.clampf": _float(_clamp),
    "math.copysign": _float(np.copysign),
    "math.cos": _float(np.cos),
    "math.cosh": _float(np.cosh),
    "math.ctlz": _leading_zeros,
    "math.ctpop": _population,
    "math.cttz": _trailing_zeros,
    "math.erf": _float(_erf),
    "math.erfc": _float(_erfc),
    "math.exp": _float(np.exp),
    "math.exp2": _float(np.exp2),
    "math.expm1": _float(np.expm1),
    "math.floor": _float(np.floor),
    "math.fma": _fma,
    "math.fpowi": _float_to_integer_power,
    "math.ipowi": _integer_power,
    "math.isfinite": plain(np.isfinite),
    "math.isinf": plain(np.isinf),
    "math.isnan": plain(np.isnan),
    "math.log": _float(np.log),
    "math.log10": _float(np.log10),
    "math.log1p": _float(np.log1p),
    "math.log2": _float(np.log2),
    "math.powf": _float(np.power),
    "math.round": _float(_round_away),
    "math.roundeven": _float(np.rint),
    "math.rsqrt": _float(_reciprocal_root),
    "math.sin": _float(np.sin),
    "math.sincos": _sine_and_cosine,
    "math.sinh": _float(np.sinh),
    "math.sqrt": _float(np.sqrt),
    "math.tan": _float(np.tan),
    "math.tanh": _float(np.tanh),
    "math.trunc": _float(np.trunc),
}
