"""Whose a storage is, where it is not the function's own: then it is never updated in place."""

from collections.abc import Callable

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Block, BlockArgument, SSAValue

from ...dialects import stream
from ...dialects.access import tied_operand
from ..build import INDEX

RESULT_STORAGE = "stream.result_storage"
"""Discardable unit attribute of an import: what is written there is a result for the caller."""

_Name = Callable[[SSAValue], SSAValue]


def owner_of(value: SSAValue, origin: _Name, root: _Name) -> str | None:
    """Why the storage of `value`, the first name of its contents, is not to be updated; else None.

    `origin` gives the first name of a value's contents, `root` that of its storage. Arguments of
    a function belong to its caller, unless a result is tied to them.
    """
    if isinstance(value, BlockArgument):
        is_argument = value.block.prev_block is None and _is_function(value.block)
        return "the storage belongs to the caller" if is_argument and not _is_given(value) else None
    assert not isinstance(value.owner, Block)
    match value.owner:
        case stream.TensorImportOp() as imported if imported.consume is None:
            return "the storage is an import that the caller did not give away"
        case stream.AsyncConstantOp() | stream.TensorConstantOp():
            return "the storage is a constant"
        case op if op.name == "util.global.load":
            return "the storage is a global's"
        case op if op.name in ("util.call", "func.call") and tied_operand(value) is None:
            return "the storage comes from a function that may keep it"
        case _:
            pass
    first = root(value)
    imported = first.owner
    if isinstance(imported, stream.TensorImportOp) and RESULT_STORAGE in imported.attributes:
        is_written = origin(first) is not value
        return "the storage holds a result for the caller" if is_written else None
    return None


def _is_function(block: Block) -> bool:
    parent = block.parent_op()
    return parent is not None and parent.name in ("util.func", "util.initializer", "func.func")


def _is_given(argument: BlockArgument) -> bool:
    """Whether a result of the function is tied to `argument`, so that it may be updated."""
    function = argument.block.parent_op()
    ties = None if function is None else function.properties.get("tied_operands")
    return isinstance(ties, ArrayAttr) and IntegerAttr(argument.index, INDEX) in ties.data
