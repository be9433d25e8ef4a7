"""Nine programs on three topologies and three memories: numpy's numbers from every phase.

81 runs from the flow phase, lowered for the memory they run on. From IREE's stream and
executable-sources phases as they are: right on coherent memory wherever IREE is (it is wrong in
`WRONG_IN_IREE`), reported by the checker on memory that is not coherent and right there once
maintained. On a memory for each device, reached from outside by copies through caches, the same
holds of those that share nothing; the others are refused (IR-27).
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from zcir.runtime.checker import render
from zcir.runtime.element_types import Array, InputError, Value
from zcir.runtime.errors import HalError
from zcir.runtime.load import RunResult, load

ROOT = Path(__file__).parents[3]
PROGRAMS = ROOT / "test" / "data" / "programs"
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
LINKS = ("none", "unified", "oneway")
MEMORIES = ("coherent", "noncoherent", "discrete")
PHASES = ("stream", "executable-sources")
WRONG_IN_IREE = {("inplace", "unified"), ("inplace", "oneway")}
"""IREE updates a value in place that is still read."""
MAINTAIN = ("stream-place-cache-maintenance",)
SHARES_TOO_MUCH = {("pingpong", "oneway")}
"""IREE's loop carries storage of a that b reads, which the link does not allow (IR-29)."""
QUICK_FLOW = {
    ("inplace", "unified", "noncoherent"),
    ("dynamic", "oneway", "discrete"),
}
QUICK = {
    ("slice", "none", "stream"),
    ("reduction", "oneway", "executable-sources"),
}


def _inputs(name: str) -> list[Array]:
    return [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.in*.npy"))]


def _is_right(name: str, results: list[Value]) -> bool:
    """Whether the results are numpy's within the tolerance of their types."""
    wanted = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.want*.npy"))]
    assert len(results) == len(wanted)
    return all(
        np.asarray(result).dtype == want.dtype
        and np.allclose(np.asarray(result), want, rtol=1e-3 if want.dtype == np.float16 else 1e-6)
        for result, want in zip(results, wanted, strict=True)
    )


def _reports(run: RunResult) -> list[str]:
    assert run.check is not None
    return [line for report in run.check.reports for line in render(report)]


def _flow_cases() -> Iterator[object]:
    for name in NAMES:
        for links in LINKS:
            for memory in MEMORIES:
                case = (name, links, memory)
                marks = () if case in QUICK_FLOW else (pytest.mark.deep,)
                yield pytest.param(*case, id="-".join(case), marks=marks)


@pytest.mark.parametrize(("name", "links", "memory"), list(_flow_cases()))
def test_flow_programs_are_right_on_the_memory_they_are_lowered_for(
    name: str, links: str, memory: str
) -> None:
    topology = ROOT / "examples" / "topologies" / f"{memory}.mlir"
    program = load(PROGRAMS / f"{name}.{links}.flow.mlir", topology=topology)
    run = program.run(inputs=_inputs(name), check=True)
    assert _is_right(name, run.results)
    assert _reports(run) == []
    total = run.statistics.total
    if memory == "coherent":
        assert total.flush_cmds == total.invalidate_cmds == 0
    if memory == "noncoherent":
        assert total.flush_cmds > 0
    # Copies between memories are there where there are several (all but slice move no more).
    assert (total.copy_cmds > 0) == (memory == "discrete" or name in ("slice", "inplace"))


def _phase_cases() -> Iterator[object]:
    for name in NAMES:
        for links in LINKS:
            for phase in PHASES:
                case = (name, links, phase)
                marks = () if case in QUICK else (pytest.mark.deep,)
                yield pytest.param(*case, id="-".join(case), marks=marks)


@pytest.mark.parametrize(("name", "links", "phase"), list(_phase_cases()))
def test_phases_of_iree_as_they_are(name: str, links: str, phase: str) -> None:
    """IR-27, IR-35, IR-53: on each memory what it must be."""
    path, inputs = PROGRAMS / f"{name}.{links}.{phase}.mlir", _inputs(name)
    right = (name, links) not in WRONG_IN_IREE
    coherent = load(path, memory="coherent").run(inputs=inputs, check=True)
    assert _is_right(name, coherent.results) == right
    assert not coherent.check or _reports(coherent) == []

    memories = ["noncoherent"]
    if links == "none":
        memories.append("discrete")
    else:
        with pytest.raises(InputError, match=r"module assumes that .* reaches the memory of"):
            load(path, memory="discrete")
    for memory in memories:
        given = load(path, memory=memory).run(inputs=inputs, check=True)
        assert any("stale read" in line for line in _reports(given))
        maintained = load(path, memory=memory, passes=MAINTAIN).run(inputs=inputs, check=True)
        assert _reports(maintained) == []
        assert _is_right(name, maintained.results) == right


@pytest.mark.parametrize(("name", "links"), sorted(SHARES_TOO_MUCH))
def test_storage_that_the_links_do_not_allow_is_refused(name: str, links: str) -> None:
    """As the topology says the memory is (IR-29)."""
    program = load(PROGRAMS / f"{name}.{links}.stream.mlir")
    with pytest.raises(HalError, match="device_b does not reach pool device_a"):
        program.run(inputs=_inputs(name))
