"""Constants of a model: in weight memory, once; the caller's, shared by loads (GE-03)."""

import numpy as np
import pytest
from model_world import exported, floats, flow_text, loaded, machine, mapped, ran, state
from zcir.runtime.host import DevicePointer, HostError
from zcir.runtime.model import LoweringOptions

ONES = "dense<1.0> : tensor<16xf32>"
COUNTS = f"dense<[{', '.join(f'{k}.0' for k in range(16))}]> : tensor<16xf32>"
WEIGHTED = flow_text(
    f"%w = flow.tensor.constant {COUNTS}\n%v = arith.constant {ONES}\n"
    f"%d = {ran('k2', '%t0', '%w')}\n%g = {ran('k2', '%d', '%v')}\n" + exported("%g")
)
CONSTANT_OUT = flow_text(f"%w = flow.tensor.constant {COUNTS}\n{exported('%w')}", inputs=0)


@pytest.mark.parametrize("memory", ["coherent", "noncoherent"])
@pytest.mark.parametrize("schedule", ["deferred", "adversarial:3"])
def test_ge_03_weights_are_there_after_the_load(memory: str, schedule: str) -> None:
    """GE-03: what a run needs of them is no copy and no allocation."""
    model = loaded(WEIGHTED, memory, schedule=schedule)
    runtime = model.runtime
    assert model.weight_size == 2 * 512
    x, y = mapped(runtime, 2, 64), mapped(runtime, 0, 64)
    model.run([x], [y])
    before = runtime.statistics.total
    for _ in range(3):
        model.run([x], [y])
    after = runtime.statistics.total
    assert (after.allocs, after.copy_cmds, after.recordings) == (
        before.allocs,
        0,
        before.recordings,
    )
    np.testing.assert_array_equal(floats(y), np.arange(16, dtype=np.float32) + 5)
    assert not runtime.check().reports


def test_ge_03_loads_share_weight_memory_of_the_caller() -> None:
    """GE-03: a load with weight memory, and a second one, allocate nothing for it; it is the
    caller's again when both are unloaded."""
    first = loaded(WEIGHTED)
    runtime = first.runtime
    weight = runtime.malloc(first.weight_size)
    work = runtime.malloc(first.work_size)
    before = runtime.statistics.total.alloc_bytes
    models = [loaded(WEIGHTED, weight=weight, work=work, runtime=runtime) for _ in range(2)]
    assert runtime.statistics.total.alloc_bytes == before
    x, y = mapped(runtime, 2, 64), mapped(runtime, 0, 64)
    for model in models:
        model.run([x], [y])
        np.testing.assert_array_equal(floats(y), np.arange(16, dtype=np.float32) + 5)
    with pytest.raises(HostError, match=f"is referenced by model {models[0].number}"):
        runtime.free(weight)
    for model in models:
        model.unload()
    runtime.free(weight)
    assert not runtime.check().reports


def test_ge_03_weight_memory_that_will_not_do() -> None:
    """GE-03: both sizes are told; nothing has changed."""
    first = loaded(WEIGHTED)
    small = first.runtime.malloc(1023)
    before = state(first)
    message = "mem_size=1023, required_minimum_size=1024 for weight memory"
    with pytest.raises(HostError, match=message) as refused:
        loaded(WEIGHTED, weight=small, runtime=first.runtime)
    assert refused.value.parameter == "weightSize"
    host = first.runtime.malloc_host(2048)
    with pytest.raises(HostError, match="weightPtr is memory of host, the model runs on device 0"):
        loaded(WEIGHTED, weight=host, runtime=first.runtime)
    first.runtime.free_host(host)
    assert state(first)["contents"] == before["contents"]


def test_ge_03_ge_11_weights_come_from_allocators_and_go_with_the_model() -> None:
    """GE-11: all that is allocated at load is the caller's allocator's; unloading frees it."""
    runtime = machine(loaded(WEIGHTED).program.topology)
    taken: list[tuple[int, str]] = []

    def allocate(size: int, name: str) -> DevicePointer:
        taken.append((size, name))
        return runtime.malloc(size)

    options = LoweringOptions(always_external_allocator=True)
    with pytest.raises(HostError, match="external allocator for placement npu was not provided"):
        loaded(WEIGHTED, options=options, runtime=runtime)
    model = loaded(WEIGHTED, options=options, runtime=runtime, allocators={"npu": allocate})
    assert [size for size, _ in taken] == [model.work_size, 1024]
    assert runtime.statistics.total.allocs == 2
    model.unload()
    assert list(runtime.allocations) == []


def test_ge_35_a_constant_is_an_output() -> None:
    """GE-35: one copy writes it to the caller's buffer."""
    model = loaded(CONSTANT_OUT)
    target = mapped(model.runtime, 0, 64)
    model.run([], [target])
    np.testing.assert_array_equal(floats(target), np.arange(16, dtype=np.float32))
    assert model.runtime.statistics.total.copy_cmds == 1
