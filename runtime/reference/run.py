"""Loading a module into the reference and calling its functions."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr
from xdsl.interpreters.func import FuncFunctions
from xdsl.ir import Attribute, Operation

from ...dialects.hal.types import BufferType, BufferViewType, FenceType
from ...dialects.util import FuncOp, InitializerOp
from ..element_types import InputError, Value
from ..io import fit_scalar, fit_tensor
from . import (
    dispatch,
    flow,
    hal,
    linalg,
    linalg_ext,
    linalg_ext_indexed,
    linalg_ext_transforms,
    packing,
    tensor,
    util,
)
from .affine import AFFINE
from .arith import ARITH
from .collectives import ReferenceCollectives
from .complex import COMPLEX
from .control import ReferenceCf, ReferenceScf
from .dispatch import ReferenceTensorExt
from .flow import ReferenceFlow
from .hal import Buffer, BufferView, Fence, ReferenceHal
from .interpreter import ReferenceInterpreter
from .linalg import ReferenceLinalg
from .math import MATH
from .tensor import ReferenceTensor
from .util import ReferenceUtil
from .util_buffers import ReferenceBuffers
from .values import element_dtype, holds_numbers, is_tensor, tensor_shape

_DIALECTS = (
    linalg,
    linalg_ext,
    linalg_ext_indexed,
    linalg_ext_transforms,
    packing,
    tensor,
    dispatch,
    flow,
    hal,
    util,
)
"""Modules with ops that are evaluated by name."""


class Reference:
    """A module with its globals; calls one after the other see what the ones before stored.

    Initializers run when it is made. Raises InputError, one line with the op and its place, for
    anything that cannot be evaluated.
    """

    def __init__(self, module: ModuleOp) -> None:
        self.module = module
        self._interpreter = ReferenceInterpreter(
            module,
            index_bitwidth=64,
            elementwise={**AFFINE, **ARITH, **MATH, **COMPLEX},
            by_name={
                name: evaluate
                for dialect in _DIALECTS
                for name, evaluate in dialect.BY_NAME.items()
            },
        )
        for functions in (
            ReferenceScf(),
            ReferenceCf(),
            FuncFunctions(),
            ReferenceLinalg(),
            ReferenceTensor(),
            ReferenceTensorExt(),
            ReferenceCollectives(),
            ReferenceFlow(),
            ReferenceHal(),
            ReferenceUtil(),
            ReferenceBuffers(),
        ):
            self._interpreter.register_implementations(functions)
        for op in module.body.ops:
            if isinstance(op, InitializerOp):
                self._run(op, ())

    def functions(self) -> tuple[str, ...]:
        """The names of the functions that can be called, in order."""
        return tuple(
            name
            for name, op in self._interpreter.symbols.table(self.module).items()
            if _is_callable(op)
        )

    def call(self, function: str | None, inputs: Sequence[Value | None]) -> list[Value]:
        """The results of `function` (the only public one if None) for `inputs`.

        Storage that the function writes a result into (`hal.tensor.alias`) holds it afterwards.
        Fences may be left out of `inputs`; they are made. Raises InputError for an unknown
        function, another number of inputs, or an input of another shape or type.
        """
        op = self._entry(function)
        types = cast(FunctionType, op.properties["function_type"]).inputs.data
        with np.errstate(all="ignore"):
            values = self._run(op, _arguments(types, inputs))
            return [_given_back(value) for value in values if not isinstance(value, Fence)]

    def _entry(self, name: str | None) -> Operation:
        functions = self.functions()
        if name is None:
            if len(functions) != 1:
                raise InputError(
                    f"expected a function name, one of: {', '.join(functions)}"
                    if functions
                    else "the module has no public function"
                )
            name = functions[0]
        name = name.removeprefix("@")
        if name not in functions:
            known = f"; expected one of: {', '.join(functions)}" if functions else ""
            raise InputError(f"no public function '{name}' in the module{known}")
        return self._interpreter.symbols.table(self.module)[name]

    def _run(self, op: Operation, arguments: Sequence[Any]) -> Sequence[Any]:
        with np.errstate(all="ignore"):
            return self._interpreter.run_ssacfg_region(op.regions[0], tuple(arguments), "entry")


def run_reference(
    module: ModuleOp, function: str | None, inputs: Sequence[Value | None]
) -> list[Value]:
    """One call of `function` in a fresh `module`; see `Reference.call`."""
    return Reference(module).call(function, inputs)


def _is_callable(op: Operation) -> bool:
    if not isinstance(op, FuncOp | func.FuncOp) or not op.regions[0].blocks:
        return False
    visibility = op.properties.get("sym_visibility")
    return not isinstance(visibility, StringAttr) or visibility.data == "public"


def _arguments(types: Sequence[Attribute], inputs: Sequence[Value | None]) -> list[Any]:
    """What the function takes, from what the user gave."""
    plain = [type_ for type_ in types if not isinstance(type_, FenceType)]
    if len(inputs) not in (len(plain), len(types)):
        raise InputError(f"expected {len(plain)} inputs, got {len(inputs)}")
    has_fences = len(inputs) == len(types)
    given = iter(inputs)
    arguments: list[Any] = []
    for number, type_ in enumerate(types):
        if isinstance(type_, FenceType):
            if has_fences:
                next(given)
            arguments.append(Fence())
        else:
            arguments.append(_argument(type_, next(given), f"input {number}"))
    return arguments


def _argument(type_: Attribute, value: Value | None, what: str) -> Any:
    if isinstance(type_, BufferViewType | BufferType):
        if value is None:
            return None
        if not isinstance(value, np.ndarray):
            raise InputError(f"{what}: expected a tensor, got the number {value}")
        return BufferView(value) if isinstance(type_, BufferViewType) else Buffer(value)
    if is_tensor(type_):
        return fit_tensor(value, tensor_shape(type_), element_dtype(type_), what).copy()
    if holds_numbers(type_):
        return fit_scalar(value, element_dtype(type_), what)
    raise InputError(f"{what}: no value can be given for type {type_}")


def _given_back(value: Any) -> Value:
    if isinstance(value, BufferView | Buffer):
        return value.array
    if not isinstance(value, np.ndarray | np.generic):
        raise InputError(f"a result of kind {type(value).__name__} cannot be given back")
    return cast(Value, value)
