"""The I/O plan in a module: attributes survive text, and what disagrees is refused."""

from dataclasses import replace
from random import Random

import pytest
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.utils.exceptions import VerifyException
from zcir.dialects.diagnostics import OpError, verify_module
from zcir.dialects.io_plan import (
    PLAN,
    ZERO_COPY_MEMORY_SIZE,
    IoPlan,
    IoStep,
    MemoryBlock,
    ModelInput,
    ModelOutput,
    StepKind,
    attach_plan,
    read_plan,
)
from zcir.dialects.io_plan.checks import check_sizes
from zcir.dialects.parsing import make_context, parse_text

FOUR = """util.func public @f(%a: !hal.buffer_view, %b: !hal.buffer_view {keep},
    %c: !hal.buffer_view, %d: !hal.buffer_view, %n: index) { util.return }"""


def four(feature_map: int | None = 4096) -> IoPlan:
    """The I/O of GE-21: D0 and D1, O0 and O1, aligned to 512 bytes."""
    blocks = (
        MemoryBlock("O0", 4096, 700, 1024, False, 0),
        MemoryBlock("O1", 5120, 300, 512, False, 1),
        MemoryBlock("D1", 5632, 200, 512, True, 1),
        MemoryBlock("D0", 6144, 1000, 1024, True, 0),
    )
    steps = (IoStep(StepKind.ALLOC_MODEL_OUT_TENSOR, ("allocator", "size"), "if0.then"),)
    placed = feature_map is not None
    inputs = (
        ModelInput(0, "D0", 1000, "a", True, "r", 6144 if placed else None, 0, (6144,), (256,)),
        ModelInput(1, "D1", 200, None, True, "r", 5632 if placed else None, 1),
    )
    outputs = (
        ModelOutput(0, "O0", 700, None, True, "r", 4096 if placed else None, 2, steps=steps),
        ModelOutput(1, "O1", 300, None, True, "r", 5120 if placed else None, 3, view_of=1),
    )
    return IoPlan("f", inputs, outputs, feature_map, blocks=blocks if placed else ())


def parsed(text: str) -> ModuleOp:
    return parse_text(make_context(), text, "plan.mlir")


def with_plan() -> ModuleOp:
    module = parsed(FOUR)
    attach_plan(module, four())
    return module


# GE-24: exactly the four inputs and outputs carry the marker; GE-25: the size is there. Both, and
# the plan, come back from text.
def test_ge24_ge25_the_plan_survives_printing() -> None:
    module = with_plan()
    text = str(module)
    assert text.count("zc.is_zero_copy_block") == 4
    assert "zc.zero_copy_memory_size = 3072 : i64" in text
    assert "zc.zero_copy_basic_offset = array<i64: 6144>" in text
    assert "zc.zero_copy_relative_offset = array<i64: 256>" in text
    again = parsed(text)
    verify_module(again)
    assert read_plan(again) == four()
    assert str(again) == text
    assert "{keep" in text


def test_a_plan_replaces_an_earlier_one() -> None:
    module = with_plan()
    attach_plan(module, four(None))
    assert ZERO_COPY_MEMORY_SIZE not in module.attributes
    assert "zc.is_zero_copy_block" not in str(module)
    assert read_plan(module) == four(None)


def test_ge25_a_model_without_io_has_size_0() -> None:
    module = parsed("util.func public @f() { util.return }")
    attach_plan(module, IoPlan("f", (), (), 0))
    assert module.attributes[ZERO_COPY_MEMORY_SIZE] == IntegerAttr(0, i64)


def test_a_module_without_a_plan_has_none() -> None:
    module = parsed(FOUR)
    verify_module(module)
    assert read_plan(module) is None


