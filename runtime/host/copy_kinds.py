"""Which way a copy goes: what the caller says (`aclrtMemcpyKind`) and what the addresses say."""

from enum import IntEnum, StrEnum

from .operands import Operand


class MemcpyKind(IntEnum):
    """The direction of a copy as callers state it (CP-01). The addresses decide (CP-02)."""

    HOST_TO_HOST = 0
    HOST_TO_DEVICE = 1
    DEVICE_TO_HOST = 2
    DEVICE_TO_DEVICE = 3
    """Within a device or between two."""
    DEFAULT = 4
    """Whatever the addresses say."""
    HOST_TO_BUF_TO_DEVICE = 5
    """From the host's memory as it is at the call: it may change at once (CP-16)."""
    INNER_DEVICE_TO_DEVICE = 6
    """Within a device; the one kind of descriptor copies (CP-28)."""
    INTER_DEVICE_TO_DEVICE = 7


class Direction(StrEnum):
    """The way a copy really goes. The value is the path in the labels of tasks."""

    HOST_TO_HOST = "host to host"
    HOST_TO_DEVICE = "host to device"
    DEVICE_TO_HOST = "device to host"
    INTRA_DEVICE = "intra device"
    INTER_DEVICE = "inter device"

    @property
    def label(self) -> str:
        """The label of its tasks, which `set_duration` takes: `copy host to device`."""
        return f"copy {self.value}"


_STATED: dict[MemcpyKind, frozenset[Direction]] = {
    MemcpyKind.HOST_TO_HOST: frozenset((Direction.HOST_TO_HOST,)),
    MemcpyKind.HOST_TO_DEVICE: frozenset((Direction.HOST_TO_DEVICE,)),
    MemcpyKind.DEVICE_TO_HOST: frozenset((Direction.DEVICE_TO_HOST,)),
    MemcpyKind.DEVICE_TO_DEVICE: frozenset((Direction.INTRA_DEVICE, Direction.INTER_DEVICE)),
    MemcpyKind.DEFAULT: frozenset(Direction),
    MemcpyKind.HOST_TO_BUF_TO_DEVICE: frozenset((Direction.HOST_TO_DEVICE,)),
    MemcpyKind.INNER_DEVICE_TO_DEVICE: frozenset((Direction.INTRA_DEVICE,)),
    MemcpyKind.INTER_DEVICE_TO_DEVICE: frozenset((Direction.INTER_DEVICE,)),
}


def direction_of(source: Operand, target: Operand) -> Direction:
    """The way from `source` to `target`."""
    if source.is_host:
        return Direction.HOST_TO_HOST if target.is_host else Direction.HOST_TO_DEVICE
    if target.is_host:
        return Direction.DEVICE_TO_HOST
    same = source.device == target.device
    return Direction.INTRA_DEVICE if same else Direction.INTER_DEVICE


def states(kind: MemcpyKind, direction: Direction) -> bool:
    """Whether a stated kind is right for the way a copy goes."""
    return direction in _STATED[kind]
