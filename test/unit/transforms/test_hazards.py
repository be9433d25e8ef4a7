import pytest
from hypothesis import given
from hypothesis import strategies as st
from zcir.transforms.analysis.hazards import MANY, WHOLE, HazardMap, Range

RANGES = st.tuples(st.integers(0, 12), st.integers(0, 6)).map(lambda r: Range(r[0], r[0] + r[1]))
ACCESSES = st.lists(
    st.tuples(st.sampled_from("xy"), st.one_of(RANGES, st.just(WHOLE)), st.booleans()),
    max_size=16,
)


def touched(range: Range) -> set[int]:
    start, end = range.start, 32 if range.end is None else range.end
    return set(iter_range(start, end))


def iter_range(start: int, end: int) -> range:
    return range(start, end)


@given(ACCESSES)
def test_every_conflict_is_ordered_and_nothing_else(
    accesses: list[tuple[str, Range, bool]],
) -> None:
    hazards = HazardMap()
    past: list[set[int]] = []
    for node, (storage, where, writes) in enumerate(accesses):
        found = hazards.record(node, storage, where, writes=writes)
        conflicts = {
            other
            for other, (s, r, w) in enumerate(accesses[:node])
            if s == storage and (w or writes) and touched(r) & touched(where)
        }
        assert set(found) <= conflicts
        past.append(conflicts.union(*(past[other] for other in found)))
        # What is not named is ordered through what is.
        assert conflicts <= set(found).union(*(past[other] for other in found))


def test_one_node_is_not_ordered_against_itself() -> None:
    hazards = HazardMap()
    assert hazards.record(0, "x", writes=False) == []
    assert hazards.record(0, "x", writes=True) == []
    assert hazards.record(1, "x", writes=False) == [0]


@pytest.mark.parametrize("exact", [True, False])
def test_readers_of_many_pieces_follow_each_writer_once(exact: bool) -> None:
    hazards = HazardMap(exact=exact)
    for node in range(MANY + 1):
        hazards.record(node, "x", Range(2 * node, 2 * node + 1), writes=True)
    writers = list(range(MANY + 1))
    assert hazards.record(1000, "x", writes=False) == writers
    # More order than needed, unless it is exact: the second reader follows the first.
    assert hazards.record(1001, "x", writes=False) == (writers if exact else [1000])
    assert hazards.record(1002, "x", Range(0, 1), writes=True)[-2:] == [1000, 1001]


@pytest.mark.parametrize("exact", [True, False])
def test_what_many_have_read_is_written_as_a_whole(exact: bool) -> None:
    hazards = HazardMap(exact=exact)
    for node in range(MANY + 1):
        hazards.record(node, "x", Range(0, 64), writes=False)
    readers = list(range(MANY + 1))
    assert hazards.record(1000, "x", Range(0, 16), writes=True) == readers
    assert hazards.record(1001, "x", Range(48, 64), writes=True) == (readers if exact else [1000])


def test_more_than_many_ranges_are_told_apart() -> None:
    hazards = HazardMap()
    for node in range(3 * MANY):
        assert hazards.record(node, "x", Range(node, node + 1), writes=True) == []
