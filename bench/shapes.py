"""Flow programs of any size, each of one shape, on two devices whose memory is not coherent.

A shape takes how many ops its function shall have, or how deep it shall nest, and gives text.
"""

from collections.abc import Callable, Iterable

_HEAD = """\
module @{shape} attributes {{
  stream.affinity.default = #hal.device.affinity<@device_a>,
  stream.topology = #hal.device.topology<links = [
    (@device_a -> @device_b = {{unified_memory = true, transparent_access = true}}, \
{{coherent = false}}),
    (@device_b -> @device_a = {{unified_memory = true, transparent_access = true}}, \
{{coherent = false}})
  ]>
}} {{
  util.global private @device_a = #hal.device.target<"local", {{ordinal = 0 : index}}, \
[#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {{ordinal = 1 : index}}, \
[#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
"""

_EXECUTABLE = """\
  flow.executable private @{name} {{
    flow.executable.export public @{name} workgroups() -> (index, index, index) {{
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }}
    builtin.module {{
      func.func @{name}({arguments}) {{
{loads}
        %r = {op} %x0, %x{last} : tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %o, offsets = [0], sizes = [16], strides = [1] \
: tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }}
    }}
  }}
"""

_FUNCTION = """\
  util.func public @f(%arg0: !hal.buffer_view{arguments}) -> !hal.buffer_view {{
{constants}    %x = hal.tensor.import on(#hal.device.affinity<@device_a>) %arg0 "input0" : \
!hal.buffer_view -> {input}
{body}
    %out = hal.tensor.export on(#hal.device.affinity<@device_a>) %{result} "output0" : {output} \
-> !hal.buffer_view
    util.return %out : !hal.buffer_view
  }}
}}
"""

_TENSOR = "tensor<16xf32>"


def _executable(name: str, op: str, inputs: int) -> str:
    """A kernel that applies `op` to its inputs, of which one stands for two, elementwise."""
    kind = f"!iree_tensor_ext.dispatch.tensor<readonly:{_TENSOR}>"
    loads = (
        f"        %x{i} = iree_tensor_ext.dispatch.tensor.load %a{i}, offsets = [0], sizes = [16], "
        f"strides = [1] : {kind} -> {_TENSOR}"
        for i in range(inputs)
    )
    out = f"%o: !iree_tensor_ext.dispatch.tensor<writeonly:{_TENSOR}>"
    arguments = ", ".join((*(f"%a{i}: {kind}" for i in range(inputs)), out))
    return _EXECUTABLE.format(
        name=name, op=op, arguments=arguments, loads="\n".join(loads), last=inputs - 1
    )


def _module(
    shape: str,
    body: Iterable[str],
    result: str,
    *,
    input: str = _TENSOR,
    output: str = _TENSOR,
    constants: Iterable[int] = (),
    arguments: Iterable[str] = (),
) -> str:
    """A module with a function of `body`, which makes `%result` of `%x`.

    `arguments`: what the function takes besides, as the text has it.
    """
    return (
        _HEAD.format(shape=shape)
        + _executable("square", "arith.mulf", 1)
        + _executable("add", "arith.addf", 2)
        + _FUNCTION.format(
            arguments="".join(f", {argument}" for argument in arguments),
            constants="".join(f"    %c{n} = arith.constant {n} : index\n" for n in constants),
            input=input,
            output=output,
            body="\n".join(f"    {line}" for line in body),
            result=result,
        )
    )


def _at(device: str) -> str:
    return f"#hal.device.affinity<@device_{device}>"


def _dispatch(result: str, kernel: str, *operands: str) -> str:
    names = ", ".join(f"%{name}" for name in operands)
    types = ", ".join(_TENSOR for _ in operands)
    return f"%{result} = flow.dispatch @{kernel}::@{kernel}({names}) : ({types}) -> {_TENSOR}"


def _move(result: str, source: str, device: str, type: str = _TENSOR) -> str:
    return f"%{result} = flow.tensor.transfer %{source} : {type} to {_at(device)}"


def _bounce(value: str, result: str) -> list[str]:
    """Four ops that square `value` on b and then again on a."""
    return [
        _move(f"{result}b", value, "b"),
        _dispatch(f"{result}s", "square", f"{result}b"),
        _move(f"{result}a", f"{result}s", "a"),
        _dispatch(result, "square", f"{result}a"),
    ]


