"""Implementations of the hal ops that find devices, ask about them and choose memory."""

from fnmatch import fnmatchcase
from typing import Any, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, i1, i32, i64
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    ReturnedValues,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.interpreters.builtin import scalar_attr
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from ...dialects.diagnostics import fail
from ...dialects.hal import AffinityAttr
from ...dialects.hal.allocator import (
    AllocatorAllocateOp,
    AllocatorImportOp,
    AllocatorResolveMemoryPropertiesOp,
    AllocatorSelectOp,
)
from ...dialects.hal.device import (
    DeviceAllocatorOp,
    DeviceMemoizeOp,
    DeviceQueryOp,
    DeviceResolveOp,
    DevicesCountOp,
    DevicesGetOp,
)
from ...dialects.hal.enums import Lifetime
from ...dialects.hal.regions import ReturnOp
from ...dialects.hal.types import AllocatorType, DeviceType
from ...dialects.location import location_text, value_name
from ...dialects.topology import HOST
from ..hal.buffer import BufferParams
from ..hal.flags import BufferUsage, MemoryType
from .hal_values import DeviceRef, HalState, bytes_from, integer
from .memory_kinds import memory_kind, needs_host
from .state import source

_ANY_QUEUE = IntegerAttr(-1, i64)

_QUERIES = ("hal.device.id", "hal.executable.format")
"""Categories of queries that are answered; the rest are unknown to the device."""


