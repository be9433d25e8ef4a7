"""Which values name the same contents, and whose contents an update in place would destroy.

A *version* is a set of values that hold the same bytes in the same storage: a value, what alias
transfers, casts and views make of it, and what awaiting it gives. An op with a tied result makes
a new version in the storage of the old one; that is right only where all who read bytes that it
overwrites, under whatever name and in whatever older version, do so before.

```mlir
%1 = stream.async.dispatch …                              // version 1
%2 = stream.async.transfer %1 … {stream.transfer_kind = "alias"}   // version 1 still
%3 = stream.async.update %u, %2[%c0 to %c16] … -> %2 as …  // version 2, in the same storage
%4 = stream.async.dispatch @r(%1[%c0 to %c64 …]) …        // reads version 1: must come before %3
%5 = stream.async.dispatch @r(%1[%c32 to %c64 …]) …       // reads bytes that %3 leaves alone
```

Names and versions of one storage form a tree. Ranges are told apart where they are constant.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue, Use

from ...dialects import stream
from ...dialects.access import tied_results
from ..build import constant_value
from .call_summaries import CallSummaries
from .hazards import WHOLE, Range
from .ownership import owner_of
from .ranges import covers, extent, meets, shifted, written_ranges
from .storage import is_call
from .storage_flow import Entry, StorageFlow
from .update_users import disturbs_itself, keeps, reads, tied_updates

TRANSFER_KIND = "stream.transfer_kind"
COPY, ALIAS = "copy", "alias"


def transfer_kind(op: Operation) -> str | None:
    """The kind attribute of a transfer, or None while it is undecided."""
    attribute = op.attributes.get(TRANSFER_KIND)
    return None if attribute is None else getattr(attribute, "data", None)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why an update in place is not right."""

    reason: str
    reader: Operation | None = None
    """The op that still needs the old contents, where one does."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What an update in place asks for."""

    conflict: Conflict | None = None
    """Why no order makes it right."""
    readers: tuple[Operation, ...] = ()
    """Ops of its block that must come before it, each once."""
    entries: tuple[Entry, ...] = ()
    """Where clones instead of one at the update would do: where a loop or branch takes it in."""


class _Link(NamedTuple):
    """How a value came to have the storage of another one."""

    source: SSAValue
    update: Operation | None
    """The op that changed the contents; None for another name."""
    start: int | None
    """Where the value starts in its source, in bytes; None where it is not known."""


class _Name(NamedTuple):
    value: SSAValue
    range: Range
    """What an update overwrites, counted from the start of `value`."""
    made_by: Operation
    """The op that made of this version the next one on the way to the update, or the update."""


class _Skip(NamedTuple):
    """A way up over versions that nobody but the next update uses."""

    value: SSAValue
    """The version where it ends."""
    made_by: Operation
    """The update of it on the way."""
    hull: Range
    """Around what all updates on the way overwrite."""


