"""Options of a load: levels, fixed switches, one stream, trusted shapes, allocators, and who may
run a model when: GE-03, GE-06 to GE-08, GE-11, GE-12, GE-71, GE-73."""

import threading
from typing import Any

import numpy as np
import pytest
from model_world import (
    COUNT,
    exported,
    filled,
    floats,
    flow_text,
    loaded,
    machine,
    mapped,
    planned,
    program,
    ran,
    state,
    sum_text,
)
from zcir.dialects.diagnostics import OpError
from zcir.runtime.events import EventKind
from zcir.runtime.host import DevicePointer, HostError, one_device
from zcir.runtime.model import LoweringOptions, Model, OptionLevels, PlanOptions, Tensor, load
from zcir.runtime.model.levels import REUSE_ZERO_COPY_MEMORY as KEY
from zcir.runtime.model.ways import IoMemory

ONE = sum_text(1)
RESHAPED = flow_text(
    "%q = flow.tensor.reshape %t0 : tensor<16xf32> -> tensor<4x4xf32>\n"
    + exported("%q", shape="4x4")
)


def test_ge_06_levels_decide_at_load() -> None:
    """GE-06: global 1 and session 0 is off; graph 1 is on; none leaves it to the program."""
    off = OptionLevels({KEY: "1"}, {KEY: "0"})
    on = OptionLevels({KEY: "1"}, {KEY: "0"}, {KEY: "1"})
    memories = [loaded(ONE, reuse=levels).settings.memory for levels in (off, on, OptionLevels())]
    assert memories == [IoMemory.OWNED, IoMemory.REUSED, IoMemory.BOUND]
    with pytest.raises(HostError, match=r"unsupported option ge\.y at the graph level"):
        loaded(ONE, reuse=OptionLevels(graph={"ge.y": "1"}))


def test_ge_07_options_are_fixed_at_load() -> None:
    """GE-07."""
    model = loaded(ONE)
    with pytest.raises(HostError, match="lowering options are fixed at load"):
        model.options = LoweringOptions(always_zero_copy=True)
    with pytest.raises(AttributeError):
        model.options.always_zero_copy = True  # pyright: ignore[reportAttributeAccessIssue]
    assert model.options == LoweringOptions()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"reuse": "1"}, "reuse is '1'; expected True, False, None or OptionLevels"),
        ({"options": {"always_zero_copy": True}}, "give LoweringOptions"),
        ({"runtime": "gpu"}, "the model runs on npu, the machine has gpu"),
    ],
)
def test_loads_that_are_refused(settings: dict[str, Any], message: str) -> None:
    model = planned(ONE, "noncoherent", LoweringOptions(), PlanOptions())
    if "runtime" in settings:
        settings = {"runtime": machine(one_device("gpu"))}
    with pytest.raises(HostError, match=message) as refused:
        load(model, **settings)
    assert refused.value.code == 145000
    assert refused.value.parameter in settings


TWO_KERNELS = flow_text(
    f"%d = {ran('k', '%t0')}\n%g = {ran('k2', '%t0', '%t0')}\n"
    + exported("%d") + "\n" + exported("%g", 1),
    outputs=2,
)  # fmt: skip


def dispatches(model: Model) -> list[tuple[float, float]]:
    """When each kernel ran, in simulated time."""
    timeline = model.runtime.timeline
    return [
        (timeline.starts[event.id], timeline.ends[event.id])
        for event in timeline.graph.events
        if event.kind is EventKind.ACCESS and "dispatch" in event.label
    ]


