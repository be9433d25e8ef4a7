"""Which values name the same contents, and whether an update in place would be seen by others.

A *version* is a set of values that hold the same bytes in the same storage: a value, what alias
transfers and casts make of it, and what awaiting it gives. An op with a tied result makes a new
version in the storage of the old one; that is right only if nobody reads the old one later.

```mlir
%1 = stream.async.dispatch …                              // version 1
%2 = stream.async.transfer %1 … {stream.transfer_kind = "alias"}   // version 1 still
%3 = stream.async.update %u, %2[…] … -> %2 as …           // version 2, in the same storage
%4 = stream.async.dispatch @r(%1) …                       // reads version 1: %3 needs a clone
```

"Later" is textual order: whatever reads before the update in the text is ordered before it when
regions are scheduled.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stream
from ...dialects.access import tied_results
from ...dialects.stream.base import Passthrough
from .union_find import UnionFind

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


@dataclass(slots=True)
class Versions:
    """The versions of all resources in a function.

    `copies` are transfers to take as copies, besides those that say so themselves; all others
    are taken as aliases.
    """

    function: Operation
    copies: frozenset[Operation] = frozenset()
    sets: UnionFind[SSAValue] = field(default_factory=UnionFind[SSAValue])
    position: dict[Operation, int] = field(default_factory=dict[Operation, int])

    def __post_init__(self) -> None:
        for position, op in enumerate(self.function.walk()):
            self.position[op] = position
            for source, result in self._same_contents(op):
                self.sets.union(source, result)

    def _same_contents(self, op: Operation) -> Iterable[tuple[SSAValue, SSAValue]]:
        match op:
            case stream.AsyncTransferOp():
                aliases = op not in self.copies and transfer_kind(op) != COPY
                return [(op.source, op.result)] if aliases else []
            case stream.AsyncCastOp():
                return [(op.source, op.result)]
            case stream.TimepointAwaitOp():
                return zip(op.resource_operands, op.result_resources, strict=True)
            case _:
                return []

    def conflict(
        self, op: Operation, operand: SSAValue, names: Sequence[SSAValue] | None = None
    ) -> Conflict | None:
        """Why `op` must not write the storage of `operand` in place; None if it may.

        `names` are all names of the contents, by default those of the operand's version.
        """
        if names is None:
            names = self.sets.members(operand)
        if (reason := self._borrowed(names)) is not None:
            return Conflict(reason)
        if self._in_deeper_loop(op, operand):
            return Conflict("the value is defined outside the loop that updates it")
        at = self.position[op]
        for name in names:
            for use in name.uses:
                user = use.operation
                if self.position[user] > at and not self._renames(user, name):
                    return Conflict("its old contents are still read", user)
                if user is op and _copies_within(op, operand, name, use.index):
                    return Conflict("the op also reads other bytes of it", op)
        return None

    def _renames(self, user: Operation, name: SSAValue) -> bool:
        """Whether `user` only gives the same contents another name."""
        return any(source is name for source, _ in self._same_contents(user))

    def _borrowed(self, names: Sequence[SSAValue]) -> str | None:
        """Storage that belongs to somebody else: imports not given away, constants, globals."""
        for name in names:
            owner = name.owner
            if isinstance(owner, Block):
                if owner.parent_op() is self.function:
                    return "the storage belongs to the caller"
                continue
            match owner:
                case stream.TensorImportOp() if owner.consume is None:
                    return "the storage is an import that the caller did not give away"
                case stream.AsyncConstantOp() | stream.TensorConstantOp():
                    return "the storage is a constant"
                case _ if owner.name == "util.global.load":
                    return "the storage is a global's"
                case _:
                    pass
        return None

    def _in_deeper_loop(self, op: Operation, operand: SSAValue) -> bool:
        block = operand.owner if isinstance(operand.owner, Block) else operand.owner.parent
        parent = op.parent
        while parent is not None and parent is not block:
            enclosing = parent.parent_op()
            if enclosing is None or enclosing is self.function:
                return False
            if enclosing.name in ("scf.for", "scf.while"):
                return True
            parent = enclosing.parent
        return isinstance(operand.owner, Block) and operand.owner.parent_op() is not self.function


def _copies_within(op: Operation, operand: SSAValue, name: SSAValue, index: int) -> bool:
    """Whether a copy-like op reads the version that it writes through another operand."""
    if not isinstance(op, stream.AsyncUpdateOp | stream.AsyncCopyOp):
        return False
    source = op.update if isinstance(op, stream.AsyncUpdateOp) else op.source
    return op.operands[index] is source and source is name


def tied_updates(op: Operation) -> list[SSAValue]:
    """The operands that `op` writes in place, each once."""
    if op.has_trait(Passthrough) or op.regions:
        return []
    return list(
        dict.fromkeys(operand for result, operand in tied_results(op) if _both(result, operand))
    )


def _both(result: SSAValue, operand: SSAValue) -> bool:
    """Imports and exports tie a resource to something else, which is no update."""
    return all(isinstance(value.type, stream.ResourceType) for value in (result, operand))
