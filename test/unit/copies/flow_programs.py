"""Random flow programs over several devices, as text.

Dispatches that make values or update them in place, slices, updates, clones, transfers, several
consumers, results that are inputs, on a random topology; with `control`, loops, branches and
calls of private functions as well, nested once. What decides over these is constant if it is
`known`, else it comes in as arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

SIZES = (8, 16, 32)
"""Elements of tensors, 4 bytes each."""

DECIDING = {
    **{f"n{n}": (n, "index") for n in (1, 2, 3)},
    "true": (1, "i1"),
    "false": (0, "i1"),
}
"""Bounds of loops and conditions of branches: their names, values and types."""
WAYS = ((1, 2, 3, 1, 0), (0, 1, 2, 0, 1), (2, 0, 0, 1, 1), (1, 0, 1, 0, 0))
"""What may come in for these: every loop not at all or often, every branch either way."""

_MAP = "affine_map<(d0) -> (d0)>"
_TENSOR = "iree_tensor_ext.dispatch.tensor"


def _load(source: str, name: str, size: int, access: str) -> str:
    tensor = f"tensor<{size}xi32>"
    return (
        f"{name} = {_TENSOR}.load {source}, offsets = [0], sizes = [{size}], strides = [1] : "
        f"!{_TENSOR}<{access}:{tensor}> -> {tensor}"
    )


def kernel(name: str, inputs: list[int], size: int, *, in_place: bool) -> str:
    """Output element i is a mix of element i of every input, of i and of %k."""
    tensor = f"tensor<{size}xi32>"
    access = "readwrite" if in_place else "writeonly"
    arguments = [f"%a{i}: !{_TENSOR}<readonly:tensor<{n}xi32>>" for i, n in enumerate(inputs)]
    out = f"%o: !{_TENSOR}<{access}:{tensor}>"
    order = [*arguments, "%k: i32", out] if not in_place else [out, *arguments, "%k: i32"]
    loads = [_load(f"%a{i}", f"%x{i}", n, "readonly") for i, n in enumerate(inputs)]
    if in_place:
        loads.append(_load("%o", "%x", size, access))
        terms = [("%x", tensor, _MAP)]
    else:
        terms = []
    for i, n in enumerate(inputs):
        terms.append((f"%x{i}", f"tensor<{n}xi32>", _MAP))
    maps = ", ".join([*(map for _, _, map in terms), _MAP])
    ins = ""
    if terms:
        names = ", ".join(name for name, _, _ in terms)
        types = ", ".join(type for _, type, _ in terms)
        ins = f"ins({names} : {types}) "
    parameters = ", ".join([*(f"%e{i}: i32" for i in range(len(terms))), "%old: i32"])
    body = ["%m0 = linalg.index 0 : index", "%s0 = arith.index_cast %m0 : index to i32"]
    body.append("%t0 = arith.addi %s0, %k : i32")
    for i in range(len(terms)):
        body.append(f"%c{i} = arith.constant {2 * i + 3} : i32")
        body.append(f"%p{i} = arith.muli %e{i}, %c{i} : i32")
        body.append(f"%t{i + 1} = arith.addi %t{i}, %p{i} : i32")
    lines = "\n        ".join(body)
    return f"""
  flow.executable private @{name} {{
    flow.executable.export public @f workgroups() -> (index, index, index) {{
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }}
    builtin.module {{
      func.func @f({", ".join(order)}) {{
        {chr(10).join(loads)}
        %init = tensor.empty() : {tensor}
        %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
            {ins}outs(%init : {tensor}) {{
        ^bb0({parameters}):
        {lines}
          linalg.yield %t{len(terms)} : i32
        }} -> {tensor}
        {_TENSOR}.store %r, %o, offsets = [0], sizes = [{size}], strides = [1]
            : {tensor} -> !{_TENSOR}<{access}:{tensor}>
        return
      }}
    }}
  }}"""


@dataclass(frozen=True, slots=True)
class _Value:
    name: str
    size: int
    device: str

    @property
    def type(self) -> str:
        return f"tensor<{self.size}xi32>"


class _Function(NamedTuple):
    """A private function with one argument and one result."""

    argument: _Value
    lines: list[str]
    result: _Value


def _alike(left: _Value, right: _Value) -> bool:
    return (left.size, left.device) == (right.size, right.device)


class FlowProgram:
    """One program; `text` is its module, `inputs` the elements of each tensor that comes in.

    Where control flow is not `known`, what decides over it comes in after these.
    """

    def __init__(
        self, random: Random, length: int, *, control: bool = False, known: bool = True
    ) -> None:
        self._random = random
        self.known = known
        self._functions: dict[str, _Function] = {}
        self._count = 0
        self._lines: list[str] = []
        self._kernels: dict[str, str] = {}
        self._values: list[_Value] = []
        self._devices = ("a", "b", "c")[: random.choice((2, 2, 3))]
        self._topology = self._links()
        self.inputs = [random.choice(SIZES) for _ in range(random.choice((1, 1, 2)))]
        for index, size in enumerate(self.inputs):
            value = _Value(f"%in{index}", size, random.choice(self._devices))
            self._values.append(value)
            self._lines.append(
                f"{value.name} = hal.tensor.import on({at(value.device)}) %arg{index} "
                f'"i{index}" : !hal.buffer_view -> {value.type}'
            )
        steps = (*(self._dispatch,) * 3, *(self._transfer,) * 4, *(self._in_place,) * 3)
        steps = (*steps, *(self._slice,) * 2, *(self._update,) * 3, self._clone)
        self._steps = steps
        for _ in range(length):
            random.choice((*steps, *(self._loop, self._branch, self._call) * 2 * control))()
        self.text = self._module()

    # Topology ----------------------------------------------------------------------------------

    def _links(self) -> str:
        links: list[str] = []
        unified = {d: self._random.random() < 0.6 for d in self._devices}
        for a in self._devices:
            for b in self._devices:
                if a == b:
                    continue
                if unified[a] and unified[b]:
                    access = "unified_memory = true, transparent_access = true"
                else:
                    access = self._random.choice(("", "transparent_access = true"))
                links.append(f"(@{a} -> @{b} = {{{access}}})")
        return f"#hal.device.topology<links = [{', '.join(links)}]>"

    # Steps -------------------------------------------------------------------------------------

    def _pick(self, device: str | None = None) -> _Value | None:
        """A value, the latest ones more often."""
        found = [v for v in self._values if device in (None, v.device)]
        if not found:
            return None
        recent = found[-4:]
        return self._random.choice(recent if self._random.random() < 0.7 else found)

    def _define(self, size: int, device: str) -> _Value:
        value = self._name(size, device)
        self._values.append(value)
        return value

    def _name(self, size: int, device: str) -> _Value:
        self._count += 1
        return _Value(f"%v{self._count}", size, device)

    def _number(self) -> str:
        return f"%k{self._random.randrange(6)}"

    def _closed(self, value: _Value) -> _Value:
        """`value`, or what a kernel on its device makes of it.

        What no kernel touches may lie in any memory: its place would not show in the numbers.
        """
        start = f"{value.name} ="
        line = next((line for line in self._lines if line.startswith(start)), "")
        if "flow.dispatch" in line:
            return value
        self._dispatch(value)
        return self._values[-1]

    def _dispatch(self, first: _Value | None = None) -> None:
        first = first or self._pick()
        assert first is not None
        reads = [first]
        other = self._pick(first.device)
        if self._random.random() < 0.8 and other is not None and other.size == first.size:
            reads.append(other)
        size = first.size
        code = "_".join(("make", *(str(v.size) for v in reads), str(size)))
        sizes = [v.size for v in reads]
        self._kernels[code] = kernel(code, sizes, size, in_place=False)
        names = ", ".join(v.name for v in reads)
        types = ", ".join(v.type for v in reads)
        result = self._define(size, first.device)
        self._lines.append(
            f"{result.name} = flow.dispatch @{code}::@f({names}, {self._number()}) "
            f"{{stream.affinity = {at(first.device)}}} : ({types}, i32) -> {result.type}"
        )

    def _in_place(self) -> None:
        target = self._pick()
        assert target is not None
        code = f"add_{target.size}"
        self._kernels[code] = kernel(code, [], target.size, in_place=True)
        result = self._define(target.size, target.device)
        self._lines.append(
            f"{result.name} = flow.dispatch @{code}::@f({target.name}, {self._number()}) "
            f"{{stream.affinity = {at(target.device)}}} : ({target.type}, i32) -> {target.name}"
        )

    def _transfer(self) -> None:
        source = self._pick()
        assert source is not None
        others = [device for device in self._devices if device != source.device]
        result = self._define(source.size, self._random.choice(others))
        self._lines.append(
            f"{result.name} = flow.tensor.transfer {source.name} : {source.type} "
            f"to {at(result.device)}"
        )

    def _slice(self) -> None:
        source = self._pick()
        if source is None or source.size == SIZES[0]:
            return
        size = self._random.choice([n for n in SIZES if n < source.size])
        start = self._random.choice((0, 4, 8, source.size - size))
        start = min(start, source.size - size)
        result = self._define(size, source.device)
        self._lines.append(
            f"{result.name} = flow.tensor.slice {source.name}[%c{start} for %c{size}] : "
            f"{source.type} -> {result.type}"
        )

    def _update(self) -> None:
        target = self._pick()
        if target is None:
            return
        parts = [v for v in self._values if v.device == target.device and v.size < target.size]
        if not parts:
            return
        part = self._random.choice(parts[-4:])
        start = self._random.choice((0, target.size - part.size))
        result = self._define(target.size, target.device)
        self._lines.append(
            f"{result.name} = flow.tensor.update {part.name}, {target.name}[%c{start}] : "
            f"{part.type} -> {target.name} as {target.type}"
        )

    def _clone(self) -> None:
        source = self._pick()
        assert source is not None
        result = self._define(source.size, source.device)
        self._lines.append(f"{result.name} = flow.tensor.clone {source.name} : {source.type}")

    # Control flow ------------------------------------------------------------------------------

    def _body(self, first: Sequence[_Value], like: _Value | None) -> tuple[list[str], _Value]:
        """Lines of a nested body, and what it gives: a value of the size and device of `like`.

        The body may use `first` and, unless it is a function's, all there is outside.
        """
        outer = self._lines, self._values
        self._lines, self._values = [], [*(outer[1] if like is not None else ()), *first]
        known = len(self._values) - len(first)
        for _ in range(self._random.choice((1, 2, 3))):
            self._random.choice(self._steps)()
        made = [v for v in self._values[known:] if like is None or _alike(v, like)]
        if not made:
            made = [self._made(next(v for v in (*first, like) if v is not None))]
        given = self._random.choice(made[-2:])
        lines, (self._lines, self._values) = self._lines, outer
        return lines, given

    def _made(self, source: _Value) -> _Value:
        self._dispatch(source)
        return self._values[-1]

    def _loop(self) -> None:
        """A loop that carries one value on."""
        init = self._pick()
        assert init is not None
        carried = self._name(init.size, init.device)
        lines, given = self._body([carried], init)
        result = self._define(init.size, init.device)
        count = self._random.choice((1, 2, 3))
        self._lines += [
            f"{result.name} = scf.for %i{result.name[1:]} = %c0 to %n{count}"
            f" step %one iter_args({carried.name} = {init.name}) -> ({init.type}) {{",
            *lines,
            f"scf.yield {given.name} : {init.type}",
            "}",
        ]

    def _branch(self) -> None:
        like = self._pick()
        assert like is not None
        sides = [self._body([], like) for _ in range(2)]
        result = self._define(like.size, like.device)
        self._lines.append(
            f"{result.name} = scf.if %{self._random.choice(('true', 'false'))} -> ({like.type}) {{"
        )
        for (lines, given), end in zip(sides, ("} else {", "}"), strict=True):
            self._lines += [*lines, f"scf.yield {given.name} : {like.type}", end]

    def _call(self) -> None:
        """A call of a private function, of a new one or once more of one that there is."""
        argument = self._pick()
        assert argument is not None
        known = [name for name, f in self._functions.items() if _alike(f.argument, argument)]
        if known and self._random.random() < 0.6:
            name = self._random.choice(known)
        else:
            name = f"@g{len(self._functions)}"
            taken = self._name(argument.size, argument.device)
            self._functions[name] = _Function(taken, *self._body([taken], None))
        function = self._functions[name]
        result = self._define(function.result.size, function.result.device)
        self._lines.append(
            f"{result.name} = util.call {name}({argument.name}{self._deciding('%{name}')}) :"
            f" ({argument.type}{self._deciding('{type}')}) -> {result.type}"
        )

    def _deciding(self, form: str) -> str:
        """What decides over control flow as further arguments, each in a form, if it comes in."""
        words = (form.format(name=name, type=type) for name, (_, type) in DECIDING.items())
        return "" if self.known else "".join(f", {word}" for word in words)

    # Text --------------------------------------------------------------------------------------

    def _module(self) -> str:
        results = self._random.sample(self._values[-4:], min(2, len(self._values[-4:])))
        results = [self._closed(v) for v in results]
        if self._random.random() < 0.25:
            results.append(self._values[0])
        exports = [
            f'%r{index} = hal.tensor.export on({at(v.device)}) {v.name} "o{index}" : {v.type} '
            "-> !hal.buffer_view"
            for index, v in enumerate(results)
        ]
        constants = [
            f"%{name} = arith.constant {value} : {type}"
            for name, (value, type) in DECIDING.items()
            if self.known
        ]
        constants.append("%one = arith.constant 1 : index")
        constants += [f"%c{n} = arith.constant {n} : index" for n in range(0, 33, 4)]
        constants += [f"%k{n} = arith.constant {7 * n + 1} : i32" for n in range(6)]
        deciding = self._deciding("%{name}: {type}")
        arguments = ", ".join(f"%arg{index}: !hal.buffer_view" for index in range(len(self.inputs)))
        arguments += deciding
        types = ", ".join("!hal.buffer_view" for _ in results)
        names = ", ".join(f"%r{index}" for index in range(len(results)))
        body = "\n    ".join((*constants, *self._lines, *exports))
        functions = "".join(
            f"""
  util.func private {name}({f.argument.name}: {f.argument.type}{deciding}) -> {f.result.type} {{
    {chr(10).join((*constants, *f.lines))}
    util.return {f.result.name} : {f.result.type}
  }}"""
            for name, f in self._functions.items()
        )
        target = '#hal.executable.target<"vmvx", "vmvx-bytecode-fb">'
        devices = "\n  ".join(
            f'util.global private @{d} = #hal.device.target<"local", {{ordinal = {i} : index}}, '
            f"[{target}]> : !hal.device"
            for i, d in enumerate(self._devices)
        )
        return f"""module attributes {{stream.topology = {self._topology}}} {{
  {devices}{"".join(self._kernels.values())}{functions}
  util.func public @main({arguments}) -> ({types}) {{
    {body}
    util.return {names} : {types}
  }}
}}
"""


def at(device: str) -> str:
    return f"#hal.device.affinity<@{device}>"
