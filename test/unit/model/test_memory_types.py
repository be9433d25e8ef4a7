"""What a model's memory is used for, and what a run refreshes: GE-51 to GE-54, GE-56."""

import pytest
from model_world import filled, loaded, mapped, sum_text
from zcir.runtime.model.memory_types import (
    AddressSpace,
    MemoryAppType,
    MemoryAppTypeClassifier,
    Refresh,
    Region,
    RunAddresses,
    UpdatePolicy,
    task_refresh,
    update_policy,
)

FIX, FM, IO = MemoryAppType.FIX, MemoryAppType.FEATURE_MAP, MemoryAppType.MODEL_IO
HBM, VARIABLE = AddressSpace.HBM, AddressSpace.VARIABLE


def test_ge_51_texts() -> None:
    texts = [MemoryAppType.text(number) for number in range(4)]
    assert texts == ["weight", "feature map", "model io", "unknown"]
    assert MemoryAppType.text(-1) == "unknown"


@pytest.mark.parametrize(
    ("space", "address", "expected"),
    [
        (HBM, 100, FM),
        (HBM, 4095, FM),
        (HBM, 4096, FIX),
        (HBM, 4200, FIX),
        (HBM, 5000, IO),
        (HBM, 64, IO),
        (VARIABLE, 100, FIX),
        (AddressSpace.TASK_SCHEDULER, 5000, FM),
    ],
)
def test_ge_52_ge_53_use_by_space_and_address(
    space: AddressSpace, address: int, expected: MemoryAppType
) -> None:
    classifier = MemoryAppTypeClassifier(
        feature_maps=[Region(0, 4096)], fixed=[Region(4096, 4608)], fused=[Region(64, 96)]
    )
    assert classifier.classify(space, address) is expected


@pytest.mark.parametrize(
    ("kinds", "feature_map", "expected"),
    [
        ((IO, FM, FIX), True, 3),
        ((IO, FM, FIX), False, 1),
        ((FM, FIX), True, 2),
        ((FIX, FIX), True, 0),
    ],
)
def test_ge_54_a_task_follows_what_its_arguments_do(
    kinds: tuple[MemoryAppType, ...], feature_map: bool, expected: int
) -> None:
    assert task_refresh(kinds, feature_map=feature_map) == Refresh(expected)


def test_ge_56_the_highest_level_of_what_changed() -> None:
    first = RunAddresses({0: 64, 1: 128}, 0)
    assert update_policy(None, first) == 4
    assert update_policy(first, first) == 0
    assert update_policy(first, RunAddresses({0: 64, 1: 128}, 0, host_inputs=True)) == 1
    assert update_policy(first, RunAddresses({0: 192, 1: 128}, 0)) == 2
    assert update_policy(first, RunAddresses({0: 192, 1: 128}, 4096)) == 3


def test_ge_56_of_runs() -> None:
    model = loaded(sum_text(1))
    runtime = model.runtime
    first, second, target = mapped(runtime, 1), mapped(runtime, 2), mapped(runtime)
    policies: list[UpdatePolicy] = []
    for source in (first, first, second, second):
        model.run([source], [target])
        policies.append(model.policy)
    assert policies == [4, 0, 2, 0]
    for expected in (2, 1):
        model.run([filled(3)], [target])
        assert model.policy == expected
