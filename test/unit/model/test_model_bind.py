"""Inputs and outputs in the caller's memory: bound, refused, or copied."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from model_world import COUNT, SIZE, filled, floats, loaded, mapped, state, sum_text
from zcir.runtime.host import HostError, Runtime
from zcir.runtime.model import LoweringOptions, Model, run_single_op

STRICT = LoweringOptions(always_zero_copy=True)
ONE = sum_text(1)
TWO = sum_text(2)


@pytest.mark.parametrize("memory", ["coherent", "noncoherent"])
@pytest.mark.parametrize("schedule", ["deferred", "random:1", "adversarial:2"])
def test_ge_01_ge_02_inputs_and_outputs_are_bound(memory: str, schedule: str) -> None:
    """GE-01, GE-02."""
    model = loaded(ONE, memory, schedule=schedule)
    total = model.runtime.statistics
    target = mapped(model.runtime)
    sources = [mapped(model.runtime, value) for value in (1, 5)]
    allocs, size = total.total.allocs, total.total.alloc_bytes
    for source, expected in zip(sources, (2, 6), strict=True):
        (result,) = model.run([source], [target])
        assert result is target
        np.testing.assert_array_equal(floats(target), np.full(COUNT, expected, np.float32))
    assert (total.total.copy_cmds, total.total.allocs) == (0, allocs)
    assert total.total.alloc_bytes == size
    assert total.total.fallbacks == 0
    assert not model.runtime.check().reports
    assert not model.runtime.host_access.hazards


@pytest.mark.parametrize("memory", ["coherent", "noncoherent"])
@pytest.mark.parametrize("calls", [50, pytest.param(1000, marks=pytest.mark.deep)])
def test_fresh_buffers_at_each_call_are_recorded_once(memory: str, calls: int) -> None:
    """GE-43: a model of two inputs; what has a new address is refreshed and nothing else."""
    model = loaded(TWO, memory, schedule="adversarial:3")
    runtime = model.runtime
    fixed, target = mapped(runtime, 1), mapped(runtime)
    model.run([fixed, fixed], [target])
    total = runtime.statistics.total
    refreshed: list[int] = []
    for call in range(calls):
        fresh = mapped(runtime, call)
        model.run([fresh, fixed], [target])
        assert floats(target)[-1] == call + 2
        refreshed.append(runtime.statistics.total.slots_refreshed)
        runtime.host_unregister(fresh)
        if call % 2:
            runtime.free_host(fresh)
    after = runtime.statistics.total
    assert (after.copy_cmds, after.recordings) == (0, total.recordings)
    # An input is read by one dispatch and invalidated by one command; memory that was freed may
    # come back, so that its address is the one of the call before.
    assert set(np.diff([total.slots_refreshed, *refreshed])) <= {0, 2}
    assert not runtime.check().reports


Make = Callable[[Runtime], Any]
"""Makes an input or output on a machine."""
Refusal = tuple[str, dict[str, Any], list[Make], list[Make], str]
"""Program, settings, inputs, outputs, and what the message says."""


def _device(size: int = SIZE) -> Make:
    return lambda runtime: runtime.malloc(size)


def _mapped(size: int = SIZE) -> Make:
    return lambda runtime: mapped(runtime, 171, size)


def _pageable(size: int = SIZE) -> Make:
    return lambda runtime: filled(171, size)


def _null(runtime: Runtime) -> None:
    return None


def _null_of_a_size(runtime: Runtime) -> tuple[None, int]:
    return None, 16


def _freed(runtime: Runtime) -> Any:
    pointer = runtime.malloc(SIZE)
    runtime.free(pointer)
    return pointer


def _unregistered(runtime: Runtime) -> Any:
    pointer = mapped(runtime, 171)
    name = runtime.host_get_device_pointer(pointer)
    runtime.host_unregister(pointer)
    return name


def _read_only(runtime: Runtime) -> Any:
    return mapped(runtime, 171).read_only()


def _frozen(runtime: Runtime) -> Any:
    array = filled(171)
    array.flags.writeable = False
    return array


def _apart(runtime: Runtime) -> Any:
    return filled(171, 2 * SIZE)[::2]


def _doubles(runtime: Runtime) -> Any:
    return np.full(COUNT, 171.0)


REFUSALS: dict[str, Refusal] = {
    "GE-46 missing input": (
        TWO, {}, [_mapped(), _null], [_mapped()],
        "required input 1 is not provided by user, while the total input data num is 1",
    ),
    "GE-46 too many inputs": (ONE, {}, [_mapped(), _mapped()], [_mapped()], "size:2 != .*size:1"),
    "GE-48 outputs": (ONE, {}, [_mapped()], [], "output_data.blobs.size:0 != .*info.size:1"),
    "GE-46 long copied input": (
        ONE, {"reuse": False}, [_pageable(SIZE + 4)], [_pageable()],
        f"input data size.{SIZE + 4}. is bigger than model required size.{SIZE}.",
    ),
    "GE-48 short copied output": (
        ONE, {"reuse": False}, [_pageable()], [_pageable(1000)],
        f"given buffer size 1000 is less than output tensor size {SIZE} of output 0",
    ),
    "GE-47 short input": (
        ONE, {"reuse": True}, [_mapped(SIZE - 65)], [_mapped()],
        f"provided {SIZE - 65} bytes of buffer size plus the aligned 64 bytes is less than the "
        f"tensor size {SIZE} bytes required by the model: input 0",
    ),
    "GE-47 short output": (
        ONE, {"reuse": True}, [_mapped()], [_mapped(SIZE - 65)], "required by the model: output 0"
    ),
    "GE-05 host input": (
        ONE, {"reuse": True}, [_pageable()], [_mapped()],
        "reuse mode is enabled, requiring all I/O tensors to be allocated in device memory, but "
        f"input 0 is located in host memory .*available: 0, required: {2 * SIZE}",
    ),
    "GE-05 host output": (
        ONE, {"reuse": True}, [_mapped()], [_pageable()], "output 0 is located in host memory"
    ),
    "GE-01 GE-66 host input": (
        ONE, {"options": STRICT}, [_pageable()], [_mapped()],
        "input 0 placement host does not match required placement device 0.* DEVICE_VISIBLE",
    ),
    "GE-09 GE-64 GE-70 no output": (
        ONE, {"options": STRICT}, [_mapped()], [_null],
        "output tensor and its address must be allocated and passed by the caller: output 0",
    ),
    "GE-65 GE-70 short output": (
        ONE, {"options": STRICT}, [_mapped()], [_mapped(SIZE - 1)],
        f"memory size {SIZE - 1} is smaller than the actual size {SIZE} required by tensor",
    ),
    "GE-66 GE-70 host output": (
        ONE, {"options": STRICT}, [_mapped()], [_pageable()],
        "output 0 placement host does not match required placement device 0",
    ),
    "GE-68 short output": (
        ONE, {}, [_mapped()], [_device(1000)],
        f"given buffer size 1000 is less than output tensor size {SIZE}",
    ),
    "GE-74 null of a size": (
        ONE, {}, [_mapped()], [_null_of_a_size], "data is null but size is 16"
    ),
    "freed input": (ONE, {}, [_freed], [_mapped()], "input 0 refers to freed memory: dev"),
    "freed output": (ONE, {}, [_mapped()], [_freed], "output 0 refers to freed memory: dev"),
    "unregistered input": (
        ONE, {}, [_unregistered], [_mapped()], "input 0 refers to an unregistered mapping: host"
    ),
    "read-only output": (ONE, {}, [_mapped()], [_read_only], "output 0 is read-only memory"),
    "frozen output": (ONE, {"reuse": False}, [_pageable()], [_frozen], "output 0 is read-only"),
    "strided input": (ONE, {}, [_apart], [_mapped()], "input 0: buffer must be C-contiguous"),
    "GE-66 other elements": (
        ONE, {}, [_mapped()], [_doubles], "output 0 has elements of float64, the model has f32"
    ),
    "a list": (ONE, {}, [lambda runtime: [1, 2]], [_mapped()], "input 0 is of type list; give an"),
    "a number": (ONE, {}, [_mapped()], [lambda runtime: 5], "output 0 is of type int; give an"),
    "a short tuple": (
        ONE, {}, [_mapped()], [lambda runtime: (None,)], "output 0 is .*without an address give"
    ),
    "another machine": (
        ONE, {}, [lambda runtime: mapped(loaded(ONE).runtime, 1)], [_mapped()],
        "input 0 is memory of another machine: host",
    ),
    "GE-46 two inputs": (
        ONE, {}, [_mapped(), _mapped()], [_mapped()], "input_data.blobs.size:2 != input_data_info"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_refused_calls_change_nothing(case: str) -> None:
    """Refusals of GE-01, GE-05, GE-09, GE-46 to GE-48, GE-64 to GE-66, GE-68, GE-70, GE-74."""
    text, settings, inputs, outputs, message = REFUSALS[case]
    model = loaded(text, **settings)
    given = [make(model.runtime) for make in inputs]
    wanted = [make(model.runtime) for make in outputs]
    before = state(model)
    with pytest.raises(HostError, match=message) as refused:
        model.run(given, wanted)
    assert refused.value.code in (145000, 107000)
    assert str(refused.value).startswith("aclmdlExecute: ")
    assert refused.value.parameter
    assert state(model) == before
    for buffer in (*given, *wanted):
        if isinstance(buffer, np.ndarray):
            assert np.all(buffer == 171)  # pyright: ignore[reportUnknownArgumentType]


def test_ge_47_ge_65_sizes_that_are_accepted() -> None:
    """GE-47: 64 bytes less are let pass, and what runs is bounded by what is there. GE-65."""
    model = loaded(ONE, reuse=True)
    runtime = model.runtime
    wide, short = mapped(runtime, 2, 2 * SIZE), mapped(runtime, 2, SIZE - 64)
    target = mapped(runtime)
    assert model.bind([mapped(runtime, 1)], [target]).warnings == ()
    (warning,) = model.bind([wide], [target]).warnings
    assert f"{2 * SIZE} bytes, the model uses {SIZE}" in warning
    model.run([wide], [target])
    assert floats(target)[-1] == 3
    model.bind([short], [target])
    with pytest.raises(HostError, match=f"OUT_OF_RANGE.*at least {SIZE} bytes, got {SIZE - 64}"):
        model.run([short], [target])
    strict = loaded(ONE, options=STRICT)
    for size in (SIZE, 4 * SIZE):
        strict.run([mapped(strict.runtime, 1)], [mapped(strict.runtime, None, size)])


@pytest.mark.parametrize(
    ("reuse", "copies"), [(False, 2), (True, 0), (None, 0)], ids=["GE-04 0", "GE-04 1", "bound"]
)
def test_ge_04_ge_73_who_owns_inputs_and_outputs(reuse: bool | None, copies: int) -> None:
    """GE-04, GE-73: with reuse the model has no memory for them and copies nothing."""
    own = loaded(ONE, reuse=reuse)
    runtime = own.runtime
    allocated = runtime.statistics.total.alloc_bytes
    assert allocated == own.work_size == (2 * SIZE if reuse is False else 0)
    source, target = mapped(runtime, 3), mapped(runtime)
    before = runtime.statistics.total
    for _ in range(10):
        own.run([source], [target])
    after = runtime.statistics.total
    assert after.copy_cmds - before.copy_cmds == 10 * copies
    assert after.allocs == before.allocs
    np.testing.assert_array_equal(floats(target), filled(4))


def test_ge_05_host_inputs_are_copied_where_the_model_has_a_place() -> None:
    """GE-05: work memory that holds the zero-copy segment too."""
    first = loaded(ONE, reuse=True)
    work = first.runtime.malloc(2 * SIZE)
    model = loaded(ONE, reuse=True, work=work, runtime=first.runtime)
    target = mapped(model.runtime)
    model.run([filled(8)], [target])
    assert model.runtime.statistics.total.copy_cmds == 1
    np.testing.assert_array_equal(floats(target), filled(9))


FALLBACKS: dict[str, tuple[Make, int, int]] = {
    "GE-62 none": (_null, 1, 0),
    "GE-62 pageable": (_pageable(), 1, 1),
    "GE-62 device": (_device(), 0, 0),
    "GE-66 mapped": (_mapped(), 0, 0),
}


@pytest.mark.parametrize("case", FALLBACKS)
def test_ge_69_outputs_fall_back(case: str) -> None:
    """GE-62, GE-68, GE-69: allocated where there is none, copied where it cannot be bound."""
    make, fallbacks, copies = FALLBACKS[case]
    model = loaded(ONE)
    runtime = model.runtime
    given = make(runtime)
    (result,) = model.run([mapped(runtime, 6)], [given])
    total = runtime.statistics.total
    assert (total.fallbacks, total.copy_cmds) == (fallbacks, copies)
    host = result
    if not isinstance(result, np.ndarray):
        host = np.zeros(COUNT, np.float32)
        runtime.memcpy(host, SIZE, result, SIZE)  # pyright: ignore[reportArgumentType]
    np.testing.assert_array_equal(host, filled(7))


def test_ge_01_ge_46_host_inputs_fall_back_to_a_copy() -> None:
    """GE-01, GE-46: by default an input that the device does not reach is copied to memory of the
    model, which is allocated once; device memory is bound."""
    model = loaded(ONE)
    runtime, target = model.runtime, mapped(model.runtime)
    for value, copies, allocs in ((3, 1, 1), (4, 1, 0)):
        before = runtime.statistics.total
        model.run([filled(value)], [target])
        after = runtime.statistics.total
        assert after.copy_cmds - before.copy_cmds == copies
        # Each copy stages the array in memory of the runtime.
        assert after.allocs - before.allocs == allocs + 1
        assert after.fallbacks - before.fallbacks == 1
        np.testing.assert_array_equal(floats(target), filled(value + 1))
    device = runtime.malloc(SIZE)
    runtime.memcpy(device, SIZE, filled(5), SIZE)
    before = runtime.statistics.total
    model.run([device], [target])
    assert runtime.statistics.total.copy_cmds == before.copy_cmds
    np.testing.assert_array_equal(floats(target), filled(6))


def test_ge_74_an_output_without_address_is_allocated_for_the_caller() -> None:
    """GE-74: it is the caller's to free, once."""
    model = loaded(ONE, reuse=True)
    runtime = model.runtime
    (result,) = model.run([mapped(runtime, 1)], [(None, 0)])
    assert not isinstance(result, np.ndarray)
    assert result.size == SIZE
    runtime.free(result)  # pyright: ignore[reportArgumentType]
    with pytest.raises(HostError, match="freed"):
        runtime.free(result)  # pyright: ignore[reportArgumentType]


