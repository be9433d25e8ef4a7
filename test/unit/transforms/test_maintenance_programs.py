"""IREE's own stream phase, maintained: right on memory that is not coherent.

IREE's elided transfers leave no maintenance and its kept ones half of it (IR-35); what the two
passes add makes numpy's numbers under every schedule, the checker finds no fault, and nothing
that could go. Cases B15, B22 and B35 in whole programs.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from zcir.dialects.parsing import make_context, parse_text, replace_topology
from zcir.runtime.checker import render, render_redundant
from zcir.runtime.element_types import Value
from zcir.runtime.errors import HalError
from zcir.runtime.events import EventKind
from zcir.runtime.load import Program, load, run_passes

DATA = Path(__file__).parents[2] / "data"
PROGRAMS = DATA / "programs"
TOPOLOGIES = Path(__file__).parents[3] / "examples" / "topologies"
MAINTAIN = ("stream-place-cache-maintenance", "stream-elide-cache-maintenance")
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
WRONG_IN_IREE = {"inplace.unified", "inplace.oneway"}
"""IREE updates a value in place that is still read: no maintenance changes that."""
OUT_OF_REACH = "pingpong-oneway"
"""There IREE's loop carries storage of a, which b reads: the link lets only a reach b's memory."""
UPKEEP = (EventKind.FLUSH, EventKind.INVALIDATE, EventKind.DISCARD)
SCHEDULES = ("fifo", "random:1", "adversarial:2")
CACHES = [(64, "bytes"), (64, "line"), (128, "bytes"), (128, "line")]


@cache
def noncoherent(line: int, write_back: str, directory: Path, links: str = "noncoherent") -> Path:
    """A topology of devices whose caches have lines of `line` bytes; `links` is an example."""
    text = (TOPOLOGIES / f"{links}.mlir").read_text().replace(', write_back = "bytes"', "")
    caches = f'cache_line = {line} : i64, write_back = "{write_back}"'
    text = text.replace("cache_line = 64 : i64", caches)
    path = directory / f"{links}-{line}-{write_back}.mlir"
    path.write_text(text)
    return path


@pytest.fixture(scope="session")
def topologies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("topologies")


def judge(program: Program, inputs: Sequence[Value], wanted: Sequence[Value]) -> None:
    """The program gives `wanted` under all schedules; no report, nothing redundant."""
    for schedule in SCHEDULES:
        run = program.run(inputs=inputs, schedule=schedule, check=schedule == "fifo")
        for result, want in zip(run.results, wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(result), want)
        if run.check is not None:
            assert [line for report in run.check.reports for line in render(report)] == []
            # What the host does at the border has no place in the program.
            redundant = [op for op in run.check.redundant if op.event.location]
            assert [render_redundant(op) for op in redundant] == []


RANDOM_SCHEDULES = 100


def hammer(program: Program, inputs: Sequence[Value], wanted: Sequence[Value]) -> None:
    """The program gives `wanted` under a hundred schedules, half of them hostile to caches."""
    for seed in range(RANDOM_SCHEDULES):
        kind = "adversarial" if seed % 2 else "random"
        results = program.run(inputs=inputs, schedule=f"{kind}:{seed}").results
        for result, want in zip(results, wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(result), want)


def _cases() -> Iterator[object]:
    for name in NAMES:
        for links in ("unified", "oneway"):
            if f"{name}-{links}" == OUT_OF_REACH:
                continue
            marks = () if links == "unified" else (pytest.mark.deep,)
            yield pytest.param(name, links, None, id=f"{name}-{links}", marks=marks)
        for cache_ in CACHES:
            for links in ("none", "unified", "oneway"):
                quick = (links, cache_) in {("none", (64, "bytes")), ("none", (128, "line"))}
                marks = () if quick else (pytest.mark.deep,)
                key = f"{name}-{links}-{cache_[0]}-{cache_[1]}"
                yield pytest.param(name, links, cache_, id=key, marks=marks)


def _maintained(
    name: str, links: str, cache_: tuple[int, str] | None, topologies: Path
) -> tuple[Program, list[Value], list[Value]]:
    """A program of IREE's stream phase with our maintenance, its inputs and its results."""
    topology = None if cache_ is None else noncoherent(*cache_, topologies)
    program = load(PROGRAMS / f"{name}.{links}.stream.mlir", topology=topology, passes=MAINTAIN)
    inputs: list[Value] = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.in*.npy"))]
    wanted: list[Value] = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.want*.npy"))]
    if f"{name}.{links}" in WRONG_IN_IREE:
        wanted = program.run(inputs=inputs).results
    return program, inputs, wanted


