"""Which canonicalization patterns each op has. Loaded when `canonicalize` first asks."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern

from . import canonicalization_async as values
from . import canonicalization_timepoints as timepoints
from . import canonicalization_views as views
from .async_ import (
    AsyncAllocaOp,
    AsyncCastOp,
    AsyncCloneOp,
    AsyncConstantOp,
    AsyncSliceOp,
    AsyncSplatOp,
    AsyncTransferOp,
)
from .async_control import AsyncExecuteOp
from .async_update import AsyncCopyOp, AsyncFillOp, AsyncStoreOp, AsyncUpdateOp
from .canonicalization_views import FoldViewIntoCommand, FoldViewsIntoBindings, ViewFields
from .cmd import (
    CmdCollectiveOp,
    CmdCopyOp,
    CmdDiscardOp,
    CmdFillOp,
    CmdFlushOp,
    CmdInvalidateOp,
)
from .cmd_control import CmdCallOp, CmdConcurrentOp, CmdDispatchOp, CmdExecuteOp, CmdSerialOp
from .file import FileReadOp, FileWriteOp
from .parameter_async import AsyncParameterLoadOp, AsyncParameterReadOp, AsyncParameterWriteOp
from .parameter_cmd import (
    CmdParameterGatherOp,
    CmdParameterLoadOp,
    CmdParameterReadOp,
    CmdParameterScatterOp,
    CmdParameterWriteOp,
)
from .resource import (
    ResourceAllocaOp,
    ResourceDeallocaOp,
    ResourceLoadOp,
    ResourceSizeOp,
    ResourceStoreOp,
)
from .resource_layout import (
    ResourceSubviewOp,
)
from .tensor import (
    TensorCloneOp,
    TensorFillOp,
    TensorSplatOp,
    TensorUpdateOp,
)
from .tensor_border import (
    TensorExportOp,
    TensorImportOp,
)
from .timepoint import (
    TimepointAwaitOp,
    TimepointBarrierOp,
    TimepointExportOp,
    TimepointJoinOp,
)

_SOURCE = ViewFields("source", "source_size", ("source_offset",))
_TARGET = ViewFields("target", "target_size", ("target_offset",))
_INTO_SOURCE = FoldViewIntoCommand((_SOURCE,))
_INTO_TARGET = FoldViewIntoCommand((_TARGET,))
_INTO_TARGETS = FoldViewIntoCommand((ViewFields("target", "target_size", ("target_offsets",)),))
_INTO_SOURCES = FoldViewIntoCommand((ViewFields("source", "source_size", ("source_offsets",)),))
_WAIT = timepoints.DropImmediateWait()
_UNUSED = values.EraseUnused()
_EMPTY = values.EraseEmptyCommand()
_NARROW = values.NarrowFill()

PATTERNS: dict[type[Operation], tuple[RewritePattern, ...]] = {
    ResourceAllocaOp: (timepoints.ElideUnusedAlloca(), _WAIT),
    ResourceDeallocaOp: (_WAIT,),
    ResourceSizeOp: (timepoints.FoldKnownSize(),),
    ResourceLoadOp: (_INTO_SOURCE,),
    ResourceStoreOp: (_INTO_TARGET,),
    ResourceSubviewOp: (views.FoldWholeView(), views.FoldViewOfView()),
    TensorImportOp: (values.FoldImportOfExport(),),
    TensorExportOp: (values.FoldExportOfImport(),),
    TensorSplatOp: (_UNUSED,),
    TensorCloneOp: (_UNUSED,),
    TensorFillOp: (_UNUSED,),
    TensorUpdateOp: (_UNUSED,),
    AsyncAllocaOp: (_UNUSED,),
    AsyncConstantOp: (_WAIT,),
    AsyncSplatOp: (_UNUSED, _WAIT, _NARROW),
    AsyncCloneOp: (_UNUSED,),
    AsyncSliceOp: (values.FoldWholeSlice(), values.ReplaceSliceOfSplat()),
    AsyncFillOp: (_UNUSED, values.MergeAdjacentFills(), _NARROW),
    AsyncUpdateOp: (
        _UNUSED,
        values.FoldWholeUpdate(),
        values.FillInsteadOfSplatUpdate(),
        values.CopyInsteadOfSliceUpdate(),
    ),
    AsyncCopyOp: (_UNUSED,),
    AsyncStoreOp: (_UNUSED,),
    AsyncTransferOp: (values.FoldRoundTrip(), values.CloneInsteadOfLocalTransfer()),
    AsyncCastOp: (values.CollapseCasts(),),
    AsyncExecuteOp: (_WAIT,),
    AsyncParameterLoadOp: (_WAIT,),
    AsyncParameterReadOp: (_WAIT,),
    AsyncParameterWriteOp: (_WAIT,),
    CmdFlushOp: (_EMPTY, _INTO_TARGET),
    CmdInvalidateOp: (_EMPTY, _INTO_TARGET),
    CmdDiscardOp: (_EMPTY, _INTO_TARGET),
    CmdFillOp: (_EMPTY, _INTO_TARGET, _NARROW),
    CmdCopyOp: (_EMPTY, FoldViewIntoCommand((_SOURCE, _TARGET))),
    CmdCollectiveOp: (FoldViewsIntoBindings("resource"),),
    CmdDispatchOp: (FoldViewsIntoBindings("resource"),),
    CmdCallOp: (FoldViewsIntoBindings("resource_operand"),),
    CmdExecuteOp: (
        _WAIT,
        timepoints.ElideEmptyExecution(),
        views.MoveViewIntoExecution(),
        views.DropCaptures(),
    ),
    CmdSerialOp: (timepoints.ElideEmptyGroup(),),
    CmdConcurrentOp: (timepoints.ElideEmptyGroup(),),
    CmdParameterLoadOp: (_WAIT,),
    CmdParameterReadOp: (_WAIT, _INTO_TARGET),
    CmdParameterWriteOp: (_WAIT, _INTO_SOURCE),
    CmdParameterGatherOp: (_WAIT, _INTO_TARGETS),
    CmdParameterScatterOp: (_WAIT, _INTO_SOURCES),
    FileReadOp: (_WAIT, _INTO_TARGET),
    FileWriteOp: (_WAIT, _INTO_SOURCE),
    TimepointExportOp: (timepoints.FoldExportOfImport(),),
    TimepointJoinOp: (timepoints.SimplifyJoin(),),
    TimepointBarrierOp: (timepoints.FoldBarrierOfAwait(),),
    TimepointAwaitOp: (timepoints.FoldImmediateAwait(), timepoints.DropUnusedAwaitResults()),
}
