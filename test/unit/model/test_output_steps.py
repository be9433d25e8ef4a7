"""The steps of the host for an output and their rewriting: GE-10, GE-60, GE-61, GE-63, GE-71."""

from model_snippets import dispatch, export, model, plan_of
from zcir.dialects.io_plan import IoStep, StepKind
from zcir.transforms.io_plan.output_steps import (
    Producer,
    branch_operands,
    initial_steps,
    output_steps,
    rewrite_for_model_outputs,
    rewrite_for_strict_mode,
)

ALLOC = Producer(allocates=True)
NOTHING = Producer(allocates=False)
KIND = StepKind


def branches(then: Producer, other: Producer, name: str = "if0") -> Producer:
    return Producer(allocates=False, branches=((f"{name}.then", then), (f"{name}.else", other)))


def count(steps: tuple[IoStep, ...], kind: StepKind) -> int:
    return sum(step.kind is kind for step in steps)


# GE-60: allocate, ensure, free; after the pass the allocation takes the caller's tensor last.
def test_ge60_allocations_become_model_outputs() -> None:
    before = initial_steps(ALLOC)
    assert [step.kind for step in before] == [
        KIND.ALLOC_MEMORY,
        KIND.ENSURE_TENSOR_AT_OUT_MEMORY,
        KIND.FREE_MEMORY,
    ]
    after = rewrite_for_model_outputs(before)
    assert count(after, KIND.ALLOC_MEMORY) == 0
    (alloc,) = (step for step in after if step.kind is KIND.ALLOC_MODEL_OUT_TENSOR)
    assert alloc.operands == ("allocator", "size", "output")
    # C6: in default mode the reference is still dropped.
    assert count(after, KIND.FREE_MEMORY) == 1
    assert rewrite_for_model_outputs(after) == after


# GE-61: branches that allocate are all rewritten, and the branch op takes one operand more.
def test_ge61_branches() -> None:
    both = output_steps(branches(ALLOC, ALLOC), always_zero_copy=False)
    assert [str(step) for step in both[:2]] == [
        "if0.then: AllocModelOutTensor(allocator, size, output)",
        "if0.else: AllocModelOutTensor(allocator, size, output)",
    ]
    assert branch_operands(both) == 1
    one = output_steps(branches(ALLOC, NOTHING), always_zero_copy=False)
    assert count(one, KIND.ALLOC_MODEL_OUT_TENSOR) == 1
    assert branch_operands(one) == 1


def test_ge61_branches_within_branches() -> None:
    steps = output_steps(branches(branches(ALLOC, ALLOC, "if1"), NOTHING), always_zero_copy=False)
    assert [step.region for step in steps[:2]] == ["if0.then.if1.then", "if0.then.if1.else"]
    assert branch_operands(steps) == 2


# GE-61: without an allocation nothing changes; GE-71: strict mode leaves it to Ensure as well.
def test_ge61_ge71_a_view_is_left_to_ensure() -> None:
    before = initial_steps(NOTHING)
    assert before == (IoStep(KIND.ENSURE_TENSOR_AT_OUT_MEMORY, ("data", "output")),)
    assert rewrite_for_model_outputs(before) == before
    assert output_steps(NOTHING, always_zero_copy=True) == before


# GE-63: strict mode splits the caller's tensor and frees nothing; GE-10: fewer steps than default.
def test_ge63_ge10_strict_mode() -> None:
    default = output_steps(ALLOC, always_zero_copy=False)
    strict = output_steps(ALLOC, always_zero_copy=True)
    assert [step.kind for step in strict] == [
        KIND.SPLIT_TENSOR_FOR_OUTPUT_DATA,
        KIND.ENSURE_TENSOR_AT_OUT_MEMORY,
    ]
    assert strict[0].operands == ("output", "allocator", "size")
    assert (count(default, KIND.FREE_MEMORY), count(strict, KIND.FREE_MEMORY)) == (1, 0)
    assert len(default) == 3
    assert len(strict) <= 2


# GE-63: what branches allocate stays AllocModelOutTensor.
def test_ge63_nested_allocations_stay() -> None:
    default = output_steps(branches(ALLOC, ALLOC), always_zero_copy=False)
    assert rewrite_for_strict_mode(default) == default


ADD = dispatch("add", ("%in0", "%in1"), 16)
DOUBLE = dispatch("double", ("%in0",), 16)


def steps_of(body: str, **options: str) -> tuple[IoStep, ...]:
    spec = "model-plan-io{always_zero_copy=true}" if options else "model-plan-io"
    return plan_of(model(body, arguments="%c: i1"), spec).outputs[0].steps


# The same from programs: GE-10, GE-60, GE-63 for an addition.
def test_ge10_ge60_ge63_of_a_program() -> None:
    body = f"%r = {ADD}\n{export('%r')}"
    assert steps_of(body) == output_steps(ALLOC, always_zero_copy=False)
    assert steps_of(body, strict="yes") == output_steps(ALLOC, always_zero_copy=True)


# GE-61 of a program: both branches compute, one hands on an input.
def test_ge61_of_a_program() -> None:
    tensor = "tensor<16xf32>"

    def branch(other: str) -> str:
        return f"""%r = scf.if %c -> ({tensor}) {{
          %t = {ADD}
          scf.yield %t : {tensor}
        }} else {{
          {other}
        }}
        {export("%r")}"""

    both = plan_of(model(branch(f"%u = {DOUBLE}\nscf.yield %u : {tensor}"), arguments="%c: i1"))
    one = plan_of(model(branch(f"scf.yield %in0 : {tensor}"), arguments="%c: i1"))
    assert both.outputs[0].branch_operands == one.outputs[0].branch_operands == 1
    assert count(both.outputs[0].steps, KIND.ALLOC_MODEL_OUT_TENSOR) == 2
    assert count(one.outputs[0].steps, KIND.ALLOC_MODEL_OUT_TENSOR) == 1


# GE-61, GE-71: a reshaped input is a view, and no step allocates for it.
def test_ge71_of_a_program() -> None:
    body = """%r = flow.tensor.reshape %in1 : tensor<16xf32> -> tensor<4x4xf32>
    %y0 = hal.tensor.export %r "out" : tensor<4x4xf32> -> !hal.buffer_view"""
    (output,) = plan_of(model(body)).outputs
    assert output.view_of == 1
    assert output.steps == output_steps(NOTHING, always_zero_copy=False)
