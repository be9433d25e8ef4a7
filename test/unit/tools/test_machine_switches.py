"""The machine's properties are independent switches of zc-run and zc-check.

Line size, write-back, coherence, host coherence, eviction and prefetch: each by itself makes a
program right or wrong that is the other without it.
"""

from pathlib import Path

import numpy as np
import pytest
from zcir.dialects.topology import Topology, WriteBack
from zcir.runtime.element_types import InputError
from zcir.runtime.load import load
from zcir.runtime.switches import Switches, switched
from zcir.tools import zc_check, zc_run
from zcir.tools.driver import tool_main

DATA = Path(__file__).resolve().parents[2] / "data"
HANDOFF = DATA / "hal" / "handoff.mlir"
X = np.arange(16, dtype=np.float32)

Capture = pytest.CaptureFixture[str]


def without(text: str, target: Path) -> Path:
    """The hand-over without its lines that hold `text`."""
    lines = HANDOFF.read_text().split("\n")
    target.write_text("\n".join(line for line in lines if text not in line))
    return target


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        ([], 1),
        (["--coherence=on"], 1),  # the host's write is still not seen
        (["--host-coherence=on"], 0),
        (["--host-coherence=off"], 1),
        (["--host-coherence=on", "--coherence=on"], 0),
        (["--memory=coherent", "--host-coherence=off", "--coherence=off"], 1),
    ],
)
def test_coherence_makes_maintenance_needless(flags: list[str], code: int, tmp_path: Path) -> None:
    file = str(without("_buffer<%cmd", tmp_path / "t.mlir"))
    assert zc_check.run([file, *flags]) == code


@pytest.mark.parametrize(
    ("lacks", "flags", "code"),
    [
        ("invalidate_buffer", [], 1),
        ("invalidate_buffer", ["--eviction=off"], 1),
        ("invalidate_buffer", ["--prefetch=off"], 0),
        ("flush_buffer", ["--prefetch=off", "--eviction=off"], 1),
        ("no such line", [], 0),
    ],
)
def test_the_explorer_moves_lines_only_where_it_may(
    lacks: str, flags: list[str], code: int, tmp_path: Path, capsys: Capture
) -> None:
    file = str(without(lacks, tmp_path / "t.mlir"))
    assert zc_check.run([file, "--explore", *flags]) == code
    ending = "all read every value right" if code == 0 else "some read a wrong value"
    assert capsys.readouterr().out.endswith(f": {ending}\n")


def test_an_adversarial_schedule_moves_lines_only_where_it_may(tmp_path: Path) -> None:
    file = without("invalidate_buffer", tmp_path / "t.mlir")
    wrong = {
        prefetch: sum(
            not np.array_equal(
                load(file, switches=Switches(prefetch=prefetch))
                .run(inputs=[X], schedule=f"adversarial:{seed}")
                .results[0],
                2 * X + 1,
            )
            for seed in range(12)
        )
        for prefetch in (True, False)
    }
    assert wrong[True] > 0
    assert wrong[False] == 0


def test_line_size_counts_in_what_is_flushed(capsys: Capture) -> None:
    sizes: dict[int, str] = {}
    for line in (32, 64, 256):
        args = [str(HANDOFF), "--input=16xf32=1", "--output=", "--stats", f"--cache-line={line}"]
        assert zc_run.run(args) == 0
        rows = capsys.readouterr().out.splitlines()
        sizes[line] = next(row for row in rows if row.startswith("flush_bytes")).split()[-1]
    assert sizes == {32: "192", 64: "192", 256: "768"}


def test_each_switch_changes_one_thing() -> None:
    topology = load(HANDOFF).topology
    assert switched(topology, Switches()) == topology
    line = switched(topology, Switches(cache_line=256))
    assert {line.cache_line(agent) for agent in line.agents} == {256}
    assert _write_backs(line) == {WriteBack.BYTES}
    whole = switched(topology, Switches(write_back=WriteBack.LINE))
    assert _write_backs(whole) == {WriteBack.LINE}
    assert whole.cache_line("host") == 64
    together = switched(topology, Switches(coherence=True))
    assert [domain.agents for domain in together.domains()] == [("host",), ("a", "b")]
    assert together.pools() == topology.pools()
    hosted = switched(topology, Switches(host_coherence=True))
    assert [domain.agents for domain in hosted.domains()] == [("host", "a", "b")]


def _write_backs(topology: Topology) -> set[WriteBack]:
    return {domain.write_back for domain in topology.domains()}


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--cache-line=96"], "expected a power of two in 1..4096 (bytes) for the cache line, got"),
        (
            ["--coherence=off", "--host-coherence=on"],
            "the switches of the machine do not go together: link (@a -> @b) says coherent = false",
        ),
        (["--write-back=words"], "--write-back: invalid choice: 'words'"),
        (["--eviction=no"], "--eviction: invalid choice: 'no'"),
    ],
)
def test_switches_that_no_machine_has(flags: list[str], message: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as stop:
        tool_main(zc_check.run)([str(HANDOFF), *flags])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_what_a_program_assumes_is_compared_before_the_switches() -> None:
    assert load(HANDOFF, switches=Switches(cache_line=256)).topology.cache_line("a") == 256
    with pytest.raises(InputError, match="module assumes"):
        load(HANDOFF, memory="discrete", switches=Switches(coherence=True))
