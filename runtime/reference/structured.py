"""Structured ops: a body evaluated at every point of an iteration space.

The space of an op has parallel loops and reduction loops. The parallel ones are evaluated all at
once, as the dimensions of numpy arrays, each operand gathered at its map's indices. The reduction
ones are flattened in row-major order into one first dimension and taken from left to right:

- in blocks, where each reduced output k is `combine(x, out_k)` with x free of reduced outputs:
  x is computed for a whole block of points, then folded onto the output;
- else point by point, the body reading what the point before has stored.

Does not handle: an output that two parallel points share, since their order would matter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from ..element_types import Array, InputError
from .interpreter import ReferenceInterpreter
from .values import op_name

BLOCK_POINTS = 1 << 20
"""About how many points of an iteration space are evaluated at once."""

SEQUENTIAL: Mapping[str, np.ufunc] = {"arith.addf": np.add, "arith.mulf": np.multiply}
"""Combiners for which the order matters: `accumulate` rounds after each step, left to right."""

ASSOCIATIVE = frozenset(
    (
        "arith.addi",
        "arith.muli",
        "arith.andi",
        "arith.ori",
        "arith.xori",
        "arith.maxsi",
        "arith.maxui",
        "arith.minsi",
        "arith.minui",
        "arith.maximumf",
        "arith.minimumf",
        "arith.maxnumf",
        "arith.minnumf",
    )
)
"""Combiners that any grouping suits."""


class Combiner(NamedTuple):
    """How a reduced output takes in the value of a point."""

    op: Operation
    """Combines the output's value so far with `operand`."""
    operand: SSAValue


@dataclass
class Structured:
    """A structured op with the values of its operands."""

    maps: Sequence[AffineMap]
    """One per operand, outputs last."""
    is_reduction: Sequence[bool]
    """One per loop."""
    body: Block
    """One argument per operand; ends in a yield of one value per output."""
    inputs: Sequence[Any]
    outputs: Sequence[Array]

    def __post_init__(self) -> None:
        for map_ in self.maps:
            if map_.num_symbols:
                raise InputError(f"expected maps without symbols, got {map_}")
        self.sizes = self._loop_sizes()
        self.parallel = [loop for loop, flag in enumerate(self.is_reduction) if not flag]
        self.reduction = [loop for loop, flag in enumerate(self.is_reduction) if flag]
        self.output_maps = self.maps[len(self.inputs) :]
        self.is_reduced = [
            not set(self.reduction) <= _plain_loops(map_) for map_ in self.output_maps
        ]
        for map_ in self.output_maps:
            if not set(self.parallel) <= _plain_loops(map_):
                raise InputError(f"several parallel points write one element through {map_}")

    def _loop_sizes(self) -> list[int]:
        """The trip count of each loop, from the operand dimensions that it alone indexes."""
        sizes: list[int | None] = [None] * len(self.is_reduction)
        for map_, operand in zip(self.maps, (*self.inputs, *self.outputs), strict=True):
            for expression, size in zip(map_.results, np.shape(operand), strict=True):
                if not isinstance(expression, AffineDimExpr):
                    continue
                known = sizes[expression.position]
                if known is not None and known != size:
                    raise InputError(
                        f"loop {expression.position} has both {known} and {size} iterations"
                    )
                sizes[expression.position] = size
        if None in sizes:
            raise InputError(f"no operand tells the size of loop {sizes.index(None)}")
        return cast("list[int]", sizes)

    def grids(self, points: Array) -> list[Array]:
        """The indices of each loop, as open grids, at the flat reduction indices `points`."""
        rank = len(self.parallel) + 1
        grids: list[Array] = [points] * len(self.sizes)
        for axis, loop in enumerate(self.parallel):
            shape = [1] * rank
            shape[axis + 1] = self.sizes[loop]
            grids[loop] = np.arange(self.sizes[loop], dtype=np.int64).reshape(shape)
        reduced = tuple(self.sizes[loop] for loop in self.reduction)
        if reduced:
            for loop, indices in zip(
                self.reduction, np.unravel_index(points, reduced), strict=True
            ):
                grids[loop] = indices.astype(np.int64).reshape([-1] + [1] * (rank - 1))
        return grids


def _plain_loops(map_: AffineMap) -> set[int]:
    """The loops that are themselves a result of `map_`: it tells their points apart."""
    return {result.position for result in map_.results if isinstance(result, AffineDimExpr)}


def _indices(map_: AffineMap, grids: Sequence[Array], shape: Sequence[int]) -> tuple[Array, ...]:
    """The index arrays of `map_` on `grids`, checked against `shape`."""
    # Affine expressions are plain arithmetic, on arrays as on the integers they are typed for.
    indices = tuple(np.asarray(index) for index in map_.eval(cast("Sequence[int]", grids), []))
    for index, size in zip(indices, shape, strict=True):
        if index.size and (index.min() < 0 or index.max() >= size):
            raise InputError(
                f"index {int(index.min() if index.min() < 0 else index.max())} "
                f"is outside of a dimension of size {size}"
            )
    return indices


