"""What commands require of the buffers they are given (IR-19).

A direct buffer is checked when the command is recorded. For a slot of the binding table the
requirements of all commands are merged, and the buffer bound there is checked once for each
execution, whatever the number of commands.
"""

from dataclasses import dataclass, field

from ..errors import HalError, invalid_argument, out_of_range, permission_denied
from ..machine import Machine
from .buffer import Buffer
from .flags import BufferUsage, MemoryAccess, MemoryType, flags_text
from .recorder import UNNAMED, Source
from .refs import SlotRef


@dataclass(frozen=True, slots=True)
class Reach:
    """The pools that an agent reaches."""

    agent: str
    in_place: frozenset[str]
    """By its kernels."""
    by_copy: frozenset[str]
    """By its transfer commands; a superset."""
    by_import: frozenset[str] = frozenset()
    """Of those in place the ones whose buffers it has to import first."""

    @classmethod
    def of(cls, machine: Machine, agent: str) -> "Reach":
        """What `agent` reaches on `machine`."""
        in_place = machine.in_place.get(agent, frozenset())
        by_copy = in_place | machine.by_copy.get(agent, frozenset())
        return cls(agent, in_place, by_copy, machine.by_import.get(agent, frozenset()))


@dataclass(frozen=True, slots=True)
class Requirement:
    """What one command requires of one of its buffers."""

    usage: BufferUsage = BufferUsage.NONE
    access: MemoryAccess = MemoryAccess.NONE
    in_place: bool = False
    """Whether a kernel accesses it."""


@dataclass(slots=True)
class SlotRequirement:
    """What all commands of a command buffer require of a slot."""

    usage: BufferUsage = BufferUsage.NONE
    access: MemoryAccess = MemoryAccess.NONE
    in_place: bool = False
    end: int = 0
    """Bytes from the start of the buffer that must exist."""
    alignment: int = 1
    """Bytes that the address must be a multiple of; a power of two."""
    uses: int = 0
    """References of commands to the slot."""
    source: Source = field(default=UNNAMED)
    """The command that reaches furthest."""

    def merge(self, needed: Requirement, end: int, alignment: int, source: Source) -> None:
        """Add what another command requires."""
        self.usage |= needed.usage
        self.access |= needed.access
        self.in_place |= needed.in_place
        if not self.uses or end > self.end:
            self.end, self.source = max(end, self.end), source
        self.alignment = max(self.alignment, alignment)
        self.uses += 1


def check_buffer(
    needed: Requirement | SlotRequirement,
    buffer: Buffer,
    reach: Reach,
    source: Source,
    alignment: int = 1,
) -> None:
    """Refuse a buffer that does not do for the commands that use it.

    PERMISSION_DENIED for its pool, usage, access or memory type, INVALID_ARGUMENT for an address
    that is not aligned.
    """
    check_reach(needed.in_place, buffer.pool, buffer.name, reach, source)
    params = buffer.params
    if MemoryType.DEVICE_VISIBLE not in params.memory_type:
        raise permission_denied(
            f"{_subject(buffer, source)} has memory type {flags_text(params.memory_type)}; it does "
            "not have memory type DEVICE_VISIBLE",
            source.location,
        )
    if needed.usage & ~params.usage:
        raise permission_denied(
            "requested buffer usage is not supported for the buffer on this queue: "
            f"{_subject(buffer, source)} allows {flags_text(params.usage)}, the operation "
            f"requires {flags_text(needed.usage)}",
            source.location,
        )
    if needed.access & ~params.access and MemoryAccess.ANY not in params.access:
        raise permission_denied(
            f"{_subject(buffer, source)} allows access {flags_text(params.access)}, the operation "
            f"requires {flags_text(needed.access)}",
            source.location,
        )
    if buffer.start % alignment:
        raise invalid_argument(
            f"{_subject(buffer, source)} starts at offset {buffer.offset}, which does not match "
            f"the required alignment of {alignment} bytes",
            source.location,
        )


def check_binding(needed: SlotRequirement, buffer: Buffer, reach: Reach) -> None:
    """Refuse a buffer that does not do for a slot; besides `check_buffer`'s, OUT_OF_RANGE."""
    check_buffer(needed, buffer, reach, needed.source, needed.alignment)
    if needed.end > buffer.length:
        raise out_of_range(
            "at least one command attempted to access an address outside of the valid bound "
            f"buffer range: {_subject(buffer, needed.source)} has {buffer.length} bytes, the "
            f"operation requires {needed.end}",
            needed.source.location,
        )


def check_reach(in_place: bool, pool: str, name: str, reach: Reach, source: Source) -> None:
    """PERMISSION_DENIED where the agent cannot reach `pool`, in which buffer `name` lies, in the
    way needed."""
    if pool in (reach.in_place if in_place else reach.by_copy):
        return
    how = "in place" if in_place else "by copy"
    by = f" for {source.label}" if source.label else ""
    raise permission_denied(
        "requested buffer usage is not supported for the buffer on this queue: "
        f"{reach.agent} does not reach pool {pool} of buffer {name} {how}{by}",
        source.location,
    )


def check_slot(slot: int, capacity: int, source: Source) -> None:
    """OUT_OF_RANGE for a slot that the command buffer did not declare (case B57)."""
    if not 0 <= slot < capacity:
        raise out_of_range(
            f"indirect buffer reference slot {slot} is out range of the declared binding capacity "
            f"of the command buffer {capacity}",
            source.location,
        )


def required_end(ref: SlotRef) -> int:
    """How many bytes of its binding a reference names; a whole binding needs its offset alone."""
    return ref.offset + max(ref.length, 0)


def missing_buffer(slot: int, needed: SlotRequirement) -> HalError:
    """The error of a slot that commands use and the table leaves empty."""
    return invalid_argument(
        "binding table slot requires a buffer but none was provided "
        f"(slot {slot}, used by {needed.source.label})",
        needed.source.location,
    )


def _subject(buffer: Buffer, source: Source) -> str:
    by = f" used by {source.label}" if source.label else ""
    return f"buffer {buffer.name}{by}"
