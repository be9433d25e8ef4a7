"""stream-schedule-allocation: values get storage, regions of async ops become commands.

```mlir
%r0, %t0 = stream.async.execute on(@a) with(%0 as %arg0) -> … {
  %1 = stream.async.dispatch @f(%arg0[…]) …
  %2 = stream.async.transfer %1 … -> to(@b) … {stream.transfer_kind = "alias"}
  stream.yield %2
} => !stream.timepoint
%r1, %t1 = stream.async.execute on(@b) await(%t0) => with(%r0 as %arg0) -> … {
  %3 = stream.async.dispatch @g(%arg0[…]) …
  stream.yield %3
} => !stream.timepoint
```

becomes

```mlir
%s0, %ta = stream.resource.alloca uninitialized on(#hal.device.optimal<[@a, @b]>) …
%t0 = stream.cmd.execute on(@a) await(%ta) => with(%0 as %arg0, %s0 as %arg1) {
  stream.cmd.dispatch @f { ro %arg0[…], wo %arg1[…] }
} => !stream.timepoint
%s1, %tb = stream.resource.alloca uninitialized on(@b) await(%t0) …
%t1 = stream.cmd.execute on(@b) await(%tb) => with(%s0 as %arg0, %s1 as %arg1) {
  stream.cmd.dispatch @g { ro %arg0[…], wo %arg1[…] }
} => !stream.timepoint
%td = stream.resource.dealloca on(#hal.device.optimal<[@a, @b]>) await(%t1) => %s0 …
```

* Names of one storage (ties, alias transfers) become one resource at the same offset; an alias
  transfer leaves no command (IR-02, IR-03, IR-21, IR-49).
* A storage that outlives its region is allocated where all its users reach it (IR-26;
  `allocation.pools`) and freed there once every region that touches it is done (IR-45, IR-48,
  IR-58). One that something outside may hold, an export, is not freed.
* Storages of one region only go into a slab (`stream.resource.pack`, see
  `stream-layout-slices`).
* Accesses to one storage of which one writes are ordered as in the text: a region awaits
  earlier ones that it conflicts with, where its waits do not imply them (IR-47, case B37).
* An allocation waits for what its region waits for, and the region for the last allocation:
  each wait is needed, and storage is taken late.
* What the host and kernels share by an explicit alias of staging memory is one storage with a name
  for each (IR-51; `lifetime_views.py`).
* A region in which no command is left goes; its timepoint is what it awaited (IR-41).
* A constant (`stream.async.constant`) is one of `stream.resource.constants`: bytes of the
  program, that all its users reach and that nothing writes or frees.

Loops and branches of scf hand storage on (`allocation.ownership`): an iteration frees what it
took and does not pass on, a branch what another one passes on, and who uses a result last frees
that. A call is done with what it only reads, and what it makes is the caller's
(`analysis.call_summaries`). What leaves a block is
allocated where all that may use it in the module reach it, through loops, calls and globals
(IR-26, IR-49). Loads and stores of the host become those of the resource.

Does not handle: calls on the timeline; refused. What branches of `cf` and
globals carry, what calls may give back, and what else `allocation.ownership` names: not freed
here, but left to the reference counts of the runtime.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.walk import walk
from .allocation.block import allocate_block
from .allocation.function import FunctionAllocation
from .allocation.users import ModuleUsers
from .analysis.call_summaries import CallSummaries
from .analysis.module_topology import module_topology
from .functions import functions_of


@dataclass(frozen=True)
class StreamScheduleAllocationPass(ModulePass):
    """Allocate storage for all functions of the module."""

    name = "stream-schedule-allocation"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`; raises OpError where storage cannot be given."""
        topology, calls = module_topology(op), CallSummaries(op, final=True)
        plans = [
            FunctionAllocation(function, topology, calls)
            for function in functions_of(op)
            if any(isinstance(inner, stream.AsyncExecuteOp) for inner in walk(function))
        ]
        if any(plan.shares_storage() for plan in plans):
            users = ModuleUsers(op)
            for plan in plans:
                plan.module_users = users
        for plan in plans:
            for block in plan.function.regions[0].blocks:
                allocate_block(block, plan)
            plan.finish()
