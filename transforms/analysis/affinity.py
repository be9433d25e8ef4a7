"""Which device each tensor op of a flow-level function runs on, and where each tensor lives.

Follows the order of IREE's affinity analysis: an explicit affinity; else the affinity of an
operand, in operand order; else that of a user; else `stream.affinity.default`. A transfer pins
its result to its target and says nothing of the device of its source, except that an import
that is only transferred lives where it goes (its transfer then moves nothing).

```mlir
%0 = hal.tensor.import %arg0                         // on a: its dispatch runs on a
%1 = flow.dispatch @ex::@f(%0)                       // on a: a user, the last dispatch, does
%2 = flow.tensor.transfer %1 to #hal.device.affinity<@b>   // a -> b
%3 = flow.dispatch @ex::@g(%2)                       // on b: its operand lives there
%4 = flow.tensor.transfer %3 to #hal.device.affinity<@a>   // b -> a
%5 = flow.dispatch @ex::@h(%4, %1)                   // on a
```
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import flow
from ...dialects.hal.tensor import TensorImportOp
from .value_flow import value_edges

DEFAULT_AFFINITY = "stream.affinity.default"
EXPLICIT_AFFINITY = "stream.affinity"


@dataclass(frozen=True, slots=True)
class Affinities:
    """The result: an affinity attribute per op and per tensor value."""

    ops: Mapping[Operation, Attribute]
    values: Mapping[SSAValue, Attribute]


def default_affinity(op: Operation) -> Attribute | None:
    """`stream.affinity.default` of the nearest enclosing op that has one."""
    parent: Operation | None = op
    while parent is not None:
        if (affinity := parent.attributes.get(DEFAULT_AFFINITY)) is not None:
            return affinity
        parent = parent.parent_op()
    return None


def explicit_affinity(op: Operation) -> Attribute | None:
    """The affinity an op states itself: its `affinity` field or `stream.affinity`."""
    return op.attributes.get(EXPLICIT_AFFINITY) or op.properties.get("affinity")


def analyze_affinities(function: Operation) -> Affinities:
    """The affinities of all tensor ops in `function`.

    Ops without any affinity, explicit, inferred or default, are missing in the result.
    """
    return _Solver(function).solve()


def _tensors(values: Iterable[SSAValue]) -> list[SSAValue]:
    return [value for value in values if isinstance(value.type, ShapedType)]


@dataclass(slots=True)
class _Solver:
    function: Operation
    ops: dict[Operation, Attribute] = field(default_factory=dict[Operation, Attribute])
    values: dict[SSAValue, Attribute] = field(default_factory=dict[SSAValue, Attribute])
    order: list[Operation] = field(default_factory=list[Operation])
    position: dict[Operation, int] = field(default_factory=dict[Operation, int])
    forward: dict[SSAValue, list[SSAValue]] = field(default_factory=dict[SSAValue, list[SSAValue]])
    backward: dict[SSAValue, list[SSAValue]] = field(default_factory=dict[SSAValue, list[SSAValue]])

    def solve(self) -> Affinities:
        for position, op in enumerate(self.function.walk()):
            self.position[op] = position
            if isinstance(op, flow.TensorTransferOp):
                self._place(op, op.target)
            elif not op.regions and not _is_terminator(op) and _touches_tensors(op):
                self.order.append(op)
        for edge in value_edges(self.function):
            if isinstance(edge.source.type, ShapedType):
                self.forward.setdefault(edge.target, []).append(edge.source)
                self.backward.setdefault(edge.source, []).append(edge.target)
        for op in self.order:
            if (affinity := explicit_affinity(op)) is not None:
                self._place(op, affinity)
        self._propagate()
        self._default()
        return Affinities(self.ops, self.values)

    def _propagate(self) -> None:
        """Operands first, as far as they reach; then users; again until nothing changes."""
        while True:
            known = len(self.values) + len(self.ops)
            for op in self.order:
                self._from_operands(op)
            self._carry(self.forward)
            if len(self.values) + len(self.ops) != known:
                continue
            for op in reversed(self.order):
                self._from_users(op)
            self._carry(self.backward)
            if len(self.values) + len(self.ops) == known:
                return

    def _default(self) -> None:
        for op in self.order:
            self._from_operands(op)
            if op not in self.ops and (affinity := default_affinity(op)) is not None:
                self._place(op, affinity)

    def _place(self, op: Operation, affinity: Attribute) -> None:
        self.ops[op] = affinity
        for result in op.results:
            self.values.setdefault(result, affinity)

    def _from_operands(self, op: Operation) -> None:
        if op in self.ops:
            return
        for operand in _tensors(op.operands):
            if (affinity := self.values.get(operand)) is not None:
                self._place(op, affinity)
                return

    def _from_users(self, op: Operation) -> None:
        if op in self.ops:
            return
        for result in _tensors(op.results):
            if (affinity := self._user_affinity(op, result)) is not None:
                self._place(op, affinity)
                return

    def _user_affinity(self, op: Operation, value: SSAValue) -> Attribute | None:
        transfers: list[Attribute] = []
        undecided = False
        for user in self._users(value):
            if isinstance(user, flow.TensorTransferOp):
                transfers.append(user.target)
            elif (affinity := self.ops.get(user)) is not None:
                return affinity
            elif not _is_terminator(user) and not user.regions:
                undecided = True
        for target in self.backward.get(value, ()):
            if (affinity := self.values.get(target)) is not None:
                return affinity
        # Transfers decide only when no other user is left, and only for imports.
        if isinstance(op, TensorImportOp) and transfers and not undecided:
            return transfers[0]
        return None

    def _users(self, value: SSAValue) -> list[Operation]:
        users = {use.operation for use in value.uses}
        return sorted(users, key=lambda user: self.position.get(user, 0))

    def _carry(self, edges: Mapping[SSAValue, list[SSAValue]]) -> None:
        for value, sources in edges.items():
            if value in self.values:
                continue
            for source in sources:
                if (affinity := self.values.get(source)) is not None:
                    self.values[value] = affinity
                    break


def _touches_tensors(op: Operation) -> bool:
    return bool(_tensors(op.operands) or _tensors(op.results))


def _is_terminator(op: Operation) -> bool:
    return op.parent is not None and op.parent.last_op is op
