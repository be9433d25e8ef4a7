"""Collectives run: a machine is the only participant of each of its groups (GE-58, GE-59)."""

import numpy as np
import pytest
from model_world import exported, floats, flow_text, loaded, mapped, program, ran
from zcir.dialects.diagnostics import OpError
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.element_types import InputError
from zcir.runtime.errors import HalError, StatusCode
from zcir.runtime.hal.channel import Channel, create_channel
from zcir.runtime.load import load
from zcir.runtime.reference import run_reference

TENSOR = "tensor<16xf32>"
X = np.arange(16, dtype=np.float32)
ONE = "array<i32: 1>"
FLAGS = f"attributes {{zc.input_zero_copy_flag = {ONE}, zc.output_zero_copy_flag = {ONE}}}"


def collective(kind: str, value: str = "%t0", flags: str = "") -> str:
    """A collective of a value into %r."""
    return f"""%ch = flow.channel.default : !flow.channel
    %to = flow.tensor.empty : {TENSOR}
    %r = flow.collective.{kind}, %to, {value}, %ch : ({TENSOR}, {TENSOR}, !flow.channel)
        -> %to as {TENSOR} {flags}"""


@pytest.mark.parametrize("schedule", ["fifo", "adversarial:3"])
@pytest.mark.parametrize("memory", ["coherent", "noncoherent"])
@pytest.mark.parametrize(
    "kind",
    ["all_reduce average, f32", "all_gather f32", "all_to_all f32", "reduce_scatter sum, f32"],
)
def test_one_participant_receives_what_it_sends(kind: str, memory: str, schedule: str) -> None:
    body = (f"%d = {ran('k', '%t0')}", collective(kind, "%d"), exported("%r"))
    module = parse_text(make_context(), flow_text("\n".join(body)), "m.mlir")
    (want,) = run_reference(module, "f", [X])
    np.testing.assert_array_equal(np.asarray(want), X + 1)
    run = load(module, memory=memory).run(inputs=[X], schedule=schedule, check=True)
    assert run.check is not None
    assert not run.check.reports
    np.testing.assert_array_equal(np.asarray(run.results[0]), want)
    assert run.statistics.total.collectives == 1


def copies_of_a_run(flags: str) -> tuple[int, int]:
    """Copies, and references to slots of the binding table refreshed, of a second run."""
    text = flow_text("\n".join((collective("all_reduce sum, f32", flags=flags), exported("%r"))))
    model = loaded(text, "noncoherent", schedule="adversarial:1")
    before = after = model.runtime.statistics.total
    for value in (2.0, 3.0):
        x, y = mapped(model.runtime, value, 64), mapped(model.runtime, 0.0, 64)
        before = model.runtime.statistics.total
        model.run([x], [y])
        after = model.runtime.statistics.total
        np.testing.assert_array_equal(floats(y), np.full(16, value, np.float32))
    assert not model.runtime.check().reports
    assert after.collectives == 2
    return after.copy_cmds - before.copy_cmds, after.slots_refreshed - before.slots_refreshed


def test_ge_59_a_collective_without_flags_is_copied_in_and_out() -> None:
    assert copies_of_a_run("") == (2, 0)


def test_ge_58_a_collective_with_flags_takes_new_addresses() -> None:
    copies, refreshed = copies_of_a_run(FLAGS)
    assert copies == 0
    assert refreshed >= 2


def test_groups_have_one_participant() -> None:
    text = """util.func public @f() -> (index, index) {
    %ch = flow.channel.default "world" : !flow.channel
    %c0 = arith.constant 0 : index
    %part = flow.channel.split %ch, %c0, %c0 : !flow.channel -> !flow.channel
    %rank = flow.channel.rank %part : index
    %count = flow.channel.count %part : index
    util.return %rank, %count : index, index
  }"""
    module = parse_text(make_context(), program(text), "m.mlir")
    assert run_reference(module, "f", []) == [0, 1]
    assert load(module, memory="coherent").run().results == [0, 1]


@pytest.mark.parametrize(("send", "recv", "sent"), [(0, 0, True), (1, 0, False), (0, 3, False)])
def test_a_participant_sends_to_itself_alone(send: int, recv: int, sent: bool) -> None:
    body = f"""%send = arith.constant {send} : index
    %recv = arith.constant {recv} : index
    %ch = flow.channel.default : !flow.channel
    %to = flow.tensor.empty : {TENSOR}
    %r = flow.collective.send_recv f32, %to, %t0, %ch, %send, %recv
        : ({TENSOR}, {TENSOR}, !flow.channel, index, index) -> %to as {TENSOR}
    {exported("%r")}"""
    module = parse_text(make_context(), flow_text(body), "m.mlir")
    if sent:
        np.testing.assert_array_equal(np.asarray(run_reference(module, "f", [X])[0]), X)
        run = load(module, memory="noncoherent").run(inputs=[X])
        np.testing.assert_array_equal(np.asarray(run.results[0]), X)
        return
    with pytest.raises(InputError, match="of a group of one, whose rank is 0"):
        run_reference(module, "f", [X])
    with pytest.raises(HalError, match="of a group of one, whose rank is 0") as refused:
        load(module, memory="noncoherent").run(inputs=[X])
    assert refused.value.code is StatusCode.INVALID_ARGUMENT


def test_a_channel_of_others_is_refused() -> None:
    with pytest.raises(HalError, match="a channel of participant 1 of 4 is not implemented"):
        create_channel(1, 4)
    assert create_channel(0, 1) == create_channel() == Channel(0, 1)


def test_ranges_hold_all_elements() -> None:
    text = """util.func public @f() {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %ch = stream.channel.create on(#hal.device.affinity<@npu>) : !stream.channel
    %r, %t = stream.resource.alloca uninitialized on(#hal.device.affinity<@npu>)
        : !stream.resource<transient>{%c64} => !stream.timepoint
    %done = stream.cmd.execute on(#hal.device.affinity<@npu>) await(%t) =>
        with(%r as %x: !stream.resource<transient>{%c64}) {
      stream.cmd.collective<all_reduce with sum : f32>[%c32] channel(%ch) {
        ro %x[%c0 for %c32] : !stream.resource<transient>{%c64},
        wo %x[%c32 for %c32] : !stream.resource<transient>{%c64}
      }
    } => !stream.timepoint
    util.return
  }"""
    module = parse_text(make_context(), program(text), "m.mlir")
    with pytest.raises(OpError, match="expected 128 bytes for 32 x f32, got 32"):
        load(module, memory="coherent").run()
