"""Who uses each storage of a module, and which pools serve all its users.

A storage is everything that alias transfers, casts, views, control flow, calls, globals and
updates in place put into one place. A pool serves it if every reader may read and every writer
may write it in place there; imports and exports must lie in the pool where they are asked for,
and so must what a public function takes and gives, where its device is declared or, of what it
takes, where a transfer says that it comes from.

```mlir
// link (a -> b) = {transparent_access}: a reaches b's memory
%1 = stream.async.dispatch on(@a) …        // a writes
%2 = stream.async.transfer %1 … from(@a) -> to(@b) … {stream.transfer_kind = "alias"}
%3 = stream.async.dispatch on(@b) @f(%2) … // b reads: {%1, %2} may lie in b's pool, and only there
%4 = util.call @g(%2) …                    // and what @g does with its argument counts as well
```
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...dialects import stream, util
from ...dialects.access import op_affinity, tied_results
from ...dialects.hal import AffinityAttr
from ...dialects.topology import HOST, Topology
from ...dialects.walk import walk
from .affinity import declared_affinities, default_affinity
from .execution_counts import ExecutionCounts
from .in_place import InPlaceUpdates
from .sizes import stated_sizes
from .transfer_costs import size_bytes, use_cost
from .union_find import UnionFind
from .update_users import tied_updates
from .value_flow import (
    GLOBAL_ACCESSES,
    Edge,
    call_edges,
    function_returns,
    global_name,
    host_functions,
    is_public,
)
from .versions import COPY, transfer_kind

_COMMANDS = (
    stream.AsyncCloneOp,
    stream.AsyncSliceOp,
    stream.AsyncUpdateOp,
    stream.AsyncCopyOp,
    stream.AsyncFillOp,
    stream.AsyncSplatOp,
)
"""Ops that become copy and fill commands, which reach memory that kernels of the device may not."""
_T = TypeVar("_T")


def _sum(left: dict[_T, int], right: dict[_T, int]) -> dict[_T, int]:
    total = dict(left)
    for key, count in right.items():
        total[key] = total.get(key, 0) + count
    return total


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
    in_place: dict[str, None] = field(default_factory=dict[str, None])
    """Those of the agents whose kernels, or whose loads and stores, use it: it must be in reach."""
    copied: dict[str, int] = field(default_factory=dict[str, int])
    """How often copies of an agent read it in one call of the program."""
    uses: dict[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    """How often, in one call of the program, each agent uses how many bytes."""
    in_global: bool = False
    """A global holds it, perhaps from one call of the program to the next."""
    with_caller: bool = False
    """Comes from whoever calls the program, or goes there."""

    @property
    def agents(self) -> dict[str, None]:
        """All users."""
        return self.readers | self.writers

    def merged(self, other: "Usage") -> "Usage":
        """The usage of two storages made one."""
        return Usage(
            self.readers | other.readers,
            self.writers | other.writers,
            self.pinned | other.pinned,
            self.in_place | other.in_place,
            _sum(self.copied, other.copied),
            _sum(self.uses, other.uses),
            self.in_global or other.in_global,
            self.with_caller or other.with_caller,
        )


class SharedStorage:
    """The storages of `module`; transfers join theirs only by `union`.

    `decided` says for each function of the module which updates work in place.
    """

    def __init__(
        self,
        module: ModuleOp,
        topology: Topology,
        decided: Iterable[InPlaceUpdates],
        counts: ExecutionCounts | None = None,
    ) -> None:
        self.topology = topology
        self.counts = counts or ExecutionCounts(module)
        self._sets: UnionFind[object] = UnionFind()
        self._usage: dict[object, Usage] = {}
        calls = [edge for edge in call_edges(module) if _carries_resource(edge)]
        self._globals = {
            op.sym_name.data: op for op in module.body.block.ops if isinstance(op, util.GlobalOp)
        }
        # What a function of the module gives is known; only of others it may be what they took.
        followed = {function for edge in calls for function in (edge.carrier, edge.target.owner)}
        self._functions: list[Operation] = []
        for function in decided:
            self._functions.append(function.function)
            for op in walk(function.function):
                self._record(op)
                self._tie(op, function)
            for edge in function.versions.flow.edges():
                if edge.carrier not in followed:
                    self.union(edge.source, edge.target)
        for edge in calls:
            self.union(edge.source, edge.target)
        self._pin_borders(module)

    def _pin_borders(self, module: ModuleOp) -> None:
        """Who calls a public function puts arguments, and expects results, where it declares."""
        for function in host_functions(module).values():
            entry = function.regions[0].first_block
            if entry is None or not is_public(function):
                continue
            sides = [(entry.args, "arg_attrs")]
            sides += [(op.operands, "res_attrs") for op in function_returns(function)]
            for values, attributes in sides:
                declared = declared_affinities(function, attributes)
                for number, value in enumerate(values):
                    if isinstance(value.type, stream.ResourceType):
                        home = declared.get(number) or default_affinity(function)
                        home = home or _left_from(value)
                        self._use(value, function, pinned=devices_of(home))
                        self._usage_of(value).with_caller = True

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
                # What the caller gave away is the program's.
                self._usage_of(op.result).with_caller |= op.consume is None
            case stream.TensorExportOp():
                self._use(op.source, op, readers=(HOST,), pinned=devices_of(op.affinity))
                self._usage_of(op.source).with_caller = True
            case _:
                devices = devices_of(op_affinity(op))
                resources = [
                    value
                    for value in (*op.operands, *op.results)
                    if isinstance(value.type, stream.ResourceType)
                ]
                copies = isinstance(op, _COMMANDS)
                targets = [operand for _, operand in tied_results(op)] if copies else []
                for value in resources:
                    if value.owner is op:
                        self._use(value, op, writers=devices, copies=copies)
                    elif value not in targets:
                        self._use(value, op, readers=devices, copies=copies)

    def _usage_of(self, value: object) -> Usage:
        """The usage of the storage of `value`, to be added to."""
        return self._usage.setdefault(self._sets.find(value), Usage())

    def _use(
        self,
        value: SSAValue,
        op: Operation,
        readers: Sequence[str] = (),
        writers: Sequence[str] = (),
        pinned: Sequence[str] = (),
        *,
        copies: bool = False,
    ) -> None:
        usage = self._usage_of(value)
        count = self.counts.of(op)
        if copies:
            usage.copied = _sum(usage.copied, dict.fromkeys(readers, count))
        else:
            usage.in_place.update(dict.fromkeys((*readers, *writers)))
        usage.readers.update(dict.fromkeys(readers))
        usage.writers.update(dict.fromkeys(writers))
        usage.pinned.update(dict.fromkeys(pinned))
        size = size_bytes(dict(stated_sizes(op)).get(value))
        for agent in (*readers, *writers):
            usage.uses[agent, size] = usage.uses.get((agent, size), 0) + count

    def _tie(self, op: Operation, decided: InPlaceUpdates) -> None:
        match op:
            case stream.AsyncCastOp() | stream.ResourceSubviewOp():
                self.union(op.source, op.result)
            case stream.TimepointAwaitOp():
                for source, result in zip(op.resource_operands, op.result_resources, strict=True):
                    self.union(source, result)
            case stream.AsyncTransferOp():
                return
            case _ if isinstance(op, GLOBAL_ACCESSES):
                variable = self._globals.get(global_name(op))
                for value in (*op.operands, *op.results) if variable is not None else ():
                    if isinstance(value.type, stream.ResourceType):
                        self.union(variable, value)
                        self._usage_of(value).in_global = True
            case _:
                updated = tied_updates(op)
                for result, operand in tied_results(op):
                    if operand in updated and (op, operand) not in decided.clones:
                        self.union(operand, result)

    def union_aliases(self) -> None:
        """Join what the alias transfers of all functions join."""
        for function in self._functions:
            for op in walk(function):
                if isinstance(op, stream.AsyncTransferOp) and transfer_kind(op) != COPY:
                    self.union(op.source, op.result)

    # Sets --------------------------------------------------------------------------------------

    def union(self, left: object, right: object) -> None:
        """Give both one storage; values or globals."""
        a, b = self._sets.find(left), self._sets.find(right)
        if a is b:
            return
        merged = self.merged(a, b)
        self._usage.pop(a, None)
        self._usage.pop(b, None)
        self._usage[self._sets.union(a, b)] = merged

    def usage(self, value: object) -> Usage:
        """Who uses the storage of `value`."""
        return self._usage.get(self._sets.find(value), Usage())

    def merged(self, left: object, right: object) -> Usage:
        """Who would use the storage of both if they had one."""
        if self._sets.find(left) is self._sets.find(right):
            return self.usage(left)
        return self.usage(left).merged(self.usage(right))

    def pools(self, usage: Usage) -> list[str]:
        """The pools, by owner, that serve `usage`; the cheapest to use in place first."""
        serving = [pool for pool in self.topology.pools() if self._serves(usage, pool.name)]
        required = {self.topology.pool_of(device).name for device in usage.pinned}
        names = [pool.name for pool in serving if not required - {pool.name}]
        return sorted(names, key=lambda name: self._cost_in(usage, name))

    def _serves(self, usage: Usage, pool: str) -> bool:
        """Whether all users use `pool` as they do: kernels in place, copies over the link."""
        to = self.topology
        return all(
            to.reads_in_place(agent, pool)
            # What is copied from there more than once is better brought here.
            or (self._only_copies(usage, agent) and to.copies_from(agent, pool))
            for agent in usage.readers
        ) and all(
            to.writes_in_place(agent, pool)
            or (agent not in usage.in_place and to.copies_to(agent, pool))
            for agent in usage.writers
        )

    def _only_copies(self, usage: Usage, agent: str) -> bool:
        return agent not in usage.in_place and usage.copied.get(agent, 0) <= 1

    def _cost_in(self, usage: Usage, pool: str) -> float:
        return sum(
            count * use_cost(self.topology, agent, pool, size)
            for (agent, size), count in usage.uses.items()
        )

    def cost(self, usage: Usage) -> float:
        """Nanoseconds for all uses of a storage in the best pool; 0 where none serves."""
        return min((self._cost_in(usage, name) for name in self.pools(usage)), default=0.0)

    def total_cost(self) -> float:
        """`cost` of all storages."""
        return sum(map(self.cost, self._usage.values()))

    def may_share(self, left: SSAValue, right: SSAValue) -> bool:
        """Whether one storage could take the place of those of `left` and `right`."""
        usage = self.merged(left, right)
        if len(_known([*usage.agents, *usage.pinned])) <= 1:
            return True
        known = set(self.topology.device_names)
        return known.issuperset(_known([*usage.agents, *usage.pinned])) and bool(self.pools(usage))


def _left_from(value: SSAValue) -> Attribute | None:
    """Where an argument without a declared device is transferred from, which is where it lies."""
    if not isinstance(value, BlockArgument):
        return None
    transfers = (use.operation for use in value.uses)
    stated = (op.source_affinity for op in transfers if isinstance(op, stream.AsyncTransferOp))
    return next((affinity for affinity in stated if affinity is not None), None)


def _carries_resource(edge: Edge) -> bool:
    return isinstance(edge.source.type, stream.ResourceType)


def _known(agents: Iterable[str]) -> set[str]:
    return {agent for agent in agents if agent != HOST}
