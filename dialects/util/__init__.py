"""The util dialect: the host program around tensors, streams and devices.

Functions with tied results, global variables and their initialisation, byte buffers, lists,
assumptions and arithmetic of sizes. It stands at every level: flow modules are made of
`util.func` and `util.global`, and what remains of the host program at the hal level is util,
arith, scf and cf. Tied results say that a result is the storage of an operand, updated.

```mlir
util.global private @device_a = #hal.device.target<"local"> : !hal.device
util.func public @f(%arg0: tensor<4xf32>, %arg1: index) -> %arg0 {
  %0 = util.align %arg1, %arg1 : index
  %1 = util.call @g(%arg0) : (tensor<4xf32>) -> %arg0
  util.return %1 : tensor<4xf32>
}
```
"""

from xdsl.ir import Dialect

from .arithmetic import (
    AlignOp,
    RangeExtentsOp,
    RangeMaxOp,
    RangeMinOp,
    SizeOfOp,
    SwitchOp,
)
from .attributes import (
    BytePatternAttr,
    ByteRangeAttr,
    CompositeAttr,
    InlineAlwaysAttr,
    InlineNeverAttr,
    IntAssumptionAttr,
    NullAttr,
    PreprocessingPipelineAttr,
    UninitializedAttr,
)
from .buffers import (
    BufferAllocOp,
    BufferCompareOp,
    BufferConstantOp,
    BufferCopyOp,
    BufferDeallocOp,
    BufferFillOp,
    BufferHashOp,
    BufferLoadOp,
    BufferSizeOp,
    BufferSliceOp,
    BufferStorageOp,
    BufferStoreOp,
    BufferSubspanOp,
)
from .globals import (
    GlobalAddressOp,
    GlobalLoadIndirectOp,
    GlobalLoadOp,
    GlobalOp,
    GlobalStoreIndirectOp,
    GlobalStoreOp,
)
from .hints import (
    AssumeIntOp,
    HoistableConversionOp,
    OptimizationBarrierOp,
    UnfoldableConstantOp,
)
from .lists import (
    ListConstructOp,
    ListCreateOp,
    ListGetOp,
    ListResizeOp,
    ListSetOp,
    ListSizeOp,
)
from .strings import StatusCheckOkOp, StringFormatOp, StringItoaOp
from .structural import (
    CallOp,
    FuncOp,
    InitializerOp,
    ReturnOp,
    SCFUnreachableOp,
    UnreachableOp,
)
from .type_ops import CastOp, CmpEQOp, CmpNEOp, NullOp, NumericOptionalNarrowOp
from .types import BufferType, ListType, ObjectType, PtrType, UnusedType, VariantType

Util = Dialect(
    "util",
    [
        AlignOp,
        AssumeIntOp,
        BufferAllocOp,
        BufferCompareOp,
        BufferConstantOp,
        BufferCopyOp,
        BufferDeallocOp,
        BufferFillOp,
        BufferHashOp,
        BufferLoadOp,
        BufferSizeOp,
        BufferSliceOp,
        BufferStorageOp,
        BufferStoreOp,
        BufferSubspanOp,
        CallOp,
        CastOp,
        CmpEQOp,
        CmpNEOp,
        FuncOp,
        GlobalAddressOp,
        GlobalLoadIndirectOp,
        GlobalLoadOp,
        GlobalOp,
        GlobalStoreIndirectOp,
        GlobalStoreOp,
        HoistableConversionOp,
        InitializerOp,
        ListConstructOp,
        ListCreateOp,
        ListGetOp,
        ListResizeOp,
        ListSetOp,
        ListSizeOp,
        NullOp,
        NumericOptionalNarrowOp,
        OptimizationBarrierOp,
        RangeExtentsOp,
        RangeMaxOp,
        RangeMinOp,
        ReturnOp,
        SCFUnreachableOp,
        SizeOfOp,
        StatusCheckOkOp,
        StringFormatOp,
        StringItoaOp,
        SwitchOp,
        UnfoldableConstantOp,
        UnreachableOp,
    ],
    [
        BufferType,
        BytePatternAttr,
        ByteRangeAttr,
        CompositeAttr,
        InlineAlwaysAttr,
        InlineNeverAttr,
        IntAssumptionAttr,
        ListType,
        NullAttr,
        ObjectType,
        PreprocessingPipelineAttr,
        PtrType,
        UninitializedAttr,
        UnusedType,
        VariantType,
    ],
)
