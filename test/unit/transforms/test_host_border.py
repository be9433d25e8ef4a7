"""Maintenance where host and devices meet: data of the program, devices in the host's domain.

What the host writes for the program (constants, mapped bytes, elements of a staging buffer) is
flushed by the host, as an import is (IR-36); a device that shares the
host's cache does no maintenance for it.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import stream
from zcir.dialects.hal import DeviceAffinityAttr
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.checker import render, render_redundant
from zcir.runtime.element_types import Value
from zcir.runtime.load import Program, load, run_passes

ROOT = Path(__file__).parents[3]
DATA = ROOT / "test" / "data"
HOST_DATA = DATA / "maintenance" / "host_data.stream.mlir"
PROGRAMS = DATA / "programs"
MAINTAIN = ("stream-place-cache-maintenance", "stream-elide-cache-maintenance")
SCHEDULES = ("fifo", "random:1", "adversarial:0", "adversarial:1")


def maintenance(module: ModuleOp) -> list[tuple[str, str]]:
    """Kind and device of each maintenance op, in the order of the text."""
    found: list[tuple[str, str]] = []
    for op in module.walk():
        if isinstance(op, stream.CmdFlushOp | stream.CmdInvalidateOp | stream.CmdDiscardOp):
            region = op.parent_op()
            while not isinstance(region, stream.CmdExecuteOp):
                assert region is not None
                region = region.parent_op()
            assert isinstance(region.affinity, DeviceAffinityAttr)
            found.append((op.name.rpartition(".")[2], region.affinity.device_names[0]))
    return found


def judge(
    program: Program, inputs: Sequence[Value], wanted: Sequence[Value], function: str | None = None
) -> None:
    """Right under all schedules, no report, and nothing of the program redundant."""
    for schedule in SCHEDULES:
        run = program.run(function, inputs=inputs, schedule=schedule, check=True)
        for result, want in zip(run.results, wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(result), want)
        assert run.check is not None
        assert [line for report in run.check.reports for line in render(report)] == []
        redundant = [op for op in run.check.redundant if op.event.location]
        assert [render_redundant(op) for op in redundant] == []


@pytest.mark.parametrize("passes", [MAINTAIN, (*MAINTAIN, "zc-to-hal")])
@pytest.mark.parametrize(
    ("function", "inputs", "wanted"),
    [
        ("constants", [], np.full(16, 7, np.int32)),
        ("mapped_bytes", [], np.full(16, 9, np.int32)),
        ("staging", [5], 5),
        ("file", [], np.full(16, 5, np.int32)),
    ],
)
def test_what_the_host_writes_for_the_program_is_seen(
    function: str, inputs: list[Value], wanted: Value, passes: tuple[str, ...]
) -> None:
    program = load(HOST_DATA, passes=passes)
    judge(program, inputs, [wanted], function)


def test_data_of_the_program_gets_the_maintenance_of_an_import() -> None:
    """One invalidate before the first device read, and no flush: the host has flushed."""
    found = maintenance(load(HOST_DATA, passes=MAINTAIN).module)
    reads_constant = [("invalidate", "b"), ("flush", "b")]
    assert found[:4] == [*reads_constant, *reads_constant]
    assert found[4:6] == [("invalidate", "a"), ("flush", "a")]


@pytest.mark.parametrize("passes", [MAINTAIN, (*MAINTAIN, "zc-to-hal")])
def test_what_a_device_has_from_a_file_it_flushes_for_others(passes: tuple[str, ...]) -> None:
    text = HOST_DATA.read_text().replace(
        "stream.file.read on(#b) await(%t0)", "stream.file.read on(#a) await(%t0)"
    )
    module = parse_text(make_context(), text, "files.mlir")
    judge(load(module, passes=passes), [], [np.full(16, 5, np.int32)], "file")


def test_a_file_of_one_device_alone_gets_no_region() -> None:
    module = parse_text(make_context(), HOST_DATA.read_text(), "files.mlir")
    regions = [op for op in module.walk() if isinstance(op, stream.CmdExecuteOp)]
    run_passes(make_context(), module, MAINTAIN)
    assert [op for op in module.walk() if isinstance(op, stream.CmdExecuteOp)] == regions


@pytest.fixture(scope="module")
def partly(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The devices of `noncoherent.mlir`, of which device_a shares the host's cache."""
    text = (ROOT / "examples" / "topologies" / "noncoherent.mlir").read_text()
    incoherent = "(@device_a -> @device_a = {}, {host_coherent = false"
    assert incoherent in text
    path = tmp_path_factory.mktemp("topology") / "partly.mlir"
    path.write_text(text.replace(incoherent, incoherent.replace("false", "true")))
    return path


@pytest.mark.parametrize("name", ["alias", "chain", "fanout", "pingpong", "reduction"])
def test_a_device_in_the_hosts_domain_does_nothing_for_the_host(name: str, partly: Path) -> None:
    """The host writes back what such a device left in their cache before it drops its lines: the
    program holds no device's half of that handoff."""
    program = load(
        PROGRAMS / f"{name}.unified.flow.mlir", topology=partly, passes=("zc-to-stream",)
    )
    inputs = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.in*.npy"))]
    wanted = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.want*.npy"))]
    judge(program, inputs, wanted)
    if name != "chain":
        return
    # a -> b -> a, imported and exported on a: only the handoffs to and from b.
    assert maintenance(program.module) == [
        ("flush", "device_a"),
        ("invalidate", "device_b"),
        ("flush", "device_b"),
        ("invalidate", "device_a"),
    ]
