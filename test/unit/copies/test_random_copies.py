"""Random flow programs over several devices: right numbers, and no copy that could be left out."""

import zlib
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from flow_programs import WAYS, FlowProgram
from forced_copies import AFTER, BEFORE, alias_instead, forced_copies
from hypothesis import HealthCheck, given, note, settings
from hypothesis.strategies import booleans, integers, randoms
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects.diagnostics import OpError
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.errors import HalError
from zcir.runtime.load import Program, load, run_passes
from zcir.runtime.reference import run_reference
from zcir.transforms.analysis.value_affinity import ValueAffinities

COUNT, DEEP = 150, 2000
SHARES = 5
"""Into which the programs are split, so that several processes can share them."""


SIMPLIFYING = BEFORE[:2]
assert SIMPLIFYING == ("inline", "simplify-control-flow")


KNOWN = {
    525: "a loop that is known to iterate starts with it, so that what the loop gives is not it"
}
"""Programs whose copy nobody misses, and why."""


class Tally(NamedTuple):
    """Seeds of programs that still copy, and of those whose copy nobody missed."""

    copying: list[int]
    unnoticed: list[int]


class Case(NamedTuple):
    """Inputs of a program, and what it makes of them by the reference."""

    inputs: list[np.ndarray | int]
    wanted: Sequence[object]


def cases_of(program: FlowProgram, module: ModuleOp) -> list[Case]:
    """One, or for each way that what comes in may decide."""
    tensors: list[np.ndarray | int] = [
        np.arange(size, dtype=np.int32) * 5 + 100 * index
        for index, size in enumerate(program.inputs)
    ]
    inputs = [tensors] if program.known else [[*tensors, *values] for values in WAYS]
    return [Case(given, run_reference(module, "main", given)) for given in inputs]


def check(
    seed: int,
    tally: Tally,
    *,
    hal: bool,
    mutate: bool = True,
    control: bool = False,
    known: bool = True,
    simplify: bool = True,
) -> None:
    """The program of a seed; `control` and `known` are those of `FlowProgram`."""
    program = FlowProgram(Random(seed), 3 + seed % 8, control=control, known=known)
    seen = judge(program, Random(seed), hal=hal, mutate=mutate, simplify=simplify, name=f"{seed}")
    if seen is not None:
        tally.copying.append(seed)
        if not seen:
            tally.unnoticed.append(seed)


def judge(
    program: FlowProgram,
    random: Random,
    *,
    hal: bool,
    mutate: bool = True,
    simplify: bool = True,
    name: str = "random",
) -> bool | None:
    """Check that a program is right as lowered; and, if it still copies, whether it is wrong with
    one of its copies turned into an alias.

    Without `simplify`, calls and what decides over control flow stay as they are written.
    """
    context = make_context()
    module = parse_text(context, program.text, f"{name}.mlir")
    cases = cases_of(program, module)
    run_passes(context, module, BEFORE if simplify else BEFORE[len(SIMPLIFYING) :])
    mutant = module.clone() if mutate and forced_copies(module) else None
    run_passes(context, module, (*AFTER, "zc-to-hal") if hal else AFTER)
    lowered = load(module, context=context)
    for case in cases:
        run = lowered.run(
            inputs=case.inputs, schedule=f"adversarial:{zlib.crc32(name.encode())}", check=True
        )
        assert run.check is not None
        assert not run.check.reports, f"{name}: {run.check.reports[0]}"
        for got, want in zip(run.results, case.wanted, strict=True):
            np.testing.assert_array_equal(got, want, name)
    if mutant is None:
        return None
    alias_instead(random.choice(forced_copies(mutant)), ValueAffinities(mutant))
    return noticed(context, mutant, cases)


def noticed(context: Context, mutant: ModuleOp, cases: Sequence[Case]) -> bool:
    """Whether a wrong alias is refused, reported or shows in the numbers of a case."""
    try:
        run_passes(context, mutant, AFTER)
        lowered = load(mutant, context=context)
        return not all(is_right(lowered, case) for case in cases)
    except (OpError, HalError):
        return True


def is_right(lowered: Program, case: Case) -> bool:
    """Whether a program computes what it should, without a report."""
    run = lowered.run(inputs=case.inputs, check=True)
    assert run.check is not None
    same = all(
        np.array_equal(np.asarray(got), np.asarray(want))
        for got, want in zip(run.results, case.wanted, strict=True)
    )
    return same and not run.check.reports


def check_all(seeds: range, every: int) -> None:
    """Programs, half of them with loops, branches and calls, whose way is known in half of these;
    of every so manieth that copies, one copy is turned."""
    tally = Tally([], [])
    for number, seed in enumerate(seeds):
        mutate, hal = number % every == 0, number % 10 == 0
        control, known = seed % 2 == 1, seed % 4 != 3
        check(seed, tally, hal=hal, mutate=mutate, control=control, known=known)
        if control:
            check(seed, tally, hal=hal, mutate=False, control=True, known=known, simplify=False)
    assert len(tally.copying) > len(seeds) / every / 4
    unnoticed = [seed for seed in tally.unnoticed if seed not in KNOWN]
    assert len(unnoticed) <= len(tally.copying) / 100, unnoticed


# IR-21, IR-26, IR-42, IR-44, IR-47, IR-49; cases B04, B06, B15.
@pytest.mark.parametrize("share", range(SHARES))
def test_random_programs_compute_the_same_and_need_every_copy(share: int) -> None:
    check_all(range(share, COUNT, SHARES), every=3)


@pytest.mark.deep
@pytest.mark.parametrize("share", range(SHARES))
def test_many_random_programs_compute_the_same_and_need_every_copy(share: int) -> None:
    check_all(range(share, DEEP, SHARES), every=1)


# Names that the host needs by another name (613), sizes of what leaves a loop (735), what is under
# way behind a branch (782) or before a loop (722), maintenance of a part by the name of another
# (855), what is put back after a trial (882), and ranges that one storage needs in a function which
# takes in others (189).
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("seed", [189, 613, 722, 735, 782, 855, 882])
def test_programs_that_once_were_wrong(seed: int, *, known: bool) -> None:
    check(seed, Tally([], []), hal=True, mutate=False, control=True, known=known, simplify=False)


# What hypothesis finds wrong it also makes smaller: each choice of a program is one of its own.
@settings(
    derandomize=True, deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow]
)
@given(
    random=randoms(use_true_random=False),
    length=integers(1, 8),
    control=booleans(),
    known=booleans(),
    hal=booleans(),
)
def test_programs_that_hypothesis_makes(
    random: Random, length: int, *, control: bool, known: bool, hal: bool
) -> None:
    program = FlowProgram(random, length, control=control, known=known)
    note(program.text)
    for simplify in (True, False):
        judge(program, random, hal=hal, mutate=False, simplify=simplify)
