"""Addresses that are copied, replaced or fixed: GE-15, GE-16, GE-35, GE-42, GE-43, GE-45, GE-50,
GE-54 to GE-56, GE-67, GE-69."""

import sys
from dataclasses import replace
from threading import Thread
from typing import Any

import numpy as np
import pytest
from model_world import exported, filled, floats, flow_text, loaded, mapped, ran, state, sum_text
from numpy.typing import NDArray
from zcir.dialects.io_plan import MemoryUse, ModelTask, TaskArgument
from zcir.runtime.host import HostError
from zcir.runtime.model import LoweringOptions, Model, PlanOptions
from zcir.runtime.model.copy_only import WhyCopied, copy_only_addresses
from zcir.runtime.model.loading import LoadStep, load_addresses
from zcir.runtime.model.memory_types import Refresh, UpdatePolicy
from zcir.runtime.model.tasks import classify_tasks
from zcir.runtime.model.ways import IoMemory
from zcir.runtime.model.zero_copy_offset import OutsideAddresses, ZeroCopyOffset

TENSOR = "tensor<16xf32>"
COMPUTED = f"%d = {ran('k', '%t0')}\n" + exported("%d")
TWICE = flow_text(COMPUTED + "\n" + exported("%d", 1), outputs=2)
WIRED = flow_text(exported("%t0"))
VIEW = flow_text(
    f"%q = flow.tensor.reshape %t0 : {TENSOR} -> tensor<4x4xf32>\n" + exported("%q", shape="4x4")
)
VARIABLE = flow_text(
    f"%v = util.global.load @state : {TENSOR}\n%d = {ran('k', '%t0')}\n"
    f"util.global.store %d, @state : {TENSOR}\n" + exported("%v")
).replace("util.func public @f", f"util.global private mutable @state : {TENSOR}\n"
          "util.func public @f")  # fmt: skip
NEIGHBOURS = flow_text(
    f"%d = {ran('k2', '%t0', '%t1', attributes='{zc.continuous}')}\n" + exported("%d"), inputs=2
)
REFERENCE = f"""
module attributes {{stream.affinity.default = #hal.device.affinity<@npu>}} {{
  util.global private @npu = #hal.device.target<"local", {{ordinal = 0 : index}},
      [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  {sum_text(1, 16).split(": !hal.device", 1)[1].split("util.func", 1)[0]}
  util.func public @f(%x: !hal.buffer_view) -> !hal.buffer_view {{
    %t = hal.tensor.import consume %x "x" : !hal.buffer_view -> {TENSOR}
    %d = {ran("k", "%t")}
    %a = hal.tensor.alias %d : {TENSOR} to %x : !hal.buffer_view
    %e = hal.tensor.export %a "y" : {TENSOR} -> !hal.buffer_view
    util.return %e : !hal.buffer_view
  }}
}}"""


def offsets(model: Model, *outputs: int) -> set[int | None]:
    return {model.plan().outputs[number].offset for number in outputs}


# GE-50: one model for each case; the set has that address and no other.
@pytest.mark.parametrize(
    ("text", "reuse", "outputs", "inputs", "why"),
    [
        (flow_text(COMPUTED), False, [0], [], WhyCopied.NO_REUSE),
        (TWICE, True, [0, 1], [], WhyCopied.SHARED),
        (VIEW, True, [0], [], WhyCopied.NO_TASK),
        (VARIABLE, True, [0], [], WhyCopied.VARIABLE),
        (NEIGHBOURS, True, [], [0, 1], WhyCopied.NOT_A_BLOCK),
    ],
    ids=["a", "b", "c", "d", "e"],
)
def test_ge_50_addresses_that_are_copy_only(
    text: str, reuse: bool, outputs: list[int], inputs: list[int], why: WhyCopied
) -> None:
    """GE-50."""
    model = loaded(text, reuse=reuse)
    wanted = offsets(model, *outputs) | {model.plan().inputs[k].offset for k in inputs}
    assert model.copy_only == wanted
    assert {model.addresses.reasons[offset] for offset in model.copy_only} == {why}


