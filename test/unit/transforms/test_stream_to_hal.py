"""stream-to-hal on the interpreter: the same results before and after, with control flow."""

from pathlib import Path

import numpy as np
import pytest
from zcir.dialects.diagnostics import OpError
from zcir.runtime.errors import HalError
from zcir.runtime.load import RunResult, load

DATA = Path(__file__).parents[2] / "data"
PROGRAMS = DATA / "programs"
COUNT = np.arange(1, 17, dtype=np.int32)

CARRIED = {
    "loop": np.array([0, 2, 3, 1, 5, 6, 2, *range(8, 17)], dtype=np.int32),
    "branch": np.tile(COUNT[8:], 2),
    "globals": np.array([9, 9, 40, 41, 1, 1, *[7] * 10], dtype=np.int32),
}
"""What the functions of carried.mlir make of 1, 2, 3, …"""

COUNTED = ("copy_cmds", "copy_bytes", "fills", "dispatches", "flush_cmds", "invalidate_cmds")


def _counts(result: RunResult) -> list[int]:
    return [getattr(result.statistics.total, name) for name in COUNTED]


@pytest.mark.parametrize("schedule", ["fifo", "random:1", "adversarial:0", "adversarial:4"])
@pytest.mark.parametrize("function", CARRIED)
def test_what_control_flow_carries(function: str, schedule: str) -> None:
    for passes in ((), ("stream-to-hal",), ("zc-to-hal",)):
        program = load(DATA / "stream" / "carried.mlir", passes=passes)
        result = program.run(function, [COUNT], schedule=schedule, check=True)
        assert np.array_equal(result.results[0], CARRIED[function])
        assert result.check is not None
        assert not result.check.reports


@pytest.mark.parametrize("source", sorted(PROGRAMS.glob("*.stream.mlir")), ids=lambda p: p.name)
def test_programs_of_iree(source: Path) -> None:
    """IREE's stream phase with branches in one of them: equal numbers, commands and bytes."""
    inputs = [
        np.load(path) for path in sorted(PROGRAMS.glob(f"{source.name.split('.')[0]}.in?.npy"))
    ]
    before = load(source, memory="coherent").run(inputs=inputs)
    after = load(source, memory="coherent", passes=("stream-to-hal",)).run(inputs=inputs)
    for one, other in zip(before.results, after.results, strict=True):
        assert np.array_equal(one, other)
    assert _counts(before) == _counts(after)


_RECORDER = """
#a = #hal.device.affinity<@a>
module {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  stream.cmd.func private @record(%arg0[%arg1 for %arg2]: !stream.resource<*>)
  util.func public @f() {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %text = util.string.format "plain"() : () -> !util.buffer
    %r = stream.resource.alloc uninitialized on(#a) : !stream.resource<variable>{%c64}
    %0 = stream.cmd.execute on(#a) with(%r as %x: !stream.resource<variable>{%c64}) {
      stream.cmd.call @record(rw %x[%c0 for %c64]) : (!stream.resource<variable>{%c64}) -> ()
    } => !stream.timepoint
    util.return
  }
}
"""


@pytest.mark.parametrize(
    ("removed", "message"),
    [
        ("@nothing", "'util.string.format' op is not supported in host programs"),
        ("%text =", "@record has no body to call"),
    ],
)
def test_what_cannot_be_executed_is_named(removed: str, message: str, tmp_path: Path) -> None:
    text = "\n".join(line for line in _RECORDER.splitlines() if removed not in line)
    source = tmp_path / "f.mlir"
    source.write_text(text)
    with pytest.raises((OpError, HalError)) as raised:
        load(source, passes=("stream-to-hal",)).run()
    assert message in raised.value.message
