"""The affine dialect's arithmetic on index values."""

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation

from ..element_types import Array
from .arith import Elementwise
from .values import inherent


def _results(op: Operation, values: tuple[Array, ...]) -> list[Array]:
    """The map of `op` at its operands, dimensions first."""
    attribute = inherent(op, "map")
    assert isinstance(attribute, AffineMapAttr)
    affine_map = attribute.data
    numbers = [np.asarray(value, np.int64) for value in values]
    dims, symbols = numbers[: affine_map.num_dims], numbers[affine_map.num_dims :]
    return [
        # xDSL's expressions only add, multiply and divide, which arrays do too.
        np.asarray(expression.eval(dims, symbols), np.int64)  # pyright: ignore[reportArgumentType]
        for expression in affine_map.results
    ]


def _apply(op: Operation, *values: Array) -> Array:
    return _results(op, values)[0]


def _min(op: Operation, *values: Array) -> Array:
    return np.minimum.reduce(np.broadcast_arrays(*_results(op, values)))


def _max(op: Operation, *values: Array) -> Array:
    return np.maximum.reduce(np.broadcast_arrays(*_results(op, values)))


AFFINE: dict[str, Elementwise] = {
    "affine.apply": _apply,
    "affine.max": _max,
    "affine.min": _min,
}
