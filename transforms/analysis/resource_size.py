"""The size in bytes of a stream-level value, as the ops that define or use it state it."""

from typing import cast

from xdsl.ir import OpResult, SSAValue

from ...dialects import stream
from ..build import constant_value
from .sizes import stated_sizes


def resource_size(value: SSAValue) -> SSAValue | None:
    """The `index` value that holds the size of `value`; None for arguments and unknown ops."""
    if not isinstance(value, OpResult):
        return None
    match value.op:
        case stream.AsyncDispatchOp() as op:
            return op.result_sizes[value.index]
        case stream.TimepointAwaitOp() as op:
            return op.resource_operand_sizes[value.index]
        case op:
            for field in ("result_size", "storage_size", "target_size"):
                size = cast("SSAValue | None", getattr(op, field, None))
                if size is not None:
                    return size
            return None


def constant_size(value: SSAValue) -> int | None:
    """The bytes of `value` where the op that defines it, or one that uses it, states a constant."""
    size = resource_size(value)
    if size is not None and (known := constant_value(size)) is not None:
        return known
    for use in value.uses:
        size = dict(stated_sizes(use.operation)).get(value)
        if size is not None and (known := constant_value(size)) is not None:
            return known
    return None
