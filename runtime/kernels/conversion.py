"""Conversions between element types: the casts of the arith dialect.

Float to integer rounds towards zero; a value that does not fit, undefined in MLIR, gives what
numpy's cast gives. Float to float rounds to nearest even. As a signed integer, i1's true is -1.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation

from .types import (
    Array,
    Unary,
    as_unsigned,
    dtype_of,
    element_type,
    integer_width,
    wrapped,
)

_I1 = IntegerType(1)


def _types(op: Operation) -> tuple[Attribute, Attribute]:
    return element_type(op.operands[0].type), element_type(op.results[0].type)


def sign_extend(op: Operation) -> Unary:
    """`arith.extsi`, and `arith.index_cast` to a type at least as wide."""
    source, target = _types(op)
    dtype = dtype_of(target)
    if source == _I1:
        return lambda value: np.negative(value.astype(dtype))
    return lambda value: value.astype(dtype)


def zero_extend(op: Operation) -> Unary:
    """`arith.extui`."""
    source, target = _types(op)
    dtype = dtype_of(target)
    return lambda value: as_unsigned(value, source).astype(dtype)


def truncate(op: Operation) -> Unary:
    """`arith.trunci`: the low bits."""
    _, target = _types(op)
    if target == _I1:
        return lambda value: np.not_equal(np.bitwise_and(value, value.dtype.type(1)), 0)
    dtype = dtype_of(target)
    return wrapped(lambda value: value.astype(dtype), target)


def _width(kind: Attribute) -> int:
    return integer_width(kind) or 64


def index_cast(op: Operation) -> Unary:
    """`arith.index_cast`: sign extension or truncation."""
    source, target = _types(op)
    return truncate(op) if _width(target) < _width(source) else sign_extend(op)


def index_cast_unsigned(op: Operation) -> Unary:
    """`arith.index_castui`: zero extension or truncation."""
    source, target = _types(op)
    return truncate(op) if _width(target) < _width(source) else zero_extend(op)


def signed_to_float(op: Operation) -> Unary:
    """`arith.sitofp`."""
    source, target = _types(op)
    dtype = dtype_of(target)
    if source == _I1:
        return lambda value: np.negative(value.astype(dtype))
    return lambda value: value.astype(dtype)


def unsigned_to_float(op: Operation) -> Unary:
    """`arith.uitofp`."""
    source, target = _types(op)
    dtype = dtype_of(target)
    return lambda value: as_unsigned(value, source).astype(dtype)


def float_to_signed(op: Operation) -> Unary:
    """`arith.fptosi`; see `_saturating`."""
    return _saturating(op, signed=True)


def float_to_unsigned(op: Operation) -> Unary:
    """`arith.fptoui`; see `_saturating`."""
    return _saturating(op, signed=False)


def _saturating(op: Operation, *, signed: bool) -> Unary:
    """Whole numbers from floats, towards zero.

    What MLIR leaves undefined is the same on every machine: numbers out of range become the
    nearest in range, NaN becomes 0.
    """
    _, target = _types(op)
    if target == _I1:
        return lambda value: np.not_equal(np.trunc(value), 0)
    dtype = dtype_of(target)
    bits = integer_width(target) or 64
    low, past = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
    whole_type = dtype if signed else np.dtype(f"u{dtype.itemsize}")

    def convert(value: Array) -> Array:
        floats = np.asarray(value)
        if floats.dtype.itemsize < 4:
            floats = floats.astype(np.float32)
        whole = np.trunc(floats)
        inside = (whole >= float(low)) & (whole < float(past))
        if inside.all():
            return whole.astype(whole_type).view(dtype)[()]
        found = np.where(inside, whole, 0).astype(whole_type)
        found = np.where(whole < float(low), whole_type.type(low), found)
        found = np.where(whole >= float(past), whole_type.type(past - 1), found)
        return found.view(dtype)[()]

    return wrapped(convert, target)


def float_to_float(op: Operation) -> Unary:
    """`arith.extf`, `arith.truncf`."""
    _, target = _types(op)
    dtype = dtype_of(target)
    return lambda value: value.astype(dtype)


def bitcast(op: Operation) -> Unary:
    """`arith.bitcast` and `tensor.bitcast`: the same bits as another type of the same width."""
    source, target = _types(op)
    if source == target:
        return lambda value: value
    return partial(_view, dtype_of(target))


def _view(dtype: np.dtype[Any], value: Array) -> Array:
    return np.asarray(value).view(dtype)[()]


CONVERSIONS: dict[str, Callable[[Operation], Unary]] = {
    arith.BitcastOp.name: bitcast,
    arith.ExtFOp.name: float_to_float,
    arith.ExtSIOp.name: sign_extend,
    arith.ExtUIOp.name: zero_extend,
    arith.FPToSIOp.name: float_to_signed,
    arith.FPToUIOp.name: float_to_unsigned,
    arith.IndexCastOp.name: index_cast,
    "arith.index_castui": index_cast_unsigned,
    "index.casts": index_cast,
    "index.castu": index_cast_unsigned,
    arith.SIToFPOp.name: signed_to_float,
    "tensor.bitcast": bitcast,
    arith.TruncFOp.name: float_to_float,
    arith.TruncIOp.name: truncate,
    arith.UIToFPOp.name: unsigned_to_float,
}
"""By op name, since arith ops that xDSL lacks come from elsewhere."""