def ordered(model: Model) -> bool:
    """Whether one of both kernels of the program happens before the other."""
    graph = model.runtime.system.graph
    first, second = (e for e in graph.events if "command_buffer.dispatch" in e.label)
    pending, seen = [second.id], set[int]()
    while pending:
        number = pending.pop()
        if number not in seen:
            seen.add(number)
            pending.extend(graph.events[number].after)
    return first.id in seen


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("schedule", ["deferred", "random:3"])
def test_ge_12_all_work_on_one_stream(single: bool, schedule: str) -> None:
    """GE-12: two kernels that do not depend on each other run one after the other with the option,
    in the order of the program, and may overlap without; one device's queue has both."""
    options = LoweringOptions(enable_single_stream=single)
    model = loaded(TWO_KERNELS, options=options, schedule=schedule)
    runtime = model.runtime
    outputs = [mapped(runtime, 0, 64), mapped(runtime, 0, 64)]
    model.run([mapped(runtime, 3, 64)], outputs)
    assert [floats(out)[-1] for out in outputs] == [4, 7]
    assert ordered(model) is single
    (first, second) = dispatches(model)
    assert not single or first[1] <= second[0]
    assert {e.agent for e in runtime.system.graph.events if "dispatch" in e.label} == {"npu"}
    assert not runtime.check().reports


def test_ge_71_views_are_copied_once_or_refused() -> None:
    """GE-71: strict mode allows a view one copy, unless it is told otherwise."""
    strict = LoweringOptions(always_zero_copy=True)
    model = loaded(RESHAPED, options=strict)
    source, target = mapped(model.runtime, 8, 64), mapped(model.runtime, 0, 64)
    model.run([source], [target])
    assert model.runtime.statistics.total.copy_cmds == 1
    np.testing.assert_array_equal(floats(target), filled(8, 64))
    with pytest.raises(OpError, match="output 0 aliases input 0 and cannot be zero copy"):
        loaded(RESHAPED, plan=PlanOptions(strict_views=True))


def test_ge_73_a_model_runs_once_at_a_time() -> None:
    """GE-73: while it executes, it takes no other call; nor is it unloaded."""
    runtime = machine(loaded(ONE).program.topology)
    source = mapped(runtime, 1)
    refused: list[HostError] = []

    def allocate(size: int, name: str) -> DevicePointer:
        for call in (lambda: model.run([source], [target]), model.unload):
            with pytest.raises(HostError, match=f"model {model.number} is already executing") as e:
                call()
            refused.append(e.value)
        return runtime.malloc(size)

    model = loaded(ONE, runtime=runtime, allocators={"npu": allocate})
    target = mapped(runtime, 0)
    (result,) = model.run([source], [None])
    assert [error.code for error in refused] == [107037, 107037]
    assert isinstance(result, DevicePointer)
    model.run([source], [target])
    np.testing.assert_array_equal(floats(target), filled(2))


@pytest.mark.parametrize("schedule", ["deferred", "adversarial:6"])
def test_ge_02_ge_43_ge_67_of_a_run_that_is_not_complete(schedule: str) -> None:
    """GE-02: an output that is read too early is a hazard. GE-43: another run is refused. GE-67:
    memory in use is not freed. All is well after the wait."""
    model = loaded(ONE, schedule=schedule)
    runtime = model.runtime
    source, target = runtime.malloc(4 * COUNT), mapped(runtime, 0)
    runtime.memcpy(source, 4 * COUNT, filled(1), 4 * COUNT)
    pending = model.run_async([source], [target])
    before = state(model)
    message = f"model {model.number} is .*running; cannot refresh arguments"
    for call in (
        lambda: model.run([source], [target]),
        lambda: model.run_async([source], [target]),
        model.unload,
    ):
        with pytest.raises(HostError, match=message) as refused:
            call()
        assert refused.value.code == 107037
    in_use = r"(buffer|registration) in use by pending submission: .* by model f"
    for free in (lambda: runtime.free(source), lambda: runtime.host_unregister(target)):
        with pytest.raises(HostError, match=in_use):
            free()
    assert state(model) == before
    assert floats(target)[0] == 0
    (hazard,) = runtime.host_access.hazards
    assert hazard.message.startswith("hazard: host read of ")
    assert "before model f has completed" in hazard.message
    assert pending.wait() == [target]
    np.testing.assert_array_equal(floats(target), filled(2))
    # A wait for anything completes it as well.
    result = mapped(runtime, 0)
    other = model.run_async([target], [result])
    runtime.synchronize_device()
    assert other.results is not None
    np.testing.assert_array_equal(floats(result), filled(3))
    assert len(runtime.host_access.hazards) == 1
    model.unload()


