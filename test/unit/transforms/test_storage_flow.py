"""Copies where control flow asks for them, and not elsewhere (IR-46, IR-47; cases B01, K2)."""

from random import Random

import pytest
from flow_model import FlowMachine, FlowWriter
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import stream
from zcir.dialects.parsing import LocatingParser, make_context
from zcir.transforms.registry import make_passes

COPY_ON_WRITE = "stream-materialize-copy-on-write"
CONTEXT = make_context()
PASSES = (COPY_ON_WRITE, "stream-elide-async-copies")


def program(seed: int, length: int) -> ModuleOp:
    text = FlowWriter(Random(seed), length).text()
    return LocatingParser(CONTEXT, text, "program.mlir").parse_module()


def results(module: ModuleOp, in_place: bool) -> list[tuple[int, ...]]:
    return [FlowMachine(module, flag, in_place).run() for flag in (False, True)]


def check(seed: int, length: int) -> None:
    """The passes keep the results, on values and on storage; every other program in blocks."""
    module = program(seed, length)
    module.verify()
    expected = results(module, in_place=False)
    if seed % 2:
        for each in make_passes(("host-scf-to-cf",)):
            each.apply(CONTEXT, module)
        assert results(module, in_place=False) == expected
    for name in PASSES:
        for each in make_passes((name,)):
            each.apply(CONTEXT, module)
        module.verify()
        assert results(module, in_place=False) == expected
        assert results(module, in_place=True) == expected


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.integers(0, 10**9), st.integers(1, 12))
def test_random_programs_give_the_same_in_place(seed: int, length: int) -> None:
    check(seed, length)


@pytest.mark.parametrize(
    ("seed", "length"),
    [
        # A loop of blocks clones what comes into it from outside, updates the clone and takes the
        # outside value up again in the next round.
        (193848791, 6),
        (777145289, 8),
        # A loop behind an update gives the old contents another name and hands that on.
        (243327644, 11),
    ],
)
def test_names_given_after_an_update_count(seed: int, length: int) -> None:
    check(seed, length)


@pytest.mark.deep
@settings(deadline=None, max_examples=2000)
@given(st.integers(0, 10**9), st.integers(1, 16))
def test_many_random_programs_give_the_same_in_place(seed: int, length: int) -> None:
    check(seed, length)


def test_the_machine_notices_a_missing_clone() -> None:
    # Without the pass most programs overwrite what is still read: the tests above can fail.
    noticed = 0
    for seed in range(20):
        module = program(seed, 8)
        noticed += results(module, in_place=False) != results(module, in_place=True)
    assert noticed > 10


def test_clones_are_few() -> None:
    # Each clone that is left is needed: with it as an alias some result is another one.
    needless = total = 0
    for seed in range(30):
        module = program(seed, 6)
        expected = results(module, in_place=False)
        for each in make_passes(PASSES):
            each.apply(CONTEXT, module)
        for op in [op for op in module.walk() if isinstance(op, stream.AsyncCloneOp)]:
            users = list(op.result.uses)
            op.result.replace_all_uses_with(op.source)
            needless += results(module, in_place=True) == expected
            total += 1
            for use in users:
                use.operation.operands[use.index] = op.result
    assert total > 20
    assert needless <= total * 0.35, (needless, total)
