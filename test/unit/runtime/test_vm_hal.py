"""Hal-level host programs on the host VM: hand-over, recording, replay, slots."""

# IR is easier to read in one line for each op.
# ruff: noqa: E501

import numpy as np
import pytest
from vm_hal_world import HANDOFF, UNIFIED, line_of, program, run
from zcir.dialects.diagnostics import OpError
from zcir.runtime.checker.report import Rule
from zcir.runtime.errors import HalError, StatusCode

INPUT = np.arange(16, dtype=np.float32)

# Hand-over -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "schedule", ["fifo", *(f"{k}:{s}" for k in ("random", "adversarial") for s in range(4))]
)
def test_maintained_hand_over_is_right_under_every_schedule(schedule: str) -> None:
    # IR-15, IR-63: no stream dialect in it.
    result = run(HANDOFF, INPUT, schedule=schedule)
    np.testing.assert_array_equal(result.results[0], 2 * INPUT + 1)
    assert result.check is not None
    assert not result.check.reports
    total = result.statistics.total
    assert (total.flush_cmds, total.invalidate_cmds, total.copy_cmds) == (3, 3, 0)


@pytest.mark.parametrize(
    ("dropped", "read"),
    [
        ("flush_buffer<%cmd", "bindings([(%mid"),
        ("invalidate_buffer<%consume", "bindings([(%mid"),
        ("flush_buffer<%consume", "util.return %view"),
    ],
)
def test_missing_maintenance_is_named_at_the_read(dropped: str, read: str) -> None:
    text = "\n".join(line for line in HANDOFF.splitlines() if dropped not in line)
    result = run(text, INPUT)
    assert result.check is not None
    (report,) = result.check.reports
    assert report.rule is Rule.STALE
    if "return" not in read:
        assert report.at.location.startswith(line_of(text, read))


def test_input_is_borrowed_unless_consumed() -> None:
    body = """
    %in = hal.buffer_view.buffer<%arg0 : !hal.buffer_view> : !hal.buffer CONSUME
    %done = FENCE
    hal.device.queue.fill ON_A wait(%null) signal(%done) target(%in : !hal.buffer)[%c0] length(%c64) pattern(%one : i32) flags(None)
    %status = hal.fence.await until([%done]) UNTIL
    util.return %status : i32"""
    values = np.zeros(16, np.int32)
    assert_view = 'hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("x") shape([%c16]) type(%i32) encoding(%dense)'
    for consume, rules in (("", [Rule.BORROWED]), ("attributes {consume}", [])):
        text = program(assert_view + body.replace("CONSUME", consume), type="!hal.buffer_view")
        result = run(text, values)
        assert result.check is not None
        assert [
            report.rule for report in result.check.reports if report.rule is Rule.BORROWED
        ] == rules


# Recording and replay ------------------------------------------------------------------------

RECORD = """
    %cmds = hal.device.memoize<%a : !hal.device> affinity(%queues) -> !hal.command_buffer {
      %cmd = CREATE bindings(%c1) : !hal.command_buffer
      hal.command_buffer.fill_buffer ON_CMD target(%c0 : index)[%c0, %c64] pattern(%one : i32) flags(None)
      BARRIER
      hal.command_buffer.flush_buffer ON_CMD target(%c0 : index)[%c0, %c64] flags(None)
      BARRIER
      hal.command_buffer.invalidate_buffer ON_CMD target(%c0 : index)[%c0, %c64] flags(None)
      FINALIZE
      hal.return %cmd : !hal.command_buffer
    }"""

ALLOCATE = """
    %ready = FENCE
    %p = hal.device.queue.alloca ON_A wait(%null) signal(%ready) MEMORY{%c64}
    %ready2 = FENCE
    %q = hal.device.queue.alloca ON_A wait(%ready) signal(%ready2) MEMORY{%c64}"""


def test_recording_maintains_nothing() -> None:
    # IR-33
    result = run(program(RECORD + "\n    util.return %one : i32"), 0)
    total = result.statistics.total
    assert (total.recordings, total.submits, total.dispatches) == (1, 0, 0)
    assert (total.flush_cmds, total.invalidate_cmds) == (0, 0)
    assert len(result.graph.events) == 0


