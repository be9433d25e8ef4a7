"""Which function lowers which op of the host program."""

from collections.abc import Callable
from typing import Any, Final

from xdsl.ir import Operation

from ...dialects import stream
from . import border_ops, file_ops, parameter_ops, storage_ops, timeline_ops
from .host import HostLowering

Handler = Callable[[HostLowering, Any], None]
"""Makes the ops that do what an op does, and defines what its results become."""

HANDLERS: Final[dict[type[Operation], Handler]] = {
    stream.TensorImportOp: border_ops.lower_import,
    stream.TensorExportOp: border_ops.lower_export,
    stream.TensorTraceOp: border_ops.lower_trace,
    stream.ContextResolveOp: border_ops.lower_resolve,
    stream.ResourceSubviewOp: storage_ops.lower_subview,
    stream.ResourceAllocOp: storage_ops.lower_alloc,
    stream.ResourceAllocaOp: storage_ops.lower_alloca,
    stream.ResourceDeallocaOp: storage_ops.lower_dealloca,
    stream.ResourceRetainOp: storage_ops.lower_retain,
    stream.ResourceReleaseOp: storage_ops.lower_release,
    stream.ResourceIsTerminalOp: storage_ops.lower_is_terminal,
    stream.ResourceSizeOp: storage_ops.lower_size,
    stream.ResourceLoadOp: storage_ops.lower_load,
    stream.ResourceStoreOp: storage_ops.lower_store,
    stream.ResourceTryMapOp: storage_ops.lower_try_map,
    stream.ResourceConstantsOp: storage_ops.lower_constants,
    stream.FileConstantOp: file_ops.lower_file_constant,
    stream.FileReadOp: file_ops.lower_file_read,
    stream.FileWriteOp: file_ops.lower_file_write,
    stream.CmdParameterLoadOp: parameter_ops.lower_load,
    stream.CmdParameterReadOp: parameter_ops.lower_read,
    stream.CmdParameterWriteOp: parameter_ops.lower_write,
    stream.CmdParameterGatherOp: parameter_ops.lower_gather,
    stream.CmdParameterScatterOp: parameter_ops.lower_scatter,
    stream.ChannelCreateOp: file_ops.lower_channel_create,
    stream.ChannelSplitOp: file_ops.lower_channel_split,
    stream.ChannelRankOp: file_ops.lower_channel_rank,
    stream.ChannelCountOp: file_ops.lower_channel_rank,
    stream.TimepointImmediateOp: timeline_ops.lower_immediate,
    stream.TimepointJoinOp: timeline_ops.lower_join,
    stream.TimepointImportOp: timeline_ops.lower_import_timepoint,
    stream.TimepointExportOp: timeline_ops.lower_export_timepoint,
    stream.TimepointChainExternalOp: timeline_ops.lower_chain,
    stream.TimepointBarrierOp: timeline_ops.lower_barrier,
    stream.TimepointAwaitOp: timeline_ops.lower_await,
}
