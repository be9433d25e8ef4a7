"""The machine of the explorer: the memory of a block and what each cache holds of it.

A state is (steps done, memory, cells). Memory is a token for each location. A cell is None when
the cache does not hold the line, else (dirty, tokens): `dirty` a bit mask of places in the cell,
or 0 and 1 where lines are written back whole. A clean line that holds what memory holds is None
too, or `SAME` where the actions of a witness are to be counted right.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from ..events import EventKind
from .blocks import BESIDE, Block

Held = tuple[int, tuple[int, ...]] | None
State = tuple[int, tuple[int, ...], tuple[Held, ...]]

SAME: Held = (0, ())
"""The line is in the cache, clean and equal to memory."""

NONE_BEGUN = -1
"""In place of an event: none is executed in part."""

NOTHING_READ = -2
"""In place of the token that a step read."""


class Move(NamedTuple):
    """What the machine does next."""

    fetched: tuple[int, ...]
    """Cells that are prefetched just before."""
    dropped: tuple[int, ...]
    """Cells that are evicted, clean, just before."""
    step: int
    """The step taken, or -1."""
    evicted: int
    """The cell evicted, or -1."""
    read: int
    """The token read, or NOTHING_READ."""
    state: State
    """The state after it."""

    @property
    def cost(self) -> int:
        """Machine actions in it."""
        return (self.step >= 0) + (self.evicted >= 0) + len(self.fetched) + len(self.dropped)


class _Wanted(NamedTuple):
    """What can still be told, after some steps."""

    live: tuple[bool, ...]
    """Locations that are still to be read."""
    loads: tuple[bool, ...]
    """Cells whose clean contents can still come into play: read by their domain, or carried
    along when a line that it will write is written back whole."""
    any: bool
    """Whether anything is still to be read."""


class Hardware(NamedTuple):
    """What caches do by themselves. With `telling`, all of it."""

    evicts: bool = True
    prefetches: bool = True


ALL_MOVES = Hardware()


class Caches:
    """The moves of the machine on one block.

    With `telling`, evictions and prefetches are offered only where a load can tell: a prefetch
    just before memory changes under a line that is still wanted, the eviction of a clean line
    only when memory differs from it, of a dirty line only while something is still to be read.
    What can no longer be told is forgotten, so that equal states meet. Without it every line may
    be evicted or prefetched at every moment.

    With `atomic` an event is not left once begun: no other event and no eviction or prefetch comes
    between its steps; lines are also prefetched before an event that will change memory on its way.
    These executions are some of all; a simulator that executes whole commands can follow them.
    """

    def __init__(
        self,
        block: Block,
        telling: bool,
        counting: bool = False,
        atomic: bool = False,
        hardware: Hardware = ALL_MOVES,
    ) -> None:
        self.block = block
        self._hardware = hardware
        self._parts: dict[int, int] = {}
        """With `atomic`: by event the bit mask of its steps, for events of several steps."""
        if atomic:
            for index, step in enumerate(block.steps):
                self._parts[step.event] = self._parts.get(step.event, 0) | 1 << index
            self._parts = {e: mask for e, mask in self._parts.items() if mask & (mask - 1)}
        self.telling = telling
        self._same = SAME if counting else None
        """What stands for a clean line equal to memory, with `telling`."""
        self._cells = block.cells
        self._place = [
            {location: place for place, location in enumerate(cell.locations)}
            for cell in block.cells
        ]
        self._wanted: dict[int, _Wanted] = {}
        self.start: State = (0, (0,) * len(block.locations), (None,) * len(block.cells))

    def enabled(self, done: int) -> list[int]:
        """The steps that may come next."""
        begun = self._begun(done)
        return [
            index
            for index, step in enumerate(self.block.steps)
            if not done >> index & 1
            and not step.before & ~done
            and (begun == NONE_BEGUN or step.event == begun)
        ]

    def _begun(self, done: int) -> int:
        """The event that is executed in part, or NONE_BEGUN."""
        for event, mask in self._parts.items():
            if done & mask and mask & ~done:
                return event
        return NONE_BEGUN

    def finished(self, done: int) -> bool:
        """Whether nothing is left to do, or with `telling` nothing left to read."""
        if self.telling:
            return not self._want(done).any
        return done == (1 << len(self.block.steps)) - 1

    def steps(self, state: State) -> Iterator[Move]:
        """The program's moves."""
        for index in self.enabled(state[0]):
            yield from self._step(state, index)

    def silent(self, state: State) -> Iterator[Move]:
        """The moves that the hardware may make by itself."""
        done, memory, cells = state
        if self._begun(done) != NONE_BEGUN:
            return
        for index, held in enumerate(cells):
            if not (self._hardware.prefetches if held is None else self._hardware.evicts):
                continue
            if held is None:
                if not self.telling or (self._parts and self._want(done).loads[index]):
                    line = SAME if self.telling else self._fetch(memory, index)
                    after = (done, memory, _put(cells, index, line))
                    yield Move((index,), (), -1, -1, NOTHING_READ, after)
                continue
            if held[0]:
                yield from self._write_back(state, index, None, -1)
            elif held is not SAME:
                yield self._settled((), -1, index, NOTHING_READ, done, memory, _put(cells, index))

    def _step(self, state: State, index: int) -> Iterator[Move]:
        done, memory, cells = state
        step = self.block.steps[index]
        held = cells[step.cell]
        after = done | 1 << index
        if step.kind is EventKind.INVALIDATE:
            dropped = _put(cells, step.cell)
            yield self._settled((), index, -1, NOTHING_READ, after, memory, dropped)
        elif step.kind is EventKind.FLUSH:
            if held is not None and held[0]:
                yield from self._write_back(state, step.cell, (0, held[1]), index)
            else:
                yield self._settled((), index, -1, NOTHING_READ, after, memory, cells)
        else:
            if held is None or held is SAME:
                held = self._fetch(memory, step.cell)
            dirty, tokens = held
            place = -1 if step.location == BESIDE else self._place[step.cell][step.location]
            read = NOTHING_READ
            if step.writes:
                if place >= 0:
                    tokens = (*tokens[:place], step.value, *tokens[place + 1 :])
                dirty = 1 if self._cells[step.cell].whole else dirty | 1 << place
            else:
                read = tokens[place]
            stored = _put(cells, step.cell, (dirty, tokens))
            yield self._settled((), index, -1, read, after, memory, stored)

    def _fetch(self, memory: tuple[int, ...], cell: int) -> tuple[int, tuple[int, ...]]:
        return 0, tuple(memory[location] for location in self._cells[cell].locations)

    def _write_back(self, state: State, cell: int, left: Held, step: int) -> Iterator[Move]:
        """Write a dirty cell back by eviction or by the flush `step`; `left` stays in the cache.

        With `telling`, other caches may take the old contents of memory first.
        """
        done, memory, cells = state
        held = cells[cell]
        assert held is not None, "only what is cached is written back"
        stored = list(memory)
        for place, location in enumerate(self._cells[cell].locations):
            if self._cells[cell].whole or held[0] >> place & 1:
                stored[location] = held[1][place]
        after = tuple(stored)
        kept = _put(cells, cell, left)
        if step >= 0:
            done |= 1 << step
        evicted = -1 if step >= 0 else cell
        changing = self._changing(state, cell, after)
        for keep in self._keeping(state, changing):
            caches = kept
            for other, old in zip(changing, keep, strict=True):
                caches = _put(caches, other, self._fetch(memory, other) if old else None)
            kept_old = list(zip(changing, keep, strict=True))
            fetched = tuple(c for c, old in kept_old if old and cells[c] is None)
            dropped = tuple(c for c, old in kept_old if not old and cells[c] is SAME)
            move = self._settled(fetched, step, evicted, NOTHING_READ, done, after, caches)
            yield move._replace(dropped=dropped)

    def _keeping(self, state: State, changing: list[int]) -> Iterable[tuple[bool, ...]]:
        """Which of the cells `changing` keep the old contents of memory: any, but within an event
        those that hold it."""
        done, _, cells = state
        if self._begun(done) != NONE_BEGUN:
            return [tuple(cells[cell] is SAME for cell in changing)]
        return product((False, True), repeat=len(changing))

    def _changing(self, state: State, cell: int, after: tuple[int, ...]) -> list[int]:
        """Cells that may or may not hold what memory holds before it becomes `after`."""
        done, memory, cells = state
        if not self.telling:
            return []
        loads = self._want(done).loads
        return [
            other
            for other, held in enumerate(cells)
            if (held is None or held is SAME)
            and other != cell
            and loads[other]
            and any(memory[at] != after[at] for at in self._cells[other].locations)
        ]

    def _settled(
        self,
        fetched: tuple[int, ...],
        step: int,
        evicted: int,
        read: int,
        done: int,
        memory: tuple[int, ...],
        cells: tuple[Held, ...],
    ) -> Move:
        """The move to a state, from which with `telling` is taken what can no longer be told."""
        if self.telling:
            want = self._want(done)
            if not all(want.live):
                memory = tuple(v if live else 0 for v, live in zip(memory, want.live, strict=True))
            cells = tuple(
                held and self._forget(index, held, memory, want) for index, held in enumerate(cells)
            )
        return Move(fetched, (), step, evicted, read, (done, memory, cells))

    def _forget(
        self, index: int, held: tuple[int, tuple[int, ...]], memory: tuple[int, ...], want: _Wanted
    ) -> Held:
        """What matters of a cached line."""
        cell = self._cells[index]
        keep = want.loads[index]
        if held is SAME:
            return SAME if keep else None
        dirty, tokens = held
        kept: list[int] = []
        for place, location in enumerate(cell.locations):
            if not want.live[location]:
                kept.append(0)
                if not cell.whole:
                    dirty &= ~(1 << place)
            elif keep or cell.whole or dirty >> place & 1:
                kept.append(tokens[place])
            else:
                kept.append(0)
        if dirty:
            return dirty, tuple(kept)
        if not keep:
            return None
        if kept == [memory[location] for location in cell.locations]:
            return self._same
        return 0, tuple(kept)

    def _want(self, done: int) -> _Wanted:
        """What can still be told after the steps `done`."""
        known = self._wanted.get(done)
        if known is not None:
            return known
        live = [False] * len(self.block.locations)
        loads = [False] * len(self._cells)
        rest = [s for i, s in enumerate(self.block.steps) if not done >> i & 1]
        for step in rest:
            if step.kind is EventKind.ACCESS and not step.writes:
                live[step.location] = loads[step.cell] = True
        for step in rest:
            if step.kind is EventKind.ACCESS and step.writes and self._cells[step.cell].whole:
                loads[step.cell] = loads[step.cell] or any(
                    live[location] for location in self._cells[step.cell].locations
                )
        want = _Wanted(tuple(live), tuple(loads), any(live))
        self._wanted[done] = want
        return want


def _put(cells: tuple[Held, ...], index: int, held: Held = None) -> tuple[Held, ...]:
    return (*cells[:index], held, *cells[index + 1 :])
