"""stream-verify-coherence: says of a program whether it is right on its memory; changes nothing.

All paths are judged, loops, branches, calls and globals included, by the rules of
docs/memory-model.md and under every schedule, eviction and prefetch.

```mlir
%done_a = stream.cmd.execute on(@a) … {
  stream.cmd.dispatch @f { wo %x[%c0 for %c64] … }
  stream.cmd.flush to(@b) %x[%c0 for %c64] : …
}
%done_b = stream.cmd.execute on(@b) await(%done_a) … {
  stream.cmd.dispatch @g { ro %x[%c0 for %c64], … }   // error: stale read of bytes [0,64) of %x
}                                                     // by @b: it may not see the write by @a,
                                                      // for want of an invalidate by @b
```

An error is definite if each run that gets there goes wrong; one that says `may` needs a certain
path, or a range that is known only as an upper bound. Both fail the pass. Row IR-30 on all paths.
How it is decided: `maintenance/verify.py`.

Does not handle: recursion, reads of bytes that were never written, reach and bounds (`zc-check`
judges these for a run); conditions are not read, so a path that no input takes counts.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.diagnostics import FaultyProgramError
from .functions import functions_of
from .legality import ALLOCATED, check_legality
from .maintenance.fault_text import fault_error
from .maintenance.verify import find_faults


@dataclass(frozen=True)
class StreamVerifyCoherencePass(ModulePass):
    """Verify the coherence of all functions and initializers of the module."""

    name = "stream-verify-coherence"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check `op`; raises FaultyProgramError with all faults, OpError if it is not at
        stream.cmd level."""
        for function in functions_of(op):
            check_legality(function, ALLOCATED, self.name)
        if faults := find_faults(op):
            raise FaultyProgramError([fault_error(fault) for fault in faults])
