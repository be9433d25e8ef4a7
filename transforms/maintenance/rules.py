"""The rules of the memory model for one byte interval, swept once in textual order.

Textual order is a linear extension of happens-before, and in a race-free function the writes of
a byte are totally ordered; so the last write in the text before a read is the one it reads. Each
thing a rule leaves open is an `Unmet`: which operations on which side would close it.

* stale: a reader in another domain needs a flush of the writer's and then an invalidate of its
  own. In a domain that writes back whole lines, what a write carries along is a read, too.
* lost: an invalidate or discard in the writer's domain, while the write still has readers,
  needs a flush between the two.
* clobber: every earlier write, or carry, of another domain must have left that domain's cache
  before a write that has a reader.
* lifetime: nothing dirty is left in any cache when storage is given back.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from .memory_events import Kind, MemoryEvent


class Rule(Enum):
    """What is open."""

    STALE = auto()
    LOST = auto()
    CLOBBER = auto()
    LIFETIME = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """What one event does to the interval."""

    node: int
    domain: int
    event: MemoryEvent | None
    """None for maintenance that is planned."""
    reads: bool = False
    writes: bool = False
    carries: bool = False
    """A write of other bytes of the line, in a domain that writes back whole lines."""
    flushes: bool = False
    named: bool = True
    """Maintenance whose range names these bytes. Bytes of the same lines are dragged along: that
    may lose them, but is not relied on, since a machine may have shorter lines."""
    invalidates: bool = False
    discards: bool = False
    frees: bool = False

    @property
    def maintains(self) -> bool:
        """Whether it takes the domain's dirty bytes out of its cache."""
        return self.flushes or self.invalidates or self.discards


@dataclass(frozen=True, slots=True, eq=False)
class Unmet:
    """An open obligation."""

    rule: Rule
    write: Item
    """The write (or carry) whose bytes are at stake."""
    other: Item
    """stale: the reader; lost: the invalidate or discard; clobber: the later write; lifetime:
    the dealloca."""
    flushed: bool = False
    """stale: a flush is there already, only the invalidate is missing."""


Covers = Callable[[int, int], bool]
"""`covers(later, earlier)`: whether `earlier` happens before `later`."""


@dataclass(slots=True)
class Sweep:
    """The state of a sweep; `run` gives what is open."""

    items: Sequence[Item]
    covers: Covers
    unmet: list[Unmet] = field(default_factory=list[Unmet])
    write: Item | None = None
    """The last write so far."""
    maintenance: list[Item] = field(default_factory=list[Item])
    """Flushes and invalidates since that write."""
    readers: list[Item] = field(default_factory=list[Item])
    """All readers of that write."""
    dirty: dict[int, list[tuple[Item, list[Item]]]] = field(
        default_factory=dict[int, list[tuple[Item, list[Item]]]]
    )
    """Per domain: writes and carries, each with the maintenance of the domain after it."""

    def run(self) -> list[Unmet]:
        """Sweep all items."""
        readers = _readers(self.items)
        for item in self.items:
            if item.maintains:
                self._maintain(item)
                continue
            if item.frees:
                self._free(item)
                continue
            if item.reads:
                self._fresh(item)
            if item.carries and self._carried(item):
                self._fresh(item)
            if item.writes:
                self._clobber(item, bool(readers.get(item)))
                self.write, self.maintenance = item, []
                self.readers = readers.get(item, [])
            if item.writes or item.carries:
                self._dirty(item)
        return self.unmet

    def _dirty(self, item: Item) -> None:
        """What takes this write out of the cache takes those before it in the domain, too."""
        before = self.dirty.get(item.domain, [])
        kept = [entry for entry in before if not self.covers(item.node, entry[0].node)]
        self.dirty[item.domain] = [*kept, (item, [])]

    def _carried(self, carry: Item) -> bool:
        """Whether the byte that a write-back takes along is read by anyone else later."""
        return any(
            reader.node != carry.node and not self.covers(carry.node, reader.node)
            for reader in self.readers
        )

    def _maintain(self, item: Item) -> None:
        if self.write is not None:
            if item.invalidates and self.write.domain == item.domain:
                self._lost(item)
            if item.named:
                self.maintenance.append(item)
        if not item.named:
            return
        for write, after in self.dirty.get(item.domain, ()):
            if self.covers(item.node, write.node):
                after.append(item)

    def _lost(self, item: Item) -> None:
        write = self.write
        assert write is not None
        live = any(not self.covers(item.node, reader.node) for reader in self.readers)
        kept = any(
            flush.flushes
            and flush.domain == write.domain
            and self.covers(flush.node, write.node)
            and self.covers(item.node, flush.node)
            for flush in self.maintenance
        )
        if live and not kept:
            self.unmet.append(Unmet(Rule.LOST, write, item))

    def _fresh(self, reader: Item) -> None:
        write = self.write
        if write is None or write.domain == reader.domain:
            return
        flushes = [
            flush
            for flush in self.maintenance
            if flush.flushes and flush.domain == write.domain
            if self.covers(flush.node, write.node) and self.covers(reader.node, flush.node)
        ]
        if any(
            drop.invalidates
            and drop.domain == reader.domain
            and self.covers(reader.node, drop.node)
            and self.covers(drop.node, flush.node)
            for flush in flushes
            for drop in self.maintenance
        ):
            return
        self.unmet.append(Unmet(Rule.STALE, write, reader, flushed=bool(flushes)))

    def _clobber(self, later: Item, has_reader: bool) -> None:
        if not has_reader:
            return
        for domain, entries in self.dirty.items():
            if domain == later.domain:
                continue
            for write, after in entries:
                if not any(self.covers(later.node, item.node) for item in after):
                    self.unmet.append(Unmet(Rule.CLOBBER, write, later))
            entries.clear()

    def _free(self, free: Item) -> None:
        for entries in self.dirty.values():
            if not entries:
                continue
            write, after = entries[-1]
            if not any(self.covers(free.node, item.node) for item in after):
                self.unmet.append(Unmet(Rule.LIFETIME, write, free))
            entries.clear()


def _readers(items: Sequence[Item]) -> dict[Item, list[Item]]:
    """For each write the items that read it: those up to the next write, that one included."""
    result: dict[Item, list[Item]] = {}
    current: Item | None = None
    for item in items:
        if item.reads and current is not None:
            result.setdefault(current, []).append(item)
        if item.writes:
            current = item
    return result


def kind_flags(kind: Kind) -> dict[str, bool]:
    """The flags of an `Item` that stands for maintenance. A discard acts as an invalidate."""
    return {
        "flushes": kind is Kind.FLUSH,
        "invalidates": kind in (Kind.INVALIDATE, Kind.DISCARD),
        "discards": kind is Kind.DISCARD,
    }
