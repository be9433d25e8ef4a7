"""Host ops of the cmd phase to hal: imports and exports, storage, timepoints, submissions."""

from collections.abc import Callable, Mapping
from typing import Any

from xdsl.dialects.builtin import StringAttr, TensorType, UnitAttr, i32, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from ...dialects import stream, util
from ...dialects.diagnostics import fail
from ...dialects.hal.allocator import AllocatorResolveMemoryPropertiesOp, AllocatorSelectOp
from ...dialects.hal.buffer import BufferAssertOp
from ...dialects.hal.buffer_view import (
    BufferViewBufferOp,
    BufferViewCreateOp,
    ElementTypeOp,
    EncodingTypeOp,
)
from ...dialects.hal.device import DeviceAllocatorOp, DeviceMemoizeOp
from ...dialects.hal.device_queue import (
    DeviceQueueAllocaOp,
    DeviceQueueDeallocaOp,
    DeviceQueueExecuteIndirectOp,
)
from ...dialects.hal.device_queue_transfer import DeviceQueueCopyOp, DeviceQueueFillOp
from ...dialects.hal.enum_base import enum_attr
from ...dialects.hal.enums import BufferUsage, Lifetime, MemoryType
from ...dialects.hal.fence import FenceAwaitOp, FenceJoinOp
from ...dialects.hal.regions import ReturnOp
from ...dialects.hal.types import (
    AllocatorType,
    BufferType,
    BufferViewType,
    CommandBufferType,
    DeviceType,
    FenceType,
)
from ..build import make
from .commands import NO_FLAGS, CommandRecorder, captured, commands_of, depends_on_call
from .host import BufferRange, HostLowering

Handler = Callable[[HostLowering, Any], None]

_LIFETIMES = {
    stream.Lifetime.TRANSIENT: Lifetime.TRANSIENT,
    stream.Lifetime.EXTERNAL: Lifetime.EXTERNAL,
    stream.Lifetime.VARIABLE: Lifetime.VARIABLE,
    stream.Lifetime.CONSTANT: Lifetime.CONSTANT,
    stream.Lifetime.STAGING: Lifetime.STAGING,
}
_IMPORT_USAGE = BufferUsage.TRANSFER | BufferUsage.DISPATCH_STORAGE


def lower_import(host: HostLowering, op: stream.TensorImportOp) -> None:
    """The buffer of the caller's view, which must suit the device that imports it."""
    buffer = host.make(
        BufferViewBufferOp,
        [BufferType()],
        buffer_view=op.source,
        attributes={} if op.consume is None else {"consume": UnitAttr()},
    ).result
    device, _ = select_device(host, op.affinity, stream.Lifetime.EXTERNAL)
    allocator = host.make(DeviceAllocatorOp, [AllocatorType()], device=device).result
    host.make(
        BufferAssertOp,
        buffer=buffer,
        allocator=allocator,
        minimum_length=op.result_size,
        message=StringAttr("tensor"),
        memory_types=enum_attr(MemoryType, MemoryType.DEVICE_VISIBLE),
        buffer_usage=enum_attr(BufferUsage, _IMPORT_USAGE),
    )
    host.buffers[op.result] = BufferRange(buffer, host.indices.constant(0))


def lower_export(host: HostLowering, op: stream.TensorExportOp) -> None:
    """A view of the exported bytes."""
    encoding = op.source_encoding
    if not isa(encoding, TensorType[Attribute]):
        fail(op, f"expected a tensor type, got {encoding}")
    if not isinstance(op.results[0].type, BufferViewType):
        fail(op, f"expected a !hal.buffer_view, got {op.results[0].type}")
    dims = iter(op.source_encoding_dims)
    shape = [
        next(dims) if extent < 0 else host.indices.constant(extent)
        for extent in encoding.get_shape()
    ]
    element = host.make(ElementTypeOp, [i32], type=encoding.element_type).result
    row_major = host.make(EncodingTypeOp, [i32]).result
    buffer, offset = host.range_of(op.source)
    view = host.make(
        BufferViewCreateOp,
        [BufferViewType()],
        source_buffer=buffer,
        source_offset=offset,
        source_length=op.source_size,
        element_type=element,
        encoding_type=row_major,
        shape=shape,
    )
    op.results[0].replace_all_uses_with(view.result)


def lower_subview(host: HostLowering, op: stream.ResourceSubviewOp) -> None:
    """Views add up their offsets."""
    buffer, base = host.range_of(op.source)
    host.buffers[op.result] = BufferRange(buffer, host.indices.add(base, op.source_offset, op))


