"""The storages of a block: what names share one, who uses it, and how long.

Three sorts: *given* ones come from outside (imports, arguments, globals, other blocks) and are
not allocated here; *escaping* ones are made in a region and used after it; *local* ones live
and die in one region and go into its slab. Given ones that control flow carries are *slots*:
arguments of loop bodies, results of loops and branches. `ownership` says which escaping ones and
slots are freed where.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stream
from ...dialects.access import range_accesses, tied_operand, tied_results
from ...dialects.diagnostics import fail
from ..analysis.call_summaries import CallSummaries
from ..analysis.nested_ops import NestedOps
from ..analysis.same_storage import SameStorage
from ..analysis.sizes import stated_sizes
from ..analysis.storage import is_call, is_resource, renamed_source
from ..analysis.value_flow import carries_values, is_carried_into
from .users import Users, uses_of

Lifetime = stream.Lifetime

_PRECEDENCE = (
    Lifetime.EXTERNAL,
    Lifetime.VARIABLE,
    Lifetime.CONSTANT,
    Lifetime.STAGING,
    Lifetime.TRANSIENT,
    Lifetime.UNKNOWN,
)
"""Of several lifetimes for one storage, the first of these is the storage's."""

_COPIES = (
    stream.AsyncCloneOp,
    stream.AsyncCopyOp,
    stream.AsyncSliceOp,
    stream.AsyncTransferOp,
    stream.AsyncUpdateOp,
)
"""Ops that become copies, which alone take staging memory."""

_BORROWING = (
    "stream.async.load",
    "stream.async.store",
    "stream.resource.load",
    "stream.resource.size",
    "stream.resource.store",
)
"""Host ops that use a resource and keep no hold of it."""


@dataclass(eq=False, slots=True)
class Storage:
    """Bytes that one or more values name."""

    size: SSAValue | None
    """Bytes; None for a given one of which no op states the size."""
    source: Operation | None
    """What makes it; None for an argument."""
    given: SSAValue | None = None
    """The value that a given storage comes as."""
    lifetimes: dict[Lifetime, None] = field(default_factory=dict[Lifetime, None])
    users: Users = field(default_factory=Users)
    """Those in the block."""
    escapes: bool = False
    slot: bool = False
    """Given by control flow, its bytes those of some storage passed there; or made by a call."""
    kept: bool = False
    """Something outside may hold it when the block ends: it is not freed here."""
    leaves: bool = False
    """Code in other blocks or functions may use it."""
    passed: list[Operation] = field(default_factory=list[Operation])
    """Loops that start with it, and terminators that yield it, once for each operand."""
    passed_within: dict[Operation, None] = field(default_factory=dict[Operation, None])
    """Ops of the block with regions in which it is passed on."""
    heirs: list["Storage"] = field(default_factory=list["Storage"])
    """What it is in the branches of the op that owns it from then on, for one that is left to an
    op with regions."""
    nested: dict[Operation, None] = field(default_factory=dict[Operation, None])
    """Ops of the block with regions that use it."""
    in_kernels: bool = False
    """Other commands than copies use it."""
    starts: scf.ForOp | None = None
    """For a slot: the loop that may start with somebody else's storage in it."""
    name: SSAValue | None = None
    """Its first name in the block."""
    first_step: int = 0
    last_step: int = 0
    """Steps of its region, for a local one; see `RegionPlan`."""
    regions: list[int] = field(default_factory=list[int])
    """Regions that touch it, ascending."""
    last_user: Operation | None = None
    """The last op of the block, region or host op, that uses it."""

    @property
    def constant(self) -> stream.AsyncConstantOp | None:
        """The op, for contents that are in the program and that nothing may write."""
        return self.source if isinstance(self.source, stream.AsyncConstantOp) else None

    @property
    def type(self) -> stream.ResourceType:
        """The resource type of its allocation."""
        if self.constant is not None:
            variable = Lifetime.VARIABLE in self.lifetimes
            return stream.ResourceType(Lifetime.VARIABLE if variable else Lifetime.CONSTANT)
        if Lifetime.STAGING in self.lifetimes and self.in_kernels:
            # The host has it as well, by another name (IR-51).
            longer = (life for life in _PRECEDENCE[:3] if life in self.lifetimes)
            return stream.ResourceType(next(longer, Lifetime.EXTERNAL))
        return stream.ResourceType(next(life for life in _PRECEDENCE if life in self.lifetimes))


