"""`hal.tensor.*` at the program's edge to `stream.tensor.*`: buffers come in and go out."""

from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr, TensorType, UnitAttr, i8, i32
from xdsl.ir import Attribute, SSAValue

from ...dialects import flow, stream
from ...dialects.hal.buffer import BufferLengthOp
from ...dialects.hal.buffer_view import (
    BufferViewAssertOp,
    BufferViewBufferOp,
    ElementTypeOp,
    EncodingTypeOp,
)
from ...dialects.hal.tensor import (
    TensorAliasOp,
    TensorBarrierOp,
    TensorExportOp,
    TensorImportOp,
    TensorTransientsOp,
)
from ...dialects.hal.types import BufferType, BufferViewType
from ..analysis.io_flow import ISOLATION
from ..analysis.ownership import RESULT_STORAGE
from ..build import INDEX
from .lowering import EXTERNAL, UNKNOWN, Handler, Lowering, Resource


def lower_import(lowering: Lowering, op: TensorImportOp) -> None:
    """`hal.tensor.import` to a check of shape and type, then `stream.tensor.import`."""
    affinity = lowering.affinity()
    encoding = op.target_encoding
    # With an offset the view is a container of bytes, of another shape.
    if isinstance(op.source.type, BufferViewType) and op.byte_offset is None:
        _assert_view(lowering, op, encoding)
    size = lowering.byte_size(encoding, op.target_dims)
    total = size if op.byte_offset is None else lowering.sum(op.byte_offset, size)
    imported = lowering.make(
        stream.TensorImportOp,
        [EXTERNAL],
        source=op.source,
        result_encoding=encoding,
        result_encoding_dims=op.target_dims,
        result_size=total,
        affinity=affinity,
        # Ownership goes along: what the caller gave away may be written in place.
        consume=op.consume,
    ).result
    resource = _once_reached(lowering, op.wait_fence, Resource(imported, total))
    if op.byte_offset is not None:
        view = lowering.make(
            stream.ResourceSubviewOp,
            [EXTERNAL],
            source=resource.value,
            source_size=total,
            source_offset=op.byte_offset,
            result_size=size,
        )
        resource = Resource(view.result, size)
    lowering.resources[op.target] = Resource(lowering.cast(resource, UNKNOWN), size)


def _once_reached(lowering: Lowering, fence: SSAValue | None, resource: Resource) -> Resource:
    """`resource` once `fence` is reached."""
    if fence is None:
        return resource
    timepoint = lowering.make(
        stream.TimepointImportOp,
        [stream.TimepointType()],
        arguments=[fence],
        affinity=lowering.affinity(),
    )
    return lowering.awaited(timepoint.result_timepoint, resource)


def _assert_view(lowering: Lowering, op: TensorImportOp, encoding: Attribute) -> None:
    """The caller's view must have the shape and element type that the program was built for."""
    tensor = lowering.tensor_type(encoding)
    element = lowering.make(ElementTypeOp, [i32], type=tensor.element_type)
    row_major = lowering.make(
        EncodingTypeOp,
        [i32],
    )
    lowering.make(
        BufferViewAssertOp,
        [],
        buffer_view=op.source,
        message=op.tensor_name or StringAttr("tensor"),
        element_type=element.result,
        encoding_type=row_major.result,
        shape=lowering.extents(tensor, op.target_dims),
    )


def lower_export(lowering: Lowering, op: TensorExportOp) -> None:
    """`tensor.export` to a cast to external storage and `stream.tensor.export`."""
    affinity = lowering.affinity()
    source = lowering.resource_on(op.source, affinity)
    exported = lowering.make(
        stream.TensorExportOp,
        [op.target.type],
        source=lowering.cast(source, EXTERNAL),
        source_encoding=op.source_encoding,
        source_encoding_dims=op.source_dims,
        source_size=source.size,
        affinity=affinity,
    )
    op.target.replace_all_uses_with(exported.result)


