"""What a function of a program takes: names, shapes and element types of its arguments.

At every level the imports of the arguments tell; where nothing imports an argument, the
declaration that IREE keeps in `iree.reflection` does.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    AnyFloat,
    DictionaryAttr,
    IndexType,
    IntegerType,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from ..dialects import stream, util
from ..dialects.hal.buffer_view import (
    BufferViewAssertOp,
    BufferViewBufferOp,
    BufferViewCreateOp,
    ElementTypeOp,
)
from ..dialects.hal.tensor import TensorImportOp
from ..dialects.hal.types import FenceType
from ..dialects.location import location_text
from ..dialects.verify import constant_index
from .element_types import InputError, Value, dtype_of_name
from .io import counting_input, fit_scalar, fit_tensor

_DECLARED = re.compile(
    r"%\w+: (?:tensor<((?:[\d?]+x)*)(complex<\w+>|\w+)>|[^,{)]*) ?(?:\{([^}]*)\})?"
)
"""An argument of a declaration: of a tensor the dimensions and element type; its attributes."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a function."""

    name: str
    shape: tuple[int | None, ...] | None
    """Dimensions, None for a dynamic one; None as a whole for a scalar."""
    dtype: np.dtype[Any] | None
    """None where nothing tells what a buffer view holds, so that any will do."""
    given_away: bool = False
    """Whether the caller declares to give the memory away (`iree.abi.consume`), or to give it for
    a result (`iree.abi.output`)."""


@dataclass(frozen=True, slots=True)
class _Declared:
    """What the declaration says of an argument."""

    tensor: tuple[tuple[int | None, ...], np.dtype[Any]] | None = None
    given_away: bool = False


def find_function(module: ModuleOp, name: str | None) -> util.FuncOp:
    """The public function `name`, or the only one there is when it is None.

    Raises:
        InputError: there is no such function, or none or several to choose from.
    """
    functions = _public_functions(module)
    if not functions:
        raise InputError("expected a public function to call, got none", location_text(module))
    listed = ", ".join(f"@{known}" for known in functions)
    if name is None:
        if len(functions) != 1:
            raise InputError(f"expected one public function, got {listed}; name it with --function")
        return next(iter(functions.values()))
    found = functions.get(name.removeprefix("@"))
    if found is None:
        raise InputError(f"unknown function '{name}'; the module has {listed}")
    return found


def check_callable(module: ModuleOp) -> None:
    """Raise InputError for a public function of tensors, as iree-compile starts from."""
    for op in module.body.block.ops:
        if not isinstance(op, util.FuncOp | func.FuncOp) or not _is_public(op):
            continue
        types = (*op.function_type.inputs, *op.function_type.outputs)
        if any(isa(type, TensorType[Attribute]) for type in types):
            raise InputError(
                f"@{op.sym_name.data} takes or gives tensors, expected buffer views; "
                "iree-compile --compile-to=flow makes such a function of it",
                location_text(op),
            )


def function_names(module: ModuleOp) -> list[str]:
    """The names of all public functions, in their order."""
    return list(_public_functions(module))


def _public_functions(module: ModuleOp) -> dict[str, util.FuncOp]:
    return {
        op.sym_name.data: op
        for op in module.body.block.ops
        if isinstance(op, util.FuncOp) and _is_public(op)
    }


def _is_public(op: util.FuncOp | func.FuncOp) -> bool:
    private = op.sym_visibility is not None and op.sym_visibility.data != "public"
    return not private and bool(op.body.blocks)


