"""stream-verify-coherence: silent on all our output, and never milder than the checker of runs.

IR-01, IR-13, IR-30, IR-32, IR-35, IR-47 on all paths. A mutant lacks one flush, invalidate,
discard or wait. Where some run of it is reported, so is the program; a program that is reported
only as `may` while no run is counts as a false one.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import stream
from zcir.runtime.element_types import Value
from zcir.runtime.load import CallSpec, Program, load
from zcir.transforms.build import make
from zcir.transforms.maintenance.verify import Certainty, find_faults

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "test" / "data"
NONCOHERENT = ROOT / "examples" / "topologies" / "noncoherent.mlir"
NAMES = (
    "alias",
    "chain",
    "dynamic",
    "fanout",
    "inplace",
    "pingpong",
    "reduction",
    "slice",
    "types",
)
MAINTAIN = ("stream-place-cache-maintenance", "stream-elide-cache-maintenance")
MAINTENANCE = (stream.CmdFlushOp, stream.CmdInvalidateOp, stream.CmdDiscardOp)
WAITING = (stream.CmdExecuteOp, stream.ResourceDeallocaOp, stream.TimepointAwaitOp)
X = np.arange(16, dtype=np.float32)
COUNTS: tuple[Sequence[Value], ...] = tuple([X, np.int32(n)] for n in (0, 1, 3))
CONTROL_FLOW: dict[str, tuple[Sequence[Value], ...]] = {
    "control_flow/loop2.flow.mlir": COUNTS,
    "control_flow/if.flow.mlir": COUNTS[:2],
    "control_flow/ident.flow.mlir": COUNTS[:2],
    "control_flow/call.flow.mlir": ([X],),
    "maintenance/branch.stream.mlir": COUNTS[:2],
    "maintenance/while.stream.mlir": COUNTS,
    "maintenance/state.stream.mlir": ([X],),
}


@cache
def maintained(path: Path, topology: Path | None = None) -> Program:
    passes = ("zc-to-stream",) if path.name.endswith(".flow.mlir") else MAINTAIN
    if topology is None and "control_flow" in str(path):
        return load(path, passes=passes, memory="noncoherent")
    return load(path, topology=topology, passes=passes)


def inputs_of(name: str) -> list[Value]:
    return [np.load(path) for path in sorted((DATA / "programs").glob(f"{name}.in*.npy"))]


def mutants(module: ModuleOp) -> Iterator[tuple[str, ModuleOp]]:
    """Copies that lack one operation, and its name."""
    count = sum(1 for _ in module.walk())
    for number in range(count):
        original = list(module.walk())[number]
        if not isinstance(original, (*MAINTENANCE, *WAITING)):
            continue
        copy = module.clone()
        op = list(copy.walk())[number]
        if isinstance(op, MAINTENANCE):
            op.detach()
            op.erase()
        elif isinstance(op, WAITING) and op.await_timepoint is not None:
            block = op.parent
            assert block is not None
            now = make(stream.TimepointImmediateOp, op, [stream.TimepointType()])
            block.insert_op_before(now, op)
            index = list(op.operands).index(op.await_timepoint)
            op.operands[index] = now.results[0]
        else:
            continue
        yield op.name, copy


def compare(program: Program, runs: Sequence[Sequence[Value]]) -> tuple[int, int, int]:
    """How many mutants there are, how many are missed, and how many falsely said to be `may`."""
    total = missed = false_may = 0
    for name, mutant in mutants(program.module):
        faults = find_faults(mutant, program.topology)
        # Calls after one another too: what globals keep is given up by the call after.
        calls = [[CallSpec(None, inputs)] for inputs in runs]
        checked = [
            Program(mutant, program.topology).run_calls(made, check=True).check
            for made in (*calls, [call for made in calls for call in made * 2])
        ]
        reports = [report for result in checked if result is not None for report in result.reports]
        total += 1
        if reports and not faults:
            missed += 1
            print("missed", name, reports[0].message)
        if faults and not reports:
            assert all(fault.certainty is Certainty.MAY for fault in faults), (name, faults)
            false_may += 1
            print("false", name, faults[0])
    return total, missed, false_may


@pytest.mark.parametrize(
    ("links", "topology"),
    [
        ("none", NONCOHERENT),
        pytest.param("none", None, marks=pytest.mark.deep),
        pytest.param("unified", None, marks=pytest.mark.deep),
        pytest.param("oneway", None, marks=pytest.mark.deep),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_programs_from_flow_are_right_on_all_paths(
    name: str, links: str, topology: Path | None
) -> None:
    program = maintained(DATA / "programs" / f"{name}.{links}.flow.mlir", topology)
    assert find_faults(program.module, program.topology) == []


@pytest.mark.parametrize("name", CONTROL_FLOW)
def test_loops_branches_calls_and_state_are_right_on_all_paths(name: str) -> None:
    program = maintained(DATA / name)
    assert find_faults(program.module, program.topology) == []


def _suite() -> Iterator[object]:
    for name in NAMES:
        marks = () if name in ("chain", "slice") else (pytest.mark.deep,)
        yield pytest.param(
            f"programs/{name}.none.flow.mlir", [inputs_of(name)], marks=marks, id=name
        )
    for path, runs in CONTROL_FLOW.items():
        marks = () if "while" in path or "if" in path else (pytest.mark.deep,)
        yield pytest.param(path, runs, marks=marks, id=path)


@pytest.mark.parametrize(("path", "runs"), list(_suite()))
def test_no_mutant_is_missed(path: str, runs: Sequence[Sequence[Value]]) -> None:
    topology = NONCOHERENT if path.startswith("programs") else None
    total, missed, false_may = compare(maintained(DATA / path, topology), runs)
    print(f"{path}: {total} mutants, {missed} missed, {false_may} false may")
    assert total > 4
    assert missed == 0
    assert false_may <= total * 0.02
