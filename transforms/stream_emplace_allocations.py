"""stream-emplace-allocations: results are written where they go.

A dispatch whose result only replaces a range of another resource writes that range itself:

```mlir
%t = stream.async.clone on(@a) %0 : …{%c64} -> …{%c64}
%1 = stream.async.dispatch on(@b) @f(%x[…]) : … -> …{%c32}
%2 = stream.async.transfer %1 … from(@b) -> to(@a) … {stream.transfer_kind = "alias"}
%3 = stream.async.update on(@a) %2, %t[%c0 to %c32] : … -> %t as …{%c64}
```

becomes

```mlir
%t = stream.async.clone on(@a) %0 : …{%c64} -> …{%c64}
%4 = stream.async.transfer %t … from(@a) -> to(@b) … {stream.transfer_kind = "alias"}
%1 = stream.async.dispatch on(@b) @f(%x[…], %4[%c0 to %c32 for %c32]) : … -> %4{%c64}
%3 = stream.async.transfer %1 … from(@b) -> to(@a) … {stream.transfer_kind = "alias"}
```

The target must be there before the dispatch, and whoever reads what is overwritten comes before
it too: ops change their order for that where values allow it. One pool must serve the users of
both. A chain of updates that puts a whole together from parts so becomes dispatches into its
ranges, which are those of where the whole is copied to (`emplacement.py`). Also, an update with
what a copy transfer brings copies from the transfer's source.
(IREE's pass of this name does the former on one device.)

Does not handle: dispatches with several results or with results tied already; a result that others
read too, unless it is all of what is updated, on one device, and only goes out from there; updates
in another block.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..dialects import stream
from ..dialects.access import op_affinity, tied_results
from ..dialects.diagnostics import remark
from ..dialects.handoff import hands_over
from ..dialects.location import location_text
from ..dialects.topology import Topology
from ..dialects.walk import walk
from .analysis.call_summaries import CallSummaries
from .analysis.in_place import InPlaceUpdates
from .analysis.module_topology import module_topology
from .analysis.shared_storage import SharedStorage, devices_of
from .analysis.value_affinity import ValueAffinities
from .analysis.versions import ALIAS, COPY, TRANSFER_KIND, tied_updates, transfer_kind
from .build import make, set_operands, tied_indices
from .emplacement import WholeStorage, fill_instead_of_splat, has_wholes, updates_all
from .functions import functions_of


@dataclass(frozen=True)
class StreamEmplaceAllocationsPass(ModulePass):
    """Write results into the ranges that they are copied to."""

    name = "stream-emplace-allocations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all functions."""
        topology, homes = module_topology(op), ValueAffinities(op)
        functions = list(functions_of(op))
        for function in functions:
            _update_from_afar(function, topology, homes)
            fill_instead_of_splat(function)
        decided, storage = _decided(op, functions, topology)
        for function in decided:
            _Emplacement(function, storage, homes).run()
        if wholes := [function for function in functions if has_wholes(function)]:
            # The storages are others by now.
            decided, storage = _decided(op, wholes, topology)
            for function in decided:
                WholeStorage(function, storage).run()


def _decided(
    module: ModuleOp, functions: Sequence[Operation], topology: Topology
) -> tuple[list[InPlaceUpdates], SharedStorage]:
    """The updates in place of `functions`, and who uses each storage of the module."""
    calls = CallSummaries(module)
    decided = [InPlaceUpdates(function, calls=calls) for function in functions]
    storage = SharedStorage(module, topology, decided)
    storage.union_aliases()
    return decided, storage


def _update_from_afar(function: Operation, topology: Topology, homes: ValueAffinities) -> None:
    """Let updates read across devices what a copy transfer would bring for them alone."""
    for op in list(walk(function)):
        if not isinstance(op, stream.AsyncUpdateOp):
            continue
        transfer = op.update.owner
        if (
            isinstance(transfer, stream.AsyncTransferOp)
            and transfer_kind(transfer) == COPY
            and transfer.execution_affinity is None
            and transfer.parent is op.parent
            and transfer.result.has_one_use()
            and transfer.source.type == transfer.result.type
            and _reaches(op, homes.of(transfer.source), topology)
        ):
            set_operands(op, "update", [transfer.source])
            op.attributes.update(stream.stated_kind(transfer))
            remark(transfer, "copied into the range that it updates")
            transfer.detach()
            transfer.erase()


