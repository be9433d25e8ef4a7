"""`hal.tensor.*` at the program's edge to `stream.tensor.*`: buffers come in and go out."""

from xdsl.dialects.builtin import StringAttr, TensorType, i32
from xdsl.ir import Attribute

from ...dialects import hal, stream
from ...dialects.diagnostics import fail
from .lowering import EXTERNAL, UNKNOWN, Handler, Lowering, Resource


def lower_import(lowering: Lowering, op: hal.TensorImportOp) -> None:
    """`hal.tensor.import` to a check of shape and type, then `stream.tensor.import`."""
    affinity = lowering.affinity()
    encoding = op.target_encoding
    if isinstance(op.source.type, hal.BufferViewType):
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
        attributes={name: value for name, value in op.attributes.items()}
        | ({"consume": op.properties["consume"]} if "consume" in op.properties else {}),
    ).result
    if op.wait_fence is not None:
        timepoint = lowering.make(
            stream.TimepointImportOp,
            [stream.TimepointType()],
            operands=[op.wait_fence],
            affinity=affinity,
        )
        imported = lowering.make(
            stream.TimepointAwaitOp,
            [[EXTERNAL]],
            await_timepoint=timepoint.results[0],
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


def _assert_view(lowering: Lowering, op: hal.TensorImportOp, encoding: Attribute) -> None:
    """The caller's view must have the shape and element type that the program was built for."""
    if not isinstance(encoding, TensorType):
        fail(op, f"expected a tensor type, got {encoding}")
    element = lowering.make(hal.ElementTypeOp, [i32], type=encoding.element_type)
    row_major = lowering.make(hal.EncodingTypeOp, [i32], encoding=StringAttr("dense_row_major"))
    lowering.make(
        hal.BufferViewAssertOp,
        [],
        buffer_view=op.source,
        message=op.name or StringAttr("tensor"),
        element_type=element.result,
        encoding_type=row_major.result,
        shape=lowering.extents(encoding, op.target_dims),
    )


def lower_export(lowering: Lowering, op: hal.TensorExportOp) -> None:
    """`hal.tensor.export` to a cast to external storage and `stream.tensor.export`."""
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
    hal.TensorImportOp: lower_import,
    hal.TensorExportOp: lower_export,
}
