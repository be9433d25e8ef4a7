"""flow-to-stream: tensors to resources, executables to bindings.

Every tensor becomes a `!stream.resource<*>` and its size in bytes, every tensor op a
`stream.async` op with an affinity. Does what IREE's `iree-stream-conversion` and
`iree-stream-encode-host-tensors` do.

```mlir
%0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<16xf32>
%1 = flow.dispatch @ex::@f(%0) : (tensor<16xf32>) -> tensor<16xf32>
%2 = flow.tensor.transfer %1 : tensor<16xf32> to #hal.device.affinity<@b>
```

becomes

```mlir
%0 = stream.tensor.import on(#hal.device.affinity<@a>) %arg0
    : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
%1 = stream.async.cast … %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
%2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%1[%c0 to %c64 for %c64])
    : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
%3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>)
    -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
```

Does not handle: tensors carried by control flow, by calls between functions or in globals; each
is an error at the op.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, ShapedType
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects import flow, util
from ..dialects.diagnostics import fail
from .analysis.affinity import analyze_affinities
from .conversion import abi_ops, dispatch, tensor_ops
from .conversion.executables import lower_executable
from .conversion.lowering import Handler, Lowering

HANDLERS: dict[type, Handler] = {
    **tensor_ops.HANDLERS,
    **dispatch.HANDLERS,
    **abi_ops.HANDLERS,
}


@dataclass(frozen=True)
class FlowToStreamPass(ModulePass):
    """Lower all functions and executables of the module from flow to stream."""

    name = "flow-to-stream"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Lower `op`; raises OpError at an op that has no lowering."""
        for child in list(op.body.block.ops):
            if isinstance(child, flow.ExecutableOp):
                lower_executable(child)
            elif isinstance(child, util.FuncOp | util.InitializerOp):
                _lower_function(child)


def _lower_function(function: util.FuncOp | util.InitializerOp) -> None:
    entry = function.body.first_block
    if entry is None:
        return
    lowering = Lowering(analyze_affinities(function), entry)
    lowered: list[Operation] = []
    for op in list(function.walk()):
        handler = HANDLERS.get(type(op))
        if handler is not None:
            lowering.start(op)
            handler(lowering, op)
            lowered.append(op)
        elif _touches_tensors(op):
            fail(op, "has no lowering to stream for the tensors it uses")
    for op in reversed(lowered):
        op.detach()
        op.erase()


def _touches_tensors(op: Operation) -> bool:
    values = [*op.operands, *op.results, *(a for r in op.regions for b in r.blocks for a in b.args)]
    return any(isinstance(value.type, ShapedType) for value in values)
