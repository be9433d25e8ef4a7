"""Host functions of the func dialect become util functions, which is all that later passes know.

```mlir
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> { … func.return %1 : tensor<4xf32> }
%0 = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
```

becomes

```mlir
util.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> { … util.return %1 : tensor<4xf32> }
%0 = util.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
```
"""

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ...dialects import util
from ...dialects.walk import walk


def adopt_functions(module: ModuleOp) -> None:
    """Replace the functions directly in `module`, their returns, and the calls of them."""
    for function in [op for op in module.body.block.ops if isinstance(op, func.FuncOp)]:
        for op in list(walk(function)):
            if isinstance(op, func.ReturnOp):
                _replace(op, util.ReturnOp(*op.arguments))
        names = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")
        kept = {name: function.properties[name] for name in names if name in function.properties}
        kept.setdefault("sym_visibility", StringAttr("public"))
        body = function.detach_region(function.body)
        adopted = util.FuncOp.create(
            properties=kept, attributes=dict(function.attributes), regions=[body]
        )
        _replace(function, adopted)
    for function in module.body.block.ops:
        if isinstance(function, util.FuncOp | util.InitializerOp):
            for op in list(walk(function)):
                if isinstance(op, func.CallOp):
                    call = util.CallOp(op.callee, list(op.arguments), op.result_types)
                    call.attributes.update(op.attributes)
                    _replace(op, call)


def _replace(old: Operation, new: Operation) -> None:
    new.location = old.location
    for before, after in zip(old.results, new.results, strict=True):
        after.name_hint = before.name_hint
    Rewriter.replace_op(old, new)
