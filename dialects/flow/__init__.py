"""The flow dialect: tensors with value semantics, dispatches and transfers between devices.

The input of the lowering. Executables hold the code; `util.func` bodies dispatch them on tensors
and transfer tensors to the devices that use them next. Nothing here has a place in memory: which
values share storage is decided when flow becomes stream.

```mlir
flow.executable private @exe {
  flow.executable.export public @entry
  builtin.module { func.func @entry(…) { … } }
}
util.func public @f(%arg0: tensor<16xf32>) -> tensor<16xf32> {
  %0 = flow.dispatch @exe::@entry(%arg0) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = flow.tensor.transfer %0 : tensor<16xf32> to #hal.device.affinity<@device_b>
  %2 = flow.dispatch @exe::@entry(%1) : (tensor<16xf32>) -> %1
  util.return %2 : tensor<16xf32>
}
```
"""

from xdsl.ir import Dialect

from .collectives import (
    ChannelCountOp,
    ChannelDefaultOp,
    ChannelRankOp,
    ChannelSplitOp,
    CollectiveAllGatherOp,
    CollectiveAllReduceOp,
    CollectiveAllToAllOp,
    CollectiveReduceScatterOp,
    CollectiveSendRecvOp,
    ParameterLoadOp,
    ParameterWriteOp,
)
from .copies import (
    TRANSFER_KIND,
    TensorBarrierOp,
    TensorCloneOp,
    TensorEncodeOp,
    TensorSliceOp,
    TensorTraceOp,
    TensorTransferOp,
    TensorUpdateOp,
)
from .dispatch import CallOp, DispatchOp, FuncOp
from .executables import ExecutableEndOp, ExecutableExportOp, ExecutableOp
from .regions import (
    DispatchRegionOp,
    DispatchTieShapeOp,
    DispatchWorkgroupCountOp,
    DispatchWorkgroupIDOp,
    DispatchWorkgroupSizeOp,
    DispatchWorkgroupsOp,
    ReturnOp,
)
from .tensors import (
    TensorAllocaOp,
    TensorBitCastOp,
    TensorConstantOp,
    TensorDynamicConstantOp,
    TensorEmptyOp,
    TensorLoadOp,
    TensorReshapeOp,
    TensorSplatOp,
    TensorStoreOp,
    TensorTieShapeOp,
)
from .types import ChannelType, DummyAttr, DummyType, NamedParameterAttr

__all__ = [
    "TRANSFER_KIND",
    "CallOp",
    "ChannelCountOp",
    "ChannelDefaultOp",
    "ChannelRankOp",
    "ChannelSplitOp",
    "ChannelType",
    "CollectiveAllGatherOp",
    "CollectiveAllReduceOp",
    "CollectiveAllToAllOp",
    "CollectiveReduceScatterOp",
    "CollectiveSendRecvOp",
    "DispatchOp",
    "DispatchRegionOp",
    "DispatchTieShapeOp",
    "DispatchWorkgroupCountOp",
    "DispatchWorkgroupIDOp",
    "DispatchWorkgroupSizeOp",
    "DispatchWorkgroupsOp",
    "DummyAttr",
    "DummyType",
    "ExecutableEndOp",
    "ExecutableExportOp",
    "ExecutableOp",
    "Flow",
    "FuncOp",
    "NamedParameterAttr",
    "ParameterLoadOp",
    "ParameterWriteOp",
    "ReturnOp",
    "TensorAllocaOp",
    "TensorBarrierOp",
    "TensorBitCastOp",
    "TensorCloneOp",
    "TensorConstantOp",
    "TensorDynamicConstantOp",
    "TensorEmptyOp",
    "TensorEncodeOp",
    "TensorLoadOp",
    "TensorReshapeOp",
    "TensorSliceOp",
    "TensorSplatOp",
    "TensorStoreOp",
    "TensorTieShapeOp",
    "TensorTraceOp",
    "TensorTransferOp",
    "TensorUpdateOp",
]

Flow = Dialect(
    "flow",
    [
        CallOp,
        ChannelCountOp,
        ChannelDefaultOp,
        ChannelRankOp,
        ChannelSplitOp,
        CollectiveAllGatherOp,
        CollectiveAllReduceOp,
        CollectiveAllToAllOp,
        CollectiveReduceScatterOp,
        CollectiveSendRecvOp,
        DispatchOp,
        DispatchRegionOp,
        DispatchTieShapeOp,
        DispatchWorkgroupCountOp,
        DispatchWorkgroupIDOp,
        DispatchWorkgroupSizeOp,
        DispatchWorkgroupsOp,
        ExecutableEndOp,
        ExecutableExportOp,
        ExecutableOp,
        FuncOp,
        ParameterLoadOp,
        ParameterWriteOp,
        ReturnOp,
        TensorAllocaOp,
        TensorBarrierOp,
        TensorBitCastOp,
        TensorCloneOp,
        TensorConstantOp,
        TensorDynamicConstantOp,
        TensorEmptyOp,
        TensorEncodeOp,
        TensorLoadOp,
        TensorReshapeOp,
        TensorSliceOp,
        TensorSplatOp,
        TensorStoreOp,
        TensorTieShapeOp,
        TensorTraceOp,
        TensorTransferOp,
        TensorUpdateOp,
    ],
    [ChannelType, DummyAttr, DummyType, NamedParameterAttr],
)