@dataclass(slots=True)
class RegionPlan:
    """What an execution region needs."""

    op: stream.AsyncExecuteOp
    touched: dict[Storage, None] = field(default_factory=dict[Storage, None])
    """Storages that its commands access, in order."""
    made: list[Storage] = field(default_factory=list[Storage])
    """Storages that it makes, in order."""
    steps: int = 0
    """Commands that run one after the other; those of one concurrent op count as one."""

    def escaping(self) -> list[Storage]:
        """Storages that need an allocation of their own."""
        return [s for s in self.made if s.escapes and s.constant is None]

    def constants(self) -> list[Storage]:
        """Storages that the program holds the bytes of."""
        return [storage for storage in self.made if storage.constant is not None]

    def local(self) -> list[Storage]:
        """Storages of its slab: those made here that something accesses."""
        return [s for s in self.made if not s.escapes and s in self.touched]


class Plan:
    """The storages and regions of one block."""

    def __init__(
        self, block: Block, same: SameStorage, calls: CallSummaries, nested: NestedOps
    ) -> None:
        self.block = block
        self.nested = nested
        self.same = same
        self.calls = calls
        self.storage_of: dict[SSAValue, Storage] = {}
        self.outside: dict[SSAValue, Storage] = {}
        """Given storages by values that other blocks define."""
        self.offsets: dict[SSAValue, tuple[SSAValue, ...]] = {}
        """Views: where they start, as a sum of bytes from the start of their storage."""
        self.regions: list[RegionPlan] = []
        for argument in block.args:
            self._receive(argument, None, slot=is_carried_into(block))
        for op in block.ops:
            self._visit(op)

    def storages(self) -> list[Storage]:
        """Those that have a name in the block, in the order of their first ones."""
        return list(dict.fromkeys(self.storage_of.values()))

    def _receive(self, value: SSAValue, source: Operation | None, *, slot: bool) -> None:
        """`value` comes from elsewhere, as another name of a storage or as one of its own."""
        if (known := self.same.root.get(value)) is None:
            self._give(value, source, slot=slot)
        else:
            self._rename(value, known)

    def inherit(self, value: SSAValue, size: SSAValue | None) -> Storage:
        """The storage of `value`, which another block defines and this one does not use."""
        storage = self._find(value)
        storage.size = size
        return storage

    def _give(self, value: SSAValue, source: Operation | None, *, slot: bool = False) -> None:
        if is_resource(value):
            size = None if source is None else dict(stated_sizes(source)).get(value)
            # A slot that nothing uses is freed where it comes into being.
            self._name(value, Storage(size, source, given=value, slot=slot, last_user=source))

    def _find(self, value: SSAValue) -> Storage:
        """The storage of `value`, a given one if another block defines it."""
        if value not in self.storage_of:
            self._give(value, None)
            self.outside[value] = self.storage_of[value]
        return self.storage_of[value]

    def _name(self, value: SSAValue, storage: Storage) -> None:
        assert isinstance(value.type, stream.ResourceType)
        self.storage_of[value] = storage
        storage.name = storage.name or value
        storage.lifetimes.setdefault(value.type.lifetime)

    def _state_size(self, value: SSAValue, size: SSAValue) -> None:
        """An op says how large `value` is; a view says nothing of its storage."""
        if value not in self.offsets:
            storage = self._find(value)
            storage.size = storage.size or size

    def _rename(self, value: SSAValue, before: SSAValue, *offset: SSAValue) -> None:
        """`value` is `before`, or a view of it that starts at `offset`."""
        self._name(value, self._find(before))
        if offset := (*self.offsets.get(before, ()), *offset):
            self.offsets[value] = offset

    def _visit(self, op: Operation) -> None:
        match op:
            case stream.AsyncExecuteOp():
                self._visit_region(op)
            case stream.TimepointAwaitOp():
                for source, result in zip(op.resource_operands, op.result_resources, strict=True):
                    self._use(op, [source])
                    self._rename(result, source)
            case stream.AsyncCastOp():
                self._rename(op.result, op.source)
            case stream.ResourceSubviewOp():
                self._use(op, [op.source])
                self._state_size(op.source, op.source_size)
                self._rename(op.result, op.source, op.source_offset)
            case _:
                self._visit_host_op(op)

    def _visit_host_op(self, op: Operation) -> None:
        self._use(op, op.operands)
        for value in self.nested.uses_within(op):
            if is_resource(value):
                storage = self._find(value)
                storage.nested[op] = None
                storage.last_user = op
        for number, operand in enumerate(op.operands):
            if is_resource(operand):
                self._hand(operand, op, number)
        if isinstance(op, stream.TensorExportOp) and op.affinity is not None:
            self._find(op.source).users.exports.setdefault(op.affinity)
        for result in op.results:
            tied = tied_operand(result) if is_resource(result) else None
            if tied is not None and tied in self.storage_of:
                self._rename(result, tied)
            else:
                carried = bool(op.regions) and carries_values(op)
                self._receive(result, op, slot=carried or self.calls.is_fresh(result))

    def _hand(self, operand: SSAValue, op: Operation, number: int) -> None:
        """A host op takes `operand`: borrows it, passes it on, or may hold it from now on."""
        storage = self._find(operand)
        if carries_values(op) and self.same.changes_nothing(op, number):
            storage.leaves = True
            if op.regions:
                storage.nested[op] = None
        elif carries_values(op):
            storage.passed.append(op)
        elif self._only_borrows(op, number):
            storage.leaves = True
        elif op.name not in _BORROWING:
            storage.kept = True
            storage.leaves = storage.leaves or not isinstance(op, stream.TensorExportOp)

    def _only_borrows(self, op: Operation, number: int) -> bool:
        """Whether `op` is a call that is done with its operand `number` when it returns."""
        return (
            is_call(op)
            and not self.calls.keeps(op, number)
            and all(edge.operand != number for edge in self.calls.edges(op))
        )

    def _use(self, op: Operation, values: Iterable[SSAValue]) -> None:
        for value in values:
            if is_resource(value):
                self._find(value).last_user = op

    # Regions -----------------------------------------------------------------------------------

    def _visit_region(self, op: stream.AsyncExecuteOp) -> None:
        region = RegionPlan(op)
        number = len(self.regions)
        self.regions.append(region)
        self._use(op, op.resource_operands)
        for value, size in zip(op.resource_operands, op.resource_operand_sizes, strict=True):
            self._state_size(value, size)
        self._visit_body(op, region, None)
        for storage in region.touched:
            storage.regions.append(number)
        for result in op.result_resources:
            storage = self.storage_of[result]
            storage.escapes = storage.given is None
            storage.last_user = op
            if storage.escapes and storage not in region.touched:
                # Undefined contents: nothing accesses them here.
                storage.regions.append(number)

    def _visit_body(
        self,
        op: stream.AsyncExecuteOp | stream.AsyncConcurrentOp,
        region: RegionPlan,
        step: int | None,
    ) -> None:
        """Name the values of a body; `step` is that of a concurrent op, None for a serial body."""
        body = op.body.block
        for argument, capture in zip(body.args, op.resource_operands, strict=True):
            self._rename(argument, capture)
        for inner in body.ops:
            if isinstance(inner, stream.YieldOp):
                for result, value in zip(op.result_resources, inner.resource_operands, strict=True):
                    self._rename(result, value)
                continue
            at = region.steps if step is None else step
            if isinstance(inner, stream.AsyncConcurrentOp):
                self._visit_body(inner, region, at)
            else:
                self._visit_streamable(inner, region, at)
            if step is None and (inner.regions or range_accesses(inner)):
                region.steps += 1

    def _visit_streamable(self, op: Operation, region: RegionPlan, step: int) -> None:
        sizes = dict(stated_sizes(op))
        tied = dict(tied_results(op))
        for result in op.results:
            before = renamed_source(op) or tied.get(result)
            if isinstance(op, stream.ResourceSubviewOp):
                self._rename(result, op.source, op.source_offset)
            elif before is not None:
                self._rename(result, before)
            else:
                if result not in sizes:
                    fail(
                        op,
                        f"makes a {result.type} without stating its size; "
                        "move it out of the region",
                    )
                storage = Storage(sizes[result], op, first_step=step, last_step=step)
                storage.escapes = storage.constant is not None
                self._name(result, storage)
                region.made.append(storage)
        if renamed_source(op) is not None:
            return
        for value, use in uses_of(op, region.op.affinity):
            storage = self._find(value)
            if use.writes and storage.constant is not None:
                fail(op, "writes a constant; run stream-materialize-copy-on-write before")
            storage.users.uses.setdefault(use)
            storage.in_kernels |= not isinstance(op, _COPIES)
            storage.last_step = step
            if storage not in region.touched:
                region.touched[storage] = None
                storage.first_step = step
