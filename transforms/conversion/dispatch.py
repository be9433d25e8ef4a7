"""`flow.dispatch` to `stream.async.dispatch`: whole resources as operand ranges."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Attribute, SSAValue

from ...dialects import flow, stream
from ...dialects.access import tied_operand
from ..build import tied_indices
from .expansion import is_tensor
from .lowering import UNKNOWN, Handler, Lowering, Resource


@dataclass(slots=True)
class ResourceRanges:
    """Operands and results of a dispatch or call, by the names of its fields."""

    types: list[Attribute] = field(default_factory=list[Attribute])
    """Of the results."""
    sizes: list[SSAValue] = field(default_factory=list[SSAValue])
    """Bytes of each result that is a resource."""
    fields: dict[str, Any] = field(default_factory=dict[str, Any])


def resource_ranges(
    lowering: Lowering, op: flow.DispatchOp | flow.CallOp, affinity: Attribute
) -> ResourceRanges:
    """Tensor operands as ranges `[0 to size for size]`, scalars as they are."""
    operands: list[SSAValue] = []
    lengths: list[SSAValue] = []
    for operand in op.arguments:
        if not is_tensor(operand.type):
            operands.append(operand)
            continue
        resource = lowering.resource_on(operand, affinity)
        operands.append(resource.value)
        lengths.append(resource.size)
    ranges = ResourceRanges()
    ties = list(_describe_results(lowering, op, ranges))
    ranges.fields = {
        "resource_operands": operands,
        "resource_operand_sizes": lengths,
        "resource_operand_offsets": [lowering.constant(0)] * len(lengths),
        "resource_operand_ends": lengths,
        "resource_operand_lengths": lengths,
        "result_sizes": ranges.sizes,
    }
    if any(tie is not None for tie in ties):
        ranges.fields["tied_operands"] = tied_indices(ties)
    return ranges


def _describe_results(
    lowering: Lowering, op: flow.DispatchOp | flow.CallOp, ranges: ResourceRanges
) -> Iterator[int | None]:
    """Fill in types and sizes of the results; gives the operand that each is tied to."""
    dims = iter(op.result_dims)
    arguments = list(op.arguments)
    for result in op.results:
        operand = tied_operand(result)
        tie = None if operand is None else arguments.index(operand)
        yield tie
        if not isinstance(result.type, ShapedType):
            ranges.types.append(result.type)
            continue
        own = [next(dims) for dim in result.type.get_shape() if dim < 0]
        ranges.types.append(UNKNOWN)
        ranges.sizes.append(
            lowering.byte_size(result.type, own)
            if tie is None
            else lowering.resource(op.arguments[tie]).size
        )


def define_results(
    lowering: Lowering,
    op: flow.DispatchOp | flow.CallOp,
    results: Sequence[SSAValue],
    ranges: ResourceRanges,
) -> None:
    """Let `results` stand for those of `op`."""
    remaining = iter(ranges.sizes)
    for old, fresh in zip(op.results, results, strict=True):
        if is_tensor(old.type):
            lowering.resources[old] = Resource(fresh, next(remaining))
        else:
            old.replace_all_uses_with(fresh)


def lower_dispatch(lowering: Lowering, op: flow.DispatchOp) -> None:
    """The dispatch on ranges of resources, on the device the analysis gives it."""
    affinity = lowering.affinity()
    ranges = resource_ranges(lowering, op, affinity)
    new = lowering.make(
        stream.AsyncDispatchOp,
        [ranges.types],
        workload=op.workload,
        entry_points=op.entry_points,
        affinity=affinity,
        **ranges.fields,
    )
    define_results(lowering, op, new.results, ranges)


HANDLERS: dict[type, Handler] = {flow.DispatchOp: lower_dispatch}
