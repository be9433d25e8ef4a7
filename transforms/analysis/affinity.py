"""Which device each tensor op of a flow-level module runs on, and where each tensor lives.

Follows the order of IREE's affinity analysis: an explicit affinity, of an op or of a function's
argument; else the affinity of an
operand, in operand order; else that of a user; else `stream.affinity.default`. A transfer pins
its result to its target and says nothing of the device of its source, except that an import
lives where it is transferred to, unless another user's device is known (its transfer then moves
nothing, and its other users follow it there). Values that branches, loops, calls, selects and
globals carry (`value_flow.py`) live where their first source with a known device does, else where
they are used. The default is a device like any other: what it decides reaches the ops after it.

```mlir
%0 = hal.tensor.import %arg0                         // on a: its dispatch runs on a
%1 = flow.dispatch @ex::@f(%0)                       // on a: a user, the last dispatch, does
%2 = flow.tensor.transfer %1 to #hal.device.affinity<@b>   // a -> b
%3 = flow.dispatch @ex::@g(%2)                       // on b: its operand lives there
%4 = flow.tensor.transfer %3 to #hal.device.affinity<@a>   // b -> a
%5 = flow.dispatch @ex::@h(%4, %1)                   // on a
```
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ShapedType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from ...dialects import flow, util
from ...dialects.diagnostics import fail
from ...dialects.hal.affinity import AffinityAttr
from ...dialects.hal.tensor import TensorImportOp
from .import_placement import cheapest, departures
from .value_flow import GLOBAL_ACCESSES, global_name, host_ops, program_edges

DEFAULT_AFFINITY = "stream.affinity.default"
EXPLICIT_AFFINITY = "stream.affinity"


@dataclass(frozen=True, slots=True)
class Affinities:
    """The result: an affinity attribute per op and per tensor value."""

    ops: Mapping[Operation, Attribute]
    """By tensor op, and by global of tensors."""
    values: Mapping[SSAValue, Attribute]


def default_affinity(op: Operation) -> Attribute | None:
    """`stream.affinity` or `stream.affinity.default` of the nearest enclosing op that has one.

    Raises OpError there if it is no affinity.
    """
    parent: Operation | None = op
    while parent is not None:
        for name in (EXPLICIT_AFFINITY, DEFAULT_AFFINITY):
            if (affinity := parent.attributes.get(name)) is not None:
                return _checked(parent, affinity)
        parent = parent.parent_op()
    return None


def explicit_affinity(op: Operation) -> Attribute | None:
    """The affinity an op states itself: its target, its `affinity` field or `stream.affinity`.

    Raises OpError if it is none.
    """
    if isinstance(op, flow.TensorTransferOp | flow.TensorBarrierOp):
        return _checked(op, op.target)
    stated = op.attributes.get(EXPLICIT_AFFINITY) or op.properties.get("affinity")
    return None if stated is None else _checked(op, stated)


def declared_affinities(function: Operation, side: str) -> dict[int, Attribute]:
    """The affinities that `function` states for arguments or results, by their numbers.

    They are `stream.affinity` in the dictionaries of the property `side`, which is `arg_attrs` or
    `res_attrs`. Raises OpError if one is none.
    """
    stated = function.properties.get(side)
    found: dict[int, Attribute] = {}
    for number, entry in enumerate(stated if isa(stated, ArrayAttr[DictionaryAttr]) else ()):
        if (affinity := entry.data.get(EXPLICIT_AFFINITY)) is not None:
            found[number] = _checked(function, affinity)
    return found


def _checked(op: Operation, stated: Attribute) -> AffinityAttr:
    """What `op` states as an affinity, which the dialects leave open."""
    if not isinstance(stated, AffinityAttr):
        fail(op, f"expected an affinity, got {stated}; write #hal.device.affinity<@device>")
    return stated


def analyze_affinities(root: Operation) -> Affinities:
    """The affinities of all tensor ops in `root`, a module or a function.

    Ops without any affinity, explicit, inferred or default, are missing in the result.
    """
    return _Solver(root).solve()


def _tensors(values: Iterable[SSAValue]) -> list[SSAValue]:
    return [value for value in values if isinstance(value.type, ShapedType)]


_CARRIERS = frozenset(
    (
        "arith.select",
        "func.call",
        "util.call",
        "util.global.load",
        "util.global.load.indirect",
        "util.global.store",
        "util.global.store.indirect",
        "util.optimization_barrier",
    )
)
"""Ops that only pass tensors on: their values have an affinity, they themselves have none."""

Node = Operation | SSAValue
"""What gets an affinity: a tensor op with its results, a global, or a value that is carried."""


@dataclass(slots=True)
class _Solver:
    """Places nodes, each once, working from what was placed last.

    Forward steps have precedence: a node is placed from its users only when no operand of any
    node decides one.
    """

    root: Operation
    nodes: list[Node] = field(default_factory=list[Node])
    """In textual order."""
    place: dict[Node, int] = field(default_factory=dict[Node, int])
    """Node to its index in `nodes`."""
    ops: dict[Operation, Attribute] = field(default_factory=dict[Operation, Attribute])
    values: dict[SSAValue, Attribute] = field(default_factory=dict[SSAValue, Attribute])
    sources: dict[Node, list[Node]] = field(default_factory=dict[Node, list[Node]])
    """What each carried value or global comes from: values, or the global of a load."""
    targets: dict[Node, list[Node]] = field(default_factory=dict[Node, list[Node]])
    forward: list[int] = field(default_factory=list[int])
    backward: list[int] = field(default_factory=list[int])

    def solve(self) -> Affinities:
        self._collect()
        for node in self.nodes:
            if isinstance(node, Operation) and (affinity := explicit_affinity(node)) is not None:
                self._set(node, affinity)
            elif isinstance(node, BlockArgument) and node.block.prev_block is None:
                stated = declared_affinities(_home(node), "arg_attrs")
                if (affinity := stated.get(node.index)) is not None:
                    self._set(node, affinity)
        self.forward = list(range(len(self.nodes)))
        self.backward = [-place for place in reversed(self.forward)]
        self._propagate()
        for node in self.nodes:
            if isinstance(node, TensorImportOp) and not self._is_placed(node):
                self._place_import(node)
        for node in self.nodes:
            if (
                not self._is_placed(node)
                and (affinity := default_affinity(_home(node))) is not None
            ):
                self._set(node, affinity)
                self._propagate()
        return Affinities(self.ops, self.values)

    def _place_import(self, op: TensorImportOp) -> None:
        """Place an import that is transferred, and all that is connected to it."""
        targets = [departure.target for departure in departures(op.results)]
        if not targets:
            return
        default = default_affinity(op)
        candidates = targets if default is None else [*targets, default]
        self._set(op, cheapest(candidates, departures(self._connected(op))))
        self._propagate()

    def _connected(self, node: Node) -> list[SSAValue]:
        """The values of all nodes that get the affinity of `node` when it gets one."""
        found: dict[Node, None] = {node: None}
        pending = [node]
        while pending:
            near = pending.pop()
            for other in (*self._before(near), *self._onward(near)):
                known = self._node(other)
                if known in self.place and known not in found and not self._is_placed(known):
                    found[known] = None
                    pending.append(known)
        return [value for found_node in found for value in _defined(found_node)]

    def _collect(self) -> None:
        """Find the nodes, and what flows between them."""
        carried: set[SSAValue] = set()
        for edge in program_edges(self.root):
            if isinstance(edge.source.type, ShapedType):
                self._connect(edge.source, edge.target)
                carried.add(edge.target)
        stored: dict[str, Operation] = {}
        for op in host_ops(self.root):
            if isinstance(op, util.GlobalOp) and isinstance(op.type, ShapedType):
                stored[op.sym_name.data] = op
                self._add(op)
            elif op.name not in _CARRIERS and not op.regions and not _is_terminator(op):
                if _touches_tensors(op):
                    self._add(op)
            elif (variable := self._accessed(op, stored)) is not None:
                for value in op.operands:
                    self._connect(value, variable)
                for value in op.results:
                    self._connect(variable, value)
                    self._add(value)
            arguments = (
                arg for region in op.regions for block in region.blocks for arg in block.args
            )
            for value in (*(v for v in op.results if v in carried), *_tensors(arguments)):
                self._add(value)

    def _accessed(self, op: Operation, stored: Mapping[str, Operation]) -> Operation | None:
        """The global of tensors that `op` loads or stores."""
        if not isinstance(op, GLOBAL_ACCESSES):
            return None
        return stored.get(global_name(op))

    def _add(self, node: Node) -> None:
        if node not in self.place:
            self.place[node] = len(self.nodes)
            self.nodes.append(node)

    def _connect(self, source: Node, target: Node) -> None:
        self.sources.setdefault(target, []).append(source)
        self.targets.setdefault(source, []).append(target)

    def _propagate(self) -> None:
        """Operands first, as far as they reach; then users; again until nothing changes."""
        while self.forward or self.backward:
            while self.forward:
                self._step(self.nodes[heappop(self.forward)], self._from_operands)
            # All that users decide now, before that reaches further nodes through operands.
            while self.backward:
                self._step(self.nodes[-heappop(self.backward)], self._from_users)

    def _step(self, node: Node, decide: Callable[[Node], Attribute | None]) -> None:
        if not self._is_placed(node) and (affinity := decide(node)) is not None:
            self._set(node, affinity)

    def _is_placed(self, node: Node) -> bool:
        return self._affinity(node) is not None

    def _affinity(self, node: Node) -> Attribute | None:
        return self.ops.get(node) if isinstance(node, Operation) else self.values.get(node)

    def _set(self, node: Node, affinity: Attribute) -> None:
        """Place `node` and look again at all that it may decide."""
        if isinstance(node, Operation):
            self.ops[node] = affinity
        for value in _defined(node):
            self.values.setdefault(value, affinity)
        for following in self._onward(node):
            self._push(self.forward, following, 1)
        for previous in self._before(node):
            self._push(self.backward, previous, -1)

    def _onward(self, node: Node) -> list[Node]:
        """What `node` may decide as a source or an operand."""
        onward: list[Node] = [*self.targets.get(node, ())] if isinstance(node, Operation) else []
        for value in _defined(node):
            onward += [use.operation for use in value.uses]
            onward += self.targets.get(value, ())
        return onward

    def _before(self, node: Node) -> list[Node]:
        """What `node` may decide as a target or a user."""
        operands = _tensors(node.operands) if isinstance(node, Operation) else ()
        return [*self.sources.get(node, ()), *operands]

    def _node(self, node: Node) -> Node:
        """The op of a result that is no node of its own."""
        return node.op if isinstance(node, OpResult) and node not in self.place else node

    def _push(self, heap: list[int], node: Node, sign: int) -> None:
        node = self._node(node)
        if (place := self.place.get(node)) is not None and not self._is_placed(node):
            heappush(heap, sign * place)

    def _from_operands(self, node: Node) -> Attribute | None:
        sources = self.sources.get(node, ())
        operands = _tensors(node.operands) if isinstance(node, Operation) else ()
        known = (self._affinity(source) for source in (*sources, *operands))
        return next((affinity for affinity in known if affinity is not None), None)

    def _from_users(self, node: Node) -> Attribute | None:
        if not isinstance(node, Operation):
            return self._user_affinity(node)
        known = (self._affinity(target) for target in self.targets.get(node, ()))
        decided = (self._user_affinity(result) for result in _tensors(node.results))
        return next((affinity for affinity in (*known, *decided) if affinity is not None), None)

    def _user_affinity(self, value: SSAValue) -> Attribute | None:
        for user in self._users(value):
            pinned = isinstance(user, flow.TensorTransferOp)
            if not pinned and (affinity := self.ops.get(user)) is not None:
                return affinity
        known = (self._affinity(target) for target in self.targets.get(value, ()))
        return next((affinity for affinity in known if affinity is not None), None)

    def _users(self, value: SSAValue) -> list[Operation]:
        users = {use.operation for use in value.uses}
        return sorted(users, key=lambda user: self.place.get(user, 0))


def _defined(node: Node) -> Sequence[SSAValue]:
    return node.results if isinstance(node, Operation) else (node,)


def _home(node: Node) -> Operation:
    """The op to ask for a default affinity."""
    owner = node if isinstance(node, Operation) else node.owner
    if isinstance(owner, Operation):
        return owner
    parent = owner.parent_op()
    assert parent is not None
    return parent


def _touches_tensors(op: Operation) -> bool:
    return bool(_tensors(op.operands) or _tensors(op.results))


def _is_terminator(op: Operation) -> bool:
    return op.has_trait(IsTerminator, value_if_unregistered=False)