@pytest.mark.parametrize("reuse", [True, False, None])
def test_ge_50_reference_data_is_never_disabled(reuse: bool | None) -> None:
    """GE-50: with reuse, the caller's memory is updated in place."""
    model = loaded(REFERENCE, reuse=reuse)
    assert model.copy_only == frozenset()
    runtime, data = model.runtime, mapped(model.runtime, 3, 64)
    model.run([data], [data])
    assert floats(data)[-1] == 4
    assert runtime.statistics.total.copy_cmds == (2 if reuse is False else 0)
    assert not runtime.check().reports


def test_ge_45_addresses_are_loaded_in_order() -> None:
    """GE-45: with reuse, what is marked can be replaced and what is not is copied."""
    plan = loaded(flow_text(f"%d = {ran('k2', '%t0', '%t1')}\n" + exported("%d"), inputs=2)).plan()
    marked, unmarked = plan.inputs
    plan = replace(plan, inputs=(marked, replace(unmarked, zero_copy=False)))
    addresses = load_addresses(plan, IoMemory.REUSED)
    assert addresses.steps == [LoadStep.CREATE, LoadStep.REGISTER, LoadStep.DISABLE]
    assert addresses.outside.copy_only == {unmarked.offset}
    assert set(addresses.outside.positions) == {io.offset for io in plan.ios}
    assert copy_only_addresses(plan, IoMemory.REUSED) == {unmarked.offset: WhyCopied.NOT_A_BLOCK}


def test_ge_45_an_input_without_address_is_refused() -> None:
    """GE-45."""
    plan = loaded(WIRED).plan()
    plan = replace(plan, inputs=(replace(plan.inputs[0], offset=None),))
    with pytest.raises(HostError, match=r"Data\[x0\] init failed: output size is 1"):
        load_addresses(plan, IoMemory.REUSED)


# One tensor for several outputs.


@pytest.mark.parametrize(("reuse", "copies"), [(None, 1), (True, 2), (False, 3)])
@pytest.mark.parametrize("place", ["device", "mapped"])
def test_ge_16_one_result_for_two_outputs(reuse: bool | None, copies: int, place: str) -> None:
    """GE-16: both hold it, and are apart; the first is written in place where that may be (GE-69),
    and both are copied where the address is copy-only. The input is copied too without reuse."""
    model = loaded(TWICE, reuse=reuse)
    runtime = model.runtime
    first, second = (
        runtime.malloc(64) if place == "device" else mapped(runtime, 0, 64) for _ in range(2)
    )
    before = runtime.statistics.total
    model.run([mapped(runtime, 4, 64)], [first, second])
    after = runtime.statistics.total
    assert after.copy_cmds - before.copy_cmds == copies
    assert after.fallbacks - before.fallbacks == (0 if reuse is False else 2 - (reuse is None))
    assert [io.zero_copy for io in model.plan().outputs] == [False, False]
    np.testing.assert_array_equal(read(model, first), filled(5, 64))
    if place == "device":
        runtime.memset(first, 64, 9, 64)  # pyright: ignore[reportArgumentType]
    else:
        first.view(np.float32)[:] = 9  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    np.testing.assert_array_equal(read(model, second), filled(5, 64))
    assert not runtime.check().reports


def read(model: Model, pointer: Any) -> NDArray[np.float32]:
    data = filled(0, 64)
    model.runtime.memcpy(data, 64, pointer, 64)
    return data


def test_ge_69_three_ways_to_fall_back() -> None:
    """GE-69: no buffer, a host buffer, and a result that is returned twice: three runs succeed with
    a fallback each, and copies 0, 1, 1."""
    models = [loaded(text) for text in (flow_text(COMPUTED), flow_text(COMPUTED), TWICE)]
    device = models[2].runtime.malloc(64), models[2].runtime.malloc(64)
    counts: list[int] = []
    fallbacks = 0
    for model, outputs in zip(models, ([None], [filled(0, 64)], device), strict=True):
        model.run([mapped(model.runtime, 1, 64)], outputs)
        counts.append(model.runtime.statistics.total.copy_cmds)
        fallbacks += model.runtime.statistics.total.fallbacks
    assert (fallbacks, counts) == (3, [0, 1, 1])


