"""The iree_linalg_ext dialect: what linalg cannot say, in dispatches and in front of them.

Ops take what they read in `ins` and give as results new values of what stands in `outs`, as
linalg's do; a region says how elements combine or compare, and ends in `iree_linalg_ext.yield`.

```mlir
%v, %i = iree_linalg_ext.arg_compare dimension(1) ins(%0 : tensor<3x6xf32>) outs(%1, %2 : tensor<3xf32>, tensor<3xi32>) {
^bb0(%a: f32, %b: f32):
  %c = arith.cmpf ogt, %a, %b : f32
  iree_linalg_ext.yield %c : i1
} -> tensor<3xf32>, tensor<3xi32>
```

Does not have the ops that appear only in code generation: `im2col`, `map_load`, `map_store`,
`online_attention`, `exp_reduction`, and `custom_op`.
"""  # noqa: E501

from xdsl.ir import Dialect

from .indexing import GatherOp, ScatterOp
from .ordering import ArgCompareOp, ScanOp, SortOp, TopkOp, TopkV2Op
from .regions import IndexOp, YieldOp
from .transforms import (
    AttentionOp,
    FftOp,
    WinogradFilterTransformOp,
    WinogradInputTransformOp,
    WinogradOutputTransformOp,
)

IREELinalgExt = Dialect(
    "iree_linalg_ext",
    [
        ArgCompareOp,
        AttentionOp,
        FftOp,
        GatherOp,
        IndexOp,
        ScanOp,
        ScatterOp,
        SortOp,
        TopkOp,
        TopkV2Op,
        WinogradFilterTransformOp,
        WinogradInputTransformOp,
        WinogradOutputTransformOp,
        YieldOp,
    ],
)
