"""What an op does to the storage of its operands and results, as plain data.

Passes, runtime and checker ask here and never test for single op classes:
- which results are tied to which operand (`tied_operand`, `tied_results`; IREE's
  TiedOpInterface);
- which ranges of which resources are read and written (`range_accesses`; IREE's AsyncAccessOp
  and SubviewEffectOp interfaces), and which range is maintained (`maintained_range`);
- where an op works and which timepoints it waits for (`op_affinity`, `await_timepoints`,
  `result_timepoint`; IREE's AffinityOp and TimelineOp interfaces).
Op classes state these facts as traits and by field names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag, StrEnum
from functools import cache
from typing import NamedTuple, TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.traits import OpTrait

TraitT = TypeVar("TraitT", bound=OpTrait)

UNTIED = -1
"""The entry of `tied_operands` for a result that has storage of its own."""


@dataclass(frozen=True)
class TiedResults(OpTrait):
    """States that results of an op may share the storage of operands.

    `operands` names the operand field that ties index into, `results` the result field, which
    comes first among the op's results. Which operand a result is tied to stands in the property
    `tied_operands` where `stored`, -1 for storage of its own; else it is the field's first
    operand (fill, update, subview), or with `each` operand i for result i (timepoint.await).
    """

    operands: str
    results: str = "result"
    stored: bool = False
    each: bool = False


@cache
def trait_of(kind: type[Operation], trait: type[TraitT]) -> TraitT | None:
    """The trait of an op class, as `get_trait` gives it, looked up once."""
    return kind.get_trait(trait)


def field_values(op: Operation, field: str) -> tuple[SSAValue, ...]:
    """The values of the operand or result field `field`: none, one or many."""
    values = cast("OpResult | BlockArgument | Sequence[SSAValue] | None", getattr(op, field))
    if values is None:
        return ()
    # To compare with a class of which nothing derives is quick.
    return (values,) if isinstance(values, OpResult | BlockArgument) else tuple(values)


def operand_offset(op: IRDLOperation, field: str) -> int:
    """Index into `op.operands` of the first operand of `field`."""
    offset = 0
    for name, _ in op.get_irdl_definition().operands:
        if name == field:
            return offset
        offset += len(field_values(op, name))
    raise ValueError(f"expected an operand field of {op.name}, got {field}")


def _tied_index(op: Operation, trait: TiedResults, result_index: int) -> int | None:
    """Index within the tied operand field for a result; the tied results come first."""
    if result_index >= len(field_values(op, trait.results)):
        return None
    if not trait.stored:
        return result_index if trait.each else 0
    stored = op.properties.get("tied_operands")
    if not isinstance(stored, ArrayAttr):
        return None
    entries = cast(ArrayAttr[IntegerAttr], stored).data
    index = entries[result_index].value.data if result_index < len(entries) else UNTIED
    return None if index == UNTIED else index


def tied_field_index(result: OpResult) -> int | None:
    """Which operand of the tied field `result` shares storage with, or None."""
    trait = trait_of(type(result.op), TiedResults)
    return None if trait is None else _tied_index(result.op, trait, result.index)


def tied_operand(result: SSAValue) -> SSAValue | None:
    """The operand whose storage `result` shares; None for storage of its own."""
    if not isinstance(result, OpResult):
        return None
    trait = trait_of(type(result.op), TiedResults)
    if trait is None:
        return None
    index = _tied_index(result.op, trait, result.index)
    operands = field_values(result.op, trait.operands)
    return operands[index] if index is not None and index < len(operands) else None


def tied_operand_index(result: OpResult) -> int | None:
    """Like `tied_operand`, as an index into the op's operands."""
    op = result.op
    trait = trait_of(type(op), TiedResults)
    if trait is None or not isinstance(op, IRDLOperation):
        return None
    index = _tied_index(op, trait, result.index)
    return None if index is None else operand_offset(op, trait.operands) + index


def tied_results(op: Operation) -> tuple[tuple[OpResult, SSAValue], ...]:
    """All (result, operand) pairs of `op` that share storage, in result order; linear cost."""
    trait = trait_of(type(op), TiedResults)
    if trait is None:
        return ()
    operands = field_values(op, trait.operands)
    count = len(field_values(op, trait.results))
    indices: Sequence[int] = range(count) if trait.each else (0,) * count
    if trait.stored:
        stored = op.properties.get("tied_operands")
        entries = cast(ArrayAttr[IntegerAttr], stored).data if isinstance(stored, ArrayAttr) else ()
        indices = [entry.value.data for entry in entries[:count]]
    return tuple(
        (result, operands[index])
        for result, index in zip(op.results, indices, strict=False)
        if 0 <= index < len(operands)
    )