@pytest.mark.parametrize("given", [(None, None), (None, "memory"), ("memory", None)])
def test_ge_69_one_result_for_outputs_without_memory(given: tuple[Any, Any]) -> None:
    """GE-69: whichever has memory is written in place; the other is made and copied."""
    model = loaded(TWICE)
    runtime = model.runtime
    outputs = [None if one is None else mapped(runtime, 0, 64) for one in given]
    results = model.run([mapped(runtime, 4, 64)], outputs)
    assert runtime.statistics.total.copy_cmds == 1
    for result in results:
        np.testing.assert_array_equal(read(model, result), filled(5, 64))
    assert not runtime.check().reports


def test_ge_35_an_output_that_is_an_input() -> None:
    """GE-35: one copy to a buffer of its own, none where both are the same."""
    model = loaded(WIRED, schedule="adversarial:5")
    runtime = model.runtime
    source, target = mapped(runtime, 4, 64), mapped(runtime, 0, 64)
    model.run([source], [target])
    assert runtime.statistics.total.copy_cmds == 1
    np.testing.assert_array_equal(floats(target), filled(4, 64))
    model.run([source], [source])
    assert runtime.statistics.total.copy_cmds == 1
    np.testing.assert_array_equal(floats(source), filled(4, 64))
    assert not runtime.check().reports


def test_outputs_that_would_overwrite_an_input_are_copied() -> None:
    """The result is right though the buffer is the input's; strict mode says no."""
    text = flow_text(f"%d = {ran('k', '%t0')}\n%g = {ran('k2', '%t0', '%d')}\n{exported('%d')}\n"
                     + exported("%g", 1), outputs=2)  # fmt: skip
    model = loaded(text)
    runtime = model.runtime
    both, other = mapped(runtime, 4, 64), mapped(runtime, 0, 64)
    model.run([both], [both, other])
    assert (floats(both)[-1], floats(other)[-1]) == (5, 10)
    assert runtime.statistics.total.fallbacks == 1
    wide = mapped(runtime, 0, 128)
    with pytest.raises(HostError, match="output 1 shares 60 bytes with output 0; give memory of"):
        model.run([both], [wide, runtime.host_get_device_pointer(wide) + 4])
    model.run([both], [wide, wide + 64])
    assert (floats(wide)[0], floats(wide)[16]) == (6, 12)
    strict = loaded(text, options=LoweringOptions(always_zero_copy=True), runtime=runtime)
    with pytest.raises(HostError, match="output 0 overlaps input 0, which it would overwrite"):
        strict.run([both], [both, other])
    assert not runtime.check().reports


# What is refreshed, and what is fixed.


def test_ge_43_of_the_row() -> None:
    """GE-42, GE-43: of nine words of three tasks, two hold the address of x."""
    text = flow_text(
        f"%a = {ran('k2', '%t0', '%t1')}\n%b = {ran('k2', '%a', '%t0')}\n"
        f"%c = {ran('k2', '%b', '%a')}\n" + exported("%c"),
        inputs=2,
    ).replace(
        "stream.affinity.default",
        "stream.topology = #hal.device.topology<links = [(@npu -> @npu = {}, {host_coherent = "
        "true})]>, stream.affinity.default",
    )
    model = loaded(text, "module")
    runtime = model.runtime
    w, y = mapped(runtime, 1, 64), mapped(runtime, 0, 64)
    first, second = mapped(runtime, 1, 64), mapped(runtime, 2, 64)
    counts: list[int] = []
    for x in (first, first, second):
        before = runtime.statistics.total.slots_refreshed
        model.run([x, w], [y])
        counts.append(runtime.statistics.total.slots_refreshed - before)
    assert counts == [9, 0, 2]
    # a = 2 + 1 + 1, b = a + 2 + 1, c = b + a + 1
    assert floats(y)[-1] == 12


def task(kind: str, *arguments: TaskArgument, refreshable: bool = True) -> ModelTask:
    return ModelTask(kind, kind.lower() + "1", refreshable, kind == "Identity", arguments)


