"""The stream dialect of IREE 3.13: execution of tensor programs on the timelines of devices.

It stands between flow, where tensors have values and no storage, and hal, where buffers, queues
and fences are objects of a runtime. A program passes through three phases:

1. tensor: resources carry the tensor type they encode (`stream.tensor.*`);
2. async: resources have sizes and value semantics; ranges, affinities, ties and copies are
   explicit (`stream.async.*`), still without storage;
3. cmd: storage is allocated on a timeline (`stream.resource.alloca`), work is a region of
   commands with effects on ranges (`stream.cmd.execute`), order is in timepoints.

```mlir
%alloca, %ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@npu>)
    : !stream.resource<transient>{%c64} => !stream.timepoint
%done = stream.cmd.execute on(#hal.device.affinity<@npu>) await(%ready)
    => with(%input as %in: !stream.resource<external>{%c64},
            %alloca as %out: !stream.resource<transient>{%c64}) {
  stream.cmd.dispatch @kernels::@double {
    ro %in[%c0 for %c64] : !stream.resource<external>{%c64},
    wo %out[%c0 for %c64] : !stream.resource<transient>{%c64}
  }
  stream.cmd.flush to(#hal.device.affinity<@cpu>) %out[%c0 for %c64]
      : !stream.resource<transient>{%c64}
} => !stream.timepoint
```

Names are IREE's: classes without `Stream_` and fields in snake case. Fields that xDSL keeps for
itself have another name: `operands` is `arguments`; `results` is `result_resources` where they
are resources, else `result_values`, `exported` or `resolved`. Inherent attributes are
properties. Sizes, offsets and lengths are bytes.

Invariants after each phase: tensor ops are gone after encoding; after allocation no resource is
made by an async op, each execution region captures all resources that it uses, and each resource
is used only behind the timepoint from which it is available.
"""

from xdsl.ir import Attribute, Dialect
from xdsl.irdl import IRDLOperation

from .async_ import (
    TRANSFER_KIND,
    AsyncAllocaOp,
    AsyncBarrierOp,
    AsyncCastOp,
    AsyncCloneOp,
    AsyncConstantOp,
    AsyncLoadOp,
    AsyncSliceOp,
    AsyncSplatOp,
    AsyncTransferOp,
    stated_kind,
)
from .async_control import (
    AsyncCallOp,
    AsyncConcurrentOp,
    AsyncDispatchOp,
    AsyncExecuteOp,
    AsyncFuncOp,
)
from .async_update import (
    AsyncCollectiveOp,
    AsyncCopyOp,
    AsyncFillOp,
    AsyncStoreOp,
    AsyncUpdateOp,
)
from .attributes import (
    Collective,
    CollectiveAttr,
    Favor,
    NamedParameterAttr,
    PartitioningConfigAttr,
    ResourceConfig,
    ResourceConfigAttr,
    TimepointAttr,
)
from .channel import (
    ChannelCountOp,
    ChannelCreateOp,
    ChannelRankOp,
    ChannelSplitOp,
    ContextResolveOp,
)
from .cmd import (
    CmdCollectiveOp,
    CmdCopyOp,
    CmdDiscardOp,
    CmdFillOp,
    CmdFlushOp,
    CmdInvalidateOp,
)
from .cmd_control import (
    CmdCallOp,
    CmdConcurrentOp,
    CmdDispatchOp,
    CmdExecuteOp,
    CmdFuncOp,
    CmdSerialOp,
)
from .executable import (
    BindingSubspanOp,
    DispatchWorkgroupCountOp,
    DispatchWorkgroupIDOp,
    DispatchWorkgroupSizeOp,
    ExecutableEndOp,
    ExecutableExportOp,
    ExecutableOp,
)
from .file import (
    FileConstantOp,
    FileReadOp,
    FileWriteOp,
)
from .parameter_async import (
    AsyncParameterGatherOp,
    AsyncParameterLoadOp,
    AsyncParameterReadOp,
    AsyncParameterScatterOp,
    AsyncParameterWriteOp,
    TensorParameterLoadOp,
    TensorParameterWriteOp,
)
from .parameter_cmd import (
    CmdParameterGatherOp,
    CmdParameterLoadOp,
    CmdParameterReadOp,
    CmdParameterScatterOp,
    CmdParameterWriteOp,
)
from .region import (
    ReturnOp,
    YieldOp,
)
from .resource import (
    ResourceAllocaOp,
    ResourceAllocOp,
    ResourceDeallocaOp,
    ResourceIsTerminalOp,
    ResourceLoadOp,
    ResourceReleaseOp,
    ResourceRetainOp,
    ResourceSizeOp,
    ResourceStoreOp,
    ResourceTryMapOp,
)
from .resource_layout import (
    ResourceConstantsOp,
    ResourcePackOp,
    ResourceSubviewOp,
    ResourceTransientsOp,
)
from .tensor import (
    TensorCloneOp,
    TensorConstantOp,
    TensorEmptyOp,
    TensorEncodeOp,
    TensorFillOp,
    TensorSliceOp,
    TensorSplatOp,
    TensorUpdateOp,
)
from .tensor_border import (
    TensorExportOp,
    TensorImportOp,
    TensorLoadOp,
    TensorSizeOfOp,
    TensorStoreOp,
)
from .tensor_dispatch import (
    TensorDispatchOp,
    TensorTraceOp,
)
from .test_ops import (
    TestTimelineAwareOp,
    TestTimelineOp,
)
from .timepoint import (
    TimepointAwaitOp,
    TimepointBarrierOp,
    TimepointChainExternalOp,
    TimepointExportOp,
    TimepointImmediateOp,
    TimepointImportOp,
    TimepointJoinOp,
)
from .types import (
    BindingType,
    ChannelType,
    FileType,
    Lifetime,
    ResourceType,
    TestFenceType,
    TimepointType,
)

