"""Shapes: dynamic dimensions and the values that stand for them, and compatibility."""

from collections.abc import Iterable, Sequence
from math import prod
from typing import Protocol, cast, runtime_checkable

from xdsl.dialects.builtin import DYNAMIC_INDEX, ContainerType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException


@runtime_checkable
class Shaped(Protocol):
    """A type with a shape: xDSL's shaped types and `!iree_tensor_ext.dispatch.tensor`."""

    def get_shape(self) -> tuple[int, ...]:
        """The sizes; `DYNAMIC_INDEX` for a dynamic one."""
        ...


def shape_of(type: Attribute) -> tuple[int, ...]:
    """The shape of a type; empty where it has none."""
    return type.get_shape() if isinstance(type, Shaped) else ()


def shape_text(shape: Sequence[int]) -> str:
    """A shape as `[4, ?]`, for messages."""
    return f"[{', '.join('?' if size == DYNAMIC_INDEX else str(size) for size in shape)}]"


def element_type_of(type: Attribute) -> Attribute:
    """The type of the elements of a tensor, vector or buffer; the type itself where it has none."""
    return cast(Attribute, type.get_element_type()) if isinstance(type, ContainerType) else type


def dynamic_dimension_count(types: Iterable[Attribute]) -> int:
    """How many values state the dynamic dimensions of values of these types."""
    return sum(shape_of(type).count(DYNAMIC_INDEX) for type in types)


def verify_dynamic_dims(what: str, values: Iterable[SSAValue], dims: Sequence[SSAValue]) -> None:
    """Checks that `dims` are as many as the values have dynamic dimensions.

    Raises:
        VerifyException: naming `what`, the values that the dimensions belong to.
    """
    expected = dynamic_dimension_count(value.type for value in values)
    if expected != len(dims):
        raise VerifyException(
            f"expected a value for each of {expected} dynamic dimensions of {what}, got {len(dims)}"
        )


def element_count(type: Attribute) -> int | None:
    """How many elements a type of static shape has; None where a dimension is dynamic."""
    shape = shape_of(type)
    return None if DYNAMIC_INDEX in shape else prod(shape)


def are_compatible_shapes(lhs: Sequence[int], rhs: Sequence[int]) -> bool:
    """Whether both may be the shape of one value: equal but for dynamic dimensions."""
    return len(lhs) == len(rhs) and all(
        a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(lhs, rhs, strict=True)
    )
