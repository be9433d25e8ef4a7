"""Values of the reference: what numpy holds for each MLIR type, and constants.

A tensor is an `ndarray` in row-major order; an integer, index or float a numpy scalar, or, inside
the body of a structured op, an array with one element per point of the iteration space. Signless
integers are held signed, `index` in 64 bits, `i1` as `bool`.
"""

from collections.abc import Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    Builtin,
    ComplexType,
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
    Signedness,
    TensorType,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from ..element_types import Array, InputError

_FLOATS: dict[type[Attribute], np.dtype[Any]] = {
    Float16Type: np.dtype(np.float16),
    BFloat16Type: np.dtype(ml_dtypes.bfloat16),
    Float32Type: np.dtype(np.float32),
    Float64Type: np.dtype(np.float64),
    Float8E4M3FNType: np.dtype(ml_dtypes.float8_e4m3fn),
    Float8E4M3FNUZType: np.dtype(ml_dtypes.float8_e4m3fnuz),
    Float8E5M2Type: np.dtype(ml_dtypes.float8_e5m2),
    Float8E5M2FNUZType: np.dtype(ml_dtypes.float8_e5m2fnuz),
}

_COMPLEX: dict[np.dtype[Any], np.dtype[Any]] = {
    np.dtype(np.float32): np.dtype(np.complex64),
    np.dtype(np.float64): np.dtype(np.complex128),
}

_UNDEFINED = 0xCD
"""Fills what `tensor.empty` leaves undefined, so that reading it shows."""


def op_name(op: Operation) -> str:
    """The name of `op`, in generic form without a registered class too."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def inherent(op: Operation, name: str) -> Attribute | None:
    """The property or attribute `name` of `op`, wherever its parser put it."""
    return op.properties.get(name, op.attributes.get(name))


def integers(op: Operation, name: str) -> tuple[int, ...]:
    """The integers of the array or elements attribute `name` of `op`; none where it is absent."""
    attribute = inherent(op, name)
    if attribute is None:
        return ()
    if isinstance(attribute, IntegerAttr):
        return (attribute.value.data,)
    if isinstance(attribute, ArrayAttr):
        return tuple(
            cast(IntegerAttr, element).value.data
            for element in cast(Sequence[Attribute], attribute.data)
        )
    return tuple(int(value) for value in cast(Any, attribute).get_values())


def element_dtype(type_: Attribute) -> np.dtype[Any]:
    """The numpy dtype for a scalar type or a tensor's elements; InputError where there is none."""
    scalar: Attribute = cast(Any, type_).element_type if is_tensor(type_) else type_
    if isinstance(scalar, IndexType):
        return np.dtype(np.int64)
    dtype = _FLOATS.get(type(scalar))
    if isa(scalar, IntegerType):
        dtype = _integer_dtype(scalar)
    elif isa(scalar, ComplexType):
        parts = _FLOATS.get(type(scalar.element_type))
        dtype = _COMPLEX.get(parts) if parts is not None else None
    if dtype is None:
        raise InputError(f"no values of type {type_}; expected i1, i8…i64, a float or complex")
    return dtype


def _integer_dtype(type_: IntegerType) -> np.dtype[Any] | None:
    width = type_.width.data
    if width == 1:
        return np.dtype(np.bool_)
    if width not in (8, 16, 32, 64):
        return None
    is_unsigned = type_.signedness.data is Signedness.UNSIGNED
    return np.dtype(f"{'u' if is_unsigned else 'i'}{width // 8}")


def holds_numbers(type_: Attribute) -> bool:
    """Whether values of `type_` are held by numpy at all (a buffer view or a fence is not)."""
    scalars = (IndexType, IntegerType, ComplexType, *_FLOATS)
    return isinstance(type_, (TensorType, *scalars))


def is_tensor(type_: Attribute) -> bool:
    """Whether values of `type_` are ranked tensors."""
    return isinstance(type_, TensorType)


def tensor_shape(type_: Attribute) -> tuple[int | None, ...]:
    """The dimensions of a tensor type, None where dynamic."""
    shape = cast("TensorType[Attribute]", type_).get_shape()
    return tuple(None if size < 0 else size for size in shape)


def undefined(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """A tensor whose elements nobody has written."""
    count = int(np.prod(shape, dtype=np.int64))
    filler = 1 if dtype == np.bool_ else _UNDEFINED
    return np.full(count * dtype.itemsize, filler, np.uint8).view(dtype).reshape(shape)


def constant(attribute: Attribute, type_: Attribute) -> Array | np.generic:
    """The value of a constant attribute of `type_`; InputError for one that holds no numbers."""
    dtype = element_dtype(type_)
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        shape = attribute.get_shape()
        return _from_bytes(attribute.data.data, dtype).reshape(shape)
    if isinstance(attribute, DenseResourceAttr):
        content = _resource(attribute.resource_handle.data)
        return _from_bytes(content, dtype).reshape(attribute.type.get_shape())
    if isinstance(attribute, FloatAttr | IntegerAttr):
        number = cast("int | float", cast(Any, attribute).value.data)
        return _scalar(number, dtype)
    if isinstance(attribute, ArrayAttr) and dtype.kind == "c":
        real, imaginary = (
            float(cast(Any, part).value.data) for part in cast(Sequence[Attribute], attribute.data)
        )
        return dtype.type(complex(real, imaginary))
    raise InputError(f"no value for the constant {attribute}")


def _resource(handle: str) -> bytes:
    """The contents of a resource of the file: after the alignment that is its first word."""
    resources = Builtin.get_interface(OpAsmDialectInterface)
    text = None if resources is None else resources.lookup(handle)
    if not text:
        raise InputError(f"no contents for the resource {handle}; is it elided in the file?")
    return bytes.fromhex(text.removeprefix("0x"))[4:]


def _from_bytes(content: bytes, dtype: np.dtype[Any]) -> Array:
    if dtype == np.bool_:
        # One byte per element, 0xFF for true.
        return (np.frombuffer(content, np.uint8) & 1).astype(np.bool_)
    return np.frombuffer(content, dtype)


def _scalar(number: float, dtype: np.dtype[Any]) -> np.generic:
    if dtype == np.bool_:
        return np.bool_(int(number) & 1)
    if dtype.kind in "iu":
        bits = int(number) & ((1 << (dtype.itemsize * 8)) - 1)
        return dtype.type(np.asarray(bits, np.uint64).astype(dtype))
    return dtype.type(round_float(np.asarray(float(number)), dtype))


def round_float(values: Array, dtype: np.dtype[Any]) -> Array:
    """`values` rounded once, to nearest even, to the floats of `dtype`."""
    if values.dtype == np.float64 and dtype.kind == "V":
        # ml_dtypes rounds f64 through f32, which rounds twice; to odd first, it does not.
        values = _round_to_odd(values).astype(np.float32)
    return np.asarray(values.astype(dtype))


def _round_to_odd(values: Array) -> Array:
    """f64 as f32, and where that is inexact the neighbour whose last bit is set."""
    narrow = values.astype(np.float32)
    bits = np.atleast_1d(narrow).view(np.uint32).reshape(narrow.shape)
    inexact = np.isfinite(values) & np.isfinite(narrow) & (narrow != values)
    towards = np.where(values > narrow, np.float32(np.inf), np.float32(-np.inf))
    is_even = (bits & 1) == 0
    return np.where(inexact & is_even, np.nextafter(narrow, towards), narrow)
