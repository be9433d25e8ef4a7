"""One block: launch regions in the order that its dependences allow, wait where the host must."""

from collections.abc import Iterator, Sequence

from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation

from ...dialects import stream
from ...dialects.access import await_timepoints
from ...dialects.diagnostics import fail
from ..analysis.nested_ops import NestedOps
from ..analysis.partitioning import HOST, Step, partition
from ..analysis.sizes import stated_sizes
from ..analysis.storage import StorageSets
from ..analysis.timeline import Timeline
from ..build import make, tied_indices
from ..outline import Outline
from ..timepoints import TIMEPOINT, await_resources, join_timepoints, set_await
from .dependences import Dependences, Node
from .placement import Placement

_AFFINITIES = ("affinity", "execution_affinity", "source_affinity", "target_affinity")


def schedule_block(
    block: Block, storage: StorageSets, nested: NestedOps, placement: Placement
) -> None:
    """Partition the streamable ops of `block`, which has no barriers, into execution regions.

    `nested`: the ops of the function, read before any of its blocks is rewritten; blocks come
    before those nested in them.

    Raises:
        OpError: an op that cannot be placed or waited for.
    """
    dependences = Dependences(block, storage, nested, placement)
    if all(node.on_host for node in dependences.nodes):
        return
    for op in list(block.ops):
        op.detach()
    schedule = _BlockSchedule(block, storage, nested, dependences)
    for steps, first in _segments(dependences.nodes):
        for step in steps:
            schedule.run(step, first)
    schedule.rename_escaping()
    for op in reversed(list(dependences.repeated.values())):
        if op.parent is None:
            op.erase()


def drop_barriers(block: Block) -> None:
    """Barriers say nothing that affinities and storage do not."""
    for op in list(block.ops):
        if isinstance(op, stream.AsyncBarrierOp):
            op.result.replace_all_uses_with(op.source)
            op.detach()
            op.erase()


def _segments(nodes: Sequence[Node]) -> Iterator[tuple[list[Step], int]]:
    """The steps between fences, and each fence, with the number of their first node."""
    start = 0
    for end in range(len(nodes) + 1):
        if end < len(nodes) and not nodes[end].fence:
            continue
        part = nodes[start:end]
        preds = [[pred - start for pred in node.preds if pred >= start] for node in part]
        yield partition([node.colour for node in part], preds), start
        if end < len(nodes):
            yield [Step(HOST, (0,), awaits_devices=True)], end
        start = end + 1


