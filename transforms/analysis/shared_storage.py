"""Who uses each storage of a function, and which pools serve all its users.

A storage is everything that alias transfers, casts, views, control flow and updates in place put
into one place. A pool serves it if every reader may read and every writer may write it in place
there; imports and exports must lie in the pool where they are asked for.

```mlir
// link (a -> b) = {transparent_access}: a reaches b's memory
%1 = stream.async.dispatch on(@a) …        // a writes
%2 = stream.async.transfer %1 … from(@a) -> to(@b) … {stream.transfer_kind = "alias"}
%3 = stream.async.dispatch on(@b) @f(%2) … // b reads: {%1, %2} may lie in b's pool, and only there
```
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from ...dialects import stream
from ...dialects.access import op_affinity, tied_results
from ...dialects.hal import AffinityAttr
from ...dialects.topology import HOST, Topology
from .in_place import InPlaceUpdates
from .sizes import stated_sizes
from .transfer_costs import size_bytes, use_cost
from .union_find import UnionFind
from .versions import tied_updates


def devices_of(affinity: object) -> tuple[str, ...]:
    """The device names of an affinity attribute; none for anything else."""
    return affinity.device_names if isinstance(affinity, AffinityAttr) else ()


@dataclass(slots=True)
class Usage:
    """Who uses one storage. Insertion order is kept: messages are deterministic."""

    readers: dict[str, None] = field(default_factory=dict[str, None])
    writers: dict[str, None] = field(default_factory=dict[str, None])
    pinned: dict[str, None] = field(default_factory=dict[str, None])
    """Devices in whose pool the storage must lie."""
    uses: dict[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    """How often each agent uses how many bytes."""

    @property
    def agents(self) -> dict[str, None]:
        """All users."""
        return self.readers | self.writers

    def merged(self, other: "Usage") -> "Usage":
        """The usage of two storages made one."""
        uses = dict(self.uses)
        for use, count in other.uses.items():
            uses[use] = uses.get(use, 0) + count
        return Usage(
            self.readers | other.readers,
            self.writers | other.writers,
            self.pinned | other.pinned,
            uses,
        )


class SharedStorage:
    """The storages of `function`; transfers join theirs only by `union`."""

    def __init__(self, function: Operation, topology: Topology, decided: InPlaceUpdates) -> None:
        self.topology = topology
        self._sets: UnionFind[SSAValue] = UnionFind()
        self._usage: dict[SSAValue, Usage] = {}
        for op in function.walk():
            self._record(op)
            self._tie(op, decided)
        for edge in decided.versions.flow.edges():
            self.union(edge.source, edge.target)

    def _record(self, op: Operation) -> None:
        """Note which agents touch the storage of the op's operands and results."""
        match op:
            case (
                stream.AsyncTransferOp()
                | stream.AsyncCastOp()
                | stream.ResourceSubviewOp()
                | stream.TimepointAwaitOp()
            ):
                return
            case stream.TensorImportOp():
                self._use(op.result, op, writers=(HOST,), pinned=devices_of(op.affinity))
            case stream.TensorExportOp():
                self._use(op.source, op, readers=(HOST,), pinned=devices_of(op.affinity))
            case _:
                devices = devices_of(op_affinity(op))
                for operand in op.operands:
                    if isinstance(operand.type, stream.ResourceType):
                        self._use(operand, op, readers=devices)
                for result in op.results:
                    if isinstance(result.type, stream.ResourceType):
                        self._use(result, op, writers=devices)

    def _use(
        self,
        value: SSAValue,
        op: Operation,
        readers: Sequence[str] = (),
        writers: Sequence[str] = (),
        pinned: Sequence[str] = (),
    ) -> None:
        usage = self._usage.setdefault(self._sets.find(value), Usage())
        usage.readers.update(dict.fromkeys(readers))
        usage.writers.update(dict.fromkeys(writers))
        usage.pinned.update(dict.fromkeys(pinned))
        size = size_bytes(dict(stated_sizes(op)).get(value))
        for agent in (*readers, *writers):
            usage.uses[agent, size] = usage.uses.get((agent, size), 0) + 1

    def _tie(self, op: Operation, decided: InPlaceUpdates) -> None:
        match op:
            case stream.AsyncCastOp() | stream.ResourceSubviewOp():
                self.union(op.source, op.result)
            case stream.TimepointAwaitOp():
                for source, result in zip(op.resource_operands, op.result_resources, strict=True):
                    self.union(source, result)
            case stream.AsyncTransferOp():
                return
            case _:
                updated = tied_updates(op)
                for result, operand in tied_results(op):
                    if operand in updated and (op, operand) not in decided.clones:
                        self.union(operand, result)

    # Sets --------------------------------------------------------------------------------------

    def union(self, left: SSAValue, right: SSAValue) -> None:
        """Give both one storage."""
        a, b = self._sets.find(left), self._sets.find(right)
        if a is b:
            return
        merged = self.merged(a, b)
        self._usage.pop(a, None)
        self._usage.pop(b, None)
        self._usage[self._sets.union(a, b)] = merged

    def usage(self, value: SSAValue) -> Usage:
        """Who uses the storage of `value`."""
        return self._usage.get(self._sets.find(value), Usage())

    def merged(self, left: SSAValue, right: SSAValue) -> Usage:
        """Who would use the storage of both if they had one."""
        if self._sets.find(left) is self._sets.find(right):
            return self.usage(left)
        return self.usage(left).merged(self.usage(right))

    def pools(self, usage: Usage) -> list[str]:
        """The pools, by owner, that serve `usage`; the cheapest to use in place first."""
        serving = self.topology.serving_pools(usage.readers, usage.writers)
        required = {self.topology.pool_of(device).name for device in usage.pinned}
        names = [pool.name for pool in serving if not required - {pool.name}]
        return sorted(names, key=lambda name: self._cost_in(usage, name))

    def _cost_in(self, usage: Usage, pool: str) -> float:
        return sum(
            count * use_cost(self.topology, agent, pool, size)
            for (agent, size), count in usage.uses.items()
        )

    def cost(self, usage: Usage) -> float:
        """Nanoseconds for all uses of a storage in the best pool; 0 where none serves."""
        return min((self._cost_in(usage, name) for name in self.pools(usage)), default=0.0)

    def may_share(self, left: SSAValue, right: SSAValue) -> bool:
        """Whether one storage could take the place of those of `left` and `right`."""
        usage = self.merged(left, right)
        if len(_known([*usage.agents, *usage.pinned])) <= 1:
            return True
        known = set(self.topology.device_names)
        return known.issuperset(_known([*usage.agents, *usage.pinned])) and bool(self.pools(usage))


def _known(agents: Iterable[str]) -> set[str]:
    return {agent for agent in agents if agent != HOST}
