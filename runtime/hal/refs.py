"""References of commands to buffers: direct, or a slot of the binding table (IR-57)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import invalid_argument
from .buffer import WHOLE_BUFFER, Buffer

Table = Sequence[Buffer | None]
"""What a binding table binds, by slot; a binding of a part of a buffer is its subspan."""


@dataclass(frozen=True, slots=True)
class BufferRef:
    """`length` bytes from `offset` of a buffer, or of what slot number `target` binds."""

    target: Buffer | int
    offset: int = 0
    length: int = WHOLE_BUFFER


class DirectRef:
    """A reference whose buffer is known when it is recorded."""

    __slots__ = ("buffer",)
    slot = -1

    def __init__(self, ref: BufferRef, buffer: Buffer) -> None:
        self.buffer = buffer.subspan(ref.offset, ref.length)

    @property
    def length(self) -> int:
        """Bytes."""
        return self.buffer.length

    def bind(self, table: Table) -> tuple[Buffer, int, int]:
        """The buffer, the flat address and the length in bytes."""
        return self.buffer, self.buffer.start, self.buffer.length


class SlotRef:
    """A reference to whatever the binding table of an execution has in a slot."""

    __slots__ = ("length", "offset", "slot")

    def __init__(self, ref: BufferRef, slot: int) -> None:
        self.slot = slot
        self.offset = ref.offset
        self.length = ref.length

    def bind(self, table: Table) -> tuple[Buffer, int, int]:
        """The buffer, the flat address and the length in bytes. The table has been validated."""
        buffer = table[self.slot]
        if buffer is None:
            raise invalid_argument(
                f"binding table slot requires a buffer but none was provided (slot {self.slot})"
            )
        if self.length == WHOLE_BUFFER:
            return buffer, buffer.start + self.offset, buffer.length - self.offset
        return buffer, buffer.start + self.offset, self.length


def direct(ref: "Ref", table: Table) -> BufferRef:
    """The reference with the buffer of its slot in place of the slot."""
    if isinstance(ref, DirectRef):
        return BufferRef(ref.buffer)
    buffer, start, length = ref.bind(table)
    return BufferRef(buffer, start - buffer.start, length)


Ref = DirectRef | SlotRef
"""A decoded reference."""


def decode_ref(ref: BufferRef) -> Ref:
    """The decoded form; OUT_OF_RANGE for a range outside of a direct buffer."""
    if isinstance(ref.target, Buffer):
        return DirectRef(ref, ref.target)
    return SlotRef(ref, ref.target)
