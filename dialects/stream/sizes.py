"""Sizes of resources, in bytes, found next to where the resource comes from."""

from __future__ import annotations

from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.irdl import IRDLOperation

from ..access import TiedResults, field_values
from ..verify import constant_index

_LIST_SIZES = ("result_sizes", "resource_operand_sizes")


def find_size(resource: SSAValue) -> SSAValue | None:
    """The size that stands with `resource` where it is made or captured; None where none does."""
    if isinstance(resource, BlockArgument):
        return _captured_size(resource)
    if not isinstance(resource, OpResult) or not isinstance(resource.op, IRDLOperation):
        return None
    op = resource.op
    name = op.get_irdl_definition().results[0][0] if op.results else ""
    values = field_values(op, name)
    if resource.index >= len(values):
        return None
    if name in ("result_resources", "result_values"):
        fields = _LIST_SIZES
    else:
        trait = op.get_trait(TiedResults)
        tied = () if trait is None else (f"{trait.operands}_size",)
        fields = ("result_size", "storage_size", *tied, "size")
    for field in fields:
        if hasattr(op, field):
            sizes = field_values(op, field)
            return sizes[resource.index] if len(sizes) == len(values) else None
    return None


def _captured_size(argument: BlockArgument) -> SSAValue | None:
    parent = argument.block.parent_op()
    if parent is None or not hasattr(parent, "resource_operand_sizes"):
        return None
    sizes = field_values(parent, "resource_operand_sizes")
    return sizes[argument.index] if argument.index < len(sizes) else None


def same_number(lhs: SSAValue, rhs: SSAValue) -> bool:
    """Whether both are known to be one number: one value, or equal constants."""
    if lhs is rhs:
        return True
    constant = constant_index(lhs)
    return constant is not None and constant == constant_index(rhs)
