"""Events that nothing orders, many of them: a sequence that grows in constant time.

Each state of a byte keeps the sequence as it was, so it has to be immutable; a tuple is copied for
each event added. Here sequences that grow out of each other share one list, of which each sees a
beginning.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import overload


class Antichain(Sequence[int]):
    """The first `size` of `items`; nobody changes what a sequence sees."""

    __slots__ = ("_items", "_size")

    def __init__(self, items: list[int], size: int) -> None:
        self._items = items
        self._size = size

    def with_event(self, event: int) -> "Antichain":
        """This and `event`; copies only where another sequence has grown from this one."""
        items = self._items
        if len(items) != self._size:
            items = items[: self._size]
        items.append(event)
        return Antichain(items, self._size + 1)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[int]:
        return islice(self._items, self._size)

    @overload
    def __getitem__(self, index: int) -> int: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...

    def __getitem__(self, index: int | slice) -> int | tuple[int, ...]:
        if isinstance(index, slice):
            return tuple(self._items[slice(*index.indices(self._size))])
        return self._items[range(self._size)[index]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Antichain) or self._size != other._size:
            return False
        return self._items is other._items or self[:] == other[:]

    def __hash__(self) -> int:
        return hash(self[-1:])


Events = tuple[int, ...] | Antichain
"""Events in ascending order: few as a tuple, many as an `Antichain`."""


def with_event(events: Events, event: int) -> Events:
    """`events` and `event`, which comes last."""
    if isinstance(events, Antichain):
        return events.with_event(event)
    if len(events) < _MANY:
        return events + (event,)  # noqa: RUF005, the fastest way
    return Antichain([*events, event], len(events) + 1)


_MANY = 32
"""Events beyond which a tuple becomes an `Antichain`."""