def chain(ops: int) -> str:
    """A value goes to and fro, squared on each device."""
    links = max(ops // 4, 1)
    body: list[str] = []
    for link in range(links):
        body += _bounce(f"v{link - 1}" if link else "x", f"v{link}")
    return _module("chain", body, f"v{links - 1}")


def fan_out(ops: int) -> str:
    """One value made on a is read on b by many, each of which gets it by a transfer of its own.

    What they make is added up on b.
    """
    branches = max(ops // 3, 1)
    body = [_dispatch("y", "square", "x"), _move("s0", "y", "b")]
    for branch in range(branches):
        body.append(_move(f"t{branch}", "y", "b"))
        body.append(_dispatch(f"d{branch}", "square", f"t{branch}"))
        body.append(_dispatch(f"s{branch + 1}", "add", f"s{branch}", f"d{branch}"))
    return _module("fan_out", [*body, _move("back", f"s{branches}", "a")], "back")


def parts(ops: int) -> str:
    """A large value is cut up on a; each part is squared on b and put back in place on a.

    Every slice reads the value as it was before the updates.
    """
    count = max(ops // 5, 1)
    whole = f"tensor<{16 * count}xf32>"
    body: list[str] = []
    for part in range(count):
        before = f"u{part - 1}" if part else "x"
        body += [
            f"%p{part} = flow.tensor.slice %x[%c{16 * part} for %c16] : {whole} -> {_TENSOR}",
            _move(f"t{part}", f"p{part}", "b"),
            _dispatch(f"d{part}", "square", f"t{part}"),
            _move(f"b{part}", f"d{part}", "a"),
            f"%u{part} = flow.tensor.update %b{part}, %{before}[%c{16 * part}] : "
            f"{_TENSOR} -> %{before} as {whole}",
        ]
    constants = sorted({16, *range(0, 16 * count, 16)})
    return _module("parts", body, f"u{count - 1}", input=whole, output=whole, constants=constants)


def loops(ops: int) -> str:
    """Loops one after the other; each bounces its value twice."""
    body, result = _loops(ops, "c2")
    return _module("loops", body, result, constants=(0, 1, 2))


def open_loops(ops: int) -> str:
    """The same with a bound that the caller gives: each loop may have no round, so that what one
    of them makes may be what any later one takes."""
    body, result = _loops(ops, "n")
    return _module("open_loops", body, result, constants=(0, 1), arguments=("%n: index",))


def branches(ops: int) -> str:
    """Branches one after the other, each of which bounces a value or leaves it as it is."""
    count = max(ops // 5, 1)
    body: list[str] = []
    for branch in range(count):
        before = f"v{branch - 1}" if branch else "x"
        body += [
            f"%v{branch} = scf.if %c -> ({_TENSOR}) {{",
            *_bounce(before, f"w{branch}"),
            f"scf.yield %w{branch} : {_TENSOR}",
            "} else {",
            f"scf.yield %{before} : {_TENSOR}",
            "}",
        ]
    return _module("branches", body, f"v{count - 1}", arguments=("%c: i1",))


def nest(depth: int) -> str:
    """Loops in one another; each level bounces the value before and after the loop within."""
    body: list[str] = []
    last = f"i{depth}"
    for level in range(depth, 0, -1):
        taken = f"i{level - 1}" if level > 1 else "x"
        first = _bounce(taken, f"p{level}")
        inner = body or _bounce(f"i{level}", f"n{level}")
        given = last if body else f"n{level}"
        loop = _loop(f"v{level}", f"i{level}", f"p{level}", inner, given)
        body, last = [*first, *loop, *_bounce(f"v{level}", f"q{level}")], f"q{level}"
    return _module("nest", body, last, constants=(0, 1, 2))


def _loops(ops: int, bound: str) -> tuple[list[str], str]:
    """Loops one after the other up to `%bound`, and what the last one gives."""
    count = max(ops // 6, 1)
    body: list[str] = []
    for loop in range(count):
        before = f"v{loop - 1}" if loop else "x"
        inner = _bounce(f"i{loop}", f"w{loop}")
        body += _loop(f"v{loop}", f"i{loop}", before, inner, f"w{loop}", bound)
    return body, f"v{count - 1}"


def _loop(
    result: str, carried: str, init: str, body: Iterable[str], given: str, bound: str = "c2"
) -> list[str]:
    """A loop up to `%bound`."""
    return [
        f"%{result} = scf.for %n{carried} = %c0 to %{bound} step %c1 "
        f"iter_args(%{carried} = %{init}) -> ({_TENSOR}) {{",
        *body,
        f"scf.yield %{given} : {_TENSOR}",
        "}",
    ]


LONG: dict[str, Callable[[int], str]] = {
    "chain": chain,
    "fan_out": fan_out,
    "parts": parts,
    "loops": loops,
}
"""Shapes by number of ops."""

OPEN: dict[str, Callable[[int], str]] = {"open_loops": open_loops, "branches": branches}
"""Shapes by number of ops in which a value may go past all that follows it. Cache maintenance
follows each storage to where it ends, so their cost grows faster than their size."""
