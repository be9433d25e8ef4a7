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

Names and versions of one storage form a tree (`version_tree.py`). Ranges are told apart where they
are constant.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue, Use

from ...dialects import stream
from ...dialects.access import tied_results
from ..build import constant_value
from .call_summaries import CallSummaries
from .ownership import owner_of
from .ranges import written_ranges
from .storage import is_call
from .storage_flow import Entry, StorageFlow
from .update_users import disturbs_itself, keeps, reads, tied_updates
from .version_tree import Link, Name, VersionTree

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


@dataclass(slots=True)
class Versions(VersionTree):
    """The versions of all resources in a function.

    `copies` are transfers to take as copies, besides those that say so themselves; all others
    are taken as aliases. All updates in place are taken as such until `split` says otherwise.
    """

    function: Operation
    copies: frozenset[Operation] = frozenset()
    calls: CallSummaries | None = None
    """What the functions of the module do; without, a call may keep all that it takes."""
    position: dict[Operation, int] = field(default_factory=dict[Operation, int])
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
                    self.link(result, Link(operand, op, 0))

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

    def updates(self, value: SSAValue) -> list[tuple[Operation, SSAValue]]:
        """All updates in place of the storage of `value`, each with the operand it updates."""
        if not (self.flow.sources or self.has_updates(self.root(value))):
            return []
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
            for name in self.others(op, operand, written):
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
        self, op: Operation, operand: SSAValue, name: Name, use: Use
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
