"""The program's edge to hal: imports, exports, traces."""

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import StringAttr, TensorType, UnitAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from ...dialects import stream
from ...dialects.diagnostics import fail
from ...dialects.hal import DeviceAffinityAttr
from ...dialects.hal.buffer import BufferAssertOp
from ...dialects.hal.buffer_view import (
    BufferViewBufferOp,
    BufferViewCreateOp,
    BufferViewTraceOp,
    ElementTypeOp,
    EncodingTypeOp,
)
from ...dialects.hal.device import DeviceAllocatorOp, DeviceResolveOp
from ...dialects.hal.enum_base import enum_attr
from ...dialects.hal.enums import BufferUsage, MemoryType
from ...dialects.hal.types import AllocatorType, BufferType, BufferViewType
from .host import HostLowering

_IMPORT_USAGE = BufferUsage.TRANSFER | BufferUsage.DISPATCH_STORAGE


def lower_import(host: HostLowering, op: stream.TensorImportOp) -> None:
    """The buffer of the caller's view, which must suit the device that imports it."""
    source = op.source
    consume: dict[str, Attribute] = {} if op.consume is None else {"consume": UnitAttr()}
    if is_view := isinstance(source.type, BufferViewType):
        source = host.make(
            BufferViewBufferOp, [BufferType()], buffer_view=source, attributes=consume
        ).result
    elif not isinstance(source.type, BufferType):
        fail(op, f"imports a {source.type}, expected a !hal.buffer_view or !hal.buffer")
    device = host.memory(op.affinity, stream.Lifetime.EXTERNAL).device
    allocator = host.make(DeviceAllocatorOp, [AllocatorType()], device=device).result
    host.make(
        BufferAssertOp,
        buffer=source,
        allocator=allocator,
        minimum_length=op.result_size,
        message=StringAttr("tensor"),
        memory_types=enum_attr(MemoryType, MemoryType.DEVICE_VISIBLE),
        buffer_usage=enum_attr(BufferUsage, _IMPORT_USAGE),
        # Nothing makes the buffer that a caller gives as one, so that its assertion tells.
        attributes={} if is_view else consume,
    )
    host.define(op.result, source, starts=is_view)


def lower_export(host: HostLowering, op: stream.TensorExportOp) -> None:
    """A view of the exported bytes, or their buffer."""
    result = op.results[0]
    if isinstance(result.type, BufferType):
        result.replace_all_uses_with(host.buffer_of(op.source))
        return
    if not isinstance(result.type, BufferViewType):
        fail(op, f"exports as {result.type}, expected a !hal.buffer_view or !hal.buffer")
    view = _view(host, op.source, op.source_size, op.source_encoding, iter(op.source_encoding_dims))
    result.replace_all_uses_with(view)


def lower_trace(host: HostLowering, op: stream.TensorTraceOp) -> None:
    """Views of what is traced."""
    dims = iter(op.resource_encoding_dims)
    views = [
        _view(host, resource, size, encoding, dims)
        for resource, size, encoding in zip(
            op.resources, op.resource_sizes, op.resource_encodings.data, strict=True
        )
    ]
    host.make(BufferViewTraceOp, key=op.key, views=views)


def _view(
    host: HostLowering,
    resource: SSAValue,
    size: SSAValue,
    encoding: Attribute,
    dims: Iterator[SSAValue],
) -> SSAValue:
    """A buffer view of a resource; `dims` gives the dynamic extents."""
    if not isa(encoding, TensorType[Attribute]):
        fail(host.op, f"expected a tensor type, got {encoding}")
    shape: Sequence[SSAValue] = [
        next(dims) if extent < 0 else host.indices.constant(extent)
        for extent in encoding.get_shape()
    ]
    element = host.make(ElementTypeOp, [i32], type=encoding.element_type).result
    row_major = host.make(EncodingTypeOp, [i32]).result
    found = host.range_of(resource)
    return host.make(
        BufferViewCreateOp,
        [BufferViewType()],
        source_buffer=found.buffer,
        source_offset=found.offset,
        source_length=size,
        element_type=element,
        encoding_type=row_major,
        shape=shape,
    ).result


def lower_resolve(host: HostLowering, op: stream.ContextResolveOp) -> None:
    """Device, allocator and queues of the first device of an affinity."""
    name = host.devices_of(op.affinity)[0]
    types = [result.type for result in op.resolved]
    resolved = host.make(DeviceResolveOp, [types], affinity=DeviceAffinityAttr(name))
    for old, new in zip(op.resolved, resolved.resolved, strict=True):
        old.replace_all_uses_with(new)