def test_ge_75_loads_of_one_model_with_other_options_coexist() -> None:
    """GE-75."""
    lenient = loaded(ONE)
    strict = loaded(ONE, options=STRICT, runtime=lenient.runtime)
    source = mapped(lenient.runtime, 1)
    lenient.run([source], [None])
    with pytest.raises(HostError, match="passed by the caller"):
        strict.run([source], [None])
    lenient.run([source], [None])
    assert (strict.number, strict.options.always_zero_copy) != (lenient.number, False)


def test_ge_13_ge_72_a_single_operator_is_strict() -> None:
    """GE-13, GE-72: nothing is allocated or copied, whatever the options say."""
    op = loaded(sum_text(2, 256))
    runtime = op.runtime
    x, y, z = (mapped(runtime, value, 1024) for value in (1, 2, 0))
    before = runtime.statistics.total
    run_single_op(op, [x, y], [z], options=LoweringOptions())
    after = runtime.statistics.total
    assert (after.allocs, after.copy_cmds) == (before.allocs, before.copy_cmds)
    np.testing.assert_array_equal(floats(z), filled(4, 1024))
    with pytest.raises(HostError, match="passed by the caller: output 0"):
        run_single_op(op, [x, y], [None])
    assert runtime.statistics.total.allocs == before.allocs


