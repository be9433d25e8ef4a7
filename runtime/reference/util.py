"""The util dialect: functions, globals and lists of the host program.

A list is a Python list and has identity: what one name writes, the other reads. Does not handle:
functions that the module only declares, and values that live in parameter files; these are
refused.
"""

from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IntegerType, StringAttr, SymbolRefAttr
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    ReturnedValues,
    TerminatorValue,
    impl,
    impl_callable,
    impl_terminator,
    register_impls,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from ...dialects import util
from ..element_types import InputError
from .control import single
from .interpreter import NamedEvaluation, ReferenceInterpreter, unchanged
from .values import constant, element_dtype, holds_numbers, undefined


def initial_value(op: util.GlobalOp) -> Any:
    """What a global holds before any initializer runs; zero where nothing is said."""
    if not holds_numbers(op.type):
        return op.initial_value
    dtype = element_dtype(op.type)
    shape = _static_shape(op.type)
    match op.initial_value:
        case None:
            return np.zeros(shape, dtype)[()] if not shape else np.zeros(shape, dtype)
        case util.UninitializedAttr():
            return undefined(shape, dtype)
        case util.BytePatternAttr() as filled:
            count = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
            pattern = np.full(count, filled.pattern.data & 0xFF, np.uint8)
            return pattern.view(dtype).reshape(shape)
        case value:
            return constant(value, op.type)


def _static_shape(type_: Attribute) -> tuple[int, ...]:
    shape = cast("tuple[int, ...]", getattr(type_, "get_shape", tuple)())
    if any(size < 0 for size in shape):
        raise InputError(f"no size known for a global of type {type_}")
    return shape


def _global(interpreter: Interpreter, user: Operation, name: SymbolRefAttr) -> util.GlobalOp:
    assert isinstance(interpreter, ReferenceInterpreter)
    found = interpreter.symbols.lookup(user, name)
    if not isinstance(found, util.GlobalOp):
        raise InputError(f"no global {name}")
    return found


