"""B34: a cache that refuses to maintain part of a line stops the run before old bytes are read."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from zcir.runtime.errors import HalError, StatusCode
from zcir.runtime.load import load
from zcir.tools import zc_check, zc_run
from zcir.tools.driver import tool_main

PROGRAM = """\
module attributes {stream.topology = #hal.device.topology<links = [
    (@cpu -> @npu = {unified_memory = true, transparent_access = true}),
    (@npu -> @cpu = {unified_memory = true, transparent_access = true}),
    (@cpu -> @cpu = {}, {cache_line = 128 : i64, whole_line_maintenance = STRICT}),
    (@npu -> @npu = {}, {cache_line = 128 : i64})]>} {
  util.global private @cpu = #hal.device.target<"local", {ordinal = 0 : index}> : !hal.device
  util.global private @npu = #hal.device.target<"local", {ordinal = 1 : index}> : !hal.device
  util.func public @f() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c48 = arith.constant COUNT : index
    %start = arith.constant START : index
    %size = arith.constant SIZE : index
    %all = arith.constant 384 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %type = arith.constant 51 : i32
    %usage = arith.constant 50331651 : i32
    %limit = arith.constant LIMIT : i32
    %nine = arith.constant 9 : i32
    %now = util.null : !hal.fence
    %cpu = util.global.load @cpu : !hal.device
    %npu = util.global.load @npu : !hal.device
    %made = hal.fence.create device(%cpu : !hal.device) flags("None") : !hal.fence
    %x = hal.device.queue.alloca<%cpu : !hal.device> affinity(%any) wait(%now) signal(%made) \
pool(%pool) type(%type) usage(%usage) flags("None") : !hal.buffer{%all}
    %part = hal.buffer.subspan<%x : !hal.buffer>[%start, %size] : !hal.buffer
    %cmd = hal.command_buffer.create device(%cpu : !hal.device) mode("None") \
categories("Transfer|Dispatch") affinity(%any) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%x : !hal.buffer)[%c0, %all] \
pattern(%nine : i32) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source(Transfer) \
target(Transfer) flags("None")
    hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer> target(%part : !hal.buffer)\
[%c0, %size] flags("None")
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    %flushed = hal.fence.create device(%cpu : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute<%cpu : !hal.device> affinity(%any) wait(%made) signal(%flushed) \
commands(%cmd) flags("None")
    %status = hal.fence.await until([%flushed]) timeout_millis(%limit) flags("None") : i32
    util.status.check_ok %status, "failed to hand over"
    %i32 = hal.element_type<i32> : i32
    %dense = hal.encoding_type<dense_row_major> : i32
    %view = hal.buffer_view.create buffer(%part : !hal.buffer)[%c0, %size] shape([%c48]) \
type(%i32) encoding(%dense) : !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}
"""
MESSAGE = (
    "cannot flush bytes [64,256) of %x: the cache maintains whole lines of 128 bytes only; "
    "align the buffer and its range"
)


def program(target: Path, *, strict: str = "true", start: int = 64, size: int = 192) -> Path:
    text = PROGRAM.replace("STRICT", strict).replace("START", str(start))
    target.write_text(
        text.replace("SIZE", str(size)).replace("COUNT", str(size // 4)).replace("LIMIT", "-1")
    )
    return target


def test_the_run_stops_at_the_refused_flush(tmp_path: Path) -> None:
    for checked in (False, True):
        with pytest.raises(HalError) as stopped:
            load(program(tmp_path / "t.mlir")).run(check=checked)
        assert stopped.value.code is StatusCode.INVALID_ARGUMENT
        assert stopped.value.code is not StatusCode.DEADLINE_EXCEEDED
        assert MESSAGE in stopped.value.message
        assert stopped.value.location.endswith("t.mlir:29:5")


@pytest.mark.parametrize("tool", [zc_run.run, zc_check.run])
def test_the_tools_say_so_and_give_no_result(
    tool: Callable[[Sequence[str] | None], int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        tool_main(tool)([str(program(tmp_path / "t.mlir"))])
    out, err = capsys.readouterr()
    assert (stop.value.code, out) == (2, "")
    assert MESSAGE in err


@pytest.mark.parametrize(
    ("strict", "start", "size"), [("true", 128, 256), ("false", 64, 192)], ids=["lines", "any"]
)
def test_whole_lines_and_other_caches_are_served(
    strict: str, start: int, size: int, tmp_path: Path
) -> None:
    text = program(tmp_path / "t.mlir", strict=strict, start=start, size=size)
    run = load(text).run(check=True)
    assert np.asarray(run.results[0]).ravel().tolist() == [9] * (size // 4)
    assert run.check is not None
    assert not run.check.reports
