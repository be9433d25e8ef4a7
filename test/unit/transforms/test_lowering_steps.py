"""The nine programs, after each pass from flow to commands: numpy's results every time.

A module of the async phases runs on the values of `async_machine`, and from copy-on-write on also
in place; from allocation on it runs on simulated memory, which is coherent until maintenance is
placed and then as the topology says. From there on the checker judges every execution.
Rows IR-42, IR-43, IR-44, IR-48, IR-49: coherent, not coherent, discrete.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from async_machine import Array, run_async
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import stream, util
from zcir.dialects.parsing import make_context, parse_file, replace_topology
from zcir.runtime.checker import render
from zcir.runtime.load import is_flow, load, run_passes
from zcir.runtime.reference import run_reference
from zcir.transforms.pipeline import TO_HAL, TO_STREAM

TEST = Path(__file__).parents[2]
PROGRAMS = TEST / "data" / "programs"
NAMES = sorted({path.name.split(".")[0] for path in PROGRAMS.glob("*.mlir")})
EXAMPLES = TEST.parent / "examples" / "topologies"
TOPOLOGIES = {
    "given-unified": None,
    "given-oneway": None,
    "given-none": None,
    "coherent": EXAMPLES / "coherent.mlir",
    "coherent-oneway": TEST / "data" / "topologies" / "oneway_coherent.mlir",
    "discrete": EXAMPLES / "discrete.mlir",
    "noncoherent": EXAMPLES / "noncoherent.mlir",
    "noncoherent-oneway": EXAMPLES / "oneway.mlir",
}
"""Files that replace the module's own topology; None: one of those the programs come with."""

IN_PLACE = "stream-materialize-copy-on-write"
ALLOCATED = "stream-schedule-allocation"
MAINTAINED = "stream-place-cache-maintenance"
WITH_LOOPS = {"pingpong"}
"""What a loop repeats may be needed by one iteration and redundant in another."""


@cache
def parsed(name: str, links: str) -> ModuleOp:
    return parse_file(make_context(), str(PROGRAMS / f"{name}.{links}.flow.mlir"))


def arrays(name: str, kind: str) -> list[Array]:
    return [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.{kind}*.npy"))]


def flow_module(name: str, topology: str) -> ModuleOp:
    file = TOPOLOGIES[topology]
    module = parsed(name, topology.removeprefix("given-") if file is None else "none").clone()
    if file is not None:
        replace_topology(make_context(), module, str(file))
    return module


def expect(results: list[Array], wanted: list[Array], step: str) -> None:
    assert len(results) == len(wanted)
    for result, want in zip(results, wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(result), want, err_msg=f"after {step}")


def judge_flow(module: ModuleOp, name: str, step: str) -> None:
    """Right results on tensor values."""
    (function,) = (op for op in module.ops if isinstance(op, util.FuncOp))
    results = run_reference(module, function.sym_name.data, arrays(name, "in"))
    expect([np.asarray(result) for result in results], arrays(name, "want"), step)


def judge_async(module: ModuleOp, name: str, step: str, *, in_place: bool) -> None:
    """Right results; and the caller's arrays are as they were, but the one to be written."""
    inputs, wanted = arrays(name, "in"), arrays(name, "want")
    kept = inputs
    if name == "alias":
        kept = [inputs[0], wanted[0] if in_place else inputs[1]]
    expect(run_async(module, inputs, in_place=in_place), [*wanted, *kept], step)


def judge_commands(module: ModuleOp, name: str, step: str, memory: str, schedule: str) -> None:
    """Right results, and no report about any execution."""
    program = load(module, memory=memory)
    run = program.run(inputs=arrays(name, "in"), schedule=schedule, check=True)
    expect([np.asarray(result) for result in run.results], arrays(name, "want"), step)
    assert run.check is not None
    assert [line for report in run.check.reports for line in render(report)] == [], step
    if step in ("stream-elide-cache-maintenance", *TO_HAL) and name not in WITH_LOOPS:
        assert [op for op in run.check.redundant if op.event.location] == [], step


def _cases() -> Iterator[object]:
    """Every program in two topologies; the rest are deep."""
    names = list(TOPOLOGIES)
    for index, name in enumerate(NAMES):
        quick = {"noncoherent", names[index % len(names)]}
        for topology in TOPOLOGIES:
            marks = () if topology in quick else (pytest.mark.deep,)
            yield pytest.param(name, topology, id=f"{name}-{topology}", marks=marks)


@pytest.mark.parametrize(("name", "topology"), list(_cases()))
def test_every_pass_keeps_numpys_results(name: str, topology: str) -> None:
    module, context = flow_module(name, topology), make_context()
    allocated = maintained = in_place = False
    before = module.clone()
    for step in (*TO_STREAM, *TO_HAL):
        run_passes(context, module, (step,))
        changed = not module.is_structurally_equivalent(before)
        before = module.clone()
        in_place |= step == IN_PLACE
        allocated |= step == ALLOCATED
        maintained |= step == MAINTAINED
        if not changed or any(isinstance(op, stream.ResourcePackOp) for op in module.walk()):
            continue  # nothing new, or offsets in slabs that are not known before layout
        if step in TO_HAL:
            judge_commands(module, name, step, "module", "adversarial:1")
        elif maintained:
            judge_commands(module, name, step, "module", "adversarial:2")
        elif allocated:
            judge_commands(module, name, step, "coherent", "random:3")
        elif is_flow(module):
            judge_flow(module, name, step)
        else:
            judge_async(module, name, step, in_place=False)
            if in_place:
                judge_async(module, name, step, in_place=True)


def test_the_machine_in_place_notices_a_clone_that_is_missing() -> None:
    module = flow_module("inplace", "coherent")
    steps = TO_STREAM[: TO_STREAM.index(IN_PLACE)]
    run_passes(make_context(), module, steps)
    # Every transfer aliases, and no clone stands before the update of what is still read.
    assert not any(isinstance(op, stream.AsyncCloneOp) for op in module.walk())
    judge_async(module, "inplace", steps[-1], in_place=False)
    with pytest.raises(AssertionError):
        judge_async(module, "inplace", steps[-1], in_place=True)
