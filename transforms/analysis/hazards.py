"""Order that accesses to shared storage ask for: write after read, after write, read after write.

SSA gives the last of these only where a value flows. Where several names share storage (aliases,
in-place updates) the others have to be found by storage and range:

    a reads x[0, 64); then b, through an alias, writes x[16, 32)     b must follow a

Nodes are recorded in program order; each `record` gives the earlier nodes that the new one must
follow. Cost: log n per access; a storage that is written in more than `PIECES` separate ranges
is from then on treated as a whole (more order than needed, never less).

Does not handle: ranges that are not constant; they count as the whole storage.
"""

from bisect import bisect_right
from collections.abc import Hashable
from dataclasses import dataclass, field

PIECES = 64
"""Ranges that are told apart in one storage."""


@dataclass(frozen=True, slots=True)
class Range:
    """Bytes [start, end) of a storage; end None where it is not known: up to its end."""

    start: int = 0
    end: int | None = None


WHOLE = Range()


@dataclass(slots=True)
class _Piece:
    """What has touched the bytes from `start` to the next piece since they were last written."""

    start: int
    writers: list[int] = field(default_factory=list[int])
    readers: list[int] = field(default_factory=list[int])

    def split(self, start: int) -> "_Piece":
        return _Piece(start, list(self.writers), list(self.readers))


class _StorageHistory:
    """The pieces of one storage, ascending; each runs up to the start of the next."""

    def __init__(self) -> None:
        self._pieces = [_Piece(0)]
        self._whole = False

    def _index_at(self, start: int) -> int:
        """The index of the piece that starts at `start`, split off where there is none."""
        index = bisect_right(self._pieces, start, key=lambda piece: piece.start) - 1
        piece = self._pieces[index]
        if piece.start == start:
            return index
        self._pieces.insert(index + 1, piece.split(start))
        return index + 1

    def covering(self, range: Range) -> slice:
        """Where the pieces of exactly `range` stand."""
        if self._whole:
            return slice(0, 1)
        if range.end is not None and range.end <= range.start:
            return slice(0, 0)
        first = self._index_at(range.start)
        return slice(first, None if range.end is None else self._index_at(range.end))

    def before(self, where: slice, *, writes: bool) -> dict[int, None]:
        """The nodes that an access to the pieces at `where` must follow."""
        nodes: dict[int, None] = {}
        for piece in self._pieces[where]:
            nodes.update(dict.fromkeys(piece.writers))
            if writes:
                nodes.update(dict.fromkeys(piece.readers))
        return nodes

    def read(self, where: slice, node: int) -> None:
        """Note that `node` has read the pieces at `where`."""
        for piece in self._pieces[where]:
            if not piece.readers or piece.readers[-1] != node:
                piece.readers.append(node)

    def write(self, where: slice, node: int) -> None:
        """Note that `node` has written the pieces at `where`: they become one."""
        if pieces := self._pieces[where]:
            self._pieces[where] = [_Piece(pieces[0].start, [node])]

    def limit(self) -> None:
        """Forget ranges where there are too many."""
        if len(self._pieces) > PIECES:
            writers = dict.fromkeys(node for piece in self._pieces for node in piece.writers)
            readers = dict.fromkeys(node for piece in self._pieces for node in piece.readers)
            self._pieces = [_Piece(0, list(writers), list(readers))]
            self._whole = True


class HazardMap:
    """Which earlier nodes an access to a storage must follow."""

    def __init__(self) -> None:
        self._storages: dict[Hashable, _StorageHistory] = {}

    def record(
        self, node: int, storage: Hashable, range: Range = WHOLE, *, writes: bool
    ) -> list[int]:
        """Record that `node` reads or writes `range`; gives the earlier nodes it must follow.

        The accesses of one node are not ordered against each other. A node that reads and
        writes is recorded with `writes`. Nodes come in program order.
        """
        history = self._storages.setdefault(storage, _StorageHistory())
        where = history.covering(range)
        before = history.before(where, writes=writes)
        if writes:
            history.write(where, node)
        else:
            history.read(where, node)
        history.limit()
        before.pop(node, None)
        return list(before)