def test_memoized_commands_are_recorded_once_and_follow_the_table() -> None:
    # IR-33: three submissions maintain three times; IR-57: on what the table binds each time.
    body = (
        ALLOCATE
        + """
    %last, %x, %y = scf.for %i = %c0 to %arg0 step %c1 iter_args(%after = %ready2, %now = %p, %then = %q) -> (!hal.fence, !hal.buffer, !hal.buffer) {
"""
        + RECORD
        + """
      %done = FENCE
      hal.device.queue.execute.indirect ON_A wait(%after) signal(%done) commands(%cmds) bindings([(%now : !hal.buffer)[%c0, %c64]]) flags(None)
      scf.yield %done, %then, %now : !hal.fence, !hal.buffer, !hal.buffer
    }
    %status = hal.fence.await until([%last]) UNTIL
    util.return %status : i32"""
    )
    text = program(body)
    result = run(text, 3)
    assert result.check is not None
    assert not result.check.reports
    assert result.results == [0]
    total = result.statistics.total
    assert (total.recordings, total.flush_cmds, total.invalidate_cmds) == (1, 3, 3)
    p, q = (buffer.span for buffer in result.graph.buffers)
    flushed = [event.target[0] for event in result.graph.events if event.kind == "flush"]
    assert flushed == [p, q, p]


def test_captured_values_tell_memoized_results_apart() -> None:
    body = (
        ALLOCATE
        + """
    %last = scf.for %i = %c0 to %arg0 step %c1 iter_args(%after = %ready2) -> (!hal.fence) {
      %at = arith.muli %i, %c4 : index
      %cmds = hal.device.memoize<%a : !hal.device> affinity(%queues) -> !hal.command_buffer {
        %cmd = CREATE bindings(%c1) : !hal.command_buffer
        hal.command_buffer.fill_buffer ON_CMD target(%c0 : index)[%at, %c4] pattern(%one : i32) flags(None)
        FINALIZE
        hal.return %cmd : !hal.command_buffer
      }
      %done = FENCE
      hal.device.queue.execute.indirect ON_A wait(%after) signal(%done) commands(%cmds) bindings([(%p : !hal.buffer)[%c0, %c64]]) flags(None)
      scf.yield %done : !hal.fence
    }
    %status = hal.fence.await until([%last]) UNTIL
    util.return %status : i32"""
    )
    result = run(program(body), 3)
    writes = [e.writes[0].start for e in result.graph.events if e.label.endswith("fill_buffer")]
    assert [start - writes[0] for start in writes] == [0, 4, 8]
    assert result.statistics.total.recordings == 3


# Slots and ranges ----------------------------------------------------------------------------


def refused(body: str, argument: int, code: StatusCode, message: str, place: str) -> None:
    """The program is refused with that error, at the first line that has `place`."""
    text = program(body + "\n    util.return %one : i32")
    with pytest.raises(HalError) as caught:
        run(text, argument)
    assert caught.value.code is code
    assert message in caught.value.message
    assert caught.value.location.startswith(line_of(text, place))


def test_slot_out_of_capacity_is_refused_while_recording() -> None:
    # IR-19
    body = """
    %cmd = CREATE bindings(%c2) : !hal.command_buffer
    hal.command_buffer.flush_buffer ON_CMD target(%arg0 : index)[%c0, %c64] flags(None)"""
    message = (
        "indirect buffer reference slot 3 is out range of the declared binding capacity of the "
        "command buffer 2"
    )
    refused(body, 3, StatusCode.OUT_OF_RANGE, message, "flush_buffer")


def test_range_beyond_a_direct_buffer_is_refused_while_recording() -> None:
    # IR-19
    body = """
    %ready = FENCE
    %p = hal.device.queue.alloca ON_A wait(%null) signal(%ready) MEMORY{%c256}
    %cmd = CREATE : !hal.command_buffer
    hal.command_buffer.flush_buffer ON_CMD target(%p : !hal.buffer)[%c0, %arg0] flags(None)"""
    message = "attempted to access an address outside of the valid buffer range"
    refused(body, 257, StatusCode.OUT_OF_RANGE, message, "flush_buffer")


