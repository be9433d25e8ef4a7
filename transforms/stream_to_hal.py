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
a barrier only where a command depends on another since the last one (IR-55), and makes a queue
operation of a single copy or fill only where the region has no maintenance (IR-38). What differs
from call to call is a slot of the binding table (IR-57); a region whose commands use other values
of the call is recorded anew for each.

Does not handle: host control flow around execution regions, resources in globals or signatures,
collectives, files and parameters; each is an error at the op.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects import stream, util
from ..dialects.diagnostics import fail
from ..dialects.topology import Topology
from .hal_conversion.executables import lower_executable, module_targets, variant_name
from .hal_conversion.host import HostLowering
from .hal_conversion.host_ops import HANDLERS, Handler, execute_handler
from .indices import IndexBuilder


@dataclass(frozen=True)
class StreamToHalPass(ModulePass):
    """Lower all functions and executables of the module from stream.cmd to hal."""

    name = "stream-to-hal"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Lower `op`; raises OpError at an op that has no lowering."""
        topology = Topology.from_module(op)
        targets = module_targets(op)
        counts: dict[str, bool] = {}
        for child in list(op.body.block.ops):
            if isinstance(child, stream.ExecutableOp):
                for export in child.body.block.ops:
                    if isinstance(export, stream.ExecutableExportOp):
                        name = f"{child.sym_name.data}::{export.sym_name.data}"
                        counts[name] = bool(export.workgroup_count.blocks)
                lower_executable(child, targets)
        variant = variant_name(targets[0]) if targets else ""
        handlers: dict[type[Operation], Handler] = {
            **HANDLERS,
            stream.CmdExecuteOp: execute_handler(counts, variant),
        }
        for child in list(op.body.block.ops):
            if isinstance(child, util.FuncOp | util.InitializerOp):
                _lower_function(child, topology, handlers)


def _lower_function(
    function: util.FuncOp | util.InitializerOp,
    topology: Topology,
    handlers: dict[type[Operation], Handler],
) -> None:
    entry = function.body.first_block
    if entry is None:
        return
    host = HostLowering(entry, topology, IndexBuilder(entry))
    lowered: list[Operation] = []
    for block in function.body.blocks:
        for op in list(block.ops):
            if (handler := handlers.get(type(op))) is not None:
                host.op = op
                handler(host, op)
                lowered.append(op)
            elif any(child.name.startswith("stream.") for child in op.walk()):
                fail(op, "has no lowering to hal")
    for op in reversed(lowered):
        op.detach()
        op.erase(safe_erase=False)
    host.indices.finish()
