"""What dispatches require of the buffers they are given."""

from ..errors import invalid_argument, out_of_range
from .buffer import WHOLE_BUFFER
from .dispatch import COUNTS_SIZE, Dispatch
from .flags import BufferUsage, MemoryAccess
from .refs import BufferRef, Ref, decode_ref
from .validation import Requirement

COUNT_ALIGNMENT = 4
"""Bytes that the address of workgroup counts is a multiple of."""

INDIRECT_COUNTS = Requirement(
    BufferUsage.DISPATCH_INDIRECT_PARAMETERS, MemoryAccess.READ, in_place=True
)
"""What is required of a range that workgroup counts are read from."""


def indirect_counts(counts: BufferRef) -> Ref:
    """The decoded reference to three workgroup counts, the first 12 bytes of what is given.

    INVALID_ARGUMENT for an offset that is not aligned, OUT_OF_RANGE where it is too short.
    """
    if counts.offset % COUNT_ALIGNMENT:
        raise invalid_argument(
            "workgroup count offset does not match the required alignment "
            f"(offset={counts.offset}, alignment={COUNT_ALIGNMENT})"
        )
    if WHOLE_BUFFER != counts.length < COUNTS_SIZE:
        raise out_of_range(
            f"workgroup count buffer does not hold three 32-bit counts (length={counts.length}, "
            f"min_length={COUNTS_SIZE})"
        )
    return decode_ref(BufferRef(counts.target, counts.offset, COUNTS_SIZE))


def dispatch_requirements(command: Dispatch) -> list[Requirement]:
    """What a dispatch requires of each binding: the usage and access of what it reads and writes.

    Where a binding's length is known from its table alone, reads and writes are taken to occur.
    """
    lengths = tuple(ref.length for ref in command.bindings)
    if WHOLE_BUFFER in lengths:
        return [storage_requirement(reads=True, writes=True) for _ in lengths]
    accesses = {access.binding: access for access in command.accesses(lengths)}
    return [
        storage_requirement(
            reads=index in accesses and len(accesses[index].reads) > 0,
            writes=index in accesses and len(accesses[index].writes) > 0,
        )
        for index in range(len(lengths))
    ]


def storage_requirement(reads: bool, writes: bool) -> Requirement:
    """What is required of a range that a command computes on."""
    usage, access = BufferUsage.NONE, MemoryAccess.NONE
    if reads:
        usage |= BufferUsage.DISPATCH_STORAGE_READ
        access |= MemoryAccess.READ
    if writes:
        usage |= BufferUsage.DISPATCH_STORAGE_WRITE
        access |= MemoryAccess.WRITE
    return Requirement(usage, access, in_place=True)
