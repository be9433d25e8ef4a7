"""What befalls each piece of a storage, kept up as maintenance comes and goes.

A storage is cut into pieces such that each is wholly in or out of every range of an event, also
of the lines that the event drags along. An event that comes or goes changes the pieces that it
touches and no others.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .byte_state import Item, Mark
from .memory_events import ALL, WHOLE_END, Kind, MemoryEvent, Range

Happenings = Mapping[int, Sequence[Item]]
"""What happens to a byte, by number of the visit; visits in which nothing does are left out."""

_Key = tuple[int, ...]

_LIFE = {Kind.ALLOCA: "makes", Kind.DEALLOCA: "frees", Kind.DROP: "drops"}
"""What an event is to all bytes of a storage."""


@dataclass(frozen=True, slots=True)
class Cache:
    """A coherence domain's cache."""

    number: int
    line: int
    """Bytes."""
    whole_lines: bool
    """Whether it writes back whole lines."""


def placed(span: Range, shift: int | None, size: int) -> Range:
    """A range of a resource as a range of its storage."""
    if shift is None or span == ALL:
        return Range(0, size)
    return Range(max(span.start + shift, 0), min(span.end + shift, size))


def find_cuts(
    size: int, events: Iterable[tuple[MemoryEvent, int | None]], lines: Iterable[int]
) -> list[int]:
    """Bounds such that each piece is wholly in or out of every range, also of every range
    rounded out to lines of any of these sizes."""
    cuts = {0, size}
    for event, shift in events:
        for span in (*event.reads, *event.writes, *event.may_write, *event.target):
            cuts.update(placed(span, shift, size))
    rounded = {
        bound
        for line in lines
        for cut in cuts
        if cut < WHOLE_END
        for bound in (cut // line * line, -(-cut // line) * line)
    }
    return sorted(cut for cut in cuts | rounded if 0 <= cut <= size)


class PieceItems:
    """The items of all pieces of one storage."""

    def __init__(self, cuts: list[int], size: int, caches: Mapping[str, Cache]) -> None:
        self._cuts = cuts
        self._size = size
        self._caches = caches
        self._items: list[dict[int, list[Item]]] = [{} for _ in cuts[1:]]
        self._read: dict[int, tuple[_Key, Happenings]] = {}
        """Of each piece that somebody has asked for, what happens to it, in order."""
        self._known: dict[Item, Item] = {}
        """Of equal items the one that is used, so that what is equal is identical."""

    def add(self, visit: int, event: MemoryEvent, shift: int | None) -> None:
        """`event`, on a resource that starts at `shift` in the storage, happens in a visit."""
        for piece, item in self._spread(event, shift):
            self._items[piece].setdefault(visit, []).append(item)
            self._read.pop(piece, None)

    def remove(self, visit: int, event: MemoryEvent, shift: int | None) -> None:
        """`event` does not happen in a visit."""
        for piece in self.touched(event, shift):
            self._read.pop(piece, None)
            items = self._items[piece]
            left = [item for item in items.get(visit, ()) if item.mark.event is not event]
            if left:
                items[visit] = left
            else:
                items.pop(visit, None)

    def classes(self, wanted: Iterable[int] | None = None) -> list[tuple[list[int], Happenings]]:
        """Pieces to which the same happens, and what that is; `wanted` ones or all."""
        groups: dict[_Key, tuple[list[int], Happenings]] = {}
        for piece in range(len(self._items)) if wanted is None else sorted(wanted):
            key, happenings = self._ordered(piece)
            groups.setdefault(key, ([], happenings))[0].append(piece)
        return list(groups.values())

    def _ordered(self, piece: int) -> tuple[_Key, Happenings]:
        found = self._read.get(piece)
        if found is None:
            visits = self._items[piece]
            happenings = {visit: self._in_order(visits[visit]) for visit in sorted(visits)}
            key: list[int] = []
            for visit, items in happenings.items():
                key += visit, len(items), *map(id, items)
            found = self._read[piece] = tuple(key), happenings
        return found

    def _in_order(self, items: Sequence[Item]) -> Sequence[Item]:
        """By node; of one command first what only reads, then what it writes, flushed if that is
        done at once; and no carry where it writes the byte."""
        if len(items) == 1:
            return tuple(items)
        ordered = sorted(items, key=_moment)
        if not any(item.carries for item in ordered):
            return ordered
        written = {item.node for item in ordered if item.writes}
        return [
            self._one(item._replace(carries=False))
            if item.carries and item.node in written
            else item
            for item in ordered
        ]

    def _one(self, item: Item) -> Item:
        return self._known.setdefault(item, item)

    # One event.

    def _pieces(self, spans: Iterable[Range], shift: int | None, line: int = 1) -> set[int]:
        found: set[int] = set()
        for span in spans:
            start, end = placed(span, shift, self._size)
            if start >= end:
                continue
            if line > 1:
                start = start // line * line
                end = end if end >= WHOLE_END else -(-end // line) * line
            low = max(bisect_right(self._cuts, start) - 1, 0)
            found.update(range(low, min(bisect_left(self._cuts, end), len(self._items))))
        return found

    def touched(self, event: MemoryEvent, shift: int | None) -> set[int]:
        """The pieces that `event` bears on."""
        if event.kind in _LIFE:
            return set(range(len(self._items)))
        line = self._caches[event.agent].line
        if event.kind is not Kind.ACCESS:
            return self._pieces(event.target, shift, line)
        stored = (*event.writes, *event.may_write)
        if not self._caches[event.agent].whole_lines:
            line = 1
        return self._pieces(event.reads, shift) | self._pieces(stored, shift, line)

    def _spread(self, event: MemoryEvent, shift: int | None) -> Iterator[tuple[int, Item]]:
        """What `event` does to each piece that it touches."""
        if event.kind in _LIFE:
            number = self._caches[event.agent].number
            item = self._one(
                Item(Mark(event, shift), event.node, number, **{_LIFE[event.kind]: True})
            )
            return ((piece, item) for piece in range(len(self._items)))
        if event.kind is Kind.ACCESS:
            return self._access(event, shift)
        return self._maintenance(event, shift)

    def _maintenance(self, event: MemoryEvent, shift: int | None) -> Iterator[tuple[int, Item]]:
        cache = self._caches[event.agent]
        drags = self._one(
            Item(
                Mark(event, shift),
                event.node,
                cache.number,
                flushes=event.kind is Kind.FLUSH,
                invalidates=event.kind is not Kind.FLUSH,
                named=False,
                uncertain=not event.certain,
            )
        )
        names = self._one(drags._replace(discards=event.kind is Kind.DISCARD, named=True))
        named = self._pieces(event.target, shift)
        for piece in sorted(self.touched(event, shift)):
            yield piece, names if piece in named else drags

    def _access(self, event: MemoryEvent, shift: int | None) -> Iterator[tuple[int, Item]]:
        cache, mark = self._caches[event.agent], Mark(event, shift)
        reads, writes, may = (
            self._pieces(spans, shift) for spans in (event.reads, event.writes, event.may_write)
        )
        if shift is None:
            writes, may = set[int](), writes | may
        carries = set[int]()
        if cache.whole_lines:
            stored = (*event.writes, *event.may_write)
            carries = self._pieces(stored, shift, cache.line) - writes
        # The host flushes its own writes when the mapping closes.
        flush = self._one(Item(mark, event.node, cache.number, flushes=True))
        made: dict[tuple[bool, bool, bool, bool], Item] = {}
        for piece in sorted(reads | writes | may | carries):
            does = piece in reads, piece in writes, piece in may, piece in carries
            item = made.get(does)
            if item is None:
                read, write, may_write, carry = does
                item = made[does] = self._one(
                    Item(
                        mark,
                        event.node,
                        cache.number,
                        reads=read,
                        writes=write,
                        may_write=may_write and not write,
                        carries=carry,
                        named=read or not carry,
                    )
                )
            yield piece, item
            if event.flushed and (item.writes or item.may_write):
                yield piece, flush


def _moment(item: Item) -> tuple[int, bool, bool]:
    return item.node, item.flushes, item.writes or item.may_write
