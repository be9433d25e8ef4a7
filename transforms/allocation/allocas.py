"""The allocations before a region, and what the region waits for on their account.

Where the region waits for something, the first allocation waits for it, each further one for
the one before, and the region for the last: every wait is needed, and storage is taken late.
Where it waits for nothing, neither do the allocations; the region waits for all of them. (IREE
3.13 would not take a chain that starts without a wait: its canonicaliser crashes.)
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stream
from ..build import make
from ..indices import INDEX
from ..timepoints import TIMEPOINT, join_timepoints
from .plan import RegionPlan, Storage

PERSISTENT = (stream.Lifetime.CONSTANT, stream.Lifetime.VARIABLE)
"""Lifetimes that do not end with the invocation: allocated at once, never freed here."""


class RegionAllocations:
    """Ops to insert before a region; `awaited` is what it waits for without them."""

    def __init__(self, region: RegionPlan, awaited: SSAValue | None) -> None:
        self.ops: list[Operation] = []
        self._region = region
        self._awaited = awaited
        self._allocated: list[SSAValue] = []
        self._filled: list[SSAValue] = []
        """Timepoints of constants, which wait for nothing."""

    def allocate(self, storage: Storage, affinity: Attribute | None) -> SSAValue:
        """The resource for an escaping storage."""
        assert storage.size is not None
        source = storage.source or self._region.op
        if storage.type.lifetime in PERSISTENT:
            alloc = make(
                stream.ResourceAllocOp,
                source,
                [storage.type],
                storage_size=storage.size,
                # The region that makes it writes what is read of it.
                uninitialized=UnitAttr(),
                affinity=affinity,
            )
            self.ops.append(alloc)
            return alloc.result
        return self._alloca(storage.type, storage.size, affinity, source).result

    def fill(self, constants: Sequence[tuple[Storage, Attribute | None]]) -> list[SSAValue]:
        """The resources that hold constants, given with the affinity of each; in their order."""
        batches: dict[tuple[Attribute | None, stream.ResourceType], list[Storage]] = {}
        for storage, affinity in constants:
            batches.setdefault((affinity, storage.type), []).append(storage)
        made: dict[Storage, SSAValue] = {}
        for (affinity, type), storages in batches.items():
            sources = [constant for s in storages if (constant := s.constant) is not None]
            op = make(
                stream.ResourceConstantsOp,
                sources[0],
                [[type] * len(storages), TIMEPOINT],
                result_sizes=[source.result_size for source in sources],
                values=ArrayAttr(source.value for source in sources),
                affinity=affinity,
            )
            self.ops.append(op)
            self._filled.append(op.result_timepoint)
            made.update(zip(storages, op.result_resources, strict=True))
        return [made[storage] for storage, _ in constants]

    @property
    def only_constants(self) -> bool:
        """Whether no storage was allocated."""
        return len(self.ops) == len(self._filled)

    def allocate_slab(self, local: Sequence[Storage]) -> stream.ResourcePackOp:
        """Allocate local storages together; gives their layout, and the slab as `slab`."""
        op = self._region.op
        bounds = [bound for s in local for bound in (s.first_step, s.last_step)]
        layout = make(
            stream.ResourcePackOp,
            op,
            [INDEX, [INDEX] * len(local)],
            dynamic_slice_sizes=[storage.size for storage in local],
            lifetime_intervals=ArrayAttr(IntegerAttr(bound, INDEX) for bound in bounds),
            affinity=op.affinity,
        )
        self.ops.append(layout)
        type = stream.ResourceType(stream.Lifetime.TRANSIENT)
        self.slab = self._alloca(type, layout.total_length, op.affinity, op)
        return layout

    slab: stream.ResourceAllocaOp | None = None
    """The allocation of the slab, once there is one."""

    def wait(self) -> SSAValue | None:
        """What the region waits for; a join is appended to `ops`."""
        joined, ops = join_timepoints([*self._filled, *self._last()], self._region.op)
        self.ops.extend(ops)
        return joined

    def _last(self) -> list[SSAValue]:
        """What must be reached before anything that comes now."""
        if self._awaited is None:
            return self._allocated
        return self._allocated[-1:] or [self._awaited]

    def _alloca(
        self,
        type: stream.ResourceType,
        size: SSAValue,
        affinity: Attribute | None,
        source: Operation,
    ) -> stream.ResourceAllocaOp:
        op = make(
            stream.ResourceAllocaOp,
            source,
            [type, TIMEPOINT],
            storage_size=size,
            await_timepoint=[] if self._awaited is None else self._last(),
            affinity=affinity,
        )
        self.ops.append(op)
        self._allocated.append(op.result_timepoint)
        return op
