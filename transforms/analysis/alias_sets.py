"""Which transfers can share storage: sets of values, who reads and writes them, which pool serves.

Sharing is decided for whole sets (everything that alias transfers, casts and updates in place
put into one storage): there must be a pool that every reader may read and every writer may write
in place, and imports and exports must lie where they are asked for.

```mlir
// link (a -> b) = {transparent_access}: a reaches b's memory
%1 = stream.async.dispatch on(@a) …        // a writes
%2 = stream.async.transfer %1 … from(@a) -> to(@b) …
%3 = stream.async.dispatch on(@b) @f(%2) … // b reads: {%1, %2} may lie in b's pool, and only there
```

Sets are merged transfer by transfer, those that are dearest to copy first, so that where no pool
serves all it is the cheapest that is broken into a copy.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from ...dialects import stream
from ...dialects.access import op_affinity, tied_results
from ...dialects.hal import AffinityAttr
from ...dialects.topology import HOST, Topology
from ..build import constant_value
from .union_find import UnionFind
from .value_affinity import value_affinity
from .value_flow import value_edges
from .versions import COPY, Versions, tied_updates, transfer_kind


@dataclass(frozen=True, slots=True)
class Decision:
    """The kind of one transfer."""

    transfer: stream.AsyncTransferOp
    alias: bool
    reason: str
    pool: str | None = None
    """For an alias: the device whose pool holds the storage."""


@dataclass(slots=True)
class _Usage:
    """Who uses one storage. Insertion order is kept: messages are deterministic."""

    readers: dict[str, None] = field(default_factory=dict[str, None])
    writers: dict[str, None] = field(default_factory=dict[str, None])
    pinned: dict[str, None] = field(default_factory=dict[str, None])
    """Devices in whose pool the storage must lie."""

    def merged(self, other: "_Usage") -> "_Usage":
        return _Usage(
            self.readers | other.readers,
            self.writers | other.writers,
            self.pinned | other.pinned,
        )


def devices_of(affinity: object) -> tuple[str, ...]:
    """The device names of an affinity attribute; none for anything else."""
    return affinity.device_names if isinstance(affinity, AffinityAttr) else ()


def decide_kinds(function: Operation, topology: Topology) -> list[Decision]:
    """The kind of every transfer of `function`, in textual order.

    Explicit kinds are taken as they are: an explicit copy is a copy, an explicit alias is merged
    first; where it cannot be, its decision says `alias=False` with the reason.
    """
    transfers = [op for op in function.walk() if isinstance(op, stream.AsyncTransferOp)]
    copies: dict[stream.AsyncTransferOp, str] = {}
    while True:
        # Whether an update in place needs a clone, and so storage of its own, depends on which
        # transfers are aliases; copies only grow, so this ends.
        attempt = _Attempt(function, topology, frozenset(copies))
        refused = attempt.merge([op for op in transfers if op not in copies])
        if not refused:
            return [attempt.decision(op, copies) for op in transfers]
        copies.update(refused)


class _Attempt:
    """Alias sets under the assumption that `copies` are copies."""

    def __init__(
        self, function: Operation, topology: Topology, copies: frozenset[Operation]
    ) -> None:
        self.topology = topology
        self.sets: UnionFind[SSAValue] = UnionFind()
        self.usage: dict[SSAValue, _Usage] = {}
        versions = Versions(function, copies)
        for op in function.walk():
            self._record(op)
            self._tie(op, versions)
        for edge in value_edges(function):
            if isinstance(edge.source.type, stream.ResourceType):
                self._union(edge.source, edge.target)

    def _record(self, op: Operation) -> None:
        """Note which agents touch the storage of the op's operands and results."""
        match op:
            case stream.AsyncTransferOp() | stream.AsyncCastOp() | stream.TimepointAwaitOp():
                return
            case stream.TensorImportOp():
                self._use(op.result, writers=(HOST,), pinned=devices_of(op.affinity))
            case stream.TensorExportOp():
                self._use(op.source, readers=(HOST,), pinned=devices_of(op.affinity))
            case _:
                devices = devices_of(op_affinity(op))
                for operand in op.operands:
                    if isinstance(operand.type, stream.ResourceType):
                        self._use(operand, readers=devices)
                for result in op.results:
                    if isinstance(result.type, stream.ResourceType):
                        self._use(result, writers=devices)

    def _use(
        self,
        value: SSAValue,
        readers: Sequence[str] = (),
        writers: Sequence[str] = (),
        pinned: Sequence[str] = (),
    ) -> None:
        root = self.sets.find(value)
        usage = self.usage.setdefault(root, _Usage())
        usage.readers.update(dict.fromkeys(readers))
        usage.writers.update(dict.fromkeys(writers))
        usage.pinned.update(dict.fromkeys(pinned))

    def _tie(self, op: Operation, versions: Versions) -> None:
        match op:
            case stream.AsyncCastOp():
                self._union(op.source, op.result)
            case stream.TimepointAwaitOp():
                for source, result in zip(op.resource_operands, op.result_resources, strict=True):
                    self._union(source, result)
            case stream.AsyncTransferOp():
                return
            case _:
                updated = tied_updates(op)
                for result, operand in tied_results(op):
                    if operand in updated and versions.conflict(op, operand) is None:
                        self._union(operand, result)

    def _union(self, left: SSAValue, right: SSAValue) -> None:
        a, b = self.sets.find(left), self.sets.find(right)
        if a is b:
            return
        merged = self._merged(a, b)
        self.usage.pop(a, None)
        self.usage.pop(b, None)
        self.usage[self.sets.union(a, b)] = merged

    def _merged(self, left: SSAValue, right: SSAValue) -> _Usage:
        empty = _Usage()
        a = self.usage.get(self.sets.find(left), empty)
        return a.merged(self.usage.get(self.sets.find(right), empty))

    def pools(self, usage: _Usage) -> list[str]:
        """The pools, by owner, that serve `usage`."""
        serving = self.topology.serving_pools(usage.readers, usage.writers)
        required = {self.topology.pool_of(device).name for device in usage.pinned}
        return [pool.name for pool in serving if not required - {pool.name}]

    def merge(
        self, transfers: Sequence[stream.AsyncTransferOp]
    ) -> dict[stream.AsyncTransferOp, str]:
        """Merge the sets of `transfers` where a pool serves; those refused, with the reason."""
        refused: dict[stream.AsyncTransferOp, str] = {}
        for op in sorted(transfers, key=self._priority):
            if (reason := self._refusal(op)) is not None:
                refused[op] = reason
            else:
                self._union(op.source, op.result)
        return refused

    def _priority(self, op: stream.AsyncTransferOp) -> tuple[int, float]:
        """Explicit aliases first, then those that are dearest to copy; sorting is stable."""
        explicit = 0 if transfer_kind(op) is not None else 1
        size = constant_value(op.source_size)
        cost = float("inf") if size is None else self._copy_cost(op, size)
        return explicit, -cost

    def _copy_cost(self, op: stream.AsyncTransferOp, size: int) -> float:
        """Nanoseconds to copy `size` bytes over the link, or bytes where it states no costs."""
        source, target = devices_of(op.source_affinity), devices_of(op.target_affinity)
        if not source or not target:
            return float(size)
        link = self.topology.link(source[0], target[0])
        if not link.bandwidth_gbps:
            return float(size)
        # 1 Gb/s moves an eighth of a byte per nanosecond.
        return (link.latency_ns or 0.0) + size * 8 / link.bandwidth_gbps

    def _refusal(self, op: stream.AsyncTransferOp) -> str | None:
        if transfer_kind(op) == COPY:
            return "stream.transfer_kind says copy"
        source = devices_of(op.source_affinity or value_affinity(op.source))
        target = devices_of(op.target_affinity)
        if not source:
            return "the source's affinity is unknown"
        if not target:
            return "the target's affinity is unknown"
        if _is_staging(op.source) or _is_staging(op.result):
            return None if transfer_kind(op) else "staging memory is not shared"
        merged = self._merged(op.source, op.result)
        if self.pools(merged):
            return None
        return self._no_pool(source, target, merged)

    def _no_pool(self, source: Sequence[str], target: Sequence[str], merged: _Usage) -> str:
        """Say what is missing: access between the two devices, or a pool for all users."""
        pair = (*source, *target)
        a, b = source[0], target[-1]
        if not self.topology.serving_pools(pair, ()):
            return f"no unified_memory or transparent_access link between @{a} and @{b}"
        users = ", ".join(_agent(name) for name in merged.readers | merged.writers)
        pinned = ", ".join(f"@{name}" for name in merged.pinned)
        suffix = f" and lies where it is pinned, in the pool of {pinned}" if pinned else ""
        return f"no pool is in reach of all its users ({users}){suffix}"

    def decision(
        self, op: stream.AsyncTransferOp, copies: dict[stream.AsyncTransferOp, str]
    ) -> Decision:
        """The decision for one transfer once the sets are final."""
        if (reason := copies.get(op)) is not None:
            return Decision(op, alias=False, reason=reason)
        source, target = devices_of(op.source_affinity), devices_of(op.target_affinity)
        usage = self._merged(op.source, op.source)
        pool = self.pools(usage)[0]
        if source == target:
            return Decision(op, alias=True, reason="source and target are one device", pool=pool)
        users = ", ".join(_agent(name) for name in usage.readers | usage.writers)
        return Decision(op, alias=True, reason=f"the pool of @{pool} serves {users}", pool=pool)


def _is_staging(value: SSAValue) -> bool:
    type = value.type
    return isinstance(type, stream.ResourceType) and type.lifetime is stream.Lifetime.STAGING


def _agent(name: str) -> str:
    return "the host" if name == HOST else f"@{name}"
