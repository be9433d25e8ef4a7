"""Options and memory of a load, addresses of inputs and outputs, and what is refreshed."""

from typing import Any

import numpy as np
import pytest
from model_world import SIZE, filled, floats, kernel, loaded, mapped, program, state, sum_text
from xdsl.dialects.builtin import IntegerAttr, i64
from zcir.dialects.diagnostics import OpError
from zcir.dialects.io_plan import MEMORY_SIZE, ZERO_COPY_MEMORY_SIZE
from zcir.runtime.host import DevicePointer, HostError
from zcir.runtime.model import LoweringOptions, effective_reuse, load, set_config
from zcir.runtime.model.levels import REUSE_ZERO_COPY_MEMORY, ConfigAttribute
from zcir.runtime.model.zero_copy_offset import OutsideAddresses, ZeroCopyOffset, lookup

KEY = REUSE_ZERO_COPY_MEMORY
ONE = sum_text(1)


def chain() -> str:
    """x is read by two dispatches of three, and there are two temporaries."""
    tensor = "tensor<1024xf32>"
    body = f"""
  util.func public @f(%x: !hal.buffer_view, %w: !hal.buffer_view) -> !hal.buffer_view {{
    %t = hal.tensor.import %x "x" : !hal.buffer_view -> {tensor}
    %u = hal.tensor.import %w "w" : !hal.buffer_view -> {tensor}
    %a = flow.dispatch @k::@k(%t, %u) : ({tensor}, {tensor}) -> {tensor}
    %b = flow.dispatch @k::@k(%a, %t) : ({tensor}, {tensor}) -> {tensor}
    %c = flow.dispatch @k::@k(%b, %a) : ({tensor}, {tensor}) -> {tensor}
    %e = hal.tensor.export %c "y" : {tensor} -> !hal.buffer_view
    util.return %e : !hal.buffer_view
  }}"""
    return program(body, kernel("k", 2, 1024))


Levels = tuple[dict[str, str], dict[str, str], dict[str, str]]
LEVELS: list[tuple[Levels, bool | None]] = [
    (({KEY: "1"}, {KEY: "0"}, {}), False),
    (({KEY: "1"}, {KEY: "0"}, {KEY: "1"}), True),
    (({KEY: "1"}, {}, {}), True),
    (({}, {}, {}), None),
]


@pytest.mark.parametrize(("levels", "expected"), LEVELS)
def test_ge_06_the_nearest_level_wins(levels: Levels, expected: bool | None) -> None:
    assert effective_reuse(*levels) is expected


@pytest.mark.parametrize(
    ("level", "message"),
    [({"ge.x": "1"}, "unsupported option ge.x at the session"), ({KEY: "2"}, 'is "2"; expected')],
)
def test_ge_06_unknown_options_are_refused(level: dict[str, str], message: str) -> None:
    with pytest.raises(HostError, match=message):
        effective_reuse({}, level)


def test_ge_04_the_attribute_becomes_the_option() -> None:
    """GE-04: with its refusals."""
    attribute = ConfigAttribute.WORKSPACE_MEM_OPTIMIZE
    assert effective_reuse(set_config(attribute, 1, 8)) is True
    for value, size, message in (
        (2, 8, r"type\[2\] is invalid, it should be in \[0, 1\]"),
        (1, 4, r"valueSize\[4\] is invalid, it should be 8"),
    ):
        with pytest.raises(HostError, match=message) as refused:
            set_config(attribute, value, size)
        assert refused.value.code == 100000


def test_ge_07_options_are_four_switches() -> None:
    """GE-07."""
    assert LoweringOptions() == LoweringOptions(False, False, False, False)
    with pytest.raises(HostError, match="always_zero_copy"):
        LoweringOptions(always_zero_copy=1)  # pyright: ignore[reportArgumentType]
    with pytest.raises(HostError, match="LoweringOption has no field fast"):
        LoweringOptions.of(fast=True)


def test_ge_27_the_total_is_no_less_than_the_zero_copy_part() -> None:
    """GE-27: attributes that say otherwise are refused before anything is allocated."""
    first = loaded(ONE)
    module = first.program.module.clone()
    module.attributes[MEMORY_SIZE] = IntegerAttr(1024, i64)
    module.attributes[ZERO_COPY_MEMORY_SIZE] = IntegerAttr(2048, i64)
    before = state(first)
    message = r"total mem size\[1024\] is less than zero copy size\[2048\]"
    with pytest.raises(OpError, match=message):
        load(module, runtime=first.runtime)
    assert state(first) == before


def test_ge_03_work_memory_is_the_caller_s() -> None:
    """GE-03: shared by models that run one after the other, and held while they are loaded."""
    first = loaded(chain())
    runtime, size = first.runtime, first.work_size
    assert size == first.plan().memory_size - first.plan().zero_copy_size > 0
    work = runtime.malloc(size)
    before = runtime.statistics.total.alloc_bytes
    models = [loaded(chain(), work=work, runtime=runtime) for _ in range(2)]
    assert runtime.statistics.total.alloc_bytes == before
    x, w, y = (mapped(runtime, value) for value in (1, 2, 0))
    before = runtime.statistics.total.allocs
    for model in models:
        model.run([x, w], [y])
        # a = 1 + 2 + 1, b = a + 1 + 1, c = b + a + 1
        np.testing.assert_array_equal(floats(y), filled(11))
    assert runtime.statistics.total.allocs == before
    with pytest.raises(HostError, match=f"is referenced by model {models[0].number}"):
        runtime.free(work)
    for model in models:
        model.unload()
    runtime.free(work)


