"""Events, or notes of events, that nothing orders, many of them: a sequence that grows in constant
time.

Each state of a byte keeps the sequence as it was, so it has to be immutable; a tuple is copied for
each event added. Here sequences that grow out of each other share one list, of which each sees a
beginning.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar, cast, overload

T = TypeVar("T")


class Antichain(Sequence[T], Generic[T]):
    """The first `size` of `items`; nobody changes what a sequence sees."""

    __slots__ = ("_items", "_size")

    def __init__(self, items: list[T], size: int) -> None:
        self._items = items
        self._size = size

    def with_entry(self, entry: T) -> "Antichain[T]":
        """This and `entry`; copies only where another sequence has grown from this one."""
        items = self._items
        if len(items) != self._size:
            items = items[: self._size]
        items.append(entry)
        return Antichain(items, self._size + 1)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._size)

    def __reversed__(self) -> Iterator[T]:
        return (self._items[index] for index in range(self._size - 1, -1, -1))

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self._items[slice(*index.indices(self._size))])
        return self._items[range(self._size)[index]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Antichain) or self._size != other._size:
            return False
        mine, others = self._items, cast("list[T]", other._items)
        return mine is others or mine[: self._size] == others[: self._size]

    def __hash__(self) -> int:
        return hash(self[-1:])


Entries = tuple[T, ...] | Antichain[T]
"""In ascending order of events: few as a tuple, many as an `Antichain`."""

Events = Entries[int]
"""Events in ascending order."""


def with_entry(entries: Entries[T], entry: T) -> Entries[T]:
    """`entries` and `entry`, which comes last."""
    if isinstance(entries, Antichain):
        return entries.with_entry(entry)
    if len(entries) < _MANY:
        return entries + (entry,)  # noqa: RUF005, the fastest way
    return Antichain([*entries, entry], len(entries) + 1)


_MANY = 32
"""Entries beyond which a tuple becomes an `Antichain`."""
