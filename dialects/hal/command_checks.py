"""Which buffer ranges commands access, and what can be refused before they run.

Ranges are told through `zcir.dialects.access`. A range's value is a buffer, or of type `index`:
a slot of the binding table that the submission brings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import VerifyException

from ..access import (
    Access,
    AccessesRanges,
    RangeAccess,
    field_values,
    maintained_range,
    range_accesses,
)
from ..symbols import lookup_symbol
from ..verify import check_constant_range, constant_index
from .executable import ExecutableExportOp
from .executable_attrs import PipelineBindingAttr
from .executable_use import ExecutableLookupFunctionOp
from .format import OneOf
from .types import BufferType

REFERENCE = OneOf((BufferType(), IndexType()))
"""A buffer, or a slot of the binding table."""

# Accesses ---------------------------------------------------------------------------------------


def dispatch_layout(op: Operation) -> Sequence[PipelineBindingAttr]:
    """The bindings in the layout of the export that a dispatch runs; empty where unknown."""
    function = field_values(op, "entry_point")[0].owner
    if not isinstance(function, ExecutableLookupFunctionOp):
        return ()
    export = lookup_symbol(function, function.entry_point)
    return export.layout.bindings.data if isinstance(export, ExecutableExportOp) else ()


@dataclass(frozen=True)
class BindingRanges(AccessesRanges):
    """Dispatches: bindings are read, and written unless the layout says that they are not.

    The whole of a binding's range counts, whatever part of it the kernel touches. The counts of
    workgroups that an indirect dispatch reads are not among the ranges: no operand is their
    length, which is 12 bytes.
    """

    def ranges(self, op: Operation) -> tuple[RangeAccess, ...]:
        """One range for each binding, in order."""
        rows = zip(
            field_values(op, "binding_buffers"),
            field_values(op, "binding_offsets"),
            field_values(op, "binding_lengths"),
            strict=True,
        )
        layout = dispatch_layout(op)
        return tuple(
            RangeAccess(_mode(layout, index), buffer, offset, None, length)
            for index, (buffer, offset, length) in enumerate(rows)
        )


def _mode(layout: Sequence[PipelineBindingAttr], index: int) -> Access:
    read_only = index < len(layout) and layout[index].is_read_only
    return Access.READ if read_only else Access.READ_WRITE


@dataclass(frozen=True)
class CollectiveRanges(AccessesRanges):
    """Collectives: what is sent is read, what is received is written."""

    def ranges(self, op: Operation) -> tuple[RangeAccess, ...]:
        """The sent range, then the received one, as far as stated."""
        return tuple(
            RangeAccess(mode, buffer, offset, None, length)
            for mode, prefix in ((Access.READ, "send"), (Access.WRITE, "recv"))
            for buffer, offset, length in zip(
                field_values(op, f"{prefix}_buffer"),
                field_values(op, f"{prefix}_offset"),
                field_values(op, f"{prefix}_length"),
                strict=False,
            )
        )


# Checks -----------------------------------------------------------------------------------------


def check_range(offset: SSAValue, length: SSAValue, size: int | None, what: str) -> None:
    """Check that a constant range lies within `size` bytes, where it is known.

    Raises:
        VerifyException: naming the range as `what`.
    """
    start, extent = constant_index(offset), constant_index(length)
    if start is not None and extent is not None:
        check_constant_range(start, start + extent, size, what)


def check_bindings(
    buffers: Sequence[SSAValue], offsets: Sequence[SSAValue], lengths: Sequence[SSAValue]
) -> None:
    """Check that each binding has a buffer, an offset and a length; raises VerifyException."""
    if not len(buffers) == len(offsets) == len(lengths):
        raise VerifyException(
            f"expected an offset and a length for each of the {len(buffers)} binding buffers, "
            f"got {len(offsets)} offsets and {len(lengths)} lengths"
        )


def check_pattern_range(pattern: SSAValue, offset: SSAValue, length: SSAValue) -> None:
    """Check that a constant range starts and ends at whole patterns; raises VerifyException."""
    width = pattern.type.size if isinstance(pattern.type, IntegerType) else 1
    for what, value in (("offset", offset), ("length", length)):
        number = constant_index(value)
        if number is not None and number % width:
            raise VerifyException(
                f"expected a fill {what} that is a multiple of the pattern's {width} bytes, got "
                f"{number}"
            )


def _same_buffer(a: SSAValue, b: SSAValue) -> bool:
    if a is b:
        return True
    slots = constant_index(a), constant_index(b)
    return slots[0] is not None and slots[0] == slots[1]


def check_apart(op: Operation) -> None:
    """Check that a copy within one buffer has ranges apart, where constant.

    Raises:
        VerifyException: they overlap.
    """
    source, target = range_accesses(op)
    if not _same_buffer(source.value, target.value):
        return
    starts = [
        None if access.offset is None else constant_index(access.offset)
        for access in (source, target)
    ]
    length = constant_index(source.length)
    if starts[0] is None or starts[1] is None or length is None:
        return
    if abs(starts[0] - starts[1]) < length:
        raise VerifyException(
            f"expected ranges apart in one buffer, got [{starts[0]}, {starts[0] + length}) and "
            f"[{starts[1]}, {starts[1] + length}); copy by way of another buffer"
        )


def constant_size(buffer: SSAValue) -> int | None:
    """The bytes of a buffer that is allocated or cut out with a constant size, else None."""
    if not isinstance(buffer, OpResult):
        return None
    for field in ("result_size", "length"):
        if buffer.op.name in _SIZED and hasattr(buffer.op, field):
            return constant_index(field_values(buffer.op, field)[0])
    return None


_SIZED = frozenset(("hal.device.queue.alloca", "hal.allocator.allocate", "hal.buffer.subspan"))


def _ranges(op: Operation) -> Iterator[tuple[SSAValue, SSAValue | None, SSAValue, str]]:
    for access in range_accesses(op):
        what = "written" if access.mode & Access.WRITE else "read"
        yield access.value, access.offset, access.length, what
    if (maintained := maintained_range(op)) is not None:
        yield maintained.value, maintained.offset, maintained.length, "maintained"


def check_buffer_ranges(op: Operation) -> None:
    """Check that constant ranges lie within buffers of constant size; raises VerifyException."""
    for buffer, offset, length, what in _ranges(op):
        if offset is not None:
            check_range(offset, length, constant_size(buffer), what)


def declared_slots(command_buffer: SSAValue) -> int | None:
    """The slots of the binding table of a command buffer made right here, else None."""
    # By name: the op is defined after this module.
    owner = command_buffer.owner
    if not isinstance(owner, Operation) or owner.name != "hal.command_buffer.create":
        return None
    capacity = field_values(owner, "binding_capacity")
    return constant_index(capacity[0]) if capacity else 0


def check_slot(slot: SSAValue, declared: int | None) -> None:
    """Check that a constant slot is among the declared ones; raises VerifyException (B57)."""
    number = constant_index(slot)
    if number is None:
        return
    if number < 0 or (declared is not None and number >= declared):
        slots = "a binding slot" if declared is None else f"one of the {declared} binding slots"
        raise VerifyException(
            f"expected {slots} of the command buffer, got slot {number}; declare more with "
            "bindings(…) or name the buffer"
        )


class CommandOp(IRDLOperation):
    """What all recorded commands with buffers check; the first operand is the command buffer."""

    def verify_(self) -> None:
        """Check slots against those declared and constant ranges against constant sizes."""
        declared = declared_slots(self.operands[0])
        for buffer in self.slot_operands():
            check_slot(buffer, declared)
        check_buffer_ranges(self)

    def slot_operands(self) -> Iterator[SSAValue]:
        """The operands that name slots of the binding table."""
        for name, _ in self.get_irdl_definition().operands:
            if name.endswith(("_buffer", "_buffers")):
                values = field_values(self, name)
                yield from (value for value in values if isinstance(value.type, IndexType))
