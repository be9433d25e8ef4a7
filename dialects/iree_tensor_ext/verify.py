"""What verifiers of iree_tensor_ext ops check. Each check raises VerifyException."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..shapes import shape_of, shape_text
from ..verify import check_count
from .types import RaggedShapeAttr

if TYPE_CHECKING:
    from .dispatch import DispatchTensorLoadOp, DispatchTensorStoreOp
    from .tensors import CastToRaggedShapeOp, LinearizeRaggedDimsOp


def is_rank_reduced(shape: Sequence[int], reduced: Sequence[int]) -> bool:
    """Whether `reduced` is `shape` without some of its dimensions of size 1."""
    position = 0
    for size in shape:
        if position < len(reduced) and reduced[position] == size:
            position += 1
        elif size != 1:
            return False
    return position == len(reduced)


def check_slice(
    op: DispatchTensorLoadOp | DispatchTensorStoreOp, tensor: SSAValue, part: SSAValue
) -> None:
    """An offset, size and stride for each dimension of `tensor`; the slice within it.

    `part`, the tensor loaded or stored, has the sizes of the slice.
    """
    shape = shape_of(tensor.type)
    fields = (
        ("offsets", op.static_offsets.get_values(), op.offsets),
        ("sizes", op.static_sizes.get_values(), op.sizes),
        ("strides", op.static_strides.get_values(), op.strides),
    )
    for what, static, dynamic in fields:
        check_count(f"{what}, one for each dimension of {tensor.type}", len(static), len(shape))
        check_count(f"values for dynamic {what}", len(dynamic), static.count(DYNAMIC_INDEX))
    entries = zip(shape, *(static for _, static, _ in fields), strict=True)
    for dimension, (extent, offset, size, stride) in enumerate(entries):
        if (offset != DYNAMIC_INDEX and offset < 0) or (size != DYNAMIC_INDEX and size < 0):
            raise VerifyException(
                f"expected offset and size of dimension {dimension} from 0, got {offset} and {size}"
            )
        if DYNAMIC_INDEX in (extent, offset, size, stride) or size == 0:
            continue
        last = offset + (size - 1) * stride
        if not 0 <= last < extent:
            raise VerifyException(
                f"expected a slice within dimension {dimension} of size {extent}, "
                f"got one that ends at {last}"
            )
    sizes, got = op.static_sizes.get_values(), shape_of(part.type)
    if not is_rank_reduced(sizes, got):
        raise VerifyException(
            f"expected a tensor of the sizes {shape_text(sizes)}, less dimensions of size 1, "
            f"got {shape_text(got)}"
        )


def ragged_shape(type: Attribute) -> RaggedShapeAttr | None:
    """How a tensor or buffer is ragged, or None."""
    encoding: Attribute | None = None
    if isinstance(type, TensorType):
        encoding = type.encoding
    elif isinstance(type, MemRefType):
        encoding = type.layout
    return encoding if isinstance(encoding, RaggedShapeAttr) else None


def _is_plain(type: Attribute) -> bool:
    """Whether a tensor has no encoding, or a buffer no layout."""
    if isinstance(type, TensorType):
        return type.encoding == NoneAttr()
    return not isinstance(type, MemRefType) or type.layout == NoneAttr()


def check_cast_to_ragged(op: CastToRaggedShapeOp) -> None:
    """The ragged dimension becomes rows and columns; all others stay as they are."""
    dim = op.ragged_dim.value.data
    source, result = shape_of(op.source.type), shape_of(op.result.type)
    if not 0 <= dim < len(source):
        raise VerifyException(f"expected a ragged dimension within rank {len(source)}, got {dim}")
    lengths = shape_of(op.column_lengths.type)
    check_count("dimensions of the column lengths", len(lengths), 1)
    check_count("dimensions of the result, one more than the source", len(result), len(source) + 1)
    ragged = ragged_shape(op.result.type)
    if ragged is None or ragged.ragged_row.data != dim:
        raise VerifyException(
            f"expected a result that is #iree_tensor_ext.ragged_shape<{dim}>, got {op.result.type}"
        )
    rows = result[dim]
    if op.num_ragged_rows is not None and (lengths[0], rows) != (DYNAMIC_INDEX, DYNAMIC_INDEX):
        raise VerifyException(
            "expected dynamic column lengths and rows with num_ragged_rows, "
            f"got {op.column_lengths.type} and {op.result.type}"
        )
    if op.num_ragged_rows is None and (lengths[0] <= 1 or rows != lengths[0] - 1):
        raise VerifyException(
            "expected static column lengths, one more than rows, without num_ragged_rows, "
            f"got {op.column_lengths.type} and {op.result.type}"
        )
    if result[dim + 1] != DYNAMIC_INDEX:
        raise VerifyException(f"expected dimension {dim + 1} of the result to be dynamic")
    kept = (*source[:dim], *source[dim + 1 :])
    if kept != (*result[:dim], *result[dim + 2 :]):
        raise VerifyException(
            f"expected all dimensions but the ragged one to stay, got {op.source.type} and "
            f"{op.result.type}"
        )
    check_count(
        "dynamic dimensions of the source", len(op.source_dynamic_dims), source.count(DYNAMIC_INDEX)
    )


def check_linearize_ragged(op: LinearizeRaggedDimsOp) -> None:
    """Rows and columns become one dimension; all others stay as they are."""
    ragged = ragged_shape(op.source.type)
    if ragged is None:
        raise VerifyException(f"expected a ragged source, got {op.source.type}")
    if not _is_plain(op.result.type):
        raise VerifyException(f"expected a result without an encoding, got {op.result.type}")
    source, result = shape_of(op.source.type), shape_of(op.result.type)
    row, column = ragged.get_sparse_dimensions()
    check_count("dimensions of the result, one less than the source", len(result), len(source) - 1)
    kept = [(*source[:row], *source[column + 1 :]), (*result[:row], *result[row + 1 :])]
    for lhs, rhs in zip(*kept, strict=True):
        if DYNAMIC_INDEX not in (lhs, rhs) and lhs != rhs:
            raise VerifyException(
                f"expected all dimensions but the ragged ones to stay, got {op.source.type} and "
                f"{op.result.type}"
            )
    check_count(
        "dynamic dimensions of the result", len(op.result_dynamic_dims), result.count(DYNAMIC_INDEX)
    )
