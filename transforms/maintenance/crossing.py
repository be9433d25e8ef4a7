"""What a history becomes where control leaves a segment: positions are told by timepoints, and what
no longer matters is forgotten (docs/memory-model.md §8 says why it may be)."""

from collections.abc import Callable, Iterable, Iterator

from ..analysis.host_graph import Value
from .byte_state import ByteState, Dirty, Mark, Written
from .order import ALWAYS, Position

_NO_WRITE: frozenset[Written] = frozenset()
_NO_DIRTY: frozenset[Dirty] = frozenset()
_ONLY_ALWAYS: frozenset[Position] = frozenset({ALWAYS})


def moved(state: ByteState, move: Callable[[Position], frozenset[Value]]) -> ByteState:
    """`state` with positions as seen from the next segment, without what no longer matters."""
    last = state.last
    return ByteState(
        None if last is None else _moved_write(last, move),
        frozenset([_moved_write(write, move) for write in state.old]) if state.old else _NO_WRITE,
        frozenset(_still_dirty(state.dirty, move)) if state.dirty else _NO_DIRTY,
        frozenset(
            [drop._replace(at=at) for drop in state.drops if (at := move(drop.at)) != ALWAYS]
        ),
        frozenset([(mark, at) for mark, was in state.uses if (at := move(was)) != ALWAYS]),
        _still_ahead(state, move),
    )


def _still_dirty(
    dirty: Iterable[Dirty], move: Callable[[Position], frozenset[Value]]
) -> Iterator[Dirty]:
    for entry in dirty:
        cleaned = _widest(map(move, entry.cleaned)) if entry.cleaned else entry.cleaned
        if ALWAYS not in cleaned:
            yield Dirty(entry.mark, entry.domain, move(entry.at), entry.carry, cleaned)


def _still_ahead(
    state: ByteState, move: Callable[[Position], frozenset[Value]]
) -> tuple[Mark, Position] | None:
    """The alloca, if the host has not waited for it."""
    if state.made is None:
        return None
    at = move(state.made[1])
    return None if at == ALWAYS else (state.made[0], at)


def _moved_write(write: Written, move: Callable[[Position], frozenset[Value]]) -> Written:
    fresh = write.fresh
    if fresh:
        domains = {domain for domain, _ in fresh}
        fresh = frozenset(
            [
                (domain, at)
                for domain in domains
                for at in _widest([move(at) for other, at in fresh if other == domain])
            ]
        )
    readers = frozenset([(mark, move(at)) for mark, at in write.readers])
    return Written(
        write.mark,
        write.domain,
        move(write.at),
        _widest(map(move, write.flushes)) if write.flushes else write.flushes,
        fresh,
        _latest(readers) if readers else frozenset(),
        write.pending,
    )


def _latest(
    readers: frozenset[tuple[Mark, frozenset[Value]]],
) -> frozenset[tuple[Mark, Position]]:
    """One reader that is always past stands for all such: that there was one is remembered."""
    open_ = frozenset([entry for entry in readers if entry[1] != ALWAYS])
    return open_ or frozenset(sorted(readers, key=lambda entry: entry[0].order)[-1:])


def _widest(positions: Iterable[Position]) -> frozenset[Position]:
    """Those of several, of which any will do, that are not covered by more."""
    unique = {position for position in positions if not isinstance(position, int)}
    if ALWAYS in unique:
        return _ONLY_ALWAYS
    if len(unique) < 2:
        return frozenset(unique)
    return frozenset(p for p in unique if not any(p < other for other in unique))
