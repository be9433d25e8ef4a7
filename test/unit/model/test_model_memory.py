"""A model's memory at load and in runs, on the very numbers of the rows: GE-03 to GE-05, GE-21 to
GE-27, GE-46 to GE-48."""

from typing import Any

import numpy as np
import pytest
from model_world import filled, floats, loaded, mapped, row_ge_04_text, row_ge_21_text, state
from numpy.typing import NDArray
from zcir.runtime.host import HostError
from zcir.runtime.model import LoweringOptions, Model, PlanOptions

WIDE = PlanOptions(zero_copy_align=512)
FOUR = row_ge_21_text()
TEN = row_ge_04_text()


def four(reuse: bool | None = None, **settings: Any) -> Model:
    """The model of GE-21, with blocks of 512 bytes."""
    return loaded(FOUR, plan=WIDE, reuse=reuse, **settings)


@pytest.mark.parametrize(
    ("plan", "addresses", "end", "size"),
    [
        (WIDE, {"O0": 4096, "O1": 5120, "D1": 5632, "D0": 6144}, 7168, 3072),
        (PlanOptions(), {"O0": 4096, "O1": 4800, "D1": 5120, "D0": 5344}, 6368, 2272),
    ],
    ids=["GE-21", "GE-22"],
)
def test_ge_20_to_ge_25_of_a_program(
    plan: PlanOptions, addresses: dict[str, int], end: int, size: int
) -> None:
    """GE-20, GE-21, GE-22, GE-24, GE-25: the plan, the markers and the sizes of the row."""
    model = loaded(FOUR, plan=plan)
    made = model.plan()
    assert {block.name: block.offset for block in made.blocks} == addresses
    assert (made.feature_map_size, made.blocks[-1].end) == (4096, end)
    assert (made.memory_size, made.zero_copy_size) == (end, size)
    text = str(model.program.module)
    assert text.count("{zc.is_zero_copy_block}") == 4
    assert f"zc.zero_copy_memory_size = {size} : i64" in text


def test_ge_26_of_the_row() -> None:
    """GE-26: of 7168 bytes with 3072 for zero copy, 4096 are allocated."""
    assert four().runtime.statistics.total.alloc_bytes == 4096
    assert four(reuse=False).runtime.statistics.total.alloc_bytes == 7168


def check(model: Model, d0: float, d1: float, results: list[NDArray[np.float32]]) -> None:
    """What the model computes, and no report."""
    np.testing.assert_array_equal(results[0][:175], np.full(175, d0 + 3, np.float32))
    np.testing.assert_array_equal(results[1].reshape(-1)[:75], np.full(75, d1 + 3, np.float32))
    assert not model.runtime.check().reports


@pytest.mark.parametrize(("merge", "copies", "size"), [(True, 1, 1512), (False, 2, 1200)])
@pytest.mark.parametrize(
    ("schedule", "kind"), [("deferred", "pageable"), ("adversarial:4", "pinned")]
)
def test_ge_23_host_inputs_go_over_in_one_copy(
    merge: bool, copies: int, size: int, schedule: str, kind: str
) -> None:
    """GE-23: the same bytes arrive as with single copies."""
    model = four(reuse=False, merge_input_copies=merge, schedule=schedule)
    runtime = model.runtime
    results = [mapped(runtime, 0, size) for size in (700, 300)]
    given: list[Any] = []
    for value, bytes in ((5, 1000), (7, 200)):
        if kind == "pinned":
            pointer = runtime.malloc_host(bytes)
            pointer.view(np.float32)[:] = value
            given.append(pointer)
        else:
            given.append(filled(value, bytes))
    for call in range(2):
        before = runtime.statistics.total
        model.run(given, results)
        after = runtime.statistics.total
        # Both outputs are copied, too.
        assert after.copy_cmds - before.copy_cmds == copies + 2
        assert after.copy_bytes - before.copy_bytes == size + 1000
        assert call in (0, 1)
    check(model, 5, 7, [floats(result) for result in results])