@register_impls
class ReferenceUtil(InterpreterFunctions):
    """Functions, globals and values that only the host program knows."""

    def __init__(self) -> None:
        self.globals: dict[util.GlobalOp, Any] = {}
        """The values of globals that have been loaded or stored."""

    def _load(self, op: util.GlobalOp) -> Any:
        if op not in self.globals:
            self.globals[op] = initial_value(op)
        return self.globals[op]

    @impl(util.CallOp)
    def run_call(
        self, interpreter: Interpreter, op: util.CallOp, args: PythonValues
    ) -> PythonValues:
        """Run the function."""
        assert isinstance(interpreter, ReferenceInterpreter)
        callee = interpreter.symbols.lookup(op, op.callee)
        if callee is None or not callee.regions or not callee.regions[0].blocks:
            raise InputError(f"no function {op.callee} with a body")
        return interpreter.run_ssacfg_region(callee.regions[0], args, op.callee.string_value())

    @impl_callable(util.FuncOp)
    def call_function(
        self, interpreter: Interpreter, op: util.FuncOp, args: PythonValues
    ) -> PythonValues:
        """Run the body with arguments."""
        return interpreter.run_ssacfg_region(op.body, args, op.sym_name.data)

    @impl_terminator(util.ReturnOp)
    def run_return(
        self, _: Interpreter, op: util.ReturnOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        """Give the operands back."""
        return ReturnedValues(args), ()

    @impl_terminator(util.UnreachableOp)
    def run_unreachable(
        self, _: Interpreter, op: util.UnreachableOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        """Fail with the message."""
        raise InputError(f"reached{_told(op.message)}")

    @impl(util.SCFUnreachableOp)
    def run_scf_unreachable(
        self, _: Interpreter, op: util.SCFUnreachableOp, args: PythonValues
    ) -> PythonValues:
        """Fail with the message."""
        raise InputError(f"reached{_told(op.message)}")

    @impl(util.StatusCheckOkOp)
    def run_check_ok(
        self, _: Interpreter, op: util.StatusCheckOkOp, args: PythonValues
    ) -> PythonValues:
        """Fail with the message unless the status is 0."""
        if args[0] != 0:
            raise InputError(f"status {int(args[0])}{_told(op.message)}")
        return ()

    @impl(util.GlobalLoadOp)
    def run_load(
        self, interpreter: Interpreter, op: util.GlobalLoadOp, args: PythonValues
    ) -> PythonValues:
        """What the global holds."""
        return (self._load(_global(interpreter, op, op.global_name)),)

    @impl(util.GlobalStoreOp)
    def run_store(
        self, interpreter: Interpreter, op: util.GlobalStoreOp, args: PythonValues
    ) -> PythonValues:
        """Let the global hold a value."""
        self.globals[_global(interpreter, op, op.global_name)] = args[0]
        return ()

    @impl(util.GlobalAddressOp)
    def run_address(
        self, interpreter: Interpreter, op: util.GlobalAddressOp, args: PythonValues
    ) -> PythonValues:
        """The global itself."""
        return (_global(interpreter, op, op.global_name),)

    @impl(util.GlobalLoadIndirectOp)
    def run_load_indirect(
        self, _: Interpreter, op: util.GlobalLoadIndirectOp, args: PythonValues
    ) -> PythonValues:
        """What the global at an address holds."""
        return (self._load(args[0]),)

    @impl(util.GlobalStoreIndirectOp)
    def run_store_indirect(
        self, _: Interpreter, op: util.GlobalStoreIndirectOp, args: PythonValues
    ) -> PythonValues:
        """Let the global at an address hold a value."""
        self.globals[args[1]] = args[0]
        return ()

    @impl(util.HoistableConversionOp)
    def run_conversion(
        self, interpreter: Interpreter, op: util.HoistableConversionOp, args: PythonValues
    ) -> PythonValues:
        """Run the body."""
        return interpreter.run_ssacfg_region(op.body, args, "conversion")

    @impl(util.UnfoldableConstantOp)
    def run_constant(
        self, _: Interpreter, op: util.UnfoldableConstantOp, args: PythonValues
    ) -> PythonValues:
        """The constant."""
        return (constant(op.value, op.result.type),)

    @impl(util.NullOp)
    def run_null(self, _: Interpreter, op: util.NullOp, args: PythonValues) -> PythonValues:
        """Zero, or no object."""
        type_ = op.result.type
        return (element_dtype(type_).type(0) if holds_numbers(type_) else None,)

    @impl(util.CmpEQOp)
    def run_equal(self, _: Interpreter, op: util.CmpEQOp, args: PythonValues) -> PythonValues:
        """Whether two objects are one, or two values equal."""
        return (np.bool_(_same(*args)),)

    @impl(util.CmpNEOp)
    def run_unequal(self, _: Interpreter, op: util.CmpNEOp, args: PythonValues) -> PythonValues:
        """Whether two objects are not one, or two values not equal."""
        return (np.bool_(not _same(*args)),)

    @impl(util.AlignOp)
    def run_align(self, _: Interpreter, op: util.AlignOp, args: PythonValues) -> PythonValues:
        """The value rounded up to a multiple."""
        value, alignment = args
        if alignment <= 0:
            raise InputError(f"expected an alignment above 0, got {alignment}")
        return (-(-value // alignment) * alignment,)

    @impl(util.SizeOfOp)
    def run_sizeof(self, _: Interpreter, op: util.SizeOfOp, args: PythonValues) -> PythonValues:
        """The bytes that a value of a type takes."""
        if isa(op.sized_type, IntegerType):
            return (np.int64((op.sized_type.width.data + 7) // 8),)
        return (np.int64(element_dtype(op.sized_type).itemsize),)

    @impl(util.RangeMinOp)
    def run_min(self, _: Interpreter, op: util.RangeMinOp, args: PythonValues) -> PythonValues:
        """The least of the operands."""
        return (min(args),)

    @impl(util.RangeMaxOp)
    def run_max(self, _: Interpreter, op: util.RangeMaxOp, args: PythonValues) -> PythonValues:
        """The greatest of the operands."""
        return (max(args),)

    @impl(util.RangeExtentsOp)
    def run_extents(
        self, interpreter: Interpreter, op: util.RangeExtentsOp, _: PythonValues
    ) -> PythonValues:
        """The least offset and the greatest last position of the ranges."""
        offsets, lengths = (interpreter.get_values(v) for v in (op.offsets, op.lengths))
        ends = [o + n for o, n in zip(offsets, lengths, strict=True)]
        # The largest byte is inside.
        return min(offsets), max(ends) - ends[0].dtype.type(1)

    @impl(util.SwitchOp)
    def run_switch(self, _: Interpreter, op: util.SwitchOp, args: PythonValues) -> PythonValues:
        """The value at the index, or the default."""
        index, default, *values = args
        at = single(index, "a switch")
        return (values[at] if 0 <= at < len(values) else default,)

    @impl(util.ListCreateOp)
    def run_list_create(
        self, _: Interpreter, op: util.ListCreateOp, args: PythonValues
    ) -> PythonValues:
        """A new list."""
        return ([],)

    @impl(util.ListConstructOp)
    def run_list_construct(
        self, _: Interpreter, op: util.ListConstructOp, args: PythonValues
    ) -> PythonValues:
        """A new list of the operands."""
        return ([*args],)

    @impl(util.ListSizeOp)
    def run_list_size(
        self, _: Interpreter, op: util.ListSizeOp, args: PythonValues
    ) -> PythonValues:
        """The length of the list."""
        return (np.int64(len(args[0])),)

    @impl(util.ListResizeOp)
    def run_list_resize(
        self, _: Interpreter, op: util.ListResizeOp, args: PythonValues
    ) -> PythonValues:
        """Shorten the list, or lengthen it with nothing."""
        list_, size = args[0], single(args[1], "a size")
        list_[size:] = [None] * max(0, size - len(list_))
        return ()

    @impl(util.ListGetOp)
    def run_list_get(self, _: Interpreter, op: util.ListGetOp, args: PythonValues) -> PythonValues:
        """One element; zero where nothing was set."""
        value = args[0][_checked_index(args[0], args[1])]
        if value is None and holds_numbers(op.result.type):
            return (element_dtype(op.result.type).type(0),)
        return (value,)

    @impl(util.ListSetOp)
    def run_list_set(self, _: Interpreter, op: util.ListSetOp, args: PythonValues) -> PythonValues:
        """Set one element."""
        args[0][_checked_index(args[0], args[1])] = args[2]
        return ()


def _told(message: StringAttr | None) -> str:
    return f": {message.data}" if message is not None else ""


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, np.generic):
        return bool(left == right)
    return left is right


def _checked_index(list_: list[Any], index: Any) -> int:
    at = single(index, "an index")
    if not 0 <= at < len(list_):
        raise InputError(f"index {at} is outside of a list of {len(list_)}")
    return at


BY_NAME: dict[str, NamedEvaluation] = dict.fromkeys(
    (
        "util.assume.int",
        "util.buffer.dealloc",
        "util.cast",
        "util.numeric.optional_narrow",
        "util.optimization_barrier",
    ),
    unchanged,
)
