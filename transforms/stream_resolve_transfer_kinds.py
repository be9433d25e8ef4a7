"""stream-resolve-transfer-kinds: decide for every transfer between alias and copy.

```mlir
%2 = stream.async.transfer %1 : … from(#hal.device.affinity<@a>)
    -> to(#hal.device.affinity<@b>) …
```

becomes, on a topology whose links give both devices access to one pool,

```mlir
%2 = stream.async.transfer %1 : … from(#hal.device.affinity<@a>)
    -> to(#hal.device.affinity<@b>) … attributes {stream.transfer_kind = "alias"}
```

and `"copy"` elsewhere. An explicit kind stays; an explicit alias that cannot be is an error.
What crosses the border of a function is one storage for caller and callee, and so is what goes
through a global; a public function pins it to the device that it declares. Async ops whose
results lead nowhere go first. Each transfer that is left gets a remark with its kind and the
reason (rows IR-22, IR-23, IR-24, IR-61). How sets of transfers are judged:
`analysis/alias_sets.py`.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.diagnostics import Note, fail, remark
from ..dialects.location import location_text
from .analysis.alias_sets import Decision, decide_kinds, devices_of
from .analysis.in_place import InPlaceUpdates
from .analysis.module_topology import module_topology
from .analysis.versions import ALIAS, COPY, TRANSFER_KIND, transfer_kind
from .dead_ops import remove_dead
from .functions import functions_of


@dataclass(frozen=True)
class StreamResolveTransferKindsPass(ModulePass):
    """Set `stream.transfer_kind` on every transfer."""

    name = "stream-resolve-transfer-kinds"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Decide for all of `op`; raises OpError for an explicit alias that cannot be."""
        functions = list(functions_of(op))
        for function in functions:
            # Who reads what nobody uses is no user of the storage (IR-08).
            remove_dead(function)
        explicit = {function: _explicit_aliases(function) for function in functions}
        for decision in decide_kinds(op, module_topology(op)):
            _apply(decision)
        for function, aliases in explicit.items():
            if aliases:
                _check_updates(function, aliases)


def _explicit_aliases(function: Operation) -> dict[SSAValue, stream.AsyncTransferOp]:
    return {
        op.result: op
        for op in function.walk()
        if isinstance(op, stream.AsyncTransferOp) and transfer_kind(op) == ALIAS
    }


def _apply(decision: Decision) -> None:
    transfer = decision.transfer
    if transfer_kind(transfer) == ALIAS and not decision.alias:
        fail(
            transfer,
            f"alias transfer from {_names(transfer.source_affinity)} to "
            f"{_names(transfer.target_affinity)}: no shared accessible memory: {decision.reason}; "
            "remove the kind or give the devices access in the topology",
        )
    kind = ALIAS if decision.alias else COPY
    verb = "aliased" if decision.alias else "kept as copy"
    remark(transfer, f"transfer {verb}: {decision.reason}")
    transfer.attributes[TRANSFER_KIND] = StringAttr(kind)


def _names(affinity: object) -> str:
    return ", ".join(f"@{name}" for name in devices_of(affinity)) or "an unknown device"


def _check_updates(function: Operation, explicit: dict[SSAValue, stream.AsyncTransferOp]) -> None:
    """What an explicit alias shares must not be updated while its other name is read (IR-46)."""
    decided = InPlaceUpdates(function)
    for (op, operand), conflict in decided.clones.items():
        names = decided.versions.names(operand)
        transfer = next((explicit[name] for name in names if name in explicit), None)
        if transfer is not None and conflict.reader is not None:
            fail(
                transfer,
                "alias transfer result is mutated while its source is still used; "
                "remove the kind to let a clone be made",
                Note(location_text(op), "the update in place"),
                Note(location_text(conflict.reader), "the later read of the old contents"),
            )