IO, FM, FIX = MemoryUse.MODEL_IO, MemoryUse.FEATURE_MAP, MemoryUse.FIX


def test_ge_54_tasks_of_a_model() -> None:
    """GE-54: an addition of an input and a temporary; a task of constants is never visited."""
    tasks = (
        task("Add", TaskArgument(IO), TaskArgument(FM, writes=True), TaskArgument(FIX)),
        task("Init", TaskArgument(FIX), TaskArgument(FIX, writes=True)),
    )
    on = classify_tasks(tasks, feature_map=True)
    off = classify_tasks(tasks, feature_map=False)
    assert [one.total for one in on] == [Refresh(3), Refresh.NONE]
    assert [one.total for one in off] == [Refresh(1), Refresh.NONE]
    model = loaded(flow_text(f"%c = {ran('k2', '%t0', '%t0')}\n" + exported("%c")))
    assert [one.total for one in model.tasks] == [Refresh.BY_MODEL_IO]


def test_ge_55_a_task_that_takes_its_addresses_once() -> None:
    """GE-55: its input is fixed; an identity before it inherits that, and only an identity may."""
    alone = (task("K", TaskArgument(IO), TaskArgument(FIX, writes=True), refreshable=False),)
    (only,) = classify_tasks(alone, feature_map=False)
    assert (only.fixed, only.total) == ((0,), Refresh.NONE)

    def chain(kind: str) -> tuple[ModelTask, ...]:
        return (
            task(kind, TaskArgument(IO), TaskArgument(FM, writes=True, peers=(1,))),
            task("K", TaskArgument(FM, peers=(0,)), refreshable=False),
        )

    identity, k = classify_tasks(chain("Identity"), feature_map=True)
    assert identity.arguments == (Refresh.BY_MODEL_IO, Refresh.NONE)
    assert k.fixed == (0,)
    message = r"only support peer node type Identity, but get Add\(add1\)"
    with pytest.raises(HostError, match=message) as refused:
        classify_tasks(chain("Add"), feature_map=True)
    assert refused.value.code == 145000
    # A feature map that stays asks for nothing.
    assert classify_tasks(chain("Add"), feature_map=False)[1].fixed == ()


FIXED = "{zc.refreshable = false}"
MOVES = PlanOptions(feature_map_refreshable=True)


@pytest.mark.parametrize("between", [False, True])
def test_ge_55_of_a_program(between: bool) -> None:
    """GE-55: a kernel before one that takes its addresses once keeps the model from being loaded
    with a feature map that may move; with a copy between them it is loaded."""
    copy = f"%m = flow.tensor.clone %d : {TENSOR} attributes {{zc.isolation = 9 : i64}}\n"
    text = flow_text(
        f"%d = {ran('k', '%t0')}\n" + (copy if between else "")
        + f"%g = {ran('k2', '%m' if between else '%d', '%t0', attributes=FIXED)}\n"
        + exported("%g")
    )  # fmt: skip
    still = loaded(text)
    assert [one.task.refreshable for one in still.tasks] == [True, *[True] * between, False]
    # The input of the second kernel, which is the model's, and its output.
    assert still.tasks[-1].fixed == (1, 2)
    assert still.copy_only == {io.offset for io in still.plan().ios}
    before = state(still)
    if not between:
        with pytest.raises(HostError, match=r"but get flow\.dispatch\(@k::@k\): .*put a copy"):
            loaded(text, plan=MOVES, runtime=still.runtime)
        assert state(still) == before
        return
    model = loaded(text, plan=MOVES)
    assert model.tasks[1].arguments[1] is Refresh.NONE
    runtime = model.runtime
    target = mapped(runtime, 0, 64)
    model.run([mapped(runtime, 4, 64)], [target])
    assert floats(target)[-1] == 10
    assert not runtime.check().reports


CHAIN = flow_text(f"%d = {ran('k', '%t0')}\n%g = {ran('k', '%d')}\n" + exported("%g"))


