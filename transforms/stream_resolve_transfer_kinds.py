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
results lead nowhere and updates that write what is there go first. Each transfer that is left gets
a remark with its kind and the reason (rows IR-22, IR-23, IR-24, IR-61). How sets of transfers are
judged: `analysis/alias_sets.py`.

A loop whose value needs another memory than what goes in or comes out has copy transfers at its
borders instead of one in each iteration, where that is cheaper (`loop_border_copies.py`); a copy
that is the same in each iteration is made once (`hoist_transfers.py`), and one of undefined
contents not at all (`undefined_copies.py`).

Does not handle: sharing of a part of a storage. What joins a set joins it whole, however few of
its bytes a device uses.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.diagnostics import Note, fail, remark
from ..dialects.location import location_text
from ..dialects.topology import Topology
from ..dialects.walk import walk
from .analysis.alias_sets import Decision, decide_kinds, devices_of
from .analysis.call_summaries import CallSummaries
from .analysis.execution_counts import ExecutionCounts
from .analysis.in_place import InPlaceUpdates
from .analysis.module_topology import module_topology
from .analysis.value_flow import ops_in_order
from .analysis.versions import ALIAS, COPY, TRANSFER_KIND, transfer_kind
from .dead_ops import remove_dead
from .functions import functions_of
from .hoist_transfers import hoist_transfers
from .loop_border_copies import Offers, offer_copies, withdraw
from .self_updates import fold_self_updates
from .undefined_copies import fold_undefined_copies


@dataclass(frozen=True)
class StreamResolveTransferKindsPass(ModulePass):
    """Set `stream.transfer_kind` on every transfer."""

    name = "stream-resolve-transfer-kinds"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Decide for all of `op`; raises OpError for an explicit alias that cannot be."""
        functions = list(functions_of(op))
        for function in functions:
            # Who reads what nobody uses is no user of the storage (IR-08), nor is who writes what
            # is there already. Later is too late: fewer may reach what such an update writes to.
            fold_self_updates(function)
            remove_dead(function)
        explicit = {function: _explicit_aliases(function) for function in functions}
        decisions, offers = _decide(op, module_topology(op))
        for decision in decisions:
            _apply(decision, offers.get(decision.transfer))
        for function, aliases in explicit.items():
            if aliases:
                _check_updates(function, aliases, CallSummaries(op))
        counts = ExecutionCounts(op)
        for function in functions:
            hoist_transfers(function, _copies(function), counts)
            fold_undefined_copies(function)


def _copies(function: Operation) -> list[stream.AsyncTransferOp]:
    """The copy transfers of `function`, outer ones first."""
    transfers = [op for op in ops_in_order(function) if isinstance(op, stream.AsyncTransferOp)]
    return [op for op in transfers if transfer_kind(op) == COPY]


def _decide(module: ModuleOp, topology: Topology) -> tuple[Sequence[Decision], Offers]:
    """The kinds, and the copies at borders of loops that save more than they cost."""
    kinds = decide_kinds(module, topology)
    offers = offer_copies(module) if kinds.cost else {}
    if not offers:
        return kinds.decisions, {}
    better = decide_kinds(module, topology)
    if better.cost < kinds.cost:
        kinds = better
    taken = {d.transfer for d in kinds.decisions if not d.alias}
    for transfer in [transfer for transfer in offers if transfer not in taken]:
        withdraw(transfer)
        del offers[transfer]
    left = [d for d in kinds.decisions if d.transfer.parent is not None]
    return left, offers


def _explicit_aliases(function: Operation) -> dict[SSAValue, stream.AsyncTransferOp]:
    return {
        op.result: op
        for op in walk(function)
        if isinstance(op, stream.AsyncTransferOp) and transfer_kind(op) == ALIAS
    }


def _apply(decision: Decision, loop: Operation | None) -> None:
    """Set the kind, and tell it; `loop` is that at whose border the transfer was put."""
    transfer = decision.transfer
    if transfer_kind(transfer) == ALIAS and not decision.alias:
        ends = f"from {_names(transfer.source_affinity)} to {_names(transfer.target_affinity)}"
        if decision.no_pool:
            fail(
                transfer,
                f"alias transfer {ends}: no shared accessible memory: {decision.reason}; "
                "remove the kind or give the devices access in the topology",
            )
        fail(
            transfer,
            f"alias transfer {ends}: {decision.reason}; remove the kind to let a copy be made",
        )
    kind = ALIAS if decision.alias else COPY
    verb = "aliased" if decision.alias else "kept as copy"
    what = f"transfer {verb}" if loop is None else "copied at the border of the loop"
    remark(transfer, f"{what}: {decision.reason}")
    transfer.attributes[TRANSFER_KIND] = StringAttr(kind)


def _names(affinity: object) -> str:
    return ", ".join(f"@{name}" for name in devices_of(affinity)) or "an unknown device"


def _check_updates(
    function: Operation, explicit: dict[SSAValue, stream.AsyncTransferOp], calls: CallSummaries
) -> None:
    """What an explicit alias shares must not be updated while its other name is read (IR-46)."""
    decided = InPlaceUpdates(function, calls=calls)
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
