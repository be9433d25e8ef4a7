"""Whether the timepoints of a block order all that must be ordered.

* Who uses what a region makes waits for the region (IR-01).
* Accesses to the same bytes of which one writes are ordered as in the text: regions by their
  waits, ops of one wave not at all, so that they must not conflict (IR-47, case B37).
* Storage allocated on the timeline is used from its allocation's timepoint on, written before
  it is read (IR-03), and freed once all its users are done (IR-48).

```mlir
%t1 = stream.cmd.execute on(@a) with(%s as …) { … reads … }
%t2 = stream.cmd.execute on(@b) with(%s as …) { … writes … }    // error: not ordered after …
```

An export gives a view, which whoever gets it may use once it knows that the contents are there: it
is in order as well if fences that are chained before it tell of what it exports.

Ops with regions (loops, branches) are checked block by block; seen from around them they wait for
all timepoints of the block that they use, and what they launch is taken as done.

Accesses of ranges that are not constant count as the whole storage: an error may then name two
accesses that never meet. Where more than `timeline.WIDTH` timelines run side by side, order is
taken for granted.
"""

import math
from collections.abc import Iterable, Iterator

from xdsl.dialects import cf
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stream
from ...dialects.access import await_timepoints, op_affinity, result_timepoint, tied_results
from ...dialects.diagnostics import fail, note
from ...dialects.verify import constant_index
from .alias_sets import devices_of
from .block_times import BlockTimes
from .hazards import HazardMap
from .storage import (
    StorageAccess,
    StorageSets,
    captured,
    is_call,
    is_resource,
    renamed_source,
)
from .value_flow import carries_values, exclude_each_other

_REGIONS = (stream.AsyncExecuteOp, stream.CmdExecuteOp)
_WAVES = (stream.AsyncConcurrentOp, stream.CmdConcurrentOp)


def check_ordering(block: Block, storage: StorageSets, pass_name: str) -> None:
    """Check one block and the regions that it launches.

    Raises:
        OpError: at the first op that is not ordered after another one; a note names that one.
    """
    _OrderCheck(storage, pass_name).run(block)


_STORES = ("util.global.store", "util.global.store.indirect")
"""Ops that hand out a resource whose timepoint another op of their kind hands out."""


def _awaited(op: Operation) -> list[SSAValue]:
    """The timepoints that `op`, or what it hands resources to, waits for."""
    if isinstance(op, _REGIONS) or not (op.regions or op.next_op is None or is_call(op)):
        return list(await_timepoints(op))
    inner = (value for nested in op.walk() for value in nested.operands)
    return [value for value in inner if isinstance(value.type, stream.TimepointType)]


def _who(op: Operation) -> str:
    names = ", ".join(f"@{name}" for name in devices_of(op_affinity(op)))
    return f" on {names}" if names else ""