def test_ge_56_the_feature_map_moves() -> None:
    """GE-56: the first run refreshes all, an equal one nothing, a new input the I/O, and another
    feature map that too."""
    size = loaded(CHAIN).work_size
    assert size == 512
    first = loaded(CHAIN, plan=MOVES)
    runtime = first.runtime
    works = [runtime.malloc(size), runtime.malloc(size)]
    model = loaded(CHAIN, plan=MOVES, runtime=runtime, work=works[0])
    inputs, target = [mapped(runtime, 1, 64), mapped(runtime, 2, 64)], mapped(runtime, 0, 64)
    policies: list[UpdatePolicy] = []
    for step, source in enumerate((0, 0, 1, 1)):
        if step == 3:
            model.move_work(works[1])
        model.run([inputs[source]], [target])
        policies.append(model.policy)
        assert floats(target)[-1] == source + 3
    assert policies == [4, 0, 2, 3]
    assert [work.allocation.holders for work in works] == [[], [f"model {model.number}"]]
    runtime.free(works[0])
    assert runtime.statistics.total.recordings == 2
    assert not runtime.check().reports


def test_ge_56_feature_maps_that_cannot_move() -> None:
    """GE-56: each refusal leaves things as they are."""
    own = loaded(CHAIN, plan=MOVES)
    runtime = own.runtime
    work, other, small = (runtime.malloc(size) for size in (512, 512, 511))
    fixed = loaded(CHAIN, runtime=runtime, work=work)
    movable = loaded(CHAIN, plan=MOVES, runtime=runtime, work=work)
    for model, target, message in (
        (own, other, "it is the model's own; load it with work memory"),
        (fixed, other, "loaded without feature_map_refreshable"),
        (movable, small, "mem_size=511, required_minimum_size=512"),
    ):
        before = state(model)
        with pytest.raises(HostError, match=message):
            model.move_work(target)
        assert state(model) == before


@pytest.mark.parametrize(("attributes", "copies"), [("", 0), (FIXED, 3)])
def test_ge_15_a_kernel_that_takes_its_addresses_once_has_its_io_copied(
    attributes: str, copies: int
) -> None:
    """GE-15: both inputs and the output of an addition."""
    text = flow_text(
        f"%d = {ran('k2', '%t0', '%t1', attributes=attributes)}\n" + exported("%d"), inputs=2
    )
    model = loaded(text)
    runtime, target = model.runtime, mapped(model.runtime, 0, 64)
    for value in (1, 2):
        before = runtime.statistics.total.copy_cmds
        model.run([mapped(runtime, value, 64), mapped(runtime, 3, 64)], [target])
        assert runtime.statistics.total.copy_cmds - before == copies
        np.testing.assert_array_equal(floats(target), filled(value + 4, 64))
    assert not runtime.check().reports


def test_ge_42_positions_are_recorded_by_several_threads() -> None:
    """GE-42: no position is lost, and tiling data is told apart."""
    addresses = OutsideAddresses()
    addresses.register(ZeroCopyOffset.of_input(0, 64, 0x9000))

    def record(number: int) -> None:
        for call in range(50):
            addresses.record([0x9000, 0, 0x9000], 0x10000 * number + 0x100 * call, tiling={2})

    threads = [Thread(target=record, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    positions = addresses.positions[0x9000]
    assert len(positions) == len(set(positions)) == 4 * 50 * 2
    assert addresses.tiled == {position for position in positions if position % 0x100 == 16}


def test_ge_67_nobody_keeps_the_caller_s_memory() -> None:
    """GE-67: after a run there are as many references to it as before, and unloading leaves it."""
    model = loaded(flow_text(COMPUTED), options=LoweringOptions(always_zero_copy=True))
    runtime = model.runtime
    source, target = mapped(runtime, 1, 64), mapped(runtime, 0, 64)
    model.run([source], [target])
    floats(target)
    counts = [sys.getrefcount(one) for one in (source, target)]
    model.run([source], [target])
    assert [sys.getrefcount(one) for one in (source, target)] == counts
    model.unload()
    assert target.allocation.alive
    assert floats(target)[-1] == 2