def test_a_run_that_fails_when_it_is_waited_for() -> None:
    """The model can be called again."""
    model = loaded(ONE, reuse=True)
    runtime = model.runtime
    source, short = mapped(runtime, 1), mapped(runtime, 1, 4 * COUNT - 64)
    target = mapped(runtime, 0)
    pending = model.run_async([short], [target])
    with pytest.raises(HostError, match="aclmdlExecuteAsync: OUT_OF_RANGE"):
        pending.wait()
    with pytest.raises(HostError, match="model f has failed"):
        pending.wait()
    model.run([source], [target])
    np.testing.assert_array_equal(floats(target), filled(2))


def test_ge_73_a_model_belongs_to_the_context_it_was_loaded_in() -> None:
    """GE-73: load, execute and unload are calls of one context."""
    model = loaded(ONE)
    runtime, errors = model.runtime, list[HostError]()
    source, target = mapped(runtime, 1), mapped(runtime, 0)

    def other() -> None:
        try:
            model.run([source], [target])
        except HostError as error:
            errors.append(error)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    (error,) = errors
    assert "the context is null" in str(error)
    model.run([source], [target])


def nothing(size: int, name: str) -> None:
    return None


@pytest.mark.parametrize(
    ("allocators", "message"),
    [
        ({"npu": None}, "allocator for placement npu is None"),
        ({"gpu": nothing}, "no placement gpu to allocate at; there is host, npu"),
        ({"npu": nothing}, "npu gave None where 4096 bytes are needed"),
    ],
)
def test_ge_11_allocators_that_will_not_do(allocators: Any, message: str) -> None:
    """GE-11."""
    two = flow_text(
        f"%d = {ran('k', '%t0', count=COUNT)}\n%g = {ran('k', '%d', count=COUNT)}\n"
        + exported("%g", shape=str(COUNT)),
        count=COUNT,
    )
    first = loaded(two)
    before = state(first)
    with pytest.raises(HostError, match=message):
        loaded(two, runtime=first.runtime, allocators=allocators)
    assert state(first) == before


def test_ge_11_an_allocator_that_gives_too_little() -> None:
    model = loaded(ONE)
    runtime = model.runtime

    def allocate(size: int, name: str) -> DevicePointer:
        return runtime.malloc(8)

    small = loaded(ONE, runtime=runtime, allocators={"npu": allocate})
    with pytest.raises(HostError, match=f"gave 8 bytes where {4 * COUNT} bytes are needed"):
        small.run([mapped(runtime, 1)], [None])


# Shapes that are only known at run time.

DYNAMIC = """
flow.executable private @k {
  flow.executable.export public @k workgroups(%n: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%n)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
    func.func @k(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>, %n: index,
                 %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xf32>>) {
      %m = iree_tensor_ext.dispatch.workload.ordinal %n, 0 : index
      %b = flow.dispatch.tie_shape %a : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%m}
      %p = flow.dispatch.tie_shape %o : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xf32>>{%m}
      %i = iree_tensor_ext.dispatch.tensor.load %b, offsets = [0, 0], sizes = [%m, 4],
          strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%m} -> tensor<?x4xf32>
      %e = tensor.empty(%m) : tensor<?x4xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
          iterator_types = ["parallel", "parallel"]} ins(%i : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
      ^bb0(%x: f32, %out: f32):
        %s = arith.addf %x, %x : f32
        linalg.yield %s : f32
      } -> tensor<?x4xf32>
      iree_tensor_ext.dispatch.tensor.store %r, %p, offsets = [0, 0], sizes = [%m, 4],
          strides = [1, 1] : tensor<?x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xf32>>{%m}
      return
    }
  }
}"""  # noqa: E501
DYNAMIC_TEXT = program(
    """
  util.func public @f(%x0: !hal.buffer_view) -> !hal.buffer_view {
    %n = hal.buffer_view.dim<%x0 : !hal.buffer_view>[0] : index
    %t = hal.tensor.import %x0 "x" : !hal.buffer_view -> tensor<?x4xf32>{%n}
    %d = flow.dispatch @k::@k[%n](%t, %n) : (tensor<?x4xf32>{%n}, index) -> tensor<?x4xf32>{%n}
    %e = hal.tensor.export %d "y" : tensor<?x4xf32>{%n} -> !hal.buffer_view
    util.return %e : !hal.buffer_view
  }""",
    DYNAMIC,
)
TRUST = LoweringOptions(trust_shape_on_out_tensor=True)


