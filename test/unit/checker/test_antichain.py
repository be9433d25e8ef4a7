"""Sequences that share a list stay what they were."""

import pytest
from zcir.runtime.checker.antichain import Antichain, Events, with_entry


def test_growing_leaves_older_sequences_alone() -> None:
    events: Events = ()
    states: list[Events] = [events]
    for event in range(100):
        events = with_entry(events, event)
        states.append(events)
    assert isinstance(events, Antichain)
    fork = with_entry(states[50], 1000)
    for size, state in enumerate(states):
        assert tuple(state) == tuple(range(size))
        assert len(state) == size
    assert tuple(fork) == (*range(50), 1000)
    assert fork != states[51]
    assert states[50] == Antichain(list(range(50)), 50)


def test_slices_and_items_are_those_of_a_tuple() -> None:
    items = Antichain(list(range(60)), 40)
    same = tuple(range(40))
    for part in (slice(-16, None), slice(None, -16), slice(3, 7), slice(None)):
        assert items[part] == same[part]
    assert (items[0], items[-1]) == (0, 39)
    assert tuple(reversed(items)) == same[::-1]
    with pytest.raises(IndexError):
        _ = items[40]
