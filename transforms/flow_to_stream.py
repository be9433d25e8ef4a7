"""flow-to-stream: tensors to resources, executables to bindings.

Every tensor becomes a `!stream.resource<*>` and its size in bytes, every tensor op a
`stream.async` op with an affinity. Does what IREE's `iree-stream-conversion` and
`iree-stream-encode-host-tensors` do.

```mlir
util.func public @f(%arg0: !hal.buffer_view, %n: index) -> !hal.buffer_view {
  %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<16xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0) -> (tensor<16xf32>) {
    %2 = flow.dispatch @ex::@f(%x) : (tensor<16xf32>) -> tensor<16xf32>
    %3 = flow.tensor.transfer %2 : tensor<16xf32> to #hal.device.affinity<@b>
    %4 = util.call @g(%3) : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %4 : tensor<16xf32>
  }
  …
```

becomes

```mlir
util.func public @f(%arg0: !hal.buffer_view, %n: index) -> !hal.buffer_view {
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %arg0
      : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %1 = stream.async.cast … %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %1) -> (!stream.resource<*>) {
    %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%x[%c0 to %c64 for %c64])
        : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    %4 = stream.async.transfer %3 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>)
        -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
    %5, %6 = util.call @g(%4, %c64) : (!stream.resource<*>, index) -> (!stream.resource<*>, index)
    %7 = stream.async.transfer %5 … from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>)
    scf.yield %7 : !stream.resource<*>
  }
  …
```

Branches, loops, selects, calls and globals (`conversion/structural.py`, `globals.py`) carry
resources, with a size where the tensor's type does not state it. Functions of the func dialect
become util functions. What lives elsewhere than where
it is used gets the transfer that this implies.

Does not handle: tensors in lists, addresses of globals that are passed on, element types that
have no size, and tensor ops of other dialects on the host; each is an error at the op.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import flow, util
from ..dialects.diagnostics import fail
from .analysis.affinity import analyze_affinities
from .analysis.value_flow import ops_in_order, program_edges
from .conversion import (
    abi_ops,
    collectives,
    constants,
    dispatch,
    globals,
    host_access,
    structural,
    tensor_ops,
)
from .conversion.executables import lower_executable
from .conversion.expansion import expand_arguments, is_converted
from .conversion.host_functions import adopt_functions
from .conversion.lowering import Handler, Lowering, Program
from .conversion.selects import expand_selects

HANDLERS: dict[type, Handler] = {
    **tensor_ops.HANDLERS,
    **dispatch.HANDLERS,
    **abi_ops.HANDLERS,
    **host_access.HANDLERS,
    **constants.HANDLERS,
    **collectives.HANDLERS,
}
"""Ops of the flow level, by class."""
MIXED: dict[type, Handler] = {**globals.HANDLERS}
"""Ops of both levels, by class, which are lowered where they touch tensors."""
MIXED_BY_NAME: dict[str, Handler] = {**structural.BY_NAME, **constants.BY_NAME}
"""The same by name, for dialects that are extended."""


@dataclass(frozen=True)
class FlowToStreamPass(ModulePass):
    """Lower all functions, globals and executables of the module from flow to stream."""

    name = "flow-to-stream"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Lower `op`; raises OpError at an op that has no lowering."""
        adopt_functions(op)
        expand_selects(op)
        children = list(op.body.block.ops)
        affinities = analyze_affinities(op)
        carried: dict[tuple[Operation, int], SSAValue] = {}
        for edge in program_edges(op):
            carried.setdefault((edge.carrier, edge.operand), edge.target)
        program = Program(affinities, carried, globals.lower_globals(op, affinities))
        for child in children:
            if isinstance(child, flow.ExecutableOp):
                lower_executable(child)
            elif isinstance(child, flow.FuncOp):
                collectives.lower_function(child)
            elif isinstance(child, util.FuncOp | util.InitializerOp):
                _lower_function(child, program)


def _lower_function(function: util.FuncOp | util.InitializerOp, program: Program) -> None:
    structural.expand_signature(function)
    entry = function.body.first_block
    if entry is None:
        return
    lowering = Lowering(program, entry)
    arguments: list[BlockArgument] = []
    lowered: list[Operation] = []
    for op in [function, *ops_in_order(function)]:
        lowering.start(op)
        for region in op.regions:
            for block in region.blocks:
                arguments += expand_arguments(lowering, block, boundary=block is entry)
        if (handler := _handler(op)) is not None:
            handler(lowering, op)
            lowered.append(op)
        elif op is not function and _is_at_flow_level(op):
            fail(
                op,
                "has no lowering to stream for the tensors it uses; iree-compile "
                "--compile-to=flow makes dispatches of what computes",
            )
    for op in reversed(lowered):
        op.detach()
        op.erase()
    for argument in reversed(arguments):
        argument.block.erase_arg(argument)


def _handler(op: Operation) -> Handler | None:
    if (handler := HANDLERS.get(type(op))) is not None:
        return handler
    if not _is_at_flow_level(op):
        return None
    return MIXED.get(type(op)) or MIXED_BY_NAME.get(op.name)


def _is_at_flow_level(op: Operation) -> bool:
    """Whether operands or results are tensors, or channels of the flow dialect."""
    types = (*op.operand_types, *op.result_types)
    return any(is_converted(type) or _points_to_tensor(type) for type in types)


def _points_to_tensor(type: Attribute) -> bool:
    match type:
        case util.PtrType():
            return is_converted(type.target_type)
        case util.ListType():
            return is_converted(type.element_type)
        case _:
            return False
