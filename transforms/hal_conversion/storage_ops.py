"""Storage to hal: allocation, ownership, views, access by the host, constants."""

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    StringAttr,
    i1,
    i32,
)
from xdsl.ir import SSAValue

from ...dialects import stream, util
from ...dialects.diagnostics import fail
from ...dialects.hal.allocator import AllocatorAllocateOp, AllocatorImportOp
from ...dialects.hal.buffer import (
    BufferAllocationDiscardOp,
    BufferAllocationIsTerminalOp,
    BufferAllocationPreserveOp,
    BufferLengthOp,
    BufferLoadOp,
    BufferStoreOp,
    BufferUsageOp,
    MemoryTypeOp,
)
from ...dialects.hal.device import DeviceAllocatorOp
from ...dialects.hal.device_queue import DeviceQueueAllocaOp, DeviceQueueDeallocaOp
from ...dialects.hal.enum_base import enum_attr
from ...dialects.hal.enums import AllocaFlag, BufferUsage, DeallocaFlag, MemoryType
from ...dialects.hal.types import AllocatorType, BufferType
from ..build import INDEX
from .host import BufferRange, HostLowering

_DEFAULT_USAGE = BufferUsage.TRANSFER | BufferUsage.DISPATCH_STORAGE
_MAPPED = {
    stream.Lifetime.CONSTANT: (
        MemoryType.DEVICE_LOCAL,
        _DEFAULT_USAGE | BufferUsage.SHARING_IMMUTABLE,
    ),
    stream.Lifetime.VARIABLE: (MemoryType.DEVICE_LOCAL, _DEFAULT_USAGE),
    stream.Lifetime.STAGING: (
        MemoryType.HOST_VISIBLE | MemoryType.DEVICE_VISIBLE,
        BufferUsage.TRANSFER_SOURCE,
    ),
}
"""What is asked of host memory that is mapped as a resource, by lifetime, as IREE asks it."""

_FAILED_PRECONDITION = 9


def _lifetime(resource: SSAValue) -> stream.Lifetime:
    assert isinstance(resource.type, stream.ResourceType)
    return resource.type.lifetime


def lower_subview(host: HostLowering, op: stream.ResourceSubviewOp) -> None:
    """Views add up their offsets."""
    found = host.range_of(op.source)
    offset = host.indices.add(found.offset, op.source_offset, op)
    host.buffers[op.result] = BufferRange(found.buffer, offset, op.result_size)


def lower_alloc(host: HostLowering, op: stream.ResourceAllocOp) -> None:
    """An allocation that is there at once."""
    memory = host.memory(op.affinity, _lifetime(op.result))
    allocator = host.make(DeviceAllocatorOp, [AllocatorType()], device=memory.device).result
    if op.uninitialized is None:
        fail(op, "asks for zeroed storage; allocate it uninitialized and fill it")
    allocated = host.make(
        AllocatorAllocateOp,
        [BufferType()],
        allocator=allocator,
        queue_affinity=host.any_queue(),
        memory_types=memory.memory_types,
        buffer_usage=memory.buffer_usage,
        result_size=op.storage_size,
    ).result
    allocated.name_hint = op.result.name_hint
    host.define(op.result, allocated, starts=True)


def lower_alloca(host: HostLowering, op: stream.ResourceAllocaOp) -> None:
    """A queue-ordered allocation (IR-58)."""
    wait = host.wait(op.await_timepoint)
    memory = host.memory(op.affinity, _lifetime(op.result))
    signal = host.signal(memory.device, op.result_timepoint)
    flags = AllocaFlag.INDETERMINATE_LIFETIME if op.indeterminate_lifetime else AllocaFlag(0)
    alloca = host.make(
        DeviceQueueAllocaOp,
        [BufferType()],
        device=memory.device,
        queue_affinity=host.any_queue(),
        wait_fence=wait,
        signal_fence=signal,
        pool=host.integer(0),
        memory_types=memory.memory_types,
        buffer_usage=memory.buffer_usage,
        result_size=op.storage_size,
        flags=enum_attr(AllocaFlag, flags),
    )
    alloca.result.name_hint = op.result.name_hint
    host.define(op.result, alloca.result, starts=True)


def lower_dealloca(host: HostLowering, op: stream.ResourceDeallocaOp) -> None:
    """The end of an allocation."""
    wait = host.wait(op.await_timepoint)
    carried = not isinstance(op.operand.type, stream.ResourceType)
    # What control flow carries has its lowered type already; the device is the same for all.
    lifetime = stream.Lifetime.TRANSIENT if carried else _lifetime(op.operand)
    memory = host.memory(op.affinity, lifetime)
    flags = DeallocaFlag.PREFER_ORIGIN if op.prefer_origin else DeallocaFlag(0)
    host.make(
        DeviceQueueDeallocaOp,
        device=memory.device,
        queue_affinity=host.any_queue(),
        wait_fence=wait,
        signal_fence=host.signal(memory.device, op.result_timepoint),
        buffer=host.range_of(op.operand).buffer,
        flags=enum_attr(DeallocaFlag, flags),
    )


