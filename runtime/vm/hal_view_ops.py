"""Implementations of the hal ops that make buffer views and look into them."""

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)

from ...dialects.diagnostics import fail
from ...dialects.hal.buffer_view import (
    BufferViewBufferOp,
    BufferViewCreateOp,
    BufferViewDimOp,
    BufferViewElementTypeOp,
    BufferViewEncodingTypeOp,
    BufferViewRankOp,
)
from .hal_values import CallerBuffer, HalState, integer
from .values import DeviceArray, HostArray
from .view_ops import DENSE_ROW_MAJOR


@register_impls
class HalViewFunctions(InterpreterFunctions):
    """Buffer views: shape and element type beside a buffer."""

    def __init__(self, state: HalState) -> None:
        self._state = state

    @impl(BufferViewBufferOp)
    def buffer(
        self, interpreter: Interpreter, op: BufferViewBufferOp, args: PythonValues
    ) -> PythonValues:
        """The buffer under a view; of a caller's array one that has no address yet."""
        view = args[0]
        return (CallerBuffer.of(view, op) if isinstance(view, HostArray) else view.buffer,)

    @impl(BufferViewCreateOp)
    def create(
        self, interpreter: Interpreter, op: BufferViewCreateOp, args: PythonValues
    ) -> PythonValues:
        """A view of a range of a buffer; it must hold what the shape says."""
        device = next(iter(self._state.devices.values()))
        buffer = self._state.buffer(op, args[0], device.pool)
        part = buffer.subspan(integer(args[1]), integer(args[2]))
        dtype = np.dtype(args[3])
        shape = tuple(integer(dim) for dim in args[5:])
        needed = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        if needed > part.length:
            fail(op, f"expected a buffer of {needed} bytes for its shape, got {part.length}")
        return (DeviceArray(part.subspan(0, needed), shape, dtype),)

    @impl(BufferViewElementTypeOp)
    def element_type(
        self, interpreter: Interpreter, op: BufferViewElementTypeOp, args: PythonValues
    ) -> PythonValues:
        """The element type, as numpy's dtype (see `ViewFunctions`)."""
        return (np.dtype(args[0].dtype),)

    @impl(BufferViewEncodingTypeOp)
    def encoding_type(
        self, interpreter: Interpreter, op: BufferViewEncodingTypeOp, args: PythonValues
    ) -> PythonValues:
        """The encoding of dense row-major tensors."""
        return (DENSE_ROW_MAJOR,)

    @impl(BufferViewRankOp)
    def rank(
        self, interpreter: Interpreter, op: BufferViewRankOp, args: PythonValues
    ) -> PythonValues:
        """The number of dimensions."""
        return (IntegerAttr.from_index_int_value(len(args[0].shape)),)

    @impl(BufferViewDimOp)
    def dim(
        self, interpreter: Interpreter, op: BufferViewDimOp, args: PythonValues
    ) -> PythonValues:
        """One dimension."""
        shape, index = args[0].shape, op.index.value.data
        if index >= len(shape):
            fail(op, f"expected a view with more than {index} dimensions, got {len(shape)}")
        return (IntegerAttr.from_index_int_value(shape[index]),)
