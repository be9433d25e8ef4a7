"""Building waits: joins of timepoints and awaits of resources."""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, OptOperandDef

from ..dialects import stream
from .build import make, set_operands

TIMEPOINT = stream.TimepointType()


def join_timepoints(
    timepoints: Sequence[SSAValue], source: Operation | None
) -> tuple[SSAValue | None, list[Operation]]:
    """One timepoint for several, with the op that makes it; None for none.

    Args:
        timepoints: what is waited for, each once.
        source: whose location a new op takes.
    """
    if not timepoints:
        return None, []
    if len(timepoints) == 1:
        return timepoints[0], []
    join = make(stream.TimepointJoinOp, source, [TIMEPOINT], await_timepoints=list(timepoints))
    return join.result_timepoint, [join]


def await_resources(
    resources: Sequence[tuple[SSAValue, SSAValue]], timepoint: SSAValue, source: Operation | None
) -> stream.TimepointAwaitOp:
    """The resources, given with their sizes, as the host sees them once `timepoint` is reached."""
    return make(
        stream.TimepointAwaitOp,
        source,
        [[value.type for value, _ in resources]],
        resource_operands=[value for value, _ in resources],
        resource_operand_sizes=[size for _, size in resources],
        await_timepoint=timepoint,
    )


AWAIT = "await_timepoint"
"""The operand field of ops that wait for one timepoint."""


def may_wait_for_nothing(op: IRDLOperation) -> bool:
    """Whether the timepoint that `op` waits for may be left out."""
    return any(
        name == AWAIT and isinstance(definition, OptOperandDef)
        for name, definition in op.get_irdl_definition().operands
    )


def set_await(op: IRDLOperation, timepoint: SSAValue | None) -> None:
    """Let `op`, which has the field, wait for `timepoint`; None for nothing."""
    set_operands(op, AWAIT, () if timepoint is None else (timepoint,))