def select_device(
    host: HostLowering, affinity: Attribute | None, lifetime: stream.Lifetime
) -> tuple[SSAValue, tuple[SSAValue, SSAValue] | None]:
    """The device whose memory serves an affinity; for several, with the memory properties."""
    names = host.devices_of(affinity)
    if len(names) == 1:
        return host.device(names[0]), None
    types, usage = memory_properties(host, affinity, lifetime)
    queue = host.any_queue()
    selected = host.make(
        AllocatorSelectOp,
        [DeviceType(), i64],
        devices=[host.device(name) for name in names],
        queue_affinities=[queue] * len(names),
        memory_types=types,
        buffer_usage=usage,
    )
    return selected.selected_device, (types, usage)


def memory_properties(
    host: HostLowering, affinity: Attribute | None, lifetime: stream.Lifetime
) -> tuple[SSAValue, SSAValue]:
    """Memory type and usage that serve all devices of an affinity (IR-26)."""
    resolved = host.make(
        AllocatorResolveMemoryPropertiesOp,
        [i32, i32],
        affinity=affinity,
        lifetime=enum_attr(Lifetime, _LIFETIMES[lifetime]),
    )
    return resolved.memory_types, resolved.buffer_usage


def lower_alloca(host: HostLowering, op: stream.ResourceAllocaOp) -> None:
    """A queue-ordered allocation (IR-58)."""
    assert isinstance(op.result.type, stream.ResourceType)
    lifetime = op.result.type.lifetime
    wait = host.wait(op.await_timepoint)
    device, properties = select_device(host, op.affinity, lifetime)
    types, usage = properties or memory_properties(host, op.affinity, lifetime)
    signal = host.signal(device, op.result_timepoint)
    alloca = host.make(
        DeviceQueueAllocaOp,
        [BufferType()],
        device=device,
        queue_affinity=host.any_queue(),
        wait_fence=wait,
        signal_fence=signal,
        pool=host.integer(0),
        memory_types=types,
        buffer_usage=usage,
        result_size=op.storage_size,
        flags=NO_FLAGS,
    )
    alloca.result.name_hint = op.result.name_hint
    host.buffers[op.result] = BufferRange(alloca.result, host.indices.constant(0))


def lower_dealloca(host: HostLowering, op: stream.ResourceDeallocaOp) -> None:
    """The end of an allocation."""
    assert isinstance(op.operand.type, stream.ResourceType)
    wait = host.wait(op.await_timepoint)
    device, _ = select_device(host, op.affinity, op.operand.type.lifetime)
    host.make(
        DeviceQueueDeallocaOp,
        device=device,
        queue_affinity=host.any_queue(),
        wait_fence=wait,
        signal_fence=host.signal(device, op.result_timepoint),
        buffer=host.range_of(op.operand).buffer,
        flags=NO_FLAGS,
    )


def lower_immediate(host: HostLowering, op: stream.TimepointImmediateOp) -> None:
    """The null fence."""
    host.fences[op.result_timepoint] = host.null_fence()


def lower_join(host: HostLowering, op: stream.TimepointJoinOp) -> None:
    """A fence of several."""
    fences = [host.wait(timepoint) for timepoint in op.await_timepoints]
    joined = host.make(FenceJoinOp, [FenceType()], fences=fences, flags=NO_FLAGS)
    host.fences[op.result_timepoint] = joined.result


def lower_import_timepoint(host: HostLowering, op: stream.TimepointImportOp) -> None:
    """The caller's fence."""
    if len(op.arguments) != 1 or not isinstance(op.arguments[0].type, FenceType):
        fail(op, "imports something else than a !hal.fence")
    host.fences[op.result_timepoint] = op.arguments[0]


def lower_barrier(host: HostLowering, op: stream.TimepointBarrierOp) -> None:
    """A resource that is ready."""
    host.buffers[op.result] = host.range_of(op.resource)
    host.fences[op.result_timepoint] = host.null_fence()


def lower_await(host: HostLowering, op: stream.TimepointAwaitOp) -> None:
    """The host waits, as long as it takes, and fails where the fence has failed."""
    status = host.make(
        FenceAwaitOp,
        [i32],
        timeout_millis=host.integer(-1, i32),
        fences=[host.wait(op.await_timepoint)],
        flags=NO_FLAGS,
    ).status
    host.make(
        util.StatusCheckOkOp, status=status, message=StringAttr("failed to wait on timepoint")
    )
    for operand, result in zip(op.resource_operands, op.result_resources, strict=True):
        host.buffers[result] = host.range_of(operand)


