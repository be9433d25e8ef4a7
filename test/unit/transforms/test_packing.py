from hypothesis import given
from hypothesis import strategies as st
from zcir.transforms.analysis.packing import Slice, align, pack

SLICES = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 4), st.integers(0, 200)).map(
        lambda s: Slice(s[0], s[0] + s[1], s[2])
    ),
    max_size=12,
)


@given(SLICES, st.sampled_from([1, 64, 128]))
def test_slices_alive_together_share_no_line(slices: list[Slice], alignment: int) -> None:
    offsets, total = pack(slices, alignment)
    live = [(s, o) for s, o in zip(slices, offsets, strict=True) if s.size]
    for index, (s, o) in enumerate(live):
        assert o % alignment == 0
        assert o + align(s.size, alignment) <= total
        for other, p in live[:index]:
            if s.first <= other.last and other.first <= s.last:
                ends = o + align(s.size, alignment), p + align(other.size, alignment)
                assert ends[0] <= p or ends[1] <= o
    assert total <= sum(align(s.size, alignment) for s in slices)


def test_a_chain_needs_two_slices() -> None:
    chain = [Slice(step, step + 1, 100) for step in range(1000)]
    assert pack(chain, 64)[1] == 2 * 128


def test_gaps_are_joined_when_freed() -> None:
    slices = [Slice(0, 0, 64), Slice(0, 0, 64), Slice(1, 1, 128)]
    assert pack(slices, 64) == ([0, 64, 0], 128)
