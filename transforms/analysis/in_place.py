"""Which updates in place may work in place, and which order of ops makes that right.

```mlir
%2 = stream.async.fill on(@b) %v, %1[…] … -> %1 as …
%3 = stream.async.dispatch on(@a) @r(%1[…]) …     // the old contents
```

The fill need not work on a clone of `%1`: nothing that `@r` reads depends on it, so that it may
come after `@r`. The order of the block is changed to say so, and scheduling, which orders
accesses to one storage as in the text, makes it a wait of b for a (row IR-47). Where the reader
also needs the update's result, only a clone helps.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.diagnostics import remark
from ...dialects.location import location_text
from ...dialects.walk import walk
from .call_summaries import CallSummaries
from .op_order import OpOrder
from .storage_flow import Entry
from .update_users import tied_updates
from .versions import Conflict, Versions

Edge = tuple[Operation, Operation]


@dataclass(slots=True)
class InPlaceUpdates:
    """The decision for every update in place of a function, in textual order.

    `copies` are transfers to take as copies, `calls` what functions do, as for `Versions`.
    """

    function: Operation
    copies: frozenset[Operation] = frozenset()
    calls: CallSummaries | None = None
    versions: Versions = field(init=False)
    clones: dict[tuple[Operation, SSAValue], Conflict] = field(
        default_factory=dict[tuple[Operation, SSAValue], Conflict]
    )
    """Updates that must work on a clone of the operand, with the reason."""
    entry_clones: dict[Entry, Conflict] = field(default_factory=dict[Entry, Conflict])
    """Operands that loops and branches must take as a clone, with the reason."""
    moved: dict[Operation, list[Operation]] = field(
        default_factory=dict[Operation, list[Operation]]
    )
    """Updates that come after readers which stand behind them in the text."""
    _orders: dict[Block, OpOrder] = field(default_factory=dict[Block, OpOrder])
    _edges: dict[Block, list[Edge]] = field(default_factory=dict[Block, list[Edge]])
    """What is relied on in blocks that are still in textual order."""

    def __post_init__(self) -> None:
        self.versions = Versions(self.function, self.copies, self.calls)
        for op in walk(self.function):
            for operand in tied_updates(op):
                self._decide(op, operand)

    def _decide(self, op: Operation, operand: SSAValue) -> None:
        demands = self.versions.demands(op, operand)
        if demands.conflict is not None and demands.entries:
            for entry in demands.entries:
                self.entry_clones[entry] = demands.conflict
                self.versions.flow.split(entry)
            demands = self.versions.demands(op, operand)
        conflict = demands.conflict
        if conflict is None and not self.keep_before(demands.readers, op):
            late = [reader for reader in demands.readers if self._is_late(reader, op)]
            conflict = Conflict("its old contents are still read", (late or demands.readers)[0])
        if conflict is not None:
            self.clones[op, operand] = conflict
            self.versions.split(op, operand)
        else:
            self._note_moved(demands.readers, op)

    def _note_moved(self, readers: Iterable[Operation], op: Operation) -> None:
        late = (reader for reader in readers if self._is_late(reader, op))
        if found := dict.fromkeys((*self.moved.get(op, ()), *late)):
            self.moved[op] = list(found)

    def _is_late(self, reader: Operation, op: Operation) -> bool:
        return self.versions.position[reader] > self.versions.position[op]

    # Order -------------------------------------------------------------------------------------

    def order(self, block: Block) -> OpOrder:
        """The order of `block`, for edges that the text does not give."""
        if (order := self._orders.get(block)) is None:
            order = self._orders[block] = OpOrder(block)
            order.put_before(self._edges.pop(block, ()))
        return order

    def keep_before(self, readers: Iterable[Operation], op: Operation) -> bool:
        """Order `readers` before `op`, all of one block; False, and no change, on a cycle."""
        return self.put_before([(reader, op) for reader in readers])

    def put_before(self, edges: Sequence[Edge]) -> bool:
        """Order the first op of each pair, all of one block, before the second; as above."""
        if not edges:
            return True
        block = edges[0][0].parent
        assert block is not None
        position = self.versions.position
        in_text = all(position[first] < position[second] for first, second in edges)
        if block not in self._orders and in_text:
            self._edges.setdefault(block, []).extend(edges)
            return True
        return self.order(block).put_before(edges)

    def share(self, source: SSAValue, result: SSAValue, start: int | None) -> bool:
        """Let `result` be the bytes of `source` from `start` on, instead of a copy.

        False, and no change, where some update in place would then be seen through the wrong
        name, in every order.
        """
        self.versions.join(source, result, start)
        edges: list[Edge] = []
        for op, operand in self.versions.updates(source):
            demands = self.versions.demands(op, operand)
            if demands.conflict is not None:
                break
            edges.extend((reader, op) for reader in demands.readers)
        else:
            if self._put_all_before(edges):
                for reader, op in edges:
                    self._note_moved((reader,), op)
                return True
        self.versions.part(result)
        return False

    def _put_all_before(self, edges: list[Edge]) -> bool:
        """As `put_before`, for edges of several blocks; those of a refused set may stay."""
        blocks: dict[Block, list[Edge]] = {}
        for edge in dict.fromkeys(edges):
            block = edge[0].parent
            assert block is not None
            blocks.setdefault(block, []).append(edge)
        return all(self.put_before(of_block) for of_block in blocks.values())

    def reorder(self) -> None:
        """Bring the ops of all blocks into the order decided on, and tell it as remarks."""
        for op, readers in self.moved.items():
            where = ", ".join(filter(None, map(location_text, readers)))
            remark(op, f"updated in place after the readers of its old contents ({where})")
        for order in self._orders.values():
            order.apply()
