"""Timepoints to fences."""

from xdsl.dialects.builtin import StringAttr, i32

from ...dialects import stream, util
from ...dialects.diagnostics import fail
from ...dialects.hal.device_queue import DeviceQueueBarrierOp
from ...dialects.hal.fence import FenceAwaitOp, FenceJoinOp
from ...dialects.hal.types import FenceType
from .commands import NO_FLAGS
from .host import HostLowering


def lower_immediate(host: HostLowering, op: stream.TimepointImmediateOp) -> None:
    """The null fence."""
    host.others[op.result_timepoint] = host.null_fence()


def lower_join(host: HostLowering, op: stream.TimepointJoinOp) -> None:
    """A fence of several."""
    fences = [host.wait(timepoint) for timepoint in op.await_timepoints]
    joined = host.make(FenceJoinOp, [FenceType()], fences=fences, flags=NO_FLAGS)
    host.others[op.result_timepoint] = joined.result


def lower_import_timepoint(host: HostLowering, op: stream.TimepointImportOp) -> None:
    """The caller's fence."""
    if len(op.arguments) != 1 or not isinstance(op.arguments[0].type, FenceType):
        fail(op, "imports something else than a !hal.fence")
    host.others[op.result_timepoint] = op.arguments[0]


def lower_export_timepoint(host: HostLowering, op: stream.TimepointExportOp) -> None:
    """The fence itself."""
    if len(op.exported) != 1 or not isinstance(op.exported[0].type, FenceType):
        fail(op, "exports to something else than a !hal.fence")
    op.exported[0].replace_all_uses_with(host.wait(op.await_timepoint))


def lower_chain(host: HostLowering, op: stream.TimepointChainExternalOp) -> None:
    """The caller's fence is signaled once the timepoint is reached."""
    if len(op.external_values) != 1 or not isinstance(op.external_values[0].type, FenceType):
        fail(op, "chains to something else than a !hal.fence")
    host.make(
        DeviceQueueBarrierOp,
        device=host.first_device(op.affinity),
        queue_affinity=host.any_queue(),
        wait_fence=host.wait(op.await_timepoint),
        signal_fence=op.external_values[0],
        flags=NO_FLAGS,
    )


def lower_barrier(host: HostLowering, op: stream.TimepointBarrierOp) -> None:
    """A resource that is ready."""
    host.buffers[op.result] = host.range_of(op.resource)
    host.others[op.result_timepoint] = host.null_fence()


def lower_await(host: HostLowering, op: stream.TimepointAwaitOp) -> None:
    """The host waits, as long as it takes, and fails where the fence has failed."""
    status = host.make(
        FenceAwaitOp,
        [i32],
        timeout_millis=host.integer(-1, i32),
        fences=[host.wait(op.await_timepoint)],
        flags=NO_FLAGS,
    ).status
    host.make(
        util.StatusCheckOkOp, status=status, message=StringAttr("failed to wait on timepoint")
    )
    for operand, result in zip(op.resource_operands, op.result_resources, strict=True):
        host.buffers[result] = host.range_of(operand)
