"""Hal-level host programs on the host VM: devices, fences, host memory, scalars, errors."""

# IR is easier to read in one line for each op.
# ruff: noqa: E501

import numpy as np
import pytest
from vm_hal_world import line_of, program, run
from zcir.dialects.diagnostics import OpError
from zcir.runtime.checker import Rule
from zcir.runtime.errors import HalError, StatusCode

ALLOCATE = """
    %ready = FENCE
    %p = hal.device.queue.alloca ON_A wait(%null) signal(%ready) MEMORY{%c64}"""

VIEW = """
    %status = hal.fence.await until([%done]) UNTIL
    util.status.check_ok %status
    %view = hal.buffer_view.create buffer(%p : !hal.buffer)[%c0, %c64] shape([%c16]) type(%i32) encoding(%dense) : !hal.buffer_view
    util.return %view : !hal.buffer_view"""

# Transfers of the host's bytes -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("ops", "expected"),
    [
        (
            "hal.device.queue.fill ON_A wait(%ready) signal(%done) target(%p : !hal.buffer)[%c0] length(%c64) pattern(%one : i32) flags(None)",
            [1] * 16,
        ),
        (
            """%m = FENCE
    hal.device.queue.fill ON_A wait(%ready) signal(%m) target(%p : !hal.buffer)[%c0] length(%c64) pattern(%one : i32) flags(None)
    %bytes = util.buffer.constant : !util.buffer = dense<[7, 8, 9]> : tensor<3xi32>
    hal.device.queue.update ON_A wait(%m) signal(%done) source(%bytes : !util.buffer)[%c4] target(%p : !hal.buffer)[%c4] length(%c4) flags(None)""",
            [1, 8, *[1] * 14],
        ),
        (
            """%m = FENCE
    %bytes = util.buffer.constant : !util.buffer = dense<5> : tensor<16xi32>
    %size = util.buffer.size %bytes : !util.buffer
    %t, %lent = hal.allocator.import<%allocator : !hal.allocator> source(%bytes : !util.buffer)[%c0, %size] affinity(%queues) type(%types) usage(%usage) : i1, !hal.buffer
    hal.device.queue.copy ON_A wait(%ready) signal(%done) source(%lent : !hal.buffer)[%c0] target(%p : !hal.buffer)[%c0] length(%c64) flags(None)""",
            [5] * 16,
        ),
        (
            """%bytes = util.buffer.constant : !util.buffer = dense<[3, 4]> : tensor<2xi32>
    %size = util.buffer.size %bytes : !util.buffer
    %cmd = CREATE : !hal.command_buffer
    hal.command_buffer.fill_buffer ON_CMD target(%p : !hal.buffer)[%c0, %c64] pattern(%one : i32) flags(None)
    BARRIER
    hal.command_buffer.update_buffer ON_CMD source(%bytes : !util.buffer{%size})[%c0] target(%p : !hal.buffer)[%c4] length(%size) flags(None)
    FINALIZE
    hal.device.queue.execute ON_A wait(%ready) signal(%done) commands(%cmd) flags(None)""",
            [1, 3, 4, *[1] * 13],
        ),
        (
            """%first = hal.fence.await until([%ready]) UNTIL
    %half = hal.buffer.subspan<%p : !hal.buffer>[%c0, %c16] : !hal.buffer
    %length = hal.buffer.length<%half : !hal.buffer> : index
    hal.device.queue.fill ON_A wait(%null) signal(%done) target(%p : !hal.buffer)[%c0] length(%c64) pattern(%one : i32) flags(None)
    %filled = hal.fence.await until([%done]) UNTIL
    %element = hal.buffer.load<%half : !hal.buffer>[%c4] : i32
    %sum = arith.addi %element, %element : i32
    hal.buffer.store<%p : !hal.buffer>[%length] value(%sum : i32)""",
            [1, 1, 1, 1, 2, *[1] * 11],
        ),
    ],
    ids=["fill", "update", "import", "update-command", "mapped"],
)
def test_bytes_of_the_host_reach_the_buffer(ops: str, expected: list[int]) -> None:
    body = (
        ALLOCATE
        + f"""
    %allocator = hal.device.allocator<%a : !hal.device> : !hal.allocator
    %done = FENCE
    {ops}"""
        + VIEW
    )
    coherent = "stream.topology = #hal.device.topology<links = [(@a -> @a = {}, {host_coherent = true}), (@b -> @b = {}, {host_coherent = true})]>"
    result = run(program(body, result="!hal.buffer_view", topology=coherent), 0)
    np.testing.assert_array_equal(result.results[0], expected)
    assert result.check is not None
    assert not result.check.reports


