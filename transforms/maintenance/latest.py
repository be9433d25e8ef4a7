"""The latest of what happened: entries that nothing among them comes after.

Few are a plain set. Of many that nothing orders, as where many read what one wrote, each is the
end of a log that all share; what a later one comes after is taken out when the log has doubled, or
when somebody looks. So an entry costs the same however many there are.
"""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Generic, TypeVar, cast

from .order import Order, Position

T = TypeVar("T")

_FEW = 8
"""Entries up to which they are a set."""


class Log(Collection[tuple[T, Position]], Generic[T]):
    """Many entries; to look at, a set of those that no other comes after."""

    __slots__ = ("_grown", "_items", "_order", "_settled", "_size")

    def __init__(self, items: list[tuple[T, Position]], settled: int, order: Order) -> None:
        """The entries of `items` as it is now, of which nothing orders the first `settled`."""
        self._items = items
        self._size = len(items)
        self._settled = settled
        self._order = order
        self._grown: tuple[tuple[T, Position], Entries[T]] | None = None

    def with_entry(self, entry: tuple[T, Position]) -> "Entries[T]":
        """This and `entry`, which came last."""
        if self._grown is None or self._grown[0] != entry:
            self._grown = entry, self._with(entry)
        return self._grown[1]

    def _with(self, entry: tuple[T, Position]) -> "Entries[T]":
        items = self._items
        if len(items) != self._size:
            items = items[: self._size]  # Another log has grown from this one.
        items.append(entry)
        if len(items) < 2 * self._settled:
            return Log(items, self._settled, self._order)
        return _entries(self._order.unfollowed(items), self._order)

    def _settle(self) -> None:
        if self._settled != self._size:
            self._items = self._order.unfollowed(self._items[: self._size])
            self._size = self._settled = len(self._items)

    def __len__(self) -> int:
        self._settle()
        return self._size

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[tuple[T, Position]]:
        self._settle()
        return islice(self._items, self._size)

    def __contains__(self, entry: object) -> bool:
        return entry in tuple(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Log):
            return False
        log = cast("Log[T]", other)
        same = self._items is log._items and self._size == log._size
        return same or (hash(self) == hash(log) and set(self) == set(log))

    def __hash__(self) -> int:
        # The last entry stays the last.
        return hash(self._items[self._size - 1])


Entries = frozenset[tuple[T, Position]] | Log[T]
"""What happened, and where."""


def with_latest(entries: Entries[T], what: T, node: int, order: Order) -> Entries[T]:
    """`entries` without those that `node` comes after, and `what` at `node`."""
    if isinstance(entries, Log):
        return entries.with_entry((what, node))
    kept = [entry for entry in entries if not order.before(entry[1], node)]
    kept.append((what, node))
    return _entries(kept, order)


def _entries(items: list[tuple[T, Position]], order: Order) -> Entries[T]:
    """`items`, none of which comes after another."""
    return frozenset(items) if len(items) <= _FEW else Log(items, len(items), order)
