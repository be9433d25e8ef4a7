"""Checks that several stream verifiers share. Each raises VerifyException.

IREE checks that sizes and ranges are there; here constant ranges must also fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, ShapedType
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..format import SizeAware, dimension_count

if TYPE_CHECKING:
    from .resource import ResourcePackOp


def constant_index(value: SSAValue) -> int | None:
    """The number that `value` is known to be, or None."""
    if not isinstance(value, OpResult):
        return None
    op = value.op
    if op.name != "arith.constant":
        return None
    attr = op.properties.get("value")
    return attr.value.data if isinstance(attr, IntegerAttr) else None


def check_count(what: str, got: int, expected: int) -> None:
    """`got` is `expected`."""
    if got != expected:
        raise VerifyException(f"expected {expected} {what}, got {got}")


def check_sizes(values: Sequence[SSAValue], sizes: Sequence[SSAValue], what: str) -> None:
    """Each resource among `values` has its size among `sizes`."""
    expected = sum(isinstance(value.type, SizeAware) for value in values)
    check_count(f"{what} sizes", len(sizes), expected)


def check_dimensions(types: Sequence[Attribute], dims: Sequence[SSAValue], what: str) -> None:
    """As many values in `dims` as `types` have dynamic dimensions."""
    expected = sum(dimension_count(type) for type in types if isinstance(type, ShapedType))
    check_count(f"dynamic dimensions of the {what} encoding", len(dims), expected)


def check_range(offset: SSAValue, length: SSAValue, size: SSAValue, what: str) -> None:
    """Where all are constants, [offset, offset + length) lies within [0, size)."""
    start, extent = constant_index(offset), constant_index(length)
    if start is None or extent is None:
        return
    check_constant_range(start, start + extent, constant_index(size), what)


def check_constant_range(start: int, end: int, size: int | None, what: str) -> None:
    """[start, end) lies within [0, size)."""
    if start < 0 or end < start:
        raise VerifyException(f"expected a {what} range of ascending bytes, got [{start}, {end})")
    if size is not None and end > size:
        raise VerifyException(
            f"expected a {what} range within [0, {size}), got [{start}, {end});"
            " shorten it or enlarge the resource"
        )


def check_end_range(
    offset: SSAValue,
    end: SSAValue,
    length: SSAValue | None,
    size: SSAValue,
    what: str,
) -> None:
    """Where constant: end = offset + length, and the range lies within [0, size)."""
    start, stop = constant_index(offset), constant_index(end)
    extent = None if length is None else constant_index(length)
    if start is None:
        return
    if stop is None:
        if extent is not None:
            check_constant_range(start, start + extent, constant_index(size), what)
        return
    if extent is not None and stop - start != extent:
        raise VerifyException(
            f"expected {what} end {start + extent} = {start} + {extent}, got {stop};"
            " state the end as offset + length"
        )
    check_constant_range(start, stop, constant_index(size), what)


def value_bytes(type: Attribute) -> int | None:
    """Bytes that a stored value of `type` takes, or None where that depends on the target."""
    if isinstance(type, IndexType):
        return None
    size = getattr(type, "size", None)
    return size if isinstance(size, int) else None


def check_value_access(offset: SSAValue, size: SSAValue, type: Attribute, what: str) -> None:
    """A value of `type` at constant `offset` lies within constant `size`."""
    start, width = constant_index(offset), value_bytes(type)
    if start is not None:
        check_constant_range(start, start + (width or 0), constant_index(size), what)


def check_pack(op: ResourcePackOp) -> None:
    """Two bounds and one offset for each slice, and intervals in order."""
    slices = len(op.dynamic_slice_sizes)
    check_count("packed offsets", len(op.packed_offsets), slices)
    check_count("lifetime bounds", len(op.lifetime_intervals), 2 * slices)
    bounds = [bound.value.data for bound in op.lifetime_intervals]
    for start, end in zip(bounds[::2], bounds[1::2], strict=True):
        if end < start:
            raise VerifyException(
                f"expected a lifetime that ends at or after its start, got [{start}, {end}]"
            )
