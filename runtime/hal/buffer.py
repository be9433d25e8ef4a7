"""Buffers: named ranges of a pool with a memory type, allowed usage and allowed access."""

from dataclasses import dataclass, field
from enum import Enum

from ..errors import failed_precondition, out_of_range
from ..events import Span
from .flags import BufferUsage, MemoryAccess, MemoryType

WHOLE_BUFFER = -1
"""As a length: up to the end of the buffer."""


class Life(Enum):
    """Where a storage stands between its alloca and its dealloca, in execution order."""

    RESERVED = "is used before its alloca has executed"
    LIVE = "is live"
    FREED = "is used after its dealloca: use of deallocated buffer"


@dataclass(frozen=True, slots=True)
class BufferParams:
    """What an allocation asks for, and how messages name it."""

    memory_type: MemoryType = MemoryType.DEVICE_LOCAL | MemoryType.HOST_VISIBLE
    usage: BufferUsage = BufferUsage.DEFAULT | BufferUsage.MAPPING
    access: MemoryAccess = MemoryAccess.ALL
    name: str = "%buffer"
    """The value as a person names it."""
    location: str = ""
    """`file:line:col` of the op that allocates, or ""."""


@dataclass(slots=True, eq=False)
class Storage:
    """One allocation: a line-aligned range of a pool that shares no line with another."""

    params: BufferParams
    pool: str
    start: int
    """Flat byte address."""
    size: int
    """Bytes asked for."""
    reserved: int
    """Bytes taken from the pool: `size` rounded up to the machine's largest line."""
    agent: str
    """The agent that allocated it, which counts its bytes."""
    imported: bool = False
    """Holds the caller's data; not counted as an allocation."""
    life: Life = Life.RESERVED
    freeing: bool = False
    """A dealloca was submitted; another is an error."""
    strict: bool = True
    """Whether a use before its alloca or after its dealloca is an error; if not, it touches the
    memory that is there, as hardware does."""
    reuses: tuple[int, ...] = ()
    """Events of deallocas that its alloca follows only since it reuses their memory."""
    importers: set[str] = field(default_factory=set[str])
    """Devices whose kernels have imported it (IR-25)."""
    record: int = -1
    """Its index in the buffers of the event graph; -1 while none is recorded."""

    @property
    def span(self) -> Span:
        """The bytes asked for."""
        return Span(self.start, self.start + self.size)

    def check_live(self) -> None:
        """Raise FAILED_PRECONDITION unless the alloca has executed and the dealloca not (IR-48)."""
        if self.life is not Life.LIVE and self.strict:
            raise failed_precondition(f"{self.describe()} {self.life.value}")

    def describe(self) -> str:
        """Name, place and pool, for messages."""
        place = f" ({self.params.location})" if self.params.location else ""
        return f"buffer {self.params.name}{place} in pool {self.pool}"


class Buffer:
    """A range of a storage.

    Views of views add up their offsets, so that every way to the bytes names one address (B11).
    """

    __slots__ = ("length", "offset", "start", "storage")

    def __init__(self, storage: Storage, offset: int, length: int) -> None:
        self.storage = storage
        self.offset = offset
        """Bytes from the start of the storage."""
        self.length = length
        """Bytes."""
        self.start = storage.start + offset
        """Flat byte address."""

    def __repr__(self) -> str:
        return f"{self.name}[{self.offset} for {self.length}]"

    @property
    def name(self) -> str:
        """The name of the storage."""
        return self.storage.params.name

    @property
    def pool(self) -> str:
        """The pool of the storage."""
        return self.storage.pool

    @property
    def params(self) -> BufferParams:
        """Memory type, usage and access of the storage."""
        return self.storage.params

    @property
    def span(self) -> Span:
        """The bytes of the buffer."""
        return Span(self.start, self.start + self.length)

    def subspan(self, offset: int, length: int = WHOLE_BUFFER) -> "Buffer":
        """`length` bytes from `offset` on; OUT_OF_RANGE where they are not all in the buffer."""
        offset, length = self.range_of(offset, length)
        if offset == 0 and length == self.length:
            return self
        return Buffer(self.storage, self.offset + offset, length)

    def range_of(self, offset: int, length: int) -> tuple[int, int]:
        """`offset` and `length` with `WHOLE_BUFFER` resolved; OUT_OF_RANGE where outside."""
        if length == WHOLE_BUFFER:
            length = self.length - offset
        if offset < 0 or length < 0 or offset + length > self.length:
            raise out_of_range(
                "attempted to access an address outside of the valid buffer range "
                f"(offset={offset}, length={length}, length of {self.name}={self.length})"
            )
        return offset, length