def lower_alias(lowering: Lowering, op: TensorAliasOp) -> None:
    """The tensor in the caller's storage: an update of all of it, into which its producer may go.

    The import is marked: what is written to it is a result, and stays as it is.
    """
    affinity = lowering.affinity()
    source = lowering.resource_on(_isolated(op.source), affinity)
    size = source.size
    imported = lowering.make(
        stream.TensorImportOp,
        [EXTERNAL],
        source=op.storage,
        result_encoding=op.source.type,
        result_encoding_dims=op.source_dims,
        result_size=size,
        affinity=affinity,
        consume=UnitAttr(),
        attributes={RESULT_STORAGE: UnitAttr()},
    ).result
    storage = _once_reached(lowering, op.wait_fence, Resource(imported, size))
    updated = lowering.make(
        stream.AsyncUpdateOp,
        [UNKNOWN],
        # Of the producer's type, so that it can be emplaced (GE-02).
        target=lowering.cast(storage, UNKNOWN),
        target_size=size,
        target_offset=lowering.constant(0),
        target_end=size,
        update=source.value,
        update_size=size,
        affinity=affinity,
    )
    lowering.resources[op.result] = Resource(updated.result, size)


def _isolated(tensor: SSAValue) -> SSAValue:
    """What `tensor` is an isolating copy of, if nobody else uses it: the update is the copy."""
    owner = tensor.owner
    if not isinstance(owner, flow.TensorCloneOp) or ISOLATION not in owner.attributes:
        return tensor
    return owner.operand if tensor.has_one_use() else tensor


def lower_barrier(lowering: Lowering, op: TensorBarrierOp) -> None:
    """A timepoint for each tensor, joined; once they are reached the fence is signalled."""
    timepoints: list[SSAValue] = []
    affinity: Attribute | None = None
    for source, result in zip(op.sources, op.result, strict=True):
        resource = lowering.resource(source)
        affinity = lowering.value_affinity(source)
        barrier = lowering.make(
            stream.TimepointBarrierOp,
            [resource.value.type, stream.TimepointType()],
            resource=resource.value,
            resource_size=resource.size,
            affinity=affinity,
        )
        timepoints.append(barrier.result_timepoint)
        lowering.resources[result] = Resource(barrier.result, resource.size)
    joined = lowering.make(
        stream.TimepointJoinOp, [stream.TimepointType()], await_timepoints=timepoints
    )
    lowering.make(
        stream.TimepointChainExternalOp,
        await_timepoint=joined.result_timepoint,
        external_values=[op.signal_fence],
        affinity=affinity,
    )


def lower_transients(lowering: Lowering, op: TensorTransientsOp) -> None:
    """The storage as one transient resource, from which that of the tensor's producers comes."""
    affinity = lowering.affinity()
    source = lowering.resource_on(op.source, affinity)
    barrier = lowering.make(
        stream.TimepointBarrierOp,
        [UNKNOWN, stream.TimepointType()],
        resource=source.value,
        resource_size=source.size,
        affinity=affinity,
    )
    buffer = op.storage
    if isinstance(buffer.type, BufferViewType):
        buffer = lowering.make(BufferViewBufferOp, [BufferType()], buffer_view=buffer).result
    length = lowering.make(BufferLengthOp, [INDEX], buffer=buffer).result
    storage = lowering.make(
        stream.TensorImportOp,
        [stream.ResourceType(stream.Lifetime.TRANSIENT)],
        source=buffer,
        result_encoding=TensorType(i8, [DYNAMIC_INDEX]),
        result_encoding_dims=[length],
        result_size=length,
        affinity=affinity,
    )
    placed = lowering.make(
        stream.ResourceTransientsOp,
        [UNKNOWN, stream.TimepointType()],
        resource=barrier.result,
        resource_size=source.size,
        storage=storage.result,
        storage_size=length,
        await_timepoint=barrier.result_timepoint,
        affinity=affinity,
    )
    lowering.resources[op.result] = lowering.awaited(
        placed.result_timepoint, Resource(placed.result, source.size)
    )


HANDLERS: dict[type, Handler] = {
    TensorImportOp: lower_import,
    TensorExportOp: lower_export,
    TensorAliasOp: lower_alias,
    TensorBarrierOp: lower_barrier,
    TensorTransientsOp: lower_transients,
}