@pytest.mark.parametrize(("options", "inferences"), [(TRUST, 0), (LoweringOptions(), 1)])
def test_ge_08_shapes_are_trusted_or_inferred(options: LoweringOptions, inferences: int) -> None:
    """GE-08: of an output of 3x4, whose rows are those of the input."""
    model = loaded(DYNAMIC_TEXT, options=options)
    runtime = model.runtime
    source = Tensor(mapped(runtime, 2, 48), (3, 4))
    target = Tensor(mapped(runtime, 0, 48), (3, 4))
    (result,) = model.run([source], [target])
    assert result is target.memory
    assert model.shape_inferences == inferences
    assert (target.shape, target.dtype) == ((3, 4), np.float32)
    assert runtime.statistics.total.copy_cmds == 0
    np.testing.assert_array_equal(floats(mapped_of(target)), filled(4, 48))


def mapped_of(tensor: Tensor) -> Any:
    return tensor.memory


def test_ge_08_a_trusted_shape_has_to_be_given() -> None:
    """GE-08."""
    model = loaded(DYNAMIC_TEXT, options=TRUST)
    runtime = model.runtime
    source = Tensor(mapped(runtime, 2, 48), (3, 4))
    message = "output 0 shape must be provided when trust_shape_on_out_tensor is set"
    before = state(model)
    for output in (None, runtime.malloc(48), Tensor(runtime.malloc(48))):
        with pytest.raises(HostError, match=message):
            model.run([source], [output])
    assert state(model)["models"] == before["models"]
    with pytest.raises(HostError, match=r"output 0 has shape \[3\], the model gives \[-1, 4\]"):
        model.run([source], [Tensor(runtime.malloc(48), (3,))])


def test_ge_08_ge_68_without_trust_memory_is_made_for_what_is_inferred() -> None:
    """GE-08, GE-68, GE-69: a tensor without memory gets some, and is told its shape."""
    model = loaded(DYNAMIC_TEXT)
    runtime = model.runtime
    target = Tensor(None)
    (made,) = model.run([np.ones((5, 4), np.float32)], [target])
    assert isinstance(made, DevicePointer)
    assert (made.size, target.shape, target.memory) == (80, (5, 4), made)
    with pytest.raises(HostError, match="given buffer size 79 is less than output tensor size 80"):
        model.run([np.ones((5, 4), np.float32)], [runtime.malloc(79)])
    # GE-47: what is dynamic has no tolerance, and no size to be compared with but its shape's.
    short = Tensor(mapped(runtime, 1, 79), (5, 4))
    with pytest.raises(HostError, match="input 0 has 79 bytes, its shape asks for 80"):
        model.run([short], [None])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.ones(4, np.float32), r"input 0 has shape \[4\], the model takes \[-1, 4\]"),
        (np.ones((2, 3), np.float32), r"shape \[2, 3\], the model takes \[-1, 4\]"),
        (np.ones((2, 4), np.float64), "has elements of float64, the model has f32"),
        (Tensor(np.ones(2, np.uint8), (1 << 62, 4)), "has no size in 63 bits"),
        (Tensor(np.ones(2, np.uint8), (-1, 4)), "has no size in 63 bits"),
    ],
)
def test_ge_66_shapes_and_elements_that_are_refused(value: Any, message: str) -> None:
    """GE-66: element types and overflows of sizes."""
    model = loaded(DYNAMIC_TEXT)
    before = state(model)
    with pytest.raises(HostError, match=message):
        model.run([value], [None])
    assert state(model) == before
