"""Where the storage of a stream-level value lives: the affinity of what defines it."""

from xdsl.ir import Attribute, OpResult, SSAValue

from ...dialects import stream
from ...dialects.access import op_affinity, result_affinity


def value_affinity(value: SSAValue) -> Attribute | None:
    """The affinity of `value`; None for arguments and for ops that state none.

    A transfer's result lives at its target; casts, views and awaits only pass values on.
    """
    while isinstance(value, OpResult):
        match value.op:
            case stream.AsyncTransferOp() as transfer:
                return result_affinity(transfer)
            case stream.AsyncCastOp() | stream.ResourceSubviewOp() as other_name:
                value = other_name.source
            case stream.TimepointAwaitOp() as awaiting:
                value = awaiting.resource_operands[value.index]
            case owner:
                return op_affinity(owner)
    return None
