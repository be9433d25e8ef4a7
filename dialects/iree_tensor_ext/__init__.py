"""The iree_tensor_ext dialect: what IREE adds to tensors inside of dispatches.

A dispatch is handed its tensors as `!iree_tensor_ext.dispatch.tensor`, loads slices of them,
computes with linalg on values, and stores slices of its results. How many workgroups run is left
to code generation (`workgroup_count_from_slice`), which sees the workload by its ordinals.

```mlir
%0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
iree_tensor_ext.dispatch.tensor.store %0, %arg1, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
```
"""  # noqa: E501

from xdsl.ir import Dialect

from .dispatch import (
    DispatchTensorLoadOp,
    DispatchTensorStoreOp,
    DispatchWorkgroupCountFromSliceOp,
    DispatchWorkgroupCountSplitReductionModifierOp,
    DispatchWorkloadOrdinalOp,
)
from .tensors import (
    BitCastOp,
    CastToRaggedShapeOp,
    ComputeBarrierEndOp,
    ComputeBarrierStartOp,
    LinearizeRaggedDimsOp,
)
from .types import (
    DispatchTensorType,
    RaggedShapeAttr,
    SparseIterationDimsAttr,
    TensorAccess,
    TensorAccessAttr,
)

__all__ = [
    "BitCastOp",
    "CastToRaggedShapeOp",
    "ComputeBarrierEndOp",
    "ComputeBarrierStartOp",
    "DispatchTensorLoadOp",
    "DispatchTensorStoreOp",
    "DispatchTensorType",
    "DispatchWorkgroupCountFromSliceOp",
    "DispatchWorkgroupCountSplitReductionModifierOp",
    "DispatchWorkloadOrdinalOp",
    "IREETensorExt",
    "LinearizeRaggedDimsOp",
    "RaggedShapeAttr",
    "SparseIterationDimsAttr",
    "TensorAccess",
    "TensorAccessAttr",
]

IREETensorExt = Dialect(
    "iree_tensor_ext",
    [
        BitCastOp,
        CastToRaggedShapeOp,
        ComputeBarrierEndOp,
        ComputeBarrierStartOp,
        DispatchTensorLoadOp,
        DispatchTensorStoreOp,
        DispatchWorkgroupCountFromSliceOp,
        DispatchWorkgroupCountSplitReductionModifierOp,
        DispatchWorkloadOrdinalOp,
        LinearizeRaggedDimsOp,
    ],
    [DispatchTensorType, RaggedShapeAttr, SparseIterationDimsAttr, TensorAccessAttr],
)
