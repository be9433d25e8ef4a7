"""Happens-before queries against the transitive closure."""

import random

import pytest
from written_rules import closure
from zcir.runtime.checker.order import HappensBefore
from zcir.runtime.events import Event, EventKind


def _random_events(rng: random.Random, count: int) -> list[Event]:
    reach = rng.choice([2, 5, 40])
    events: list[Event] = []
    for index in range(count):
        nearby = range(max(0, index - reach), index)
        after = rng.sample(nearby, min(len(nearby), rng.choice([0, 1, 1, 2, 3])))
        agent = rng.choice(["host", "a", "b"])
        events.append(Event(index, agent, EventKind.SYNC, tuple(sorted(after))))
    return events


@pytest.mark.parametrize("seed", range(60))
def test_before_is_the_transitive_closure(seed: int) -> None:
    rng = random.Random(seed)
    events = _random_events(rng, 70)
    order, past = HappensBefore(events), closure(events)
    for b in range(len(events)):
        assert [order.before(a, b) for a in range(len(events))] == [
            a in past[b] for a in range(len(events))
        ]


@pytest.mark.parametrize("seed", range(20))
def test_common_happens_before_both(seed: int) -> None:
    rng = random.Random(seed)
    events = _random_events(rng, 40)
    order, past = HappensBefore(events), closure(events)
    for a in range(len(events)):
        for b in range(a + 1, len(events)):
            common = order.common(a, b)
            assert common == -1 or common in past[a] & past[b]


def test_submissions_in_a_row_share_few_chains() -> None:
    # Host actions in a row; each submission forks off and is joined two later.
    events: list[Event] = []
    ends: list[int] = []
    host: tuple[int, ...] = ()
    for index in range(500):
        joined = (ends[index - 2],) if index >= 2 else ()
        events.append(Event(2 * index, "host", EventKind.SYNC, tuple(sorted((*host, *joined)))))
        events.append(Event(2 * index + 1, "a", EventKind.SYNC, (2 * index,)))
        host = (2 * index,)
        ends.append(2 * index + 1)
    assert max(HappensBefore(events).chain) < 8


@pytest.mark.parametrize(
    ("events", "index"),
    [
        ([Event(1, "host", EventKind.SYNC, ())], 0),
        ([Event(0, "host", EventKind.SYNC, (0,))], 0),
        ([Event(0, "host", EventKind.SYNC, ()), Event(1, "host", EventKind.SYNC, (2,))], 1),
    ],
)
def test_ids_must_be_a_linear_extension(events: list[Event], index: int) -> None:
    with pytest.raises(ValueError, match=f"expected event {index} after smaller ids"):
        HappensBefore(events)
