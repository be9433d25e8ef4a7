"""A shortest way to a wrong read in one block, and every outcome of it."""

from dataclasses import dataclass

from .blocks import Block
from .cache import ALL_MOVES, NOTHING_READ, Caches, Hardware, Move, State

Outcome = frozenset[tuple[int, int]]
"""What an execution reads: (read step, token) pairs."""


class TooManyStatesError(Exception):
    """The exploration met more states than allowed."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search of one block found."""

    moves: tuple[Move, ...]
    """A shortest way to a wrong read; empty where every read is right."""
    states: int


def wrong_read(block: Block, telling: bool, limit: int, hardware: Hardware = ALL_MOVES) -> Found:
    """Search for a read that gets another value than that of its hb-greatest write.

    Raises TooManyStatesError beyond `limit` states.
    """
    found = _nearest_wrong(block, Caches(block, telling, hardware=hardware), limit)
    if not telling or not found.moves:
        return found
    exact = _nearest_wrong(block, Caches(block, telling, counting=True), limit)
    return Found(exact.moves, found.states + exact.states)


def wrong_read_at(block: Block, locations: frozenset[int], limit: int, *, atomic: bool) -> Found:
    """As `wrong_read`, for a wrong read of one of `locations`; see `Caches` for `atomic`."""
    caches = Caches(block, telling=True, counting=True, atomic=atomic)
    return _nearest_wrong(block, caches, limit, locations)


def _nearest_wrong(
    block: Block, caches: Caches, limit: int, locations: frozenset[int] | None = None
) -> Found:
    """Visit states in the order of their distance in machine actions."""
    came: dict[State, tuple[State, Move] | None] = {caches.start: None}
    distance = {caches.start: 0}
    buckets: list[list[State]] = [[caches.start]]
    wrong: tuple[int, State, Move] | None = None
    depth = 0
    while depth < len(buckets) and (wrong is None or depth < wrong[0]):
        for state in buckets[depth]:
            _give_up_beyond(limit, len(came))
            if distance[state] != depth or caches.finished(state[0]):
                continue
            for move in (*caches.steps(state), *caches.silent(state)):
                far = depth + move.cost
                if _is_wrong(block, move, locations) and (wrong is None or far < wrong[0]):
                    wrong = (far, state, move)
                if far < distance.get(move.state, far + 1):
                    distance[move.state] = far
                    came[move.state] = (state, move)
                    while len(buckets) <= far:
                        buckets.append([])
                    buckets[far].append(move.state)
        depth += 1
    if wrong is None:
        return Found((), len(came))
    _, state, move = wrong
    moves = [move]
    while (step := came[state]) is not None:
        state, move = step
        moves.append(move)
    return Found(tuple(reversed(moves)), len(came))


def _is_wrong(block: Block, move: Move, locations: frozenset[int] | None) -> bool:
    if move.read == NOTHING_READ:
        return False
    step = block.steps[move.step]
    return move.read != step.value and (locations is None or step.location in locations)


@dataclass(frozen=True, slots=True)
class Executions:
    """All executions of one block."""

    outcomes: frozenset[Outcome]
    count: int
    """Executions, told apart by the order of steps and by what memory and caches hold at each."""
    states: int


def all_executions(
    block: Block, telling: bool, limit: int, hardware: Hardware = ALL_MOVES
) -> Executions:
    """Enumerate the executions of a block. Raises TooManyStatesError beyond `limit` states."""
    caches = Caches(block, telling, hardware=hardware)
    order = _by_progress(caches, limit)
    known: dict[State, tuple[frozenset[Outcome], int]] = {}
    for state, nexts in reversed(order):
        if caches.finished(state[0]):
            known[state] = (frozenset((frozenset[tuple[int, int]](),)), 1)
            continue
        outcomes: set[Outcome] = set()
        count = 0
        for move in nexts:
            suffixes, ways = known[move.state]
            count += ways
            if move.read == NOTHING_READ:
                outcomes |= suffixes
            else:
                read = (move.step, move.read)
                outcomes.update(suffix | {read} for suffix in suffixes)
        known[state] = (frozenset(outcomes), count)
    outcomes_of_start, count = known[caches.start]
    return Executions(outcomes_of_start, count, len(known))


def _by_progress(caches: Caches, limit: int) -> list[tuple[State, list[Move]]]:
    """The states right after program steps, fewest steps first, with the steps that follow.

    Between two steps the hardware may bring about any of the states that `_closure` gives.
    """
    order: list[tuple[State, list[Move]]] = []
    met = 0
    level = [caches.start]
    seen = {caches.start}
    closures: dict[State, list[State]] = {}
    while level:
        following: list[State] = []
        for state in level:
            moves: list[Move] = []
            if not caches.finished(state[0]):
                for between in _closure(caches, state, closures, limit):
                    moves.extend(caches.steps(between))
                    met += 1
                    _give_up_beyond(limit, met)
            order.append((state, moves))
            for move in moves:
                if move.state not in seen:
                    seen.add(move.state)
                    following.append(move.state)
        level = following
    return order


def _closure(
    caches: Caches, state: State, known: dict[State, list[State]], limit: int
) -> list[State]:
    """`state` and all that evictions and prefetches make of it."""
    if state in known:
        return known[state]
    reached = {state: None}
    stack = [state]
    while stack:
        for move in caches.silent(stack.pop()):
            if move.state not in reached:
                reached[move.state] = None
                stack.append(move.state)
        _give_up_beyond(limit, len(reached))
    known[state] = list(reached)
    return known[state]


def _give_up_beyond(limit: int, states: int) -> None:
    """Raise TooManyStatesError if more than `limit` states were met."""
    if states > limit:
        raise TooManyStatesError(f"more than {limit} states")
