"""Building ops by field name, at the place and location of the op they come from."""

from collections.abc import Sequence
from typing import Any, TypeVar

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IndexType, IntegerAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation

from ..dialects.access import field_values, operand_offset
from ..dialects.build import build_op

OpT = TypeVar("OpT", bound=IRDLOperation)

INDEX = IndexType()


def make(
    op_class: type[OpT],
    origin: Operation | None,
    results: Sequence[Attribute | Sequence[Attribute] | None] = (),
    /,
    **fields: Any,
) -> OpT:
    """Build an op from operands, properties and regions named by its field names.

    Args:
        op_class: the op to build.
        origin: the op it comes from, whose location it takes; None for no location.
        results: a type per result field; for a variadic field, a sequence of types.
        fields: values, lists of values, attributes and regions by field name. Operand fields not
            named are empty. Discardable attributes go into `attributes={…}`.

    Raises:
        ValueError: a field that `op_class` does not have, or not a type for each result field.
    """
    definition = op_class.get_irdl_definition()
    names = [name for name, _ in definition.results]
    if len(results) != len(names):
        raise ValueError(f"expected {len(names)} results for {op_class.name}, got {len(results)}")
    return build_op(
        op_class,
        location=None if origin is None else origin.location,
        discardable=fields.pop("attributes", None),
        **fields,
        **dict(zip(names, results, strict=True)),
    )


def set_operands(op: IRDLOperation, field: str, values: Sequence[SSAValue]) -> None:
    """Replace the operands of `field`, an optional or variadic one."""
    at = operand_offset(op, field)
    operands = list(op.operands)
    operands[at : at + len(field_values(op, field))] = values
    op.operands = operands
    segments = op.properties.get("operandSegmentSizes")
    if isinstance(segments, DenseArrayBase):
        sizes = list(segments.get_values())
        names = [name for name, _ in op.get_irdl_definition().operands]
        sizes[names.index(field)] = len(values)
        op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)


def tied_indices(indices: Sequence[int | None]) -> ArrayAttr[IntegerAttr[IndexType]]:
    """A `tied_operands` property: per result the operand index, or -1 for none."""
    return ArrayAttr(IntegerAttr(-1 if index is None else index, INDEX) for index in indices)


def constant_value(value: SSAValue) -> int | None:
    """The integer that `value` is a constant of, or None."""
    op = value.owner
    if not isinstance(op, Operation) or op.name != "arith.constant":
        return None
    attribute = op.properties.get("value")
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None
