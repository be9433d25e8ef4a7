"""Builds ops by the names of their fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from typing_extensions import TypeVar
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import IRDLOperation

from .access import field_values

_OpT = TypeVar("_OpT", bound=IRDLOperation)

Field = SSAValue | Attribute | Region | Sequence[SSAValue] | Sequence[Attribute] | None
"""What a field may be given: operands as values, results as types, properties, regions."""


def build_op(
    op_type: type[_OpT],
    *,
    location: LocationAttr | None = None,
    discardable: Mapping[str, Attribute] | None = None,
    **fields: Field,
) -> _OpT:
    """Makes an op: `build_op(AsyncCloneOp, source=value, source_size=size, result_size=size,
    result=value.type)`.

    Operand fields take a value, or a sequence of values where variadic; result fields a type or
    a sequence of types; properties an attribute, by the name of the property or of its field;
    regions a region. Optional fields may be left out, and variadic ones are then empty.
    `discardable` are attributes beside the properties.

    Raises:
        ValueError: for names that are no fields of the op, or that it needs and are not given.
    """
    definition = op_type.get_irdl_definition()
    operands = [fields.pop(name, None) or () for name, _ in definition.operands]
    results = [_as_types(fields.pop(name, None)) for name, _ in definition.results]
    regions = [fields.pop(name, None) or Region() for name, _ in definition.regions]
    properties = {
        name: fields.pop(accessor)
        for accessor, (name, kind) in definition.accessor_names.items()
        if kind == "property" and accessor in fields
    }
    properties.update({name: fields.pop(name) for name in definition.properties if name in fields})
    if fields:
        raise ValueError(f"expected fields of {op_type.name}, got {', '.join(sorted(fields))}")
    op = op_type.build(
        operands=operands,  # pyright: ignore[reportArgumentType]
        result_types=results,  # pyright: ignore[reportArgumentType]
        properties=properties,  # pyright: ignore[reportArgumentType]
        regions=regions,  # pyright: ignore[reportArgumentType]
        attributes=dict(discardable or {}),
    )
    if location is not None:
        op.location = location
    return op


def rebuild_op(op: _OpT, **changes: Field) -> _OpT:
    """A copy of `op` with some fields changed, its location and attributes kept.

    Its regions move over to the copy unless they are among the changes.
    """
    definition = op.get_irdl_definition()
    fields: dict[str, Field] = {}
    for name, _ in (*definition.operands, *definition.regions):
        if name not in changes:
            fields[name] = getattr(op, name)
    for name, _ in definition.results:
        if name not in changes:
            fields[name] = [value.type for value in field_values(op, name)]
    for name in definition.properties:
        if name in op.properties and name not in changes and not name.endswith("SegmentSizes"):
            fields[name] = op.properties[name]
    for name, _ in definition.regions:
        if name in fields:
            op.detach_region(getattr(op, name))
    return build_op(type(op), location=op.location, discardable=op.attributes, **(fields | changes))


def _as_types(field: Field) -> Field:
    return () if field is None else field
