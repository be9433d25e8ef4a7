"""The lifetime of every resource of a module, decided for sets of names of one storage.

Names that must agree, as control flow, calls and globals carry them without a copy, get one
lifetime, whatever is known of them: the one that lasts longest. Casts, alias transfers, ties and
waits join two such sets as long as no two different lifetimes meet; where they do, a cast is a
copy.

    import : external --cast--> * --loop--> * --stored to a mutable global--> variable
    // the loop's values are variable, the cast copies
"""

from collections.abc import Iterable, Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects import stream, util
from ...dialects.access import tied_results
from ...dialects.walk import walk
from .union_find import UnionFind
from .value_flow import (
    GLOBAL_ACCESSES,
    function_returns,
    global_name,
    host_functions,
    is_public,
    program_edges,
)
from .versions import COPY, transfer_kind

Lifetime = stream.Lifetime

_LONGEST = (
    Lifetime.EXTERNAL,
    Lifetime.VARIABLE,
    Lifetime.CONSTANT,
    Lifetime.STAGING,
    Lifetime.TRANSIENT,
)
"""Of several lifetimes for names that must agree, the first of these is theirs."""

UNKNOWN = Lifetime.UNKNOWN


class ModuleLifetimes:
    """What is known of the resources of `module`, which is at async level."""

    def __init__(self, module: ModuleOp) -> None:
        self._sets: UnionFind[object] = UnionFind()
        self._known: dict[object, Lifetime] = {}
        self.values: list[SSAValue] = []
        """All resources, in the order of the text."""
        functions = [
            op for op in module.body.block.ops if isinstance(op, util.FuncOp | util.InitializerOp)
        ]
        self._collect(functions)
        self._join_globals(module, functions)
        self._join_borders(module)
        for edge in program_edges(module):
            if isinstance(edge.source.type, stream.ResourceType):
                self._unite(edge.source, edge.target)
        self._join_ops(functions)
        for value in self.values:
            if is_given_away(value) and self._known.get(self._sets.find(value)) is None:
                self._state(value, _lifetime(value))

    def _collect(self, functions: Iterable[Operation]) -> None:
        """Find all resources, and what their types state."""
        for function in functions:
            for op in walk(function):
                for value in _defined(op):
                    self.values.append(value)
                    if not is_given_away(value):
                        self._state(value, _lifetime(value))

    def _join_ops(self, functions: Iterable[Operation]) -> None:
        """Unite what ops ask to have one type, then join what has one storage."""
        for function in functions:
            for op in walk(function):
                if isinstance(op, stream.AsyncSliceOp):
                    # Its own bytes, but the op's definition asks for one type.
                    self._unite(op.source, op.result)
        for function in functions:
            for op in walk(function):
                for source, result in _same_storage(op):
                    self._join(source, result)

    def of(self, item: object) -> Lifetime:
        """The lifetime of a value, or of a global by its name; transient where nothing tells."""
        return self._known.get(self._sets.find(item), Lifetime.TRANSIENT)

    def _state(self, item: object, lifetime: Lifetime) -> None:
        """Note what is known of `item`."""
        root = self._sets.find(item)
        if lifetime is not UNKNOWN:
            self._known[root] = _longest((lifetime, self._known.get(root)))

    def _unite(self, source: object, target: object) -> None:
        """The two are one lifetime."""
        known = [self._known.get(self._sets.find(item)) for item in (source, target)]
        root = self._sets.union(source, target)
        if any(known):
            self._known[root] = _longest(known)

    def _join(self, source: SSAValue, result: SSAValue) -> None:
        """Unless both lifetimes are known and differ: then a copy stays between them."""
        known = [self._known.get(self._sets.find(value)) for value in (source, result)]
        if None in known or known[0] is known[1]:
            self._unite(source, result)

    def _join_globals(self, module: ModuleOp, functions: Iterable[Operation]) -> None:
        """A global has the lifetime that its type states, else that of what outlives calls."""
        for op in module.body.block.ops:
            if isinstance(op, util.GlobalOp) and isinstance(op.type, stream.ResourceType):
                kept = Lifetime.CONSTANT if op.is_mutable is None else Lifetime.VARIABLE
                stated = op.type.lifetime
                self._state(op.sym_name.data, kept if stated is UNKNOWN else stated)
        for function in functions:
            for op in walk(function):
                if isinstance(op, GLOBAL_ACCESSES) and (name := global_name(op)):
                    for value in (*op.operands, *op.results):
                        if isinstance(value.type, stream.ResourceType):
                            self._unite(name, value)

    def _join_borders(self, module: ModuleOp) -> None:
        """What a function without a known caller takes and gives belongs to who calls it."""
        for function in host_functions(module).values():
            entry = function.regions[0].first_block
            if entry is None or not is_public(function):
                continue
            returned = (value for op in function_returns(function) for value in op.operands)
            for value in (*entry.args, *returned):
                if isinstance(value.type, stream.ResourceType) and _lifetime(value) is UNKNOWN:
                    self._state(value, Lifetime.EXTERNAL)


def is_given_away(value: SSAValue) -> bool:
    """Whether the caller gave `value` to the program, which may keep it for as long as it likes."""
    return isinstance(value.owner, stream.TensorImportOp) and value.owner.consume is not None


def _longest(lifetimes: Iterable[Lifetime | None]) -> Lifetime:
    found = set(lifetimes)
    return next(lifetime for lifetime in _LONGEST if lifetime in found)


def _lifetime(value: SSAValue) -> Lifetime:
    assert isinstance(value.type, stream.ResourceType)
    return value.type.lifetime


def _defined(op: Operation) -> Iterator[SSAValue]:
    arguments = (arg for region in op.regions for block in region.blocks for arg in block.args)
    for value in (*op.results, *arguments):
        if isinstance(value.type, stream.ResourceType):
            yield value


def _same_storage(op: Operation) -> Iterable[tuple[SSAValue, SSAValue]]:
    match op:
        case stream.AsyncTransferOp():
            # What the host shares with a device has a lifetime on each side.
            staged = Lifetime.STAGING in (_lifetime(op.source), _lifetime(op.result))
            return [] if staged or transfer_kind(op) == COPY else [(op.source, op.result)]
        case stream.AsyncCastOp():
            return [(op.source, op.result)]
        case stream.TimepointAwaitOp():
            return zip(op.resource_operands, op.result_resources, strict=True)
        case _:
            resources = stream.ResourceType
            return [
                (operand, result)
                for result, operand in tied_results(op)
                if isinstance(operand.type, resources) and isinstance(result.type, resources)
            ]
