"""Elements of bindings as memory holds them: i1 takes a byte (`dialects/storage.py`).

```mlir
%0 = iree_tensor_ext.dispatch.tensor.load %b, … : !….dispatch.tensor<readonly:tensor<4xi1>> -> tensor<4xi1>
// becomes
%1 = iree_tensor_ext.dispatch.tensor.load %b, … : !….dispatch.tensor<readonly:tensor<4xi8>> -> tensor<4xi8>
%0 = arith.trunci %1 : tensor<4xi8> to tensor<4xi1>
```

A store is preceded by `arith.extui`. Follows IREE's `iree-stream-encode-device-tensors`; its code
generation takes no bindings of i1.
"""  # noqa: E501

from xdsl.dialects.builtin import IntegerType, TensorType, i8
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from ...dialects import stream
from ...dialects.foreign.arith import ExtUIOp, TruncIOp
from ...dialects.iree_tensor_ext import (
    DispatchTensorLoadOp,
    DispatchTensorStoreOp,
    DispatchTensorType,
)
from ..build import make

_BOOLEAN = IntegerType(1)


def align_elements(subspan: stream.BindingSubspanOp) -> None:
    """Let a binding's tensor, and what is loaded from and stored to it, have elements of bytes."""
    type = subspan.result.type
    if not isinstance(type, DispatchTensorType) or type.get_element_type() != _BOOLEAN:
        return
    aligned = DispatchTensorType(type.access, _aligned(type.bound_type))
    result = Rewriter.replace_value_with_new_type(subspan.result, aligned)
    for use in list(result.uses):
        match use.operation:
            case DispatchTensorLoadOp() as load:
                _align_load(load)
            case DispatchTensorStoreOp() as store:
                _align_store(store)
            case _:
                pass


def _aligned(type: Attribute) -> Attribute:
    return TensorType(i8, type.get_shape(), type.encoding) if isinstance(type, TensorType) else i8


def _align_load(load: DispatchTensorLoadOp) -> None:
    loaded = load.result.type
    value = Rewriter.replace_value_with_new_type(load.result, _aligned(loaded))
    uses = list(value.uses)
    truncated = make(TruncIOp, load, [loaded], input=value)
    assert load.parent is not None
    load.parent.insert_op_after(truncated, load)
    for use in uses:
        use.operation.operands[use.index] = truncated.result


def _align_store(store: DispatchTensorStoreOp) -> None:
    extended = make(ExtUIOp, store, [_aligned(store.value.type)], input=store.value)
    assert store.parent is not None
    store.parent.insert_op_before(extended, store)
    store.operands[0] = extended.result
