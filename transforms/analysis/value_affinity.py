"""Where the storage of a stream-level value lives: the affinity of what defines it."""

from xdsl.ir import Attribute, Block, SSAValue

from ...dialects import stream
from ...dialects.access import op_affinity


def value_affinity(value: SSAValue) -> Attribute | None:
    """The affinity of `value`; None for arguments and for ops that state none.

    A transfer's result lives at its target; casts and awaits only pass values on.
    """
    while not isinstance(value.owner, Block):
        match value.owner:
            case stream.AsyncTransferOp() as transfer:
                return transfer.result_affinity or op_affinity(transfer)
            case stream.AsyncCastOp() as cast:
                value = cast.source
            case stream.TimepointAwaitOp() as awaiting:
                value = awaiting.resource_operands[list(awaiting.results).index(value)]
            case owner:
                return op_affinity(owner)
    return None