@pytest.mark.parametrize(("name", "links", "cache_"), list(_cases()))
def test_ir35_iree_stream_phase_is_right_when_maintained(
    name: str, links: str, cache_: tuple[int, str] | None, topologies: Path
) -> None:
    judge(*_maintained(name, links, cache_, topologies))


@pytest.mark.deep
@pytest.mark.parametrize("cache_", CACHES)
@pytest.mark.parametrize("links", ["none", "unified", "oneway"])
@pytest.mark.parametrize("name", NAMES)
def test_a_hundred_schedules_of_iree_stream_phase(
    name: str, links: str, cache_: tuple[int, str], topologies: Path
) -> None:
    hammer(*_maintained(name, links, cache_, topologies))


# IR-29: the link is directional, so storage in a's pool is refused for b, by name.
def test_ir29_storage_out_of_reach_is_refused() -> None:
    name, links = OUT_OF_REACH.split("-")
    program = load(PROGRAMS / f"{name}.{links}.stream.mlir", passes=MAINTAIN)
    with pytest.raises(HalError, match="device_b does not reach pool device_a"):
        program.run(inputs=[np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.in*.npy"))])


CONTROL_FLOW = DATA / "maintenance"
X = np.arange(16, dtype=np.float32)


def _branched(count: int) -> Value:
    return (2 * X) ** 2 + 2 * X if count > 0 else 4 * X


def _looped(count: int) -> Value:
    value, double = X, 2 * X
    for _ in range(count):
        value = (value + double) * double
    return value


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("branch", _branched),
        ("while", _looped),
    ],
)
def test_paths_of_branches_and_loops_are_right(name: str, wanted: Callable[[int], Value]) -> None:
    """Every path, the one without an iteration too; and each operation is needed at least once
    on some path (IR-32, IR-35)."""
    program = load(CONTROL_FLOW / f"{name}.stream.mlir", passes=MAINTAIN)
    all_ops: set[str] = set()
    needed: set[str] = set()
    for count in (0, 1, 3):
        for schedule in SCHEDULES:
            inputs = [X, np.int32(count)]
            run = program.run(inputs=inputs, schedule=schedule, check=schedule == "fifo")
            np.testing.assert_array_equal(np.asarray(run.results[0]), wanted(count))
            if run.check is None:
                continue
            assert [line for report in run.check.reports for line in render(report)] == []
            events = {e.id: e.location for e in run.graph.events if e.kind in UPKEEP and e.location}
            redundant = {op.event.id for op in run.check.redundant}
            all_ops.update(events.values())
            needed.update(at for event, at in events.items() if event not in redundant)
    assert all_ops == needed


def test_state_in_globals_is_right_and_stays_in_its_cache() -> None:
    """What lives in a global is only read where it was written: one flush, for the other device,
    and no invalidate (IR-35). What a store drops leaves the cache with its last use: the state of
    the initializer was not flushed before, that of later calls was."""
    program = load(CONTROL_FLOW / "state.stream.mlir", passes=MAINTAIN)
    for schedule in SCHEDULES:
        session = program.session(schedule=schedule, check=True)
        for call in range(3):
            (result,) = session.call("f", [X])
            np.testing.assert_array_equal(result, 1 + (2 + call) * X)
        found = session.check()
        assert [line for report in found.reports for line in render(report)] == []
        redundant = [op.event.kind for op in found.redundant if op.event.location]
        # The last call's is so because nothing gives back what it dropped.
        assert redundant == [EventKind.DISCARD] * 2


# IREE leaves out the affinity of much that runs on the default: it says so once, on the module.
def test_ops_without_an_affinity_run_on_the_default_of_the_module(topologies: Path) -> None:
    path = PROGRAMS / "chain.unified.stream.mlir"
    text = path.read_text()
    shorter = text.replace("on(#hal.device.affinity<@device_a>) ", "")
    assert shorter != text
    context = make_context()
    modules = [parse_text(context, each, path.name) for each in (text, shorter)]
    for module in modules:
        replace_topology(context, module, str(noncoherent(64, "bytes", topologies)))
        run_passes(context, module, MAINTAIN)
    stated, inherited = (str(module) for module in modules)
    assert inherited == stated.replace("on(#hal.device.affinity<@device_a>) ", "")
    values = [np.load(PROGRAMS / f"chain.{each}0.npy") for each in ("in", "want")]
    judge(load(modules[1]), values[:1], values[1:])
