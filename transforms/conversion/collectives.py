"""Collectives, their channels, and calls of functions outside of the program.

```mlir
flow.func private @ext(%arg0: tensor<?xf32>) -> %arg0
%1 = flow.call @ext(%0) : (tensor<?xf32>{%n}) -> %0{%n}
// becomes
stream.async.func private @ext(%arg0: !stream.resource<*>) -> %arg0
%1 = stream.async.call on(#a) @ext(%0[%c0 to %size for %size])
    : (!stream.resource<*>{%size}) -> %0{%size}
```
"""

from typing import get_args

from xdsl.dialects import arith
from xdsl.dialects.builtin import FunctionType, IntegerAttr, i32
from xdsl.ir import Operation, SSAValue

from ...dialects import flow, stream
from ...dialects.flow.collectives import ELEMENT_TYPES, REDUCTIONS
from ..analysis.affinity import default_affinity, explicit_affinity
from .dispatch import define_results, resource_ranges
from .expansion import CHANNEL, is_tensor
from .lowering import UNKNOWN, Handler, Lowering, Resource

_RANK_BITS = 16
"""A pair of ranks is packed into a word of 32 bits, the receiver's source above the target."""


def lower_function(function: flow.FuncOp) -> None:
    """A declaration with resources in the place of tensors; ranges at calls give their sizes."""
    block = function.parent
    assert block is not None
    signature = function.function_type
    inputs, outputs = (
        [UNKNOWN if is_tensor(type) else type for type in types]
        for types in (signature.inputs, signature.outputs)
    )
    declared = stream.AsyncFuncOp.create(
        properties={
            **function.properties,
            "function_type": FunctionType.from_lists(inputs, outputs),
        },
        attributes=function.attributes,
        regions=[function.detach_region(function.body)],
        location=function.location,
    )
    block.insert_op_before(declared, function)
    block.erase_op(function)


def lower_call(lowering: Lowering, op: flow.CallOp) -> None:
    """A call on whole resources."""
    affinity = lowering.affinity()
    ranges = resource_ranges(lowering, op, affinity)
    attributes = {
        name: op.properties[name] for name in ("arg_attrs", "res_attrs") if name in op.properties
    }
    new = lowering.make(
        stream.AsyncCallOp,
        [ranges.types],
        callee=op.callee,
        affinity=affinity,
        **ranges.fields,
        **attributes,
    )
    define_results(lowering, op, new.results, ranges)


def lower_channel(lowering: Lowering, op: flow.ChannelDefaultOp) -> None:
    """The channel of a device, of all its participants or of a named group."""
    new = lowering.make(
        stream.ChannelCreateOp,
        [CHANNEL],
        group=op.group,
        affinity=explicit_affinity(op) or default_affinity(op),
    )
    lowering.channels[op.result] = new.result


def lower_channel_split(lowering: Lowering, op: flow.ChannelSplitOp) -> None:
    """The same op on the other type."""
    channel = lowering.channels[op.channel]
    new = lowering.make(
        stream.ChannelSplitOp, [CHANNEL], channel=channel, color=op.color, key=op.key
    )
    lowering.channels[op.result] = new.result


def lower_channel_query(lowering: Lowering, op: flow.ChannelRankOp | flow.ChannelCountOp) -> None:
    """The same op on the other type."""
    counterpart = (
        stream.ChannelRankOp if isinstance(op, flow.ChannelRankOp) else stream.ChannelCountOp
    )
    new = lowering.make(counterpart, [op.result.type], channel=lowering.channels[op.channel])
    op.result.replace_all_uses_with(new.result)


Collective = (
    flow.CollectiveAllGatherOp
    | flow.CollectiveAllReduceOp
    | flow.CollectiveAllToAllOp
    | flow.CollectiveReduceScatterOp
    | flow.CollectiveSendRecvOp
)


def lower_collective(lowering: Lowering, op: Collective) -> None:
    """A collective on whole resources, written in the place of its target."""
    affinity = lowering.affinity()
    target = lowering.resource_on(op.target, affinity)
    source = lowering.resource_on(op.source, affinity)
    zero = lowering.constant(0)
    extents = lowering.extents(lowering.tensor_type(op.result.type), op.target_dims)
    reduction = (
        REDUCTIONS[op.reduction_op.value.data]
        if isinstance(op, flow.CollectiveAllReduceOp | flow.CollectiveReduceScatterOp)
        else None
    )
    element = ELEMENT_TYPES[op.element_type.value.data]
    kind = stream.Collective(op.name.removeprefix("flow.collective."), reduction, element)
    new = lowering.make(
        stream.AsyncCollectiveOp,
        [UNKNOWN],
        op=stream.CollectiveAttr(kind),
        target=target.value,
        target_size=target.size,
        target_offset=zero,
        target_end=target.size,
        target_length=target.size,
        source=source.value,
        source_size=source.size,
        source_offset=zero,
        source_end=source.size,
        source_length=source.size,
        element_count=lowering.product(extents),
        channel=lowering.channels[op.channel],
        param=_ranks(lowering, op) if isinstance(op, flow.CollectiveSendRecvOp) else (),
        affinity=affinity,
    )
    lowering.resources[op.result] = Resource(new.result, target.size)


def _ranks(lowering: Lowering, op: flow.CollectiveSendRecvOp) -> SSAValue:
    """The ranks to send to and to receive from in one word."""

    def constant(value: int) -> SSAValue:
        new = arith.ConstantOp(IntegerAttr(value, i32))
        lowering.insert(new)
        return new.result

    send, recv = (
        lowering.make(arith.IndexCastOp, [i32], input=rank).result for rank in (op.send, op.recv)
    )
    low = lowering.make(arith.AndIOp, [i32], lhs=send, rhs=constant((1 << _RANK_BITS) - 1))
    high = lowering.make(arith.ShLIOp, [i32], lhs=recv, rhs=constant(_RANK_BITS))
    return lowering.make(arith.OrIOp, [i32], lhs=high.result, rhs=low.result).result


HANDLERS: dict[type[Operation], Handler] = {
    flow.CallOp: lower_call,
    flow.ChannelDefaultOp: lower_channel,
    flow.ChannelSplitOp: lower_channel_split,
    flow.ChannelRankOp: lower_channel_query,
    flow.ChannelCountOp: lower_channel_query,
    **dict.fromkeys(get_args(Collective), lower_collective),
}
