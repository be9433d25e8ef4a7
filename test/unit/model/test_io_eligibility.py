"""Which inputs and outputs can be bound in the caller's memory: GE-14 to GE-18, GE-58, GE-59."""

import pytest
from model_snippets import dispatch, export, model, plan_of, run
from zcir.dialects.diagnostics import OpError
from zcir.dialects.io_plan import IoPlan
from zcir.runtime.model import load
from zcir.transforms.io_plan.collectives import collective_slots

TENSOR = "tensor<16xf32>"


def add(attributes: str = "", operands: tuple[str, str] = ("%in0", "%in1")) -> str:
    return "%r = " + dispatch("add", operands, 16, attributes) + "\n" + export("%r")


def bound(plan: IoPlan) -> tuple[list[bool], list[bool]]:
    return [io.zero_copy for io in plan.inputs], [io.zero_copy for io in plan.outputs]


# GE-14: three blocks, and three slots of the binding table that arguments fill.
def test_ge14_each_input_and_output_has_a_block_and_a_slot() -> None:
    loaded = load(run(model(add()))[0])
    plan = loaded.plan()
    assert [(b.name, b.is_zero_copy) for b in plan.blocks] == [
        ("out0", True),
        ("in0", True),
        ("in1", True),
    ]
    (execute,) = (
        op for op in loaded.program.module.walk() if op.name == "hal.device.queue.execute.indirect"
    )
    views = [b.owner for b in execute.operands if b.owner.name == "hal.buffer_view.buffer"]  # pyright: ignore
    arguments = {view.operands[0].index for view in views}  # pyright: ignore
    assert arguments == {0, 1, 2}
    assert [io.argument for io in plan.ios] == [0, 1, 2]


# GE-15: both ends of an addition; none of it where the addition cannot take new addresses.
def test_ge15_refreshable_producers_and_consumers() -> None:
    assert bound(plan_of(model(add()))) == ([True, True], [True])
    plan = plan_of(model(add("{zc.refreshable = false}")))
    assert bound(plan) == ([False, False], [False])
    for io in plan.ios:
        assert io.reason == "'flow.dispatch' at model.mlir:51:1 takes its addresses once"


def test_ge15_a_second_user_that_is_not_refreshable_keeps_an_output_from_being_bound() -> None:
    second = dispatch("double", ("%r",), 16, "{zc.refreshable = false}")
    plan = plan_of(model(f"{add()}\n%s = {second}\n{export('%s', 1)}", outputs=2))
    assert bound(plan) == ([True, True], [False, False])


# GE-16: a result that goes to two outputs is in one place only; both take one storage.
def test_ge16_one_result_for_two_outputs() -> None:
    plan = plan_of(model(f"{add()}\n{export('%r', 1)}", outputs=2))
    assert bound(plan) == ([True, True], [False, False])
    assert plan.outputs[0].argument == plan.outputs[1].argument == 2
    assert plan.outputs[1].reason == "it goes to 2 outputs and can be in one place only"


# GE-17: what a branch takes and yields is no input or output, whatever else holds of it.
def test_ge17_branches_have_no_blocks() -> None:
    body = f"""%r = scf.if %c -> ({TENSOR}) {{
      scf.yield %in0 : {TENSOR}
    }} else {{
      scf.yield %in1 : {TENSOR}
    }}
    {export("%r")}"""
    plan = load(run(model(body, arguments="%c: i1"))[0]).plan()
    assert [b.name for b in plan.blocks] == ["out0", "in0", "in1"]
    assert [io.argument for io in plan.ios] == [0, 1, 3]


# GE-17: the shapes of a batched model, unless it is built offline.
@pytest.mark.parametrize(("option", "first"), [("", False), ("{offline=true}", True)])
def test_ge17_multi_batch_shapes(option: str, first: bool) -> None:
    imported = '%v0 "in0" : !hal.buffer_view -> tensor<16xf32>'
    text = model(add()).replace(imported, imported + " {zc.multi_batch_shape_data}")
    assert bound(plan_of(text, f"model-plan-io{option}"))[0] == [first, True]


