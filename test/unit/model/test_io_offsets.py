"""Offsets of parts of inputs and outputs, and the table of argument ids: GE-28 to GE-32."""

import pytest
from model_snippets import dispatch, export, model, plan_of, run
from xdsl.utils.exceptions import VerifyException
from zcir.dialects.access import Access
from zcir.dialects.diagnostics import OpError
from zcir.dialects.io_plan import IoPlan, ModelInput, ModelOutput
from zcir.transforms.analysis.io_parts import Part
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


CONCAT = f"""%c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %e = flow.tensor.empty : tensor<256xf32>
    %p = {dispatch("double", ("%in0",), 128)}
    %q = {dispatch("double", ("%in1",), 128)}
    %s = flow.tensor.update %p, %e[%c0] : {TENSOR} -> %e as tensor<256xf32>
    %t = flow.tensor.update %q, %s[%c128] : {TENSOR} -> %s as tensor<256xf32>
    %y0 = hal.tensor.export %t "both" : tensor<256xf32> -> !hal.buffer_view"""


# GE-29 of a program: a concatenation, each of whose parts is written in place or by a copy.
def test_ge29_a_concatenation() -> None:
    plan = plan_of(model(CONCAT, count=128), *MODEL)
    (output,) = plan.outputs
    assert output.relative_offsets in ((0, 512), ())


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
