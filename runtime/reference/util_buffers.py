"""util.buffer: bytes of the host, as one-dimensional `uint8` arrays.

They have identity: what one name writes, the others and its subspans read.
"""

from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)

from ...dialects import util
from ..element_types import Array, InputError
from .control import single
from .values import constant, element_dtype, undefined


@register_impls
class ReferenceBuffers(InterpreterFunctions):
    """util.buffer: bytes of the host."""

    @impl(util.BufferConstantOp)
    def run_constant(
        self, _: Interpreter, op: util.BufferConstantOp, args: PythonValues
    ) -> PythonValues:
        """A new buffer of the bytes of a constant."""
        value = op.value
        if isinstance(value, StringAttr):
            content = np.frombuffer(value.data.encode(), np.uint8)
        else:
            values = np.asarray(constant(value, cast(Any, value).get_type()))
            content = np.frombuffer(values.tobytes(), np.uint8)
        return (content.copy(),)

    @impl(util.BufferAllocOp)
    def run_alloc(self, _: Interpreter, op: util.BufferAllocOp, args: PythonValues) -> PythonValues:
        """A new buffer whose contents are undefined."""
        return (undefined([single(args[0], "a size")], np.dtype(np.uint8)),)

    @impl(util.BufferSliceOp)
    def run_slice(
        self, interpreter: Interpreter, op: util.BufferSliceOp, _: PythonValues
    ) -> PythonValues:
        """A new buffer with a copy of a range."""
        source, at, size = interpreter.get_values([op.source, op.source_offset, op.result_size])
        return (_span(source, at, size).copy(),)

    @impl(util.BufferSubspanOp)
    def run_subspan(
        self, interpreter: Interpreter, op: util.BufferSubspanOp, _: PythonValues
    ) -> PythonValues:
        """A range of a buffer, as the same bytes."""
        source, at, size = interpreter.get_values([op.source, op.source_offset, op.result_size])
        return (_span(source, at, size),)

    @impl(util.BufferSizeOp)
    def run_size(self, _: Interpreter, op: util.BufferSizeOp, args: PythonValues) -> PythonValues:
        """The length in bytes."""
        return (np.int64(args[0].size),)

    @impl(util.BufferCopyOp)
    def run_copy(
        self, interpreter: Interpreter, op: util.BufferCopyOp, _: PythonValues
    ) -> PythonValues:
        """Copy a range into another buffer."""
        source, source_at, target, target_at, length = interpreter.get_values(
            [op.source, op.source_offset, op.target, op.target_offset, op.length]
        )
        content = _span(source, source_at, length).copy()
        _span(target, target_at, length)[...] = content
        return ()

    @impl(util.BufferCompareOp)
    def run_compare(
        self, interpreter: Interpreter, op: util.BufferCompareOp, _: PythonValues
    ) -> PythonValues:
        """Whether two ranges hold the same bytes."""
        left, left_at, right, right_at, length = interpreter.get_values(
            [op.lhs, op.lhs_offset, op.rhs, op.rhs_offset, op.length]
        )
        spans = _span(left, left_at, length), _span(right, right_at, length)
        return (np.bool_(np.array_equal(*spans)),)

    @impl(util.BufferFillOp)
    def run_fill(
        self, interpreter: Interpreter, op: util.BufferFillOp, _: PythonValues
    ) -> PythonValues:
        """Fill a range with a pattern."""
        pattern, target, at, length = interpreter.get_values(
            [op.pattern, op.target, op.target_offset, op.length]
        )
        content = np.frombuffer(np.asarray(pattern).tobytes(), np.uint8)
        span = _span(target, at, length)
        if span.size % content.size:
            raise InputError(f"cannot fill {span.size} bytes with a pattern of {content.size}")
        span.reshape(-1, content.size)[...] = content
        return ()

    @impl(util.BufferLoadOp)
    def run_load(
        self, interpreter: Interpreter, op: util.BufferLoadOp, _: PythonValues
    ) -> PythonValues:
        """One value from the bytes at an offset."""
        source, at = interpreter.get_values([op.source, op.source_offset])
        dtype = element_dtype(op.result.type)
        return (_span(source, at, dtype.itemsize).copy().view(dtype)[0],)

    @impl(util.BufferStoreOp)
    def run_store(
        self, interpreter: Interpreter, op: util.BufferStoreOp, _: PythonValues
    ) -> PythonValues:
        """Store one value at an offset."""
        value, target, at = interpreter.get_values([op.source, op.target, op.target_offset])
        content = np.frombuffer(np.asarray(value).tobytes(), np.uint8)
        _span(target, at, content.size)[...] = content
        return ()


def _span(buffer: Array, offset: Any, length: Any) -> Array:
    at, size = single(offset, "an offset"), single(length, "a length")
    if at < 0 or size < 0 or at + size > buffer.size:
        raise InputError(f"bytes {at} to {at + size} are outside of a buffer of {buffer.size}")
    return buffer[at : at + size]
