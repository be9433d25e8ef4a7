"""Bytes of a dense row-major tensor in memory, as IREE's stream dialect lays it out."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, ShapedType
from xdsl.ir import Attribute

from ...dialects.storage import element_bits, word_bits

INDEX_BYTES = 8
WHOLE_BITS = (8, 16, 32, 64)
"""Widths that are not packed."""


class Packing(NamedTuple):
    """How elements lie in memory: so many of them in a word of so many bytes."""

    elements: int
    word: int

    @staticmethod
    def of(element: Attribute) -> Packing | None:
        """The packing of elements of a type; None where their size is not known."""
        if isinstance(element, IndexType):
            return Packing(1, INDEX_BYTES)
        bits = element_bits(element)
        if not bits:
            return None
        word = word_bits(bits)
        if bits == 1 or bits in WHOLE_BITS or bits > word:
            return Packing(1, -(-bits // 8))
        return Packing(word // bits, word // 8)

    def bytes(self, count: int) -> int:
        """Bytes that `count` elements take."""
        return -(-count // self.elements) * self.word


def static_dims(type: ShapedType) -> list[int]:
    """The static dimensions, in order."""
    return [dim for dim in type.get_shape() if dim != DYNAMIC_INDEX]
