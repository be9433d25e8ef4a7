from hypothesis import given
from hypothesis import strategies as st
from zcir.transforms.analysis.hazards import PIECES, WHOLE, HazardMap, Range

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


def test_many_pieces_are_taken_together() -> None:
    hazards = HazardMap()
    for node in range(PIECES + 1):
        hazards.record(node, "x", Range(2 * node, 2 * node + 1), writes=True)
    # More order than needed: byte 1 was never written.
    assert hazards.record(PIECES + 1, "x", Range(1, 2), writes=False) != []
