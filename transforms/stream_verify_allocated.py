"""stream-verify-allocated: closes the allocation phase; changes nothing.

Checks that work on devices is commands on allocated resources (`legality.ALLOCATED`), that no
resource has an unknown lifetime, and that timepoints order what must be ordered: conflicting
accesses, allocation before use, and the last use before the release (`analysis.ordering`).

```mlir
%r, %t0 = stream.resource.alloca …
%t1 = stream.cmd.execute on(@a) with(%r as %arg0) { … }   // error: not ordered after producer
```

Does not handle: order across blocks; cache maintenance (`zc-check` judges that).
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.diagnostics import fail
from ..dialects.walk import walk
from .analysis.ordering import check_ordering
from .functions import functions_of
from .legality import ALLOCATED, check_legality


@dataclass(frozen=True)
class StreamVerifyAllocatedPass(ModulePass):
    """Verify that all functions of the module are allocated."""

    name = "stream-verify-allocated"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check `op`; raises OpError at the op at fault, naming phase and pass."""
        for function in functions_of(op):
            check_legality(function, ALLOCATED, self.name)
            for inner in walk(function):
                if any(_is_unknown(value) for value in (*inner.operands, *inner.results)):
                    _refuse_unknown(inner)
            check_ordering(function, self.name)


def _is_unknown(value: SSAValue) -> bool:
    type: object = value.type
    return isinstance(type, stream.ResourceType) and type.lifetime is stream.Lifetime.UNKNOWN


def _refuse_unknown(op: Operation) -> None:
    fail(
        op,
        "uses a resource of unknown lifetime once the program is allocated "
        f"({StreamVerifyAllocatedPass.name}); run stream-refine-usage before",
    )
