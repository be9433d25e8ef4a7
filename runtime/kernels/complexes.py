"""Arithmetic of the complex dialect on numpy's complex64 and complex128."""

import numpy as np
from xdsl.dialects import complex as complex_dialect
from xdsl.ir import Operation

from .floating import reciprocal_sqrt
from .integer import Function
from .types import Array


def _create(real: Array, imaginary: Array) -> Array:
    dtype = np.result_type(real, np.complex64)
    result = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imaginary)), dtype)
    result.real, result.imag = real, imaginary
    return result[()]


def _sign(value: Array) -> Array:
    size = np.abs(value)
    return np.where(np.equal(value, 0), value, np.divide(value, size))


COMPLEX_FUNCTIONS: dict[type[Operation], Function] = {
    complex_dialect.AbsOp: np.abs,
    complex_dialect.AddOp: np.add,
    complex_dialect.AngleOp: np.angle,
    complex_dialect.ConjOp: np.conjugate,
    complex_dialect.CosOp: np.cos,
    complex_dialect.CreateOp: _create,
    complex_dialect.DivOp: np.divide,
    complex_dialect.EqualOp: np.equal,
    complex_dialect.ExpOp: np.exp,
    complex_dialect.Expm1Op: np.expm1,
    complex_dialect.ImOp: np.imag,
    complex_dialect.LogOp: np.log,
    complex_dialect.Log1pOp: np.log1p,
    complex_dialect.MulOp: np.multiply,
    complex_dialect.NegOp: np.negative,
    complex_dialect.NotEqualOp: np.not_equal,
    complex_dialect.PowOp: np.power,
    complex_dialect.ReOp: np.real,
    complex_dialect.RsqrtOp: reciprocal_sqrt,
    complex_dialect.SignOp: _sign,
    complex_dialect.SinOp: np.sin,
    complex_dialect.SqrtOp: np.sqrt,
    complex_dialect.SubOp: np.subtract,
    complex_dialect.TanOp: np.tan,
    complex_dialect.TanhOp: np.tanh,
}