@register_impls
class HalDeviceFunctions(InterpreterFunctions):
    """Devices, their allocators, and what is computed once for each of them."""

    def __init__(self, state: HalState) -> None:
        self._state = state

    @impl(DevicesCountOp)
    def count(
        self, interpreter: Interpreter, op: DevicesCountOp, args: PythonValues
    ) -> PythonValues:
        """How many devices the machine has."""
        return (IntegerAttr.from_index_int_value(len(self._state.devices)),)

    @impl(DevicesGetOp)
    def get(self, interpreter: Interpreter, op: DevicesGetOp, args: PythonValues) -> PythonValues:
        """A device by its number in the order of the topology; null where there is none."""
        devices = list(self._state.devices.values())
        number = integer(args[0])
        return (devices[number] if 0 <= number < len(devices) else None,)

    @impl(DeviceResolveOp)
    def resolve(
        self, interpreter: Interpreter, op: DeviceResolveOp, args: PythonValues
    ) -> PythonValues:
        """The first device of an affinity, its allocator or its queues."""
        device = self._resolved(op, op.affinity)
        return tuple(
            device if isinstance(type, DeviceType | AllocatorType) else _ANY_QUEUE
            for type in op.result_types
        )

    def _resolved(self, op: Operation, affinity: Attribute | None) -> DeviceRef:
        devices = self._state.devices
        if affinity is None and len(devices) == 1:
            return next(iter(devices.values()))
        return devices[self._state.vm.devices(op, affinity)[0]]

    @impl(DeviceAllocatorOp)
    def allocator(
        self, interpreter: Interpreter, op: DeviceAllocatorOp, args: PythonValues
    ) -> PythonValues:
        """A device's allocator: the device and its pool."""
        return (self._state.device(op, args[0]),)

    @impl(DeviceQueryOp)
    def query(
        self, interpreter: Interpreter, op: DeviceQueryOp, args: PythonValues
    ) -> PythonValues:
        """Whether a device's name fits a pattern, or it runs a kind of executable (it does).

        A pattern that fits no device is one of drivers, as in IREE's hal phase: the machine
        stands in for them, so that every device fits. Anything else is unknown, and the value
        the default, or 0.
        """
        device = self._state.device(op, args[0])
        known = op.category.data in _QUERIES and isa(op.value.type, IntegerType)
        default = op.default_value
        if not known and isinstance(default, IntegerAttr | FloatAttr):
            return IntegerAttr(0, i1), cast(Attribute, default)
        fits = op.category.data != "hal.device.id" or self._fits(device, op.key.data)
        return IntegerAttr(int(known), i1), scalar_attr(int(known and fits), op.value.type, 64)

    def _fits(self, device: DeviceRef, pattern: str) -> bool:
        named = [name for name in self._state.devices if fnmatchcase(name, pattern)]
        return not named or device.device.name in named

    @impl(DeviceMemoizeOp)
    def memoize(
        self, interpreter: Interpreter, op: DeviceMemoizeOp, args: PythonValues
    ) -> PythonValues:
        """What the body gives: run once for each device, queue set and captured values."""
        state = self._state
        captures = state.captures.get(op)
        if captures is None:
            captures = state.captures[op] = _captures(op.body)
        key = (op, *args, *interpreter.get_values(captures))
        results = state.vm.memoized.get(key)
        if results is None:
            results = state.vm.memoized[key] = interpreter.run_ssacfg_region(op.body, (), "memoize")
        return results

    @impl_terminator(ReturnOp)
    def return_(
        self, interpreter: Interpreter, op: ReturnOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        """Ends a memoized body."""
        return ReturnedValues(args), ()


def _captures(region: Region) -> tuple[SSAValue, ...]:
    """The values that ops of `region` use and that are defined outside of it."""
    inside: set[SSAValue] = set()
    used: dict[SSAValue, None] = {}
    for op in region.walk():
        inside.update(op.results)
        inside.update(arg for part in op.regions for block in part.blocks for arg in block.args)
        used.update(dict.fromkeys(op.operands))
    return tuple(value for value in used if value not in inside)


@register_impls
class HalAllocatorFunctions(InterpreterFunctions):
    """Memory kinds, and which device's pool serves several devices (IR-26)."""

    def __init__(self, state: HalState) -> None:
        self._state = state

    @impl(AllocatorResolveMemoryPropertiesOp)
    def resolve_memory_properties(
        self,
        interpreter: Interpreter,
        op: AllocatorResolveMemoryPropertiesOp,
        args: PythonValues,
    ) -> PythonValues:
        """What the lifetime needs of a pool that serves all of the devices."""
        vm = self._state.vm
        affinity = op.affinity
        names = affinity.device_names if isinstance(affinity, AffinityAttr) else ()
        pools = [vm.pool(op, affinity)] if names else [d.pool for d in self._state.devices.values()]
        memory, usage = memory_kind(
            Lifetime(op.lifetime.value.data),
            shared=len(set(names)) > 1,
            mappable=set(pools) <= vm.system.machine.in_place[HOST],
        )
        return IntegerAttr(int(memory), i32), IntegerAttr(int(usage), i32)

    @impl(AllocatorSelectOp)
    def select(
        self, interpreter: Interpreter, op: AllocatorSelectOp, args: PythonValues
    ) -> PythonValues:
        """The first device whose pool serves all, else the first, with a pool that does.

        Memory that the host is to map must lie where it reaches it.
        """
        state = self._state
        count = len(op.devices)
        devices = [state.device(op, value) for value in args[:count]]
        names = tuple(dict.fromkeys(device.device.name for device in devices))
        memory, usage = memory_bits(args[2 * count]), usage_bits(args[2 * count + 1])
        mapped = state.vm.system.machine.in_place[HOST] if needs_host(memory, usage) else None
        serving = [
            pool.name
            for pool in state.vm.topology.serving_pools(names, names)
            if mapped is None or pool.name in mapped
        ]
        for device, queues in zip(devices, args[count : 2 * count], strict=True):
            if device.pool in serving:
                return device, queues
        if serving:
            return DeviceRef(devices[0].device, serving[0]), args[count]
        listed = ", ".join(f"@{name}" for name in names)
        how = "" if mapped is None else " and the host, which is to map it"
        fail(op, f"cannot resolve memory properties for [{listed}]: no pool serves all{how}")

    @impl(AllocatorAllocateOp)
    def allocate(
        self, interpreter: Interpreter, op: AllocatorAllocateOp, args: PythonValues
    ) -> PythonValues:
        """Memory that is there at once."""
        if (placed := self._state.vm.placed.get(op)) is not None:
            return (placed,)
        allocator = self._state.device(op, args[0])
        params = buffer_params(op, op.result, args[2], args[3])
        host = self._state.vm.system.host
        buffer = host.allocate(allocator.pool, integer(args[4]), params, source(op))
        return (self._state.vm.make(buffer),)

    @impl(AllocatorImportOp)
    def import_(
        self, interpreter: Interpreter, op: AllocatorImportOp, args: PythonValues
    ) -> PythonValues:
        """Bytes of the program as a buffer; borrowed, since they are constant. None where the
        host does not reach the pool: the program then lets the device read them."""
        allocator = self._state.device(op, args[0])
        host = self._state.vm.system.host
        if allocator.pool not in host.reach.by_copy:
            return IntegerAttr(0, i1), None
        buffer = host.import_array(
            bytes_from(*args[4:7]),
            allocator.pool,
            buffer_params(op, op.result, args[2], args[3]),
            source(op),
            borrowed=True,
        )
        return IntegerAttr(1, i1), self._state.vm.make(buffer)


def buffer_params(op: Operation, result: SSAValue, memory: Any, usage: Any) -> BufferParams:
    """What an allocation asks for, named after its value."""
    return BufferParams(
        memory_type=memory_bits(memory),
        usage=usage_bits(usage),
        name=value_name(result),
        location=location_text(op),
    )


def memory_bits(value: Any) -> MemoryType:
    """A run-time integer as a memory type."""
    return MemoryType(integer(value) & 0xFFFF_FFFF)


def usage_bits(value: Any) -> BufferUsage:
    """A run-time integer as usage."""
    return BufferUsage(integer(value) & 0xFFFF_FFFF)
