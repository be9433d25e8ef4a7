"""One block: allocate before regions, write their commands, free after the last use."""

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import stream
from ...dialects.access import await_timepoints
from ...dialects.topology import Topology
from ..analysis.block_times import BlockTimes
from ..analysis.hazards import HazardMap
from ..analysis.storage import StorageSets
from ..build import make
from ..indices import IndexBuilder
from ..timepoints import TIMEPOINT, await_resources, join_timepoints
from .allocas import PERSISTENT, RegionAllocations
from .commands import CommandWriter, Placed
from .plan import Plan, RegionPlan, Storage
from .pools import allocation_affinity


def allocate_block(block: Block, function: Operation, topology: Topology) -> None:
    """Allocate storage for the execution regions of `block`.

    Raises:
        OpError: a storage that no pool serves, or an op that allocation does not handle.
    """
    _Allocator(block, function, topology).run()


class _Allocator:
    """The block as it is rewritten, op by op."""

    def __init__(self, block: Block, function: Operation, topology: Topology) -> None:
        self.block = block
        self.topology = topology
        self.plan = Plan(block)
        self.sets = StorageSets(function)
        entry = function.regions[0].first_block
        assert entry is not None
        self.indices = IndexBuilder(entry)
        self.hazards = HazardMap()
        self.times = BlockTimes()
        self.region_times: list[int] = []
        self.places: dict[Storage, Placed] = {}
        self.affinities: dict[Storage, Attribute | None] = {}
        self.renamed: dict[SSAValue, SSAValue] = {}
        """Values to the resources that hold them."""
        self.replaced: list[Operation] = []
        self.freed_after: dict[Operation, list[Storage]] = {}
        for region in self.plan.regions:
            for storage in region.escaping():
                if not storage.kept and storage.last_user is not None:
                    self.freed_after.setdefault(storage.last_user, []).append(storage)

    def run(self) -> None:
        """Rewrite the block."""
        regions = iter(self.plan.regions)
        for op in list(self.block.ops):
            match op:
                case stream.AsyncExecuteOp():
                    self._lower_region(next(regions))
                case stream.TimepointAwaitOp():
                    self._lower_await(op)
                case stream.AsyncCastOp():
                    self.renamed[op.result] = self._name(op.source)
                    self.replaced.append(op)
                case _:
                    self._keep(op)
            self._free_after(op)
        for op in reversed(self.replaced):
            op.detach()
            op.erase()
        for op in reversed(list(self.block.ops)):
            unused = isinstance(op, stream.TimepointJoinOp | stream.ResourceSubviewOp)
            if unused and op.results[0].first_use is None:
                op.detach()
                op.erase()
        self.indices.finish()

    def _place(self, storage: Storage, resource: SSAValue, size: SSAValue) -> None:
        self.places[storage] = Placed(resource, size, self.indices.constant(0))

    def _name(self, value: SSAValue) -> SSAValue:
        return self.renamed.get(value, value)

    # Time --------------------------------------------------------------------------------------

    def _join(self, past: Sequence[int], before: Operation, source: Operation) -> SSAValue | None:
        joined, ops = join_timepoints(self.times.timepoints(past), source)
        self.block.insert_ops_before(ops, before)
        return joined

    # Host ops ----------------------------------------------------------------------------------

    def _keep(self, op: Operation) -> None:
        """An op that stays, with the resources that hold its operands."""
        for nested in op.walk() if op.regions else (op,):
            if any(value in self.renamed for value in nested.operands):
                nested.operands = [self._name(value) for value in nested.operands]
        self.times.visit(op)

    def _lower_await(self, op: stream.TimepointAwaitOp) -> None:
        """The host waits for the same, with the resources that hold the values."""
        self.replaced.append(op)
        past = self.times.needed(self.times.parts([self._name(op.await_timepoint)]))
        timepoint = self._join(past, op, op)
        resources = [self._name(value) for value in op.resource_operands]
        if timepoint is None:
            # All is done already.
            self.renamed.update(zip(op.result_resources, resources, strict=True))
            return
        sizes = list(op.resource_operand_sizes)
        wait = await_resources(list(zip(resources, sizes, strict=True)), timepoint, op)
        if op.sync is not None:
            wait.sync = op.sync
        self.block.insert_op_before(wait, op)
        self.times.wait(past)
        for old, new in zip(op.result_resources, wait.result_resources, strict=True):
            new.name_hint = old.name_hint
            self.renamed[old] = new

    # Regions -----------------------------------------------------------------------------------

    def _lower_region(self, region: RegionPlan) -> None:
        op = region.op
        number = len(self.region_times)
        self.replaced.append(op)
        past = self._region_past(op, number)
        awaited = self._join(past, op, op)
        allocations = RegionAllocations(region, awaited)
        for storage in region.escaping():
            affinity = allocation_affinity(storage, self.topology)
            self.affinities[storage] = affinity
            assert storage.size is not None
            self._place(storage, allocations.allocate(storage, affinity), storage.size)
        if local := region.local():
            self._place_in_slab(local, allocations)
        for storage in region.touched:
            if storage.given is not None and storage not in self.places:
                assert storage.size is not None
                self._place(storage, storage.given, storage.size)
        writer = CommandWriter(self.plan, self.places, self.indices)
        writer.write(list(op.body.block.ops), writer.body)
        if not writer.finish(op) and not allocations.ops:
            self._drop_region(op, past, awaited)
            return
        waits = allocations.wait()
        execute = make(
            stream.CmdExecuteOp,
            op,
            [TIMEPOINT],
            resource_operands=list(writer.captures),
            resource_operand_sizes=writer.capture_sizes,
            await_timepoint=[] if waits is None else [waits],
            affinity=op.affinity,
            attributes=dict(op.attributes),
            body=Region(writer.body),
        )
        self.block.insert_ops_before([*allocations.ops, *self.indices.take(), execute], op)
        self.region_times.append(self.times.record(execute.result_timepoint, past))
        self.renamed[op.result_timepoint] = execute.result_timepoint
        self._rename_results(op)
        if (slab := allocations.slab) is not None:
            self._free(slab.result, slab.storage_size, slab.affinity, [self.region_times[-1]], op)

    def _region_past(self, op: stream.AsyncExecuteOp, number: int) -> list[int]:
        """What the region must wait for: what it says, and conflicts that this does not imply."""
        past = self.times.parts(self._name(tp) for tp in await_timepoints(op))
        for inner in op.body.walk():
            for access in self.sets.accesses(inner):
                before = self.hazards.record(
                    number, access.storage, access.range, writes=access.writes
                )
                past.extend(self.region_times[other] for other in before)
        return self.times.needed(past)

    def _drop_region(
        self, op: stream.AsyncExecuteOp, past: Sequence[int], awaited: SSAValue | None
    ) -> None:
        """A region without commands is what it awaits (IR-41)."""
        if awaited is None:
            immediate = make(stream.TimepointImmediateOp, op, [TIMEPOINT])
            self.block.insert_op_before(immediate, op)
            awaited = immediate.result_timepoint
        self.region_times.append(self.times.record(awaited, past))
        self.renamed[op.result_timepoint] = awaited
        self._rename_results(op)

    def _rename_results(self, op: stream.AsyncExecuteOp) -> None:
        """The results are the resources that hold them; views of these where they are views."""
        for result, size in zip(op.result_resources, op.result_sizes, strict=True):
            storage = self.plan.storage_of[result]
            resource = storage.given or self.places[storage].resource
            if offsets := self.plan.offsets.get(result):
                assert storage.size is not None
                resource = self._view(resource, storage.size, offsets, size, op)
            self.renamed[result] = resource

    def _view(
        self,
        resource: SSAValue,
        whole: SSAValue,
        offsets: Sequence[SSAValue],
        size: SSAValue,
        op: stream.AsyncExecuteOp,
    ) -> SSAValue:
        """A view of `resource` that starts at the sum of `offsets`."""
        start = offsets[0]
        for part in offsets[1:]:
            start = self.indices.add(start, part, op)
        view = make(
            stream.ResourceSubviewOp,
            op,
            [resource.type],
            source=resource,
            source_size=whole,
            source_offset=start,
            result_size=size,
        )
        self.block.insert_ops_before([*self.indices.take(), view], op)
        return view.result

    # Storage -----------------------------------------------------------------------------------

    def _place_in_slab(self, local: list[Storage], allocations: RegionAllocations) -> None:
        layout = allocations.allocate_slab(local)
        assert allocations.slab is not None
        slab = allocations.slab.result
        for storage, offset in zip(local, layout.packed_offsets, strict=True):
            self.places[storage] = Placed(slab, layout.total_length, offset)

    def _free_after(self, op: Operation) -> None:
        for storage in self.freed_after.pop(op, ()):
            place = self.places[storage]
            if storage.type.lifetime in PERSISTENT:
                continue
            last = [self.region_times[number] for number in storage.regions]
            self._free(place.resource, place.resource_size, self.affinities[storage], last, op)

    def _free(
        self,
        resource: SSAValue,
        size: SSAValue,
        affinity: Attribute | None,
        users: Sequence[int],
        after: Operation,
    ) -> None:
        """Free a resource once all of `users` are done (IR-45, IR-48)."""
        wait, ops = join_timepoints(self.times.timepoints(self.times.needed(users)), after)
        dealloca = make(
            stream.ResourceDeallocaOp,
            after,
            [TIMEPOINT],
            operand=resource,
            operand_size=size,
            await_timepoint=[] if wait is None else [wait],
            affinity=affinity,
        )
        self.block.insert_ops_before([*ops, dealloca], self._insertion(after))

    def _insertion(self, op: Operation) -> Operation:
        """The op before which things that follow `op` are inserted."""
        following = op.next_op
        assert following is not None
        return following
