"""The history of one byte as far as the rules of the memory model still ask for it, and what each
operation does to it.

The rules are those of docs/memory-model.md; a fault that counts only if the value is read waits at
the write. What may be forgotten, and why, is said there, too (§8). Positions: `order`.
"""

from collections.abc import Iterable
from enum import IntEnum, auto
from typing import NamedTuple

from .latest import Entries, with_latest
from .memory_events import MemoryEvent
from .order import ALWAYS, Order, Position


class Rule(IntEnum):
    """What is broken."""

    RACE = auto()
    STALE = auto()
    LOST = auto()
    CLOBBER = auto()
    FALSE_SHARING = auto()
    LIFETIME = auto()
    DEAD = auto()
    """A read of what was discarded."""
    FREED = auto()
    """A use that is not ordered before the dealloca."""
    EARLY = auto()
    """A use that is not ordered after the alloca."""


MAINTAINABLE = frozenset({Rule.STALE, Rule.LOST, Rule.CLOBBER, Rule.FALSE_SHARING, Rule.LIFETIME})
"""What maintenance can put right; the others are faults of the order, or of a discard."""


class Mark(NamedTuple):
    """An event, and where in the tracked storage its resource starts."""

    event: MemoryEvent
    shift: int | None
    """Bytes; None where not constant."""

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands in the text: segment, -1 for the host, and node."""
        region = self.event.region
        return (-1 if region is None else region.segment.number), self.event.node

    @property
    def order(self) -> tuple[tuple[int, int], int, int]:
        """To sort by, without ties: as the text has it, then as the events were made."""
        return self.place, self.event.number, -1 if self.shift is None else self.shift


class Fault(NamedTuple):
    """A broken rule."""

    rule: Rule
    write: Mark
    """The write (or carry) whose bytes are at stake."""
    other: Mark
    """stale: the reader; lost: the invalidate or discard; clobber, false sharing: the later
    write or carry; lifetime: the dealloca or alloca."""
    flushed: bool = False
    """stale: a flush is there already, only the invalidate is missing."""
    ordered: bool = True
    """false sharing: the two are ordered, and the copy of the line is old."""

    @property
    def order(self) -> tuple[object, ...]:
        """To sort by, without ties."""
        return self.write.order, self.other.order, self.rule.value, self.flushed, self.ordered


class Written(NamedTuple):
    """A write and all that bears on its readers."""

    mark: Mark
    domain: int
    at: Position
    flushes: frozenset[Position] = frozenset()
    """After it, in its domain."""
    fresh: frozenset[tuple[int, Position]] = frozenset()
    """Invalidates of other domains after one of `flushes`."""
    readers: Entries[Mark] = frozenset()
    pending: frozenset[Fault] = frozenset()
    """Faults if it is read once more."""


class Dirty(NamedTuple):
    """A write or carry that made the byte dirty in a domain."""

    mark: Mark
    domain: int
    at: Position
    carry: bool
    cleaned: frozenset[Position] = frozenset()
    """Maintenance of the domain after it."""


class Drop(NamedTuple):
    """An invalidate or discard that a later write may not be ordered with."""

    mark: Mark
    domain: int
    at: Position
    discards: bool


class ByteState(NamedTuple):
    """A history."""

    last: Written | None = None
    old: frozenset[Written] = frozenset()
    """By domain the newest write before `last` that was read."""
    dirty: frozenset[Dirty] = frozenset()
    drops: frozenset[Drop] = frozenset()
    uses: Entries[Mark] = frozenset()
    """The latest accesses and the latest maintenance that names the byte."""
    made: tuple[Mark, Position] | None = None
    """The alloca, while something may come that is not ordered after it."""


class Item(NamedTuple):
    """What one event does to the byte."""

    mark: Mark
    node: int
    domain: int
    reads: bool = False
    writes: bool = False
    may_write: bool = False
    carries: bool = False
    """A write of other bytes of the line, in a domain that writes back whole lines."""
    flushes: bool = False
    invalidates: bool = False
    discards: bool = False
    """An invalidate that names the byte as dead."""
    named: bool = True
    """Whether it uses the byte, and not just drags it along."""
    frees: bool = False
    makes: bool = False
    drops: bool = False
    """Nothing names the storage any more."""
    uncertain: bool = False
    """Maintenance that may act on the byte or not."""


class Transition:
    """Applies items to states; `faults` collects what is broken on the way."""

    def __init__(self, order: Order, faults: set[Fault]) -> None:
        self._order = order
        self._before = order.before
        self._faults = faults

    def apply(self, state: ByteState, item: Item) -> list[ByteState]:
        """The states after `item`; two where it may act or not, none once it is freed."""
        if item.frees:
            self._free(state, item)
            return []
        if item.makes:
            return [state._replace(made=(item.mark, item.node))]
        if item.drops:
            self._leave_clean(state, item)
            return [state]
        if item.named:
            state = self._used(state, item)
        if item.flushes or item.invalidates:
            act = self._flush if item.flushes else self._drop
            return [state, act(state, item)] if item.uncertain else [act(state, item)]
        if item.reads:
            state = self._read(state, item)
        carried = self._carry(state, item) if item.carries else state
        if item.writes:
            return [self._write(state, item)]
        return [carried, self._write(state, item)] if item.may_write else [carried]

    def _any(self, positions: Iterable[Position], node: int) -> bool:
        return any(self._before(position, node) for position in positions)

    def _used(self, state: ByteState, item: Item) -> ByteState:
        if state.made is not None and not self._before(state.made[1], item.node):
            self._faults.add(Fault(Rule.EARLY, item.mark, state.made[0]))
        last, old, dirty, drops, uses, made = state
        uses = with_latest(uses, item.mark, item.node, self._order)
        return ByteState(last, old, dirty, drops, uses, made)

    # Maintenance.

    def _flush(self, state: ByteState, item: Item) -> ByteState:
        def flushed(write: Written) -> Written:
            if write.domain != item.domain or not self._before(write.at, item.node):
                return write
            return write._replace(flushes=self._earliest(write.flushes, item.node))

        last = None if state.last is None else flushed(state.last)
        old = frozenset(flushed(write) for write in state.old)
        return state._replace(last=last, old=old, dirty=self._cleaned(state, item))

    def _earliest(self, positions: frozenset[Position], node: int) -> frozenset[Position]:
        return positions if self._any(positions, node) else positions | {node}

    def _cleaned(self, state: ByteState, item: Item) -> frozenset[Dirty]:
        return frozenset(
            dirty._replace(cleaned=self._earliest(dirty.cleaned, item.node))
            if dirty.domain == item.domain and self._before(dirty.at, item.node)
            else dirty
            for dirty in state.dirty
        )

    def _drop(self, state: ByteState, item: Item) -> ByteState:
        last = None if state.last is None else self._dropped(state.last, item)
        old = frozenset(self._dropped(write, item) for write in state.old)
        drops = frozenset(
            drop
            for drop in state.drops
            if drop.domain != item.domain
            or drop.discards > item.discards
            or not self._before(drop.at, item.node)
        )
        drop = Drop(item.mark, item.domain, item.node, item.discards)
        cleaned = self._cleaned(state, item)
        return ByteState(last, old, cleaned, drops | {drop}, state.uses, state.made)

    def _dropped(self, write: Written, item: Item) -> Written:
        kept = self._any(write.flushes, item.node)
        if item.discards:
            write = self._at_stake(write, item, Rule.DEAD)
        if write.domain == item.domain:
            return write if kept else self._at_stake(write, item, Rule.LOST)
        if not kept:
            return write
        if self._any((at for domain, at in write.fresh if domain == item.domain), item.node):
            return write
        return write._replace(fresh=write.fresh | {(item.domain, item.node)})

    def _at_stake(self, write: Written, item: Item, rule: Rule) -> Written:
        """The value is gone for readers that do not come before `item`."""
        fault = Fault(rule, write.mark, item.mark)
        if not all(self._before(at, item.node) for _, at in write.readers):
            self._faults.add(fault)
        return write._replace(pending=write.pending | {fault})

    # Accesses.

    def _read(self, state: ByteState, item: Item) -> ByteState:
        write = state.last
        if write is None:
            return state
        self._faults.update(write.pending)
        if not self._before(write.at, item.node):
            self._faults.add(Fault(Rule.RACE, write.mark, item.mark))
        elif not self._fresh(write, item):
            flushed = self._any(write.flushes, item.node)
            self._faults.add(Fault(Rule.STALE, write.mark, item.mark, flushed))
        readers = with_latest(write.readers, item.mark, item.node, self._order)
        return state._replace(last=write._replace(readers=readers))

    def _fresh(self, write: Written, item: Item) -> bool:
        if write.domain == item.domain:
            return True
        return self._any((at for domain, at in write.fresh if domain == item.domain), item.node)

    def _carry(self, state: ByteState, item: Item) -> ByteState:
        """A write next to the byte takes it along into memory: it must be the current one."""
        last = state.last
        if last is not None and last.domain != item.domain:
            last = self._carried(last, item)
        for write in state.old:
            if write.domain != item.domain:
                self._carried(write, item)
        return state._replace(last=last, dirty=self._soiled(state.dirty, item, carry=True))

    def _carried(self, write: Written, item: Item) -> Written:
        flushed = self._any(write.flushes, item.node)
        fault = Fault(Rule.FALSE_SHARING, write.mark, item.mark, flushed)
        if not self._before(write.at, item.node):
            fault = fault._replace(ordered=False)
            if write.readers:
                self._faults.add(fault)
            return write._replace(pending=write.pending | {fault})
        if self._fresh(write, item):
            return write
        others = (at for _, at in write.readers if at != item.node)
        if not all(self._before(at, item.node) for at in others):
            self._faults.add(fault)
        return write._replace(pending=write.pending | {fault})

    def _soiled(self, dirty: frozenset[Dirty], item: Item, *, carry: bool) -> frozenset[Dirty]:
        kept = {
            entry
            for entry in dirty
            if entry.domain != item.domain or not self._before(entry.at, item.node)
        }
        return frozenset(kept) | {Dirty(item.mark, item.domain, item.node, carry)}

    def _write(self, state: ByteState, item: Item) -> ByteState:
        self._races(state, item)
        pending: set[Fault] = set()
        dirty: set[Dirty] = set()
        for entry in state.dirty:
            if entry.domain != item.domain and not self._any(entry.cleaned, item.node):
                ordered = self._before(entry.at, item.node)
                if ordered or entry.carry:
                    rule = Rule.CLOBBER if ordered else Rule.FALSE_SHARING
                    pending.add(Fault(rule, entry.mark, item.mark, ordered=ordered))
                dirty.add(entry)
            elif entry.domain == item.domain:
                dirty.add(entry)
        drops: set[Drop] = set()
        for drop in state.drops:
            if self._before(drop.at, item.node):
                continue
            drops.add(drop)
            if drop.domain == item.domain:
                pending.add(Fault(Rule.LOST, item.mark, drop.mark))
            if drop.discards:
                pending.add(Fault(Rule.DEAD, item.mark, drop.mark))
        last = Written(item.mark, item.domain, item.node, pending=frozenset(pending))
        soiled = self._soiled(frozenset(dirty), item, carry=False)
        return ByteState(last, _retained(state), soiled, frozenset(drops), state.uses, state.made)

    def _races(self, state: ByteState, item: Item) -> None:
        write = state.last
        if write is None:
            return
        if not self._before(write.at, item.node):
            self._faults.add(Fault(Rule.RACE, write.mark, item.mark))
        for mark, at in write.readers:
            if at != item.node and not self._before(at, item.node):
                self._faults.add(Fault(Rule.RACE, mark, item.mark))

    def _free(self, state: ByteState, item: Item) -> None:
        """Nothing dirty is left in any cache when storage is given back."""
        for dirty in state.dirty:
            before = dirty.carry or self._before(dirty.at, item.node)
            if before and not self._any(dirty.cleaned, item.node):
                self._faults.add(Fault(Rule.LIFETIME, dirty.mark, item.mark))
        for mark, at in state.uses:
            if not self._before(at, item.node):
                self._faults.add(Fault(Rule.FREED, mark, item.mark))

    def _leave_clean(self, state: ByteState, item: Item) -> None:
        """Storage that is dropped is given back after all that uses it: no order is asked for."""
        for dirty in state.dirty:
            if not dirty.cleaned:
                self._faults.add(Fault(Rule.LIFETIME, dirty.mark, item.mark))


def _retained(state: ByteState) -> frozenset[Written]:
    """`old` for the time after the last write is no longer the last."""
    last = state.last
    if last is None or not last.readers or all(at == ALWAYS for _, at in last.readers):
        return state.old
    kept = frozenset(write for write in state.old if write.domain != last.domain)
    return kept | {last._replace(pending=frozenset())}
