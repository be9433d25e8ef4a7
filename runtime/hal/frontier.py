"""Which deallocations are known to happen before a point: what an allocator may reuse.

An allocator that hands out memory whose deallocation is not ordered before the allocation would
either break a program or add an order that the program does not have. The runtime therefore
follows happens-before from deallocations through fences and the host, at the granularity of
submissions and at the time of the call; the addresses of a run so do not depend on its schedule.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frontier:
    """A set of deallocation numbers: all below `low`, and `low + i` for each bit i of `bits`."""

    low: int = 0
    bits: int = 0

    def __contains__(self, number: int) -> bool:
        return number < self.low or bool(self.bits >> (number - self.low) & 1)

    def __or__(self, other: "Frontier") -> "Frontier":
        if other.low > self.low:
            return other | self
        if not other.bits >> (self.low - other.low):
            return self
        return _normal(self.low, self.bits | other.bits >> (self.low - other.low))

    def with_number(self, number: int) -> "Frontier":
        """This set and `number`."""
        if number in self:
            return self
        return _normal(self.low, self.bits | 1 << (number - self.low))


def _normal(low: int, bits: int) -> Frontier:
    """Move the lowest run of ones below `low`, so that long runs of a program stay small."""
    ones = (~bits & (bits + 1)).bit_length() - 1
    return Frontier(low + ones, bits >> ones)


NOTHING = Frontier()
"""No deallocation is known."""
