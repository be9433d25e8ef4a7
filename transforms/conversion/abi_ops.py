"""`hal.tensor.*` at the program's edge to `stream.tensor.*`: buffers come in and go out."""

from xdsl.dialects.builtin import StringAttr, i32
from xdsl.ir import Attribute

from ...dialects import stream
from ...dialects.hal.buffer_view import BufferViewAssertOp, ElementTypeOp, EncodingTypeOp
from ...dialects.hal.tensor import TensorExportOp, TensorImportOp
from ...dialects.hal.types import BufferViewType
from .lowering import EXTERNAL, UNKNOWN, Handler, Lowering, Resource


def lower_import(lowering: Lowering, op: TensorImportOp) -> None:
    """`hal.tensor.import` to a check of shape and type, then `stream.tensor.import`."""
    affinity = lowering.affinity()
    encoding = op.target_encoding
    if isinstance(op.source.type, BufferViewType):
        _assert_view(lowering, op, encoding)
    size = lowering.byte_size(encoding, op.target_dims)
    imported = lowering.make(
        stream.TensorImportOp,
        [EXTERNAL],
        source=op.source,
        result_encoding=encoding,
        result_encoding_dims=op.target_dims,
        result_size=size,
        affinity=affinity,
        # Ownership goes along: what the caller gave away may be written in place.
        consume=op.consume,
    ).result
    if op.wait_fence is not None:
        timepoint = lowering.make(
            stream.TimepointImportOp,
            [stream.TimepointType()],
            arguments=[op.wait_fence],
            affinity=affinity,
        )
        imported = lowering.make(
            stream.TimepointAwaitOp,
            [[EXTERNAL]],
            await_timepoint=timepoint.result_timepoint,
            resource_operands=[imported],
            resource_operand_sizes=[size],
        ).results[0]
    cast = lowering.make(
        stream.AsyncCastOp,
        [UNKNOWN],
        source=imported,
        source_size=size,
        result_size=size,
        affinity=affinity,
    )
    lowering.resources[op.target] = Resource(cast.result, size)


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
    source = lowering.resource(op.source)
    cast = lowering.make(
        stream.AsyncCastOp,
        [EXTERNAL],
        source=source.value,
        source_size=source.size,
        result_size=source.size,
        affinity=affinity,
    )
    exported = lowering.make(
        stream.TensorExportOp,
        [op.target.type],
        source=cast.result,
        source_encoding=op.source_encoding,
        source_encoding_dims=op.source_dims,
        source_size=source.size,
        affinity=affinity,
    )
    op.target.replace_all_uses_with(exported.result)


HANDLERS: dict[type, Handler] = {
    TensorImportOp: lower_import,
    TensorExportOp: lower_export,
}
