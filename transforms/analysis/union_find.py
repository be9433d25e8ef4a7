"""Disjoint sets over hashable items, members kept in the order they joined."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class UnionFind(Generic[T]):
    """Sets that can be merged; items unknown so far are sets of their own."""

    def __init__(self) -> None:
        self._parent: dict[T, T] = {}
        self._members: dict[T, list[T]] = {}

    def find(self, item: T) -> T:
        """The representative of the set of `item`."""
        root = item
        while (parent := self._parent.get(root, root)) is not root:
            root = parent
        while (parent := self._parent.get(item, item)) is not root and parent is not item:
            self._parent[item] = root
            item = parent
        return root

    def members(self, item: T) -> Sequence[T]:
        """All items in the set of `item`."""
        return self._members.get(self.find(item), [item])

    def union(self, left: T, right: T) -> T:
        """Merge two sets and give the representative of the result."""
        a, b = self.find(left), self.find(right)
        if a is b:
            return a
        first, second = self._members.get(a, [a]), self._members.get(b, [b])
        if len(first) < len(second):
            a, b, first, second = b, a, second, first
        self._parent[b] = a
        self._members.pop(b, None)
        first.extend(second)
        self._members[a] = first
        return a

    def roots(self, items: Iterable[T]) -> list[T]:
        """The representatives of `items`, each once, in order."""
        return list(dict.fromkeys(self.find(item) for item in items))
