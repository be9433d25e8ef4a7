"""Functions that take fences return without waiting for devices; what others need is told."""

from pathlib import Path

import numpy as np
import pytest
from zcir.runtime.hal.semaphore import Fence
from zcir.runtime.load import Program, load

LINK = "unified_memory = true, transparent_access = true"
LINKS = f"(@a -> @b = {{{LINK}}}), (@b -> @a = {{{LINK}}})"
DEVICES = "\n".join(
    f'util.global private @{name} = #hal.device.target<"local", {{ordinal = {number} : index}}, '
    '[#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device'
    for number, name in enumerate("ab")
)
A, B = "#hal.device.affinity<@a>", "#hal.device.affinity<@b>"
SIGNATURE = "(%v: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view"
IMPORT = f"%x = hal.tensor.import on({A}) wait(%wait) => %v : !hal.buffer_view -> tensor<16xi32>"
END = f"""
%done = hal.tensor.barrier join(%out : tensor<16xi32>) => %signal : !hal.fence
%r = hal.tensor.export on({A}) %done : tensor<16xi32> -> !hal.buffer_view
util.return %r : !hal.buffer_view"""


def fill(result: str, source: str, device: str, value: int, at: int) -> str:
    """%result is %source, with four elements from `at` on replaced by `value`, on a device."""
    return f"""
%k{result} = arith.constant {value} : i32
%at{result} = arith.constant {at} : index
%s{result} = flow.tensor.splat %k{result} : tensor<4xi32>
%x{result} = flow.tensor.transfer %{source} : tensor<16xi32> to {device}
%{result} = flow.tensor.update %s{result}, %x{result}[%at{result}]
  : tensor<4xi32> -> %x{result} as tensor<16xi32>"""


HAND_OVER = IMPORT + fill("1", "x", A, 7, 0) + fill("2", "1", B, 8, 4) + fill("out", "2", A, 9, 8)
# The sum of what it was called with so far, as far as four elements go: kept from call to call.
STATE = (
    "%old = util.global.load @state : tensor<16xi32>\n"
    + IMPORT
    + """
%c4 = arith.constant 4 : index
%c0 = arith.constant 0 : index
%part = flow.tensor.slice %x[%c0 for %c4] : tensor<16xi32> -> tensor<4xi32>
%out = flow.tensor.update %part, %old[%c4] : tensor<4xi32> -> %old as tensor<16xi32>
util.global.store %out, @state : tensor<16xi32>"""
)


def program(tmp_path: Path, body: str, *passes: str, globals: str = "") -> Program:
    path = tmp_path / "asynchronous.flow.mlir"
    path.write_text(f"""module attributes {{stream.affinity.default = {A}, stream.topology =
#hal.device.topology<links = [{LINKS}]>}} {{
{DEVICES}
{globals}
util.func public @f{SIGNATURE} attributes {{iree.abi.model = "coarse-fences"}} {{
{body}{END}
}}
}}""")
    return load(path, passes=passes)


@pytest.mark.parametrize("passes", [("zc-to-stream",), ("zc-pipeline",)])
@pytest.mark.parametrize("schedule", ["fifo", "random:3", "adversarial:0"])
def test_the_host_waits_for_nothing(tmp_path: Path, passes: tuple[str, ...], schedule: str) -> None:
    session = program(tmp_path, HAND_OVER, *passes).session(record=True, schedule=schedule)
    host = session.system.statistics["host"]
    gate = Fence.create("gate")
    values = np.arange(16, dtype=np.int32), np.arange(100, 116, dtype=np.int32)
    # Both calls return, though the first one's work cannot even begin.
    first = session.submit("f", [values[0]], wait=gate)
    second = session.submit("f", [values[1]], wait=first.signal)
    assert host.host_blocks == 0
    assert not second.signal.settled
    session.system.host.signal(gate)
    for call, value in ((second, values[1]), (first, values[0])):
        want = value.copy()
        want[:12] = np.repeat([7, 8, 9], 4)
        np.testing.assert_array_equal(call.results()[0], want)
    assert session.check().reports == ()
    assert session.system.statistics.total.copy_cmds == 2


def test_state_between_calls_is_waited_for(tmp_path: Path) -> None:
    """The second call reads and updates in place what the first one writes."""
    globals = "util.global private mutable @state = dense<1> : tensor<16xi32>"
    session = program(tmp_path, STATE, "zc-pipeline", globals=globals).session(
        record=True, schedule="adversarial:1"
    )
    values = np.arange(16, dtype=np.int32), np.arange(100, 116, dtype=np.int32)
    calls = [session.submit("f", [value]) for value in values]
    assert session.system.statistics["host"].host_blocks > 0
    for call, value in zip(calls, values, strict=True):
        np.testing.assert_array_equal(call.results()[0], [1] * 4 + list(value[:4]) + [1] * 8)
    assert session.check().reports == ()
