"""Random stream-async programs with loops and branches, run on values and run on storage.

On values an update gives a new value. On storage it overwrites the operand's cell, as the lowered
program will; transfers of kind alias, casts, loops, branches and calls hand the cell on. Where
copies stand as they must, both give the same results.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from zcir.dialects import stream, util
from zcir.dialects.access import tied_operand

RESOURCE = "!stream.resource<*>"
ON = "on(#hal.device.affinity<@a>)"
SIZE = f"{RESOURCE}{{%c64}}"


@dataclass
class Cell:
    """A storage; what it holds is a number that stands for all of its bytes."""

    content: int


@dataclass
class FlowWriter:
    """Writes a random program of about `length` ops; resources of 64 bytes on one device."""

    random: Random
    length: int
    lines: list[str] = field(default_factory=list[str])
    count: int = 0
    indent: int = 1

    def text(self) -> str:
        """The program: a function of two imports, the first given away, and a flag."""
        self.emit("%c0 = arith.constant 0 : index")
        for number in (1, 2, 3, 64):
            self.emit(f"%c{number} = arith.constant {number} : index")
        values: list[str] = []
        for argument, consume in (("%x", "consume "), ("%y", "")):
            imported, cast_ = self.fresh(), self.fresh()
            self.emit(
                f"{imported} = stream.tensor.import {ON} {consume}{argument} : !hal.buffer_view -> "
                "tensor<16xf32> in !stream.resource<external>{%c64}"
            )
            external = "!stream.resource<external>{%c64}"
            self.emit(f"{cast_} = stream.async.cast {ON} {imported} : {external} -> {SIZE}")
            values.append(cast_)
        values = self.block(values, self.length, 0)
        chosen = self.random.sample(values, min(len(values), 3))
        exported = [self.export(value) for value in chosen]
        types = ", ".join(["!hal.buffer_view"] * len(exported))
        self.emit(f"util.return {', '.join(exported)} : {types}")
        body = "\n".join(self.lines)
        signature = "%x: !hal.buffer_view, %y: !hal.buffer_view, %flag: i1"
        return (
            'util.global private @a = #hal.device.target<"local"> : !hal.device\n'
            f"util.func public @f({signature}) -> ({types}) {{\n{body}\n}}\n"
        )

    def emit(self, line: str) -> None:
        """Add a line."""
        self.lines.append("  " * self.indent + line)

    def fresh(self) -> str:
        """A new name."""
        self.count += 1
        return f"%v{self.count}"

    def export(self, value: str) -> str:
        """Hand `value` out."""
        cast_, exported = self.fresh(), self.fresh()
        external = "!stream.resource<external>{%c64}"
        self.emit(f"{cast_} = stream.async.cast {ON} {value} : {SIZE} -> {external}")
        self.emit(
            f"{exported} = stream.tensor.export {ON} {cast_} : tensor<16xf32> in "
            "!stream.resource<external>{%c64} -> !hal.buffer_view"
        )
        return exported

    def block(self, values: list[str], length: int, depth: int) -> list[str]:
        """Ops that use `values` and what they define themselves; gives all."""
        values = list(values)
        kinds = ["new", "update", "update", "update", "dispatch", "alias", "select", "constant"]
        if depth < 3:
            kinds += ["for", "for", "if", "while"]
        for _ in range(length):
            values += getattr(self, f"add_{self.random.choice(kinds)}")(values, length, depth)
        return values

    def pick(self, values: list[str]) -> str:
        """One of `values`, late ones rather than early ones."""
        return self.random.choice(values[-5:] if self.random.random() < 0.7 else values)

    def add_new(self, values: list[str], length: int, depth: int) -> list[str]:
        """A storage of its own."""
        name, pattern = self.fresh(), self.fresh()
        self.emit(f"{pattern} = arith.constant {self.count} : i32")
        self.emit(f"{name} = stream.async.splat {ON} {pattern} : i32 -> {SIZE}")
        return [name]

    def add_constant(self, values: list[str], length: int, depth: int) -> list[str]:
        """A constant."""
        name, cast_ = self.fresh(), self.fresh()
        constant = "!stream.resource<constant>{%c64}"
        value = f"dense<{self.count}> : tensor<16xi32>"
        self.emit(f"{name} = stream.async.constant {ON} : {constant} = {value}")
        self.emit(f"{cast_} = stream.async.cast {ON} {name} : {constant} -> {SIZE}")
        return [cast_]

    def add_update(self, values: list[str], length: int, depth: int) -> list[str]:
        """An update in place that also reads another value, or the same."""
        name, target, other = self.fresh(), self.pick(values), self.pick(values)
        ranges = f"{target}[%c0 to %c64 for %c64], {other}[%c0 to %c64 for %c64]"
        self.emit(
            f"{name} = stream.async.dispatch {ON} @ex::@u{self.count}({ranges}) : "
            f"({SIZE}, {SIZE}) -> {target}{{%c64}}"
        )
        return [name]

    def add_dispatch(self, values: list[str], length: int, depth: int) -> list[str]:
        """A new value from two others."""
        name, left, right = self.fresh(), self.pick(values), self.pick(values)
        ranges = f"{left}[%c0 to %c64 for %c64], {right}[%c0 to %c64 for %c64]"
        self.emit(
            f"{name} = stream.async.dispatch {ON} @ex::@d{self.count}({ranges}) : "
            f"({SIZE}, {SIZE}) -> {SIZE}"
        )
        return [name]

    def add_alias(self, values: list[str], length: int, depth: int) -> list[str]:
        """Another name, or a copy."""
        name = self.fresh()
        if self.random.random() < 0.3:
            self.emit(f"{name} = stream.async.clone {ON} {self.pick(values)} : {SIZE} -> {SIZE}")
        else:
            at = "#hal.device.affinity<@a>"
            self.emit(
                f"{name} = stream.async.transfer {self.pick(values)} : {SIZE} from({at}) -> "
                f'to({at}) {SIZE} attributes {{stream.transfer_kind = "alias"}}'
            )
        return [name]

    def add_select(self, values: list[str], length: int, depth: int) -> list[str]:
        """One of two."""
        name = self.fresh()
        pair = f"{self.pick(values)}, {self.pick(values)}"
        self.emit(f"{name} = arith.select %flag, {pair} : {RESOURCE}")
        return [name]

    def add_if(self, values: list[str], length: int, depth: int) -> list[str]:
        """Branches that give up to two values."""
        results = [self.fresh() for _ in range(self.random.randint(1, 2))]
        types = ", ".join([RESOURCE] * len(results))
        self.emit(f"{', '.join(results)} = scf.if %flag -> ({types}) {{")
        for branch in range(2):
            if branch:
                self.emit("} else {")
            self.indent += 1
            inner = self.block(values, max(1, length // 3), depth + 1)
            self.emit(f"scf.yield {', '.join(self.pick(inner) for _ in results)} : {types}")
            self.indent -= 1
        self.emit("}")
        return results

    def _carried(self, values: list[str]) -> tuple[list[str], list[str], list[str]]:
        count = self.random.randint(1, 3)
        results = [self.fresh() for _ in range(count)]
        arguments = [self.fresh() for _ in range(count)]
        return results, arguments, [self.pick(values) for _ in range(count)]

    def add_for(self, values: list[str], length: int, depth: int) -> list[str]:
        """A loop of none to three iterations."""
        results, arguments, inits = self._carried(values)
        types = ", ".join([RESOURCE] * len(results))
        pairs = ", ".join(f"{a} = {i}" for a, i in zip(arguments, inits, strict=True))
        end = self.random.choice(("%c0", "%c1", "%c2", "%c3"))
        self.emit(
            f"{', '.join(results)} = scf.for {self.fresh()} = %c0 to {end} step %c1 "
            f"iter_args({pairs}) -> ({types}) {{"
        )
        self.indent += 1
        inner = self.block([*values, *arguments], max(1, length // 3), depth + 1)
        self.emit(f"scf.yield {', '.join(self.pick(inner) for _ in results)} : {types}")
        self.indent -= 1
        self.emit("}")
        return results

    def add_while(self, values: list[str], length: int, depth: int) -> list[str]:
        """A loop with work in both regions."""
        results, arguments, inits = self._carried(values)
        index, bound, counter = self.fresh(), self.fresh(), self.fresh()
        onward = [self.fresh() for _ in results]
        more, following = self.fresh(), self.fresh()
        types = ", ".join(["index", *([RESOURCE] * len(results))])
        pairs = ", ".join(f"{a} = {i}" for a, i in zip(arguments, inits, strict=True))
        self.emit(
            f"{', '.join([counter, *results])} = scf.while ({index} = %c0, {pairs}) : "
            f"({types}) -> ({types}) {{"
        )
        self.indent += 1
        inner = self.block([*values, *arguments], max(1, length // 4), depth + 1)
        self.emit(f"{more} = arith.cmpi slt, {index}, %c2 : index")
        passed = ", ".join([index, *(self.pick(inner) for _ in results)])
        self.emit(f"scf.condition({more}) {passed} : {types}")
        self.indent -= 1
        self.emit("} do {")
        declared = ", ".join(f"{name}: {RESOURCE}" for name in onward)
        self.emit(f"^bb0({bound}: index, {declared}):")
        self.indent += 1
        inner = self.block([*values, *onward], max(1, length // 4), depth + 1)
        self.emit(f"{following} = arith.addi {bound}, %c1 : index")
        yielded = ", ".join([following, *(self.pick(inner) for _ in results)])
        self.emit(f"scf.yield {yielded} : {types}")
        self.indent -= 1
        self.emit("}")
        return results


@dataclass
class FlowMachine:
    """Runs `@f`; `in_place` on storage, else on values. Results are what is exported at the end.

    An export hands out the storage: its result is what that holds when the function is done.
    """

    module: ModuleOp
    flag: bool
    in_place: bool
    values: dict[SSAValue, Any] = field(default_factory=dict[SSAValue, Any])
    borrowed: Cell = field(default_factory=lambda: Cell(2))

    def run(self) -> tuple[int, ...]:
        """The contents of the results, and of the import that was not given away."""
        (function,) = (op for op in self.module.body.block.ops if isinstance(op, util.FuncOp))
        results = self.region(function.body, (Cell(1), self.borrowed, self.flag))
        return (*(cell.content for cell in results), self.borrowed.content)

    def region(self, region: Region, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Run from the first block until a terminator without successors."""
        block: Block | None = region.first_block
        while block is not None:
            self.values.update(zip(block.args, arguments, strict=True))
            for op in block.ops:
                if op is not block.last_op:
                    given = self.step(op, tuple(self.values[value] for value in op.operands))
                    self.values.update(zip(op.results, given, strict=True))
            last = block.last_op
            assert last is not None
            match last:
                case cf.BranchOp():
                    block, passed = last.successor, last.arguments
                case cf.ConditionalBranchOp() if self.values[last.cond]:
                    block, passed = last.then_block, last.then_arguments
                case cf.ConditionalBranchOp():
                    block, passed = last.else_block, last.else_arguments
                case _:
                    return tuple(self.values[value] for value in last.operands)
            arguments = tuple(self.values[value] for value in passed)
        return ()

    def step(self, op: Operation, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        """The results of `op`."""
        match op:
            case scf.ForOp():
                carried = operands[3:]
                for index in range(operands[0], operands[1], operands[2]):
                    carried = self.region(op.body, (index, *carried))
                return carried
            case scf.WhileOp():
                carried = operands
                while True:
                    more, *passed = self.region(op.before_region, carried)
                    if not more:
                        return tuple(passed)
                    carried = self.region(op.after_region, tuple(passed))
            case scf.IfOp():
                return self.region(op.true_region if operands[0] else op.false_region, ())
            case stream.AsyncTransferOp() if op.kind == "copy":
                return (Cell(operands[0].content),)
            case stream.AsyncCloneOp():
                return (Cell(operands[0].content),)
            case stream.TensorExportOp():
                return (operands[0] if self.in_place else Cell(operands[0].content),)
            case stream.AsyncDispatchOp():
                return self.dispatch(op)
            case _:
                return self.plain(op, operands)

    def dispatch(self, op: stream.AsyncDispatchOp) -> tuple[Cell]:
        """A number of the kernel's name and of what it reads, in place where it is tied."""
        read = [self.values[value] for value in op.resource_operands]
        content = hash((str(op.entry_points), tuple(cell.content for cell in read))) & 0xFFFFFF
        target = tied_operand(op.results[0])
        if target is None or not self.in_place:
            return (Cell(content),)
        cell = cast(Cell, self.values[target])
        cell.content = content
        return (cell,)

    def plain(self, op: Operation, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        """Ops without control flow that make, name or choose."""
        match op.name:
            case "arith.constant":
                value = op.properties["value"]
                return (cast(IntegerAttr, value).value.data,)
            case "arith.select":
                return (operands[1] if operands[0] else operands[2],)
            case "arith.cmpi":
                return (operands[0] < operands[1],)
            case "arith.addi":
                return (operands[0] + operands[1],)
            case "stream.resource.size":
                return (64,)
            case "stream.async.splat":
                return (Cell(operands[0]),)
            case "stream.async.constant":
                return (Cell(hash(str(op.properties["value"])) & 0xFFFFFF),)
            case _:
                return (operands[0],)
