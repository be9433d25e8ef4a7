"""What a history becomes where control leaves a segment: positions are told by timepoints, and what
no longer matters is forgotten (docs/memory-model.md §8 says why it may be)."""

from collections.abc import Callable, Iterable

from ..analysis.host_graph import Value
from .byte_state import ALWAYS, ByteState, Mark, Position, Written


def moved(state: ByteState, move: Callable[[Position], frozenset[Value]]) -> ByteState:
    """`state` with positions as seen from the next segment, without what no longer matters."""
    drops = frozenset(drop._replace(at=move(drop.at)) for drop in state.drops)
    return ByteState(
        None if state.last is None else _moved_write(state.last, move),
        frozenset(_moved_write(write, move) for write in state.old),
        frozenset(
            entry
            for dirty in state.dirty
            if ALWAYS
            not in (
                entry := dirty._replace(
                    at=move(dirty.at), cleaned=_widest(map(move, dirty.cleaned))
                )
            ).cleaned
        ),
        frozenset(drop for drop in drops if drop.at != ALWAYS),
        frozenset((mark, at) for mark, was in state.uses if (at := move(was)) != ALWAYS),
        _still_ahead(state, move),
    )


def _still_ahead(
    state: ByteState, move: Callable[[Position], frozenset[Value]]
) -> tuple[Mark, Position] | None:
    """The alloca, if the host has not waited for it."""
    if state.made is None:
        return None
    at = move(state.made[1])
    return None if at == ALWAYS else (state.made[0], at)


def _moved_write(write: Written, move: Callable[[Position], frozenset[Value]]) -> Written:
    readers = frozenset((mark, move(at)) for mark, at in write.readers)
    domains = {domain for domain, _ in write.fresh}
    return write._replace(
        at=move(write.at),
        flushes=_widest(map(move, write.flushes)),
        fresh=frozenset(
            (domain, at)
            for domain in domains
            for at in _widest(move(at) for other, at in write.fresh if other == domain)
        ),
        readers=_latest(readers),
    )


def _latest(
    readers: frozenset[tuple[Mark, frozenset[Value]]],
) -> frozenset[tuple[Mark, Position]]:
    """One reader that is always past stands for all such: that there was one is remembered."""
    open_ = frozenset(entry for entry in readers if entry[1] != ALWAYS)
    return open_ or frozenset(sorted(readers, key=lambda entry: entry[0].order)[-1:])


def _widest(positions: Iterable[Position]) -> frozenset[Position]:
    """Those of several, of which any will do, that are not covered by more."""
    unique = {position for position in positions if not isinstance(position, int)}
    if ALWAYS in unique:
        return frozenset({ALWAYS})
    return frozenset(p for p in unique if not any(p < other for other in unique))
