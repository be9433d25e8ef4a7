"""Logical addresses of a model's memory (GE-19 to GE-25).

    F = 4096, align 512, in the order D0(1000) O0(700) D1(200) O1(300):
    O0 at 4096, O1 at 5120, D1 at 5632, D0 at 6144, end 7168

Temporaries come first and share bytes where their lifetimes do not meet. A zero-copy block shares
its range with nothing. The total is minimal for these rules: F is what packing gives, and every
further byte belongs to a block or is what its alignment asks for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ...dialects.io_plan import MemoryBlock
from ..analysis.packing import Slice, align, pack


@dataclass(frozen=True, slots=True)
class ZeroCopyTensor:
    """An input or output that gets a block of its own."""

    name: str
    size: int
    """Bytes."""
    is_input: bool
    ordinal: int


def feature_map(slices: Sequence[Slice], alignment: int) -> tuple[list[int], int]:
    """The logical address of each temporary, and the end F of the feature map, in bytes."""
    return pack(slices, alignment)


def place_zero_copy(
    tensors: Sequence[ZeroCopyTensor], feature_map_size: int, alignment: int
) -> tuple[MemoryBlock, ...]:
    """The blocks of `tensors`, one after the other from the end of the feature map on.

    Outputs come first, as given, then inputs by ascending size, as given where that is equal: so
    that copies of neighbouring inputs can be one (GE-21, GE-23).
    """
    outputs = [tensor for tensor in tensors if not tensor.is_input]
    inputs = sorted((tensor for tensor in tensors if tensor.is_input), key=lambda t: t.size)
    blocks: list[MemoryBlock] = []
    offset = align(feature_map_size, alignment)
    for tensor in (*outputs, *inputs):
        size = align(tensor.size, alignment)
        blocks.append(
            MemoryBlock(tensor.name, offset, tensor.size, size, tensor.is_input, tensor.ordinal)
        )
        offset += size
    return tuple(blocks)
