"""The memory of the simulated machine: bytes of each pool, and each domain's way to them.

A pool that several coherence domains reach is seen by each through its private `Cache`, which
goes stale (docs/memory-model.md, section 1). A pool that one domain alone reaches needs none: its
own cache would always hold what it wrote last, and evictions and prefetches change nothing that
anyone could read. Such memory is accessed directly, at the speed of numpy.
"""

from typing import Protocol

import numpy as np

from .cache import Cache
from .errors import invalid_argument
from .kernels.api import Bytes, Runs
from .machine import Machine, Pool
from .runs import gather, hull, scatter

POISON = 0xCD
"""Every byte of fresh memory."""

_PAGE = 4096
_FIRST = 1 << 20
"""Bytes of address space that a pool takes at once."""
_DEFERRED = 1 << 18
"""Bytes from which on poison waits until someone looks: most memory is written before."""
_RANGES = 32
"""Ranges of waiting poison that are kept apart."""
_LINES = frozenset(1 << bit for bit in range(_PAGE.bit_length()))


class PoolBytes:
    """The bytes of one pool, allocated as far up as they were ever reserved."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.base = pool.base
        """First byte address."""
        self.data: Bytes = np.empty(0, dtype=np.uint8)
        """A multiple of 4096 bytes. Replaced when the pool grows, which only `reserve` does.

        Whoever reads a range calls `settle` before, whoever writes all of one `overwrite`."""
        self._waiting: list[tuple[int, int]] = []
        """Ranges of `data`, disjoint, that are to be poisoned before someone looks."""
        self._top = 0
        self._clock = 0

    def reserve(self, end: int) -> None:
        """Let bytes up to the address `end` exist; new ones are poisoned."""
        top = -(-(end - self.base) // _PAGE) * _PAGE
        if top <= self._top:
            return
        if top > len(self.data):
            # The part above the top is not touched, and so costs address space alone. Doubling
            # keeps the cost of growing linear.
            size = -(-self.pool.size // _PAGE) * _PAGE
            grown = np.empty(max(top, min(size, max(_FIRST, 2 * len(self.data)))), dtype=np.uint8)
            grown[: self._top] = self.data[: self._top]
            self.data = grown
        self._undefine(self._top, top)
        self._top = top

    def tick(self) -> int:
        """The next moment of a clock that counts the stores to the pool through caches."""
        self._clock += 1
        return self._clock

    def poison(self, start: int, end: int) -> None:
        """Make the contents of [start, end) undefined, in memory and not in any cache."""
        self._undefine(start - self.base, end - self.base)

    def settle(self, start: int, end: int) -> None:
        """Poison what waits for it in bytes [start, end) of `data`, which will be read, or
        written in part."""
        if self._waiting:
            for first, last in self._take(start, end):
                self.data[first:last] = POISON

    def overwrite(self, start: int, end: int) -> None:
        """All of bytes [start, end) of `data` will be written: poison need not be."""
        if self._waiting:
            self._take(start, end)

    def _undefine(self, start: int, end: int) -> None:
        if end - start < _DEFERRED:
            self.data[start:end] = POISON
            return
        self.overwrite(start, end)
        if len(self._waiting) >= _RANGES:
            self.settle(0, len(self.data))
        self._waiting.append((start, end))

    def _take(self, start: int, end: int) -> list[tuple[int, int]]:
        """Remove [start, end) from the waiting ranges; the parts that were in them."""
        taken: list[tuple[int, int]] = []
        left: list[tuple[int, int]] = []
        for first, last in self._waiting:
            inner = (max(first, start), min(last, end))
            if inner[0] >= inner[1]:
                left.append((first, last))
                continue
            taken.append(inner)
            left += [part for part in ((first, inner[0]), (inner[1], last)) if part[0] < part[1]]
        self._waiting = left
        return taken


class Port(Protocol):
    """How the agents of one domain access one pool. All addresses are flat byte addresses."""

    @property
    def cached(self) -> bool:
        """Whether there is a cache that can go stale, so that maintenance has an effect."""
        ...

    @property
    def line(self) -> int:
        """Line size in bytes of the domain."""
        ...

    @property
    def whole_lines_only(self) -> bool:
        """Whether maintenance of parts of lines is refused."""
        ...

    def load(self, start: int, end: int) -> Bytes:
        """The bytes [start, end), not to be written, valid until the next store by any port."""
        ...

    def load_runs(self, runs: Runs) -> Bytes:
        """A copy of the bytes of all runs, one after the other."""
        ...

    def store(self, start: int, end: int, data: Bytes) -> None:
        """Write `data` to [start, end)."""
        ...

    def claim(self, start: int, end: int) -> Bytes:
        """Where the caller at once writes all of [start, end): a store in place."""
        ...

    def store_runs(self, runs: Runs, data: Bytes) -> None:
        """Write `data` into the runs, one after the other."""
        ...

    def flush(self, start: int, end: int) -> int:
        """Write back every touched line; how many bytes these lines have."""
        ...

    def invalidate(self, start: int, end: int) -> int:
        """Drop every touched line; how many bytes these lines have."""
        ...


class DirectPort:
    """Access to a pool that one domain alone reaches. Maintenance has no effect."""

    cached = False
    whole_lines_only = False

    def __init__(self, memory: PoolBytes, line: int) -> None:
        self._memory = memory
        self._base = memory.base
        self.line = line

    def load(self, start: int, end: int) -> Bytes:
        """See `Port`."""
        self._memory.settle(start - self._base, end - self._base)
        return self._memory.data[start - self._base : end - self._base]

    def load_runs(self, runs: Runs) -> Bytes:
        """See `Port`."""
        runs = runs - self._base
        self._memory.settle(*hull(runs))
        return gather(self._memory.data, runs)

    def store(self, start: int, end: int, data: Bytes) -> None:
        """See `Port`."""
        self.claim(start, end)[:] = data

    def claim(self, start: int, end: int) -> Bytes:
        """See `Port`."""
        self._memory.overwrite(start - self._base, end - self._base)
        return self._memory.data[start - self._base : end - self._base]

    def store_runs(self, runs: Runs, data: Bytes) -> None:
        """See `Port`."""
        runs = runs - self._base
        self._memory.settle(*hull(runs))
        scatter(self._memory.data, runs, data)

    def flush(self, start: int, end: int) -> int:
        """See `Port`."""
        return 0

    def invalidate(self, start: int, end: int) -> int:
        """See `Port`."""
        return 0


class Memory:
    """The pools of a machine and the caches over them.

    Raises `HalError` INVALID_ARGUMENT for a line size that is no power of two up to 4096.
    """

    def __init__(self, machine: Machine) -> None:
        for domain in machine.domains:
            if domain.cache_line not in _LINES:
                raise invalid_argument(
                    f"cache line of {', '.join(domain.agents)} is {domain.cache_line} bytes; "
                    f"expected a power of two up to {_PAGE}"
                )
        self.machine = machine
        self.pools: dict[str, PoolBytes] = {pool.name: PoolBytes(pool) for pool in machine.pools}
        self.caches: list[Cache] = []
        """All caches that can go stale, one for each domain and shared pool that it reaches."""
        self._ports: dict[tuple[int, str], Port] = {}
        for pool in machine.pools:
            reaching = machine.reaching_domains(pool.name)
            for domain in reaching:
                self._open(domain, pool.name, shared=len(reaching) > 1)

    def _open(self, domain: int, pool: str, shared: bool) -> None:
        facts = self.machine.domains[domain]
        if not shared:
            self._ports[domain, pool] = DirectPort(self.pools[pool], facts.cache_line)
            return
        cache = Cache(self.pools[pool], domain, facts.cache_line, facts.write_back)
        cache.whole_lines_only = facts.whole_lines_only
        self.caches.append(cache)
        self._ports[domain, pool] = cache

    def port(self, domain: int, pool: str) -> Port | None:
        """The way of domain number `domain` to `pool`; None where no agent of it reaches it."""
        return self._ports.get((domain, pool))

    @property
    def line(self) -> int:
        """The largest line size of the machine, in bytes: what allocations align to."""
        return max(domain.cache_line for domain in self.machine.domains)