@dataclass(slots=True)
class Versions:
    """The versions of all resources in a function.

    `copies` are transfers to take as copies, besides those that say so themselves; all others
    are taken as aliases. All updates in place are taken as such until `split` says otherwise.
    """

    function: Operation
    copies: frozenset[Operation] = frozenset()
    calls: CallSummaries | None = None
    """What the functions of the module do; without, a call may keep all that it takes."""
    position: dict[Operation, int] = field(default_factory=dict[Operation, int])
    _links: dict[SSAValue, _Link] = field(default_factory=dict[SSAValue, _Link])
    _children: dict[SSAValue, list[SSAValue]] = field(
        default_factory=dict[SSAValue, list[SSAValue]]
    )

    _roots: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Roots that are known; forgotten when a link comes or goes, as what follows is."""
    _skips: dict[SSAValue, _Skip] = field(default_factory=dict[SSAValue, _Skip])
    """Ways up from versions that nobody but the next update uses."""

    flow: StorageFlow = field(init=False)

    def __post_init__(self) -> None:
        self.flow = StorageFlow(self.function, self.calls, self.origin, self.root, self.tree)
        self.position = self.flow.order.number
        for op in self.position:
            for source, result, start in self._same_contents(op):
                self.join(source, result, start)
            updated = tied_updates(op)
            for result, operand in tied_results(op):
                if operand in updated:
                    self._link(result, _Link(operand, op, 0))

    def _same_contents(self, op: Operation) -> Iterable[tuple[SSAValue, SSAValue, int | None]]:
        match op:
            case stream.AsyncTransferOp():
                aliases = op not in self.copies and transfer_kind(op) != COPY
                return [(op.source, op.result, 0)] if aliases else []
            case stream.AsyncCastOp() | stream.AsyncBarrierOp():
                return [(op.source, op.result, 0)]
            case stream.ResourceSubviewOp():
                return [(op.source, op.result, constant_value(op.source_offset))]
            case stream.TimepointAwaitOp():
                pairs = zip(op.resource_operands, op.result_resources, strict=True)
                return [(source, result, 0) for source, result in pairs]
            case _:
                return []

    # The tree ----------------------------------------------------------------------------------

    def _link(self, value: SSAValue, link: _Link) -> None:
        self._forget()
        self._links[value] = link
        self._children.setdefault(link.source, []).append(value)

    def join(self, source: SSAValue, result: SSAValue, start: int | None) -> None:
        """`result`, so far storage of its own, is `source` from byte `start` on."""
        self._link(result, _Link(source, None, start))

    def part(self, result: SSAValue) -> None:
        """Undo a `join`, or take the update that makes `result` as one of a clone."""
        self._forget()
        self._children[self._links.pop(result).source].remove(result)

    def _forget(self) -> None:
        if self._roots or self._skips:
            self._roots.clear()
            self._skips.clear()

    def split(self, op: Operation, operand: SSAValue) -> None:
        """`op` works on a clone of `operand`."""
        for result, tied in tied_results(op):
            if tied is operand:
                self.part(result)

    def origin(self, value: SSAValue) -> SSAValue:
        """The first name of the contents of `value`."""
        while (link := self._links.get(value)) is not None and link.update is None:
            value = link.source
        return value

    def root(self, value: SSAValue) -> SSAValue:
        """The first name of the storage of `value`."""
        passed: list[SSAValue] = []
        while (link := self._links.get(value)) is not None:
            if (known := self._roots.get(value)) is not None:
                value = known
                break
            passed.append(value)
            value = link.source
        self._roots.update(dict.fromkeys(passed, value))
        return value

    def tree(self, value: SSAValue) -> Iterator[SSAValue]:
        """`value` and all that has its storage because of it, sources first."""
        pending = [value]
        while pending:
            yield (name := pending.pop())
            pending.extend(reversed(self._children.get(name, ())))

    def names(self, value: SSAValue) -> list[SSAValue]:
        """All names of the contents of `value`, the first one first."""
        names = [self.origin(value)]
        for name in names:
            children = self._children.get(name, ())
            names.extend(child for child in children if self._links[child].update is None)
        return names

    def updates(self, value: SSAValue) -> list[tuple[Operation, SSAValue]]:
        """All updates in place of the storage of `value`, each with the operand it updates."""
        links = (self._links.get(name) for name in self.flow.connected(value))
        found = ((link.update, link.source) for link in links if link is not None and link.update)
        return list(dict.fromkeys(found))

    # Updates in place --------------------------------------------------------------------------

    def conflict(self, op: Operation, operand: SSAValue) -> Conflict | None:
        """Why `op`, where it stands in the text, must not update `operand` in place, if so."""
        demands = self.demands(op, operand)
        if demands.conflict is not None:
            return demands.conflict
        for reader in demands.readers:
            if self.position[reader] > self.position[op]:
                return Conflict("its old contents are still read", reader)
        return None

    def demands(self, op: Operation, operand: SSAValue) -> Demands:
        """What must hold for `op` to update the storage of `operand` in place."""
        # By whatever name the loop knows it.
        if self.flow.order.follows(op, op, self.origin(operand)):
            return Demands(Conflict("the value is defined outside the loop that updates it"))
        readers: dict[Operation, None] = {}
        for written in written_ranges(op, operand):
            for name in self._others(op, operand, written):
                for use in name.value.uses:
                    found = self._demand(op, operand, name, use)
                    if isinstance(found, Conflict):
                        return Demands(found)
                    if found is not None:
                        readers[found] = None
        if (conflict := self._borrowed(operand) or self._shared(op, operand)) is not None:
            return Demands(conflict, entries=self._entries(op, operand))
        return Demands(None, tuple(user for user in readers if user.parent is op.parent))

    def _demand(
        self, op: Operation, operand: SSAValue, name: _Name, use: Use
    ) -> Operation | Conflict | None:
        """The op that must come before `op` because of one use of a name; why none may, if so."""
        user = use.operation
        if user is op:
            disturbs = disturbs_itself(op, operand, name.range, use.index)
            return Conflict("the op also reads other bytes of it", op) if disturbs else None
        # What `op` updates comes from the result of `made_by`.
        if (
            user is name.made_by
            or self._renames(user, name.value)
            or not reads(user, name.value, name.range)
        ):
            return None
        return self._unorderable(user, op, name.value) or user

    def _unorderable(self, user: Operation, op: Operation, name: SSAValue) -> Conflict | None:
        """Why no order of `user` before `op` lets the contents go."""
        # In another block the name may be younger than the contents.
        bound = name if user.parent is op.parent else self.origin(name)
        follows = self.flow.order.follows(user, op, bound)
        later = self.position[user] > self.position[op]
        is_kept = self.keeps(user, name) and not self.flow.carries(user, name)
        # Across blocks, and around a loop, no order is left to choose.
        if is_kept or (follows and not (later and user.parent is op.parent)):
            return Conflict("its old contents are still read", user)
        kept = follows and self.keeps(user, name)
        if kept or (follows and name in tied_updates(user)):
            reason = "are still read" if kept else "are updated once more"
            return Conflict(f"its old contents {reason}", user)
        return None

    def _shared(self, op: Operation, operand: SSAValue) -> Conflict | None:
        """Who reads what `op` overwrites under a name that control flow may have given it."""
        for value, user in self._alive(op, operand):
            if self.flow.may_share(operand, value):
                return Conflict("its old contents are still read", user)
        return None

    def _alive(self, op: Operation, operand: SSAValue) -> Iterator[tuple[SSAValue, Operation]]:
        """Values that flow connects to `operand`, needed after `op`, each with a user."""
        if not self.flow.sources:
            return
        root = self.root(operand)
        for value in self.flow.connected(operand):
            if self.root(value) is root:
                continue
            for use in value.uses:
                user = use.operation
                is_kept = self.keeps(user, value) and not self.flow.carries(user, value)
                before = is_kept and self.position[user] < self.position[op]
                if before or self.flow.order.follows(user, op, value):
                    yield value, user
                    break

    def _entries(self, op: Operation, operand: SSAValue) -> tuple[Entry, ...]:
        """The edges that bring storage which `op` must not update, if a clone on each is enough."""
        edges = [e for e in self.flow.entries(op, operand) if not self.flow.comes_around(e)]
        alive = [value for value, _ in self._alive(op, operand)] if edges else []
        bad = [
            edge
            for edge in edges
            if self._borrowed(edge.source) is not None
            or any(self.flow.shares_through(edge, value) for value in alive)
        ]
        entries = tuple(dict.fromkeys(Entry(edge.carrier, edge.operand) for edge in bad))
        with self.flow.without(entries):
            helps = self._borrowed(operand) is None and self._shared(op, operand) is None
        return entries if helps else ()

    def _others(self, op: Operation, operand: SSAValue, written: Range) -> Iterator[_Name]:
        """All names of the storage but those that come from the result of `op`.

        Older versions are left out once a write of at least the same bytes stands between: who
        reads those comes before that write.
        """
        value, made_by = operand, op
        while True:
            origin, written = self._at_origin(value, written)
            if (skip := self._skip(origin, made_by, written)) is not None:
                value, made_by = skip.value, skip.made_by
                continue
            yield from self._below(_Name(origin, written, made_by))
            link = self._links.get(origin)
            if link is None:
                return
            assert link.update is not None
            if any(covers(range, written) for range in written_ranges(link.update, link.source)):
                return
            value, made_by = link.source, link.update

    def _skip(self, value: SSAValue, made_by: Operation, written: Range) -> _Skip | None:
        """The way up from a version that nobody but `made_by` uses, over all such versions.

        None where there is none, or some write on the way may be of all that is `written`.
        """
        way: list[tuple[SSAValue, Range]] = []
        end = None
        while end is None and (step := self._step_up(value, made_by)) is not None:
            end = self._skips.get(value)
            hull = step.hull if end is None else end.hull
            way.append((value, hull))
            value, made_by = (step if end is None else end)[:2]
        if not way:
            return None
        hull = way[-1][1]
        for passed, of_step in reversed(way):
            hull = _hull(hull, of_step)
            self._skips[passed] = _Skip(value, made_by, hull)
        return None if covers(hull, written) else self._skips[way[0][0]]

    def _step_up(self, value: SSAValue, made_by: Operation) -> _Skip | None:
        """The way from a version that only `made_by` uses to the one that it was made of."""
        link = self._links.get(value)
        if link is None or link.update is None or not value.has_one_use():
            return None
        if any(use.operation is not made_by for use in value.uses):
            return None
        if len(self._children.get(value, ())) > 1:
            return None
        hull = WHOLE
        for number, range in enumerate(written_ranges(link.update, link.source)):
            hull = _hull(hull, range) if number else range
        return _Skip(link.source, link.update, hull)

    def _at_origin(self, value: SSAValue, range: Range) -> tuple[SSAValue, Range]:
        while (link := self._links.get(value)) is not None and link.update is None:
            value, range = link.source, shifted(range, link.start)
        return value, range

    def _below(self, first: _Name) -> Iterator[_Name]:
        """`first`, and the names and versions made of it that meet its range."""
        pending = [first]
        while pending:
            yield (name := pending.pop())
            for child in self._children.get(name.value, ()):
                link = self._links[child]
                if link.update is first.made_by:
                    continue
                inner = shifted(name.range, None if link.start is None else -link.start)
                if meets(inner, extent(child)):
                    pending.append(_Name(child, inner, first.made_by))

    def keeps(self, user: Operation, value: SSAValue) -> bool:
        """Whether `user` may hand the storage of `value` to somebody: see `keeps`."""
        if self.calls is None or not is_call(user):
            return keeps(user)
        places = (number for number, operand in enumerate(user.operands) if operand is value)
        return any(self.calls.keeps(user, number) for number in places)

    def _renames(self, user: Operation, name: SSAValue) -> bool:
        """Whether `user` only gives the same contents, or a range of them, another name."""
        link = None if not user.results else self._links.get(user.results[0])
        if isinstance(user, stream.TimepointAwaitOp):
            return True
        return link is not None and link.update is None and link.source is name

    def _borrowed(self, value: SSAValue) -> Conflict | None:
        """Storage that belongs to somebody else, wherever control flow has it from."""
        reasons = (
            owner_of(origin, self.origin, self.root)
            for origin in self.flow.origins(value)
            if self.calls is None or not self.calls.is_fresh(origin)
        )
        return next((Conflict(reason) for reason in reasons if reason is not None), None)


def _hull(left: Range, right: Range) -> Range:
    """The least range around both."""
    end = None if left.end is None or right.end is None else max(left.end, right.end)
    return Range(min(left.start, right.start), end)
