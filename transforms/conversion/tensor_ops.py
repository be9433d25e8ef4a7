"""`flow.tensor.*` to `stream.async.*`: tensors become byte ranges of resources."""

from xdsl.dialects.builtin import IntegerType, TensorType, i8
from xdsl.ir import SSAValue

from ...dialects import flow, stream
from ...dialects.diagnostics import fail
from .lowering import UNKNOWN, Handler, Lowering, Resource
from .sizes import element_bytes

TRANSFER_KIND = "stream.transfer_kind"


def lower_transfer(lowering: Lowering, op: flow.TensorTransferOp) -> None:
    """`flow.tensor.transfer` to `stream.async.transfer`; the kind attribute goes along (IR-22)."""
    source = lowering.resource(op.operand)
    kind = op.attributes.get(TRANSFER_KIND)
    new = lowering.make(
        stream.AsyncTransferOp,
        [UNKNOWN],
        source=source.value,
        source_size=source.size,
        result_size=source.size,
        source_affinity=lowering.affinities.values.get(op.operand),
        target_affinity=op.target,
        attributes={} if kind is None else {TRANSFER_KIND: kind},
    )
    lowering.resources[op.result] = Resource(new.result, source.size)


def lower_update(lowering: Lowering, op: flow.TensorUpdateOp) -> None:
    """`flow.tensor.update` to `stream.async.update` of the bytes it covers."""
    target = lowering.resource(op.target)
    update = lowering.resource(op.update)
    offset = lowering.byte_offset(op.target.type, op.target_dims, op.start_indices)
    new = lowering.make(
        stream.AsyncUpdateOp,
        [UNKNOWN],
        target=target.value,
        target_size=target.size,
        target_offset=offset,
        target_end=lowering.sum(offset, update.size),
        update=update.value,
        update_size=update.size,
        affinity=lowering.affinity(),
    )
    lowering.resources[op.result] = Resource(new.result, target.size)


def lower_slice(lowering: Lowering, op: flow.TensorSliceOp) -> None:
    """`flow.tensor.slice` to `stream.async.slice` of a contiguous byte range."""
    source = lowering.resource(op.source)
    size = lowering.byte_size(op.result.type, op.result_dims)
    offset = lowering.byte_offset(op.source.type, op.source_dims, op.start_indices)
    new = lowering.make(
        stream.AsyncSliceOp,
        [UNKNOWN],
        source=source.value,
        source_size=source.size,
        source_offset=offset,
        source_end=lowering.sum(offset, size),
        result_size=size,
        affinity=lowering.affinity(),
    )
    lowering.resources[op.result] = Resource(new.result, size)


def lower_splat(lowering: Lowering, op: flow.TensorSplatOp) -> None:
    """`flow.tensor.splat` to `stream.async.splat` of the element's bit pattern."""
    size = lowering.byte_size(op.result.type, op.result_dims)
    new = lowering.make(
        stream.AsyncSplatOp,
        [UNKNOWN],
        value=pattern(lowering, op.value),
        result_size=size,
        affinity=lowering.affinity(),
    )
    lowering.resources[op.result] = Resource(new.result, size)


def pattern(lowering: Lowering, value: SSAValue) -> SSAValue:
    """The bits of a scalar as the integer of its width (i1 as i8), as fills take it."""
    from xdsl.dialects import arith

    size = element_bytes(value.type)
    if size is None or size > 8:
        fail(lowering.op, f"cannot fill with a value of type {value.type}")
    if isinstance(value.type, IntegerType):
        if value.type.width.data == 1:
            return lowering.make(arith.ExtUIOp, [i8], input=value).result
        return value
    return lowering.make(arith.BitcastOp, [IntegerType(8 * size)], input=value).result


def lower_clone(lowering: Lowering, op: flow.TensorCloneOp) -> None:
    """`flow.tensor.clone` to `stream.async.clone`."""
    source = lowering.resource(op.operand)
    new = lowering.make(
        stream.AsyncCloneOp,
        [UNKNOWN],
        source=source.value,
        source_size=source.size,
        result_size=source.size,
        affinity=lowering.affinity(),
    )
    lowering.resources[op.result] = Resource(new.result, source.size)


def lower_reshape(lowering: Lowering, op: flow.TensorReshapeOp | flow.TensorBitCastOp) -> None:
    """Reshapes and bitcasts keep the bytes: the result is the source's resource."""
    lowering.resources[op.result] = lowering.resource(op.source)


def lower_empty(lowering: Lowering, op: flow.TensorEmptyOp | flow.TensorAllocaOp) -> None:
    """Tensors of undefined contents to `stream.async.alloca`."""
    size = lowering.byte_size(op.result.type, op.result_dims)
    new = lowering.make(
        stream.AsyncAllocaOp, [UNKNOWN], storage_size=size, affinity=lowering.affinity()
    )
    lowering.resources[op.result] = Resource(new.result, size)


def lower_constant(lowering: Lowering, op: flow.TensorConstantOp) -> None:
    """`flow.tensor.constant` to `stream.async.constant` of lifetime constant, cast to unknown."""
    constant_type = stream.ResourceType(stream.Lifetime.CONSTANT)
    if not isinstance(op.result.type, TensorType) or any(
        dim < 0 for dim in op.result.type.get_shape()
    ):
        fail(op, f"expected a static tensor type, got {op.result.type}")
    size = lowering.byte_size(op.result.type, ())
    affinity = lowering.affinity()
    new = lowering.make(
        stream.AsyncConstantOp, [constant_type], value=op.value, result_size=size, affinity=affinity
    )
    cast = lowering.make(
        stream.AsyncCastOp,
        [UNKNOWN],
        source=new.result,
        source_size=size,
        result_size=size,
        affinity=affinity,
    )
    lowering.resources[op.result] = Resource(cast.result, size)


HANDLERS: dict[type, Handler] = {
    flow.TensorTransferOp: lower_transfer,
    flow.TensorUpdateOp: lower_update,
    flow.TensorSliceOp: lower_slice,
    flow.TensorSplatOp: lower_splat,
    flow.TensorCloneOp: lower_clone,
    flow.TensorReshapeOp: lower_reshape,
    flow.TensorBitCastOp: lower_reshape,
    flow.TensorEmptyOp: lower_empty,
    flow.TensorAllocaOp: lower_empty,
    flow.TensorConstantOp: lower_constant,
}
