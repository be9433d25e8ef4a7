"""The ops of a block as a graph: what must come before what, by value and by storage."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stream
from ..analysis.hazards import HazardMap
from ..analysis.nested_ops import NestedOps
from ..analysis.partitioning import HOST
from ..analysis.storage import StorageSets, is_resource, renamed_source
from .placement import Placement, is_fence, runs_on_device


@dataclass(slots=True)
class Node:
    """An op, with the ops that only rename its results."""

    colour: Hashable
    """The affinity of the region it goes into, or `HOST`."""
    ops: list[Operation]
    preds: list[int] = field(default_factory=list[int])
    """Earlier nodes whose values it uses or whose accesses conflict with its own."""
    hazards: list[int] = field(default_factory=list[int])
    """Those of `preds` that come from storage."""
    fence: bool = False
    """A host op that stays between the regions before and after it."""

    @property
    def op(self) -> Operation:
        """The op that does the work."""
        return self.ops[0]

    @property
    def on_host(self) -> bool:
        """Whether it stays in the block."""
        return self.colour == HOST


class Dependences:
    """The nodes of a block, in textual order.

    `repeated` holds ops that go into every region that uses them: undefined contents, and other
    names of values that no region of this block makes.
    """

    def __init__(
        self, block: Block, storage: StorageSets, nested: NestedOps, placement: Placement
    ) -> None:
        self.nodes: list[Node] = []
        self.repeated: dict[SSAValue, Operation] = {}
        self._block = block
        self._storage = storage
        self._nested = nested
        self._placement = placement
        self._hazards = HazardMap()
        self._node_of: dict[SSAValue, int] = {}
        self._behind: dict[SSAValue, list[int]] = {}
        """For results of repeated ops: the nodes that they depend on."""
        self._kept = _needed_by_host(block)
        self.escaping = list(_used_in_other_blocks(block))
        """Values that blocks which this one dominates use: they are ready when it ends."""
        for op in block.ops:
            self._visit(op)

    def _visit(self, op: Operation) -> None:
        source = renamed_source(op)
        if source is not None and self._attach(op, source):
            return
        if source is not None or isinstance(op, stream.AsyncAllocaOp):
            self._behind[op.results[0]] = list(self._defining(op))
            if op.results[0] not in self._kept:
                self.repeated[op.results[0]] = op
                return
            # The op itself goes into one region, with that region's operands.
            self.repeated[op.results[0]] = copy = op.clone()
            copy.location = op.location
        if runs_on_device(op):
            self._add(op, self._placement.of(op))
        else:
            self._add(op, HOST)

    def _attach(self, op: Operation, source: SSAValue) -> bool:
        """Put a rename with the node that makes its source, if a region of this block does."""
        index = self._node_of.get(source)
        if index is None or self.nodes[index].on_host:
            return False
        others = [self._node_of.get(value, -1) for value in op.operands if value is not source]
        if any(other >= index for other in others):
            return False
        self.nodes[index].ops.append(op)
        self.nodes[index].preds.extend(other for other in others if other >= 0)
        self._node_of[op.results[0]] = index
        return True

    def _add(self, op: Operation, colour: Hashable) -> None:
        index = len(self.nodes)
        node = Node(colour, [op], fence=colour == HOST and is_fence(op))
        for value in (*op.operands, *self._nested.uses_within(op)):
            node.preds.extend(self._nodes_of(value))
        for _, access in self._nested.accesses(op):
            node.hazards.extend(
                self._hazards.record(index, access.storage, access.range, writes=access.writes)
            )
        if op.next_op is None:
            for value in self.escaping:
                node.preds.extend(self._nodes_of(value))
        node.preds = list(dict.fromkeys((*node.preds, *node.hazards)))
        self.nodes.append(node)
        for result in op.results:
            self._node_of[result] = index

    def _defining(self, op: Operation) -> Iterator[int]:
        for value in op.operands:
            yield from self._nodes_of(value)

    def _nodes_of(self, value: SSAValue) -> Iterator[int]:
        if (index := self._node_of.get(value)) is not None:
            yield index
        yield from self._behind.get(value, ())

    def uses_of(self, node: Node) -> dict[SSAValue, None]:
        """The resources that a host node uses, itself or in its regions, or lets others use."""
        uses: dict[SSAValue, None] = {
            value: None
            for value in (*node.op.operands, *self._nested.uses_within(node.op))
            if is_resource(value)
        }
        if node is self.nodes[-1]:
            uses.update(dict.fromkeys(self.escaping))
        return uses


def _needed_by_host(block: Block) -> set[SSAValue]:
    """Undefined contents and other names that something that goes into no region of `block` uses,
    itself or by a name that is needed so."""
    needed: set[SSAValue] = set()
    for op in reversed(block.ops):
        if renamed_source(op) is None and not isinstance(op, stream.AsyncAllocaOp):
            continue
        for use in op.results[0].uses:
            user = use.operation
            renames = renamed_source(user) is not None
            if (
                user.parent is not block
                or not (runs_on_device(user) or renames)
                or (renames and user.results[0] in needed)
            ):
                needed.add(op.results[0])
                break
    return needed


def _used_in_other_blocks(block: Block) -> Iterator[SSAValue]:
    """The resources of `block` that are used outside of it and of its ops' regions."""
    if block.parent is None or len(block.parent.blocks) == 1:
        return
    for op in block.ops:
        for result in op.results:
            if is_resource(result) and any(
                block.find_ancestor_op_in_block(use.operation) is None for use in result.uses
            ):
                yield result
