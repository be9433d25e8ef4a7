"""An order of a block's ops that takes further edges for as long as they close no cycle.

The ops keep their textual order until an edge asks for another one: then those between its two
ends that depend on the later end move behind it, as in the dynamic topological sort of Pearce
and Kelly (2006). An edge that would close a cycle is refused.

```
%1 = f(%0)          put_before(h, g):    %1 = f(%0)
%2 = g(%1)                               %3 = h(%1)
%3 = h(%1)                               %2 = g(%1)
```

Values give edges. Host ops that have regions or effects stay where they are, and so does what
is before and after them. Cost: linear to build; an edge costs what lies between its ends.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation
from xdsl.traits import is_side_effect_free

from ...dialects.stream.base import is_async_leaf
from ...dialects.walk import walk

UNORDERED = frozenset(
    {
        "hal.buffer_view.assert",
        "hal.buffer_view.dim",
        "hal.buffer_view.rank",
        "hal.element_type",
        "hal.encoding_type",
        "util.assume.int",
        "util.global.load",
        "stream.tensor.import",
        "stream.tensor.export",
    }
)
"""Host ops that may move across work on devices that they do not depend on."""


def ancestor_in(block: Block, op: Operation) -> Operation | None:
    """`op`, or the op of `block` that it is nested in; None where it is outside."""
    current: Operation | None = op
    while current is not None and current.parent is not block:
        current = current.parent_op()
    return current


@dataclass(slots=True)
class OpOrder:
    """The order of the ops of `block`; `changed` once it is not the textual one any more."""

    block: Block
    changed: bool = False
    _position: dict[Operation, int] = field(default_factory=dict[Operation, int])
    _after: dict[Operation, list[Operation]] = field(
        default_factory=dict[Operation, list[Operation]]
    )
    _before: dict[Operation, list[Operation]] = field(
        default_factory=dict[Operation, list[Operation]]
    )

    def __post_init__(self) -> None:
        fence: Operation | None = None
        since: list[Operation] = []
        for position, op in enumerate(self.block.ops):
            self._position[op] = position
            self._after[op], self._before[op] = [], []
            for used in self._used(op):
                self._link(used, op)
            if fence is not None:
                self._link(fence, op)
            if _stays(op):
                for other in since:
                    self._link(other, op)
                fence, since = op, []
            else:
                since.append(op)

    def _used(self, op: Operation) -> Iterable[Operation]:
        """The ops of the block whose results `op` or an op in it uses."""
        users = walk(op) if op.regions else (op,)
        owners = (value.owner for user in users for value in user.operands)
        return dict.fromkeys(
            owner
            for owner in owners
            if isinstance(owner, Operation) and owner.parent is self.block and owner is not op
        )

    def _link(self, first: Operation, second: Operation) -> None:
        self._after[first].append(second)
        self._before[second].append(first)

    def _unlink(self, first: Operation, second: Operation) -> None:
        self._after[first].remove(second)
        self._before[second].remove(first)

    def ops(self) -> list[Operation]:
        """The ops in order."""
        return sorted(self._position, key=self._position.__getitem__)

    def is_before(self, first: Operation, second: Operation) -> bool:
        """Whether `first` stands before `second`."""
        return self._position[first] < self._position[second]

    def put_before(self, edges: Iterable[tuple[Operation, Operation]]) -> bool:
        """Order the first op of each pair before the second; False, and no edge, on a cycle."""
        added: list[tuple[Operation, Operation]] = []
        for first, second in edges:
            if first is second or not self._make_room(first, second):
                for edge in reversed(added):
                    self._unlink(*edge)
                return False
            self._link(first, second)
            added.append((first, second))
        return True

    def _make_room(self, first: Operation, second: Operation) -> bool:
        """Move `first` before `second` with all that it needs; False where it needs `second`."""
        low, high = self._position[second], self._position[first]
        if high < low:
            return True
        behind = self._reach(second, self._after, lambda position: position <= high)
        if first in behind:
            return False
        ahead = self._reach(first, self._before, lambda position: position >= low)
        moved = [
            *sorted(ahead, key=self._position.__getitem__),
            *sorted(behind, key=self._position.__getitem__),
        ]
        places = sorted(self._position[op] for op in moved)
        self._position.update(zip(moved, places, strict=True))
        self.changed = True
        return True

    def _reach(
        self,
        start: Operation,
        edges: dict[Operation, list[Operation]],
        within: Callable[[int], bool],
    ) -> dict[Operation, None]:
        found = {start: None}
        pending = [start]
        while pending:
            for op in edges[pending.pop()]:
                if op not in found and within(self._position[op]):
                    found[op] = None
                    pending.append(op)
        return found

    def apply(self) -> None:
        """Bring the block's ops into this order."""
        if not self.changed:
            return
        ops = self.ops()
        for op in ops:
            op.detach()
        self.block.add_ops(ops)
        self.changed = False


def _stays(op: Operation) -> bool:
    """Whether nothing moves across `op`."""
    if op.name in UNORDERED or is_async_leaf(op):
        return False
    return bool(op.regions) or op.next_op is None or not is_side_effect_free(op)
