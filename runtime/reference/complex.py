"""The complex dialect on numpy values, element by element."""

import numpy as np
from xdsl.ir import Operation

from ..element_types import Array
from .arith import Elementwise, constant_value, plain
from .values import element_dtype


def _create(op: Operation, real: Array, imaginary: Array) -> Array:
    dtype = element_dtype(op.results[0].type)
    shape = np.broadcast_shapes(np.shape(real), np.shape(imaginary))
    number = np.empty(shape, dtype)
    number.real = real
    number.imag = imaginary
    return number


def _reciprocal_root(number: Array) -> Array:
    return (1 / np.sqrt(number)).astype(number.dtype)


def _sign(number: Array) -> Array:
    size = np.abs(number)
    return np.where(size == 0, number, number / size).astype(number.dtype)


COMPLEX: dict[str, Elementwise] = {
    "complex.abs": plain(np.abs),
    "complex.add": plain(np.add),
    "complex.angle": plain(np.angle),
    "complex.conj": plain(np.conj),
    "complex.constant": constant_value,
    "complex.cos": plain(np.cos),
    "complex.create": _create,
    "complex.div": plain(np.true_divide),
    "complex.eq": plain(np.equal),
    "complex.exp": plain(np.exp),
    "complex.expm1": plain(np.expm1),
    "complex.im": plain(np.imag),
    "complex.log": plain(np.log),
    "complex.log1p": plain(np.log1p),
    "complex.mul": plain(np.multiply),
    "complex.neg": plain(np.negative),
    "complex.neq": plain(np.not_equal),
    "complex.pow": plain(np.power),
    "complex.re": plain(np.real),
    "complex.rsqrt": plain(_reciprocal_root),
    "complex.sign": plain(_sign),
    "complex.sin": plain(np.sin),
    "complex.sqrt": plain(np.sqrt),
    "complex.sub": plain(np.subtract),
    "complex.tan": plain(np.tan),
    "complex.tanh": plain(np.tanh),
}
