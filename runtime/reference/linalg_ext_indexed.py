"""iree_linalg_ext's scatter and gather: slices of a tensor at places that indices name.

The places become flat numbers of the leading dimensions; updates of one place are done one after
the other, those of different places at once.
"""

from math import prod
from typing import cast

import numpy as np
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation

from ..element_types import Array, InputError
from .interpreter import NamedEvaluation, ReferenceInterpreter
from .regions import region_values
from .values import integers


def _flat_places(op: Operation, indices: Array, batch_rank: int, shape: tuple[int, ...]) -> Array:
    """For each batch element, in order, the number of its place in the leading dimensions."""
    dimension_map = integers(op, "dimension_map")
    depth = len(dimension_map)
    if sorted(dimension_map) != list(range(depth)):
        raise InputError(f"expected a dimension map of the first dimensions, got {dimension_map}")
    batch = prod(indices.shape[:batch_rank])
    numbers = indices.reshape(batch, depth).astype(np.int64)
    flat = np.zeros(batch, np.int64)
    for dimension in range(depth):
        at, size = numbers[:, dimension_map.index(dimension)], shape[dimension]
        if at.size and (at.min() < 0 or at.max() >= size):
            outside = int(at.min() if at.min() < 0 else at.max())
            raise InputError(f"index {outside} is outside of a dimension of size {size}")
        flat = flat * size + at
    return flat


def _run_gather(_: ReferenceInterpreter, op: Operation, args: PythonValues) -> PythonValues:
    """Slices of the source; where the mask is false, what the output holds."""
    source, indices, *mask, output = cast("tuple[Array, ...]", args)
    depth = len(integers(op, "dimension_map"))
    batch_rank = output.ndim - (source.ndim - depth)
    batch = prod(output.shape[:batch_rank])
    live = np.flatnonzero(mask[0].reshape(-1) != 0) if mask else np.arange(batch)
    places = _flat_places(op, indices.reshape(batch, -1)[live], 1, source.shape)
    result = output.reshape(batch, -1).copy()
    result[live] = source.reshape(prod(source.shape[:depth]), -1)[places]
    return (result.reshape(output.shape),)


def _run_scatter(
    interpreter: ReferenceInterpreter, op: Operation, args: PythonValues
) -> PythonValues:
    """The region's value of update and old slice; updates of one place in the batch's order."""
    updates, indices, *mask, original = cast("tuple[Array, ...]", args)
    depth = len(integers(op, "dimension_map"))
    batch_rank = updates.ndim - (original.ndim - depth)
    batch = prod(updates.shape[:batch_rank])
    left = np.arange(batch) if not mask else np.flatnonzero(mask[0].reshape(-1) != 0)
    numbers = indices.reshape(batch, -1)
    places = np.zeros(batch, np.int64)
    places[left] = _flat_places(op, numbers[left], 1, original.shape)
    rows = updates.reshape(batch, -1)
    result = original.reshape(prod(original.shape[:depth]), -1).copy()
    while left.size:
        # The first update that is left of each place.
        _, first = np.unique(places[left], return_index=True)
        some = left[first]
        pair = rows[some], result[places[some]]
        (result[places[some]],) = region_values(interpreter, op.regions[0].block, pair)
        left = np.delete(left, first)
    return (result.reshape(original.shape),)


BY_NAME: dict[str, NamedEvaluation] = {
    "iree_linalg_ext.gather": _run_gather,
    "iree_linalg_ext.scatter": _run_scatter,
}
