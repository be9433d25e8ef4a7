from typing import cast

from hypothesis import given
from hypothesis import strategies as st
from zcir.transforms.analysis import timeline as timeline_module
from zcir.transforms.analysis.timeline import Timeline

GRAPHS = st.lists(st.sets(st.integers(0, 50), max_size=12), max_size=40).map(
    lambda rows: [
        sorted({pred % node for pred in row}) if node else [] for node, row in enumerate(rows)
    ]
)


def pasts(preds: list[list[int]]) -> list[set[int]]:
    past: list[set[int]] = []
    for node, node_preds in enumerate(preds):
        past.append({node}.union(*(past[pred] for pred in node_preds)))
    return past


@given(GRAPHS)
def test_covers_is_reachability(preds: list[list[int]]) -> None:
    timeline = Timeline()
    past = pasts(preds)
    assert [timeline.add(*node_preds) for node_preds in preds] == list(range(len(preds)))
    for later in range(len(preds)):
        for earlier in range(len(preds)):
            assert timeline.covers(later, earlier) == (earlier in past[later])


@given(GRAPHS, st.sets(st.integers(0, 39)), st.sets(st.integers(0, 39), max_size=2))
def test_reduce_keeps_the_maximal_nodes(
    preds: list[list[int]], nodes: set[int], given_nodes: set[int]
) -> None:
    timeline = Timeline()
    for node_preds in preds:
        timeline.add(*node_preds)
    nodes = {node for node in nodes if node < len(preds)}
    given_nodes = {node for node in given_nodes if node < len(preds)}
    past = pasts(preds)
    kept = timeline.reduce(sorted(nodes), *sorted(given_nodes))
    assert kept == [
        node
        for node in sorted(nodes)
        if not any(node in past[other] for other in (nodes - {node}) | given_nodes)
    ]


def test_a_full_clock_forgets_and_never_invents() -> None:
    timeline = Timeline()
    width = timeline_module.WIDTH + 10
    sources = [timeline.add() for _ in range(width)]
    join = timeline.add(*sources)
    stranger = timeline.add()
    covered = [timeline.covers(join, source) for source in sources]
    assert timeline_module.WIDTH <= sum(covered) < width
    assert not timeline.covers(join, stranger)
    # Whoever must not raise a false alarm asks this.
    assert all(timeline.may_cover(join, source) for source in sources)
    assert not timeline.may_cover(stranger, join)


def test_a_chain_shares_one_clock() -> None:
    timeline = Timeline()
    node = timeline.add()
    for _ in range(20_000):
        node = timeline.add(node)
    assert timeline.covers(node, 0)
    assert not timeline.covers(0, node)


def test_long_ladders_keep_every_rung() -> None:
    # Deeper than clocks are allowed to lean on each other.
    timeline = Timeline()
    left, right = timeline.add(), timeline.add()
    for _ in range(200):
        left, right = timeline.add(left), timeline.add(right, left)
    assert timeline.covers(right, 0)
    assert timeline.covers(right, 1)
    assert not timeline.covers(left, 1)


NESTED = st.recursive(
    st.just(None),
    lambda inner: st.tuples(st.booleans(), st.lists(inner, max_size=4)),
    max_leaves=25,
)
"""A node, or what is done one after the other (True) or side by side (False)."""


def unfold(timeline: Timeline, preds: list[list[int]], work: object, after: int) -> int:
    """Add `work` behind `after`; gives the node at which it is done."""
    if not isinstance(work, tuple):
        preds.append([after])
        return timeline.add(after)
    serial, parts = cast("tuple[bool, list[object]]", work)
    if serial:
        for part in parts:
            after = unfold(timeline, preds, part, after)
        return after
    group = timeline.open()
    ends = [unfold(timeline, preds, part, after) for part in parts]
    if not ends:
        return after
    preds.append(ends)
    return timeline.close(group, *ends)


@given(st.lists(NESTED, min_size=1, max_size=3), st.sets(st.integers(0, 60)))
def test_groups_change_no_order(works: list[object], some: set[int]) -> None:
    timeline = Timeline()
    preds: list[list[int]] = [[]]
    first = timeline.add()
    ends = [unfold(timeline, preds, work, first) for work in works]
    preds.append(ends)
    assert timeline.add(*ends) == len(preds) - 1
    past = pasts(preds)
    for later in range(len(preds)):
        for earlier in range(len(preds)):
            assert timeline.covers(later, earlier) == (earlier in past[later])
    nodes = {node for node in some if node < len(preds)}
    assert timeline.reduce(sorted(nodes)) == [
        n for n in sorted(nodes) if not any(n in past[o] for o in nodes - {n})
    ]


def test_a_wide_group_is_known_in_full() -> None:
    timeline = Timeline()
    start = timeline.add()
    group = timeline.open()
    members = [timeline.add(start) for _ in range(timeline_module.WIDTH + 10)]
    done = timeline.close(group, *members)
    after = timeline.add(done, timeline.add())
    assert all(timeline.covers(after, member) for member in members)
    assert not timeline.covers(members[-1], members[0])
    assert timeline.reduce([*members, after]) == [after]
    assert timeline.reduce(members) == members
