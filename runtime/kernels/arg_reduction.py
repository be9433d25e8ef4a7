"""Arg-reductions: regions that keep the better of two elements, with what belongs to it.

```mlir
^bb0(%in: f32, %out: f32, %at: i32):
  %c = arith.cmpf ogt, %in, %out : f32
  %v = arith.select %c, %in, %out : f32
  %i = arith.select %c, %index, %at : i32
  linalg.yield %v, %i
```
All outputs are chosen by one comparison of an element with an output. The comparison being a
strict weak order (or the negation of one), whole arrays are compared in pairs. With a NaN among
the elements it is none, and the region runs in order after all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from .elementwise import comparison
from .integer import Function
from .ordering import best_along
from .types import Array


@dataclass(frozen=True, slots=True)
class ArgReduction:
    """An arg-reduction of a region."""

    values: tuple[SSAValue, ...]
    """What the region is read at: for each output the candidate."""
    replaced: tuple[Operation, ...]
    """Ops of the region that are done here."""
    compared: int
    """The output whose candidate is compared."""
    compare: Function
    """The comparison, of candidate and best so far in the region's order."""
    candidate_first: bool
    replaces: bool
    """What the comparison says when the candidate is better."""

    def better(self, candidate: Array, best: Array) -> Array:
        """Whether candidates replace the best so far."""
        pair = (candidate, best) if self.candidate_first else (best, candidate)
        return np.equal(self.compare(*pair), self.replaces)

    def apply(
        self,
        values: Sequence[Any],
        inits: Sequence[Array],
        extents: Sequence[int],
        axes: Sequence[int],
    ) -> list[Array] | None:
        """The outputs' new values over the loops; None where elements have no order."""
        space = tuple(extents)
        columns = [np.broadcast_to(np.asarray(value), space) for value in values]
        keys = columns[self.compared]
        if keys.dtype.kind not in "biu" and np.isnan(keys).any():
            return None
        reduced = [axis for axis in range(len(space)) if axis in axes]
        kept = [axis for axis in range(len(space)) if axis not in axes]
        rows = [
            column.transpose(*kept, *reduced).reshape(*(space[axis] for axis in kept), -1)
            for column in columns
        ]
        if 0 in rows[0].shape[-1:]:
            return list(inits)
        best = best_along(self.better, self._first(rows), -1)
        shape = [1 if axis in axes else size for axis, size in enumerate(space)]
        found = [column.reshape(shape) for column in best]
        replaces = self.better(found[0], inits[self.compared])
        ordered = self._last(found)
        return [np.where(replaces, new, old) for new, old in zip(ordered, inits, strict=True)]

    def _first(self, columns: Sequence[Array]) -> list[Array]:
        """The compared column first."""
        return [columns[self.compared], *_without(columns, self.compared)]

    def _last(self, columns: Sequence[Array]) -> list[Array]:
        """The first column back in its place."""
        rest = list(columns[1:])
        return [*rest[: self.compared], columns[0], *rest[self.compared :]]


def _without(columns: Sequence[Array], at: int) -> list[Array]:
    return [column for place, column in enumerate(columns) if place != at]


def plan_arg_reduction(block: Block, inputs: int) -> ArgReduction | None:
    """The arg-reduction of a region with so many inputs; None if it is none."""
    assert block.last_op is not None
    outputs = block.args[inputs:]
    selects: list[arith.SelectOp] = []
    for yielded in block.last_op.operands:
        if not isinstance(yielded, OpResult) or not isinstance(yielded.op, arith.SelectOp):
            return None
        selects.append(yielded.op)
    condition = selects[0].cond
    if any(select.cond is not condition for select in selects):
        return None
    sides = {_candidate_side(select, out) for select, out in zip(selects, outputs, strict=True)}
    if len(sides) != 1 or None in sides or not isinstance(condition, OpResult):
        return None
    replaces = sides == {True}
    candidates = tuple(select.lhs if replaces else select.rhs for select in selects)
    return _compared(condition.op, candidates, outputs, replaces, selects)


def _candidate_side(select: arith.SelectOp, output: BlockArgument) -> bool | None:
    """True if a select takes the output when its condition is false, False if when it is true."""
    if select.rhs is output and select.lhs is not output:
        return True
    return False if select.lhs is output and select.rhs is not output else None


def _compared(
    op: Operation,
    candidates: tuple[SSAValue, ...],
    outputs: Sequence[BlockArgument],
    replaces: bool,
    selects: Sequence[Operation],
) -> ArgReduction | None:
    if not isinstance(op, arith.CmpiOp | arith.CmpfOp) or not _is_order(op):
        return None
    pairs = [{candidate, output} for candidate, output in zip(candidates, outputs, strict=True)]
    if {op.lhs, op.rhs} not in pairs:
        return None
    at = pairs.index({op.lhs, op.rhs})
    mine = {op, *selects}
    if any(use.operation not in mine for output in outputs for use in output.uses):
        return None
    if any(use.operation not in selects for use in op.results[0].uses):
        return None
    first = op.lhs is candidates[at]
    return ArgReduction(candidates, (op, *selects), at, comparison(op), first, replaces)


_EQUALITIES_OF_INTEGERS = (0, 1)
_NO_ORDERS_OF_FLOATS = (0, 1, 6, 7, 8, 13, 14, 15)


def _is_order(op: arith.CmpiOp | arith.CmpfOp) -> bool:
    """Whether a comparison without NaN is "less", "greater" or the negation of one."""
    predicate = op.predicate.value.data
    if isinstance(op, arith.CmpiOp):
        return predicate not in _EQUALITIES_OF_INTEGERS
    return predicate not in _NO_ORDERS_OF_FLOATS