class Access(IntFlag):
    """What is done with a range; the numbers are those IREE stores in `resource_accesses`."""

    NONE = 0
    READ = 1
    WRITE = 2
    READ_WRITE = 3


@dataclass(frozen=True)
class RangeAccess:
    """An access to bytes [offset, end) of a resource. A result counts as the storage it names."""

    mode: Access
    value: SSAValue
    """The resource."""
    offset: SSAValue | None
    """Bytes from the resource's start; None for its start."""
    end: SSAValue | None
    """Where the range ends, in bytes from the start; None where the op states no end."""
    length: SSAValue
    """Bytes."""


class AccessesRanges(OpTrait, ABC):
    """Trait of ops that can tell the ranges they access."""

    @abstractmethod
    def ranges(self, op: Operation) -> tuple[RangeAccess, ...]:
        """The accesses of `op`: operands first, then results."""


class FieldRange(NamedTuple):
    """A range as names of fields; "" for what the op does not state."""

    mode: Access
    value: str
    length: str
    offset: str = ""
    end: str = ""


@dataclass(frozen=True)
class FieldRanges(AccessesRanges):
    """Accesses that stand in single operand and result fields."""

    fields: tuple[FieldRange, ...]

    def ranges(self, op: Operation) -> tuple[RangeAccess, ...]:
        """Reads the fields."""
        return tuple(
            RangeAccess(
                field.mode,
                getattr(op, field.value),
                getattr(op, field.offset) if field.offset else None,
                getattr(op, field.end) if field.end else None,
                getattr(op, field.length),
            )
            for field in self.fields
        )


def reads(value: str, length: str, offset: str = "", end: str = "") -> FieldRange:
    """A field range that is read."""
    return FieldRange(Access.READ, value, length, offset, end)


def writes(value: str, length: str, offset: str = "", end: str = "") -> FieldRange:
    """A field range that is written."""
    return FieldRange(Access.WRITE, value, length, offset, end)


def range_accesses(op: Operation) -> tuple[RangeAccess, ...]:
    """The ranges that `op` reads and writes; empty where it states none."""
    trait = trait_of(type(op), AccessesRanges)
    return () if trait is None else trait.ranges(op)


class Maintenance(StrEnum):
    """What an op does with the cache lines of a range."""

    FLUSH = "flush"
    """Writes dirty bytes back; the lines stay, clean."""
    INVALIDATE = "invalidate"
    """Drops the lines, dirty bytes included."""
    DISCARD = "discard"
    """Drops the lines, and states that the contents are dead."""


@dataclass(frozen=True)
class Maintains(OpTrait):
    """Trait of ops that flush, invalidate or discard the range that the named fields state.

    Maintenance is no access to contents, so `range_accesses` leaves it out.
    """

    kind: Maintenance
    value: str = "target"
    length: str = "target_length"
    offset: str = "target_offset"


def maintained_range(op: Operation) -> RangeAccess | None:
    """The range that a cache maintenance op works on; None for other ops."""
    trait = trait_of(type(op), Maintains)
    if trait is None:
        return None
    field = FieldRange(Access.NONE, trait.value, trait.length, trait.offset)
    return FieldRanges((field,)).ranges(op)[0]


def maintenance_kind(op: Operation) -> Maintenance | None:
    """Whether `op` flushes, invalidates or discards its `maintained_range`; else None."""
    trait = trait_of(type(op), Maintains)
    return None if trait is None else trait.kind


def op_affinity(op: Operation) -> Attribute | None:
    """Where `op` itself is to work: its `affinity`, or a transfer's `execution_affinity`."""
    for name in ("affinity", "execution_affinity"):
        if (affinity := op.properties.get(name)) is not None:
            return affinity
    return None


def result_affinity(op: Operation) -> Attribute | None:
    """Where the results of `op` live: a transfer's target, else `op_affinity`."""
    target = op.properties.get("target_affinity")
    return op_affinity(op) if target is None else target


def inherited_affinity(op: Operation) -> Attribute | None:
    """The affinity of `op` or of what encloses it, else the nearest `stream.affinity.default`."""
    default: Attribute | None = None
    current: Operation | None = op
    while current is not None:
        affinity = op_affinity(current) or current.attributes.get("stream.affinity")
        if affinity is not None:
            return affinity
        default = default or current.attributes.get("stream.affinity.default")
        current = current.parent_op()
    return default


def await_timepoints(op: Operation) -> tuple[SSAValue, ...]:
    """The timepoints that `op` waits for."""
    fields = ("await_timepoint", "await_timepoints", "await_operands")
    return tuple(
        value for field in fields if hasattr(op, field) for value in field_values(op, field)
    )


def result_timepoint(op: Operation) -> SSAValue | None:
    """The timepoint that is reached when `op` is done, if it makes one."""
    return getattr(op, "result_timepoint", None)
