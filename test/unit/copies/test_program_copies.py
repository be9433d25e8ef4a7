"""How many copies the programs of test/data make, and why value semantics force each of them.

A copy is one that a run executes: one in a loop counts for each iteration. Rows IR-05, IR-21,
IR-29, IR-42, IR-44.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from zcir.dialects.parsing import make_context, parse_file, replace_topology
from zcir.runtime.load import load, run_passes

ROOT = Path(__file__).parents[3]
PROGRAMS = ROOT / "test" / "data" / "programs"
STATED = ("unified", "oneway", "none")
"""Topologies that the programs come with, with IREE's own stream phase for each."""
OURS = ("coherent", "noncoherent", "oneway", "discrete")
"""Topologies of examples/topologies."""


class Forced(NamedTuple):
    """Copies that cannot be left out, on shared memory, one-way links and separate memories.

    Counted as executed in one call.
    """

    shared: int
    one_way: int
    separate: int
    why: str


FORCED = {
    "alias": Forced(
        0,
        0,
        2,
        "the result is written into the caller's storage at once. Separate memories: one for each "
        "transfer",
    ),
    "chain": Forced(0, 0, 2, "separate memories: one for each transfer"),
    "fanout": Forced(0, 0, 4, "separate memories: one for each transfer"),
    "inplace": Forced(
        2,
        2,
        2,
        "the last dispatch reads the value before and after the update, so it exists twice: one "
        "clone; the update comes from the caller's buffer, which is not ours to share: one. "
        "Separate memories: both write to a's memory from b, where "
        "nothing but copies is done",
    ),
    "dynamic": Forced(0, 0, 2, "separate memories: one for each transfer"),
    "pingpong": Forced(
        0,
        2,
        10,
        "one-way: what goes into the loop and comes out of it lies in a's memory, which b does not "
        "reach: one before, one after. Separate memories: one for each transfer of 5 iterations",
    ),
    "reduction": Forced(
        0,
        1,
        1,
        "the input is transferred, so it lies on b from the start and its sum is made there. The "
        "result is asked for in a's memory, which b that makes it does not reach: one",
    ),
    "types": Forced(
        0,
        3,
        6,
        "one-way: the results are asked for in a's memory, which b that makes them does not "
        "reach: one each. Separate memories: one for each transfer",
    ),
    "slice": Forced(
        1,
        1,
        3,
        "the last dispatch reads the value before and after the update: one clone, into which b "
        "writes its part. Separate memories: the slice goes to b, b's part comes back",
    ),
}
IREE_IS_WRONG = {("inplace", "unified"), ("inplace", "oneway")}
"""There IREE leaves out the clone, and its result is wrong."""


def inputs_of(name: str) -> list[np.ndarray]:
    return [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.in*.npy"))]


def executed(name: str, topology: str, *, ours: bool) -> int:
    """The copies of one call, as `zc-to-stream` lowers it."""
    context = make_context()
    module = parse_file(context, str(PROGRAMS / f"{name}.{'none' if ours else topology}.flow.mlir"))
    if ours:
        replace_topology(context, module, str(ROOT / "examples/topologies" / f"{topology}.mlir"))
    run_passes(context, module, ("zc-to-stream",))
    run = load(module, context=context).run(inputs=inputs_of(name))
    return run.statistics.total.copy_cmds


def executed_by_iree(name: str, topology: str) -> int:
    """The copies of one call, as IREE's stream phase lowers it.

    On memory that every device reaches, since IREE takes one-way links the wrong way round.
    """
    program = load(PROGRAMS / f"{name}.{topology}.stream.mlir", memory="coherent")
    return program.run(inputs=inputs_of(name)).statistics.total.copy_cmds


def forced(name: str, topology: str) -> int:
    row = FORCED[name]
    kinds = {"oneway": row.one_way, "none": row.separate, "discrete": row.separate}
    return kinds.get(topology, row.shared)


@pytest.mark.parametrize("topology", STATED)
@pytest.mark.parametrize("name", FORCED)
def test_copies_are_those_that_are_forced_and_no_more_than_irees(name: str, topology: str) -> None:
    count = executed(name, topology, ours=False)
    assert count == forced(name, topology), FORCED[name].why
    assert count <= executed_by_iree(name, topology) or (name, topology) in IREE_IS_WRONG


@pytest.mark.parametrize(
    "topology",
    [
        pytest.param(topology, marks=() if topology == "noncoherent" else (pytest.mark.deep,))
        for topology in OURS
    ],
)
@pytest.mark.parametrize("name", FORCED)
def test_coherence_does_not_change_the_number_of_copies(name: str, topology: str) -> None:
    assert executed(name, topology, ours=True) == forced(name, topology), FORCED[name].why


@pytest.mark.parametrize(
    ("name", "topology"),
    [
        *(
            (name, topology)
            for name in ("slice", "inplace")
            for topology in ("noncoherent", "oneway")
        ),
        ("pingpong", "oneway"),
    ],
)
def test_what_is_left_out_does_not_show(name: str, topology: str) -> None:
    program = load(
        PROGRAMS / f"{name}.none.flow.mlir",
        topology=ROOT / "examples/topologies" / f"{topology}.mlir",
    )
    (wanted,) = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.want*.npy"))]
    for seed in range(4):
        run = program.run(inputs=inputs_of(name), schedule=f"adversarial:{seed}", check=True)
        np.testing.assert_array_equal(run.results[0], wanted)
        assert run.check is not None
        assert not run.check.reports