def _gather(operand: Any, map_: AffineMap, grids: Sequence[Array]) -> Any:
    """`operand` at every point: a scalar as it is, a tensor at the indices of `map_`."""
    if not map_.results:
        return np.asarray(operand)[()]
    return operand[_indices(map_, grids, operand.shape)]


def evaluate(interpreter: ReferenceInterpreter, work: Structured) -> tuple[Array, ...]:
    """The outputs of a structured op; they are new arrays."""
    results = [output.copy() for output in work.outputs]
    total = int(np.prod([work.sizes[loop] for loop in work.reduction], dtype=np.int64))
    lanes = int(np.prod([work.sizes[loop] for loop in work.parallel], dtype=np.int64))
    if not total or not lanes:
        return tuple(results)
    combiners = _combiners(work)
    block = 1 if combiners is None else max(1, BLOCK_POINTS // lanes)
    combiners = combiners or {}
    for start in range(0, total, block):
        grids = work.grids(np.arange(start, min(start + block, total), dtype=np.int64))
        interpreter.index_grids.append(grids)
        try:
            _evaluate_block(interpreter, work, combiners, grids, results)
        finally:
            interpreter.index_grids.pop()
    return tuple(results)


def _evaluate_block(
    interpreter: ReferenceInterpreter,
    work: Structured,
    combiners: Mapping[int, Combiner],
    grids: Sequence[Array],
    results: list[Array],
) -> None:
    """Run the body at the points of `grids` and store what it yields into `results`."""
    operands = (*work.inputs, *results)
    folded_arguments = {len(work.inputs) + k for k in combiners}
    skipped = {combiner.op for combiner in combiners.values()}
    with interpreter.scope("structured"):
        interpreter.set_values(
            (argument, _gather(operands[position], work.maps[position], grids))
            for position, argument in enumerate(work.body.args)
            if position not in folded_arguments
        )
        *ops, terminator = work.body.ops
        for op in ops:
            if op not in skipped:
                interpreter.run_body_op(op)
        values = interpreter.get_values(
            combiners[k].operand if k in combiners else value
            for k, value in enumerate(terminator.operands)
        )
    for k, value in enumerate(values):
        indices = _indices(work.output_maps[k], grids, results[k].shape)
        stored = results[k][indices]
        if k in combiners:
            value = _fold(interpreter, combiners[k].op, stored, value, grids)
        # In rank 0 the one point of the grid is a dimension that the tensor lacks.
        full = np.broadcast_to(value, stored.shape if stored.ndim else (1,))
        results[k][indices] = full.reshape(stored.shape)


def _fold(
    interpreter: ReferenceInterpreter,
    combiner: Operation,
    accumulated: Array,
    values: Any,
    grids: Sequence[Array],
) -> Array:
    """`accumulated` with each of `values` along the first axis combined onto it, in order."""
    shape = np.broadcast_shapes(*(grid.shape for grid in grids))
    block = np.broadcast_to(values, shape)
    first = np.broadcast_to(accumulated, (1, *shape[1:]))
    sequential = SEQUENTIAL.get(op_name(combiner))
    if sequential is not None and shape[0] * shape[0] <= block.size:
        # Wide and short: one step for each point is the faster way to the same sums.
        total = first[0]
        for point in block:
            total = sequential(total, point)
        return total[None]
    row = np.concatenate([first, block], axis=0)
    if sequential is not None:
        return sequential.accumulate(row, axis=0, dtype=row.dtype)[-1:]
    combine = interpreter.elementwise[op_name(combiner)]
    while row.shape[0] > 1:
        even = row.shape[0] // 2 * 2
        halves = cast(Array, combine(combiner, row[0:even:2], row[1:even:2]))
        row = np.concatenate([halves, row[even:]], axis=0)
    return row


def _combiners(work: Structured) -> Mapping[int, Combiner] | None:
    """The combiner of each reduced output, by number; None where the body has none for one.

    A carried argument and a combiner's result have one use each, so that nothing else in the
    body can depend on what the points before have stored.
    """
    terminator = work.body.last_op
    assert terminator is not None
    combiners: dict[int, Combiner] = {}
    for k, map_ in enumerate(work.output_maps):
        if not work.is_reduced[k]:
            continue
        carried = work.body.args[len(work.inputs) + k]
        op = terminator.operands[k].owner
        moves = bool(map_.used_dims() & set(work.reduction))
        if moves or not isinstance(op, Operation) or not _combines(op, carried):
            return None
        left, right = op.operands
        combiners[k] = Combiner(op, right if left is carried else left)
    return combiners


def _combines(op: Operation, carried: BlockArgument) -> bool:
    """Whether `op` is the only use of `carried`, and the yield the only use of its result."""
    name = op_name(op)
    return (
        (name in SEQUENTIAL or name in ASSOCIATIVE)
        and op.parent_block() is carried.owner
        and carried in op.operands
        and len(list(carried.uses)) == 1
        and len(list(op.results[0].uses)) == 1
    )
