"""Loads whose contents nobody looks at.

A destination-style op takes a tensor for its shape alone where its region does not read it; IREE
passes the loaded old contents of a read-write binding so. No memory is read for those.
"""

from xdsl.dialects import tensor
from xdsl.dialects.linalg.ops import CopyOp, FillOp, GenericOp, TransposeOp
from xdsl.ir import Operation, SSAValue, Use

from ...dialects.diagnostics import op_name
from .attributes import parallel_loops

_OVERWRITING = frozenset(
    (
        CopyOp.name,
        FillOp.name,
        TransposeOp.name,
        "linalg.broadcast",
        "linalg.elementwise",
        "linalg.map",
        "linalg.softmax",
    )
)
"""Ops that overwrite their outputs, which follow their inputs, without reading them."""
_VIEWS = frozenset(
    (
        tensor.CastOp.name,
        tensor.CollapseShapeOp.name,
        tensor.ExpandShapeOp.name,
        tensor.ExtractSliceOp.name,
        "iree_tensor_ext.compute_barrier.end",
        "iree_tensor_ext.compute_barrier.start",
    )
)


def needs_contents(value: SSAValue) -> bool:
    """Whether any op looks at the elements of a tensor; its shape may be used regardless."""
    return any(_reads(use) for use in value.uses)


def _reads(use: Use) -> bool:
    op, name = use.operation, op_name(use.operation)
    if name == tensor.DimOp.name:
        return False
    if name in _VIEWS and use.index == 0:
        return needs_contents(op.results[0])
    output = use.index - (len(op.operands) - len(op.results))
    if name in _OVERWRITING:
        return output < 0
    if name == GenericOp.name:
        return output < 0 or _reads_output(op, use.index)
    return True


def _reads_output(op: Operation, index: int) -> bool:
    """Whether a generic op reads an output: its region does, or it reduces (maybe nothing)."""
    return bool(op.regions[0].block.args[index].uses) or not all(parallel_loops(op))