# GE-18: neighbours in memory cannot be bound; with an identity before, they can.
def test_ge18_continuous_inputs() -> None:
    assert bound(plan_of(model(add("{zc.continuous}"))))[0] == [False, False]
    identities = "\n".join(
        f"%c{i} = flow.tensor.clone %in{i} : {TENSOR} attributes {{zc.isolation = {i} : i64}}"
        for i in range(2)
    )
    body = identities + "\n" + add("{zc.continuous}", ("%c0", "%c1"))
    module, _ = run(model(body), "zc-model")
    copies = [op for op in module.walk() if op.name == "hal.command_buffer.copy_buffer"]
    assert len(copies) == 2
    assert bound(plan_of(model(body)))[0] == [True, True]


def test_ge18_continuous_outputs() -> None:
    plan = plan_of(model(add('{zc.continuous = "outputs"}')))
    assert bound(plan) == ([True, True], [False])


# A clone that isolates nothing may be elided: what is behind it counts.
def test_an_ordinary_clone_is_seen_through() -> None:
    body = f"%c = flow.tensor.clone %in0 : {TENSOR}\n" + add("{zc.continuous}", ("%c", "%in1"))
    assert bound(plan_of(model(body)))[0] == [False, False]


# The reason of each input and output is a remark at its import or export.
def test_remarks_say_why() -> None:
    _, remarks = run(model(add()), "model-plan-io")
    assert [note.message for note in remarks] == [
        "input 0 'in0' is bound in place: 1 use can take a new address at each run",
        "input 1 'in1' is bound in place: 1 use can take a new address at each run",
        "output 0 'out0' is bound in place: 'flow.dispatch' can write to a new address at each run",
    ]


# GE-58: flags of a communication kernel, one for each operand and result.
def test_ge58_flags_of_a_collective() -> None:
    flags = "{zc.input_zero_copy_flag = array<i32: 1, 0>, zc.output_zero_copy_flag = array<i32: 1>}"
    assert bound(plan_of(model(add(flags)))) == ([True, False], [True])
    assert collective_slots(0x4000, (True, False), (True,)) == ((0x4000, None), (0x4010,))


def test_ge58_as_many_flags_as_operands() -> None:
    message = "input_zero_copy_flag_size 1 is not equal with op input size 2"
    with pytest.raises(OpError, match=message):
        plan_of(model(add("{zc.input_zero_copy_flag = array<i32: 1>}")))
    with pytest.raises(OpError, match="output_zero_copy_flag_size 2 is not equal with op output"):
        plan_of(
            model(
                add(
                    "{zc.input_zero_copy_flag = array<i32: 1, 1>, "
                    "zc.output_zero_copy_flag = array<i32: 1, 1>}"
                )
            )
        )
    with pytest.raises(OpError, match="expected an array of 0 and 1"):
        plan_of(model(add("{zc.input_zero_copy_flag = 1 : i64}")))


ALL_REDUCE = f"""%ch = flow.channel.default : !flow.channel
    %t = flow.tensor.empty : {TENSOR}
    %r = flow.collective.all_reduce sum, f32, %t, %in0, %ch : ({TENSOR}, {TENSOR}, !flow.channel)
        -> %t as {TENSOR} FLAGS
    {export("%r")}"""


# GE-59: a collective without flags has its input and output copied; with flags neither.
def test_ge59_a_collective_without_flags() -> None:
    text = model(ALL_REDUCE.replace("FLAGS", ""), inputs=1)
    assert bound(plan_of(text)) == ([False], [False])
    assert collective_slots(0, (False,), (False,)) == ((None,), (None,))
    one = "array<i32: 1>"
    flags = f"attributes {{zc.input_zero_copy_flag = {one}, zc.output_zero_copy_flag = {one}}}"
    text = model(ALL_REDUCE.replace("FLAGS", flags), inputs=1)
    assert bound(plan_of(text)) == ([True], [True])


# What cannot be planned.
@pytest.mark.parametrize(
    ("text", "passes", "message"),
    [
        ("module {}", "model-plan-io", "expected one public function as the model, got none"),
        (model(add()), 'model-plan-io{function="g"}', "expected a public function @g as the model"),
        (model(add()), "model-plan-io{zero_copy_align=24}", "alignment must be a power of two"),
        (
            model(
                "%r = flow.tensor.reshape %in1 : tensor<16xf32> -> tensor<4x4xf32>\n"
                '%y0 = hal.tensor.export %r "o" : tensor<4x4xf32> -> !hal.buffer_view'
            ),
            "model-plan-io{strict_views=true}",
            "output 0 aliases input 1 and cannot be zero copy",
        ),
    ],
)
def test_models_that_are_refused(text: str, passes: str, message: str) -> None:
    with pytest.raises(OpError, match=message):
        plan_of(text, passes)
