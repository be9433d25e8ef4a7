"""What caches do by themselves, chosen so that a program that is not right reads a wrong value.

Between any two commands the hardware may evict and prefetch lines (docs/memory-model.md,
section 1). Choosing at random seldom hurts; these habits aim at the faults:

- A line fetched as early as possible and never let go shows every read that lacks a flush or an
  invalidate, or has them in the wrong order.
- A dirty line written back as late as possible, older data last, overwrites newer data of another
  domain where a flush, discard or invalidate is missing, and carries stale neighbours along.
"""

from collections.abc import Iterator
from enum import Enum

import numpy as np

from ..cache import Cache, Lines
from ..events import EventKind, Span
from ..kernels.api import Runs
from ..machine import HOST
from ..memory import Memory
from ..runs import expand, rounded
from .recorder import Footprint

_WINDOW = 64
"""Lines that one arbitrary move takes in."""


class Habit(Enum):
    """What the caches do between two commands."""

    HOARD = "fetch as early as possible, evict nothing"
    HOARD_AND_EVICT_LATE = "fetch as early as possible, evict dirty lines just before a read"
    HOARD_AND_EVICT_LAST = "the same, but only before a read of the host"
    MIXED = "for each line one or the other"
    ANYTHING = "evict and fetch lines at random"


class Adversary:
    """Moves of all caches of a memory, around the commands and host actions of a run."""

    def __init__(
        self,
        memory: Memory,
        habit: Habit,
        seed: int,
        *,
        eviction: bool = True,
        prefetch: bool = True,
    ) -> None:
        self._eviction, self._prefetch = eviction, prefetch
        self._habit = habit
        self._rng = np.random.default_rng(seed)
        self._pools = [
            (pool.base, pool.base + pool.size, [c for c in memory.caches if c.memory.pool is pool])
            for pool in memory.machine.pools
        ]
        self._host = memory.machine.domain_of(HOST)
        self._unit = memory.line
        self._live: dict[Span, None] = {}

    def before(self, domain: int, footprint: Footprint) -> None:
        """Moves before an agent of `domain` does what `footprint` says."""
        if self._habit is Habit.HOARD:
            return
        if self._habit is Habit.ANYTHING:
            self._move_anything()
            return
        if self._habit is Habit.HOARD_AND_EVICT_LAST and domain != self._host:
            return
        for runs, caches in self._split(footprint.reads):
            self._evict_late(runs, caches, domain)
        if footprint.kind in _DROPPING:
            for runs, caches in self._split(footprint.target):
                for cache in caches:
                    if cache.domain == domain:
                        self._evict(cache, self._some(_lines(cache, runs)))

    def after(self, domain: int, footprint: Footprint) -> None:
        """Moves after it."""
        if footprint.kind is EventKind.ALLOCA:
            self._live.update(dict.fromkeys(footprint.writes))
        elif footprint.kind is EventKind.DEALLOCA:
            for span in footprint.writes:
                self._live.pop(span, None)
        if self._habit is Habit.ANYTHING:
            self._move_anything()
        elif footprint.kind is EventKind.ALLOCA:
            self._hoard(footprint.writes, None)
        elif footprint.kind in _DROPPING:
            self._hoard(footprint.target, domain)

    def _hoard(self, spans: tuple[Span, ...], domain: int | None) -> None:
        """Fetch the lines of `spans` into the cache of `domain`, or of every domain."""
        for runs, caches in self._split(spans):
            for cache in caches:
                if domain is None or cache.domain == domain:
                    self._fetch(cache, _lines(cache, runs))

    def _evict_late(self, runs: Runs, caches: list[Cache], reader: int) -> None:
        """Write back what is dirty in lines about to be read, newest first; the reader's lines
        go, so that it fetches what the oldest left, and the others fetch theirs again."""
        units = self._some(expand(rounded(runs, self._unit)))
        rows = [_rows(cache, units, self._unit) for cache in caches]
        if not any(cache.dirty[row].any() for cache, row in zip(caches, rows, strict=True)):
            return
        newest = np.stack(
            [cache.stamps[row].max(axis=1) for cache, row in zip(caches, rows, strict=True)]
        )
        ranks = np.argsort(-newest, axis=0, kind="stable")
        for rank in ranks:
            for index, cache in enumerate(caches):
                lines = rows[index][rank == index].ravel()
                self._evict(cache, lines if cache.domain == reader else lines[cache.dirty[lines]])
        for cache, row in zip(caches, rows, strict=True):
            if cache.domain != reader:
                self._fetch(cache, row.ravel())

    def _move_anything(self) -> None:
        """Evict and fetch a few lines of a buffer."""
        if not self._live:
            return
        spans = list(self._live)
        for runs, caches in self._split((spans[self._rng.integers(len(spans))],)):
            for cache in caches:
                lines = _lines(cache, runs)
                first = int(self._rng.integers(len(lines)))
                window = lines[first : first + _WINDOW]
                choice = self._rng.integers(3, size=len(window))
                self._evict(cache, window[choice == 0])
                self._fetch(cache, window[choice == 1])

    def _evict(self, cache: Cache, lines: Lines) -> None:
        if self._eviction:
            cache.evict(lines)

    def _fetch(self, cache: Cache, lines: Lines) -> None:
        if self._prefetch:
            cache.prefetch(lines)

    def _some(self, lines: Lines) -> Lines:
        """All of the lines, or any of them where each goes its own way."""
        if self._habit is not Habit.MIXED:
            return lines
        return lines[self._rng.random(len(lines)) < 0.5]

    def _split(self, spans: tuple[Span, ...]) -> Iterator[tuple[Runs, list[Cache]]]:
        """Runs by pool, counted from its start, with the caches over it; pools without left out."""
        if not spans:
            return
        runs = np.array([(span.start, span.end) for span in spans], dtype=np.int64)
        for base, end, caches in self._pools:
            if not caches:
                continue
            first, last = np.searchsorted(runs[:, 0], (base, end))
            if first < last:
                for cache in caches:
                    cache.fit()
                yield runs[first:last] - base, caches


_DROPPING = frozenset((EventKind.INVALIDATE, EventKind.DISCARD))


def _lines(cache: Cache, runs: Runs) -> Lines:
    """The lines of `cache` that the runs touch."""
    return expand(rounded(runs, cache.line))


def _rows(cache: Cache, units: Lines, unit: int) -> Lines:
    """For each unit of `unit` bytes a row with the lines of `cache` in it."""
    each = unit // cache.line
    return units[:, None] * each + np.arange(each)
