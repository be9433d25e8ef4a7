"""A schedule to the letter: which command is next, and what the caches do before it.

A script names commands and host actions by their keys (`Event.key`), so that it fits every run of
a program whose host does the same things. Once it is over, everything runs as early as possible.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..cache import Cache, Lines
from ..errors import HalError, failed_precondition
from ..events import HOST_ACTION, Span
from ..kernels.api import Bytes
from ..machine import Pool
from ..memory import Memory
from .policy import EVERYTHING
from .recorder import Footprint
from .submission import Running

Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Move:
    """A cache evicts or prefetches the line at `line.start` by itself."""

    evict: bool
    agent: str
    """An agent of the cache's domain."""
    line: Span


@dataclass(frozen=True, slots=True)
class Act:
    """A command or host action is executed."""

    key: Key
    passes_by: bool = False
    """It is no part of the witness: lines that it makes its cache fetch are dropped again."""


@dataclass(slots=True, eq=False)
class Watch:
    """Bytes of a run, sampled after `key` in the cache of the agent, or before it for a read."""

    key: Key
    span: Span
    before: bool
    sample: Bytes | None = field(default=None)


class Script:
    """Policy and cache moves in one: follows `steps`, samples `watches`, leaves `line` alone."""

    in_order = False

    def __init__(self, steps: Sequence[Move | Act], line: Span, watches: Sequence[Watch]) -> None:
        self._steps = steps
        self._line = line
        self._watches = watches
        self._next = 0
        self._chosen = False
        self._absent: list[tuple[Cache, Lines]] = []
        self._memory: Memory | None = None

    @property
    def over(self) -> bool:
        """Whether all of it has happened."""
        return self._next == len(self._steps)

    def attach(self, memory: Memory) -> None:
        """Follow the script on this memory."""
        self._memory = memory

    def host_steps(self, waited: bool) -> int:
        """See `Policy`: as many as `pick` lets."""
        return EVERYTHING

    def pick(self, running: Sequence[Running]) -> tuple[int, int] | None:
        """See `Policy`: the next command of the script, None if the host is next."""
        act = self._act()
        if act is None:
            first = next(index for index, entry in enumerate(running) if entry.choices())
            return first, 0
        for index, entry in enumerate(running):
            if entry.submission.number == act.key[0]:
                self._chosen = True
                if act.key[1] in entry.ready:
                    return index, entry.ready.index(act.key[1])
                if entry.host_work and entry.host_work[0] == act.key[1]:
                    return index, len(entry.ready)
                self._chosen = False
        return None

    def before(self, domain: int, footprint: Footprint) -> None:
        """See `CacheMoves`: the moves due, then the samples."""
        if self.over:
            return
        memory = self._attached()
        while isinstance(step := self._steps[self._next], Move):
            self._move(memory, step)
            self._next += 1
        if not self._chosen and step.key[0] != HOST_ACTION:
            raise self._misfit(step)
        self._sample(domain, step, footprint, before=True)
        self._absent = [
            (cache, self._missing(cache))
            for cache in memory.caches
            if cache.domain == domain and step.passes_by and self._holds(cache)
        ]

    def after(self, domain: int, footprint: Footprint) -> None:
        """See `CacheMoves`."""
        if self.over:
            return
        step = self._act()
        assert step is not None, "every command is chosen from the script"
        self._sample(domain, step, footprint, before=False)
        for cache, lines in self._absent:
            cache.evict(lines)
        self._absent = []
        self._chosen = False
        self._next += 1

    def _act(self) -> Act | None:
        """The next command or host action."""
        for index in range(self._next, len(self._steps)):
            step = self._steps[index]
            if isinstance(step, Act):
                return step
        return None

    def _attached(self) -> Memory:
        assert self._memory is not None, "a system attaches its script"
        return self._memory

    def _misfit(self, step: Act) -> HalError:
        return failed_precondition(
            f"the schedule to replay does not fit the program: command {step.key[1]} of submission "
            f"{step.key[0]} is not there to be executed, or is another one"
        )

    def _move(self, memory: Memory, move: Move) -> None:
        domain = memory.machine.domain_of(move.agent)
        for cache in memory.caches:
            if cache.domain == domain and _inside(cache.memory.pool, move.line):
                cache.fit()
                line = np.arange(*cache.span(move.line.start, move.line.end))
                (cache.evict if move.evict else cache.prefetch)(line)

    def _sample(self, domain: int, act: Act, footprint: Footprint, *, before: bool) -> None:
        memory = self._attached()
        for watch in self._watches:
            if watch.key != act.key or watch.before is not before:
                continue
            touched = footprint.reads if before else footprint.writes
            span = watch.span
            if not any(t.start <= span.start and span.end <= t.end for t in touched):
                raise self._misfit(act)
            pool = next(name for name, pool in memory.pools.items() if _inside(pool.pool, span))
            port = memory.port(domain, pool)
            assert port is not None, "the agent reaches what it accesses"
            watch.sample = port.load(span.start, span.end).copy()

    def _holds(self, cache: Cache) -> bool:
        return _inside(cache.memory.pool, self._line)

    def _missing(self, cache: Cache) -> Lines:
        """Those of the lines left alone that the cache does not hold."""
        cache.fit()
        lines = np.arange(*cache.span(self._line.start, self._line.end))
        return lines[~cache.present[lines]]


def _inside(pool: Pool, span: Span) -> bool:
    """Whether `span` begins in `pool`."""
    return pool.base <= span.start < pool.base + pool.size