def test_random_plans_survive_printing() -> None:
    random = Random(24)
    for _ in range(60):
        plan = four()
        first = replace(
            plan.inputs[0],
            name=random.choice(("", "x", 'quote " and \\ slash', "ä")),
            device=random.choice((None, "b")),
            reference=random.random() < 0.5,
            basic_offsets=(6144,) * (count := random.randint(0, 3)),
            relative_offsets=tuple(random.randint(-9, 9) for _ in range(count)),
        )
        plan = replace(plan, inputs=(first, plan.inputs[1]), always_zero_copy=count == 1)
        plan = replace(plan, offset_ids={4096: 0, 8: random.randint(0, 99)})
        module = parsed(FOUR)
        attach_plan(module, plan)
        assert read_plan(parsed(str(module))) == plan


# GE-24, GE-25, GE-31 and malformed entries, from text as somebody might have written it.
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('0 : i64, name = "D0"', '0 : i32, name = "D0"', "expected int for 'ordinal'"),
        ('ordinal = 0 : i64, name = "D0"', 'name = "D0"', "missing entry 'ordinal'"),
        ('name = "D0"', 'name = "D0", color = "red"', "unknown entry 'color'"),
        ('kind = "AllocModelOutTensor"', 'kind = "Alloc"', "unknown value 'Alloc' for 'kind'"),
        ("blocks = [", "blocks = 3 : i64, b = [", "unknown entry 'b'"),
        ('function = "f"', 'function = "g"', "of the function @g, which the module does not have"),
        (
            "zc.zero_copy_memory_size = 3072 : i64",
            "zc.zero_copy_memory_size = 3000 : i64",
            "expected zc.zero_copy_memory_size = 3072 : i64, the sum of the blocks, got 3000",
        ),
        (
            "zc.zero_copy_memory_size = 3072 : i64",
            "zc.zero_copy_memory_size = -8 : i64",
            "expected zc.zero_copy_memory_size of 0 or more, got -8",
        ),
        (", zc.zero_copy_memory_size = 3072 : i64", "", "missing zero_copy_memory_size"),
        (
            "%n: index)",
            "%n: index {zc.is_zero_copy_block})",
            "zero-copy marker on internal value: argument 4",
        ),
        (
            "%d: !hal.buffer_view {zc.is_zero_copy_block}",
            "%d: !hal.buffer_view",
            "argument 3 of @f says",
        ),
        (
            "relative_offsets = array<i64: 256>",
            "relative_offsets = array<i64: 256, 0>",
            "basic offset size:1 not equal to relative_offset_size:2 for 'D0'",
        ),
        ("offset = 5120 : i64, size", "offset = 5000 : i64, size", "'O0' .* overlaps 'O1'"),
    ],
)
def test_plans_that_are_refused(old: str, new: str, message: str) -> None:
    text = str(with_plan())
    assert old in text
    with pytest.raises(OpError, match=message):
        verify_module(parsed(text.replace(old, new, 1)))


# GE-24: the marker belongs to arguments of the model.
@pytest.mark.parametrize(
    "text",
    [
        "util.func public @f() { %0 = arith.constant {zc.is_zero_copy_block} 0 : i32 util.return }",
        """module attributes {zc.zero_copy_memory_size = 0 : i64} {
             util.func private @g(%x: index {zc.is_zero_copy_block}) { util.return } }""",
    ],
)
def test_ge24_markers_on_internal_values(text: str) -> None:
    with pytest.raises(OpError, match="zero-copy marker on internal value"):
        verify_module(parsed(text))


def test_ge25_markers_without_a_size() -> None:
    text = "util.func public @f(%x: index {zc.is_zero_copy_block}) { util.return }"
    with pytest.raises(OpError, match="missing zero_copy_memory_size"):
        verify_module(parsed(text))


def test_a_plan_that_is_no_dictionary() -> None:
    with pytest.raises(OpError, match=f"expected a dictionary for {PLAN}"):
        verify_module(parsed(f"module attributes {{{PLAN} = 1 : i64}} {{}}"))


# GE-27
def test_ge27_the_whole_is_as_large_as_its_part() -> None:
    check_sizes(2048, 2048)
    with pytest.raises(
        VerifyException, match=r"mem size\[1024\] is less than zero copy size\[2048"
    ):
        check_sizes(1024, 2048)