def execute_handler(counts: Mapping[str, bool], variant: str) -> Handler:
    """Lowers execution regions of a module whose executables have a variant `variant`."""

    def lower(host: HostLowering, op: stream.CmdExecuteOp) -> None:
        commands = list(commands_of(op.body.block))
        agent = host.devices_of(op.affinity)[0]
        device = host.device(agent)
        wait = host.wait(op.await_timepoint)
        if len(commands) == 1 and isinstance(commands[0], stream.CmdCopyOp):
            _queue_copy(host, op, commands[0], device, wait)
        elif len(commands) == 1 and isinstance(commands[0], stream.CmdFillOp):
            _queue_fill(host, op, commands[0], device, wait)
        else:
            recorder = CommandRecorder(host, op, device, agent, counts, variant)
            _submit(host, op, recorder, device, wait)

    return lower


def _submit(
    host: HostLowering,
    op: stream.CmdExecuteOp,
    recorder: CommandRecorder,
    device: SSAValue,
    wait: SSAValue,
) -> None:
    """Record, once where nothing but buffers differs between calls, and execute."""
    reusable = not depends_on_call(op)
    commands = recorder.record(reusable=reusable)
    if reusable:
        recorder.block.add_op(_return(op, commands))
        commands = host.make(
            DeviceMemoizeOp,
            [[CommandBufferType()]],
            device=device,
            queue_affinity=host.any_queue(),
            body=Region(recorder.block),
        ).results[0]
    else:
        for recorded in list(recorder.block.ops):
            recorded.detach()
            host.insert(recorded)
    ranges = [host.range_of(resource) for resource in op.resource_operands]
    signal = host.signal(device, op.result_timepoint)
    host.make(
        DeviceQueueExecuteIndirectOp,
        device=device,
        queue_affinity=host.any_queue(),
        wait_fence=wait,
        signal_fence=signal,
        command_buffer=commands,
        binding_buffers=[found.buffer for found in ranges],
        binding_offsets=[found.offset for found in ranges],
        binding_lengths=op.resource_operand_sizes,
        flags=NO_FLAGS,
    )


def _return(op: Operation, value: SSAValue) -> ReturnOp:
    return make(ReturnOp, op, values=[value])


def _captured(host: HostLowering, op: stream.CmdExecuteOp, argument: SSAValue) -> BufferRange:
    return host.range_of(captured(op, argument))


def _queue_copy(
    host: HostLowering,
    op: stream.CmdExecuteOp,
    copy: stream.CmdCopyOp,
    device: SSAValue,
    wait: SSAValue,
) -> None:
    """A region of one copy needs no command buffer (IR-38)."""
    source, source_base = _captured(host, op, copy.source)
    target, target_base = _captured(host, op, copy.target)
    host.make(
        DeviceQueueCopyOp,
        device=device,
        queue_affinity=host.any_queue(),
        wait_fence=wait,
        signal_fence=host.signal(device, op.result_timepoint),
        source_buffer=source,
        source_offset=host.indices.add(source_base, copy.source_offset, copy),
        target_buffer=target,
        target_offset=host.indices.add(target_base, copy.target_offset, copy),
        length=copy.length,
        flags=NO_FLAGS,
    )


def _queue_fill(
    host: HostLowering,
    op: stream.CmdExecuteOp,
    fill: stream.CmdFillOp,
    device: SSAValue,
    wait: SSAValue,
) -> None:
    """A region of one fill needs no command buffer (IR-38)."""
    target, base = _captured(host, op, fill.target)
    host.make(
        DeviceQueueFillOp,
        device=device,
        queue_affinity=host.any_queue(),
        wait_fence=wait,
        signal_fence=host.signal(device, op.result_timepoint),
        target_buffer=target,
        target_offset=host.indices.add(base, fill.target_offset, fill),
        length=fill.target_length,
        pattern=fill.value,
        flags=NO_FLAGS,
    )


HANDLERS: dict[type[Operation], Handler] = {
    stream.TensorImportOp: lower_import,
    stream.TensorExportOp: lower_export,
    stream.ResourceSubviewOp: lower_subview,
    stream.ResourceAllocaOp: lower_alloca,
    stream.ResourceDeallocaOp: lower_dealloca,
    stream.TimepointImmediateOp: lower_immediate,
    stream.TimepointJoinOp: lower_join,
    stream.TimepointImportOp: lower_import_timepoint,
    stream.TimepointBarrierOp: lower_barrier,
    stream.TimepointAwaitOp: lower_await,
}
