"""Order that accesses to shared storage ask for: write after read, after write, read after write.

SSA gives the last of these only where a value flows. Where several names share storage (aliases,
in-place updates) the others have to be found by storage and range:

    a reads x[0, 64); then b, through an alias, writes x[16, 32)     b must follow a

Nodes are recorded in program order; each `record` gives the earlier nodes that the new one must
follow. Cost: log n per access and per piece that it meets for the first time since a write.

Where many ranges and many readers meet, each further access would follow them all anew. A read of
more than `MANY` pieces therefore stands for their writers from then on, and a piece with more
than `MANY` readers is written as a whole: more order than needed, never less. A map that is
`exact` does neither, at a cost that grows with the product.

Does not handle: ranges that are not constant; they count as the whole storage.
"""

from bisect import bisect_right
from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

MANY = 64
"""Pieces that a read meets, or readers of a piece, that are still told apart."""


@dataclass(frozen=True, slots=True)
class Range:
    """Bytes [start, end) of a storage; end None where it is not known: up to its end."""

    start: int = 0
    end: int | None = None


WHOLE = Range()


class _Readers(NamedTuple):
    """A list of nodes, latest first, whose tails pieces share."""

    node: int
    before: "_Readers | None"
    total: int


@dataclass(slots=True)
class _Piece:
    """What has touched the bytes from `start` to the next piece since they were last written."""

    start: int
    writer: int | None = None
    """The last one, or who stands for all."""
    readers: _Readers | None = None

    def add_reader(self, node: int) -> None:
        readers = self.readers
        if readers is None or readers.node != node:
            self.readers = _Readers(node, readers, 1 if readers is None else readers.total + 1)

    def in_order(self) -> list[int]:
        """The readers."""
        found: list[int] = []
        reader = self.readers
        while reader is not None:
            found.append(reader.node)
            reader = reader.before
        return found[::-1]


class _StorageHistory:
    """The pieces of one storage, ascending; each runs up to the start of the next."""

    def __init__(self, *, exact: bool) -> None:
        self._pieces = [_Piece(0)]
        self._exact = exact

    def _index_at(self, start: int, *, after: bool) -> int:
        """The index of the piece that starts at `start`, split off where there is none.

        Where many have read what would be split, the piece before, or `after` it, instead.
        """
        index = bisect_right(self._pieces, start, key=lambda piece: piece.start) - 1
        piece = self._pieces[index]
        if piece.start == start:
            return index
        if not self._exact and piece.readers is not None and piece.readers.total > MANY:
            return index + after
        self._pieces.insert(index + 1, _Piece(start, piece.writer, piece.readers))
        return index + 1

    def covering(self, range: Range) -> slice:
        """Where the pieces of `range` stand."""
        if range.end is not None and range.end <= range.start:
            return slice(0, 0)
        first = self._index_at(range.start, after=False)
        return slice(first, None if range.end is None else self._index_at(range.end, after=True))

    def before(self, where: slice, *, writes: bool) -> dict[int, None]:
        """The nodes that an access to the pieces at `where` must follow."""
        nodes: dict[int, None] = {}
        for piece in self._pieces[where]:
            if piece.writer is not None:
                nodes[piece.writer] = None
            if writes:
                nodes.update(dict.fromkeys(piece.in_order()))
        return nodes

    def read(self, where: slice, node: int) -> None:
        """Note that `node` has read the pieces at `where`."""
        pieces = self._pieces[where]
        if len(pieces) > MANY and not self._exact:
            # `node` follows all that have written them: who follows it does so as well.
            one = _Piece(pieces[0].start)
            for reader in dict.fromkeys(n for piece in pieces for n in piece.in_order()):
                one.add_reader(reader)
            one.writer = node
            self._pieces[where] = [one]
            return
        for piece in pieces:
            piece.add_reader(node)

    def write(self, where: slice, node: int) -> None:
        """Note that `node` has written the pieces at `where`: they become one."""
        if pieces := self._pieces[where]:
            self._pieces[where] = [_Piece(pieces[0].start, node)]


class HazardMap:
    """Which earlier nodes an access to a storage must follow."""

    def __init__(self, *, exact: bool = False) -> None:
        """Where it is `exact`, no node follows another one needlessly."""
        self._storages: dict[Hashable, _StorageHistory] = {}
        self._exact = exact

    def record(
        self, node: int, storage: Hashable, range: Range = WHOLE, *, writes: bool
    ) -> list[int]:
        """Record that `node` reads or writes `range`; gives the earlier nodes it must follow.

        The accesses of one node are not ordered against each other. A node that reads and
        writes is recorded with `writes`. Nodes come in program order.
        """
        history = self._storages.get(storage)
        if history is None:
            history = self._storages[storage] = _StorageHistory(exact=self._exact)
        where = history.covering(range)
        before = history.before(where, writes=writes)
        if writes:
            history.write(where, node)
        else:
            history.read(where, node)
        before.pop(node, None)
        return list(before)
