"""What an op does with values and storage from around it, itself and by the ops in its regions.

```mlir
%r = scf.for … iter_args(%v = %0) {          // uses %0 itself, %a and %t within
  %u = stream.cmd.execute on(@a) await(%t) => with(%v as …, %a as …) { … reads %a … }
  …                                          // accesses the storages of %v and of %a
}
```

Each op is read once, however deep it stands: an op with regions has what its children have, without
what they say twice and without what cannot be told from outside. So to ask at each level of a nest
costs no more than what there is to tell.

Does not handle: ops that change after they are read, but for operands that get another name for
what they were.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects import cf
from xdsl.ir import Operation, SSAValue

from ...dialects import stream
from ...dialects.walk import walk
from .hazards import Range
from .storage import StorageAccess, StorageSets, is_resource, renamed_source
from .value_flow import carries_values


class NestedAccess(NamedTuple):
    """An access that an op, or one in its regions, makes."""

    op: Operation
    """Who makes it; of several that make the same the first."""
    access: StorageAccess

    @property
    def carries(self) -> bool:
        """Whether the op only passes the storage on."""
        branches = cf.BranchOp | cf.ConditionalBranchOp
        return carries_values(self.op) or isinstance(self.op, branches)

    @property
    def releases(self) -> bool:
        """Whether the storage is given back."""
        return isinstance(self.op, stream.ResourceDeallocaOp)


class _Same(NamedTuple):
    """What makes two accesses the same to whoever is around."""

    storage: object
    range: Range
    writes: bool
    name: SSAValue | None
    carries: bool
    releases: bool
    released: int
    """How many releases within come before: a use after one is told anew."""


@dataclass(slots=True)
class _Within:
    """What the regions of an op do."""

    accesses: dict[_Same, NestedAccess] = field(default_factory=dict[_Same, NestedAccess])
    uses: dict[SSAValue, list[Operation]] = field(default_factory=dict[SSAValue, list[Operation]])
    named: Counter[object] = field(default_factory=Counter[object])
    """How often each storage has a name here."""
    loaded: dict[object, None] = field(default_factory=dict[object, None])
    """Storages that globals have given."""
    releases: int = 0

    def add(self, key: _Same, access: NestedAccess) -> None:
        self.accesses.setdefault(key._replace(released=self.releases), access)
        self.releases += key.releases


class NestedOps:
    """The ops of a function, read at once."""

    def __init__(
        self,
        function: Operation,
        storage: StorageSets,
        names: Mapping[SSAValue, SSAValue] | None = None,
        *,
        past_renames: bool = False,
    ) -> None:
        """Read `function`.

        Args:
            function: what to read.
            storage: its sets.
            names: where given, accesses under names that are different there stay apart.
            past_renames: who uses another name of a value uses the value, and who gives it does
                not.
        """
        self._storage = storage
        self._names = names
        self._renamed: dict[SSAValue, SSAValue] | None = {} if past_renames else None
        self._known: dict[Operation, _Within] = {}
        self._total: Counter[object] = Counter()
        for op in walk(function):
            self._total.update(self._found((*op.operands, *op.results, *_arguments(op))))
            if _is_global(op):
                # The global is one more name, which stands outside of everything.
                self._total.update(self._found((*op.operands, *op.results)))
        self._read(function)

    def accesses(self, op: Operation) -> list[NestedAccess]:
        """What `op` and the ops in its regions do with storage, in textual order.

        Of the latter what is the same only once, and nothing that is done to storage that has no
        name outside of `op`.
        """
        own = [NestedAccess(op, access) for access in self._storage.accesses(op)]
        return [*own, *self._within(op).accesses.values()] if op.regions else own

    def accesses_within(self, op: Operation) -> list[NestedAccess]:
        """Like `accesses`, of the regions of `op` only."""
        return list(self._within(op).accesses.values()) if op.regions else []

    def uses(self, op: Operation) -> list[SSAValue]:
        """The values from outside of `op` that it uses, itself or within; each once, in the order
        of their first uses."""
        return list(dict.fromkeys((*self._used(op), *self.uses_within(op))))

    def uses_within(self, op: Operation) -> Mapping[SSAValue, list[Operation]]:
        """The values from outside of `op` that ops in its regions use, in the order of their first
        uses; with these ops for resources."""
        return self._within(op).uses if op.regions else {}

    def globals_within(self, op: Operation) -> Iterable[object]:
        """The storages that ops in the regions of `op` load from globals."""
        return self._within(op).loaded if op.regions else ()

    def _within(self, op: Operation) -> _Within:
        return self._known.get(op) or self._read(op)

    def _read(self, op: Operation) -> _Within:
        found = self._known[op] = _Within()
        own: list[SSAValue] = []
        for block in (block for region in op.regions for block in region.blocks):
            own += block.args
            for inner in block.ops:
                found.named.update(self._found((*inner.operands, *inner.results)))
                for value in self._used(inner):
                    users = found.uses.setdefault(value, [])
                    if is_resource(value):
                        users.append(inner)
                for access in self._storage.accesses(inner):
                    self._add(found, NestedAccess(inner, access))
                if _is_global(inner):
                    found.loaded.update(dict.fromkeys(self._found(inner.results)))
                if inner.regions:
                    self._add_all(found, self._read(inner))
                own += inner.results
        found.named.update(self._found(_arguments(op)))
        for value in own:
            found.uses.pop(value, None)
        hidden = {one for one, count in found.named.items() if count == self._total[one]}
        if hidden:
            found.named = Counter({k: n for k, n in found.named.items() if k not in hidden})
            found.accesses = {k: a for k, a in found.accesses.items() if k.storage not in hidden}
        return found

    def _add(self, found: _Within, access: NestedAccess) -> None:
        storage, range, writes, value = access.access
        name = None if self._names is None else self._names.get(value, value)
        carries, releases = access.carries, access.releases
        found.add(_Same(storage, range, writes, name, carries, releases, 0), access)

    def _add_all(self, found: _Within, inner: _Within) -> None:
        for key, access in inner.accesses.items():
            found.add(key, access)
        for value, users in inner.uses.items():
            found.uses.setdefault(value, []).extend(users)
        found.named.update(inner.named)
        found.loaded.update(inner.loaded)

    def _found(self, values: Iterable[SSAValue]) -> Iterable[object]:
        """The storages of `values`, once for each that names one."""
        return map(self._storage.find, filter(is_resource, values))

    def _used(self, op: Operation) -> Iterable[SSAValue]:
        renamed = self._renamed
        if renamed is None:
            return op.operands
        source = renamed_source(op)
        if source is not None:
            renamed[op.results[0]] = renamed.get(source, source)
            return ()
        return [renamed.get(value, value) for value in op.operands]


def _is_global(op: Operation) -> bool:
    return op.name.startswith("util.global.")


def _arguments(op: Operation) -> Iterable[SSAValue]:
    return (argument for region in op.regions for block in region.blocks for argument in block.args)
