"""The names and versions of storages as trees: what was made of what, and from which byte on.

```mlir
%1 = stream.async.dispatch …                              // a root
%2 = stream.async.transfer %1 … {stream.transfer_kind = "alias"}   // another name of %1
%3 = stream.async.update %u, %2[%c0 to %c16] … -> %2 as …  // a version made of %2
```

Who reads bytes that an update overwrites is found from the updated version upwards, over all names
and older versions of the storage; ways over versions that nobody else uses are remembered.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from ...dialects.access import tied_results
from .hazards import WHOLE, Range
from .ranges import covers, extent, meets, shifted, written_ranges


class Link(NamedTuple):
    """How a value came to have the storage of another one."""

    source: SSAValue
    update: Operation | None
    """The op that changed the contents; None for another name."""
    start: int | None
    """Where the value starts in its source, in bytes; None where it is not known."""


class Name(NamedTuple):
    """A name of storage that is about to be updated, with the bytes that this concerns."""

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
class VersionTree:
    """Links of values to those whose storage they have; without any at first."""

    _links: dict[SSAValue, Link] = field(init=False, default_factory=dict[SSAValue, Link])
    _children: dict[SSAValue, dict[SSAValue, None]] = field(
        init=False, default_factory=dict[SSAValue, dict[SSAValue, None]]
    )
    """In the order of linking."""
    _roots: dict[SSAValue, SSAValue] = field(init=False, default_factory=dict[SSAValue, SSAValue])
    """By value one that its storage has because of, the root when it was asked for; forgotten when
    a link goes."""
    _skips: dict[SSAValue, _Skip] = field(init=False, default_factory=dict[SSAValue, _Skip])
    """Ways up from versions that nobody but the next update uses; forgotten when a link comes or
    goes."""
    _updated: dict[SSAValue, bool] = field(init=False, default_factory=dict[SSAValue, bool])
    """Of roots whether their trees have updates, as far as that is known."""

    def link(self, value: SSAValue, link: Link) -> None:
        """`value` has the storage of another one from now on, as `link` says."""
        self._skips.clear()
        root = self.root(link.source)
        known = link.update is not None or self._updated.get(root)
        if known is False:
            known = self.has_updates(value)
        self._updated.pop(value, None)
        if known is not None:
            self._updated[root] = known
        self._links[value] = link
        self._children.setdefault(link.source, {})[value] = None

    def join(self, source: SSAValue, result: SSAValue, start: int | None) -> None:
        """`result`, so far storage of its own, is `source` from byte `start` on."""
        self.link(result, Link(source, None, start))

    def part(self, result: SSAValue) -> None:
        """Undo a `join`, or take the update that makes `result` as one of a clone."""
        self._skips.clear()
        if self._updated.pop(root := self.root(result), None) is False:
            self._updated[root] = self._updated[result] = False
        self._roots.clear()
        del self._children[self._links.pop(result).source][result]

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
            passed.append(value)
            value = self._roots.get(value, link.source)
        self._roots.update(dict.fromkeys(passed, value))
        return value

    def has_updates(self, root: SSAValue) -> bool:
        """Whether something in the tree of `root`, which is one, is made by an update in place."""
        if (known := self._updated.get(root)) is None:
            links = (self._links.get(name) for name in self.tree(root))
            known = any(link is not None and link.update is not None for link in links)
            self._updated[root] = known
        return known

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

    def others(self, op: Operation, operand: SSAValue, written: Range) -> Iterator[Name]:
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
            yield from self._below(Name(origin, written, made_by))
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

    def _below(self, first: Name) -> Iterator[Name]:
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
                    pending.append(Name(child, inner, first.made_by))


def _hull(left: Range, right: Range) -> Range:
    """The least range around both."""
    end = None if left.end is None or right.end is None else max(left.end, right.end)
    return Range(min(left.start, right.start), end)
