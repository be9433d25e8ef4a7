"""The size in bytes that an op states for each resource it takes or gives."""

from collections.abc import Iterator
from functools import cache

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation

from ...dialects import stream
from ...dialects.access import field_values

_SIZE_FIELDS = {
    "resource_operands": ("resource_operand_sizes",),
    "resources": ("resource_sizes",),
    "result_resources": ("result_sizes", "resource_operand_sizes"),
    "result": ("result_size", "target_size", "storage_size", "size", "resource_size"),
    "source": ("source_size", "size"),
}
"""Fields of resources to the fields that may hold their sizes; else `FIELD_size`."""


@cache
def _sized_fields(op_class: type[IRDLOperation]) -> tuple[tuple[str, str], ...]:
    definition = op_class.get_irdl_definition()
    operands = {name for name, _ in definition.operands}
    fields = [name for name, _ in (*definition.operands, *definition.results)]
    pairs: list[tuple[str, str]] = []
    for field in fields:
        candidates = _SIZE_FIELDS.get(field, (f"{field}_size",))
        size = next((name for name in candidates if name in operands), None)
        if size is not None:
            pairs.append((field, size))
    return tuple(pairs)


def stated_sizes(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """The resources among operands and results of `op`, each with its size."""
    if not isinstance(op, IRDLOperation):
        return
    for field, size in _sized_fields(type(op)):
        values = field_values(op, field)
        resources = [value for value in values if isinstance(value.type, stream.ResourceType)]
        yield from zip(resources, field_values(op, size), strict=False)
