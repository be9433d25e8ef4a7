"""Range accesses of ops with many operands: dispatches, calls, execution regions, commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ..access import Access, AccessesRanges, RangeAccess, field_values, tied_operand
from .format import access_list
from .types import ResourceType


def _resources(op: Operation, field: str) -> list[SSAValue]:
    return [value for value in field_values(op, field) if isinstance(value.type, ResourceType)]


def _with_results(
    op: Operation,
    accesses: Iterable[RangeAccess],
    results: Sequence[SSAValue],
    sizes: Sequence[SSAValue],
) -> Iterator[RangeAccess]:
    """Operand accesses, read-write where a result is tied to them; then the results'."""
    tied = [tied_operand(result) for result in results]
    written = {operand for operand in tied if operand is not None}
    by_operand: dict[SSAValue, RangeAccess] = {}
    for access in accesses:
        mode = access.mode
        if access.value in written:
            mode |= Access.WRITE
        access = RangeAccess(mode, access.value, access.offset, access.end, access.length)
        by_operand.setdefault(access.value, access)
        yield access
    for result, operand, size in zip(results, tied, sizes, strict=True):
        shared = None if operand is None else by_operand.get(operand)
        if shared is None:
            yield RangeAccess(Access.WRITE, result, None, size, size)
        else:
            yield RangeAccess(shared.mode, result, shared.offset, shared.end, shared.length)


@dataclass(frozen=True)
class DispatchRanges(AccessesRanges):
    """Async dispatches and calls: operands are read, tied ones written too, results written."""

    def ranges(self, op: Operation) -> tuple[RangeAccess, ...]:
        """The ranges as the operand list states them."""
        rows = zip(
            _resources(op, "resource_operands"),
            field_values(op, "resource_operand_offsets"),
            field_values(op, "resource_operand_ends"),
            field_values(op, "resource_operand_lengths"),
            strict=True,
        )
        accesses = (RangeAccess(Access.READ, *row) for row in rows)
        results = field_values(op, "result_resources")
        return tuple(_with_results(op, accesses, results, field_values(op, "result_sizes")))


@dataclass(frozen=True)
class RegionRanges(AccessesRanges):
    """Async regions: captures are read whole, tied ones written too, results written."""

    def ranges(self, op: Operation) -> tuple[RangeAccess, ...]:
        """Whole captures; what the body touches of them is told by the ops within."""
        operands = field_values(op, "resource_operands")
        sizes = field_values(op, "resource_operand_sizes")
        accesses = (
            RangeAccess(Access.READ, operand, None, size, size)
            for operand, size in zip(operands, sizes, strict=True)
        )
        results = field_values(op, "result_resources")
        return tuple(_with_results(op, accesses, results, field_values(op, "result_sizes")))


@dataclass(frozen=True)
class CommandRanges(AccessesRanges):
    """Commands that bind ranges with `ro`, `wo` or `rw`; `field` names the resources."""

    field: str

    def ranges(self, op: Operation) -> tuple[RangeAccess, ...]:
        """The ranges as bound; a dispatch may touch less of them."""
        prefix = self.field.removesuffix("s")
        rows = zip(
            access_list(op.properties.get(f"{prefix}_accesses")),
            _resources(op, self.field),
            field_values(op, f"{prefix}_offsets"),
            field_values(op, f"{prefix}_lengths"),
            strict=True,
        )
        return tuple(
            RangeAccess(access, resource, offset, None, length)
            for access, resource, offset, length in rows
        )


@dataclass(frozen=True)
class ListRanges(AccessesRanges):
    """Several ranges of one resource in the field `resource`; lists are named by `prefix`."""

    resource: str
    prefix: str
    writes: bool

    def ranges(self, op: Operation) -> tuple[RangeAccess, ...]:
        """One access for each range."""
        offsets = field_values(op, f"{self.prefix}_offsets")
        lengths = field_values(op, f"{self.prefix}_lengths")
        ends = field_values(op, f"{self.prefix}_ends") if hasattr(op, f"{self.prefix}_ends") else ()
        mode = Access.WRITE if self.writes else Access.READ
        resource = getattr(op, self.resource)
        return tuple(
            RangeAccess(mode, resource, offset, ends[i] if ends else None, length)
            for i, (offset, length) in enumerate(zip(offsets, lengths, strict=True))
        )
