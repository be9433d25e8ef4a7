"""All ops in an op, at a cost for each that does not grow with how deep it stands."""

from collections.abc import Iterator

from xdsl.ir import Operation


def walk(root: Operation) -> Iterator[Operation]:
    """`root` and all ops in its regions, each before those within it, as `Operation.walk` gives
    them; which hands each of them up through a generator for every level of nesting."""
    yield root
    pending = [_children(root)] if root.regions else []
    while pending:
        op = next(pending[-1], None)
        if op is None:
            pending.pop()
            continue
        yield op
        if op.regions:
            pending.append(_children(op))


def _children(parent: Operation) -> Iterator[Operation]:
    return (op for region in parent.regions for block in region.blocks for op in block.ops)
