"""All ops in an op, at a cost for each that does not grow with how deep it stands."""

from collections.abc import Callable, Iterator
from itertools import chain

from xdsl.ir import Operation


def walk(root: Operation) -> Iterator[Operation]:
    """`root` and all ops in its regions, each before those within it, as `Operation.walk` gives
    them; which hands each of them up through a generator for every level of nesting."""
    return chain((root,), descend(root, _ops))


def descend(
    root: Operation, ops_of: Callable[[Operation], Iterator[Operation]]
) -> Iterator[Operation]:
    """All ops within `root`, each before those within it; `ops_of` gives those right in an op."""
    pending = [ops_of(root)]
    while pending:
        op = next(pending[-1], None)
        if op is None:
            pending.pop()
            continue
        yield op
        if op.regions:
            pending.append(ops_of(op))


def _ops(parent: Operation) -> Iterator[Operation]:
    return (op for region in parent.regions for block in region.blocks for op in block.ops)
