"""hal-verify-zero-copy: says whether alias transfers copy nothing, of command buffers and queues;
changes nothing.

```mlir
hal.device.queue.execute<%a …> wait(%t0) signal(%t1) commands(%writes_x)
hal.device.queue.copy<%b …> wait(%t1) signal(%t2) source(%x …)[%c0] target(%y …)[%c0] length(%c256)
hal.device.queue.execute<%b …> wait(%t2) signal(%t3) commands(%reads_y)
// error: copy of 256 bytes at … on alias transfer from @a to @b
```

What `stream-verify-zero-copy` is at stream.cmd level, by the same code: a copy between a command
of one device and one of another is an error unless it says that it is a copy transfer's
(`stream.transfer_kind = "copy"`), or no pool serves both (row IR-21).

Does not handle: recordings with control flow, a choice between command buffers or devices at one
submission (errors); copies to and from the host; conditions are not read.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .functions import functions_of
from .legality import check_hal_level
from .maintenance.copied_handoffs import check_zero_copy
from .maintenance.hal_reader import HalLevel


@dataclass(frozen=True)
class HalVerifyZeroCopyPass(ModulePass):
    """Verify that nothing is copied between the two sides of an alias transfer."""

    name = "hal-verify-zero-copy"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check `op`; raises FaultyProgramError with all copies, OpError if it is not at hal
        level or cannot be followed."""
        for function in functions_of(op):
            check_hal_level(function, self.name)
        check_zero_copy(op, level=HalLevel)
