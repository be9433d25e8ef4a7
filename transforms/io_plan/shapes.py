"""Shapes of a model's inputs and outputs, and where dimensions of outputs come from (GE-08)."""

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, BlockArgument, SSAValue

from ...dialects import flow
from ...dialects.hal.buffer_view import BufferViewDimOp
from ...dialects.hal.tensor import TensorExportOp
from ...dialects.io_plan import DimOrigin
from ...dialects.shapes import element_type_of, shape_of
from ..analysis.io_flow import IoFlow, root_of
from ..build import constant_value
from .entry import EntryInput


def shape_and_element(encoding: Attribute) -> tuple[tuple[int, ...], str]:
    """The dimensions of a tensor, -1 for a dynamic one, and the name of its element type."""
    shape = tuple(-1 if size == DYNAMIC_INDEX else size for size in shape_of(encoding))
    return shape, str(element_type_of(encoding))


def dim_origins(export: TensorExportOp, inputs: Sequence[EntryInput]) -> tuple[DimOrigin, ...]:
    """Where the dimensions of an exported tensor come from; () for a static shape."""
    shape = shape_of(export.source_encoding)
    if DYNAMIC_INDEX not in shape:
        return ()
    dynamic = iter(export.source_dims)
    return tuple(
        DimOrigin(size) if size != DYNAMIC_INDEX else _origin(next(dynamic), inputs)
        for size in shape
    )


def _origin(value: SSAValue, inputs: Sequence[EntryInput]) -> DimOrigin:
    if (size := constant_value(value)) is not None:
        return DimOrigin(size)
    op = value.owner
    if isinstance(op, BufferViewDimOp) and isinstance(op.buffer_view, BlockArgument):
        for ordinal, given in enumerate(inputs):
            if given.argument == op.buffer_view.index:
                return DimOrigin(input=ordinal, axis=int(op.index.value.data))
    return DimOrigin()


def has_inner_siblings(export: TensorExportOp, tensors: IoFlow) -> bool:
    """Whether what makes an output makes another tensor too, which is no output."""
    maker = root_of(export.source).owner
    if not isinstance(maker, flow.DispatchOp):
        return False
    return any(
        not any(isinstance(use.op, TensorExportOp) for use in tensors.consumers(value))
        for value in maker.results
    )
