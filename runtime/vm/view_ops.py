"""Implementations of the hal ops that deal with the caller's buffer views, at every level."""

import sys
from collections.abc import Iterable

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)

from ...dialects.diagnostics import fail
from ...dialects.hal.buffer_view import (
    BufferViewAssertOp,
    BufferViewTraceOp,
    ElementTypeOp,
    EncodingTypeOp,
)
from ..element_types import describe, dtype_of_name, name_of_dtype, same_elements
from ..results import format_array
from .state import VmState, read_view
from .values import BufferView

DENSE_ROW_MAJOR = IntegerAttr(1, i32)
"""IREE's number for the only encoding that buffer views have here."""


@register_impls
class ViewFunctions(InterpreterFunctions):
    """Element types, encodings and the assertion on shapes that every import starts with."""

    def __init__(self, state: VmState) -> None:
        self._state = state

    @impl(ElementTypeOp)
    def element_type(
        self, interpreter: Interpreter, op: ElementTypeOp, args: PythonValues
    ) -> PythonValues:
        """An element type, as numpy's dtype: nothing looks into IREE's number for it."""
        return (dtype_of_name(str(op.type)),)

    @impl(EncodingTypeOp)
    def encoding_type(
        self, interpreter: Interpreter, op: EncodingTypeOp, args: PythonValues
    ) -> PythonValues:
        """The encoding of dense row-major tensors."""
        return (DENSE_ROW_MAJOR,)

    @impl(BufferViewAssertOp)
    def assert_view(
        self, interpreter: Interpreter, op: BufferViewAssertOp, args: PythonValues
    ) -> PythonValues:
        """Refuse a view of another shape or element type than the program was built for."""
        view, dtype, _, *dims = args
        shape = tuple(dim.value.data for dim in dims)
        if view.shape != shape or not same_elements(np.dtype(view.dtype), dtype):
            wanted = describe(shape, name_of_dtype(dtype))
            got = describe(view.shape, name_of_dtype(np.dtype(view.dtype)))
            fail(op, f"expected {op.message.data} to be {wanted}, got {got}")
        return ()

    @impl(BufferViewTraceOp)
    def trace(
        self, interpreter: Interpreter, op: BufferViewTraceOp, args: PythonValues
    ) -> PythonValues:
        """Print views on standard error."""
        print_trace(self._state, op.key.data, args)
        return ()


def print_trace(state: VmState, key: str, views: Iterable[BufferView]) -> None:
    """Print what views hold for the host under a heading, as IREE does, on standard error."""
    lines = [f"=== {key} ==="]
    for view in views:
        array = read_view(state, view)
        lines.append(format_array(array, array.size))
    sys.stderr.write("\n".join([*lines, "", ""]))