_NAMES = tuple(globals().values())

Stream = Dialect(
    "stream",
    [
        v
        for v in _NAMES
        if isinstance(v, type) and issubclass(v, IRDLOperation) and "name" in vars(v)
    ],
    [v for v in _NAMES if isinstance(v, type) and issubclass(v, Attribute) and "name" in vars(v)],
)

__all__ = [
    "TRANSFER_KIND",
    "AsyncAllocaOp",
    "AsyncBarrierOp",
    "AsyncCallOp",
    "AsyncCastOp",
    "AsyncCloneOp",
    "AsyncCollectiveOp",
    "AsyncConcurrentOp",
    "AsyncConstantOp",
    "AsyncCopyOp",
    "AsyncDispatchOp",
    "AsyncExecuteOp",
    "AsyncFillOp",
    "AsyncFuncOp",
    "AsyncLoadOp",
    "AsyncParameterGatherOp",
    "AsyncParameterLoadOp",
    "AsyncParameterReadOp",
    "AsyncParameterScatterOp",
    "AsyncParameterWriteOp",
    "AsyncSliceOp",
    "AsyncSplatOp",
    "AsyncStoreOp",
    "AsyncTransferOp",
    "AsyncUpdateOp",
    "BindingSubspanOp",
    "BindingType",
    "ChannelCountOp",
    "ChannelCreateOp",
    "ChannelRankOp",
    "ChannelSplitOp",
    "ChannelType",
    "CmdCallOp",
    "CmdCollectiveOp",
    "CmdConcurrentOp",
    "CmdCopyOp",
    "CmdDiscardOp",
    "CmdDispatchOp",
    "CmdExecuteOp",
    "CmdFillOp",
    "CmdFlushOp",
    "CmdFuncOp",
    "CmdInvalidateOp",
    "CmdParameterGatherOp",
    "CmdParameterLoadOp",
    "CmdParameterReadOp",
    "CmdParameterScatterOp",
    "CmdParameterWriteOp",
    "CmdSerialOp",
    "Collective",
    "CollectiveAttr",
    "ContextResolveOp",
    "DispatchWorkgroupCountOp",
    "DispatchWorkgroupIDOp",
    "DispatchWorkgroupSizeOp",
    "ExecutableEndOp",
    "ExecutableExportOp",
    "ExecutableOp",
    "Favor",
    "FileConstantOp",
    "FileReadOp",
    "FileType",
    "FileWriteOp",
    "Lifetime",
    "NamedParameterAttr",
    "PartitioningConfigAttr",
    "ResourceAllocOp",
    "ResourceAllocaOp",
    "ResourceConfig",
    "ResourceConfigAttr",
    "ResourceConstantsOp",
    "ResourceDeallocaOp",
    "ResourceIsTerminalOp",
    "ResourceLoadOp",
    "ResourcePackOp",
    "ResourceReleaseOp",
    "ResourceRetainOp",
    "ResourceSizeOp",
    "ResourceStoreOp",
    "ResourceSubviewOp",
    "ResourceTransientsOp",
    "ResourceTryMapOp",
    "ResourceType",
    "ReturnOp",
    "Stream",
    "TensorCloneOp",
    "TensorConstantOp",
    "TensorDispatchOp",
    "TensorEmptyOp",
    "TensorEncodeOp",
    "TensorExportOp",
    "TensorFillOp",
    "TensorImportOp",
    "TensorLoadOp",
    "TensorParameterLoadOp",
    "TensorParameterWriteOp",
    "TensorSizeOfOp",
    "TensorSliceOp",
    "TensorSplatOp",
    "TensorStoreOp",
    "TensorTraceOp",
    "TensorUpdateOp",
    "TestFenceType",
    "TestTimelineAwareOp",
    "TestTimelineOp",
    "TimepointAttr",
    "TimepointAwaitOp",
    "TimepointBarrierOp",
    "TimepointChainExternalOp",
    "TimepointExportOp",
    "TimepointImmediateOp",
    "TimepointImportOp",
    "TimepointJoinOp",
    "TimepointType",
    "YieldOp",
    "stated_kind",
]
