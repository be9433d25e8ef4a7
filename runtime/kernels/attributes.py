"""Attributes of linalg ops in the forms that MLIR's texts have them."""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    StringAttr,
)
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineMap


def attribute(op: Operation, name: str) -> Attribute | None:
    """A property or attribute of `op`."""
    found = op.properties.get(name)
    return op.attributes.get(name) if found is None else found  # a zero is false


def integers(op: Operation, name: str, default: Sequence[int]) -> tuple[int, ...]:
    """An array of integers of `op`, in whichever of MLIR's forms; `default` without it."""
    found = attribute(op, name)
    if found is None:
        return tuple(default)
    if isinstance(found, DenseArrayBase | DenseIntOrFPElementsAttr):
        return tuple(int(value) for value in found.get_values())
    return tuple(item.value.data for item in _items(found))


def _items(found: Attribute | None) -> Sequence[Any]:
    assert isinstance(found, ArrayAttr)
    return cast(ArrayAttr[Any], found).data


def indexing_maps(op: Operation) -> tuple[AffineMap, ...] | None:
    """The op's own indexing maps, if it has any."""
    found = attribute(op, "indexing_maps")
    if found is None:
        return None
    return tuple(item.data for item in _items(found) if isinstance(item, AffineMapAttr))


def parallel_loops(op: Operation) -> tuple[bool, ...]:
    """Which loops are parallel, by the op's iterator types."""
    return tuple(is_parallel(item) for item in _items(attribute(op, "iterator_types")))


def is_parallel(item: Attribute) -> bool:
    """Whether an iterator type, in either of its forms, is parallel."""
    if isinstance(item, IteratorTypeAttr):
        return item.data is IteratorType.PARALLEL
    return isinstance(item, StringAttr) and item.data == "parallel"
