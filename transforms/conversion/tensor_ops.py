"""`flow.tensor.*` to `stream.async.*`: tensors become byte ranges of resources."""

from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import (
    ComplexType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i1,
    i8,
)
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from ...dialects import flow, stream
from ...dialects.diagnostics import fail
from ...dialects.foreign.arith_casts import IndexCastUIOp
from ..analysis.io_flow import ISOLATION
from .lowering import UNKNOWN, Handler, Lowering, Resource
from .sizes import Packing

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
        source_affinity=lowering.value_affinity(op.operand),
        target_affinity=op.target,
        attributes={} if kind is None else {TRANSFER_KIND: kind},
    )
    lowering.resources[op.result] = Resource(new.result, source.size)


def lower_update(lowering: Lowering, op: flow.TensorUpdateOp) -> None:
    """`flow.tensor.update` to `stream.async.update` of the bytes it covers."""
    affinity = lowering.affinity()
    target = lowering.resource_on(op.target, affinity)
    update = lowering.resource_on(op.update, affinity)
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
        affinity=affinity,
    )
    lowering.resources[op.result] = Resource(new.result, target.size)


def lower_slice(lowering: Lowering, op: flow.TensorSliceOp) -> None:
    """`flow.tensor.slice` to `stream.async.slice` of a contiguous byte range."""
    affinity = lowering.affinity()
    source = lowering.resource_on(op.source, affinity)
    size = lowering.byte_size(op.result.type, op.result_dims)
    offset = lowering.byte_offset(op.source.type, op.source_dims, op.start_indices)
    lowering.resources[op.result] = lowering.sliced(source, offset, size, affinity)


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
    """The bits of a scalar as the integer of its width (i1 as i8), as fills take it.

    Those of a constant are a constant: what fills with it is recorded once.
    """
    packing = Packing.of(value.type)
    if packing is None or packing.elements != 1 or packing.word not in (1, 2, 4, 8):
        fail(lowering.op, f"cannot fill with a value of type {value.type}")
    bits = IntegerType(8 * packing.word)
    if (known := _constant_bits(value)) is not None:
        return lowering.make(arith.ConstantOp, [bits], value=IntegerAttr(known, bits)).result
    if isinstance(value.type, IndexType):
        return lowering.make(IndexCastUIOp, [bits], input=value).result
    if isinstance(value.type, IntegerType):
        if value.type.width.data == 1:
            return lowering.make(arith.ExtUIOp, [i8], input=value).result
        return value
    if isa(value.type, ComplexType):
        return lowering.make(complex.BitcastOp, [bits], operand=value).result
    return lowering.make(arith.BitcastOp, [bits], input=value).result


def _constant_bits(value: SSAValue) -> int | None:
    """The bits of a constant that is no integer of a fill's width already; None for others."""
    op = value.owner
    constant = op.value if isinstance(op, arith.ConstantOp) else None
    if isinstance(constant, FloatAttr):
        packed = constant.type.pack([constant.value.data])
        return int.from_bytes(packed, "little", signed=True)
    if isinstance(constant, IntegerAttr) and value.type == i1:
        return int(constant.value.data != 0)
    return None


def lower_clone(lowering: Lowering, op: flow.TensorCloneOp) -> None:
    """`flow.tensor.clone` to `stream.async.clone`."""
    affinity = lowering.affinity()
    source = lowering.resource_on(op.operand, affinity)
    new = lowering.make(
        stream.AsyncCloneOp,
        [UNKNOWN],
        source=source.value,
        source_size=source.size,
        result_size=source.size,
        affinity=affinity,
        # What isolates has to be known as such further down.
        attributes={ISOLATION: op.attributes[ISOLATION]} if ISOLATION in op.attributes else None,
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


def lower_tie_shape(lowering: Lowering, op: flow.TensorTieShapeOp) -> None:
    """A tensor with its dimensions stated is the same resource."""
    lowering.resources[op.result] = lowering.resource(op.operand)


def lower_barrier(lowering: Lowering, op: flow.TensorBarrierOp) -> None:
    """`flow.tensor.barrier` to `stream.async.barrier` on its target."""
    source = lowering.resource(op.operand)
    new = lowering.make(
        stream.AsyncBarrierOp,
        [UNKNOWN],
        source=source.value,
        size=source.size,
        affinity=op.target,
    )
    lowering.resources[op.result] = Resource(new.result, source.size)


def lower_encode(lowering: Lowering, op: flow.TensorEncodeOp) -> None:
    """`flow.tensor.encode` to `stream.tensor.encode`: what the layout is, targets say later."""
    affinity = lowering.affinity()
    source = lowering.resource_on(op.operand, affinity)
    size = lowering.byte_size(op.result.type, op.result_dims)
    new = lowering.make(
        stream.TensorEncodeOp,
        [UNKNOWN],
        source=source.value,
        source_encoding=op.operand.type,
        source_encoding_dims=op.operand_dims,
        source_size=source.size,
        result_encoding=op.result.type,
        result_encoding_dims=op.result_dims,
        result_size=size,
        affinity=affinity,
    )
    lowering.resources[op.result] = Resource(new.result, size)


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
    flow.TensorTieShapeOp: lower_tie_shape,
    flow.TensorBarrierOp: lower_barrier,
    flow.TensorEncodeOp: lower_encode,
}
