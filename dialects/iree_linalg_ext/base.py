"""What the ops of the dialect have in common."""

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, MemRefType, TensorType, i64
from xdsl.irdl import base

SHAPED = base(TensorType) | base(MemRefType)
RANKED = base(TensorType)
I64_ATTR = IntegerAttr.constr(i64)
I64_ARRAY = DenseArrayBase.constr(i64)
