"""hal-verify-coherence: says of command buffers and their submissions whether they are right on the
memory of the machine, on all paths of the host programs; changes nothing.

The rules are those of `stream-verify-coherence`, by the same code; what is read anew is how hal
programs submit: recorded commands with their barriers and slots, fences, the caller's buffers.

```mlir
hal.command_buffer.dispatch<%cmd_a …> … bindings([(%c0 : index)[%c0, %c64]]) …      // writes %x
hal.command_buffer.flush_buffer<%cmd_a …> target(%c0 : index)[%c0, %c64] flags("None")
…                                    // error: stale read of bytes [0,64) of %x by @b, at the
hal.device.queue.execute.indirect<%b …> wait(%done_a) signal(%done_b) commands(%cmd_b)   // read
```
Here the flush may run before the dispatch is done, for want of a barrier between them.

An error is definite if each run that gets there goes wrong; one that says `may` needs a certain
path, or a range that is known only as an upper bound. Both fail the pass. It reads our own hal
level and IREE's, whose kernels are binaries: what their bindings allow then counts as done
perhaps. Rows IR-16, IR-30 to IR-33 on all paths. How it is decided: `maintenance/verify.py`; how
programs are read: `maintenance/hal_reader.py`.

Does not handle: recordings with control flow, a choice between command buffers or devices at one
submission (errors); reads of bytes that were never written, reach and bounds (`zc-check` judges
these for a run); conditions are not read, so a path that no input takes counts.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.diagnostics import FaultyProgramError
from .functions import functions_of
from .legality import check_hal_level
from .maintenance.fault_text import fault_error
from .maintenance.hal_reader import HalLevel
from .maintenance.verify import find_faults


@dataclass(frozen=True)
class HalVerifyCoherencePass(ModulePass):
    """Verify the coherence of all functions and initializers of the module."""

    name = "hal-verify-coherence"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check `op`; raises FaultyProgramError with all faults, OpError if it is not at hal
        level or cannot be followed."""
        for function in functions_of(op):
            check_hal_level(function, self.name)
        if faults := find_faults(op, level=HalLevel):
            raise FaultyProgramError([fault_error(fault) for fault in faults])
