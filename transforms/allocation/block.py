"""One block: allocate before regions, write their commands, free after the last use."""

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import stream, util
from ...dialects.access import await_timepoints
from ..analysis.block_times import BlockTimes
from ..analysis.hazards import HazardMap
from ..analysis.storage import is_resource
from ..build import make
from ..indices import INDEX
from ..lifetime_views import view_as
from ..timepoints import TIMEPOINT, await_resources, join_timepoints
from .allocas import PERSISTENT, RegionAllocations
from .commands import CommandWriter, Placed
from .function import FunctionAllocation
from .loop_release import unless_first
from .plan import RegionPlan, Storage


def allocate_block(block: Block, function: FunctionAllocation) -> bool:
    """Allocate storage for the execution regions of `block`, and of the blocks nested in it.

    Gives whether all work that is launched in the block, or was under way when it was entered,
    is done once the timepoints that its terminator takes are reached.

    Raises:
        OpError: a storage that no pool serves, or an op that allocation does not handle.
    """
    return _Allocator(block, function).run()


class _Allocator:
    """The block as it is rewritten, op by op."""

    def __init__(self, block: Block, function: FunctionAllocation) -> None:
        self.block = block
        self.function = function
        self.plan = function.plans[block]
        self.sets = function.sets
        self.indices = function.indices
        self.renamed = function.renamed
        self.replaced = function.replaced
        self.hazards = HazardMap()
        self.times = BlockTimes(function.loops)
        self.node_times: list[list[int]] = []
        """By number of the hazards: when a region or an op with regions is done."""
        self.region_times: list[int] = []
        self.places: dict[Storage, Placed] = {}
        self.views: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        """Resources under another lifetime, by name and type."""
        self.affinities: dict[Storage, Attribute | None] = {}
        self.finished: dict[Operation, list[int]] = {}
        """Ops with regions to what must be reached for all their work to be done."""
        self.entered = self.times.parts(
            argument for argument in block.args if argument.type == TIMEPOINT
        )
        self.freed_after: dict[Operation | None, list[Storage]] = {}
        self.left_to: dict[Operation | None, list[Storage]] = {}
        """Storages by the op whose branches own them from then on."""
        for storage in self.plan.storages():
            if storage.heirs:
                self.left_to.setdefault(storage.last_user, []).append(storage)
            if storage.slot and storage in function.freed:
                self.freed_after.setdefault(storage.last_user, []).append(storage)
        for region in self.plan.regions:
            for storage in region.escaping():
                if storage in function.freed:
                    self.freed_after.setdefault(storage.last_user, []).append(storage)

    def run(self) -> bool:
        """Rewrite the block; see `allocate_block`."""
        regions = iter(self.plan.regions)
        ops = list(self.block.ops)
        for storage in self.freed_after.pop(None, ()):
            self._free_storage(storage, ops[0], ops[0])
        for op in ops:
            match op:
                case stream.AsyncExecuteOp():
                    self._lower_region(next(regions))
                case stream.TimepointAwaitOp():
                    self._lower_await(op)
                case stream.AsyncCastOp():
                    self.renamed[op.result] = self._name(op.source)
                    self.replaced.append(op)
                case stream.AsyncLoadOp() | stream.AsyncStoreOp():
                    self._lower_host_access(op)
                case _:
                    self._keep(op)
            for storage in self.freed_after.pop(op, ()):
                self._free_storage(storage, op, self._insertion(op))
        leaving = self.times.parts(value for value in ops[-1].operands if value.type == TIMEPOINT)
        return not self.times.outstanding(leaving)

    def _place(self, storage: Storage, resource: SSAValue, size: SSAValue) -> None:
        self.places[storage] = Placed(resource, size, self.indices.constant(0))

    def _name(self, value: SSAValue) -> SSAValue:
        return self.function.name(value)

    def _host_name(self, value: SSAValue, op: Operation) -> SSAValue:
        """The resource that holds `value`, of its type where one of them is staging memory."""
        name = self._name(value)
        return self._viewed(name, value.type, op) if is_resource(value) else name

    def _viewed(self, name: SSAValue, type: Attribute, op: Operation) -> SSAValue:
        """`name`, or what it is as the host's memory, or no longer as that, before `op`."""
        types = {name.type, type}
        if len(types) == 1 or stream.ResourceType(stream.Lifetime.STAGING) not in types:
            return name
        if (name, type) not in self.views:
            assert isinstance(type, stream.ResourceType)
            ops, self.views[name, type] = view_as(name, type, op, self.indices)
            self.block.insert_ops_before(ops, op)
        return self.views[name, type]

    # Time --------------------------------------------------------------------------------------

    def _join(self, past: Sequence[int], before: Operation, source: Operation) -> SSAValue | None:
        joined, ops = join_timepoints(self.times.timepoints(past), source)
        self.block.insert_ops_before(ops, before)
        return joined

    # Host ops ----------------------------------------------------------------------------------

    def _keep(self, op: Operation) -> None:
        """An op that stays, with the resources that hold its operands."""
        if any(value in self.renamed for value in op.operands):
            op.operands = [self._host_name(value, op) for value in op.operands]
        if op.regions:
            self._enter(op)
        else:
            self.times.visit(op)

    def _lower_host_access(self, op: stream.AsyncLoadOp | stream.AsyncStoreOp) -> None:
        """The host loads from, or stores to, the resource that holds the value."""
        self.replaced.append(op)
        if isinstance(op, stream.AsyncLoadOp):
            load = make(
                stream.ResourceLoadOp,
                op,
                [op.result.type],
                source=self._host_name(op.source, op),
                source_size=op.source_size,
                source_offset=op.source_offset,
            )
            self.block.insert_op_before(load, op)
            op.result.replace_all_uses_with(load.result)
            return
        store = make(
            stream.ResourceStoreOp,
            op,
            target=self._host_name(op.target, op),
            target_size=op.target_size,
            target_offset=op.target_offset,
            value=op.value,
        )
        self.block.insert_op_before(store, op)
        self.renamed[op.result] = store.target

    def _enter(self, op: Operation) -> None:
        """Allocate within the regions of `op`, which is from then on one node of the block."""
        node = len(self.node_times)
        self._bequeath(op)
        for _, access in self.function.nested.accesses(op):
            self.hazards.record(node, access.storage, access.range, writes=access.writes)
        blocks = [block for region in op.regions for block in region.blocks]
        covered = [allocate_block(block, self.function) for block in blocks]
        self.times.visit(op)
        times = self.times.parts(result for result in op.results if result.type == TIMEPOINT)
        self.node_times.append(times)
        if all(covered):
            self.finished[op] = times

    def _bequeath(self, op: Operation) -> None:
        """Tell the branches of `op` what users of the storages that they own have to be done."""
        for storage in self.left_to.get(op, ()):
            users = self._users(storage, before=op)
            done = None if users is None else self.times.timepoints(self.times.needed(users))
            self.function.inherited.update(dict.fromkeys(storage.heirs, done))

    def _users(self, storage: Storage, *, before: Operation | None = None) -> list[int] | None:
        """What is reached once all are done that use `storage`, those in the op `before` excepted.

        None where work that no timepoint tells of may use it.
        """
        nested = [op for op in storage.nested if op is not before]
        inherited = self.function.inherited.get(storage, [])
        if inherited is None or any(op not in self.finished for op in nested):
            return None
        users = [self.region_times[number] for number in storage.regions]
        users.extend(time for op in nested for time in self.finished[op])
        if storage.slot:
            source = storage.source
            users.extend(self.entered if source is None else self.finished.get(source, ()))
            users.extend(self.times.parts(inherited))
        return users

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
        self.replaced.append(op)
        past = self._region_past(op, len(self.node_times))
        awaited = self._join(past, op, op)
        allocations = RegionAllocations(region, awaited)
        for storage in region.escaping():
            affinity = self.function.affinity(storage)
            self.affinities[storage] = affinity
            assert storage.size is not None
            self._place(storage, allocations.allocate(storage, affinity), storage.size)
        self._place_constants(region, allocations)
        if local := region.local():
            self._place_in_slab(local, allocations)
        for storage in region.touched:
            if storage.given is not None and storage not in self.places:
                assert storage.size is not None
                resource = self._viewed(self._name(storage.given), storage.type, op)
                self._place(storage, resource, storage.size)
        only_constants = allocations.only_constants
        writer = CommandWriter(self.plan, self.places, self.indices)
        writer.write(list(op.body.block.ops), writer.body)
        no_commands = not writer.finish(op)
        waits = allocations.wait() if allocations.ops else awaited
        if no_commands and only_constants:
            self.block.insert_ops_before(allocations.ops, op)
            self._drop_region(op, past, waits)
            return
        execute = make(
            stream.CmdExecuteOp,
            op,
            [TIMEPOINT],
            resource_operands=list(writer.captures),
            resource_operand_sizes=writer.capture_sizes,
            await_timepoint=[] if waits is None else [waits],
            affinity=op.affinity,
            # What runs once is recorded once; IREE cannot keep commands of initializers.
            once=UnitAttr() if isinstance(self.function.function, util.InitializerOp) else None,
            attributes=dict(op.attributes),
            body=Region(writer.body),
        )
        self.block.insert_ops_before([*allocations.ops, *self.indices.take(), execute], op)
        self._record_region(execute.result_timepoint, past)
        self.renamed[op.result_timepoint] = execute.result_timepoint
        self._rename_results(op)
        if (slab := allocations.slab) is not None:
            self._free(
                slab.result,
                slab.storage_size,
                slab.affinity,
                [self.region_times[-1]],
                op,
                self._insertion(op),
            )

    def _record_region(self, timepoint: SSAValue, past: Sequence[int]) -> None:
        number = self.times.record(timepoint, past)
        self.region_times.append(number)
        self.node_times.append([number])

    def _region_past(self, op: stream.AsyncExecuteOp, number: int) -> list[int]:
        """What the region must wait for: what it says, and conflicts that this does not imply."""
        past = self.times.parts(self._name(tp) for tp in await_timepoints(op))
        for inner in op.body.walk():
            for access in self.sets.accesses(inner):
                before = self.hazards.record(
                    number, access.storage, access.range, writes=access.writes
                )
                past.extend(time for other in before for time in self.node_times[other])
        return self.times.needed(past)

    def _drop_region(
        self, op: stream.AsyncExecuteOp, past: Sequence[int], awaited: SSAValue | None
    ) -> None:
        """A region without commands is what it awaits (IR-41)."""
        if awaited is None:
            immediate = make(stream.TimepointImmediateOp, op, [TIMEPOINT])
            self.block.insert_op_before(immediate, op)
            awaited = immediate.result_timepoint
        self._record_region(awaited, past)
        self.renamed[op.result_timepoint] = awaited
        self._rename_results(op)

    def _rename_results(self, op: stream.AsyncExecuteOp) -> None:
        """The results are the resources that hold them; views of these where they are views."""
        for result, size in zip(op.result_resources, op.result_sizes, strict=True):
            storage = self.plan.storage_of[result]
            resource = self._resource(storage)
            if offsets := self.plan.offsets.get(result):
                assert storage.size is not None
                resource = self._view(resource, storage.size, offsets, size, op)
            self.renamed[result] = resource

    def _resource(self, storage: Storage) -> SSAValue:
        if storage.given is not None:
            return self._name(storage.given)
        return self.places[storage].resource

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

    def _place_constants(self, region: RegionPlan, allocations: RegionAllocations) -> None:
        """Let the program's bytes hold the region's constants, where all users reach them."""
        constants = region.constants()
        placed = [(storage, self.function.affinity(storage)) for storage in constants]
        for storage, resource in zip(constants, allocations.fill(placed), strict=True):
            assert storage.size is not None
            self._place(storage, resource, storage.size)

    def _place_in_slab(self, local: list[Storage], allocations: RegionAllocations) -> None:
        layout = allocations.allocate_slab(local)
        assert allocations.slab is not None
        slab = allocations.slab.result
        for storage, offset in zip(local, layout.packed_offsets, strict=True):
            self.places[storage] = Placed(slab, layout.total_length, offset)

    def _free_storage(self, storage: Storage, after: Operation, before: Operation) -> None:
        """Free `storage` before `before`, once all that use it are done; `after` is the last."""
        if storage.type.lifetime in PERSISTENT:
            return
        users = self._users(storage)
        if users is None:
            return
        if storage.slot:
            self.affinities[storage] = self.function.affinity(storage)
        resource = self._resource(storage)
        size = storage.size or self._size_of(resource, after, before)
        self._free(resource, size, self.affinities[storage], users, after, before, storage.starts)

    def _size_of(self, resource: SSAValue, like: Operation, before: Operation) -> SSAValue:
        """The size of a slot that no op states."""
        op = make(stream.ResourceSizeOp, like, [INDEX], operand=resource)
        self.block.insert_op_before(op, before)
        return op.result

    def _free(
        self,
        resource: SSAValue,
        size: SSAValue,
        affinity: Attribute | None,
        users: Sequence[int],
        after: Operation,
        before: Operation,
        loop: scf.ForOp | None = None,
    ) -> None:
        """Free a resource once all of `users` are done (IR-45, IR-48).

        One that `loop` carries is freed unless it is what the loop started with.
        """
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
        ops = [*ops, dealloca]
        if loop is not None:
            ops = unless_first(loop, ops, self.block)
        self.block.insert_ops_before(ops, before)

    def _insertion(self, op: Operation) -> Operation:
        """The op before which things that follow `op` are inserted."""
        following = op.next_op
        assert following is not None
        return following
