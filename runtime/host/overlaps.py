"""Whether the moves of one call, in no order among them, touch bytes that another one writes."""

from collections.abc import Sequence

from .copies import Move
from .operands import Operand
from .registry import array_address


def first_overlap(moves: Sequence[Move]) -> tuple[int, int] | None:
    """Numbers of two moves (or one, twice) of which one writes bytes that the other reads or
    writes; None where there are none. n log n."""
    ranges = sorted(
        (*_place(operand, offset), move.size, writes, index)
        for index, move in enumerate(moves)
        for operand, offset, writes in (
            (move.source, move.source_offset, False),
            (move.target, move.target_offset, True),
        )
    )
    space = -1
    any_end = write_end = any_index = write_index = 0
    for where, start, size, writes, index in ranges:
        if where != space:
            space, any_end, write_end = where, start, start
        if writes and start < any_end:
            return min(any_index, index), max(any_index, index)
        if start < write_end:
            return min(write_index, index), max(write_index, index)
        if start + size > any_end:
            any_end, any_index = start + size, index
        if writes and start + size > write_end:
            write_end, write_index = start + size, index
    return None


def _place(operand: Operand, offset: int) -> tuple[int, int]:
    """The address space and the address: 0 for what the runtime knows, 1 for other arrays."""
    if operand.pointer is not None:
        return 0, operand.pointer.address + offset
    assert operand.array is not None
    return 1, array_address(operand.array) + offset
