"""stream-to-hal: storage, timepoints and execution regions to queues, fences and command buffers.

```mlir
%done = stream.cmd.execute on(#hal.device.affinity<@a>) await(%ready)
    => with(%x as %arg0: …, %y as %arg1: …) {
  stream.cmd.dispatch @ex::@f { ro %arg0[…] …, wo %arg1[…] … }
  stream.cmd.flush to(…) %arg1[%c0 for %c64] : …
} => !stream.timepoint
```

becomes

```mlir
%cmds = hal.device.memoize<%a : !hal.device> affinity(%c-1) -> !hal.command_buffer {
  %cmd = hal.command_buffer.create device(%a) mode("None") … bindings(%c2)
  hal.command_buffer.dispatch<%cmd> target(%exe)[%f] … bindings([(%c0 : index)[…], …])
  hal.command_buffer.execution_barrier<%cmd> source(Dispatch) target("Dispatch|Transfer") …
  hal.command_buffer.flush_buffer<%cmd> target(%c1 : index)[%c0, %c64] …
  hal.command_buffer.finalize<%cmd>
  hal.return %cmd
}
%fence = hal.fence.create …
hal.device.queue.execute.indirect<%a> wait(%ready) signal(%fence) commands(%cmds) bindings([…])
```

Does what IREE's `iree-hal-conversion` does, but keeps cache maintenance as commands (IR-16), puts
commands into as few steps as their dependences allow, with a barrier between two steps (IR-55),
and makes a queue operation of a single copy or fill only where the region has no maintenance
(IR-38). What differs from call to call is a slot of the binding table (IR-57); a region whose
commands use other values of the call is recorded anew for each.

Resources become buffers and timepoints fences wherever they are carried: through blocks and
loops, calls and signatures, globals and initializers:

```mlir
^bb1(%x: !stream.resource<transient>, %t: !stream.timepoint):
// becomes
^bb1(%x: !hal.buffer, %t: !hal.fence):
```

A remark at each recorded region counts its barriers against one after each command.

Does not handle: storage that must be zeroed when it is allocated, and functions of commands with a
body; each is an error at the op.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass

from ..dialects import stream, util
from ..dialects.diagnostics import fail
from ..dialects.topology import Topology
from .analysis.module_topology import module_topology
from .analysis.storage import StorageSets, is_resource
from .functions import functions_of, host_blocks
from .hal_conversion.entry_points import EntryPoints
from .hal_conversion.executables import lower_executable, variant_names
from .hal_conversion.execution import ExecuteLowering
from .hal_conversion.handlers import HANDLERS, Handler
from .hal_conversion.host import HostLowering
from .hal_conversion.structure import (
    lower_arguments,
    lower_carrier,
    lower_command_function,
    lower_global,
    lower_signature,
)
from .indices import IndexBuilder

_WAYS_OUT = {
    "stream.resource.pack": "run stream-layout-slices first",
    "stream.async.": "run zc-to-stream first",
    "stream.tensor.": "run zc-to-stream first",
}
"""What to do about ops without a lowering, by the start of their names."""


@dataclass(frozen=True)
class StreamToHalPass(ModulePass):
    """Lower all functions and executables of the module from stream.cmd to hal."""

    name = "stream-to-hal"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Lower `op`; raises OpError at an op that has no lowering."""
        topology = module_topology(op)
        handlers: dict[type[Operation], Handler] = {
            **HANDLERS,
            stream.CmdExecuteOp: ExecuteLowering(EntryPoints.of(op)),
        }
        variants = variant_names(op)
        for function in functions_of(op):
            _lower_function(function, topology, handlers)
        for child in list(op.body.block.ops):
            match child:
                case stream.ExecutableOp():
                    lower_executable(child, variants)
                case stream.CmdFuncOp():
                    lower_command_function(child)
                case util.GlobalOp():
                    lower_global(child)
                case _:
                    pass


def _lower_function(
    function: Operation, topology: Topology, handlers: dict[type[Operation], Handler]
) -> None:
    storage = StorageSets(function)
    body = function.regions[0]
    if isinstance(function, util.FuncOp | FuncOp):
        lower_signature(function)
    if (entry := body.first_block) is None:
        return
    # Nothing is known of where callers have the arguments.
    resources = [argument for argument in entry.args if is_resource(argument)]
    for argument in resources[1:]:
        storage.same(argument, resources[0])
    lower_arguments(list(host_blocks(function)), storage)
    host = HostLowering(entry, topology, IndexBuilder(entry), storage)
    lowered: list[Operation] = []
    for op in _defining_order(body):
        host.op = op
        if (handler := handlers.get(type(op))) is not None:
            handler(host, op)
            lowered.append(op)
        elif op.name.startswith("stream."):
            ways = (way for start, way in _WAYS_OUT.items() if op.name.startswith(start))
            fail(op, "; ".join(("has no lowering to hal", *ways)))
        else:
            lower_carrier(host, op)
    for op in reversed(lowered):
        op.detach()
        op.erase(safe_erase=False)
    host.finish()


def _defining_order(region: Region) -> Iterator[Operation]:
    """The ops of the host program in `region`, each after those that define what it uses."""
    for block in _blocks_in_order(region):
        for op in list(block.ops):
            yield op
            if not isinstance(op, stream.CmdExecuteOp):
                for inner in op.regions:
                    yield from _defining_order(inner)


def _blocks_in_order(region: Region) -> list[Block]:
    """The blocks, those first that dominate others; blocks that nothing reaches last."""
    if (entry := region.first_block) is None:
        return []
    finished: dict[Block, None] = {}
    seen = {entry}
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, following = stack[-1]
        for successor in following:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(_successors(successor))))
                break
        else:
            finished[block] = None
            stack.pop()
    return [*reversed(finished), *(block for block in region.blocks if block not in seen)]


def _successors(block: Block) -> tuple[Block, ...]:
    last = block.last_op
    return () if last is None else tuple(last.successors)
