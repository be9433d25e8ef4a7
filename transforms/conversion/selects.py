"""Selects of tensors as branches, which all that follows knows.

```mlir
%2 = arith.select %c, %0, %1 : tensor<4xf32>
```

becomes

```mlir
%2 = scf.if %c -> (tensor<4xf32>) { scf.yield %0 } else { scf.yield %1 }
```
"""

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region, SSAValue

from ...dialects.diagnostics import fail
from ..analysis.value_flow import host_ops
from .expansion import is_converted, is_tensor


def expand_selects(module: ModuleOp) -> None:
    """Rewrite the host programs of `module`; raises OpError where a condition is a tensor."""
    for op in list(host_ops(module)):
        if isinstance(op, arith.SelectOp) and is_converted(op.result.type):
            _expand(op)


def _expand(op: arith.SelectOp) -> None:
    if not is_tensor(op.result.type) or is_converted(op.cond.type):
        fail(op, "cannot choose tensor by tensor element at this level; expected an i1 condition")
    branch = scf.IfOp(op.cond, [op.result.type], _giving(op, op.lhs), _giving(op, op.rhs))
    branch.location = op.location
    block = op.parent
    assert block is not None
    block.insert_op_before(branch, op)
    op.result.replace_all_uses_with(branch.results[0])
    block.erase_op(op)


def _giving(op: arith.SelectOp, value: SSAValue) -> Region:
    end = scf.YieldOp(value)
    end.location = op.location
    return Region(Block([end]))
