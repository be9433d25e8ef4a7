"""xDSL's interpreter with numpy values, elementwise ops by table, and errors of one line.

Scalars are numpy scalars, not xDSL's attributes, so that one implementation of an op serves the
host program and, with arrays in the place of scalars, the body of a structured op.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from xdsl.interpreter import (
    Interpreter,
    OpImplResult,
    PythonValues,
    ReturnedValues,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.location import location_text
from ..element_types import Array, InputError, describe, name_of_dtype, reason_of
from ..interpretation import implementation_for
from .arith import Elementwise
from .symbols import Symbols
from .values import element_dtype, holds_numbers, is_tensor, op_name, tensor_shape


class EvaluationError(InputError):
    """An op that cannot be evaluated: `file:line:col: 'd.name' op: reason`."""

    def __init__(self, op: Operation, reason: str) -> None:
        super().__init__(f"'{op_name(op)}' op: {reason}", location_text(op))


NamedEvaluation: TypeAlias = Callable[
    ["ReferenceInterpreter", Operation, PythonValues], PythonValues
]
"""Evaluates an op by its name: one of many alike, or one that there is no class for."""


def unchanged(_: "ReferenceInterpreter", op: Operation, args: PythonValues) -> PythonValues:
    """The first operands, one for each result: the op says nothing about values."""
    return args[: len(op.results)]


@dataclass
class ReferenceInterpreter(Interpreter):
    """Evaluates ops on numpy values; EvaluationError for whatever goes wrong in one."""

    elementwise: Mapping[str, Elementwise] = field(default_factory=dict[str, Elementwise])
    """Ops without regions or effects, by name: a function of the op and its operands' values."""

    by_name: Mapping[str, NamedEvaluation] = field(default_factory=dict[str, NamedEvaluation])
    """Other ops evaluated by name; a class registered with xDSL's `@impl` comes after these."""

    symbols: Symbols = field(default_factory=Symbols)

    grid: object = None
    """Where in its grid of workgroups the kernel that runs is; None outside of a dispatch."""

    index_grids: list[Sequence[Array]] = field(default_factory=list[Sequence[Array]])
    """For each structured op being evaluated, innermost last: each loop's indices, open grids."""

    lanes: Array | None = None
    """Which points of the iteration space are live, inside the branches of a `scf.if` on them."""

    def run_ssacfg_region(
        self, region: Region, args: PythonValues, name: str = "unknown"
    ) -> PythonValues:
        """As xDSL's, with one scope for all blocks, so that a loop of blocks costs no scopes."""
        if region.first_block is None:
            return ()
        block: Block = region.first_block
        with self.scope(name):
            while True:
                self.set_values(zip(block.args, args, strict=True))
                exit_ = self._run_block(block)
                if isinstance(exit_, ReturnedValues):
                    return exit_.values
                if exit_ is None:
                    return ()
                block, args = exit_

    @contextmanager
    def scope(self, name: str) -> Generator[None]:
        """A scope for the values of one run of a region, left whatever happens in it."""
        outer = self._ctx
        self.push_scope(name)
        try:
            yield
        finally:
            self._ctx = outer

    def _run_block(self, block: Block) -> Any:
        for op in block.ops:
            result = self._run_op(op, self.get_values(op.operands))
            self.set_values(zip(op.results, result.values, strict=True))
            if result.terminator_value is not None:
                return result.terminator_value
        return None

    def run_body_op(self, op: Operation) -> None:
        """Evaluate one op of a body whose block arguments have values, and keep its results."""
        result = self._run_op(op, self.get_values(op.operands))
        self.set_values(zip(op.results, result.values, strict=True))

    def _run_op(self, op: Operation, inputs: PythonValues) -> OpImplResult:
        try:
            result = self._dispatch(op, inputs)
            values = tuple(
                _settled(result_, value)
                for result_, value in zip(op.results, result.values, strict=True)
            )
        except EvaluationError:
            raise
        except RecursionError:
            raise EvaluationError(op, "nested or called too deep") from None
        except MemoryError:
            raise EvaluationError(op, "out of memory") from None
        except Exception as error:
            raise EvaluationError(op, reason_of(error)) from error
        return OpImplResult(values, result.terminator_value)

    def _dispatch(self, op: Operation, inputs: PythonValues) -> OpImplResult:
        evaluate = self.elementwise.get(op_name(op))
        if evaluate is not None:
            value = evaluate(op, *inputs)
            return OpImplResult(value if isinstance(value, tuple) else (value,), None)
        named = self.by_name.get(op_name(op))
        if named is not None:
            return OpImplResult(named(self, op, inputs), None)
        implementation = implementation_for(self._impls._impl_dict, type(op))
        if implementation is None:
            raise EvaluationError(op, "not supported by the reference")
        functions, run = implementation
        return run(functions, self, op, inputs)


def _settled(result: SSAValue, value: Any) -> Any:
    """`value` as an array for a tensor, else a scalar where it is one; checked against the type.

    The check catches a fault here or in the program early: a slice that is not as large as its
    type says, an element type that changed on the way.
    """
    type_ = result.type
    if not holds_numbers(type_):
        return value
    array = np.asarray(value)
    dtype = element_dtype(type_)
    if is_tensor(type_):
        shape = tensor_shape(type_)
        fits = array.ndim == len(shape) and all(
            want is None or want == got for want, got in zip(shape, array.shape, strict=True)
        )
        if not fits or array.dtype != dtype:
            want = describe(shape, name_of_dtype(dtype))
            got = describe(array.shape, name_of_dtype(array.dtype))
            raise InputError(f"expected a value of {want}, got {got}")
        return array
    if array.dtype != dtype:
        raise InputError(f"expected a value of {type_}, got {name_of_dtype(array.dtype)}")
    return array if array.ndim else array[()]