def test_memory_allocated_at_once_and_owned_by_several() -> None:
    body = """
    %allocator = hal.device.resolve on(#hal.device.affinity<@a>) : !hal.allocator
    %p = hal.allocator.allocate<%allocator : !hal.allocator> affinity(%queues) type(%types) usage(%usage) : !hal.buffer{%c64}
    hal.buffer.assert<%p : !hal.buffer> message("p") allocator(%allocator : !hal.allocator) minimum_length(%c64) type(DeviceVisible) usage(Transfer)
    hal.buffer.allocation.preserve<%p : !hal.buffer>
    %before = hal.buffer.allocation.is_terminal<%p : !hal.buffer> : i1
    %first = hal.buffer.allocation.discard<%p : !hal.buffer> : i1
    %after = hal.buffer.allocation.is_terminal<%p : !hal.buffer> : i1
    %second = hal.buffer.allocation.discard<%p : !hal.buffer> : i1
    util.return %before, %first, %after, %second : i1, i1, i1, i1"""
    result = run(program(body, result="(i1, i1, i1, i1)"), 0)
    assert [bool(value) for value in result.results] == [False, False, True, True]
    assert result.statistics.total.allocs == 1


# Devices -----------------------------------------------------------------------------------------


def test_devices_are_counted_named_and_asked() -> None:
    body = """
    %count = hal.devices.count : index
    %second = hal.devices.get %c1 : !hal.device
    %none = hal.devices.get %c2 : !hal.device
    %null_device = util.null : !hal.device
    %same = util.cmp.eq %second, %b : !hal.device
    %missing = util.cmp.eq %none, %null_device : !hal.device
    %ok, %is_b = hal.device.query<%b : !hal.device> key("hal.device.id" :: "b*") : i1, i1 = false
    %ok2, %is_a = hal.device.query<%b : !hal.device> key("hal.device.id" :: "a") : i1, i1 = false
    %known, %cores = hal.device.query<%b : !hal.device> key("hal.device" :: "concurrency") : i1, i32 = 6 : i32
    util.return %count, %same, %missing, %is_b, %is_a, %known, %cores : index, i1, i1, i1, i1, i1, i32"""
    result = run(program(body, result="(index, i1, i1, i1, i1, i1, i32)"), 0)
    values: list[int] = np.abs(np.array(result.results, np.int64)).tolist()
    assert values == [2, 1, 1, 1, 0, 0, 6]


# Fences ------------------------------------------------------------------------------------------


def test_host_signals_what_a_device_waits_for() -> None:
    body = """
    %go = FENCE
    %done = FENCE
    hal.device.queue.barrier ON_A wait(%go) signal(%done) flags(None)
    hal.device.queue.flush ON_A
    %before = hal.fence.query<%done : !hal.fence> : i32
    hal.fence.signal<%go : !hal.fence>
    %status = hal.fence.await until([%done]) UNTIL
    %after = hal.fence.query<%done : !hal.fence> : i32
    util.return %before, %status, %after : i32, i32, i32"""
    result = run(program(body, result="(i32, i32, i32)"), 0)
    assert result.results == [17, 0, 0]


def test_failure_reaches_the_one_who_waits() -> None:
    body = """
    %go = FENCE
    %done = FENCE
    hal.device.queue.barrier ON_A wait(%go) signal(%done) flags(None)
    %code = arith.constant 10 : i32
    hal.fence.fail<%go : !hal.fence> status(%code)
    %status = hal.fence.await until([%done]) UNTIL
    util.status.check_ok %status, "failed to wait"
    util.return %status : i32"""
    text = program(body)
    with pytest.raises(
        HalError, match="failed to wait: the host program failed the fence"
    ) as caught:
        run(text, 0)
    assert caught.value.code is StatusCode.ABORTED
    assert caught.value.location.startswith(line_of(text, "hal.fence.fail"))


