"""Whether one op may run after another one while a value still is what it was.

```mlir
scf.for … iter_args(%x = %init) {
  %1 = f(%x)            // f(%x) does not follow g with this %x: there is another one by then
  %2 = h(%outer)        // h(%outer) follows g: in the next iteration
  %3 = g(%1)
  scf.yield %3
}
```

Straight-line code, regions of structured ops and blocks of unstructured control flow are all
judged by paths: from the one op to the other, without passing the definition of the value.
"""

from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from .value_flow import ops_in_order

LOOPS = frozenset(("scf.for", "scf.while", "scf.forall", "scf.parallel"))
"""Ops that may run their regions more than once."""

_Path = list[tuple[Block, Operation]]
"""The ops around an op and itself, outermost first, each with its block."""


@dataclass(slots=True)
class FlowOrder:
    """The order of all ops of `function`, loops taken into account. Linear to build."""

    function: Operation
    number: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """An order in which each op comes after those that dominate it."""
    _last: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """The highest number in an op and its regions."""
    _reached: dict[tuple[Block, Block | None], set[Block]] = field(
        default_factory=dict[tuple[Block, Block | None], set[Block]]
    )

    def __post_init__(self) -> None:
        self.number = {op: number for number, op in enumerate(ops_in_order(self.function))}
        for op, number in reversed(self.number.items()):
            last = self._last.setdefault(op, number)
            parent = op.parent_op()
            if parent is not None:
                self._last[parent] = max(last, self._last.get(parent, last))

    def bound_at(self, value: SSAValue) -> int:
        """When `value` is defined, to be compared with that of values alive at the same time."""
        owner = value.owner
        if isinstance(owner, Block):
            first = owner.first_op
            return -1 if first is None else 2 * self.number[first] - 1
        return 2 * self._last[owner]

    def follows(self, user: Operation, op: Operation, value: SSAValue) -> bool:
        """Whether `user` may run after `op` with the `value` that there was when `op` ran."""
        home = value.owner if isinstance(value.owner, Block) else value.owner.parent
        assert home is not None
        mine, theirs = self._path(op), self._path(user)
        depth = next((d for d, (b, _) in enumerate(mine) if b.parent is home.parent), None)
        if depth is None or depth >= len(theirs) or theirs[depth][0].parent is not home.parent:
            return False
        block, here = mine[depth]
        if block is home and not self._is_before(value, here):
            return False
        avoided: Block | None = home
        while True:
            (block, here), (target, there) = mine[depth], theirs[depth]
            if block is target and self.number[here] < self.number[there]:
                return True
            if target in self.reach(block, avoided):
                return True
            depth += 1
            if here is not there or depth in (len(mine), len(theirs)):
                return False
            if here.name in LOOPS:
                return True
            if mine[depth][0].parent is not theirs[depth][0].parent:
                return False
            avoided = None

    def _is_before(self, value: SSAValue, op: Operation) -> bool:
        """Whether `value`, defined in the block of `op`, is there when `op` starts."""
        return isinstance(value.owner, Block) or self.number[value.owner] < self.number[op]

    def _path(self, op: Operation) -> _Path:
        path: _Path = []
        current: Operation | None = op
        while current is not None and current is not self.function:
            block = current.parent
            if block is None:
                break
            path.append((block, current))
            current = block.parent_op()
        path.reverse()
        return path

    def reach(self, start: Block, avoided: Block | None = None) -> set[Block]:
        """The blocks on paths of one edge or more from `start` that do not enter `avoided`."""
        known = self._reached.get((start, avoided))
        if known is None:
            known = self._reached[start, avoided] = set()
            pending = [start]
            while pending:
                last = pending.pop().last_op
                for block in () if last is None else last.successors:
                    if block is not avoided and block not in known:
                        known.add(block)
                        pending.append(block)
        return known
