"""Building waits: joins of timepoints and awaits of resources."""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ..dialects import stream
from .build import make

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
