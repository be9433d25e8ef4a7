"""Bytes of a dense row-major tensor in memory, as IREE's stream dialect encodes it."""

from math import prod

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ComplexType,
    FixedBitwidthType,
    IndexType,
    ShapedType,
    TensorType,
)
from xdsl.ir import Attribute
from xdsl.utils.hints import isa


def element_bytes(element: Attribute) -> int | None:
    """Bytes of one element; i1 takes a whole byte. None where no dense layout is known."""
    if isa(element, ComplexType):
        part = element_bytes(element.element_type)
        return None if part is None else 2 * part
    if isinstance(element, IndexType):
        return 8
    if not isinstance(element, FixedBitwidthType):
        return None
    if element.bitwidth == 1:
        return 1
    return element.bitwidth // 8 if element.bitwidth % 8 == 0 else None


def static_bytes(type: TensorType[Attribute]) -> int | None:
    """Bytes of the static dimensions times the element, or None for an unknown element."""
    size = element_bytes(type.element_type)
    return None if size is None else size * prod(static_dims(type))


def static_dims(type: ShapedType) -> list[int]:
    """The static dimensions, in order."""
    return [dim for dim in type.get_shape() if dim != DYNAMIC_INDEX]