def test_ge_23_only_host_inputs_are_merged() -> None:
    """GE-23: an input that is device memory goes over by itself; so does one that is short."""
    model = four(reuse=False)
    runtime = model.runtime
    device = runtime.malloc(200)
    runtime.memcpy(device, 200, filled(7, 200), 200)
    results = [filled(0, 700), filled(0, 300)]
    before = runtime.statistics.total
    model.run([filled(5, 1000), device], results)
    assert runtime.statistics.total.copy_cmds - before.copy_cmds == 4
    check(model, 5, 7, results)
    # D1 stands before D0, and brings half: what was there beyond must stay.
    before = runtime.statistics.total
    model.run([filled(5, 1000), filled(9, 100)], results)
    assert runtime.statistics.total.copy_cmds - before.copy_cmds == 4
    np.testing.assert_array_equal(results[1][:75], np.full(75, 12, np.float32))


def test_ge_23_inputs_with_memory_of_their_own_are_not_merged() -> None:
    """GE-23: a model that falls back has no segment for them."""
    model = four()
    results = [filled(0, 700), filled(0, 300)]
    model.run([filled(5, 1000), filled(7, 200)], results)
    assert model.runtime.statistics.total.copy_cmds == 4
    check(model, 5, 7, results)


def test_ge_46_inputs_of_no_bytes_are_skipped() -> None:
    """GE-46: with a warning; what is at its place stays."""
    model = four(reuse=False)
    runtime, results = model.runtime, [filled(0, 700), filled(0, 300)]
    model.run([filled(5, 1000), filled(7, 200)], results)
    before = runtime.statistics.total
    nothing = np.empty(0, np.float32)
    (warning,) = model.bind([filled(6, 1000), nothing], results).warnings
    assert warning == "input 1 has no bytes: none are copied, the model uses 200"
    model.run([filled(6, 1000), nothing], results)
    after = runtime.statistics.total
    # One copy in, two out.
    assert after.copy_cmds - before.copy_cmds == 3
    check(model, 6, 7, results)


def test_ge_47_sizes_of_the_row() -> None:
    """GE-47: of 1000 bytes, 936 will do and 935 will not; 2000 draw a warning."""
    model = four(reuse=True)
    runtime = model.runtime
    rest = mapped(runtime, 1, 200), [mapped(runtime, 0, size) for size in (700, 300)]
    with pytest.raises(HostError, match=r"provided 935 bytes .* less than the tensor size 1000"):
        model.bind([mapped(runtime, 1, 935), rest[0]], rest[1])
    assert model.bind([mapped(runtime, 1, 936), rest[0]], rest[1]).warnings == ()
    assert len(model.bind([mapped(runtime, 1, 2000), rest[0]], rest[1]).warnings) == 1
    with pytest.raises(HostError, match=r"OUT_OF_RANGE.*at least 700 bytes, got 640"):
        model.run([mapped(runtime, 1, 1000), rest[0]], [mapped(runtime, 0, 640), rest[1][1]])


def test_ge_48_one_output_in_place_and_one_copied() -> None:
    """GE-48: O1 is copy-only."""
    model = four()
    runtime = model.runtime
    offset = model.plan().outputs[1].offset
    assert offset is not None
    model.disable_zero_copy(offset)
    results = [mapped(runtime, 0, size) for size in (700, 300)]
    model.run([mapped(runtime, 5, 1000), mapped(runtime, 7, 200)], results)
    assert runtime.statistics.total.copy_cmds == 1
    check(model, 5, 7, [floats(result) for result in results])


