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

from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stream
from ...dialects.access import await_timepoints, op_affinity, result_timepoint, tied_results
from ...dialects.diagnostics import fail, note
from ...dialects.verify import constant_index
from ...dialects.walk import walk
from ..functions import host_blocks
from .alias_sets import devices_of
from .block_times import BlockTimes
from .hazards import HazardMap
from .loop_times import LoopTimes
from .nested_ops import NestedAccess, NestedOps
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


def check_ordering(function: Operation, pass_name: str) -> None:
    """Check all blocks of a host function and the regions that they launch.

    Raises:
        OpError: at the first op that is not ordered after another one; a note names that one.
    """
    known = _Function(function)
    for block in host_blocks(function):
        _OrderCheck(known, pass_name).run(block)


_STORES = ("util.global.store", "util.global.store.indirect")
"""Ops that hand out a resource whose timepoint another op of their kind hands out."""


class _Function:
    """What all blocks of a function have in common."""

    def __init__(self, function: Operation) -> None:
        self.storage = StorageSets(function)
        self.first = _first_names(function)
        """Values to the first names of their storage, where they are other names of one."""
        self.nested = NestedOps(function, self.storage, self.first, past_renames=True)
        self.loops = LoopTimes()

    def awaited(self, op: Operation) -> list[SSAValue]:
        """The timepoints that `op`, or what it hands resources to, waits for."""
        if isinstance(op, _REGIONS) or not (op.regions or op.next_op is None or is_call(op)):
            return list(await_timepoints(op))
        return [v for v in self.nested.uses(op) if isinstance(v.type, stream.TimepointType)]


def _first_names(function: Operation) -> dict[SSAValue, SSAValue]:
    """Which results, and arguments of regions, are other names of what."""
    first: dict[SSAValue, SSAValue] = {}
    for op in walk(function):
        pairs: list[tuple[SSAValue, SSAValue]] = list(tied_results(op))
        if (source := renamed_source(op)) is not None:
            pairs.append((op.results[0], source))
        if isinstance(op, (*_REGIONS, *_WAVES)):
            pairs.extend((argument, capture) for capture, argument in captured(op))
        for name, before in pairs:
            first[name] = first.get(before, before)
    return first


def _who(op: Operation) -> str:
    names = ", ".join(f"@{name}" for name in devices_of(op_affinity(op)))
    return f" on {names}" if names else ""


class _OrderCheck:
    """One block, op by op."""

    def __init__(self, function: _Function, pass_name: str) -> None:
        self.function = function
        self.pass_name = pass_name
        self.times = BlockTimes(function.loops)
        self.told: list[int] = []
        """What fences of others tell of."""
        self.hazards = HazardMap(exact=True)
        self.nodes: list[Operation] = []
        self.makers: dict[SSAValue, Operation] = {}
        """Results of regions and allocations that the host has not waited for."""
        self.allocated: dict[SSAValue, stream.ResourceAllocaOp] = {}
        self.written: set[SSAValue] = set()
        self.freed: dict[SSAValue, Operation] = {}

    def run(self, block: Block) -> None:
        """Check `block`."""
        for op in block.ops:
            if isinstance(op, stream.TimepointAwaitOp):
                self.times.visit(op)
                continue
            past = self.times.parts(self.function.awaited(op))
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

    # Values ------------------------------------------------------------------------------------

    def _check_makers(self, op: Operation, past: list[int]) -> None:
        """What makes the resources that `op` uses comes before it.

        Another name may be given before there is anything: its users wait.
        """
        if op.name in _STORES:
            return
        for value in self.function.nested.uses(op):
            maker = self.makers.get(value)
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

    def _check_conflicts(self, op: Operation, past: list[int]) -> None:
        """Conflicting accesses of earlier ops come before those of `op`."""
        number = len(self.nodes)
        self.nodes.append(op)
        for nested in self.function.nested.accesses(op):
            self._check_contents(nested)
            if nested.carries:
                # It reads no bytes; what it carries must be made, which `_check_makers` sees to.
                continue
            for other in self._before(number, nested):
                earlier = self.nodes[other]
                if not self._follows(past, earlier):
                    what = "write" if nested.access.writes else "read"
                    before = f"access{_who(earlier)} to the same storage"
                    self._fail(op, earlier, before, f"{what}{_who(op)}")

    def _name(self, value: SSAValue) -> SSAValue:
        return self.function.first.get(value, value)

    def _before(self, node: int, nested: NestedAccess) -> list[int]:
        """The earlier nodes with accesses that conflict with one of `node`.

        A release concerns what has its very name: others that may share the storage, as slots
        of a loop may, do not once it is released.
        """
        access = nested.access
        name = self._name(access.value)
        before = self.hazards.record(node, name, access.range, writes=access.writes)
        if nested.releases:
            return before
        return self.hazards.record(node, (access.storage,), access.range, writes=access.writes)

    def _check_contents(self, nested: NestedAccess) -> None:
        """What is read has been written, and nothing touches what is freed."""
        op, name = nested.op, self._name(nested.access.value)
        release = self.freed.get(name)
        if release is not None and not exclude_each_other(release, op):
            fail(
                op,
                f"uses storage after its release ({self.pass_name})",
                note(release, "the release is here"),
            )
        if nested.releases:
            self.freed[name] = op
        elif nested.access.writes or carries_values(op):
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
            for _, access in self.function.nested.accesses(op):
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
