"""Offsets of parts of inputs and outputs, and the table of argument ids: GE-28 to GE-32."""

import pytest
from model_snippets import dispatch, export, model, plan_of, run
from xdsl.utils.exceptions import VerifyException
from zcir.dialects.access import Access
from zcir.dialects.diagnostics import OpError
from zcir.dialects.io_plan import IoPlan, ModelInput, ModelOutput
from zcir.transforms.analysis.io_parts import Part, argument_parts
from zcir.transforms.io_plan.offsets import input_offsets, offset_table, output_offsets
from zcir.transforms.model_record_io_offsets import record_offsets
from zcir.transforms.pipeline import MODEL

TENSOR = "tensor<128xf32>"


# GE-28: a consumer reads 256 bytes into the input at 4096.
def test_ge28_parts_of_an_input() -> None:
    assert input_offsets(4096, [256]) == ((4096,), (256,))
    assert input_offsets(4096, [0, 512, 256, 512]) == ((4096, 4096), (256, 512))


# GE-29: only what starts elsewhere is recorded for an input; an output made of parts has all.
def test_ge29_continuous_inputs_and_outputs() -> None:
    assert input_offsets(4096, [0, 0]) == ((), ())
    assert output_offsets(8192, [0, 512]) == ((8192, 8192), (0, 512))
    assert output_offsets(8192, [0]) == output_offsets(8192, []) == ((), ())


# GE-32
def test_ge32_table_of_ids() -> None:
    assert offset_table([0, 4096], [(4096, 256)]) == {0: 0, 4096: 8, 4352: 16}
    assert offset_table([0, 4096], [(0, 0), (0, 64), (4096, 256)]) == {
        0: 0,
        64: 8,
        4096: 16,
        4352: 24,
    }
    message = r"NetOutput input no\[1\] offset\[512\] get zerocopy offset id failed"
    with pytest.raises(VerifyException, match=message):
        offset_table([0], [], outputs=[0, 512])


# The same over a plan: what is copied has no part and no id.
def test_ge28_ge29_ge32_of_a_plan() -> None:
    plan = IoPlan(
        "f",
        (
            ModelInput(0, "a", 1024, None, True, "", 4096, 0),
            ModelInput(1, "b", 8, None, False, "", 0),
        ),
        (ModelOutput(0, "o", 1024, None, True, "", 8192, 2),),
        4096,
    )
    parts = {
        0: [Part(256, Access.READ), Part(0, Access.READ), Part(512, Access.WRITE)],
        2: [Part(0, Access.WRITE), Part(512, Access.WRITE), Part(8, Access.READ)],
    }
    recorded = record_offsets(plan, parts)
    assert recorded.inputs[0].relative_offsets == (256,)
    assert recorded.inputs[0].basic_offsets == (4096,)
    assert recorded.inputs[1] == plan.inputs[1]
    assert recorded.outputs[0].basic_offsets == (8192, 8192)
    assert recorded.outputs[0].relative_offsets == (0, 512)
    assert recorded.offset_ids == {4096: 0, 4352: 8, 8192: 16, 8704: 24}


SLICED = f"""%c64 = arith.constant 64 : index
    %p = flow.tensor.slice %in0[%c64 for %c64] : {TENSOR} -> tensor<64xf32>
    %y0 = hal.tensor.export %p "half" : tensor<64xf32> -> !hal.buffer_view"""


# GE-28 of a program: the copy to the output reads the second half of the input.
def test_ge28_a_slice_of_an_input() -> None:
    plan = plan_of(model(SLICED, inputs=1, count=128), *MODEL)
    (given,) = plan.inputs
    assert given.offset is not None
    assert (given.basic_offsets, given.relative_offsets) == ((given.offset,), (256,))
    assert plan.offset_ids[given.offset + 256] == plan.offset_ids[given.offset] + 8


PARTS = """util.func public @f(%a: !hal.buffer_view, %b: !hal.buffer_view, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %a
      : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %1 = stream.tensor.import on(#hal.device.affinity<@a>) %b
      : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %2 = stream.resource.subview %0[%c512]
      : !stream.resource<external>{%c1024} -> !stream.resource<external>{%c512}
  %t = stream.cmd.execute on(#hal.device.affinity<@a>) with(
      %2 as %p: !stream.resource<external>{%c512}, %1 as %q: !stream.resource<external>{%c1024}) {
    stream.cmd.invalidate %p[%c0 for %c64] : !stream.resource<external>{%c512}
    stream.cmd.copy %p[%c64], %q[%c0], %c64
        : !stream.resource<external>{%c512} -> !stream.resource<external>{%c1024}
    stream.cmd.copy %p[%c0], %q[%c512], %c64
        : !stream.resource<external>{%c512} -> !stream.resource<external>{%c1024}
    stream.cmd.copy %p[%n], %q[%n], %c64
        : !stream.resource<external>{%c512} -> !stream.resource<external>{%c1024}
  } => !stream.timepoint
  %3 = stream.timepoint.await %t => %1 : !stream.resource<external>{%c1024}
  util.return
}"""


# GE-28, GE-29: parts by argument, through views and regions; maintenance and unknown places left
# out. The output is put together from two parts.
def test_ge29_parts_of_arguments() -> None:
    module, _ = run(PARTS)
    (function,) = module.body.block.ops
    parts = argument_parts(function)
    assert parts == {
        0: [Part(576, Access.READ), Part(512, Access.READ)],
        1: [Part(0, Access.WRITE), Part(512, Access.WRITE)],
    }
    assert output_offsets(8192, [part.start for part in parts[1]]) == ((8192, 8192), (0, 512))


# GE-30: the order of the passes, and what they say of another.
def test_ge30_order_of_passes() -> None:
    order = [MODEL.index(name) for name in MODEL if name.startswith("model-")]
    assert order == sorted(order)
    assert [name for name in MODEL if name.startswith("model-")] == [
        "model-isolate-io",
        "model-plan-io",
        "model-assign-io-memory",
        "model-record-io-offsets",
    ]
    text = model(export("%in0"), inputs=1)
    with pytest.raises(OpError, match="no memory assignment"):
        run(text, "model-plan-io", "model-record-io-offsets")
    with pytest.raises(OpError, match="no memory assignment"):
        run(text, "model-record-io-offsets", "model-plan-io")
    with pytest.raises(OpError, match="has no I/O plan"):
        run(text, "model-assign-io-memory")


# GE-20, GE-26: the program's temporaries are the feature map, and blocks come after it.
def test_ge20_temporaries_of_a_program_come_first() -> None:
    body = f"""%p = {dispatch("double", ("%in0",), 128)}
    %q = {dispatch("add", ("%p", "%in0"), 128)}
    %y0 = hal.tensor.export %q "out0" : {TENSOR} -> !hal.buffer_view"""
    plan = plan_of(model(body, inputs=1, count=128), *MODEL)
    assert plan.feature_map_size == plan.transient_size == 512
    assert min(block.offset for block in plan.blocks) == 512
    assert plan.memory_size - plan.zero_copy_size == 512


# What is copied is in the feature map, after the temporaries.
def test_copied_io_is_in_the_feature_map() -> None:
    attributes = "{zc.refreshable = false}"
    body = f"%q = {dispatch('add', ('%in0', '%in1'), 128, attributes)}\n{export('%q', 0, 128)}"
    plan = plan_of(model(body, count=128), *MODEL)
    assert [io.offset for io in plan.ios] == [0, 512, 1024]
    assert (plan.feature_map_size, plan.zero_copy_size) == (1536, 0)