@pytest.mark.parametrize(("reuse", "own", "copies"), [(False, 10240, 2), (True, 6144, 0)])
def test_ge_04_of_the_row(reuse: bool, own: int, copies: int) -> None:
    """GE-04: off, 10240 bytes and two copies a run; on, 6144 and none."""
    model = loaded(TEN, reuse=reuse)
    runtime = model.runtime
    assert runtime.statistics.total.alloc_bytes == own
    source, target = mapped(runtime, 4, 2048), mapped(runtime, 0, 2048)
    before = runtime.statistics.total
    for _ in range(10):
        model.run([source], [target])
    after = runtime.statistics.total
    assert after.copy_cmds - before.copy_cmds == 10 * copies
    assert after.allocs == before.allocs
    np.testing.assert_array_equal(floats(target), filled(7, 2048))
    assert not runtime.check().reports


def test_ge_03_ge_05_of_the_row() -> None:
    """GE-03: 6144 bytes of work memory will do and 6143 will not. GE-05: a pageable input asks for
    all 10240."""
    first = loaded(TEN, reuse=True)
    runtime = first.runtime
    small, enough, all_of_it = (runtime.malloc(size) for size in (6143, 6144, 10240))
    before = state(first)
    with pytest.raises(HostError, match="mem_size=6143, required_minimum_size=6144"):
        loaded(TEN, reuse=True, work=small, runtime=runtime)
    assert state(first) == before
    model = loaded(TEN, reuse=True, work=enough, runtime=runtime)
    target = mapped(runtime, 0, 2048)
    before = state(model)
    with pytest.raises(
        HostError, match=r"input 0 is located in host memory .*available: 6144, required: 10240"
    ):
        model.run([filled(4, 2048)], [target])
    assert state(model) == before
    served = loaded(TEN, reuse=True, work=all_of_it, runtime=runtime)
    copied = runtime.statistics.total.copy_cmds
    served.run([filled(4, 2048)], [target])
    assert runtime.statistics.total.copy_cmds == copied + 1
    np.testing.assert_array_equal(floats(target), filled(7, 2048))


def test_ge_57_buffers_are_reused_across_runs() -> None:
    """GE-57: two sets of buffers in turn cost refreshes alone; the same set costs none."""
    for reuse in (True, None):
        model = loaded(TEN, reuse=reuse)
        runtime = model.runtime
        sets = [(mapped(runtime, k, 2048), mapped(runtime, 0, 2048)) for k in (1, 5)]
        model.run([sets[0][0]], [sets[0][1]])
        before = runtime.statistics.total
        model.run([sets[0][0]], [sets[0][1]])
        assert runtime.statistics.total.slots_refreshed == before.slots_refreshed
        for call in range(100):
            source, target = sets[call % 2]
            model.run([source], [target])
        after = runtime.statistics.total
        assert (after.allocs, after.recordings) == (before.allocs, 1)
        assert after.copy_cmds == 0
        assert after.slots_refreshed > before.slots_refreshed
        assert [floats(target)[0] for _, target in sets] == [4, 8]


def test_ge_62_output_memory_that_cannot_be_had() -> None:
    """GE-62: allocations 0, 1 and 1 for a buffer, none, and a host buffer; a failure is told, and
    has no effect."""
    model = loaded(TEN)
    runtime, source = model.runtime, mapped(model.runtime, 4, 2048)
    counts: list[tuple[int, int]] = []
    for target in (mapped(runtime, 0, 2048), None, filled(0, 2048)):
        before = runtime.statistics.total
        model.run([source], [target])
        after = runtime.statistics.total
        counts.append((after.allocs - before.allocs, after.copy_cmds - before.copy_cmds))
    # A pageable buffer is copied through a staging buffer of the runtime.
    assert counts[:2] == [(0, 0), (1, 0)]
    assert counts[2][1] == 1

    def none(size: int, name: str) -> None:
        return None

    external = LoweringOptions(always_external_allocator=True)
    work = runtime.malloc(6144)
    refused = loaded(TEN, options=external, runtime=runtime, work=work, allocators={"npu": none})
    before = state(refused)
    with pytest.raises(HostError, match="Failed to alloc model output, alloc size 2048") as error:
        refused.run([source], [None])
    assert error.value.parameter == "output 0"
    assert state(refused) == before
