"""Random async programs, and a symbolic machine that runs them before and after scheduling.

Memory is counted in cells of 64 bytes; a cell holds a term that says how its contents came to
be. Before scheduling, values are immutable tuples of terms; after it, resources are lists of
cells that commands change, in any order that timepoints and barriers allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import cast

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from zcir.dialects import stream
from zcir.dialects.access import (
    Access,
    await_timepoints,
    range_accesses,
    tied_results,
)

CELL = 64
"""Bytes."""

Term = object
Value = tuple[Term, ...]

TOPOLOGY = """#hal.device.topology<links = [
  (@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true}),
  (@a -> @c = {unified_memory = true}), (@c -> @a = {unified_memory = true}),
  (@b -> @c = {unified_memory = true}), (@c -> @b = {unified_memory = true})]>"""


@dataclass(eq=False)
class _Storage:
    """What the generator knows of one storage: its names are values of one version."""

    cells: int
    writable: bool
    names: list[str] = field(default_factory=list[str])


class ProgramWriter:
    """Writes a random program whose textual order is legal: nobody reads an overwritten version."""

    def __init__(self, random: Random, length: int) -> None:
        self.random = random
        self.lines: list[str] = []
        self.storages: list[_Storage] = []
        self.lifetime: dict[str, str] = {}
        self.device: dict[str, str] = {}
        self.count = 0
        for _ in range(2):
            cells = random.choice((1, 2, 3))
            name = self._define(_Storage(cells, False), "external", random.choice("abc"))
            self.lines.append(
                f"{name} = stream.tensor.import on(#{self.device[name]}) %x{name[2:]} : "
                f"!hal.buffer_view -> tensor<{16 * cells}xf32> in {self._type(name)}"
            )
        writers = (
            *(self._dispatch,) * 4,
            *(self._in_place,) * 4,
            *(self._transfer,) * 4,
            self._update,
            self._slice,
            self._fill,
            self._clone,
        )
        for _ in range(length):
            random.choice(writers)()

    def text(self) -> str:
        """The module."""
        alive = [name for storage in self.storages for name in storage.names[-1:]]
        results = self.random.sample(alive, min(len(alive), 3))
        exports: list[str] = []
        for index, name in enumerate(results):
            size = self._cells(name) * 16
            exports.append(
                f"%e{index} = stream.tensor.export on(#{self.device[name]}) {name} : "
                f"tensor<{size}xf32> in {self._type(name)} -> !hal.buffer_view"
            )
        types = ", ".join("!hal.buffer_view" for _ in results)
        names = ", ".join(f"%e{index}" for index in range(len(results)))
        constants = [f"%c{n * CELL} = arith.constant {n * CELL} : index" for n in range(4)]
        aliases = [f"#{d} = #hal.device.affinity<@{d}>" for d in "abc"]
        devices = [f"util.global private @{d} : !hal.device" for d in "abc"]
        return "\n".join(
            (
                *aliases,
                f"module attributes {{stream.topology = {TOPOLOGY}}} {{",
                *devices,
                "util.func public @f(%x0: !hal.buffer_view, %x1: !hal.buffer_view)"
                f" -> ({types}) {{",
                *constants,
                *self.lines,
                *exports,
                f"util.return {names} : {types}",
                "}}",
            )
        )

    # Names -------------------------------------------------------------------------------------

    def _define(self, storage: _Storage, lifetime: str, device: str) -> str:
        name = f"%v{self.count}"
        self.count += 1
        if storage not in self.storages:
            self.storages.append(storage)
        storage.names.append(name)
        self.lifetime[name], self.device[name] = lifetime, device
        return name

    def _pick(
        self, device: str | None = None, writable: bool = False
    ) -> tuple[str, _Storage] | None:
        found = [
            (name, storage)
            for storage in self.storages
            if storage.writable or not writable
            for name in storage.names
            if device is None or self.device[name] == device
        ]
        return self.random.choice(found) if found else None

    def _cells(self, name: str) -> int:
        return next(s.cells for s in self.storages if name in s.names)

    def _type(self, name: str) -> str:
        return f"!stream.resource<{self.lifetime[name]}>{{%c{self._cells(name) * CELL}}}"

    def _range(self, name: str) -> tuple[str, int]:
        cells = self._cells(name)
        start = self.random.randrange(cells)
        length = self.random.randint(1, cells - start)
        at, size = start * CELL, length * CELL
        return f"%c{at} to %c{at + size} for %c{size}", length

    # Ops ---------------------------------------------------------------------------------------

    def _dispatch(self) -> None:
        device = self.random.choice("abc")
        reads = [self._pick(device) for _ in range(self.random.randint(0, 2))]
        names = [read[0] for read in reads if read is not None]
        operands = ", ".join(f"{name}[{self._range(name)[0]}]" for name in names)
        types = ", ".join(self._type(name) for name in names)
        result = self._define(_Storage(self.random.choice((1, 2, 3)), True), "transient", device)
        self.lines.append(
            f"{result} = stream.async.dispatch on(#{device}) @ex::@f{result[2:]}({operands})"
            f" : ({types}) -> {self._type(result)}"
        )

    def _in_place(self) -> None:
        if (picked := self._pick(writable=True)) is None:
            return
        name, storage = picked
        device = self.device[name]
        other = self._pick(device)
        assert other is not None
        read = other[0]
        operands = f"{name}[{self._range(name)[0]}], {read}[{self._range(read)[0]}]"
        types = f"{self._type(name)}, {self._type(read)}"
        size = f"%c{storage.cells * CELL}"
        result = self._overwrite(storage, name)
        self.lines.append(
            f"{result} = stream.async.dispatch on(#{device}) @ex::@f{result[2:]}({operands})"
            f" : ({types}) -> {name}{{{size}}}"
        )

    def _overwrite(self, storage: _Storage, name: str) -> str:
        """The next version of a storage; its names so far are not read any more."""
        lifetime, device = self.lifetime[name], self.device[name]
        result = self._define(storage, lifetime, device)
        storage.names = [result]
        return result

    def _transfer(self) -> None:
        if (picked := self._pick()) is None:
            return
        name, storage = picked
        target = self.random.choice([d for d in "abc" if d != self.device[name]])
        alias = self.random.random() < 0.7
        source = self._type(name)
        ends = f"from(#{self.device[name]}) -> to(#{target})"
        kept = storage if alias else _Storage(storage.cells, True)
        result = self._define(kept, self.lifetime[name] if alias else "transient", target)
        kind = "alias" if alias else "copy"
        self.lines.append(
            f"{result} = stream.async.transfer {name} : {source} {ends} {self._type(result)}"
            f' attributes {{stream.transfer_kind = "{kind}"}}'
        )

    def _update(self) -> None:
        picked = self._pick(writable=True)
        if picked is None:
            return
        name, storage = picked
        device = self.device[name]
        update = self._pick(device)
        if update is None or update[1] is storage or update[1].cells > storage.cells:
            return
        at = self.random.randint(0, storage.cells - update[1].cells) * CELL
        end = at + update[1].cells * CELL
        old = self._type(name)
        result = self._overwrite(storage, name)
        self.lines.append(
            f"{result} = stream.async.update on(#{device}) {update[0]}, {name}[%c{at} to %c{end}]"
            f" : {self._type(update[0])} -> {name} as {old}"
        )

    def _fill(self) -> None:
        if (picked := self._pick(writable=True)) is None:
            return
        name, storage = picked
        where, _ = self._range(name)
        old = self._type(name)
        result = self._overwrite(storage, name)
        pattern = f"%p{result[2:]}"
        self.lines.append(f"{pattern} = arith.constant {result[2:]} : i32")
        self.lines.append(
            f"{result} = stream.async.fill on(#{self.device[name]}) {pattern}, {name}[{where}]"
            f" : i32 -> {name} as {old}"
        )

    def _slice(self) -> None:
        if (picked := self._pick()) is None:
            return
        name, storage = picked
        start = self.random.randrange(storage.cells)
        length = self.random.randint(1, storage.cells - start)
        source = self._type(name)
        device = self.device[name]
        result = self._define(_Storage(length, True), self.lifetime[name], device)
        self.lines.append(
            f"{result} = stream.async.slice on(#{device}) {name}[%c{start * CELL} to "
            f"%c{(start + length) * CELL}] : {source} -> {self._type(result)}"
        )

    def _clone(self) -> None:
        if (picked := self._pick()) is None:
            return
        name, storage = picked
        result = self._define(_Storage(storage.cells, True), "transient", self.device[name])
        self.lines.append(
            f"{result} = stream.async.clone on(#{self.device[name]}) {name} : {self._type(name)}"
            f" -> {self._type(result)}"
        )


# Running ------------------------------------------------------------------------------------------


def _integer(value: SSAValue) -> int:
    constant = cast(Operation, value.owner).properties["value"]
    assert isinstance(constant, IntegerAttr)
    return constant.value.data


def _cells(offset: SSAValue | None, length: SSAValue) -> slice:
    start = 0 if offset is None else _integer(offset) // CELL
    return slice(start, start + (_integer(length) + CELL - 1) // CELL)


def _entry(op: Operation) -> str:
    return str(op.properties["entry_points"])


def _computed(op: Operation, which: int, reads: Sequence[Value], cells: int) -> Value:
    """What a dispatch writes to its output `which`: a term for each cell."""
    return tuple((_entry(op), which, tuple(reads), cell) for cell in range(cells))


def _function(module: ModuleOp) -> Operation:
    return next(op for op in module.body.block.ops if op.name == "util.func")


def _imported(op: stream.TensorImportOp) -> Value:
    argument = cast(int, getattr(op.source, "index"))  # noqa: B009
    return tuple(("import", argument, cell) for cell in range(_integer(op.result_size) // CELL))


def run_values(module: ModuleOp) -> list[Value]:
    """What the async program, run in textual order on immutable values, exports."""
    values: dict[SSAValue, Value] = {}
    exported: dict[SSAValue, Value] = {}
    for op in _function(module).regions[0].block.ops:
        match op:
            case stream.TensorImportOp():
                values[op.result] = _imported(op)
            case stream.TensorExportOp():
                exported[op.result] = values[op.source]
            case stream.AsyncDispatchOp():
                _run_dispatch(op, values)
            case stream.AsyncTransferOp() | stream.AsyncCloneOp():
                values[op.result] = values[op.source]
            case stream.AsyncSliceOp():
                where = _cells(op.source_offset, op.result_size)
                values[op.result] = values[op.source][where]
            case stream.AsyncUpdateOp():
                where = _cells(op.target_offset, op.update_size)
                values[op.result] = _replaced(values[op.target], where, values[op.update])
            case stream.AsyncFillOp():
                where = _cells(op.target_offset, op.target_length)
                filling = (("fill", _integer(op.value)),) * (where.stop - where.start)
                values[op.result] = _replaced(values[op.target], where, filling)
            case _:
                pass
    return _returned(module, exported)


def _returned(module: ModuleOp, exported: dict[SSAValue, Value]) -> list[Value]:
    terminator = _function(module).regions[0].block.last_op
    assert terminator is not None
    return [exported[result] for result in terminator.operands]


def _replaced(old: Value, where: slice, new: Value) -> Value:
    cells = list(old)
    cells[where] = new
    return tuple(cells)


def _run_dispatch(op: stream.AsyncDispatchOp, values: dict[SSAValue, Value]) -> None:
    accesses = range_accesses(op)
    operands = [a for a in accesses if a.value not in op.results]
    reads = [values[a.value][_cells(a.offset, a.length)] for a in operands]
    tied = dict(tied_results(op))
    for result, size in zip(op.result_resources, op.result_sizes, strict=True):
        cells = _integer(size) // CELL
        if result not in tied:
            values[result] = _computed(op, len(reads), reads, cells)
            continue
        new = values[tied[result]]
        for which, access in enumerate(operands):
            if access.value is tied[result]:
                where = _cells(access.offset, access.length)
                written = _computed(op, which, reads, where.stop - where.start)
                new = _replaced(new, where, written)
        values[result] = new


Memory = dict[SSAValue, list[Term]]


class CommandMachine:
    """Runs an allocated program; whoever may go next is drawn by `random`."""

    def __init__(self, module: ModuleOp, random: Random) -> None:
        self.random = random
        self.memory: Memory = {}
        self.waiting: list[tuple[Operation, Iterator[None]]] = []
        self.reached: set[SSAValue] = set()
        self.names: dict[SSAValue, SSAValue] = {}
        self.exported: dict[SSAValue, Value] = {}
        self.module = module
        self.ops = list(_function(module).regions[0].block.ops)

    def run(self) -> list[Value]:
        """What the program exports; raises AssertionError where it uses freed storage."""
        for op in self.ops:
            self._issue(op)
            while self.waiting and self.random.random() < 0.5:
                self._step()
        return _returned(self.module, self.exported)

    def _issue(self, op: Operation) -> None:
        match op:
            case stream.TensorImportOp():
                self.memory[op.result] = list(_imported(op))
            case stream.TimepointAwaitOp():
                while op.await_timepoint not in self.reached:
                    self._step()
                self.names.update(zip(op.result_resources, op.resource_operands, strict=True))
            case stream.TensorExportOp():
                self.exported[op.result] = tuple(self.memory[self._resource(op.source)])
            case stream.TimepointJoinOp() | stream.TimepointImmediateOp():
                self.waiting.append((op, iter(())))
            case stream.ResourceAllocaOp() | stream.ResourceDeallocaOp():
                self.waiting.append((op, self._resize(op)))
            case stream.CmdExecuteOp():
                pairs = zip(op.body.block.args, op.resource_operands, strict=True)
                self.names.update(pairs)
                self.waiting.append((op, self._commands(list(op.body.block.ops))))
            case _:
                pass

    def _resource(self, value: SSAValue) -> SSAValue:
        while value in self.names:
            value = self.names[value]
        return value

    def _step(self) -> None:
        """Let one of those that may advance do one command."""
        ready = [
            item
            for item in self.waiting
            if all(timepoint in self.reached for timepoint in await_timepoints(item[0]))
        ]
        assert ready, "nobody can advance"
        item = self.random.choice(ready)
        if next(item[1], item) is item:
            self.waiting.remove(item)
            self.reached.update(
                result
                for result in item[0].results
                if isinstance(result.type, stream.TimepointType)
            )

    def _resize(self, op: Operation) -> Iterator[None]:
        yield
        if isinstance(op, stream.ResourceAllocaOp):
            cells = (_integer(op.storage_size) + CELL - 1) // CELL
            self.memory[op.result] = [("poison", id(op), cell) for cell in range(cells)]
        else:
            del self.memory[self._resource(op.operands[0])]

    def _commands(self, ops: Sequence[Operation]) -> Iterator[None]:
        for op in ops:
            if isinstance(op, stream.CmdConcurrentOp):
                inner = list(op.body.block.ops)
                self.random.shuffle(inner)
                yield from self._commands(inner)
            elif not isinstance(op, stream.YieldOp):
                self._execute(op)
                yield

    def _execute(self, op: Operation) -> None:
        match op:
            case stream.CmdCopyOp():
                source = self.memory[self._resource(op.source)][_cells(op.source_offset, op.length)]
                target = self.memory[self._resource(op.target)]
                target[_cells(op.target_offset, op.length)] = source
            case stream.CmdFillOp():
                where = _cells(op.target_offset, op.target_length)
                filling: list[Term] = [("fill", _integer(op.value))] * (where.stop - where.start)
                self.memory[self._resource(op.target)][where] = filling
            case stream.CmdDispatchOp():
                self._dispatch(op)
            case _:
                raise AssertionError(op.name)

    def _dispatch(self, op: stream.CmdDispatchOp) -> None:
        accesses = range_accesses(op)
        places = [
            (self.memory[self._resource(a.value)], _cells(a.offset, a.length)) for a in accesses
        ]
        reads = [
            tuple(cells[where])
            for access, (cells, where) in zip(accesses, places, strict=True)
            if access.mode & Access.READ
        ]
        for which, (access, (cells, where)) in enumerate(zip(accesses, places, strict=True)):
            if access.mode & Access.WRITE:
                cells[where] = _computed(op, which, reads, where.stop - where.start)
