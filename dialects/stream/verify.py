"""Checks that several stream verifiers share. Each raises VerifyException.

IREE checks that sizes and ranges are there; here constant ranges must also fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, NoneAttr, TensorType, UnregisteredAttr
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..access import Access
from ..format import SizeAware
from ..shapes import dynamic_dimension_count, shape_of
from ..verify import check_constant_range, check_count, constant_index

if TYPE_CHECKING:
    from .async_update import AsyncCopyOp
    from .cmd import CmdCopyOp
    from .resource_layout import (
        ResourcePackOp,
    )


def check_sizes(values: Sequence[SSAValue], sizes: Sequence[SSAValue], what: str) -> None:
    """Each resource among `values` has its size among `sizes`."""
    expected = sum(isinstance(value.type, SizeAware) for value in values)
    check_count(f"{what} sizes", len(sizes), expected)


def check_dimensions(types: Sequence[Attribute], dims: Sequence[SSAValue], what: str) -> None:
    """As many values in `dims` as `types` have dynamic dimensions."""
    expected = dynamic_dimension_count(types)
    check_count(f"dynamic dimensions of the {what} encoding", len(dims), expected)


def check_rank(
    encoding: Attribute, values: Sequence[SSAValue], what: str, *, or_none: bool = False
) -> None:
    """One value for each dimension of `encoding`; with `or_none` there may be none at all."""
    if values or not or_none:
        check_count(what, len(values), len(shape_of(encoding)))


_SHAPELESS_ENCODING = "iree_encoding.packed_storage"
"""The one encoding that leaves the layout of a tensor as it is without an encoding."""


def check_clone_encodings(source: Attribute, result: Attribute) -> None:
    """A clone may change shape and element type, but not drop or add an encoding.

    Whether two encodings are one layout is known to their dialects only: that passes.
    """
    if not isinstance(source, TensorType) or not isinstance(result, TensorType):
        return
    sides = (source.encoding, result.encoding)
    stated = [side for side in sides if not isinstance(side, NoneAttr)]
    if len(stated) != 1:
        return
    name = _attribute_name(stated[0])
    # An attribute of the builtin dialect is no encoding that has a layout.
    if name != _SHAPELESS_ENCODING and "." in name and not name.startswith("builtin."):
        raise VerifyException(
            f"expected an encoding on both source and result or on none, got {stated[0]} on one;"
            " encode instead of clone"
        )


def _attribute_name(attr: Attribute) -> str:
    return attr.attr_name.data if isinstance(attr, UnregisteredAttr) else attr.name


def check_one_type(values: Sequence[SSAValue]) -> None:
    """All values have one type."""
    types = [str(value.type) for value in values]
    if any(type != types[0] for type in types):
        raise VerifyException(f"expected results of one type, got {', '.join(types)}")


def check_same_types(operands: Sequence[SSAValue], results: Sequence[SSAValue]) -> None:
    """Results have the types of the operands."""
    expected = ", ".join(str(value.type) for value in operands)
    got = ", ".join(str(value.type) for value in results)
    if expected != got:
        raise VerifyException(f"expected result types ({expected}), got ({got})")


def check_range(offset: SSAValue, length: SSAValue, size: SSAValue, what: str) -> None:
    """Where all are constants, [offset, offset + length) lies within [0, size)."""
    start, extent = constant_index(offset), constant_index(length)
    if start is None or extent is None:
        return
    check_constant_range(start, start + extent, constant_index(size), what)


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


def check_access(index: int, got: Access, needed: Access) -> None:
    """Binding `index` has at least the access `needed`."""
    if needed & ~got:
        raise VerifyException(f"expected access {needed.name} for resource {index}, got {got.name}")


def captured(value: SSAValue) -> SSAValue:
    """What an argument of an execution region stands for outside; any other value is itself."""
    while isinstance(value, BlockArgument):
        parent = value.block.parent_op()
        operands = getattr(parent, "resource_operands", ())
        if value.index >= len(operands):
            return value
        value = operands[value.index]
    return value


def check_copy_overlap(op: AsyncCopyOp | CmdCopyOp) -> None:
    """A copy within one resource reads and writes ranges apart, where they are known."""
    if captured(op.source) is not captured(op.target):
        return
    source, target = constant_index(op.source_offset), constant_index(op.target_offset)
    length = constant_index(op.length)
    if source is None or target is None or length is None:
        return
    if abs(source - target) < length:
        raise VerifyException(
            f"expected ranges apart in one resource, got [{source}, {source + length}) and"
            f" [{target}, {target + length}); copy by way of another resource"
        )
