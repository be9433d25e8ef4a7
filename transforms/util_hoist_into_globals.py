"""util-hoist-into-globals: constant tensors of functions become globals, made before any call.

```mlir
util.func public @f(…) {
  %w = flow.tensor.constant dense<[1.0, 2.0]> : tensor<2xf32>
  …
}
```

becomes

```mlir
util.global private @__constant_0 = dense<[1.0, 2.0]> : tensor<2xf32>
util.func public @f(…) {
  %w = util.global.load immutable @__constant_0 : tensor<2xf32>
  …
}
```

Equal constants share a global. A model's weights so are in memory once, whatever the number of
calls, and in one place that its loader can choose (GE-03). IREE's pass of this name hoists whole
constant expressions.

Does not handle: expressions of constants, constants in executables, and values that are not
tensors.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from ..dialects import flow, util
from .build import make
from .functions import functions_of

_PREFIX = "__constant_"

Constant = flow.TensorConstantOp | arith.ConstantOp


@dataclass(frozen=True)
class UtilHoistIntoGlobalsPass(ModulePass):
    """Hoist the constant tensors of all functions of the module."""

    name = "util-hoist-into-globals"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`."""
        made: dict[Attribute, StringAttr] = {}
        names = _free_names(op)
        for function in list(functions_of(op)):
            for constant in list(function.walk()):
                if not isinstance(constant, Constant) or not _is_tensor(constant):
                    continue
                name = made.get(constant.value)
                if name is None:
                    name = made[constant.value] = StringAttr(next(names))
                    op.body.block.insert_op_before(_global(constant, name), _first(op))
                _load(constant, name)


def _is_tensor(op: Constant) -> bool:
    return isinstance(op.value, DenseIntOrFPElementsAttr) and op.value.type == op.result.type


def _free_names(module: ModuleOp) -> Iterator[str]:
    taken = {op.properties.get("sym_name") for op in module.body.block.ops}
    number = 0
    while True:
        name = f"{_PREFIX}{number}"
        if StringAttr(name) not in taken:
            yield name
        number += 1


def _first(module: ModuleOp) -> Operation:
    """The first function, before which globals are initialized."""
    return next(iter(functions_of(module)))


def _global(constant: Constant, name: StringAttr) -> Operation:
    return make(
        util.GlobalOp,
        constant,
        sym_visibility=StringAttr("private"),
        sym_name=name,
        type=constant.result.type,
        initial_value=constant.value,
    )


def _load(constant: Constant, name: StringAttr) -> None:
    """Put a load in the place of `constant`."""
    load = util.GlobalLoadOp(name.data, constant.result.type)
    load.is_immutable = UnitAttr()
    load.location = constant.location
    load.result.name_hint = constant.result.name_hint
    block = constant.parent
    assert block is not None
    block.insert_op_before(load, constant)
    constant.result.replace_all_uses_with(load.result)
    block.erase_op(constant)
