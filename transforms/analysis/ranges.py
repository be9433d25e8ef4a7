"""Byte ranges of resources as far as they are constant: arithmetic, and what ops state of them."""

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.access import Access, RangeAccess, range_accesses
from ..build import constant_value
from .hazards import WHOLE, Range
from .sizes import stated_sizes


def shifted(range: Range, by: int | None) -> Range:
    """`range` counted from `by` bytes earlier; the part before 0 is cut off."""
    if by is None or (range.start == 0 and range.end is None):
        return WHOLE
    return Range(max(range.start + by, 0), None if range.end is None else max(range.end + by, 0))


def meets(left: Range, right: Range) -> bool:
    """Whether two ranges have bytes in common."""
    return (left.end is None or right.start < left.end) and (
        right.end is None or left.start < right.end
    )


def covers(outer: Range, inner: Range) -> bool:
    """Whether all of `inner` is in `outer`."""
    end = outer.end is None or (inner.end is not None and inner.end <= outer.end)
    return outer.start <= inner.start and end


def range_of(access: RangeAccess) -> Range:
    """The bytes accessed; all of them where the range is not constant."""
    start = 0 if access.offset is None else constant_value(access.offset)
    length = constant_value(access.length)
    return WHOLE if start is None or length is None else Range(start, start + length)


def extent(value: SSAValue) -> Range:
    """The bytes of `value`, as far as they are known."""
    owner = value.owner
    if isinstance(owner, Block):
        return WHOLE
    size = dict(stated_sizes(owner)).get(value)
    return Range(0, None if size is None else constant_value(size))


def written_ranges(op: Operation, operand: SSAValue) -> list[Range]:
    """The bytes of `operand` that `op` overwrites."""
    found = [
        range_of(access)
        for access in range_accesses(op)
        if access.value is operand and access.mode & Access.WRITE
    ]
    return list(dict.fromkeys(found)) or [WHOLE]