def arguments_of(function: util.FuncOp) -> list[Argument]:
    """The arguments of `function` that a caller gives; fences are not among them."""
    declared = iter(_declared(function))
    result: list[Argument] = []
    for index, value in enumerate(function.body.blocks[0].args):
        if isinstance(value.type, FenceType):
            continue
        name = f"input {index}"
        type_name = str(value.type)
        declaration = next(declared, _Declared())
        if isinstance(value.type, IntegerType | IndexType | AnyFloat):
            result.append(Argument(name, None, dtype_of_name(type_name)))
            continue
        encoding = _encoding(value)
        asserted = _asserted(value)
        shape: tuple[int | None, ...] | None = None
        dtype: np.dtype[Any] | None = None
        if isa(encoding, TensorType[Attribute]):
            shape = tuple(None if dim < 0 else dim for dim in encoding.get_shape())
            dtype = dtype_of_name(str(encoding.element_type))
        elif (known := asserted or declaration.tensor) is not None:
            shape, dtype = known
        result.append(Argument(name, shape, dtype, declaration.given_away))
    return result


def _encoding(value: SSAValue) -> Attribute | None:
    for use in value.uses:
        match use.operation:
            case TensorImportOp() as op:
                return op.target_encoding
            case stream.TensorImportOp() as op:
                return op.result_encoding
            case _:
                pass
    return None


def _asserted(value: SSAValue) -> tuple[tuple[int | None, ...], np.dtype[Any]] | None:
    """What a program without imports asserts of a buffer view, or gives back in its buffer."""
    users = [use.operation for use in value.uses]
    for op in users:
        if isinstance(op, BufferViewAssertOp):
            return _viewed(op.element_type, op.shape)
    for op in users:
        # What it gives back may be a part of it, which only an assertion tells.
        if isinstance(op, BufferViewBufferOp):
            for inner in op.result.uses:
                view = inner.operation
                if isinstance(view, BufferViewCreateOp) and not constant_index(view.source_offset):
                    return _viewed(view.element_type, view.shape)
    return None


def _viewed(
    element_type: SSAValue, shape: Iterable[SSAValue]
) -> tuple[tuple[int | None, ...], np.dtype[Any]] | None:
    op = element_type.owner
    if not isinstance(op, ElementTypeOp):
        return None
    return tuple(map(constant_index, shape)), dtype_of_name(str(op.type))


def _declared(function: util.FuncOp) -> list[_Declared]:
    """What IREE's reflection says of each argument that is no fence."""
    reflection = function.attributes.get("iree.reflection")
    if not isinstance(reflection, DictionaryAttr):
        return []
    declaration = reflection.data.get("iree.abi.declaration")
    if not isinstance(declaration, StringAttr):
        return []
    inputs = declaration.data.split("->")[0]
    return [
        _Declared(
            (
                tuple(None if dim == "?" else int(dim) for dim in dims.split("x") if dim),
                dtype_of_name(element),
            )
            if element
            else None,
            "iree.abi.consume" in attributes or "iree.abi.output" in attributes,
        )
        for dims, element, attributes in _DECLARED.findall(inputs)
    ]


def fit_inputs(
    arguments: Sequence[Argument], inputs: Sequence[Value | None], *, count_missing: bool = False
) -> list[Value]:
    """`inputs` as `arguments` ask; with `count_missing` those not given count 1, 2, 3, …

    Raises:
        InputError: too many or too few, another shape or type, a dynamic shape to be guessed.
    """
    if len(inputs) > len(arguments) or (len(inputs) < len(arguments) and not count_missing):
        raise InputError(f"expected {len(arguments)} inputs, got {len(inputs)}")
    given = [*inputs, *[None] * (len(arguments) - len(inputs))]
    return [
        _fit(argument, value, count_missing)
        for argument, value in zip(arguments, given, strict=True)
    ]


def _fit(argument: Argument, value: Value | None, count_missing: bool) -> Value:
    if argument.dtype is None:
        if not isinstance(value, np.ndarray):
            raise InputError(
                f"{argument.name}: nothing tells what the argument holds; give it as an array"
            )
        return value
    if argument.shape is None:
        if value is None and count_missing:
            value = 1
        return fit_scalar(value, argument.dtype, argument.name)
    if value is None and count_missing:
        if None in argument.shape:
            raise InputError(f"{argument.name}: expected a value for a dynamic shape, got none")
        return counting_input(tuple(dim or 0 for dim in argument.shape), argument.dtype)
    return fit_tensor(value, argument.shape, argument.dtype, argument.name)
