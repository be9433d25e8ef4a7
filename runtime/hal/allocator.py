"""Memory of one pool handed out first fit, aligned so that two allocations never share a line."""

from bisect import insort
from dataclasses import dataclass, field

from ..errors import HalError, StatusCode
from ..machine import Pool
from .frontier import Frontier

SETTLED = -1
"""As a deallocation number: never used before, or free as all who may ask know."""


@dataclass(slots=True, order=True)
class _Free:
    """A range that is free from the dealloca with `number` on."""

    start: int
    end: int
    number: int
    done: list[int] = field(compare=False, default_factory=list[int])
    """Gets the event of the dealloca once that has executed."""


@dataclass(frozen=True, slots=True)
class Grant:
    """Memory taken from a pool."""

    start: int
    """Flat byte address."""
    reserved: int
    """Bytes, a multiple of the alignment."""
    reuses: tuple[int, ...] = ()
    """Events of deallocas that have executed but are not known to be ordered before."""


class PoolAllocator:
    """The free ranges of a pool, by address.

    `allocate` scans them in order: linear in the free ranges, of which there are few unless a
    program frees without ordering later allocations after that.
    """

    def __init__(self, pool: Pool, alignment: int) -> None:
        self._pool = pool
        self._alignment = alignment
        self._free = [_Free(pool.base, pool.base + pool.size, SETTLED)]

    def allocate(self, size: int, known: Frontier) -> Grant:
        """Take `size` bytes, at least one line, at the lowest address that fits.

        Takes memory alone whose deallocation is in `known`; where there is not enough, also such
        that is freed in execution, which orders the new owner after the old. RESOURCE_EXHAUSTED
        where no run of free ranges is large enough.
        """
        reserved = max(-(-size // self._alignment), 1) * self._alignment
        for executed in (False, True):
            grant = self._first_fit(reserved, known, executed)
            if grant is not None:
                return grant
        raise HalError(
            StatusCode.RESOURCE_EXHAUSTED,
            f"pool {self._pool.name} of {self._pool.size} bytes has no {reserved} free bytes in "
            "one piece",
        )

    def _first_fit(self, reserved: int, known: Frontier, executed: bool) -> Grant | None:
        first = count = 0
        for index, block in enumerate(self._free):
            if not (block.number == SETTLED or block.number in known or (executed and block.done)):
                count = 0
                continue
            if not count or self._free[index - 1].end != block.start:
                first, count = index, 0
            count += 1
            if block.end - self._free[first].start >= reserved:
                return self._take(first, count, reserved, known)
        return None

    def _take(self, first: int, count: int, reserved: int, known: Frontier) -> Grant:
        blocks = self._free[first : first + count]
        start, last = blocks[0].start, blocks[-1]
        rest = _Free(start + reserved, last.end, last.number, last.done)
        self._free[first : first + count] = [rest] if rest.start < rest.end else []
        unknown = [b for b in blocks if b.number != SETTLED and b.number not in known]
        return Grant(start, reserved, tuple(event for b in unknown for event in b.done))

    def free(self, start: int, reserved: int, number: int) -> list[int]:
        """Give back memory from the dealloca with `number` on.

        Returns the list to which the event of the dealloca is appended when it has executed.
        """
        block = _Free(start, start + reserved, number)
        insort(self._free, block)
        return block.done

    def settle(self, known: Frontier) -> None:
        """Join neighbouring free ranges, `known` being what the host knows."""
        joined: list[_Free] = []
        for block in self._free:
            if block.number in known:
                block.number = SETTLED
            last = joined[-1] if joined else None
            if last and last.number == block.number == SETTLED and last.end == block.start:
                last.end = block.end
            else:
                joined.append(block)
        self._free = joined
