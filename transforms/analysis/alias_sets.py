"""Which transfers of a module share storage and which copy, judged for whole sets of them.

Sharing is decided for whole sets: there must be a pool that serves all users of what would be
one storage (`shared_storage`). Sets are merged transfer by transfer, those that are dearest to
copy first, so that where no pool serves all it is the cheapest that is broken into a copy.

```mlir
%2 = stream.async.transfer %1 : …{%c4096} from(@a) -> to(@b) …   // alias
%3 = stream.async.transfer %2 : …{%c4096} from(@b) -> to(@c) …   // alias, over the slower link
%4 = stream.async.transfer %1 : …{%c4096} from(@a) -> to(@d) …   // copy: no pool serves a to d
```

What a global keeps never shares storage with what the caller of the program has, before or
after: either could be written while the other is to stay as it is.

Where links state costs, an alias must also be no dearer than a copy: devices that use the
storage over a link each time pay for that (`transfer_costs`). Whatever is in a loop, or in a
function that is called from one, counts as often as it is executed (`execution_counts`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects import stream
from ...dialects.topology import HOST, Topology
from ...dialects.walk import walk
from ..functions import functions_of
from .call_summaries import CallSummaries
from .execution_counts import ExecutionCounts
from .in_place import InPlaceUpdates
from .shared_storage import SharedStorage, Usage, devices_of
from .transfer_costs import clone_cost, copy_cost, size_bytes
from .value_affinity import ValueAffinities
from .versions import ALIAS, COPY, transfer_kind

__all__ = ["Decision", "Kinds", "decide_kinds", "devices_of"]


@dataclass(frozen=True, slots=True)
class Decision:
    """The kind of one transfer."""

    transfer: stream.AsyncTransferOp
    alias: bool
    reason: str
    pool: str | None = None
    """For an alias: the device whose pool holds the storage."""
    no_pool: bool = False
    """Whether it is a copy for want of a pool in reach of all users."""


class _Refusal(NamedTuple):
    """Why a transfer is no alias."""

    reason: str
    no_pool: bool = False


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of all transfers of a module."""

    decisions: list[Decision]
    """In textual order."""
    cost: float
    """Nanoseconds that copies, clones for updates and uses over links take in one call of the
    program; infinite where an explicit alias cannot be."""


def decide_kinds(module: ModuleOp, topology: Topology) -> Kinds:
    """The kind of every transfer of `module`.

    Explicit kinds are taken as they are: an explicit copy is a copy, an explicit alias is merged
    first; where it cannot be, its decision says `alias=False` with the reason.
    """
    counts, homes = ExecutionCounts(module), ValueAffinities(module)
    calls = CallSummaries(module)
    decided = {function: InPlaceUpdates(function, calls=calls) for function in functions_of(module)}
    home = {
        op: function
        for function in decided
        for op in walk(function)
        if isinstance(op, stream.AsyncTransferOp)
    }
    copies: dict[stream.AsyncTransferOp, _Refusal] = {}
    while True:
        # Whether an update in place needs a clone, and so storage of its own, depends on which
        # transfers are aliases; copies only grow, so this ends.
        attempt = _Attempt(SharedStorage(module, topology, decided.values(), counts), homes)
        refused = attempt.merge([op for op in home if op not in copies])
        if not refused:
            clones = sum(clone_cost(function, counts) for function in decided.values())
            return Kinds(
                [attempt.decision(op, copies) for op in home], clones + attempt.cost(copies)
            )
        copies.update(refused)
        for function in dict.fromkeys(home[op] for op in refused):
            decided[function] = InPlaceUpdates(function, frozenset(copies), calls)


_BY_HOST = Usage(readers={HOST: None}, writers={HOST: None}, in_place={HOST: None})
"""What staging memory is for."""


