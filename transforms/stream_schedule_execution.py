"""stream-schedule-execution: the streamable ops of a block become one region per device turn.

```mlir
%1 = stream.async.dispatch on(@a) @f(%0[…]) …
%2 = stream.async.transfer %1 … from(@a) -> to(@b) … {stream.transfer_kind = "alias"}
%3 = stream.async.dispatch on(@b) @g(%2[…]) …
%4 = stream.tensor.export on(@b) %3 …
```

becomes

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
%5 = stream.timepoint.await %t1 => %r1 …
%4 = stream.tensor.export on(@b) %5 …
```

Ops of one affinity share a region wherever no cycle through other regions or host ops arises
(`analysis.partitioning`). Besides values, storage gives order: who reads or writes bytes that a
later op, on whatever device and under whatever name, writes in place comes first, and its
timepoint is awaited (IR-47). A region awaits only what nothing else that it awaits implies.

* A copy transfer runs where `on(…)` says, else on the source's side, else on the target's, with
  precedence for who has both memories in reach in place; whoever runs it must at least be able
  to copy between them (IR-11, IR-52, case B44).
* An alias transfer moves nothing. It stands in the region that makes its source, so that the
  consumer awaits that region (IR-01, IR-04); the alias of a value from outside is repeated in
  every region that uses it.
* A result that is a captured resource, renamed or written in place, is tied to it (IR-49).
* The host waits where it uses a result, once for all results that it needs by then.

Regions of scf ops and functions' blocks are scheduled each on their own: the host waits for
what crosses their borders. Async ops whose results nobody uses are removed.

Does not handle: hazards of a call or a loop that takes no resource as an operand with regions
before it (it would need a wait that names no resource; refused).
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .analysis.nested_ops import NestedOps
from .analysis.storage import StorageSets
from .dead_ops import remove_dead
from .functions import functions_of, host_blocks
from .scheduling.block import drop_barriers, schedule_block
from .scheduling.placement import Placement


@dataclass(frozen=True)
class StreamScheduleExecutionPass(ModulePass):
    """Partition all functions of the module into execution regions."""

    name = "stream-schedule-execution"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`; raises OpError at an op that cannot be scheduled."""
        placement = Placement(op)
        for function in functions_of(op):
            remove_dead(function)
            for block in host_blocks(function):
                drop_barriers(block)
            storage = StorageSets(function)
            nested = NestedOps(function, storage)
            for block in host_blocks(function):
                schedule_block(block, storage, nested, placement)
