"""Element types of dispatch bodies as numpy dtypes.

A value of MLIR type T is held in the smallest numpy dtype that holds T: i1 as `bool`, i2…i64 as
signed integers of 8, 16, 32 or 64 bits (MLIR's integers have no sign of their own: the ops say
how they read them), index as int64, bf16 and the f8 types as those of `ml_dtypes`. An integer
whose width is not that of its dtype is kept sign-extended; `wrapper` restores that after an op.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias, cast

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import (
    BFloat16Type,
    ComplexType,
    ContainerType,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ShapedType,
)
from xdsl.ir import Attribute

Array = np.ndarray[Any, Any]
"""An array, or where an op's result has no dimensions a numpy scalar, which acts like one."""

FLOAT_DTYPES: dict[type[Attribute], np.dtype[Any]] = {
    Float16Type: np.dtype(np.float16),
    BFloat16Type: np.dtype(ml_dtypes.bfloat16),
    Float32Type: np.dtype(np.float32),
    Float64Type: np.dtype(np.float64),
    Float8E4M3FNType: np.dtype(ml_dtypes.float8_e4m3fn),
    Float8E4M3FNUZType: np.dtype(ml_dtypes.float8_e4m3fnuz),
    Float8E5M2Type: np.dtype(ml_dtypes.float8_e5m2),
    Float8E5M2FNUZType: np.dtype(ml_dtypes.float8_e5m2fnuz),
}

UNSIGNED: dict[np.dtype[Any], np.dtype[Any]] = {
    np.dtype(f"i{size}"): np.dtype(f"u{size}") for size in (1, 2, 4, 8)
}
"""The unsigned twin of each signed dtype."""

NARROW_FLOATS = frozenset(
    dtype for kind, dtype in FLOAT_DTYPES.items() if kind not in (Float32Type, Float64Type)
)
"""Floats whose sums numpy would accumulate in a wider type; MLIR rounds after each op."""


Unary: TypeAlias = Callable[[Array], Array]
Binary: TypeAlias = Callable[[Array, Array], Array]


class UnsupportedTypeError(ValueError):
    """A type that no kernel computes with; its message names the type."""


@cache
def dtype_of(type_: Attribute) -> np.dtype[Any]:
    """The dtype of a scalar type.

    Raises:
        UnsupportedTypeError: for a type without a dtype here.
    """
    match type_:
        case IntegerType():
            return _integer_dtype(integer_width(type_) or 0, type_)
        case IndexType():
            return np.dtype(np.int64)
        case ComplexType(element_type=Float32Type()):
            return np.dtype(np.complex64)
        case ComplexType(element_type=Float64Type()):
            return np.dtype(np.complex128)
        case _:
            dtype = FLOAT_DTYPES.get(type(type_))
            if dtype is None:
                raise UnsupportedTypeError(f"type {type_} has no numpy dtype")
            return dtype


def _integer_dtype(width: int, type_: Attribute) -> np.dtype[Any]:
    if width == 1:
        return np.dtype(np.bool_)
    for size in (8, 16, 32, 64):
        if width <= size:
            return np.dtype(f"i{size // 8}")
    raise UnsupportedTypeError(f"type {type_} is wider than 64 bits")


def element_type(type_: Attribute) -> Attribute:
    """The element type of a shaped type; a scalar type itself."""
    if isinstance(type_, ShapedType) and isinstance(type_, ContainerType):
        return cast(ContainerType[Attribute], type_).get_element_type()
    return type_


def integer_width(type_: Attribute) -> int | None:
    """The bits of an integer type; None for any other, index included."""
    return cast(IntegerType, type_).width.data if isinstance(type_, IntegerType) else None


def is_byte_sized(type_: Attribute) -> bool:
    """Whether memory holds one element of `type_` exactly as the dtype's bytes (i1 is a byte)."""
    return integer_width(type_) in (None, 1, 8, 16, 32, 64)


def wrapper(type_: Attribute) -> Unary | None:
    """What brings an integer result back into an odd-sized `type_`; None where nothing is due."""
    width = integer_width(type_)
    if width is None or is_byte_sized(type_):
        return None
    dtype = dtype_of(type_)
    shift = dtype.type(dtype.itemsize * 8 - width)
    return lambda value: np.right_shift(np.left_shift(value, shift), shift)


def wrapped(function: Unary, type_: Attribute) -> Unary:
    """`function` with its result brought back into an odd-sized integer type."""
    wrap = wrapper(type_)
    return function if wrap is None else lambda value: wrap(function(value))


def as_unsigned(value: Array, type_: Attribute) -> Array:
    """The integer `value` of `type_` read without sign, in an unsigned dtype (i1 stays bool)."""
    twin = UNSIGNED.get(value.dtype)
    if twin is None:
        return value
    unsigned = value.view(twin)
    width = integer_width(type_)
    if width is None or is_byte_sized(type_):
        return unsigned
    return unsigned & twin.type((1 << width) - 1)


def scalar(value: Any, type_: Attribute) -> Any:
    """The number `value` as a numpy scalar of `type_`, integers wrapped."""
    dtype = dtype_of(type_)
    if dtype.kind not in "ib":
        return dtype.type(value)
    width = integer_width(type_) or 64
    value = int(value) & ((1 << width) - 1)
    if dtype.kind == "b":
        return np.bool_(value)
    return dtype.type(value - (1 << width) if value >> (width - 1) else value)


def constant(attribute: Attribute) -> Any:
    """The value of a constant attribute: a numpy scalar, or a read-only array (splat: stride 0).

    Raises:
        UnsupportedTypeError: for an attribute whose contents are not in the module.
    """
    match attribute:
        case IntegerAttr():
            return scalar(attribute.value.data, attribute.type)
        case FloatAttr():
            return scalar(attribute.value.data, attribute.type)
        case DenseIntOrFPElementsAttr():
            return _dense(attribute)
        case DenseResourceAttr():
            raise UnsupportedTypeError(
                f"resource {attribute.resource_handle.data} is not in the module's text"
            )
        case _:
            raise UnsupportedTypeError(f"constant {attribute} is neither a number nor dense")


def _dense(attribute: DenseIntOrFPElementsAttr[Any]) -> Array:
    """A dense attribute's elements; one repeated element becomes a stride-0 view."""
    kind = attribute.get_element_type()
    dtype = dtype_of(kind)
    shape = attribute.get_shape()
    data = attribute.data.data
    if dtype.kind == "b":
        elements = np.frombuffer(data, np.uint8) != 0  # xDSL packs true as 0xff
    else:
        elements = np.frombuffer(data, dtype)
    if elements.size and (elements.size == 1 or data == data[: dtype.itemsize] * elements.size):
        return np.broadcast_to(elements[:1].reshape(()), shape)
    return elements.reshape(shape)
