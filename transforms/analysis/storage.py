"""Which values of a function may share storage, and which ranges of it an op touches.

Storage is shared by results tied to operands, alias transfers, casts and awaits, captures and
results of regions, values that control flow carries, imports of one buffer, and loads and
stores of one global:

```mlir
%1 = stream.async.dispatch …                                         // storage A
%2 = stream.async.transfer %1 … {stream.transfer_kind = "alias"}     // A
%3 = stream.async.update %u, %2[%c16 to %c32] … -> %2 as …           // A, writes [16, 32)
%4 = stream.async.clone %3 …                                         // storage B
```

Values in different sets never share bytes; values in one set may. A call, or any op that is not
known here, may give back the storage of any operand.

Does not handle: storage that two arguments of one function share; they count as different.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from ...dialects import stream, util
from ...dialects.access import Access, RangeAccess, maintained_range, range_accesses, tied_results
from ...dialects.walk import walk
from ..build import constant_value
from .hazards import WHOLE, Range
from .union_find import UnionFind
from .value_flow import Edge, value_edges

ALIAS = "alias"

_REGION_OPS = (
    stream.AsyncExecuteOp,
    stream.AsyncConcurrentOp,
    stream.CmdExecuteOp,
    stream.CmdSerialOp,
    stream.CmdConcurrentOp,
)
_NO_ACCESS = (
    *_REGION_OPS,
    *(stream.YieldOp, stream.TimepointAwaitOp, stream.ResourceSizeOp),
    *(util.ListGetOp, util.ListSetOp),
)


class StorageAccess(NamedTuple):
    """What an op does with a range of a storage."""

    storage: object
    """The set, as `StorageSets.find` names it."""
    range: Range
    writes: bool
    value: SSAValue
    """The name under which the op touches it."""


def is_resource(value: SSAValue) -> bool:
    """Whether `value` is a `!stream.resource`."""
    return isinstance(value.type, stream.ResourceType)


def is_alias_transfer(op: Operation) -> bool:
    """Whether `op` is a transfer that moves nothing."""
    return isinstance(op, stream.AsyncTransferOp) and op.kind == ALIAS


def renamed_source(op: Operation) -> SSAValue | None:
    """The value that `op` only gives another name (alias transfer, cast, view), if it does."""
    if not _may_rename(type(op)):
        return None
    match op:
        case stream.AsyncTransferOp():
            return op.source if op.kind == ALIAS else None
        case stream.AsyncCastOp() | stream.AsyncBarrierOp() | stream.ResourceSubviewOp():
            return op.source
        case _:
            return None


@cache
def _may_rename(kind: type[Operation]) -> bool:
    """Whether `renamed_source` knows ops of a class: most it does not."""
    kinds = stream.AsyncTransferOp, stream.AsyncCastOp, stream.AsyncBarrierOp
    return issubclass(kind, (*kinds, stream.ResourceSubviewOp))


@dataclass(frozen=True, slots=True)
class _Global:
    """The storage of a global variable."""

    name: Attribute


class StorageSets:
    """The sets of values of functions that may share storage."""

    def __init__(
        self,
        *functions: Operation,
        calls: Iterable[Edge] = (),
        followed: Iterable[Operation] = (),
    ) -> None:
        """Join the values of `functions`.

        Args:
            functions: function-like ops of one module.
            calls: edges of calls among them (`value_flow.call_edges`), to be followed. Any other
                call may give back the storage of any operand.
            followed: calls of which `calls` has all edges, if there are any.
        """
        self._sets: UnionFind[object] = UnionFind()
        self._moved: set[SSAValue] = set()
        edges = list(calls)
        self._followed = {
            edge.carrier if is_call(edge.carrier) else edge.target.owner for edge in edges
        }
        self._followed.update(followed)
        for function in functions:
            for op in walk(function):
                self._join(op)
            edges.extend(value_edges(function))
        for edge in edges:
            if is_resource(edge.source):
                self._sets.union(edge.source, edge.target)

    def find(self, value: SSAValue) -> object:
        """The set of `value`; equal for values that may share storage."""
        return self._sets.find(value)

    def same(self, new: SSAValue, old: SSAValue) -> None:
        """State that `new`, made since, has the storage of `old`."""
        self._sets.union(old, new)

    def accesses(self, op: Operation) -> list[StorageAccess]:
        """What `op`, without ops nested in it, does with storage.

        An op that states no ranges reads its operands whole; an unknown one writes them as well.
        Regions leave this to the ops in them; renaming, waiting and cache maintenance touch no
        contents.
        """
        if isinstance(op, _NO_ACCESS) or renamed_source(op) is not None:
            return []
        if maintained_range(op) is not None:
            return []
        if ranges := range_accesses(op):
            return [self._access(access) for access in ranges]
        writes = not _only_reads(op)
        return [
            StorageAccess(self.find(value), WHOLE, writes, value)
            for value in op.operands
            if is_resource(value)
        ]

    def _access(self, access: RangeAccess) -> StorageAccess:
        writes = bool(access.mode & Access.WRITE)
        return StorageAccess(self.find(access.value), self._range(access), writes, access.value)

    def _range(self, access: RangeAccess) -> Range:
        start = 0 if access.offset is None else constant_value(access.offset)
        length = constant_value(access.length)
        if start is None or length is None or access.value in self._moved:
            return WHOLE
        return Range(start, start + length)

    def _join(self, op: Operation) -> None:
        for value, other in () if op in self._followed else _shared(op):
            self._sets.union(value, other)
        if isinstance(op, stream.ResourceSubviewOp):
            self._moved.add(op.result)
        if not self._moved:
            return
        pairs: list[tuple[SSAValue, SSAValue]] = [*tied_results(op)]
        if (source := renamed_source(op)) is not None:
            pairs.append((op.results[0], source))
        if isinstance(op, _REGION_OPS):
            pairs.extend((argument, capture) for capture, argument in captured(op))
        parent = op.parent_op()
        if isinstance(op, stream.YieldOp) and parent is not None:
            pairs.extend(zip(parent.results, op.resource_operands, strict=False))
        self._moved.update(name for name, before in pairs if before in self._moved)


def _global_pairs(op: Operation) -> Iterator[tuple[object, object]]:
    """What is loaded from and stored to a global, by its name or through its address."""
    values = [value for value in (*op.operands, *op.results) if _may_hold_resource(value)]
    reference = op.properties.get("global")
    if reference is not None:
        yield from ((_Global(reference), value) for value in values)
    else:
        yield from itertools.pairwise(values)


def _may_hold_resource(value: SSAValue) -> bool:
    """Whether a value is a resource or the address of one."""
    type = value.type
    return is_resource(value) or (
        isinstance(type, util.PtrType) and isinstance(type.target_type, stream.ResourceType)
    )


def _shared(op: Operation) -> Iterator[tuple[object, object]]:
    """The pairs of values, or values and keys, that have one storage because of `op`."""
    match op:
        case stream.TensorImportOp():
            yield op.source, op.result
        case _ if op.name.startswith("util.global."):
            yield from _global_pairs(op)
        case util.ListGetOp():
            yield op.list, op.result
        case util.ListSetOp():
            yield op.list, op.value
        case _ if isinstance(op, _REGION_OPS):
            yield from _region_pairs(op)
            yield from tied_results(op)
        case _ if (source := renamed_source(op)) is not None:
            yield source, op.results[0]
        case _ if _states_storage(op):
            yield from tied_results(op)
        case _:
            yield from _any_pairs(op)


def is_call(op: object) -> bool:
    """Whether `op` calls a function of the module."""
    return isinstance(op, util.CallOp | func.CallOp)


def _states_storage(op: Operation) -> bool:
    """Whether the op's results have storage of their own except where tied."""
    return op.name.startswith(("stream.", "scf."))


def _any_pairs(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    values = [value for value in (*op.operands, *op.results) if is_resource(value)]
    if any(is_resource(result) for result in op.results):
        yield from ((values[0], other) for other in values[1:])


def captured(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Captures of a region op with the arguments of its region."""
    block = op.regions[0].first_block
    if block is not None:
        captures = (value for value in op.operands if is_resource(value))
        yield from zip(captures, block.args, strict=False)


def _region_pairs(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Captures with region arguments, results with what the region yields."""
    yield from captured(op)
    block = op.regions[0].first_block
    if block is None:
        return
    terminator = block.last_op
    if isinstance(terminator, stream.YieldOp):
        results = (result for result in op.results if is_resource(result))
        yield from zip(terminator.resource_operands, results, strict=True)


def _only_reads(op: Operation) -> bool:
    """Whether an op without stated ranges leaves its operands unchanged."""
    carries = op.name.startswith(("util.global.", "util.return", "scf.", "cf."))
    return carries or is_side_effect_free(op)