def test_range_beyond_a_bound_buffer_is_refused_when_submitted() -> None:
    # IR-19: the binding has fewer bytes than the command names.
    body = (
        ALLOCATE
        + RECORD
        + """
    %done = FENCE
    hal.device.queue.execute.indirect ON_A wait(%ready) signal(%done) commands(%cmds) bindings([(%p : !hal.buffer)[%c0, %arg0]]) flags(None)"""
    )
    message = (
        "at least one command attempted to access an address outside of the valid bound buffer "
        "range"
    )
    refused(body, 63, StatusCode.OUT_OF_RANGE, message, "fill_buffer")


def test_empty_slot_is_refused_when_submitted() -> None:
    # IR-57, GE-26
    body = (
        ALLOCATE
        + RECORD
        + """
    %done = FENCE
    %none = util.null : !hal.buffer
    hal.device.queue.execute.indirect ON_A wait(%ready) signal(%done) commands(%cmds) bindings([(%none : !hal.buffer)[%c0, %arg0]]) flags(None)"""
    )
    message = "binding table slot requires a buffer but none was provided"
    refused(body, 64, StatusCode.INVALID_ARGUMENT, message, "fill_buffer")


def test_commands_after_the_end_are_refused() -> None:
    # IR-15
    body = """
    %cmd = CREATE bindings(%c1) : !hal.command_buffer
    FINALIZE
    hal.command_buffer.discard_buffer ON_CMD target(%c0 : index)[%c0, %c64] flags(None)"""
    message = "command buffer is not in a recording state"
    refused(body, 0, StatusCode.FAILED_PRECONDITION, message, "discard_buffer")


def test_maintenance_of_no_bytes_asks_nothing_of_its_buffer() -> None:
    # IR-20
    body = """
    %none = util.null : !hal.buffer
    %cmd = CREATE : !hal.command_buffer
    hal.command_buffer.flush_buffer ON_CMD target(%none : !hal.buffer)[%c0, %arg0] flags(None)
    hal.command_buffer.invalidate_buffer ON_CMD target(%none : !hal.buffer)[%c0, %arg0] flags(None)
    FINALIZE
    %done = FENCE
    hal.device.queue.execute ON_A wait(%null) signal(%done) commands(%cmd) flags(None)
    %status = hal.fence.await until([%done]) UNTIL
    util.return %status : i32"""
    result = run(program(body), 0)
    assert result.results == [0]
    assert (result.statistics.total.flush_cmds, result.statistics.total.invalidate_cmds) == (0, 0)


# Memory of several devices ---------------------------------------------------------------------

SELECT = """
    %owner, %mask = hal.allocator.select from([(%a, %queues : !hal.device, i64), (%b, %queues : !hal.device, i64)]) type(%types) usage(%usage) : !hal.device, i64
    %ready = hal.fence.create device(%owner : !hal.device) flags(None) : !hal.fence
    %p = hal.device.queue.alloca<%owner : !hal.device> affinity(%mask) wait(%null) signal(%ready) MEMORY{%c64}
    util.return %one : i32"""


def test_memory_comes_from_the_first_pool_that_serves_all() -> None:
    # IR-26: a reaches b's pool in place, b does not reach a's.
    one_way = (
        "stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>"
    )
    result = run(program(SELECT, topology=one_way), 0)
    assert [buffer.pool for buffer in result.graph.buffers] == ["b"]
    assert [buffer.pool for buffer in run(program(SELECT), 0).graph.buffers] == ["a"]


@pytest.mark.parametrize(
    "body",
    [
        SELECT,
        """
    %t, %u = hal.allocator.resolve_memory_properties for(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) lifetime(transient) : i32, i32
    util.return %one : i32""",
    ],
)
def test_memory_that_no_pool_serves_cannot_be_resolved(body: str) -> None:
    # IR-26
    text = program(body, topology="zc.host = {cache_line = 64 : i64}")
    with pytest.raises(OpError, match=r"cannot resolve memory properties for \[@a, @b\]") as caught:
        run(text, 0)
    assert caught.value.location.startswith(line_of(text, "hal.allocator"))
    assert UNIFIED not in text
