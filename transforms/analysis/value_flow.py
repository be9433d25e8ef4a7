"""Where values go when control flow carries them: region arguments and results, as plain edges.

```mlir
%r = scf.for … iter_args(%arg = %init) { … scf.yield %next }
// init -> arg, next -> arg, init -> r, next -> r
```

Analyses over values (affinity, storage, lifetime) ask here and know no control-flow op.
"""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue


class Edge(NamedTuple):
    """`source` may become `target`; both have the same type."""

    source: SSAValue
    target: SSAValue


def value_edges(root: Operation) -> Iterator[Edge]:
    """All edges of the region control-flow ops in `root`, in textual order."""
    for op in root.walk():
        match op:
            case scf.ForOp():
                yield from _for_edges(op)
            case scf.IfOp():
                yield from _if_edges(op)
            case scf.WhileOp():
                yield from _while_edges(op)
            case _:
                pass


def _terminator_operands(op: Operation, region: int) -> tuple[SSAValue, ...]:
    block = op.regions[region].last_block
    terminator = None if block is None else block.last_op
    return () if terminator is None else tuple(terminator.operands)


def _for_edges(op: scf.ForOp) -> Iterator[Edge]:
    arguments = op.body.block.args[1:]
    yielded = _terminator_operands(op, 0)
    for init, argument, following, result in zip(
        op.iter_args, arguments, yielded, op.results, strict=True
    ):
        yield Edge(init, argument)
        yield Edge(following, argument)
        yield Edge(init, result)
        yield Edge(following, result)


def _if_edges(op: scf.IfOp) -> Iterator[Edge]:
    for region in range(len(op.regions)):
        for yielded, result in zip(_terminator_operands(op, region), op.results, strict=False):
            yield Edge(yielded, result)


def _while_edges(op: scf.WhileOp) -> Iterator[Edge]:
    before = op.before_region.block.args
    after = op.after_region.block.args
    for init, argument in zip(op.arguments, before, strict=True):
        yield Edge(init, argument)
    condition = _terminator_operands(op, 0)[1:]
    for passed, argument, result in zip(condition, after, op.results, strict=True):
        yield Edge(passed, argument)
        yield Edge(passed, result)
    for yielded, argument in zip(_terminator_operands(op, 1), before, strict=True):
        yield Edge(yielded, argument)
