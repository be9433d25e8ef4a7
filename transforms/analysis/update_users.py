"""Who uses a resource how, where another op updates it in place."""

from xdsl.ir import Operation, SSAValue

from ...dialects import stream
from ...dialects.access import Access, range_accesses, tied_results, trait_of
from ...dialects.stream.base import Passthrough
from .hazards import Range
from .ranges import extent, meets, range_of

_BORROWS = ("stream.async.load", "stream.resource.size")
"""Host ops that look at a resource and keep no hold of it."""


def reads(user: Operation, value: SSAValue, range: Range) -> bool:
    """Whether `user` needs the bytes of `value` in `range`; one that updates them needs all."""
    stated = [access for access in range_accesses(user) if access.value is value]
    if not stated or value in tied_updates(user):
        return meets(range, extent(value))
    return any(meets(range, range_of(access)) for access in stated)


def keeps(user: Operation) -> bool:
    """Whether `user` may hand the storage itself to somebody: it is never free for updates."""
    if user.name in _BORROWS or user.has_trait(Passthrough, value_if_unregistered=False):
        return False
    return not user.name.startswith("stream.") or isinstance(user, stream.TensorExportOp)


def disturbs_itself(op: Operation, operand: SSAValue, range: Range, index: int) -> bool:
    """Whether `op` reads, through its operand `index`, bytes of `range` that it overwrites else.

    A kernel that takes the very range that it updates a second time reads it before it writes
    (case B04); a copy must not overlap its target.
    """
    value = op.operands[index]
    stated = [access for access in range_accesses(op) if access.value is value]
    if isinstance(op, stream.AsyncUpdateOp | stream.AsyncCopyOp):
        source = op.update if isinstance(op, stream.AsyncUpdateOp) else op.source
        if op.operands[index] is not source:
            return False
        read = [access for access in stated if not access.mode & Access.WRITE]
        return any(meets(range, range_of(access)) for access in read)
    if value is operand:
        return len({(access.offset, access.length) for access in stated}) > 1
    return any(meets(range, range_of(access)) for access in stated) if stated else False


def tied_updates(op: Operation) -> list[SSAValue]:
    """The operands that `op` writes in place, each once."""
    if op.regions or trait_of(type(op), Passthrough) is not None:
        return []
    return list(
        dict.fromkeys(operand for result, operand in tied_results(op) if _both(result, operand))
    )


def _both(result: SSAValue, operand: SSAValue) -> bool:
    """Imports and exports tie a resource to something else, which is no update."""
    return all(isinstance(value.type, stream.ResourceType) for value in (result, operand))
