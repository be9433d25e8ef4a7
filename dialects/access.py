"""What an op does to the storage of its operands and results, as plain data.

Passes, runtime and checker ask here and never test for single op classes: which results are
tied to which operand (`TiedResults`, `tied_operand`, `tied_results`; IREE's TiedOpInterface).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.traits import OpTrait

UNTIED = -1
"""The entry of `tied_operands` for a result that has storage of its own."""


@dataclass(frozen=True)
class TiedResults(OpTrait):
    """States that results of an op may share the storage of operands.

    `operands` names the operand field that `tied_operands` indexes into, `results` the result
    field. Where `stored` is false there is no such property: the result is always tied to the
    field's first operand (fill, update, subview).
    """

    operands: str
    results: str = "result"
    stored: bool = False


def field_values(op: Operation, field: str) -> tuple[SSAValue, ...]:
    """The values of the operand or result field `field`: none, one or many."""
    values = cast("SSAValue | Sequence[SSAValue] | None", getattr(op, field))
    if values is None:
        return ()
    return (values,) if isinstance(values, SSAValue) else tuple(values)


def operand_offset(op: IRDLOperation, field: str) -> int:
    """Index into `op.operands` of the first operand of `field`."""
    offset = 0
    for name, _ in op.get_irdl_definition().operands:
        if name == field:
            return offset
        offset += len(field_values(op, name))
    raise ValueError(f"expected an operand field of {op.name}, got {field}")


def tied_field_indices(op: Operation) -> Sequence[int | None]:
    """For each result of the tied result field: index within the tied operand field, or None."""
    trait = op.get_trait(TiedResults)
    if trait is None:
        return ()
    count = len(field_values(op, trait.results))
    if not trait.stored:
        return (0,) * count
    stored = op.properties.get("tied_operands")
    if not isinstance(stored, ArrayAttr):
        return (None,) * count
    entries = cast(ArrayAttr[IntegerAttr], stored)
    indices = [entry.value.data for entry in entries][:count]
    indices += [UNTIED] * (count - len(indices))
    return tuple(None if index == UNTIED else index for index in indices)


def tied_operand(result: SSAValue) -> SSAValue | None:
    """The operand whose storage `result` shares; None for storage of its own."""
    if not isinstance(result, OpResult):
        return None
    op = result.op
    trait = op.get_trait(TiedResults)
    if trait is None:
        return None
    results = field_values(op, trait.results)
    operands = field_values(op, trait.operands)
    for candidate, index in zip(results, tied_field_indices(op), strict=True):
        if candidate is result:
            return operands[index] if index is not None and index < len(operands) else None
    return None


def tied_operand_index(result: OpResult) -> int | None:
    """Like `tied_operand`, as an index into the op's operands."""
    op = result.op
    trait = op.get_trait(TiedResults)
    if trait is None or not isinstance(op, IRDLOperation):
        return None
    results = field_values(op, trait.results)
    for candidate, index in zip(results, tied_field_indices(op), strict=True):
        if candidate is result and index is not None:
            return operand_offset(op, trait.operands) + index
    return None


def tied_results(op: Operation) -> tuple[tuple[OpResult, SSAValue], ...]:
    """All (result, operand) pairs of `op` that share storage, in result order."""
    pairs = ((result, tied_operand(result)) for result in op.results)
    return tuple((result, operand) for result, operand in pairs if operand is not None)
