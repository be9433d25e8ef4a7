"""The state of one function's conversion: buffers of resources, fences of timepoints, devices."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, SymbolRefAttr, UnitAttr, i32, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import stream, util
from ...dialects.access import inherited_affinity
from ...dialects.diagnostics import fail
from ...dialects.hal import AffinityAttr
from ...dialects.hal.allocator import AllocatorResolveMemoryPropertiesOp, AllocatorSelectOp
from ...dialects.hal.buffer import BufferSubspanOp
from ...dialects.hal.enum_base import enum_attr
from ...dialects.hal.enums import Lifetime
from ...dialects.hal.fence import FenceCreateOp
from ...dialects.hal.types import BufferType, DeviceType, FenceType
from ...dialects.topology import Topology
from ..analysis.storage import StorageSets
from ..build import OpT, constant_value, make
from ..indices import IndexBuilder
from .types import is_lowered

ANY_QUEUE = -1
"""As queue affinity: every queue of the device."""

_LIFETIMES = {
    stream.Lifetime.TRANSIENT: Lifetime.TRANSIENT,
    stream.Lifetime.EXTERNAL: Lifetime.EXTERNAL,
    stream.Lifetime.VARIABLE: Lifetime.VARIABLE,
    stream.Lifetime.CONSTANT: Lifetime.CONSTANT,
    stream.Lifetime.STAGING: Lifetime.STAGING,
}


class BufferRange(NamedTuple):
    """What a resource becomes."""

    buffer: SSAValue
    offset: SSAValue
    """Bytes from the start of the buffer."""
    length: SSAValue | None = None
    """Bytes; None for the whole buffer, from its start."""


class Memory(NamedTuple):
    """Which allocator serves an affinity, and what is asked of it."""

    device: SSAValue
    memory_types: SSAValue
    buffer_usage: SSAValue


@dataclass(slots=True, eq=False)
class HostLowering:
    """What the conversions of one function share; new ops go before the current one."""

    entry: Block
    topology: Topology
    indices: IndexBuilder
    storage: StorageSets
    """Which resources may share bytes."""
    buffers: dict[SSAValue, BufferRange] = field(default_factory=dict[SSAValue, BufferRange])
    others: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Fences by timepoint, and files and channels by those of stream."""
    starts: set[SSAValue] = field(default_factory=set[SSAValue])
    """Buffers that start where their allocation does, so that lines can be counted from there."""
    op: Operation = field(init=False)
    """The op being converted."""
    _front: list[Operation] = field(default_factory=list[Operation])
    _devices: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    _integers: dict[tuple[int, IntegerType], SSAValue] = field(
        default_factory=dict[tuple[int, IntegerType], SSAValue]
    )
    _memories: dict[tuple[Attribute | None, stream.Lifetime], Memory] = field(
        default_factory=dict[tuple[Attribute | None, stream.Lifetime], Memory]
    )
    _null: SSAValue | None = None

    def make(
        self,
        op_class: type[OpT],
        results: Sequence[Attribute | Sequence[Attribute] | None] = (),
        /,
        **fields: Any,
    ) -> OpT:
        """Build an op before the current one."""
        new = make(op_class, self.op, results, **fields)
        self.insert(new)
        return new

    def insert(self, new: Operation) -> None:
        """Insert `new`, and index arithmetic made for it, before the current op."""
        block = self.op.parent
        assert block is not None
        for pending in self.indices.take():
            block.insert_op_before(pending, self.op)
        block.insert_op_before(new, self.op)

    def finish(self) -> None:
        """Insert what stands at the function's start."""
        if self._front:
            first = self.entry.first_op
            assert first is not None
            self.entry.insert_ops_before(self._front, first)
        self.indices.finish()

    def _at_entry(self, new: OpT) -> OpT:
        self._front.append(new)
        return new

    # What stands at the function's start.

    def device(self, name: str) -> SSAValue:
        """The device `name`, loaded once."""
        if (known := self._devices.get(name)) is None:
            load = self._at_entry(
                make(
                    util.GlobalLoadOp,
                    self.entry.parent_op(),
                    [DeviceType()],
                    global_name=SymbolRefAttr(name),
                    is_immutable=UnitAttr(),
                )
            )
            load.result.name_hint = name if SSAValue.is_valid_name(name) else None
            known = self._devices[name] = load.result
        return known

    def integer(self, value: int, type: IntegerType = i64) -> SSAValue:
        """An integer constant, defined once."""
        if (known := self._integers.get((value, type))) is None:
            constant = self._at_entry(arith.ConstantOp(IntegerAttr(value, type)))
            known = self._integers[value, type] = constant.result
        return known

    def any_queue(self) -> SSAValue:
        """The affinity of any queue."""
        return self.integer(ANY_QUEUE)

    def null_fence(self) -> SSAValue:
        """The fence that is reached from the start."""
        if self._null is None:
            self._null = self._at_entry(make(util.NullOp, None, [FenceType()])).result
        return self._null

    def memory(self, affinity: Attribute | None, lifetime: stream.Lifetime) -> Memory:
        """The device whose memory serves an affinity, and its properties; asked for once (IR-26).

        Of several devices the allocator is chosen that can make memory for all.
        """
        if (known := self._memories.get((affinity, lifetime))) is not None:
            return known
        names = self.devices_of(affinity)
        if lifetime not in _LIFETIMES:
            fail(self.op, f"has the lifetime `{lifetime.value}`; run stream-refine-usage first")
        devices = [self.device(name) for name in names]
        resolved = self._at_entry(
            make(
                AllocatorResolveMemoryPropertiesOp,
                self.op,
                [i32, i32],
                affinity=affinity,
                lifetime=enum_attr(Lifetime, _LIFETIMES[lifetime]),
            )
        )
        device = devices[0]
        if len(devices) > 1:
            selected = make(
                AllocatorSelectOp,
                self.op,
                [DeviceType(), i64],
                devices=devices,
                queue_affinities=[self.any_queue()] * len(devices),
                memory_types=resolved.memory_types,
                buffer_usage=resolved.buffer_usage,
            )
            device = self._at_entry(selected).selected_device
        found = Memory(device, resolved.memory_types, resolved.buffer_usage)
        self._memories[affinity, lifetime] = found
        return found

    # Values.

    def devices_of(self, affinity: Attribute | None) -> tuple[str, ...]:
        """The devices an affinity names, or that which the current op inherits, or the only one.

        Raises:
            OpError: at the current op where there is none of these.
        """
        if affinity is None:
            affinity = inherited_affinity(self.op)
        if affinity is None and len(self.topology.device_names) == 1:
            return tuple(self.topology.device_names)
        names = affinity.device_names if isinstance(affinity, AffinityAttr) else ()
        if not names:
            fail(self.op, "states no device to run on; give it an affinity")
        return names

    def first_device(self, affinity: Attribute | None) -> SSAValue:
        """The device that executes what an affinity names."""
        return self.device(self.devices_of(affinity)[0])

    def define(self, resource: SSAValue, buffer: SSAValue, *, starts: bool = False) -> None:
        """`resource` is the whole of `buffer`, which `starts` where its allocation does."""
        self.buffers[resource] = BufferRange(buffer, self.indices.constant(0))
        if starts:
            self.starts.add(buffer)

    def range_of(self, resource: SSAValue) -> BufferRange:
        """The buffer range of a resource."""
        if (found := self.buffers.get(resource)) is not None:
            return found
        if isinstance(resource.type, BufferType):
            return BufferRange(resource, self.indices.constant(0))
        fail(self.op, f"uses a resource of type {resource.type} that nothing lowered defines")

    def buffer_of(self, resource: SSAValue) -> SSAValue:
        """A resource as a buffer of its own, for ops that take no range."""
        buffer, offset, length = self.range_of(resource)
        if length is None:
            return buffer
        return self.make(
            BufferSubspanOp,
            [BufferType()],
            source_buffer=buffer,
            source_offset=offset,
            length=length,
        ).result

    def value_of(self, value: SSAValue) -> SSAValue:
        """The hal value of any value: itself unless it has a stream type."""
        if is_lowered(value):
            return value
        if isinstance(value.type, stream.ResourceType):
            return self.buffer_of(value)
        if (found := self.others.get(value)) is None:
            fail(self.op, f"uses a value of type {value.type} that nothing lowered defines")
        return found

    def wait(self, timepoint: SSAValue | None) -> SSAValue:
        """The fence to wait for."""
        return self.null_fence() if timepoint is None else self.value_of(timepoint)

    def signal(self, device: SSAValue, timepoint: SSAValue) -> SSAValue:
        """A new fence that stands for `timepoint`."""
        fence = self.make(
            FenceCreateOp, [FenceType()], device=device, flags=IntegerAttr(0, i64)
        ).result
        self.others[timepoint] = fence
        return fence

    def queued(
        self, device: SSAValue, awaited: SSAValue | None, result: SSAValue
    ) -> dict[str, SSAValue]:
        """What a queue operation on `device` has that waits for one timepoint and makes another."""
        wait = self.wait(awaited)
        return {
            "device": device,
            "queue_affinity": self.any_queue(),
            "wait_fence": wait,
            "signal_fence": self.signal(device, result),
        }

    def constant_offset(self, resource: SSAValue) -> int | None:
        """Bytes from the start of its buffer to a resource, where constant."""
        return constant_value(self.range_of(resource).offset)
