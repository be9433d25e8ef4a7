"""Implementations of the util ops for buffers of the host: arrays of bytes with identity.

What one name stores, the others and the subspans load. Constants are read-only.
"""

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.interpreters.builtin import scalar_attr

from ...dialects import util
from ..element_types import dtype_of_name
from ..errors import out_of_range, permission_denied
from ..kernels.api import Bytes
from ..memory import POISON
from .elements import constant_bytes
from .hal_values import bytes_from, integer
from .scalar_ops import INDEX_BITS
from .words import bytes_of


@register_impls
class UtilBufferFunctions(InterpreterFunctions):
    """Bytes in host memory that no device reaches."""

    @impl(util.BufferConstantOp)
    def constant(
        self, interpreter: Interpreter, op: util.BufferConstantOp, args: PythonValues
    ) -> PythonValues:
        """The bytes of a constant."""
        return (constant_bytes(op, op.value),)

    @impl(util.BufferAllocOp)
    def alloc(
        self, interpreter: Interpreter, op: util.BufferAllocOp, args: PythonValues
    ) -> PythonValues:
        """New bytes, undefined."""
        size = integer(args[0])
        if size < 0:
            raise out_of_range(f"expected a size of at least 0, got {size}")
        return (np.full(size, POISON, np.uint8),)

    @impl(util.BufferDeallocOp)
    def dealloc(
        self, interpreter: Interpreter, op: util.BufferDeallocOp, args: PythonValues
    ) -> PythonValues:
        """Nothing to do: who does not name it cannot reach it."""
        return ()

    @impl(util.BufferSizeOp)
    def size(
        self, interpreter: Interpreter, op: util.BufferSizeOp, args: PythonValues
    ) -> PythonValues:
        """How many bytes it has."""
        return (IntegerAttr.from_index_int_value(len(args[0])),)

    @impl(util.BufferSubspanOp)
    def subspan(
        self, interpreter: Interpreter, op: util.BufferSubspanOp, args: PythonValues
    ) -> PythonValues:
        """A range of a buffer, as the same bytes."""
        return (bytes_from(args[0], args[2], args[3]),)

    @impl(util.BufferSliceOp)
    def slice(
        self, interpreter: Interpreter, op: util.BufferSliceOp, args: PythonValues
    ) -> PythonValues:
        """A range of a buffer, as new bytes."""
        return (bytes_from(args[0], args[2], args[3]).copy(),)

    @impl(util.BufferCopyOp)
    def copy(
        self, interpreter: Interpreter, op: util.BufferCopyOp, args: PythonValues
    ) -> PythonValues:
        """Copy a range; as if at once where the ranges overlap."""
        source, _, source_offset, target, _, target_offset, length = args
        data = bytes_from(source, source_offset, length)
        _writable(target, target_offset, length)[:] = data.copy()
        return ()

    @impl(util.BufferCompareOp)
    def compare(
        self, interpreter: Interpreter, op: util.BufferCompareOp, args: PythonValues
    ) -> PythonValues:
        """Whether two ranges hold the same bytes."""
        left, _, left_offset, right, _, right_offset, length = args
        same = np.array_equal(
            bytes_from(left, left_offset, length), bytes_from(right, right_offset, length)
        )
        return (IntegerAttr(int(same), 1),)

    @impl(util.BufferFillOp)
    def fill(
        self, interpreter: Interpreter, op: util.BufferFillOp, args: PythonValues
    ) -> PythonValues:
        """Repeat a value over a range; OUT_OF_RANGE for part of one."""
        pattern = np.frombuffer(bytes_of(args[0], op.pattern.type), np.uint8)
        target = _writable(args[1], args[3], args[4])
        if len(target) % len(pattern):
            raise out_of_range(
                f"expected a length that is a multiple of the pattern's {len(pattern)} bytes, "
                f"got {len(target)}"
            )
        target.reshape(-1, len(pattern))[:] = pattern
        return ()

    @impl(util.BufferLoadOp)
    def load(
        self, interpreter: Interpreter, op: util.BufferLoadOp, args: PythonValues
    ) -> PythonValues:
        """The number at an offset."""
        dtype = dtype_of_name(str(op.result.type))
        data = bytes_from(args[0], args[2], _length(dtype.itemsize))
        value = data.copy().view(dtype)[0].item()
        return (scalar_attr(value, op.result.type, INDEX_BITS),)

    @impl(util.BufferStoreOp)
    def store(
        self, interpreter: Interpreter, op: util.BufferStoreOp, args: PythonValues
    ) -> PythonValues:
        """Write a number at an offset."""
        data = np.frombuffer(bytes_of(args[0], op.source.type), np.uint8)
        _writable(args[1], args[3], _length(len(data)))[:] = data
        return ()


def _length(size: int) -> IntegerAttr:
    return IntegerAttr.from_index_int_value(size)


def _writable(data: Bytes, offset: object, length: object) -> Bytes:
    """A range that may be written; PERMISSION_DENIED for one of a constant."""
    target = bytes_from(data, offset, length)
    if not target.flags.writeable:
        raise permission_denied("attempted to write to a constant")
    return target
