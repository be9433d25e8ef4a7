"""Scalars as bytes, and as push constants: unsigned 32-bit words, 64-bit values in two."""

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute

from ..element_types import dtype_of_name


def bytes_of(value: Attribute, type: Attribute) -> bytes:
    """The little-endian bytes of a scalar of MLIR type `type`."""
    dtype = dtype_of_name(str(type))
    if isinstance(value, FloatAttr):
        return np.array(value.value.data, dtype=dtype).tobytes()
    assert isinstance(value, IntegerAttr)
    bits = int(value.value.data) & ((1 << (8 * dtype.itemsize)) - 1)
    return bits.to_bytes(dtype.itemsize, "little")


def words_of(value: Attribute, type: Attribute) -> tuple[int, ...]:
    """The words of a scalar, low word first; narrower values are extended with zeros."""
    data = bytes_of(value, type)
    padded = data.ljust(-(-len(data) // 4) * 4, b"\0")
    return tuple(
        int.from_bytes(padded[start : start + 4], "little") for start in range(0, len(padded), 4)
    )
