"""Which devices the device values of host programs at hal level are."""

from collections.abc import Iterable, Iterator

from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import util
from ...dialects.diagnostics import fail
from ...dialects.hal.affinity import DeviceAffinityAttr, DeviceOptimalAttr
from ...dialects.hal.allocator import AllocatorSelectOp
from ...dialects.hal.command_buffer import CommandBufferCreateOp, CommandBufferDeviceOp
from ...dialects.hal.device import DeviceAllocatorOp, DeviceResolveOp, DevicesGetOp
from ...dialects.topology import Topology
from ..analysis.value_origins import ValueOrigins
from ..build import constant_value


class HalDevices:
    """Answers for the values of a module."""

    def __init__(self, origins: ValueOrigins, topology: Topology) -> None:
        self._origins = origins
        self._topology = topology
        self._devices: dict[tuple[str, ...], str] = {}
        """By devices to choose from: the one that is chosen."""

    def device(self, op: Operation, value: SSAValue) -> str:
        """The device that runs `op`: of several that it may be chosen from, the first whose pool
        serves all; raises OpError."""
        groups = self._groups(value)
        if not groups:
            fail(op, "runs on a device that is not known; load it from its global")
        if len(groups) > 1:
            names = ", ".join(f"@{name}" for name in _names(groups))
            fail(op, f"runs on one of {names}, by the path that is taken; name one device")
        (names,) = groups
        if names not in self._devices:
            self._devices[names] = self._chosen(names)
        return self._devices[names]

    def _chosen(self, names: tuple[str, ...]) -> str:
        serving = {pool.name for pool in self._topology.serving_pools(names, names)}
        pools = self._topology.pool_of
        return next((name for name in names if pools(name).name in serving), names[0])

    def affinity(self, op: Operation, value: SSAValue) -> Attribute:
        """Where memory of a device or allocator lies; raises OpError."""
        names = _names(self._groups(value))
        if not names:
            fail(op, "takes memory of a device that is not known; load it from its global")
        if len(names) == 1:
            return DeviceAffinityAttr(names[0])
        return DeviceOptimalAttr([DeviceAffinityAttr(name) for name in names])

    def _groups(self, value: SSAValue) -> list[tuple[str, ...]]:
        """What `value` is on the paths that lead to it: devices of which one is chosen."""
        return list(dict.fromkeys(self._walk(value, set())))

    def _walk(self, value: SSAValue, seen: set[SSAValue]) -> Iterator[tuple[str, ...]]:
        if value in seen:
            return
        seen.add(value)
        op = value.owner
        match op:
            case util.GlobalLoadOp() if self._is_device(op.global_name.string_value()):
                yield (op.global_name.string_value(),)
            case AllocatorSelectOp():
                groups = [group for device in op.devices for group in self._walk(device, seen)]
                yield _names(groups)
            case DeviceAllocatorOp() | CommandBufferCreateOp():
                yield from self._walk(op.device, seen)
            case CommandBufferDeviceOp():
                yield from self._walk(op.command_buffer, seen)
            case DeviceResolveOp():
                yield self._resolved(op)
            case DevicesGetOp():
                number = constant_value(op.index)
                if number is not None and 0 <= number < len(self._topology.device_names):
                    yield (self._topology.device_names[number],)
            case _:
                for origin in self._origins.of(value):
                    if origin is not value:
                        yield from self._walk(origin, seen)

    def _is_device(self, name: str) -> bool:
        return name in self._topology.device_names

    def _resolved(self, op: DeviceResolveOp) -> tuple[str, ...]:
        if op.affinity is None:
            return self._topology.device_names[:1]
        return op.affinity.device_names[:1]


def _names(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for group in groups for name in group))
