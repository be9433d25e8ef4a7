"""Copies by descriptor: `aclrtSetMemcpyDesc` and `aclrtMemcpyAsyncWithDesc`.

A descriptor is device memory that names source, target and size of a copy within the device. It is
set once and issued often: the command buffer of its copy is recorded once, its operands are slots
of the binding table (CP-29).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..hal.command_buffer import CommandBuffer
from ..hal.device import Device
from ..hal.recorder import Source
from ..hal.refs import BufferRef
from ..hal.semaphore import Fence
from .caller import caller
from .calls import api
from .copies import Copies, Move
from .copy_kinds import Direction, MemcpyKind, direction_of
from .errors import ErrorCode
from .memory import Allocation, DevicePointer, Pointer
from .operands import Address, Operand
from .stream import DeviceState, Stream
from .tasks import Task, Touched, Use, record_maintained
from .transfers import Segment, transfer_task

DESCRIPTOR_BYTES = 64
"""Size and alignment of a descriptor."""
MAX_COUNT = 1 << 32
"""Most bytes of a descriptor copy."""


@dataclass(frozen=True, slots=True)
class Descriptor:
    """What a descriptor was set to."""

    segment: Segment
    touched: tuple[tuple[int, bool, bool], ...]
    """The maintenance of the copy: slot, invalidate, flush."""


class DescriptorCalls(Copies):
    """Calls on copy descriptors."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._descriptors: dict[tuple[Allocation, int], Descriptor] = {}
        """By allocation and offset, those that have been set."""

    @api("aclrtGetMemcpyDescSize")
    def get_memcpy_desc_size(self, kind: int) -> int:
        """Bytes of device memory that a descriptor takes (`aclrtGetMemcpyDescSize`, CP-28).

        Raises HostError FEATURE_NOT_SUPPORTED for a kind other than INNER_DEVICE_TO_DEVICE.
        """
        self._check_inner(kind)
        return DESCRIPTOR_BYTES

    @api("aclrtSetMemcpyDesc")
    def set_memcpy_desc(
        self,
        descriptor: DevicePointer | None,
        kind: int,
        source: Address | None,
        target: Address | None,
        count: int,
        config: None = None,
    ) -> None:
        """Let a descriptor stand for a copy of `count` bytes within a device, until it is set
        again (`aclrtSetMemcpyDesc`, CP-29). It is written before this returns.

        Raises HostError: INVALID_PARAMETER for null and `config`; FEATURE_NOT_SUPPORTED for
        another kind; ADDRESS_UNALIGNED; INVALID_RUNTIME_PARAMETER for a descriptor that is not
        device memory or is in use, operands on other devices, and sizes out of range;
        FORBIDDEN_IN_CAPTURE_MODE.
        """
        self._check_inner(kind)
        place = self._place(descriptor)
        if config is not None:
            self.refuse(ErrorCode.INVALID_PARAMETER, "config must be null", "config", config)
        to, from_ = self.copy_operands(target, source)
        if not 0 < count <= MAX_COUNT:
            self.invalid("count", count, f"a value in the range (0, {MAX_COUNT}]")
        self._check_same_device(to, from_, place)
        self.check_extent(to, count)
        self.check_extent(from_, count)
        self.check_disjoint(Move(to, from_, count))
        context = self.context()
        self.check_reach(context.device, to)
        self._check_unused(place)
        self.check_synchronous()
        assert to.pointer is not None
        assert from_.pointer is not None
        segment = Segment(to.pointer, from_.pointer, count)
        self.run_now(context, self._write_task(context.device, place, segment))
        self._descriptors[place.allocation, place.offset] = Descriptor(
            segment, self._maintenance(context.device, segment)
        )

    @api("aclrtMemcpyAsyncWithDesc")
    def memcpy_async_with_desc(
        self, descriptor: DevicePointer | None, kind: int, stream: Stream | None = None
    ) -> None:
        """Issue the copy that a descriptor stands for to a stream (`aclrtMemcpyAsyncWithDesc`).

        Raises HostError as `set_memcpy_desc` does; INVALID_RUNTIME_PARAMETER for one that has not
        been set (CP-31), or whose operands have been freed.
        """
        where = self.stream_of(stream)
        self._check_inner(kind)
        place = self._place(descriptor)
        found = self._descriptors.get((place.allocation, place.offset))
        if found is None:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                "descriptor is not initialized; call set_memcpy_desc first",
                "desc",
                place,
            )
        for parameter, pointer in (("dst", found.segment.target), ("src", found.segment.source)):
            assert isinstance(pointer, DevicePointer)
            self.check_reach(where.context.device, self.operand(pointer, parameter))
        self.submit(where, self._copy_by(where.context.device, place, found))

    # Parts of these.

    def _check_inner(self, kind: int) -> None:
        if kind != MemcpyKind.INNER_DEVICE_TO_DEVICE:
            self.refuse(
                ErrorCode.FEATURE_NOT_SUPPORTED,
                f"kind should be INNER_DEVICE_TO_DEVICE, got {kind}",
                "kind",
                kind,
            )

    def _place(self, descriptor: DevicePointer | None) -> DevicePointer:
        """The device memory of a descriptor, checked."""
        self.require(desc=descriptor)
        operand = self.operand(descriptor, "desc")
        if not isinstance(operand.pointer, DevicePointer):
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                "desc addr type=HOST is invalid; use malloc",
                "desc",
                descriptor,
            )
        if operand.pointer.address % DESCRIPTOR_BYTES:
            self.refuse(
                ErrorCode.ADDRESS_UNALIGNED,
                f"desc is not {DESCRIPTOR_BYTES}-byte aligned: 0x{operand.pointer.address:x}",
                "desc",
                descriptor,
            )
        self.check_extent(operand, DESCRIPTOR_BYTES)
        self.check_reach(self.context().device, operand)
        return operand.pointer

    def _check_same_device(self, target: Operand, source: Operand, place: DevicePointer) -> None:
        inner = direction_of(source, target) is Direction.INTRA_DEVICE
        if not inner or target.device != place.allocation.device:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"DstAddr and srcAddr do not match: dst is on {target.location}, src on "
                f"{source.location}, the descriptor on device {place.allocation.device}",
            )

    def _check_unused(self, place: DevicePointer) -> None:
        end = place.offset + DESCRIPTOR_BYTES
        pending = self.host_access.in_flight(place.allocation, place.offset, end)
        if pending:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"descriptor is in use by pending submission: {pending[0].label}; synchronize "
                "first",
                "desc",
                place,
            )

    def _write_task(self, device: DeviceState, place: DevicePointer, segment: Segment) -> Task:
        source = Source("set descriptor", caller())
        words = (segment.source.address, segment.target.address, segment.size)
        data = np.zeros(DESCRIPTOR_BYTES, np.uint8)
        data[: 8 * len(words)] = np.array(words, "<u8").view(np.uint8)
        to = BufferRef(place.subspan(DESCRIPTOR_BYTES))

        def update(body: CommandBuffer) -> None:
            body.update_buffer(data, to, source)

        use = Use(place.allocation, place.offset, place.offset + DESCRIPTOR_BYTES, writes=True)
        touched = self.touched(device, place, DESCRIPTOR_BYTES, writes=True)
        return transfer_task(source, (use,), touched, update)

    def _maintenance(
        self, device: DeviceState, segment: Segment
    ) -> tuple[tuple[int, bool, bool], ...]:
        return tuple(
            (slot, entry.invalidate, entry.flush)
            for slot, pointer in enumerate((segment.source, segment.target))
            for entry in self.touched(device, pointer, segment.size, writes=slot == 1)
        )

    def _copy_by(self, device: DeviceState, place: DevicePointer, descriptor: Descriptor) -> Task:
        segment = descriptor.segment
        source = Source(f"{Direction.INTRA_DEVICE.label} by descriptor", caller())
        table = (segment.source.subspan(segment.size), segment.target.subspan(segment.size))

        def record(commands: CommandBuffer, from_: BufferRef, to: BufferRef) -> None:
            refs = (from_, to)
            touched = [Touched(refs[slot], i, f) for slot, i, f in descriptor.touched]
            record_maintained(commands, touched, lambda body: body.copy_buffer(from_, to, source))

        def enqueue(queue: Device, wait: Fence, signal: Fence) -> None:
            key = ("descriptor copy", device.index, segment.size, descriptor.touched)
            commands = self.recordings.get(key)
            if commands is None:
                commands = queue.create_command_buffer(binding_capacity=2)
                slots = (BufferRef(slot, 0, segment.size) for slot in (0, 1))
                record(commands, *slots)
                commands.finalize()
                self.recordings[key] = commands
            queue.queue_execute(wait, signal, commands, table, source)

        def record_directly(commands: CommandBuffer) -> None:
            record(commands, BufferRef(table[0]), BufferRef(table[1]))

        read = _use(place, DESCRIPTOR_BYTES, writes=False)
        copied = (
            _use(segment.source, segment.size, writes=False),
            _use(segment.target, segment.size, writes=True),
        )
        return Task(source.label, (read, *copied), enqueue, record_directly)


def _use(pointer: Pointer, size: int, *, writes: bool) -> Use:
    return Use(pointer.allocation, pointer.offset, pointer.offset + size, writes)