# Ownership.


def lower_retain(host: HostLowering, op: stream.ResourceRetainOp) -> None:
    """One more owner."""
    host.make(BufferAllocationPreserveOp, buffer=host.range_of(op.operand).buffer)


def lower_release(host: HostLowering, op: stream.ResourceReleaseOp) -> None:
    """One owner less."""
    buffer = host.range_of(op.operand).buffer
    left = host.make(BufferAllocationDiscardOp, [i1], buffer=buffer)
    op.result.replace_all_uses_with(left.result)


def lower_is_terminal(host: HostLowering, op: stream.ResourceIsTerminalOp) -> None:
    """Whether one owner is left."""
    buffer = host.range_of(op.operand).buffer
    terminal = host.make(BufferAllocationIsTerminalOp, [i1], buffer=buffer)
    op.result.replace_all_uses_with(terminal.result)


# Access by the host.


def lower_size(host: HostLowering, op: stream.ResourceSizeOp) -> None:
    """Bytes of a resource."""
    found = host.range_of(op.operand)
    length = found.length or host.make(BufferLengthOp, [INDEX], buffer=found.buffer).result
    op.result.replace_all_uses_with(length)


def lower_load(host: HostLowering, op: stream.ResourceLoadOp) -> None:
    """An element, read through a mapping."""
    found = host.range_of(op.source)
    offset = host.indices.add(found.offset, op.source_offset, op)
    loaded = host.make(
        BufferLoadOp, [op.result.type], source_buffer=found.buffer, source_offset=offset
    )
    op.result.replace_all_uses_with(loaded.result)


def lower_store(host: HostLowering, op: stream.ResourceStoreOp) -> None:
    """An element, written through a mapping."""
    found = host.range_of(op.target)
    offset = host.indices.add(found.offset, op.target_offset, op)
    host.make(BufferStoreOp, value=op.value, target_buffer=found.buffer, target_offset=offset)


# Host memory as resources.


def _import(
    host: HostLowering, op: stream.ResourceTryMapOp | stream.ResourceConstantsOp, result: SSAValue
) -> tuple[SSAValue, dict[str, SSAValue]]:
    """The allocator that imports as `result`, and the operands that say what for."""
    lifetime = _lifetime(result)
    if lifetime not in _MAPPED:
        fail(op, f"maps host memory as a resource with the lifetime `{lifetime.value}`")
    memory_types, usage = _MAPPED[lifetime]
    memory = host.memory(op.affinity, lifetime)
    allocator = host.make(DeviceAllocatorOp, [AllocatorType()], device=memory.device).result
    types = host.make(MemoryTypeOp, [i32], type=enum_attr(MemoryType, memory_types)).result
    usages = host.make(BufferUsageOp, [i32], usage=enum_attr(BufferUsage, usage)).result
    return allocator, {"memory_types": types, "buffer_usage": usages}


def lower_try_map(host: HostLowering, op: stream.ResourceTryMapOp) -> None:
    """The host's memory in place, if the device can."""
    allocator, asked = _import(host, op, op.result)
    imported = host.make(
        AllocatorImportOp,
        [i1, BufferType()],
        allocator=allocator,
        queue_affinity=host.any_queue(),
        source=op.source,
        offset=op.source_offset,
        length=op.result_size,
        **asked,
    )
    op.did_map.replace_all_uses_with(imported.did_import)
    host.define(op.result, imported.result, starts=True)


def lower_constants(host: HostLowering, op: stream.ResourceConstantsOp) -> None:
    """Each constant in place in the program image, where the host has flushed it."""
    for value, result, size in zip(
        op.values.data, op.result_resources, op.result_sizes, strict=True
    ):
        if not isinstance(value, DenseIntOrFPElementsAttr | StringAttr):
            fail(op, f"has the value {value}, expected dense elements or a string")
        data = host.make(util.BufferConstantOp, [util.BufferType()], value=value).result
        allocator, asked = _import(host, op, result)
        imported = host.make(
            AllocatorImportOp,
            [i1, BufferType()],
            allocator=allocator,
            queue_affinity=host.any_queue(),
            source=data,
            offset=host.indices.constant(0),
            length=size,
            **asked,
        )
        status = host.make(
            arith.SelectOp,
            [i32],
            cond=imported.did_import,
            lhs=host.integer(0, i32),
            rhs=host.integer(_FAILED_PRECONDITION, i32),
        ).result
        host.make(
            util.StatusCheckOkOp,
            status=status,
            message=StringAttr("the device cannot map constants of the program"),
        )
        host.define(result, imported.result, starts=True)
    host.others[op.result_timepoint] = host.null_fence()
