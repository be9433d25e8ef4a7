"""Scalars as push constants: unsigned 32-bit words, low word first, 64-bit values in two."""

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr
from xdsl.ir import Attribute

from ..element_types import dtype_of_name


def words_of(value: IntegerAttr | FloatAttr, type: Attribute) -> tuple[int, ...]:
    """The words of a scalar of MLIR type `type`; values narrower than a word are zero-extended."""
    if isinstance(type, IndexType):
        return _split(value.value.data & 0xFFFF_FFFF_FFFF_FFFF, 2)
    dtype = dtype_of_name(str(type))
    if isinstance(value, FloatAttr):
        bits = int.from_bytes(np.array(value.value.data, dtype=dtype).tobytes(), "little")
    else:
        bits = value.value.data & ((1 << (8 * dtype.itemsize)) - 1)
    return _split(bits, 2 if dtype.itemsize == 8 else 1)


def _split(bits: int, count: int) -> tuple[int, ...]:
    return tuple((bits >> (32 * index)) & 0xFFFF_FFFF for index in range(count))