def test_ge_03_work_memory_that_is_too_small_is_refused() -> None:
    """GE-03: both numbers are in the message, and nothing has changed."""
    model = loaded(chain())
    small = model.runtime.malloc(model.work_size - 1)
    before = state(model)
    numbers = f"mem_size={model.work_size - 1}, required_minimum_size={model.work_size}"
    with pytest.raises(HostError, match=f"Invalid mem param: {numbers}") as refused:
        loaded(chain(), work=small, runtime=model.runtime)
    assert refused.value.code == 145000
    assert state(model) == before


def test_ge_11_all_memory_comes_from_allocators_of_the_caller() -> None:
    """GE-11."""
    external = LoweringOptions(always_external_allocator=True)
    runtime = loaded(chain()).runtime
    taken: list[int] = []

    def allocate(size: int, name: str) -> DevicePointer:
        taken.append(size)
        return runtime.malloc(size, name=name)

    with pytest.raises(HostError, match="allocator for placement npu was not provided"):
        loaded(chain(), options=external, runtime=runtime, allocators={"host": allocate})
    before = runtime.statistics.total.allocs
    allocators = {"npu": allocate}
    model = loaded(chain(), options=external, runtime=runtime, allocators=allocators)
    x, w = mapped(runtime, 1), mapped(runtime, 1)
    made = runtime.statistics.total.allocs - before - 2
    model.run([x, w], [None])
    assert taken == [model.work_size, SIZE]
    assert runtime.statistics.total.allocs - before - 2 == made + 1 == len(taken)


def test_ge_43_only_slots_with_a_new_address_are_refreshed() -> None:
    """GE-42, GE-43: three dispatches of nine references, two of them of x.

    A third is that of the command that invalidates x before they read it.
    """
    model = loaded(chain(), "coherent")
    runtime = model.runtime
    w, y = mapped(runtime, 1), mapped(runtime)
    a, b = mapped(runtime, 1), mapped(runtime, 2)
    counts: list[int] = []
    for x in (a, a, b):
        before = runtime.statistics.total.slots_refreshed
        model.run([x, w], [y])
        counts.append(runtime.statistics.total.slots_refreshed - before)
    assert counts[1:] == [0, 3]
    assert runtime.statistics.total.recordings == 1


def test_ge_49_copy_only_addresses_are_copied_and_never_replaced() -> None:
    """GE-49."""
    model = loaded(ONE, "coherent")
    runtime, target = model.runtime, mapped(model.runtime)
    info = lookup(model.addresses.inputs, 0, "input")
    model.disable_zero_copy(info.basic_address + 8)
    assert not model.copy_only
    model.disable_zero_copy(info.basic_address)
    assert model.copy_only == {info.basic_address}
    model.run([mapped(runtime, 9)], [target])
    before = runtime.statistics.total
    for value in range(3):
        model.run([mapped(runtime, value)], [target])
        np.testing.assert_array_equal(floats(target), filled(value + 1))
    after = runtime.statistics.total
    assert after.copy_cmds - before.copy_cmds == 3
    assert after.slots_refreshed == before.slots_refreshed


def test_ge_38_to_ge_40_addresses_of_inputs_and_outputs() -> None:
    """GE-38, GE-39, GE-40."""
    plain = ZeroCopyOffset.of_input(0, 4096, 0x10000)
    assert plain.data_info == ((4096, 0x10000),)
    assert (plain.relative_offsets, plain.data_count) == ((0,), 1)
    parts = [(4096, 0), (0, 7), (4096, 256)]
    fused = ZeroCopyOffset.of_input(0, 64, 0x10000, 4096, parts)
    assert (fused.addresses, fused.data_count) == ((0x10000, 0x10100), 2)
    output = ZeroCopyOffset.of_output(0, 64, 0x2000, 4096, [(4096, -64)])
    assert output.addresses == (0x1FC0,)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ZeroCopyOffset.of_input(0, 4, 0, 0, [(0, -1)]),
            "offset -1 of input 0 is negative",
        ),
        (lambda: ZeroCopyOffset.of_input(0, 4, 2**64 - 1, 0, [(0, 1)]), "no address of 64 bits"),
        (lambda: ZeroCopyOffset.of_output(0, None, 0), "Get input TensorSize of output 0 failed"),
        (
            lambda: lookup({0: ZeroCopyOffset.of_output(0, 4, 0)}, 3, "output"),
            "Can't find in output_data_info, size:1, Index:3",
        ),
    ],
    ids=["GE-39 before", "GE-39 overflow", "GE-40", "GE-44"],
)
def test_addresses_that_are_refused(make: Any, message: str) -> None:
    with pytest.raises(HostError, match=message):
        make()


def test_ge_41_ge_42_ge_49_addresses_are_registered_once() -> None:
    """GE-41, GE-42, GE-49."""
    addresses = OutsideAddresses()
    addresses.record([0x9000], 0x2000)
    for ordinal in range(2):
        addresses.register(ZeroCopyOffset.of_input(ordinal, 64, 0x9000))
    addresses.register(ZeroCopyOffset.of_input(2, 64, 0x100, 0, [(0, 0), (0, 32)]))
    addresses.record([0x9000, 0x500, 0x9000], 0x2000, 16)
    assert addresses.positions == {0x9000: [0x2010, 0x2020], 0x100: [], 0x120: []}
    for address in (0x9000, 0x100, 0x500):
        addresses.disable(address)
    assert addresses.copy_only == {0x9000}


def test_ge_44_inputs_and_outputs_by_ordinal() -> None:
    """GE-44."""
    model = loaded(sum_text(2))
    assert set(model.addresses.inputs) == {0, 1}
    assert set(model.addresses.outputs) == {0}
