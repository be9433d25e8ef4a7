"""The size of a resource as a value at some op, asked for where nothing states it."""

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from ..dialects import stream
from .analysis.resource_size import constant_size, resource_size
from .analysis.sizes import stated_sizes
from .build import INDEX, make


def size_before(op: Operation, value: SSAValue) -> SSAValue:
    """The size of `value`, a resource that is there at `op`; what gives it is put before `op`."""
    if (size := dict(stated_sizes(op)).get(value) or resource_size(value)) is not None:
        return size
    known = constant_size(value)
    query: Operation
    if known is None:
        query = make(stream.ResourceSizeOp, op, [INDEX], operand=value)
    else:
        query = arith.ConstantOp(IntegerAttr(known, INDEX))
    block = op.parent
    assert block is not None
    block.insert_op_before(query, op)
    return query.results[0]