def test_ge_73_models_that_are_unloaded_or_running_are_refused() -> None:
    """GE-73."""
    model = loaded(ONE)
    source, target = mapped(model.runtime, 1), mapped(model.runtime)
    model.run([source], [target])
    model.unload()
    with pytest.raises(HostError, match="is unloaded") as refused:
        model.run([source], [target])
    assert refused.value.code == 100011
    with pytest.raises(HostError, match="is unloaded"):
        model.unload()
    assert model.runtime.statistics.total.copy_cmds == 0


def test_ge_67_the_caller_s_memory_is_not_retained() -> None:
    """GE-67: it can be freed after the run, and stays when the model goes."""
    model = loaded(ONE, options=STRICT)
    runtime: Runtime = model.runtime
    source, target = mapped(runtime, 1), runtime.malloc(SIZE)
    model.run([source], [target])
    assert target.allocation.holders == []
    model.unload()
    assert target.allocation.alive
    runtime.free(target)


def _own(model: Model) -> int:
    return model.runtime.statistics.total.alloc_bytes


def test_ge_26_the_zero_copy_segment_is_not_allocated() -> None:
    """GE-26: memory for all but the zero-copy part."""
    model = loaded(TWO, reuse=True)
    plan = model.plan()
    assert _own(model) == plan.memory_size - plan.zero_copy_size
    assert _own(loaded(TWO, reuse=False)) == plan.memory_size
