"""Tensors that the host reads, writes or prints element by element, and parameters of archives.

```mlir
%v = flow.tensor.load %t[%i] : tensor<16xf32>
// becomes a slice of the element, a copy for the host and a load of it
%s = stream.async.slice on(#a) %t[%o to %e] : … -> !stream.resource<*>{%c4}
%h = stream.async.transfer %s : … from(#a) -> to(#a) !stream.resource<staging>{%c4}
%v = stream.async.load %h[%c0] : !stream.resource<staging>{%c4} -> f32
```
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, TensorType
from xdsl.ir import SSAValue

from ...dialects import flow, stream
from .lowering import UNKNOWN, Handler, Lowering, Resource
from .tensor_ops import pattern

STAGING = stream.ResourceType(stream.Lifetime.STAGING)


def lower_load(lowering: Lowering, op: flow.TensorLoadOp) -> None:
    """An element on the host: only the element is copied for it."""
    affinity = lowering.affinity()
    source = lowering.resource_on(op.source, affinity)
    offset, size = _element(lowering, op.source, op.source_dims, op.indices)
    if op.indices:
        source = lowering.sliced(source, offset, size, affinity)
    staged = lowering.transferred(source, STAGING, affinity, affinity)
    loaded = lowering.make(
        stream.AsyncLoadOp,
        [op.result.type],
        source=staged,
        source_size=source.size,
        source_offset=lowering.constant(0),
    )
    op.result.replace_all_uses_with(loaded.result)


def lower_store(lowering: Lowering, op: flow.TensorStoreOp) -> None:
    """An element replaced: a fill of its bytes."""
    affinity = lowering.affinity()
    target = lowering.resource_on(op.target, affinity)
    offset, size = _element(lowering, op.target, op.target_dims, op.indices)
    new = lowering.make(
        stream.AsyncFillOp,
        [UNKNOWN],
        target=target.value,
        target_size=target.size,
        target_offset=offset,
        target_end=lowering.sum(offset, size),
        target_length=size,
        value=pattern(lowering, op.value),
        affinity=affinity,
    )
    lowering.resources[op.result] = Resource(new.result, target.size)


def _element(
    lowering: Lowering, tensor: SSAValue, dims: Sequence[SSAValue], indices: Sequence[SSAValue]
) -> tuple[SSAValue, SSAValue]:
    """Offset and size in bytes of one element."""
    offset = lowering.byte_offset(tensor.type, dims, indices)
    element = TensorType(lowering.tensor_type(tensor.type).element_type, [])
    return offset, lowering.byte_size(element, ())


def lower_trace(lowering: Lowering, op: flow.TensorTraceOp) -> None:
    """Copies for the host of all tensors, and a trace of these."""
    affinity = lowering.affinity()
    resources = [lowering.resource(value) for value in op.values]
    staged = [
        lowering.transferred(resource, STAGING, lowering.value_affinity(value), affinity)
        for resource, value in zip(resources, op.values, strict=True)
    ]
    lowering.make(
        stream.TensorTraceOp,
        key=op.key,
        resources=staged,
        resource_sizes=[resource.size for resource in resources],
        resource_encodings=ArrayAttr([value.type for value in op.values]),
        resource_encoding_dims=op.value_dims,
    )


def lower_parameter_load(lowering: Lowering, op: flow.ParameterLoadOp) -> None:
    """`flow.parameter.load` to `stream.async.parameter.load` of the tensor's bytes."""
    size = lowering.byte_size(op.result.type, op.result_dims)
    new = lowering.make(
        stream.AsyncParameterLoadOp,
        [UNKNOWN, stream.TimepointType()],
        source_scope=op.source_scope,
        source_key=op.source_key,
        source_offset=op.source_offset,
        result_size=size,
        affinity=lowering.affinity(),
    )
    loaded = Resource(new.result, size)
    lowering.resources[op.result] = lowering.awaited(new.result_timepoint, loaded)


def lower_parameter_write(lowering: Lowering, op: flow.ParameterWriteOp) -> None:
    """`flow.parameter.write` to `stream.async.parameter.write` of the whole tensor."""
    affinity = lowering.affinity()
    source = lowering.resource_on(op.source, affinity)
    new = lowering.make(
        stream.AsyncParameterWriteOp,
        [UNKNOWN, stream.TimepointType()],
        source=source.value,
        source_size=source.size,
        source_offset=lowering.constant(0),
        source_end=source.size,
        source_length=source.size,
        target_scope=op.target_scope,
        target_key=op.target_key,
        target_offset=op.target_offset,
        affinity=affinity,
    )
    written = Resource(new.result, source.size)
    lowering.resources[op.result] = lowering.awaited(new.result_timepoint, written)


HANDLERS: dict[type, Handler] = {
    flow.TensorLoadOp: lower_load,
    flow.TensorStoreOp: lower_store,
    flow.TensorTraceOp: lower_trace,
    flow.ParameterLoadOp: lower_parameter_load,
    flow.ParameterWriteOp: lower_parameter_write,
}
