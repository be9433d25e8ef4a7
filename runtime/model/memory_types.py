"""What memory of a model is used for, and so what has to be refreshed when an address changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, IntFlag, StrEnum


class MemoryAppType(Enum):
    """The use of memory (GE-51); its text is GE's."""

    FIX = "weight"
    """Constants and variables: the address never changes."""
    FEATURE_MAP = "feature map"
    """Temporaries: it changes when the model gets other work memory."""
    MODEL_IO = "model io"
    """Inputs and outputs: it may change at each run."""

    def __str__(self) -> str:
        return self.value

    @staticmethod
    def text(number: int) -> str:
        """The text of a value by its number, "unknown" for a number of none (GE-51)."""
        members = list(MemoryAppType)
        return str(members[number]) if 0 <= number < len(members) else "unknown"


class AddressSpace(StrEnum):
    """Kinds of memory that a logical address is in."""

    HBM = "hbm"
    VARIABLE = "variable"
    TASK_SCHEDULER = "ts"


@dataclass(frozen=True, slots=True)
class Region:
    """Bytes [start, end) of logical addresses."""

    start: int
    end: int

    def __contains__(self, address: int) -> bool:
        return self.start <= address < self.end


@dataclass(frozen=True, slots=True)
class MemoryAppTypeClassifier:
    """Tells what an address is used for, by the regions of a model's memory (GE-52).

    An address alone does not tell: those of inputs and outputs, which have no memory behind them,
    may be equal to real ones of another space (GE-53).
    """

    feature_maps: Sequence[Region] = ()
    fixed: Sequence[Region] = ()
    """Feature maps whose address never changes."""
    fused: Sequence[Region] = ()
    """Inputs and outputs that lie in a feature map."""

    def classify(self, space: AddressSpace, address: int) -> MemoryAppType:
        """The use of the memory at an address of a space."""
        if space is AddressSpace.TASK_SCHEDULER:
            return MemoryAppType.FEATURE_MAP
        if space is not AddressSpace.HBM:
            return MemoryAppType.FIX
        for regions, kind in (
            (self.fused, MemoryAppType.MODEL_IO),
            (self.fixed, MemoryAppType.FIX),
            (self.feature_maps, MemoryAppType.FEATURE_MAP),
        ):
            if any(address in region for region in regions):
                return kind
        return MemoryAppType.MODEL_IO


class Refresh(IntFlag):
    """What an argument or a task has to follow (GE-54)."""

    NONE = 0
    BY_MODEL_IO = 1
    BY_FEATURE_MAP = 2


def argument_refresh(kind: MemoryAppType, *, feature_map: bool) -> Refresh:
    """What an argument in memory of a use follows; `feature_map`: whether that one may move."""
    if kind is MemoryAppType.MODEL_IO:
        return Refresh.BY_MODEL_IO
    if kind is MemoryAppType.FEATURE_MAP and feature_map:
        return Refresh.BY_FEATURE_MAP
    return Refresh.NONE


def task_refresh(kinds: Iterable[MemoryAppType], *, feature_map: bool) -> Refresh:
    """What a task follows: all that its inputs, outputs and workspaces do (GE-54)."""
    result = Refresh.NONE
    for kind in kinds:
        result |= argument_refresh(kind, feature_map=feature_map)
    return result


class UpdatePolicy(IntEnum):
    """How much a run refreshes; each level includes those below it (GE-56)."""

    NONE = 0
    HOST_INPUT = 1
    """Contents of inputs that are copied from the host."""
    MODEL_IO = 2
    """Addresses of inputs and outputs."""
    FM_AND_MODEL_IO = 3
    """Those of temporaries, too."""
    ALL = 4


@dataclass(frozen=True, slots=True)
class RunAddresses:
    """The addresses that one run uses."""

    ios: Mapping[int, int]
    """By argument of the model's function."""
    feature_map: int | None
    """None where the model has none."""
    host_inputs: bool = False
    """Whether an input comes from the host's memory by a copy."""


def update_policy(before: RunAddresses | None, now: RunAddresses) -> UpdatePolicy:
    """The highest level that a changed address asks for; `before` is None for a first run."""
    if before is None:
        return UpdatePolicy.ALL
    if before.feature_map != now.feature_map:
        return UpdatePolicy.FM_AND_MODEL_IO
    if before.ios != now.ios:
        return UpdatePolicy.MODEL_IO
    return UpdatePolicy.HOST_INPUT if now.host_inputs else UpdatePolicy.NONE
