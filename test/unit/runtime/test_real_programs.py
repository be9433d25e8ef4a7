"""The programs of test/data/real, through every level and on every memory, against numpy.

Each program is called as often as there are files of inputs, its globals living on.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects.parsing import make_context, parse_file
from zcir.runtime.checker import check
from zcir.runtime.element_types import Array, Value
from zcir.runtime.io import parse_inputs
from zcir.runtime.load import Program, load
from zcir.runtime.reference import Reference

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "test" / "data" / "real"
NAMES = sorted(path.name.split(".")[0] for path in DATA.glob("*.flow.mlir"))
TWO_DEVICES = {"pipeline", "scatter", "tensor_parallel"}
FUNCTIONS = {"rnn": "step"}
STREAM = sorted(path.name.split(".")[0] for path in DATA.glob("*.stream.mlir"))
SOURCES = sorted(path.name.split(".")[0] for path in DATA.glob("*.executable-sources.mlir"))
PLACE = ("stream-place-cache-maintenance", "stream-elide-cache-maintenance")


def arrays(name: str, call: int, kind: str) -> list[Value]:
    """The inputs or results of a call; a scalar's file holds an array without dimensions."""
    found = (np.asarray(value) for value in parse_inputs([f"*{DATA}/{name}.{call}.{kind}.npy"]))
    return [array if array.ndim else array[()] for array in found]


def calls(name: str) -> list[tuple[list[Value], list[Value]]]:
    """Inputs and results of each call."""
    count = len(list(DATA.glob(f"{name}.*.in.npy")))
    return [(arrays(name, call, "in"), arrays(name, call, "want")) for call in range(count)]


def assert_close(results: list[Value], wanted: list[Value]) -> None:
    assert len(results) == len(wanted)
    for result, want in zip(results, wanted, strict=True):
        got: Array = np.asarray(result)
        array: Array = np.asarray(want)
        assert got.dtype == array.dtype
        tolerance = {"f2": 2e-3, "f4": 2e-5}.get(array.dtype.str[1:], 0)
        np.testing.assert_allclose(got, array, rtol=tolerance, atol=tolerance)


@cache
def module(name: str) -> ModuleOp:
    return parse_file(make_context(), str(DATA / f"{name}.flow.mlir"))


def run(name: str, program: Program, schedule: str = "fifo", reports: str | None = "") -> None:
    """All calls give numpy's results; the checker's reports are as said, None to not ask."""
    session = program.session(schedule=schedule, check=reports is not None)
    for inputs, wanted in calls(name):
        assert_close(session.call(FUNCTIONS.get(name, "f"), inputs), wanted)
    session.finish()
    if reports is not None:
        verdict = check(session.system.graph, session.system.machine)
        assert "; ".join(report.message for report in verdict.reports) == reports


def topology(name: str, memory: str) -> Path | None:
    """The links of two devices; one device has none."""
    return ROOT / "examples/topologies" / f"{memory}.mlir" if name in TWO_DEVICES else None


def test_there_are_enough() -> None:
    assert len(NAMES) == 20


@pytest.mark.parametrize("name", NAMES)
def test_reference_equals_numpy(name: str) -> None:
    reference = Reference(module(name))
    for inputs, wanted in calls(name):
        assert_close(reference.call(FUNCTIONS.get(name, "f"), inputs), wanted)


@pytest.mark.parametrize("name", NAMES)
def test_lowered_for_memory_that_is_not_coherent(name: str) -> None:
    """Down to command buffers: numpy's results under an adversary, and no report."""
    program = load(module(name), topology=topology(name, "noncoherent"))
    run(name, program, schedule="adversarial:3")


@pytest.mark.deep
@pytest.mark.parametrize("memory", ["coherent", "noncoherent", "discrete", "oneway"])
@pytest.mark.parametrize("name", NAMES)
def test_on_every_memory(name: str, memory: str) -> None:
    links = topology(name, memory)
    if links is None and memory == "oneway":
        pytest.skip("one device has no links")
    program = load(module(name), topology=links, memory="module" if links else memory)
    for schedule in ("fifo", "random:1", "adversarial:2"):
        run(name, program, schedule=schedule)


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES)
def test_stream_level_of_ours(name: str) -> None:
    links = topology(name, "noncoherent")
    run(name, load(module(name), topology=links, passes=["zc-to-stream"]), reports=None)


@pytest.mark.deep
@pytest.mark.parametrize("name", SOURCES)
def test_executable_sources_of_iree_on_coherent_memory(name: str) -> None:
    """HAL form of the bodies; the host program as IREE made it."""
    path = DATA / f"{name}.executable-sources.mlir"
    run(name, load(path, memory="coherent"), reports=None)


@pytest.mark.deep
@pytest.mark.parametrize("name", STREAM)
def test_stream_phase_of_iree_on_coherent_memory(name: str) -> None:
    run(name, load(DATA / f"{name}.stream.mlir", memory="coherent"), reports=None)


@pytest.mark.deep
@pytest.mark.parametrize("name", STREAM)
def test_stream_phase_of_iree_with_maintenance_placed(name: str) -> None:
    run(name, load(DATA / f"{name}.stream.mlir", passes=PLACE), schedule="adversarial:1")
