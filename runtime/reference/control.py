"""scf and cf on the reference's values.

A `scf.if` whose condition differs from point to point of a structured op's body evaluates both
branches and selects; loops whose bounds or conditions differ so are refused.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from xdsl.dialects import cf, scf
from xdsl.interpreter import (
    Interpreter,
    PythonValues,
    Successor,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.interpreters.cf import CfFunctions
from xdsl.interpreters.scf import ScfFunctions

from ..element_types import Array, InputError
from .arith import unsigned
from .interpreter import ReferenceInterpreter
from .values import element_dtype, inherent


def single(value: Any, what: str) -> int:
    """`value` as one integer; InputError where it differs from point to point of a body."""
    array = np.asarray(value)
    if array.ndim:
        raise InputError(f"{what} differs between the elements of a body")
    return int(array)


def _chosen(condition: Array, then: Array, otherwise: Array) -> Array:
    return np.where(condition, np.asarray(then), np.asarray(otherwise))


@register_impls
class ReferenceScf(ScfFunctions):
    """scf.if, for, while, index_switch and execute_region."""

    @impl(scf.IfOp)
    def run_if(self, interpreter: Interpreter, op: scf.IfOp, args: PythonValues) -> PythonValues:
        """Run one branch, or both where the condition differs from point to point."""
        condition: Array = args[0]
        if not np.ndim(condition):
            region = op.true_region if condition else op.false_region
            return interpreter.run_ssacfg_region(region, ())
        assert isinstance(interpreter, ReferenceInterpreter)
        outer = interpreter.lanes
        try:
            branches: list[tuple[Array, ...]] = []
            for lanes, region in ((condition, op.true_region), (~condition, op.false_region)):
                interpreter.lanes = lanes if outer is None else lanes & outer
                branches.append(interpreter.run_ssacfg_region(region, ()))
        finally:
            interpreter.lanes = outer
        pairs: Iterable[tuple[Array, Array]] = zip(*branches, strict=True)
        return tuple(_chosen(condition, then, other) for then, other in pairs)

    @impl(scf.ForOp)
    def run_for(self, interpreter: Interpreter, op: scf.ForOp, args: PythonValues) -> PythonValues:
        """Run the body for each index from the lower bound up to the upper."""
        bounds = args[:3]
        if inherent(op, "unsignedCmp") is not None:
            bounds = tuple(unsigned(np.asarray(bound)) for bound in bounds)
        lower, upper, step = (single(bound, "a loop bound") for bound in bounds)
        if step <= 0:
            raise InputError(f"expected a step above 0, got {step}")
        dtype = element_dtype(op.lb.type)
        carried = tuple(args[3:])
        for index in range(lower, upper, step):
            value = np.asarray(index).astype(dtype)[()]
            carried = interpreter.run_ssacfg_region(op.body, (value, *carried), "for")
        return carried

    @impl(scf.WhileOp)
    def run_while(
        self, interpreter: Interpreter, op: scf.WhileOp, args: PythonValues
    ) -> PythonValues:
        """Run both regions in turn for as long as the first says so."""
        carried = args
        while True:
            goes_on, *forwarded = interpreter.run_ssacfg_region(op.before_region, carried, "while")
            if not single(goes_on, "a loop condition"):
                return tuple(forwarded)
            carried = interpreter.run_ssacfg_region(op.after_region, tuple(forwarded), "while")

    @impl(scf.IndexSwitchOp)
    def run_index_switch(
        self, interpreter: Interpreter, op: scf.IndexSwitchOp, args: PythonValues
    ) -> PythonValues:
        """Run the region of the case, or the default."""
        case = single(args[0], "a switch")
        cases = [int(value) for value in op.cases.get_values()]
        region = op.case_regions[cases.index(case)] if case in cases else op.default_region
        return interpreter.run_ssacfg_region(region, ())

    @impl(scf.ExecuteRegionOp)
    def run_execute_region(
        self, interpreter: Interpreter, op: scf.ExecuteRegionOp, _: PythonValues
    ) -> PythonValues:
        """Run the region once."""
        return interpreter.run_ssacfg_region(op.region, ())


@register_impls
class ReferenceCf(CfFunctions):
    """cf.br and cond_br as xDSL has them; switch and assert."""

    @impl_terminator(cf.SwitchOp)
    def run_switch(
        self, interpreter: Interpreter, op: cf.SwitchOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        """Go to the block of the case, or to the default."""
        flag = single(args[0], "a switch")
        cases = [] if op.case_values is None else [int(v) for v in op.case_values.get_values()]
        if flag in cases:
            at = cases.index(flag)
            values = interpreter.get_values(op.case_operand[at])
            return Successor(op.case_blocks[at], values), ()
        return Successor(op.default_block, interpreter.get_values(op.default_operands)), ()

    @impl(cf.AssertOp)
    def run_assert(self, _: Interpreter, op: cf.AssertOp, args: PythonValues) -> PythonValues:
        """Fail with the message unless the condition holds."""
        if not np.all(args[0]):
            raise InputError(f"assertion failed: {op.msg.data}")
        return ()