def _reaches(op: stream.AsyncUpdateOp, source: Attribute | None, topology: Topology) -> bool:
    """Whether the devices of `op` can copy from `source`."""
    known = set(topology.device_names)
    here, there = devices_of(op_affinity(op)), devices_of(source)
    return (
        bool(here)
        and bool(there)
        and known.issuperset((*here, *there))
        and all(topology.copies_from(agent, owner) for agent in here for owner in there)
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A dispatch whose result goes into a range of `update.target` and nowhere else."""

    dispatch: stream.AsyncDispatchOp
    update: stream.AsyncUpdateOp
    names: tuple[Operation, ...]
    """The alias transfers and casts from the result to the update, in order."""


class _Emplacement:
    """The dispatches of one function: decide all, then rewrite."""

    def __init__(
        self, decided: InPlaceUpdates, storage: SharedStorage, homes: ValueAffinities
    ) -> None:
        self.homes = homes
        self.function = decided.function
        self.decided = decided
        self.storage = storage

    def run(self) -> None:
        """Emplace what can be."""
        found: dict[Operation, _Candidate] = {}
        for op in walk(self.function):
            candidate = _candidate(op) if isinstance(op, stream.AsyncUpdateOp) else None
            if candidate is None or candidate.dispatch in found:
                continue
            if self._may_emplace(candidate):
                found[candidate.dispatch] = candidate
        self.decided.reorder()
        for candidate in found.values():
            _rewrite(candidate, self.homes, self.storage.topology)

    def _may_emplace(self, candidate: _Candidate) -> bool:
        """Whether the dispatch can write the target's range; takes note of it."""
        update, dispatch = candidate.update, candidate.dispatch
        if not self.storage.may_share(update.target, dispatch.result_resources[0]):
            return False
        if (update, update.target) in self.decided.clones:
            return False
        demands = self.decided.versions.demands(update, update.target)
        needed = (update.target, update.target_size, update.target_offset, update.target_end)
        makers = (value.owner for value in needed)
        before = [op for op in makers if isinstance(op, Operation) and op.parent is update.parent]
        edges = [(op, dispatch) for op in dict.fromkeys(chain(before, demands.readers))]
        if demands.conflict is not None or not self.decided.put_before(edges):
            return False
        self.storage.union(update.target, dispatch.result_resources[0])
        return True


def _candidate(update: stream.AsyncUpdateOp) -> _Candidate | None:
    if not update.update.has_one_use():
        return _read_elsewhere(update)
    names: list[Operation] = []
    value = update.update
    while value.has_one_use():
        match value.owner:
            case stream.AsyncTransferOp() as op if transfer_kind(op) == ALIAS:
                names.insert(0, op)
                value = op.source
            case stream.AsyncDispatchOp() as op:
                return _Candidate(op, update, tuple(names)) if _fits(op, update) else None
            case _:
                return None
    return None


def _fits(dispatch: stream.AsyncDispatchOp, update: stream.AsyncUpdateOp) -> bool:
    """Whether a dispatch has one result, which is its own, and may be the update's."""
    return (
        len(dispatch.result_resources) == 1
        and not tied_results(dispatch)
        and dispatch.parent is update.parent
        and _takes_type(dispatch.result_resources[0], update.target)
    )


def _read_elsewhere(update: stream.AsyncUpdateOp) -> _Candidate | None:
    """A dispatch whose result others read too, and that is all of what is updated: they read it
    there. What has been updated must only go out from then on, so that the bytes stay."""
    dispatch, value = update.update.owner, update.update
    if not isinstance(dispatch, stream.AsyncDispatchOp) or not _fits(dispatch, update):
        return None
    stays = not any(value in tied_updates(use.operation) for use in value.uses)
    here = op_affinity(dispatch) == op_affinity(update)
    if stays and here and updates_all(update) and _goes_out(update.result):
        return _Candidate(dispatch, update, ())
    return None


def _goes_out(value: SSAValue) -> bool:
    """Whether a value is only cast and exported."""
    return all(
        isinstance(use.operation, stream.TensorExportOp)
        or (isinstance(use.operation, stream.AsyncCastOp) and _goes_out(use.operation.result))
        for use in value.uses
    )


def _takes_type(result: SSAValue, target: SSAValue) -> bool:
    """Whether a result may have the lifetime of `target`: its own, or one still open."""
    return result.type in (target.type, stream.ResourceType(stream.Lifetime.UNKNOWN))


def _rewrite(candidate: _Candidate, homes: ValueAffinities, topology: Topology) -> None:
    """Tie the dispatch to the range of the target, and let its result be the update's."""
    dispatch, update = candidate.dispatch, candidate.update
    block = dispatch.parent
    assert block is not None
    home, there = homes.of(update.target), op_affinity(dispatch)
    target = update.target
    if home is not None and there is not None and hands_over(home, there, topology):
        before = _handoff(update, target, home, there)
        block.insert_op_before(before, dispatch)
        target = before.result
    set_operands(dispatch, "resource_operands", [*dispatch.resource_operands, target])
    for name, value in (
        ("sizes", update.target_size),
        ("offsets", update.target_offset),
        ("ends", update.target_end),
        ("lengths", update.update_size),
    ):
        field = f"resource_operand_{name}"
        set_operands(dispatch, field, [*getattr(dispatch, field), value])
    set_operands(dispatch, "result_sizes", [update.target_size])
    dispatch.tied_operands = tied_indices([len(dispatch.resource_operands) - 1])
    result: SSAValue = dispatch.result_resources[0]
    if result.type != target.type:
        result = Rewriter.replace_value_with_new_type(result, target.type)
    back = op_affinity(update)
    if there is not None and back is not None and hands_over(there, back, topology):
        after = _handoff(update, result, there, back)
        block.insert_op_before(after, update)
        result = after.result
    remark(dispatch, f"writes into the range that it updates ({location_text(update)})")
    update.result.replace_all_uses_with(result)
    for op in (update, *reversed(candidate.names)):
        op.detach()
        op.erase()


def _handoff(
    update: stream.AsyncUpdateOp, value: SSAValue, source: Attribute, target: Attribute
) -> stream.AsyncTransferOp:
    """An alias transfer of the update's target."""
    return make(
        stream.AsyncTransferOp,
        update,
        [value.type],
        source=value,
        source_size=update.target_size,
        result_size=update.target_size,
        source_affinity=source,
        target_affinity=target,
        attributes={TRANSFER_KIND: StringAttr(ALIAS)},
    )
