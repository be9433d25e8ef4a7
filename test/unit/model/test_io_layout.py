"""Logical addresses of a model's memory: GE-19 to GE-23, GE-25, and laws over random I/O."""

from itertools import pairwise, permutations
from random import Random

import pytest
from xdsl.utils.exceptions import VerifyException
from zcir.dialects.io_plan import IoPlan, MemoryBlock, check_plan
from zcir.transforms.analysis.packing import Slice, align
from zcir.transforms.io_plan.layout import ZeroCopyTensor, feature_map, place_zero_copy

ROW_GE_21 = (("D0", 1000), ("O0", 700), ("D1", 200), ("O1", 300))


def tensors(sizes: tuple[tuple[str, int], ...]) -> list[ZeroCopyTensor]:
    return [ZeroCopyTensor(name, size, name.startswith("D"), int(name[1:])) for name, size in sizes]


# GE-21 with blocks of 512 bytes, GE-22 with the 32 bytes of the constraint document.
@pytest.mark.parametrize(
    ("alignment", "expected", "end"),
    [
        (512, {"O0": (4096, 1024), "O1": (5120, 512), "D1": (5632, 512), "D0": (6144, 1024)}, 7168),
        (32, {"O0": (4096, 704), "O1": (4800, 320), "D1": (5120, 224), "D0": (5344, 1024)}, 6368),
    ],
)
def test_ge21_ge22_outputs_first_then_inputs_by_size(
    alignment: int, expected: dict[str, tuple[int, int]], end: int
) -> None:
    blocks = place_zero_copy(tensors(ROW_GE_21), 4096, alignment)
    assert {block.name: (block.offset, block.aligned_size) for block in blocks} == expected
    assert [block.name for block in blocks] == list(expected)
    assert blocks[-1].end == end
    assert [block.tail for block in blocks] == [b.offset + b.size - 1 for b in blocks]


def test_ge21_equal_sizes_keep_their_order() -> None:
    blocks = place_zero_copy(tensors((("D2", 64), ("D0", 64), ("D1", 32))), 0, 32)
    assert [block.name for block in blocks] == ["D1", "D2", "D0"]


# GE-23: what a merged copy of the host's inputs spans.
def test_ge23_inputs_are_neighbours() -> None:
    blocks = {b.name: b for b in place_zero_copy(tensors(ROW_GE_21), 4096, 512)}
    assert blocks["D0"].offset + blocks["D0"].size - blocks["D1"].offset == 1512


# GE-25: the size is the sum of the aligned blocks, 0 without I/O.
@pytest.mark.parametrize(("alignment", "size"), [(512, 3072), (32, 2272)])
def test_ge25_zero_copy_size(alignment: int, size: int) -> None:
    blocks = place_zero_copy(tensors(ROW_GE_21), 4096, alignment)
    plan = IoPlan("f", (), (), 4096, blocks=blocks, zero_copy_align=alignment)
    assert plan.zero_copy_size == size
    assert plan.memory_size == 4096 + size
    assert IoPlan("f", (), (), 4096).zero_copy_size == 0


# GE-19: temporaries whose lifetimes do not meet share bytes, an input shares with nobody.
def test_ge19_temporaries_share_and_blocks_do_not() -> None:
    _, end = feature_map([Slice(0, 1, 512), Slice(2, 3, 512)], 512)
    (block,) = place_zero_copy([ZeroCopyTensor("D0", 512, True, 0)], end, 512)
    assert end == 512
    assert (block.offset, block.end) == (512, 1024)


def block(name: str, offset: int, size: int) -> MemoryBlock:
    return MemoryBlock(name, offset, size, size, True, 0)


# GE-19, GE-20, GE-22: what a layout must not be.
@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (
            IoPlan("f", (), (), 0, blocks=(block("a", 0, 64), block("b", 32, 64))),
            r"zero-copy block 'a' \[0,64\) overlaps 'b' \[32,96\)",
        ),
        (
            IoPlan("f", (), (), 4096, blocks=(block("a", 4064, 64),)),
            "zero-copy offset 4064 of 'a' precedes feature-map end 4096",
        ),
        (IoPlan("f", (), (), 0, zero_copy_align=48), "alignment must be a power of two, got 48"),
        (IoPlan("f", (), (), 0, feature_map_align=0), "alignment must be a power of two, got 0"),
    ],
)
def test_layouts_that_do_not_hold(plan: IoPlan, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        check_plan(plan)


def random_tensors(random: Random, most: int) -> list[ZeroCopyTensor]:
    inputs, outputs = random.randint(0, most), random.randint(0, most)
    sizes = [random.choice((0, 1, 31, 32, 33, 512, random.randint(0, 5000))) for _ in range(30)]
    made = [ZeroCopyTensor(f"D{i}", sizes[i], True, i) for i in range(inputs)]
    made += [ZeroCopyTensor(f"O{i}", sizes[-1 - i], False, i) for i in range(outputs)]
    random.shuffle(made)
    return made


# GE-19 to GE-22, GE-25 over 1,500 random sets of I/O: blocks are aligned and large enough, share no
# byte with each other or the feature map, inputs stand together by size, and nothing is wasted.
def test_laws_of_random_layouts() -> None:
    random = Random(8)
    for _ in range(1500):
        made = random_tensors(random, 12)
        alignment = 1 << random.randint(0, 12)
        slices = [
            Slice(first, first + random.randint(0, 4), random.randint(0, 3000))
            for first in range(random.randint(0, 8))
        ]
        _, end = feature_map(slices, 512)
        blocks = place_zero_copy(made, end, alignment)
        start = align(end, alignment)
        plan = IoPlan("f", (), (), end, blocks=blocks, zero_copy_align=alignment)
        check_plan(plan)
        assert sorted(b.name for b in blocks) == sorted(t.name for t in made)
        assert all(b.offset % alignment == 0 and b.aligned_size % alignment == 0 for b in blocks)
        assert all(0 <= b.aligned_size - b.size < alignment for b in blocks)
        assert all(a.end == b.offset for a, b in pairwise(blocks))
        assert not blocks or blocks[0].offset == start
        assert [b.is_input for b in blocks] == sorted(b.is_input for b in blocks)
        by_size = [b.size for b in blocks if b.is_input]
        assert by_size == sorted(by_size)
        outputs = [t.name for t in made if not t.is_input]
        assert [b.name for b in blocks if not b.is_input] == outputs
        assert plan.zero_copy_size == sum(align(t.size, alignment) for t in made)


def smallest_end(sizes: list[int], start: int, alignment: int) -> int:
    """The least end of blocks in any order, each at the first place its alignment allows."""
    best: int | None = None
    for order in permutations(sizes):
        at = start
        for size in order:
            at = align(at, alignment)
            at = align(at + size, alignment)
        best = at if best is None else min(best, at)
    return start if best is None else best


def test_the_zero_copy_part_is_minimal_against_all_orders() -> None:
    random = Random(25)
    for _ in range(300):
        made = random_tensors(random, 2)
        alignment = 1 << random.randint(3, 10)
        start = align(random.randint(0, 9999), alignment)
        blocks = place_zero_copy(made, start, alignment)
        end = blocks[-1].end if blocks else start
        assert end == smallest_end([t.size for t in made], start, alignment)
