"""Source locations of ops, as `file:line:col` text.

Our parser (`zcir.tools.frontend`) gives every op a location; under plain `xdsl-opt` ops have
none, and everything here then answers with "".
"""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue


def location_text(op: Operation) -> str:
    """`file:line:col` of `op`, or "" when it has no file location."""
    return attribute_text(op.location)


def value_location_text(value: SSAValue) -> str:
    """`file:line:col` of the op that defines `value`; for a block argument, of the parent op."""
    owner = value.owner
    if isinstance(owner, Block):
        parent = owner.parent_op()
        return "" if parent is None else location_text(parent)
    return location_text(owner)


def value_name(value: SSAValue) -> str:
    """The name of a value in the text it was read from, or one made of its op."""
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    return value.op.name if isinstance(value, OpResult) else f"%arg{_argument_index(value)}"


def _argument_index(value: SSAValue) -> int:
    return value.index if isinstance(value, BlockArgument) else 0


def attribute_text(location: Attribute) -> str:
    """`file:line:col` of a location attribute: its innermost place, or "" if there is none."""
    match location:
        case FileLineColLoc():
            return f"{location.filename.data}:{location.line.data}:{location.column.data}"
        case NameLoc():
            return attribute_text(location.location)
        case CallSiteLoc():
            return attribute_text(location.callee)
        case FusedLoc():
            for part in cast(Sequence[Attribute], location.locations):
                if text := attribute_text(part):
                    return text
            return ""
        case _:
            return ""