class _Attempt:
    """Alias sets in `storage`, in which some transfers are taken as copies."""

    def __init__(self, storage: SharedStorage, homes: ValueAffinities) -> None:
        self.homes = homes
        self.storage = storage
        self.topology = storage.topology
        self.counts = storage.counts

    def merge(
        self, transfers: Sequence[stream.AsyncTransferOp]
    ) -> dict[stream.AsyncTransferOp, _Refusal]:
        """Merge the sets of `transfers` where a pool serves; those refused, with the reason."""
        refused: dict[stream.AsyncTransferOp, _Refusal] = {}
        for op in sorted(transfers, key=self._priority):
            if (refusal := self._refusal(op)) is not None:
                refused[op] = refusal
            else:
                self.storage.union(op.source, op.result)
        return refused

    def _priority(self, op: stream.AsyncTransferOp) -> tuple[int, float]:
        """Explicit aliases first, then those that are dearest to copy; sorting is stable."""
        return 0 if transfer_kind(op) is not None else 1, -self._copy_cost(op)

    def _ends(self, op: stream.AsyncTransferOp) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The devices of the source and of the target."""
        source = op.source_affinity or self.homes.of(op.source)
        return devices_of(source), devices_of(op.target_affinity)

    def _copy_cost(self, op: stream.AsyncTransferOp) -> float:
        """Nanoseconds to copy between the nearest of the transfer's devices, in all executions."""
        size = size_bytes(op.source_size)
        source, target = self._ends(op)
        pairs = [(a, b) for a in source for b in target]
        costs = (copy_cost(self.topology, a, b, size) for a, b in pairs)
        return self.counts.of(op) * min(costs, default=float(size))

    def cost(self, copies: Mapping[stream.AsyncTransferOp, _Refusal]) -> float:
        """Nanoseconds for `copies` and for all uses over links, once the sets are final."""
        if any(transfer_kind(op) == ALIAS for op in copies):
            return inf
        return sum(map(self._copy_cost, copies)) + self.storage.total_cost()

    def _refusal(self, op: stream.AsyncTransferOp) -> _Refusal | None:
        if transfer_kind(op) == COPY:
            return _Refusal("stream.transfer_kind says copy")
        source, target = self._ends(op)
        if not source:
            return _Refusal("the source's affinity is unknown")
        if not target:
            return _Refusal("the target's affinity is unknown")
        merged = self.storage.merged(op.source, op.result)
        if _is_staging(op.source) or _is_staging(op.result):
            if transfer_kind(op) is None:
                return _Refusal("staging memory is not shared")
            merged = merged.merged(_BY_HOST)
        if merged.in_global and merged.with_caller:
            return _Refusal("a global keeps it, and the caller has it too and may write it")
        if not self.storage.pools(merged):
            return _Refusal(self._no_pool(op, merged), no_pool=True)
        return None if transfer_kind(op) == ALIAS else self._too_dear(op, merged)

    def _too_dear(self, op: stream.AsyncTransferOp, merged: Usage) -> _Refusal | None:
        """Say what an alias would cost where a copy, and both storages apart, cost less."""
        shared = self.storage.cost(merged)
        left, right = self.storage.usage(op.source), self.storage.usage(op.result)
        if merged in (left, right):
            return None
        apart = self.storage.cost(left) + self.storage.cost(right) + self._copy_cost(op)
        if shared <= apart:
            return None
        return _Refusal(
            f"in place over the links all uses take {shared:g} ns, with a copy of "
            f"{size_bytes(op.source_size)} bytes {apart:g} ns"
        )

    def _no_pool(self, op: stream.AsyncTransferOp, merged: Usage) -> str:
        """Say what is missing: access between the two devices, or a pool for all users."""
        source, target = self._ends(op)
        a, b = source[0], target[-1]
        if not self.topology.serving_pools((*source, *target), ()):
            links = self.topology.link(a, b), self.topology.link(b, a)
            if any(link.unified_memory or link.transparent_access for link in links):
                return f"buffer_read and buffer_write of link @{a}->@{b} let none access in place"
            return f"no unified_memory link @{a}->@{b}, nor transparent_access either way"
        users = ", ".join(_agent(name) for name in merged.agents)
        pinned = ", ".join(f"@{name}" for name in merged.pinned)
        suffix = f" and lies where it is pinned, in the pool of {pinned}" if pinned else ""
        return f"no pool is in reach of all its users ({users}){suffix}"

    def decision(
        self, op: stream.AsyncTransferOp, copies: Mapping[stream.AsyncTransferOp, _Refusal]
    ) -> Decision:
        """The decision for one transfer once the sets are final."""
        if (refusal := copies.get(op)) is not None:
            return Decision(op, alias=False, reason=refusal.reason, no_pool=refusal.no_pool)
        usage = self.storage.usage(op.source)
        pool = next(iter(self.storage.pools(usage)), None)
        source, target = self._ends(op)
        if source == target:
            return Decision(op, alias=True, reason="source and target are one device", pool=pool)
        if pool is None:
            return Decision(op, alias=True, reason="stream.transfer_kind says alias")
        users = ", ".join(_agent(name) for name in usage.agents)
        return Decision(op, alias=True, reason=f"the pool of @{pool} serves {users}", pool=pool)


def _is_staging(value: SSAValue) -> bool:
    type = value.type
    return isinstance(type, stream.ResourceType) and type.lifetime is stream.Lifetime.STAGING


def _agent(name: str) -> str:
    return "the host" if name == HOST else f"@{name}"
