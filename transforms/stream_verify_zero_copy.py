"""stream-verify-zero-copy: says whether alias transfers copy nothing; changes nothing.

```mlir
stream.cmd.execute on(@a) … { stream.cmd.dispatch @f { wo %x[%c0 for %c256] … } … }
stream.cmd.execute on(@b) … {
  stream.cmd.copy %x[%c0], %y[%c0], %c256 : …     // error: copy of 256 bytes at … on alias
  stream.cmd.dispatch @g { ro %y[%c0 for %c256], … }    // transfer from @a to @b
}
```

All paths are followed, loops, branches, calls and globals included, from a command of one device
to one of another that reads what it wrote (row IR-21). A copy on the way is an error unless it
says that it is a copy transfer's (`stream.transfer_kind = "copy"`, which lowering states), or no
pool serves both devices. So a clone that an update in place asks for is one, and a slice, for all
that the program needs them. How it is found: `maintenance/copied_handoffs.py`.

Does not handle: recursion; copies to and from the host, which no transfer makes; conditions are
not read, so a path that no input takes counts, and so do bytes at offsets that are not constant.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .functions import functions_of
from .legality import ALLOCATED, check_legality
from .maintenance.copied_handoffs import check_zero_copy


@dataclass(frozen=True)
class StreamVerifyZeroCopyPass(ModulePass):
    """Verify that nothing is copied between the two sides of an alias transfer."""

    name = "stream-verify-zero-copy"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check `op`; raises FaultyProgramError with all copies, OpError if it is not at
        stream.cmd level or cannot be followed."""
        for function in functions_of(op):
            check_legality(function, ALLOCATED, self.name)
        check_zero_copy(op)
