"""How a dialect of xDSL is extended: ops added, ops replaced under the same name.

A replacing op is a subclass of xDSL's, so that `isinstance` and patterns hold, with fields of its
own: all of them, since a subclass inherits none. What looks ops up by `type(op)` must also look
at the bases.
"""

from collections.abc import Sequence

from xdsl.ir import Attribute, Dialect, Operation
from xdsl.irdl import IRDLOperation


class OwnSyntax(IRDLOperation):
    """First base of an op that replaces xDSL's by one with an assembly format of its own."""

    parse = Operation.__dict__["parse"]
    print = Operation.print


def extended(
    dialect: Dialect,
    operations: Sequence[type[Operation]],
    attributes: Sequence[type[Attribute]] = (),
) -> Dialect:
    """`dialect` with further ops; one with the name of an op of `dialect` replaces it."""
    replaced = {op.name: op for op in operations}
    kept = [op for op in dialect.operations if op.name not in replaced]
    return Dialect(
        dialect.name,
        [*kept, *operations],
        [*dialect.attributes, *attributes],
        dialect._interfaces,
    )
