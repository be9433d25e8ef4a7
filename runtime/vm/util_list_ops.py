"""Implementations of the util ops for lists.

A list is Python's and has identity: what one name sets, the others get. Elements that nothing has
set are the default of the type that is asked for: zero, or null.
"""

from typing import Any

from xdsl.dialects.builtin import IntegerAttr
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)

from ...dialects import util
from ..errors import invalid_argument, out_of_range
from .defaults import default_value
from .hal_values import integer

_UNSET = object()
"""An element that nothing has set."""


@register_impls
class UtilListFunctions(InterpreterFunctions):
    """Lists that grow."""

    @impl(util.ListCreateOp)
    def create(
        self, interpreter: Interpreter, op: util.ListCreateOp, args: PythonValues
    ) -> PythonValues:
        """A new list without elements."""
        return ([],)

    @impl(util.ListConstructOp)
    def construct(
        self, interpreter: Interpreter, op: util.ListConstructOp, args: PythonValues
    ) -> PythonValues:
        """A new list of the operands."""
        return (list(args),)

    @impl(util.ListSizeOp)
    def size(
        self, interpreter: Interpreter, op: util.ListSizeOp, args: PythonValues
    ) -> PythonValues:
        """How many elements it has."""
        return (IntegerAttr.from_index_int_value(len(_list(args[0]))),)

    @impl(util.ListResizeOp)
    def resize(
        self, interpreter: Interpreter, op: util.ListResizeOp, args: PythonValues
    ) -> PythonValues:
        """Cut it, or fill it up with elements that are not set."""
        elements, size = _list(args[0]), integer(args[1])
        if size < 0:
            raise out_of_range(f"expected a size of at least 0, got {size}")
        elements[size:] = [_UNSET] * (size - len(elements))
        return ()

    @impl(util.ListGetOp)
    def get(self, interpreter: Interpreter, op: util.ListGetOp, args: PythonValues) -> PythonValues:
        """The element at an index; OUT_OF_RANGE beyond the size."""
        elements = _list(args[0])
        value = elements[_index(elements, args[1])]
        return (default_value(op.result.type) if value is _UNSET else value,)

    @impl(util.ListSetOp)
    def set_(
        self, interpreter: Interpreter, op: util.ListSetOp, args: PythonValues
    ) -> PythonValues:
        """Set the element at an index; OUT_OF_RANGE beyond the size."""
        elements = _list(args[0])
        elements[_index(elements, args[1])] = args[2]
        return ()


def _list(value: Any) -> list[Any]:
    if value is None:
        raise invalid_argument("expected a list, got null")
    return value


def _index(elements: list[Any], index: Any) -> int:
    at = integer(index)
    if not 0 <= at < len(elements):
        raise out_of_range(f"index {at} is outside of a list of {len(elements)}")
    return at
