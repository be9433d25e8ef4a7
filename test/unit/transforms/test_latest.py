from itertools import count

from hypothesis import given
from hypothesis import strategies as st
from zcir.transforms.analysis.host_graph import Value
from zcir.transforms.analysis.timeline import Timeline
from zcir.transforms.maintenance.latest import Entries, Log, with_latest
from zcir.transforms.maintenance.order import ALWAYS, Order, Position

ROWS = st.lists(st.sets(st.integers(0, 80), max_size=2), min_size=1, max_size=80)
"""Of each node what it follows, of those before it; few edges leave many unordered."""


def order_of(rows: list[set[int]], outside: int) -> Order:
    """The order of a timeline; its first nodes are those of timepoints from before it."""
    timeline = Timeline()
    for node, row in enumerate(rows):
        timeline.add(*sorted({pred % node for pred in row if node}))
    return Order(timeline, {f"t{node}": node for node in range(min(outside, len(rows)))})


def filtered(
    entries: frozenset[tuple[str, Position]], what: str, node: int, order: Order
) -> frozenset[tuple[str, Position]]:
    """What is to come out, entry by entry."""
    return frozenset({e for e in entries if not order.before(e[1], node)} | {(what, node)})


@given(ROWS, st.integers(0, 3), st.integers(0, 20), st.data())
def test_many_are_kept_as_few_are(
    rows: list[set[int]], outside: int, before: int, data: st.DataObject
) -> None:
    order = order_of(rows, outside)
    places = [ALWAYS, *(frozenset[Value](names) for names in ({"t0"}, {"t1", "t2"}, {"else"}))]
    start = frozenset[tuple[str, Position]](
        (f"old {n}", places[n % len(places)]) for n in range(before)
    )
    nodes = sorted(data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=60)))
    entries: Entries[str] = start
    wanted = start
    names = count()
    for node in nodes:
        name = f"new {next(names)}"
        grown = with_latest(entries, name, node, order)
        wanted_grown = filtered(wanted, name, node, order)
        if data.draw(st.booleans()):
            assert frozenset(grown) == wanted_grown
        if data.draw(st.booleans()):
            # What has grown from it leaves it as it was.
            other = with_latest(entries, "other", node, order)
            assert frozenset(other) == filtered(wanted, "other", node, order)
            assert frozenset(entries) == wanted
        entries, wanted = grown, wanted_grown
    assert frozenset(entries) == wanted
    assert len(entries) == len(wanted)


def side_by_side(width: int) -> tuple[Order, list[int]]:
    timeline = Timeline()
    start = timeline.add()
    return Order(timeline, {}), [timeline.add(start) for _ in range(width)]


def test_equal_logs_are_equal() -> None:
    order, nodes = side_by_side(100)
    logs: list[Entries[str]] = [frozenset(), frozenset(), frozenset()]
    for number, node in enumerate(nodes):
        logs = [with_latest(log, "x" if number else f"x{i // 2}", node, order)
                for i, log in enumerate(logs)]  # fmt: skip
    same, alike, other = logs
    assert isinstance(same, Log)
    assert same is not alike
    assert same == alike
    assert hash(same) == hash(alike)
    assert same != other


def test_an_entry_costs_the_same_however_many_there_are() -> None:
    asked = 0

    class Counted(Order):
        def before(self, position: Position, node: int) -> bool:
            nonlocal asked
            asked += 1
            return super().before(position, node)

    timeline = Timeline()
    start = timeline.add()
    order = Counted(timeline, {})
    entries: Entries[str] = frozenset()
    for number in range(2_000):
        entries = with_latest(entries, f"read {number}", timeline.add(start), order)
    assert len(entries) == 2_000
    assert asked < 100
