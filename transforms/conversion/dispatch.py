"""`flow.dispatch` to `stream.async.dispatch`: whole resources as operand ranges."""

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Attribute, SSAValue

from ...dialects import flow, stream
from ...dialects.access import tied_operand
from ..build import tied_indices
from .lowering import UNKNOWN, Handler, Lowering, Resource


def lower_dispatch(lowering: Lowering, op: flow.DispatchOp) -> None:
    """Tensor operands become ranges `[0 to size for size]`, scalars stay."""
    zero = lowering.constant(0)
    operands: list[SSAValue] = []
    ranges: list[SSAValue] = []
    for operand in op.arguments:
        if not isinstance(operand.type, ShapedType):
            operands.append(operand)
            continue
        resource = lowering.resource(operand)
        operands.append(resource.value)
        ranges.append(resource.size)
    types: list[Attribute] = []
    sizes: list[SSAValue] = []
    dims = iter(op.result_dims)
    arguments = list(op.arguments)
    tied: list[int | None] = []
    for result in op.results:
        operand = tied_operand(result)
        tied_to = None if operand is None else arguments.index(operand)
        tied.append(tied_to)
        if not isinstance(result.type, ShapedType):
            types.append(result.type)
            continue
        own = [next(dims) for dim in result.type.get_shape() if dim < 0]
        types.append(UNKNOWN)
        sizes.append(
            lowering.byte_size(result.type, own)
            if tied_to is None
            else lowering.resource(op.arguments[tied_to]).size
        )
    new = lowering.make(
        stream.AsyncDispatchOp,
        [types],
        workload=op.workload,
        entry_points=op.entry_points,
        resource_operands=operands,
        resource_operand_sizes=ranges,
        resource_operand_offsets=[zero] * len(ranges),
        resource_operand_ends=ranges,
        resource_operand_lengths=ranges,
        result_sizes=sizes,
        affinity=lowering.affinity(),
        **({"tied_operands": tied_indices(tied)} if any(t is not None for t in tied) else {}),
    )
    remaining = iter(sizes)
    for old, fresh in zip(op.results, new.results, strict=True):
        if isinstance(old.type, ShapedType):
            lowering.resources[old] = Resource(fresh, next(remaining))
        else:
            old.replace_all_uses_with(fresh)


HANDLERS: dict[type, Handler] = {flow.DispatchOp: lower_dispatch}