class _OrderCheck:
    """One block, op by op."""

    def __init__(self, storage: StorageSets, pass_name: str) -> None:
        self.storage = storage
        self.pass_name = pass_name
        self.times = BlockTimes()
        self.told: list[int] = []
        """What fences of others tell of."""
        self.hazards = HazardMap(exact=True)
        self.nodes: list[Operation] = []
        self.makers: dict[SSAValue, Operation] = {}
        """Results of regions and allocations that the host has not waited for."""
        self.allocated: dict[SSAValue, stream.ResourceAllocaOp] = {}
        self.written: set[SSAValue] = set()
        self.freed: dict[SSAValue, Operation] = {}
        self.first: dict[SSAValue, SSAValue] = {}
        """Values to the first names of their storage in the block, by which the above are kept."""

    def run(self, block: Block) -> None:
        """Check `block`."""
        for op in block.ops:
            self._name(op)
            if isinstance(op, stream.TimepointAwaitOp):
                self.times.visit(op)
                continue
            past = self.times.parts(_awaited(op))
            if isinstance(op, stream.TimepointChainExternalOp):
                self.told.extend(past)
            elif isinstance(op, stream.TensorExportOp):
                past.extend(self.told)
            self._check_makers(op, past)
            self._check_conflicts(op, past)
            if isinstance(op, _REGIONS):
                self._check_body(op.body.block)
            self.times.visit(op)
            # Of an allocation without bytes there is nothing to write.
            if isinstance(op, stream.ResourceAllocaOp) and constant_index(op.storage_size) != 0:
                self.allocated[op.result] = op
            if isinstance(op, (*_REGIONS, stream.ResourceAllocaOp)):
                self.makers.update((r, op) for r in op.results if is_resource(r))

    def _name(self, op: Operation) -> None:
        """Note which results, and arguments of a region, are other names of what."""
        for inner in op.walk():
            pairs: list[tuple[SSAValue, SSAValue]] = list(tied_results(inner))
            if (source := renamed_source(inner)) is not None:
                pairs.append((inner.results[0], source))
            if isinstance(inner, (*_REGIONS, *_WAVES)):
                pairs.extend((argument, capture) for capture, argument in captured(inner))
            for name, before in pairs:
                self.first[name] = self.first.get(before, before)

    # Values ------------------------------------------------------------------------------------

    def _check_makers(self, op: Operation, past: list[int]) -> None:
        """What makes the resources that `op` uses comes before it."""
        for inner in (op,) if isinstance(op, _REGIONS) else op.walk():
            if (source := renamed_source(inner)) is not None:
                # Another name, which may be given before there is anything: its users wait.
                if (maker := self.makers.get(source)) is not None:
                    self.makers[inner.results[0]] = maker
                continue
            for value in inner.operands:
                maker = None if op.name in _STORES else self.makers.get(value)
                if maker is not None and not self._follows(past, maker):
                    self._fail(op, maker, f"producer{_who(maker)}", f"consumer{_who(op)}")

    def _follows(self, past: list[int], earlier: Operation) -> bool:
        made = result_timepoint(earlier)
        return made is None or self.times.implied(self.times.number(made), past)

    def _fail(self, op: Operation, earlier: Operation, before: str, after: str) -> None:
        fail(
            op,
            f"{after} is not ordered after {before} ({self.pass_name}); await its timepoint",
            note(earlier, f"the {before} is here"),
        )

    # Storage -----------------------------------------------------------------------------------

    def _accesses(self, op: Operation) -> Iterator[tuple[Operation, StorageAccess]]:
        for inner in op.walk():
            for access in self.storage.accesses(inner):
                yield inner, access

    def _check_conflicts(self, op: Operation, past: list[int]) -> None:
        """Conflicting accesses of earlier ops come before those of `op`."""
        number = len(self.nodes)
        self.nodes.append(op)
        for inner, access in self._accesses(op):
            self._check_contents(inner, access)
            if carries_values(inner) or isinstance(inner, cf.BranchOp | cf.ConditionalBranchOp):
                # It reads no bytes; what it carries must be made, which `_check_makers` sees to.
                continue
            for other in self._before(number, inner, access):
                earlier = self.nodes[other]
                if not self._follows(past, earlier):
                    what = "write" if access.writes else "read"
                    before = f"access{_who(earlier)} to the same storage"
                    self._fail(op, earlier, before, f"{what}{_who(op)}")

    def _before(self, node: int, op: Operation, access: StorageAccess) -> list[int]:
        """The earlier nodes with accesses that conflict with `access`.

        A release concerns what has its very name: others that may share the storage, as slots
        of a loop may, do not once it is released.
        """
        name = self.first.get(access.value, access.value)
        before = self.hazards.record(node, name, access.range, writes=access.writes)
        if isinstance(op, stream.ResourceDeallocaOp):
            return before
        return self.hazards.record(node, (access.storage,), access.range, writes=access.writes)

    def _check_contents(self, op: Operation, access: StorageAccess) -> None:
        """What is read has been written, and nothing touches what is freed."""
        name = self.first.get(access.value, access.value)
        release = self.freed.get(name)
        if release is not None and not exclude_each_other(release, op):
            fail(
                op,
                f"uses storage after its release ({self.pass_name})",
                note(release, "the release is here"),
            )
        if isinstance(op, stream.ResourceDeallocaOp):
            self.freed[name] = op
        elif access.writes or carries_values(op):
            self.written.add(name)
        elif name in self.allocated and name not in self.written:
            fail(
                op,
                f"reads an allocation that nothing has written ({self.pass_name})",
                note(self.allocated[name], "the allocation is here"),
            )

    def _check_body(self, block: Block) -> None:
        """Ops of one wave do not conflict."""
        for op in block.ops:
            if isinstance(op, _WAVES):
                self._check_wave(op)
            for region in op.regions:
                for nested in region.blocks:
                    self._check_body(nested)

    def _check_wave(self, wave: Operation) -> None:
        ops = [op for region in wave.regions for block in region.blocks for op in block.ops]
        by_storage: dict[object, list[tuple[int, StorageAccess]]] = {}
        for number, op in enumerate(ops):
            for _, access in self._accesses(op):
                by_storage.setdefault(access.storage, []).append((number, access))
        met = [pair for accesses in by_storage.values() for pair in _conflicts(accesses)]
        if met:
            later, earlier = min(met)
            fail(
                ops[later],
                "conflicts with another op of its concurrent region over the same storage "
                f"({self.pass_name}); give them an order",
                note(ops[earlier], "the other op is here"),
            )


def _conflicts(accesses: Iterable[tuple[int, StorageAccess]]) -> Iterator[tuple[int, int]]:
    """Pairs (later, earlier) of ops of which one writes what the other accesses, at least one
    where there are any; by the numbers with which their accesses to one storage come."""
    ends = {True: _Reach(), False: _Reach()}
    """How far writes reach, and all accesses."""
    for number, access in sorted(accesses, key=lambda entry: entry[1].range.start):
        start, end = access.range.start, access.range.end
        if end is not None and end <= start:
            continue
        other = ends[not access.writes].beyond(start, number)
        if other is not None:
            yield max(number, other), min(number, other)
        for writes in (True, False) if access.writes else (False,):
            ends[writes].extend(number, math.inf if end is None else end)


class _Reach:
    """How far the accesses of ops reach: the two ops whose accesses go furthest."""

    def __init__(self) -> None:
        self._ends: dict[int, float] = {}

    def extend(self, number: int, end: float) -> None:
        self._ends[number] = max(end, self._ends.get(number, 0))
        if len(self._ends) > 2:
            del self._ends[min(self._ends, key=self._ends.__getitem__)]

    def beyond(self, start: int, without: int) -> int | None:
        """An op that reaches beyond `start`, other than `without`."""
        return next((n for n, end in self._ends.items() if n != without and end > start), None)
