"""No damage to a lowered program goes unnoticed, and none is reported where there is none.

IR-01, IR-13, IR-16, IR-30 to IR-33, IR-35, IR-47, IR-54: every flush, invalidate, discard, barrier
and wait of what we lower is deleted, shrunk and moved (`maintenance_mutants`). Each mutant is
reported by the checker, or the explorer executes it in every way and reads no wrong value; one
that it cannot finish is a survivor. The static verifier is held against both: it misses none
that the checker reports, and few of its reports are about programs that are right.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from maintenance_mutants import mutants
from xdsl.ir import Operation
from zcir.dialects import stream, util
from zcir.dialects.diagnostics import OpError
from zcir.dialects.hal.types import BufferType
from zcir.dialects.location import location_text
from zcir.runtime.element_types import Value
from zcir.runtime.errors import HalError
from zcir.runtime.explorer import ExploreOptions, TooManyStatesError, explore
from zcir.runtime.load import CallSpec, Program, RunResult, load
from zcir.transforms.maintenance.hal_reader import HalLevel
from zcir.transforms.maintenance.segment_reader import Level
from zcir.transforms.maintenance.stream_reader import StreamLevel
from zcir.transforms.maintenance.verify import find_faults

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "test" / "data"
NONCOHERENT = ROOT / "examples" / "topologies" / "noncoherent.mlir"
FLOW = ("alias", "chain", "dynamic", "fanout", "inplace", "pingpong", "reduction", "slice", "types")
CACHES = ((64, "bytes"), (64, "line"), (128, "bytes"), (128, "line"))
MACHINES = ("coherent", "discrete", "oneway")
X = np.arange(16, dtype=np.float32)
LONGER = np.arange(100, dtype=np.float32)
COUNTS: tuple[Sequence[Value], ...] = tuple([X, np.int32(n)] for n in (0, 1, 3))
OTHERS: dict[str, tuple[Sequence[Value], ...]] = {
    "control_flow/loop2.flow.mlir": COUNTS,
    "control_flow/if.flow.mlir": COUNTS[:2],
    "control_flow/ident.flow.mlir": COUNTS[:2],
    "control_flow/call.flow.mlir": ([X],),
    "globals/counter.flow.mlir": ([X[:4]],),
    "maintenance/branch.stream.mlir": COUNTS[:2],
    "maintenance/while.stream.mlir": COUNTS,
    "maintenance/state.stream.mlir": ([X],),
}
MAINTAIN = ("stream-place-cache-maintenance", "stream-elide-cache-maintenance")
QUICK = 40
"""Mutants in the short test, at least."""
SEED = 6


def topology(machine: str, directory: Path) -> Path:
    """A file of a machine: one of the examples, or shared memory with caches of some kind."""
    if machine in MACHINES:
        return ROOT / "examples" / "topologies" / f"{machine}.mlir"
    line, write_back = machine.split("-")
    text = NONCOHERENT.read_text().replace("cache_line = 64 : i64", f"cache_line = {line} : i64")
    path = directory / f"{machine}.mlir"
    path.write_text(text.replace('write_back = "bytes"', f'write_back = "{write_back}"'))
    return path


@cache
def lowered(path: str, machine: str | None, level: str, directory: Path) -> Program:
    """A program of the suite at stream.cmd or hal level."""
    source = DATA / path
    passes: list[str] = ["zc-to-stream"] if ".flow." in path else [*MAINTAIN]
    if level == "hal":
        passes.append("zc-to-hal")
    where = None if machine is None else topology(machine, directory)
    memory = "noncoherent" if machine is None and "control_flow" in path else "module"
    return load(source, topology=where, passes=passes, memory=memory)


def suite() -> Iterator[tuple[str, str | None, str, tuple[Sequence[Value], ...]]]:
    """Path, machine, level and inputs of every program."""
    machines = (*(f"{line}-{kind}" for line, kind in CACHES), *MACHINES)
    for name in FLOW:
        inputs = [np.load(path) for path in sorted((DATA / "programs").glob(f"{name}.in*.npy"))]
        # Of a size that is not known a shorter range may do for one input and not for another.
        runs = (inputs, [LONGER]) if name == "dynamic" else (inputs,)
        for machine in machines:
            yield f"programs/{name}.none.flow.mlir", machine, "hal", runs
        yield f"programs/{name}.none.flow.mlir", machines[0], "stream", runs
    for path, runs in OTHERS.items():
        for level in ("hal", "stream"):
            yield path, None, level, runs


def executed(program: Program, runs: Sequence[Sequence[Value]]) -> list[RunResult] | None:
    """One run for each input; None where one stops with an error.

    Where globals keep storage, a run is two calls: what one leaves there, the next one finds.
    """
    calls = 2 if any(map(_keeps_storage, program.module.ops)) else 1
    try:
        return [program.run_calls([CallSpec(None, inputs)] * calls, check=True) for inputs in runs]
    except (HalError, OpError):
        return None


def _keeps_storage(op: Operation) -> bool:
    return isinstance(op, util.GlobalOp) and isinstance(op.type, stream.ResourceType | BufferType)


def is_right(outcome: RunResult) -> bool | None:
    """Whether every execution reads every value right; None where there are too many."""
    try:
        options = ExploreOptions(outcomes=False, max_states=200_000)
        return not explore(outcome.graph, outcome.machine, options).wrong_values
    except TooManyStatesError:
        return None


def verdict(program: Program, level: type[Level], runs: Sequence[Sequence[Value]]) -> str:
    """What becomes of a mutant, and what the static verifier says of it."""
    static = "static" if find_faults(program.module, program.topology, level) else "silent"
    outcomes = executed(program, runs)
    if outcomes is None:
        return f"refused, {static}"
    if any(outcome.check is None or outcome.check.reports for outcome in outcomes):
        return f"reported, {static}"
    right = [is_right(outcome) for outcome in outcomes]
    return f"equivalent, {static}" if all(right) else f"survivor, {static}"


def sweep(
    path: str,
    machine: str | None,
    level: str,
    runs: tuple[Sequence[Value], ...],
    directory: Path,
    wanted: Callable[[], bool] = lambda: True,
) -> Counter[str]:
    """The verdicts on the wanted mutants of a program, which itself is right."""
    program = lowered(path, machine, level, directory)
    of = HalLevel if level == "hal" else StreamLevel
    assert find_faults(program.module, program.topology, of) == []
    outcomes = executed(program, runs)
    assert outcomes is not None
    assert [r.message for run in outcomes if run.check for r in run.check.reports] == []
    counts: Counter[str] = Counter()
    for mutant in mutants(program.module):
        if not wanted():
            continue
        word = verdict(program, of, runs)
        counts[word] += 1
        if word in BAD:
            place = location_text(mutant.op) or mutant.op.name
            print(f"{word}: {path} {machine} {level}: {mutant.damage} {mutant.op.name} {place}")
    return counts


BAD = ("survivor, silent", "survivor, static", "reported, silent", "equivalent, static")


def judge(counts: Counter[str]) -> None:
    """Print and check the counts of a sweep."""
    total = sum(counts.values())
    false_may = counts["equivalent, static"]
    print(f"{total} mutants: {dict(sorted(counts.items()))}")
    print(f"false may: {false_may} of {total} ({100 * false_may / max(total, 1):.2f} %)")
    assert counts["survivor, silent"] + counts["survivor, static"] == 0
    assert counts["reported, silent"] == 0
    assert false_may < 0.02 * total


@pytest.mark.deep
def test_every_mutant_of_the_suite_is_reported_or_equivalent(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    for path, machine, level, runs in suite():
        counts += sweep(path, machine, level, runs, tmp_path)
    judge(counts)
    assert sum(counts.values()) >= 2000


def test_a_share_of_the_mutants_is_reported_or_equivalent(tmp_path: Path) -> None:
    random = Random(SEED)
    chosen = random.sample([row for row in suite() if row[1] != "discrete"], 8)
    counts: Counter[str] = Counter()
    for path, machine, level, runs in chosen:
        counts += sweep(path, machine, level, runs, tmp_path, lambda: random.random() < 0.15)
    judge(counts)
    assert sum(counts.values()) >= QUICK
