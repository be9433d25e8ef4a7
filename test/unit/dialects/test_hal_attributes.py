"""Joins of affinities, and texts of enumerations, as IREE has them."""

import pytest
from xdsl.dialects.builtin import ArrayAttr
from xdsl.utils.exceptions import VerifyException
from zcir.dialects.hal.affinity import (
    AffinityAttr,
    DeviceAffinityAttr,
    DeviceOptimalAttr,
    DevicePromiseAttr,
)
from zcir.dialects.hal.enum_base import HalEnumType
from zcir.dialects.hal.enums import (
    BufferUsage,
    CollectiveElementType,
    CommandCategory,
    FillFlag,
    Lifetime,
    MemoryType,
)
from zcir.dialects.hal.executable_attrs import ExecutableObjectsAttr, ExecutableTargetAttr

A, B = DeviceAffinityAttr("a"), DeviceAffinityAttr("b")
A0, A1, A01 = (DeviceAffinityAttr("a", mask) for mask in (1, 2, 3))
PROMISE = DevicePromiseAttr("a")
A_OR_B = DeviceOptimalAttr([A, B])


@pytest.mark.parametrize(
    ("one", "other", "either"),
    [
        (A, None, A),
        (A0, A1, A01),
        (A, B, A_OR_B),
        (A, PROMISE, DeviceOptimalAttr([A, PROMISE])),
        (A, A_OR_B, A_OR_B),
        (A_OR_B, None, A_OR_B),
        (DeviceOptimalAttr([A0]), A1, DeviceOptimalAttr([A01])),
        (DeviceOptimalAttr([A]), DeviceOptimalAttr([B]), A_OR_B),
    ],
)
def test_join_or(one: AffinityAttr, other: AffinityAttr | None, either: AffinityAttr) -> None:
    assert one.join_or(other) == either


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (A, None, A),
        (A01, A0, A0),
        (A, B, None),
        (A, PROMISE, None),
        (DeviceOptimalAttr([A01, B]), A0, DeviceOptimalAttr([A0, B])),
        (A_OR_B, None, A_OR_B),
    ],
)
def test_join_and(one: AffinityAttr, other: AffinityAttr | None, both: AffinityAttr | None) -> None:
    assert one.join_and(other) == both


@pytest.mark.parametrize(
    ("one", "other", "compatible"),
    [
        (A, None, True),
        (A0, A01, True),
        (A01, A0, False),
        (A, B, False),
        (A, PROMISE, False),
        (A_OR_B, None, True),
        (A_OR_B, A, False),
        (DeviceOptimalAttr([A0]), DeviceOptimalAttr([A01]), True),
    ],
)
def test_is_executable_with(
    one: AffinityAttr, other: AffinityAttr | None, compatible: bool
) -> None:
    assert one.is_executable_with(other) is compatible


def test_device_names_once_each_in_order() -> None:
    assert DeviceOptimalAttr([B, A0, A1, PROMISE]).device_names == ("b", "a")


@pytest.mark.parametrize(
    ("enum", "value", "text", "bare"),
    [
        (FillFlag, 0, "None", False),
        (CommandCategory, 1, "Transfer", True),
        (CommandCategory, 3, "Transfer|Dispatch", False),
        (BufferUsage, 3, "TransferSource|TransferTarget|Transfer", False),
        (MemoryType, 0x46, "HostVisible|HostCoherent|HostLocal", False),
        (MemoryType, 0x30, "DeviceVisible|DeviceLocal", False),
        (Lifetime, 0, "*", False),
        (Lifetime, 3, "transient", True),
        (CollectiveElementType, 12, "f8E5M2", True),
        (CollectiveElementType, 11, "bf16", True),
        (CollectiveElementType, 0, "si8", True),
    ],
)
def test_text_of_enumerations(enum: HalEnumType, value: int, text: str, bare: bool) -> None:
    assert enum.to_text(value) == (text, bare)
    assert enum.from_text(text) == value


def test_groups_of_bits_may_be_named_alone() -> None:
    assert MemoryType.from_text("HostLocal|DeviceLocal") == 0x76


def test_objects_stand_in_pairs_with_targets() -> None:
    target = ExecutableTargetAttr("a", "b")
    with pytest.raises(VerifyException, match="expected as many lists of objects as targets, got"):
        ExecutableObjectsAttr(ArrayAttr([target]), ArrayAttr([]))
