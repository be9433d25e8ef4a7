"""Happens-before queries over an event graph in constant time.

The events are covered by chains: sequences in which each event happens before the next. Of every
event we keep, for each chain, the last event of it that happens before (a sparse vector clock),
and a *floor*: every event with an id up to the floor happens before. `a` happens before `b` when
`a` is below the floor, on the chain of `b`, or at or below the entry of its chain.

Clocks stay small because chains are few (an agent's own order is preferred as a chain, and a
chain whose last event has been joined is used again), because an event with one predecessor
shares that predecessor's clock, and because an event that everything before it happens before
starts afresh with a floor alone.
"""

from collections import deque
from collections.abc import Sequence

from ..events import Event

_REUSE_TRIES = 4
"""Joined chains looked at before a new chain is started: a bound, so that forks cost O(1)."""


def _preferred_successors(events: Sequence[Event]) -> list[int]:
    """The successor that shall continue each event's chain: same agent first, then longest path."""
    height = [0] * len(events)
    preferred = [-1] * len(events)
    best: list[tuple[bool, int]] = [(False, -1)] * len(events)
    for event in reversed(events):
        for before in event.after:
            height[before] = max(height[before], height[event.id] + 1)
            rank = (events[before].agent == event.agent, height[event.id])
            if rank >= best[before]:
                best[before] = rank
                preferred[before] = event.id
    return preferred


class HappensBefore:
    """The transitive closure of `Event.after`, built once per graph.

    Takes the events of a graph, numbered 0, 1, … in a linear extension. Raises ValueError for an
    event whose id is not its index or that comes after one with a larger id.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        for index, event in enumerate(events):
            if event.id != index or any(not 0 <= before < index for before in event.after):
                raise ValueError(f"expected event {index} after smaller ids, got {event}")
        self._preferred = _preferred_successors(events)
        self._events = events
        self.chain: list[int] = []
        self._previous: list[int] = []
        self._floor: list[int] = []
        self._reach: list[int] = []
        self._clock: list[dict[int, int]] = []
        self._tail: list[int] = []
        self._joined: deque[int] = deque()
        sinks: set[int] = set()
        for event in events:
            self._append(event)
            sinks.difference_update(event.after)
            sinks.add(event.id)
            if len(sinks) == 1:
                self._floor[-1] = event.id - 1
                self._reach[-1] = event.id
                self._clock[-1] = {}

    def before(self, a: int, b: int) -> bool:
        """Whether event `a` happens before event `b`; false for `a == b`."""
        if a >= b:
            return False
        if a <= self._floor[b]:
            return True
        chain = self.chain[a]
        return chain == self.chain[b] or self._clock[b].get(chain, -1) >= a

    def common(self, a: int, b: int) -> int:
        """The latest event known to happen before both, or -1."""
        clocks = [self._own_clock(a), self._own_clock(b)]
        floors = (self._floor[a], self._floor[b])
        latest = min(floors)
        for mine, other, floor in ((*clocks, floors[1]), (*reversed(clocks), floors[0])):
            for chain, event in mine.items():
                if event > latest and event <= max(other.get(chain, -1), floor):
                    latest = event
        return latest

    def _own_clock(self, event: int) -> dict[int, int]:
        """The clock with the event's own chain made explicit."""
        clock = dict(self._clock[event])
        if self._previous[event] >= 0:
            clock[self.chain[event]] = self._previous[event]
        return clock

    def _append(self, event: Event) -> None:
        """Choose the event's chain and compute its clock."""
        extended = self._extendable(event)
        floor = max((self._reach[before] for before in event.after), default=-1)
        clock = self._joined_clock(event.after, extended, floor)
        self._floor.append(floor)
        self._reach.append(floor)
        self._clock.append(clock)
        continued = extended >= 0
        chain = self.chain[extended] if continued else self._free_chain(floor, clock, event.id)
        self._previous.append(self._tail[chain])
        self.chain.append(chain)
        self._tail[chain] = event.id
        self._joined.extend(
            self.chain[before]
            for before in event.after
            if before != extended
            and self._tail[self.chain[before]] == before
            and self._preferred[before] <= event.id
        )

    def _extendable(self, event: Event) -> int:
        """The predecessor whose chain the event continues, or -1."""
        best = -1
        best_rank = (False, False, -1)
        for before in event.after:
            preferred = self._preferred[before]
            if self._tail[self.chain[before]] != before or preferred > event.id:
                continue
            same_agent = self._events[before].agent == event.agent
            rank = (preferred == event.id, same_agent, before)
            if rank > best_rank:
                best, best_rank = before, rank
        return best

    def _joined_clock(self, after: tuple[int, ...], extended: int, floor: int) -> dict[int, int]:
        """The pointwise maximum of the predecessors' clocks, without what the floor implies."""
        if len(after) == 1 and extended == after[0]:
            return self._clock[extended]
        largest = max(after, key=lambda before: len(self._clock[before]), default=-1)
        clock = {c: e for c, e in self._clock[largest].items() if e > floor} if after else {}
        for before in after:
            if before != largest:
                for chain, event in self._clock[before].items():
                    if event > floor and event > clock.get(chain, -1):
                        clock[chain] = event
        for before in after:
            chain = self.chain[before]
            if before != extended and before > floor and before > clock.get(chain, -1):
                clock[chain] = before
        return clock

    def _free_chain(self, floor: int, clock: dict[int, int], event: int) -> int:
        """A chain whose last event happens before `event`, or a new one."""
        for _ in range(min(_REUSE_TRIES, len(self._joined))):
            chain = self._joined.popleft()
            tail = self._tail[chain]
            if self._preferred[tail] > event:
                continue  # its own successor is still to come, and returns it when joined
            if tail <= floor or clock.get(chain, -1) >= tail:
                return chain
            self._joined.append(chain)
        self._tail.append(-1)
        return len(self._tail) - 1