class _BlockSchedule:
    """The block as it is rebuilt."""

    def __init__(
        self, block: Block, storage: StorageSets, nested: NestedOps, dependences: Dependences
    ) -> None:
        self.block = block
        self.storage = storage
        self.nested = nested
        self.dependences = dependences
        self.nodes = dependences.nodes
        self.timeline = Timeline()
        self.timepoints: list[SSAValue | None] = []
        """By timeline number; None for a wait of the host."""
        self.launched: dict[int, int] = {}
        """Device nodes to the timeline number of their region."""
        self.host: tuple[int, ...] = ()
        """The host's last wait."""
        self.raw: dict[SSAValue, tuple[SSAValue, SSAValue]] = {}
        """Values made in regions: the region's result and its size."""
        self.made_by: dict[SSAValue, int] = {}
        """The same values: the timeline number of the region."""
        self.ready: dict[SSAValue, SSAValue] = {}
        """Values to their names once the host has waited for them."""
        self.imported: dict[SSAValue, int] = {}
        """Timepoints that ops of the block wait for to their timeline numbers."""

    def run(self, step: Step, first: int) -> None:
        """Emit one step; its nodes are counted from `first`."""
        indices = [first + index for index in step.nodes]
        if step.colour == HOST:
            self._run_on_host(indices)
        else:
            assert step.colour is None or isinstance(step.colour, Attribute)
            self._launch(step.colour, indices)

    def _past(self, indices: Sequence[int]) -> list[int]:
        """The regions that nodes depend on and that nothing else among these implies."""
        preds = (pred for index in indices for pred in self.nodes[index].preds)
        return [self.launched[pred] for pred in preds if pred in self.launched]

    def _record(self, timepoint: SSAValue | None, past: Sequence[int]) -> int:
        self.timepoints.append(timepoint)
        return self.timeline.add(*past, *self.host)

    def _join(self, past: Sequence[int], source: Operation) -> SSAValue | None:
        timepoints = [tp for number in past if (tp := self.timepoints[number]) is not None]
        joined, ops = join_timepoints(timepoints, source)
        self.block.add_ops(ops)
        return joined

    # Regions -----------------------------------------------------------------------------------

    def _launch(self, affinity: Attribute | None, indices: list[int]) -> None:
        ops = [op for index in indices for op in self.nodes[index].ops]
        source = ops[0]
        past = [*self._past(indices), *(self._import(tp) for op in ops for tp in _detach_waits(op))]
        past = self.timeline.reduce(past, *self.host)
        awaited = self._join(past, source)
        outline = Outline()
        for op in ops:
            self._add(outline, op, affinity)
        outline.finish(source)
        region = make(
            stream.AsyncExecuteOp,
            source,
            [outline.result_types(), TIMEPOINT],
            resource_operands=list(outline.captures),
            resource_operand_sizes=outline.capture_sizes,
            result_sizes=outline.escaping_sizes,
            await_timepoint=[] if awaited is None else [awaited],
            tied_operands=tied_indices(outline.ties()) if outline.escaping else None,
            affinity=affinity,
            body=outline.region(),
        )
        self.block.add_op(region)
        number = self._record(region.result_timepoint, past)
        self.launched.update(dict.fromkeys(indices, number))
        results = zip(outline.escaping, region.result_resources, region.result_sizes, strict=True)
        for value, result, size in results:
            result.name_hint = value.name_hint
            self.raw[value] = result, size
            self.made_by[value] = number
            self.storage.same(result, value)

    def _import(self, timepoint: SSAValue) -> int:
        if timepoint not in self.imported:
            self.imported[timepoint] = self._record(timepoint, ())
        return self.imported[timepoint]

    def _add(
        self,
        outline: Outline,
        op: Operation,
        affinity: Attribute | None,
    ) -> None:
        """Put `op` into a region, after those repeated ops that it uses."""
        operands = list(op.operands)
        for index, value in enumerate(operands):
            if (original := self.dependences.repeated.get(value)) is None:
                continue
            if value not in outline.repeated:
                clone = original.clone()
                clone.location = original.location
                outline.repeated[value] = clone.results[0]
                self._add(outline, clone, affinity)
            operands[index] = outline.repeated[value]
        op.operands = operands
        for name in _AFFINITIES:
            if op.properties.get(name) == affinity:
                op.properties.pop(name, None)
        outline.add(op, self._outside)

    def _outside(self, value: SSAValue) -> SSAValue:
        return self.raw[value][0] if value in self.raw else value

    # Host --------------------------------------------------------------------------------------

    def _run_on_host(self, indices: list[int]) -> None:
        past = self.timeline.reduce(self._past(indices), *self.host)
        if past:
            self._wait(indices, past)
        for index in indices:
            op = self.nodes[index].op
            self._rename(op)
            for users in self.nested.uses_within(op).values():
                for user in users:
                    self._rename(user)
            self.block.add_op(op)

    def _wait(self, indices: list[int], past: list[int]) -> None:
        """Wait once for all that the host nodes need."""
        needed: dict[SSAValue, tuple[SSAValue, SSAValue]] = {}
        for index in indices:
            needed.update(self._awaited_values(self.nodes[index]))
        if not needed:
            # The op names no resource, but touches storage: any result of the regions will do.
            needed = {value: raw for value, raw in self.raw.items() if self.made_by[value] in past}
        if not needed:
            node = self.nodes[indices[0]]
            fail(
                node.op,
                "must wait for work on devices but takes no resource that could be awaited; "
                "pass it the resource that it touches",
            )
        source = self.nodes[indices[0]].op
        timepoint = self._join(past, source)
        assert timepoint is not None
        wait = await_resources(list(needed.values()), timepoint, source)
        self.block.add_op(wait)
        self.host = (self._record(None, past),)
        for value, result in zip(needed, wait.result_resources, strict=True):
            result.name_hint = value.name_hint
            self.ready[value] = result
            self.storage.same(result, value)

    def _awaited_values(self, node: Node) -> dict[SSAValue, tuple[SSAValue, SSAValue]]:
        """The values that `node` uses and that are awaited for it, with names and sizes now.

        Those that regions have made; and, where storage asks for the wait, all others too.
        """
        uses = self.dependences.uses_of(node)
        found = {value: self.raw[value] for value in uses if value in self.raw}
        if any(pred in self.launched for pred in node.hazards):
            sizes = dict(stated_sizes(node.op))
            for value in uses:
                if value not in found and value in sizes:
                    found[value] = self.ready.get(value, value), sizes[value]
        return found

    def rename_escaping(self) -> None:
        """Let other blocks use what the host has waited for."""
        for value in self.dependences.escaping:
            new = self.ready.get(value) or self._outside(value)
            if new is not value:
                value.replace_uses_with_if(
                    new,
                    lambda use: self.block.find_ancestor_op_in_block(use.operation) is None,
                )

    def _rename(self, op: Operation) -> None:
        if any(value in self.ready or value in self.raw for value in op.operands):
            op.operands = [self.ready.get(v) or self._outside(v) for v in op.operands]


def _detach_waits(op: Operation) -> list[SSAValue]:
    """Take the timepoints that `op` itself waits for away from it: its region waits."""
    waits = list(await_timepoints(op))
    if waits:
        assert isinstance(op, IRDLOperation)
        set_await(op, None)
    return waits
