"""What verifiers of flow ops check beyond their types. Each check raises VerifyException.

IREE checks that shapes and counts agree; here constant indices must also lie within the tensors,
and a dispatch must fit the function behind its entry point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, ModuleOp, SymbolRefAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..access import UNTIED
from ..iree_tensor_ext import DispatchTensorType
from ..shapes import shape_of
from ..symbols import lookup_in, lookup_symbol, symbol_table_of
from ..verify import check_count, constant_index
from .executables import ExecutableExportOp

if TYPE_CHECKING:
    from .dispatch import CallOp, DispatchOp


def listed(types: Sequence[Attribute]) -> str:
    """Types as `(a, b)` for a message."""
    return f"({', '.join(map(str, types))})"


def check_element(what: str, tensor: SSAValue, indices: Sequence[SSAValue]) -> None:
    """An index for each dimension, within it where both are known."""
    shape = shape_of(tensor.type)
    check_count(f"indices, one for each dimension of {what}", len(indices), len(shape))
    for dimension, (size, value) in enumerate(zip(shape, indices, strict=True)):
        index = constant_index(value)
        if index is not None and (index < 0 or (size not in (DYNAMIC_INDEX,) and index >= size)):
            raise VerifyException(
                f"expected an index within dimension {dimension} of {what}, "
                f"got {index} in {tensor.type}"
            )


def check_part(
    what: str, tensor: SSAValue, starts: Sequence[SSAValue], lengths: Sequence[int | None]
) -> None:
    """A start and a length for each dimension of a tensor; the part within it where known."""
    shape = shape_of(tensor.type)
    check_count(f"start indices, one for each dimension of {what}", len(starts), len(shape))
    check_count(f"lengths, one for each dimension of {what}", len(lengths), len(shape))
    for dimension, (size, start, length) in enumerate(zip(shape, starts, lengths, strict=True)):
        first = constant_index(start)
        if first is None:
            continue
        end = first + (length or 0)
        if first < 0 or (size != DYNAMIC_INDEX and end > size):
            raise VerifyException(
                f"expected a part within dimension {dimension} of {what}, "
                f"got [{first}, {end}) in {tensor.type}"
            )


def static_lengths(tensor: SSAValue) -> list[int | None]:
    """The sizes of a tensor, None for dynamic ones."""
    return [None if size == DYNAMIC_INDEX else size for size in shape_of(tensor.type)]


def _count_region_types(export: ExecutableExportOp) -> list[Attribute] | None:
    """The workload that an export takes; None where it does not say. Devices are implied."""
    entry = export.workgroup_count.first_block
    if entry is None:
        return None
    return [type for type in entry.arg_types if type.name != "hal.device"]


def _entry_function_type(export: ExecutableExportOp) -> FunctionType | None:
    """The type of the func.func behind an export, as IREE outlines dispatches; else None."""
    executable = export.parent_op()
    block = None if executable is None else executable.regions[0].blocks.first
    for op in () if block is None else block.ops:
        if isinstance(op, ModuleOp):
            function = lookup_in(op, export.function_ref.root_reference.data)
            return function.function_type if isinstance(function, FuncOp) else None
    return None


def _find_export(op: Operation, entry_point: SymbolRefAttr) -> ExecutableExportOp | None:
    """The export of an entry point; None where the executable is not in the module."""
    executable = lookup_symbol(op, SymbolRefAttr(entry_point.root_reference))
    if executable is None:
        return None
    export = lookup_symbol(op, entry_point)
    if export is None:
        raise VerifyException(
            f"expected an entry point that the executable exports, got {entry_point}; export it"
        )
    return export if isinstance(export, ExecutableExportOp) else None


def check_entry_points(op: DispatchOp) -> None:
    """Entry points of executables in the module exist and take what the dispatch gives them."""
    if not op.entry_points.data:
        raise VerifyException("expected at least one entry point, got none")
    if symbol_table_of(op) is None:
        return
    for entry_point in op.entry_points:
        export = _find_export(op, entry_point)
        if export is None:
            continue
        expected, got = _count_region_types(export), list(op.workload.types)
        if expected is not None and expected != got:
            raise VerifyException(
                f"expected the workload {listed(expected)} of {entry_point}, got {listed(got)}"
            )
        function_type = _entry_function_type(export)
        if function_type is not None:
            _check_function(op, entry_point, function_type.inputs.data)


def _check_function(
    op: DispatchOp, entry_point: SymbolRefAttr, inputs: Sequence[Attribute]
) -> None:
    """The function takes the arguments, then a tensor for each result that is not tied."""
    tied = [entry.value.data for entry in op.tied_operands or ()]
    tied += [UNTIED] * (len(op.res) - len(tied))
    own = [result.type for result, tie in zip(op.res, tied, strict=True) if tie == UNTIED]
    given = [*op.arguments.types, *own]
    if len(inputs) != len(given):
        raise VerifyException(
            f"expected {len(inputs)} arguments and results not tied, as {entry_point} takes, "
            f"got {len(given)}"
        )
    for index, (taken, type) in enumerate(zip(inputs, given, strict=True)):
        if not isinstance(taken, DispatchTensorType):
            continue
        if isinstance(type, TensorType) and taken.bound_type != type:
            raise VerifyException(
                f"expected {taken.bound_type} for argument {index} of {entry_point}, got {type}"
            )
        must_write = index >= len(op.arguments) or index in tied
        if must_write and not taken.access.data.writes:
            raise VerifyException(
                f"expected {entry_point} to write argument {index}, which is a result, got {taken}"
            )


def check_callee(op: CallOp) -> None:
    """The callee is declared with the types of the call."""
    if symbol_table_of(op) is None:
        return
    callee = lookup_symbol(op, op.callee)
    if callee is None or callee.name != "flow.func":
        raise VerifyException(f"expected a declared flow.func as callee, got {op.callee}")
    got = FunctionType.from_lists(list(op.arguments.types), list(op.res.types))
    if callee.properties.get("function_type") != got:
        raise VerifyException(
            f"expected to call {op.callee} of type {callee.properties.get('function_type')}, "
            f"got {got}"
        )
