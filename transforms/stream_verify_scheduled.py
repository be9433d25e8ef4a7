"""stream-verify-scheduled: closes the scheduling phase; changes nothing.

Checks that work on devices stands in execution regions (`legality.SCHEDULED`), that every
transfer has a kind and an alias is one of equal sizes (IR-02), that ops run where their region
does, and that timepoints order what must be ordered (`analysis.ordering`).

```mlir
%r0, %t0 = stream.async.execute on(@a) with(…) …
%r1, %t1 = stream.async.execute on(@b) with(%r0 as %arg0) …   // error: not ordered after producer
```

Does not handle: order across blocks; what leaves a block is taken as complete.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.access import op_affinity
from ..dialects.diagnostics import fail
from ..dialects.walk import walk
from .analysis.ordering import check_ordering
from .analysis.storage import is_alias_transfer
from .build import constant_value
from .functions import functions_of
from .legality import SCHEDULED, check_legality


@dataclass(frozen=True)
class StreamVerifyScheduledPass(ModulePass):
    """Verify that all functions of the module are scheduled."""

    name = "stream-verify-scheduled"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check `op`; raises OpError at the op at fault, naming phase and pass."""
        for function in functions_of(op):
            check_legality(function, SCHEDULED, self.name)
            for inner in walk(function):
                if isinstance(inner, stream.AsyncTransferOp):
                    _check_transfer(inner)
                elif isinstance(inner, stream.AsyncExecuteOp):
                    _check_affinities(inner)
            check_ordering(function, self.name)


def _check_transfer(op: stream.AsyncTransferOp) -> None:
    name = StreamVerifyScheduledPass.name
    if op.kind is None:
        fail(
            op, f"has no {stream.TRANSFER_KIND} ({name}); run stream-resolve-transfer-kinds before"
        )
    source, result = constant_value(op.source_size), constant_value(op.result_size)
    known = source is not None and result is not None
    if is_alias_transfer(op) and known and source != result:
        fail(op, f"alias transfer requires identical size ({source} vs {result}) ({name})")


def _check_affinities(region: stream.AsyncExecuteOp) -> None:
    """An op within says nothing, or what its region says; a transfer may name others' storage."""
    for op in region.body.walk():
        affinity: object = op_affinity(op)
        if affinity is not None and affinity != region.affinity and not _is_rename(op):
            fail(
                op,
                f"runs on {affinity} in a region on {region.affinity} "
                f"({StreamVerifyScheduledPass.name}); put it into a region of its own",
            )


def _is_rename(op: Operation) -> bool:
    return is_alias_transfer(op) or isinstance(op, stream.AsyncCastOp)
