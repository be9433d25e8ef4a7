"""stream-elide-cache-maintenance: remove flushes, invalidates and discards that are implied.

```mlir
%done_b = stream.cmd.execute on(@b) await(%done_a) … {
  stream.cmd.invalidate from(@a) %x[%c0 for %c64] : …
  stream.cmd.dispatch @g { ro %x[%c0 for %c64], … }
}
%done_b2 = stream.cmd.execute on(@b) await(%done_b) … {
  stream.cmd.invalidate from(@a) %x[%c0 for %c64] : …
  stream.cmd.dispatch @h { ro %x[%c0 for %c64], … }
}
```

loses the second invalidate: nobody has written %x since the first. What a loop repeats for
nothing leaves it (`maintenance/hoist.py`). What stays is minimal:
without any one of the operations left a rule of the memory model fails. On coherent memory none
is left.

Does not handle: ranges of operations that stay are not made smaller.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.walk import walk
from .maintenance.hoist import hoist
from .maintenance.plan import Planner

_MAINTENANCE = (stream.CmdFlushOp, stream.CmdInvalidateOp, stream.CmdDiscardOp)


@dataclass(frozen=True)
class StreamElideCacheMaintenancePass(ModulePass):
    """Erase maintenance without which every rule still holds."""

    name = "stream-elide-cache-maintenance"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all functions and initializers."""
        if not any(isinstance(inner, _MAINTENANCE) for inner in walk(op)):
            return
        elide(op)
        while hoist(op):
            elide(op)


def elide(module: ModuleOp) -> None:
    """Erase what is redundant."""
    for event in Planner(module).redundant():
        event.op.detach()
        event.op.erase()
