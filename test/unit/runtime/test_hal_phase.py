"""IREE's own hal-phase modules on the host VM, with kernels of the executable-sources phase."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from zcir.dialects.diagnostics import OpError
from zcir.dialects.parsing import make_context, parse_file
from zcir.dialects.topology import Topology
from zcir.runtime.load import RunResult, load

DATA = Path(__file__).parents[2] / "data"
PROGRAMS = DATA / "programs"

NAMES = (
    "chain.none",
    "chain.unified",
    "inplace.unified",
    "pingpong.unified",
    "reduction.oneway",
)
WRONG = {"inplace.unified"}
"""IREE elides a transfer whose source is still read after the result is updated in place."""


def _run(name: str, memory: str) -> RunResult:
    stem = name.split(".")[0]
    inputs = [np.load(path) for path in sorted(PROGRAMS.glob(f"{stem}.in?.npy"))]
    sources = PROGRAMS / f"{name}.executable-sources.mlir"
    program = load(DATA / "hal" / f"{name}.hal.mlir", memory=memory, executable_sources=sources)
    return program.run(inputs=inputs, check=True)


def _is_right(name: str, result: RunResult) -> bool:
    wanted = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name.split('.')[0]}.want?.npy"))]
    return all(map(np.array_equal, result.results, wanted))


@pytest.mark.parametrize("name", NAMES)
def test_right_on_coherent_memory_where_iree_is(name: str) -> None:
    result = _run(name, "coherent")
    assert _is_right(name, result) is (name not in WRONG)
    assert result.check is not None
    assert not result.check.reports


@pytest.mark.parametrize(
    ("name", "stale"),
    [("chain.none", 4), ("chain.unified", 4), ("pingpong.unified", 12), ("reduction.oneway", 3)],
)
def test_stale_reads_are_named_on_memory_that_is_not(name: str, stale: int) -> None:
    """The import, each hand-over between devices, and the export lack maintenance."""
    result = _run(name, "noncoherent")
    assert not _is_right(name, result)
    assert result.check is not None
    rules = Counter(report.rule.value for report in result.check.reports)
    assert rules["stale"] == stale
    assert not rules.keys() - {"stale", "lifetime"}


def test_command_buffers_are_recorded_by_initializers_alone() -> None:
    """Five rounds of two submissions each, of two command buffers (IR-57)."""
    total = _run("pingpong.unified", "coherent").statistics.total
    assert (total.recordings, total.dispatches) == (2, 10)


def test_what_a_kernel_is_made_of_is_asked_for() -> None:
    with pytest.raises(OpError, match="has a binary and no source of @f_dispatch_0") as raised:
        load(DATA / "hal" / "chain.none.hal.mlir", memory="coherent").run(
            inputs=[np.ones(16, np.float32)]
        )
    assert "--executable-sources" in raised.value.message


def test_global_that_keeps_a_choice_of_device_is_no_device() -> None:
    module = parse_file(make_context(), str(DATA / "hal" / "chain.unified.hal.mlir"))
    assert Topology.from_module(module).device_names == ("device_a", "device_b")
