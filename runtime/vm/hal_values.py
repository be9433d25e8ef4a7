"""What the values of hal-level host programs are at run time, and the state their ops share.

A fence is a `Fence` (null: `NULL_FENCE`), a command buffer a `CommandBuffer`, a buffer a `Buffer`
or, while it is not known where the caller's array shall lie, a `CallerBuffer`; a `!util.buffer`
is an array of bytes. Any other null is None.
"""

from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue

from ...dialects.diagnostics import fail
from ..errors import HalError, StatusCode, out_of_range
from ..hal.buffer import Buffer
from ..hal.device import Device
from ..kernels.api import Bytes
from ..kernels.kernel import CompiledKernel
from .state import VmState
from .values import HostArray


@dataclass(frozen=True, slots=True)
class DeviceRef:
    """A `!hal.device` or its allocator: a device, and the pool that its allocations come from."""

    device: Device
    pool: str
    """Its own, unless `hal.allocator.select` chose another that serves more devices."""


@dataclass(slots=True, eq=False)
class _CallerStorage:
    """The array of a caller, placed once it is known where."""

    view: HostArray
    op: Operation
    """The op that took the buffer of the view."""
    consume: bool
    buffer: Buffer | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CallerBuffer:
    """A range of a caller's array, which has no address yet.

    `hal.buffer.assert` tells the pool, else the first device that uses it. The host then writes
    the array there and flushes it; it is borrowed unless the op that took it says `consume`.
    """

    storage: _CallerStorage
    offset: int
    length: int
    """Bytes."""

    @staticmethod
    def of(view: HostArray, op: Operation) -> "CallerBuffer":
        """The whole array of a view, taken by `op`."""
        return CallerBuffer(
            _CallerStorage(view, op, "consume" in op.attributes), 0, view.data.nbytes
        )

    def subspan(self, offset: int, length: int) -> "CallerBuffer":
        """A range of it; OUT_OF_RANGE where it is not all inside."""
        if offset < 0 or length < 0 or offset + length > self.length:
            raise out_of_range(
                "attempted to access an address outside of the valid buffer range "
                f"(offset={offset}, length={length}, length of {self.storage.view.name}="
                f"{self.length})"
            )
        return CallerBuffer(self.storage, self.offset + offset, length)


@dataclass(slots=True, eq=False)
class Executable:
    """A `!hal.executable`: the kernels of a symbol, by the numbers that look-ups gave them."""

    symbol: str
    functions: dict[int, CompiledKernel] = field(default_factory=dict[int, CompiledKernel])


@dataclass(slots=True, eq=False)
class HalState:
    """What the implementations of the hal ops share."""

    vm: VmState
    devices: dict[str, DeviceRef]
    executables: dict[tuple[str, str], Executable] = field(
        default_factory=dict[tuple[str, str], Executable]
    )
    """By device and symbol."""
    captures: dict[Operation, tuple[SSAValue, ...]] = field(
        default_factory=dict[Operation, tuple[SSAValue, ...]]
    )
    """By memoized op the values that its body takes from outside."""
    failures: dict[int, HalError] = field(default_factory=dict[int, HalError])
    """By status code the latest error that a wait gave as a status."""

    @staticmethod
    def create(vm: VmState) -> "HalState":
        """The state of a run; globals that are devices get their values."""
        devices = {
            name: DeviceRef(device, vm.topology.pool_of(name).name)
            for name, device in vm.system.devices.items()
        }
        state = HalState(vm, devices)
        vm.globals.update(devices)
        return state

    def device(self, op: Operation, value: DeviceRef | None) -> DeviceRef:
        """A device that an op needs; an error at `op` for the null device."""
        if value is None:
            fail(op, "expected a device, got null; hal.devices.count tells how many there are")
        return value

    def buffer(
        self,
        op: Operation,
        value: Buffer | CallerBuffer | HostArray | None,
        pool: str,
    ) -> Buffer:
        """A buffer that has an address; the caller's array is placed in `pool` by its first use.

        An array is what an argument of type `!hal.buffer` holds; `op` says `consume` where the
        caller gave it away.
        """
        if value is None:
            fail(op, "expected a buffer, got null")
        if isinstance(value, HostArray):
            return self.vm.place(op, value, pool, consume="consume" in op.attributes)
        if isinstance(value, Buffer):
            return value
        storage = value.storage
        if storage.buffer is None:
            storage.buffer = self.vm.place(storage.op, storage.view, pool, consume=storage.consume)
        return storage.buffer.subspan(value.offset, value.length)

    def status(self, error: HalError | None) -> IntegerAttr[IntegerType]:
        """The code of an error, which `util.status.check_ok` can still tell; 0 for none."""
        if error is None:
            return IntegerAttr(0, 32)
        code = status_number(error.code)
        self.failures[code] = error
        return IntegerAttr(code, 32)


DEFERRED = 17
"""IREE's status of a query that cannot be answered yet."""

_CODES = tuple(StatusCode)


def status_number(code: StatusCode) -> int:
    """IREE's number of a status code."""
    return _CODES.index(code) + 1


def status_code(number: int) -> StatusCode:
    """The status code of a number other than 0; UNKNOWN for one that we have no name for."""
    return _CODES[number - 1] if 1 <= number <= len(_CODES) else StatusCode.UNKNOWN


def integer(value: Any) -> int:
    """The run-time value of an integer or index."""
    return value.value.data


def bytes_from(data: Bytes, offset: Any, length: Any) -> Bytes:
    """A range of the bytes of a `!util.buffer`; OUT_OF_RANGE where it is not all inside."""
    start, size = integer(offset), integer(length)
    if start < 0 or size < 0 or start + size > len(data):
        raise out_of_range(f"range [{start} for {size}] is outside of the source's {len(data)}")
    return data[start : start + size]
