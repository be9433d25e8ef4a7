"""How many bytes elements take in memory, and constants in the program image.

IREE's rules: i1 takes a byte; other widths that are no machine word are packed, as many as fit,
into words of twice the width, rounded up to a power of two bytes and at most 64 bits.
"""

from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ComplexType,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FixedBitwidthType,
    NoneAttr,
    StringAttr,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute

from .shapes import element_type_of, shape_of


def element_bits(type: Attribute) -> int | None:
    """Bits of one element; None for types without a width, such as index."""
    if isinstance(type, FixedBitwidthType):
        return type.bitwidth
    if not isinstance(type, ComplexType | VectorType):
        return None
    part = element_bits(element_type_of(cast(Attribute, type)))
    count = 2 if isinstance(type, ComplexType) else prod(shape_of(cast(Attribute, type)))
    return None if part is None else count * part


def word_bits(bits: int) -> int:
    """Bits of the word that elements of `bits` bits are packed into."""
    width = -(-min(2 * bits, 64) // 8)
    return 8 * (1 << (width - 1).bit_length())


def packed_bytes(count: int, element_type: Attribute) -> int | None:
    """Bytes that `count` elements take; None where the element has no width."""
    bits = element_bits(element_type)
    if bits is None or bits == 0:
        return None
    if bits == 1:
        return count
    if bits in (8, 16, 32, 64):
        return count * bits // 8
    word = word_bits(bits)
    if bits > word:
        return count * -(-bits // 8)
    return -(-count // (word // bits)) * word // 8


def type_bytes(type: Attribute) -> int | None:
    """Bytes that a tensor or vector takes.

    None where that is not known: for a dynamic shape, and for a tensor with an encoding.
    """
    shape = shape_of(type)
    encoded = isinstance(type, TensorType) and type.encoding != NoneAttr()
    if encoded or DYNAMIC_INDEX in shape:
        return None
    return packed_bytes(prod(shape), element_type_of(cast(Attribute, type)))


def constant_bytes(value: Attribute) -> int | None:
    """Bytes that a constant takes in the image; None where that is not known."""
    if isinstance(value, StringAttr):
        return len(value.data.encode())
    if isinstance(value, DenseIntOrFPElementsAttr | DenseResourceAttr):
        return type_bytes(cast(Attribute, value.type))
    return None