def test_wait_for_what_nothing_signals_has_a_status() -> None:
    body = """
    %go = FENCE
    %status = hal.fence.await until([%go]) UNTIL
    util.status.check_ok %status, "failed to wait"
    util.return %status : i32"""
    text = program(body)
    with pytest.raises(HalError, match="failed to wait: ") as caught:
        run(text, 0, check=False)
    assert caught.value.code is StatusCode.DEADLINE_EXCEEDED
    assert caught.value.location.startswith(line_of(text, "hal.fence.await"))
    # The checker reports it instead.
    verdict = run(text, 0).check
    assert verdict is not None
    (report,) = verdict.reports
    assert (report.rule, report.at.agent) == (Rule.DEADLOCK, "host")
    assert report.at.location.startswith(line_of(text, "hal.fence.await"))


# Scalars -----------------------------------------------------------------------------------------


def test_sizes_are_split_into_words_and_joined() -> None:
    body = """
    %shift = arith.constant 32 : i64
    %x = arith.index_castui %arg0 : index to i64
    %low = arith.trunci %x : i64 to i32
    %y = arith.shrui %x, %shift : i64
    %high = arith.trunci %y : i64 to i32
    %l = arith.extui %low : i32 to i64
    %h = arith.extui %high : i32 to i64
    %m = arith.shli %h, %shift : i64
    %joined = arith.ori %m, %l : i64
    %aligned = util.align %arg0, %c64 : index
    %blocks = arith.ceildivui %arg0, %c64 : index
    %rest = arith.remui %arg0, %c64 : index
    %f = arith.constant 1.0 : f32
    %bits = arith.bitcast %f : f32 to i32
    util.return %joined, %aligned, %blocks, %rest, %bits : i64, index, index, index, i32"""
    size = (3 << 32) + 0x8000_0001
    result = run(program(body, result="(i64, index, index, index, i32)"), size)
    blocks = size // 64 + 1
    assert result.results == [size, blocks * 64, blocks, 1, 0x3F80_0000]


def test_division_by_zero_is_an_error() -> None:
    text = program("    %q = arith.divui %c4, %arg0 : index\n    util.return %one : i32")
    with pytest.raises(OpError, match="divides 4 by zero") as caught:
        run(text, 0)
    assert caught.value.location.startswith(line_of(text, "arith.divui"))


# Errors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("op", "message"),
    [
        (
            "%none = hal.devices.get %c2 : !hal.device\n    %al = hal.device.allocator<%none : !hal.device> : !hal.allocator",
            "expected a device, got null",
        ),
        (
            "%none = util.null : !hal.buffer\n    %n = hal.buffer.length<%none : !hal.buffer> : index",
            "expected a buffer, got null",
        ),
        (
            "%none = util.null : !hal.command_buffer\n    %al = FENCE\n    hal.device.queue.execute ON_A wait(%null) signal(%al) commands(%none) flags(None)",
            "expected a command buffer, got null",
        ),
        (
            "%exe = hal.executable.lookup device(%a : !hal.device) executable(@nowhere) : !hal.executable",
            "names the unknown executable @nowhere",
        ),
    ],
)
def test_errors_have_the_place_of_the_op(op: str, message: str) -> None:
    text = program(f"    {op}\n    util.return %one : i32")
    with pytest.raises(OpError, match=message) as caught:
        run(text, 0)
    last = text.splitlines()[: text.splitlines().index("    util.return %one : i32")]
    assert caught.value.location.startswith(f"t.mlir:{len(last)}:")


def test_op_that_no_host_program_has_is_refused() -> None:
    text = program(
        "    %n = util.string.itoa %one : i32 -> !util.buffer\n    util.return %one : i32"
    )
    with pytest.raises(OpError, match="is not supported in host programs") as caught:
        run(text, 0)
    assert caught.value.location.startswith(line_of(text, "util.string.itoa"))


def test_buffer_that_does_not_do_is_refused() -> None:
    body = (
        ALLOCATE
        + """
    %allocator = hal.device.allocator<%a : !hal.device> : !hal.allocator
    hal.buffer.assert<%p : !hal.buffer> message("tensor") allocator(%allocator : !hal.allocator) minimum_length(%c256) type(DeviceVisible) usage(Transfer)
    util.return %one : i32"""
    )
    text = program(body)
    with pytest.raises(
        HalError, match="expected tensor to have at least 256 bytes, got 64"
    ) as caught:
        run(text, 0)
    assert caught.value.location.startswith(line_of(text, "hal.buffer.assert"))
