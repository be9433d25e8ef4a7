"""Small flow programs by hand: 16 x i32, devices a and b, the links and lines of host code given.

Every value is a name without `%`; `main` takes %x, which lies on a, and gives a result there.
"""

from flow_programs import at, kernel

SHARED = "unified_memory = true, transparent_access = true"
LINKS = {
    "unified": f"(@a -> @b = {{{SHARED}}}), (@b -> @a = {{{SHARED}}})",
    "oneway": "(@a -> @b = {transparent_access = true})",
    "none": "",
}


def make(name: str, result: str, source: str, device: str) -> str:
    """%result = i + k + 3 * source[i] on `device`."""
    return (
        f"%{result} = flow.dispatch @{name}::@f(%{source}, %k) {{stream.affinity = {at(device)}}}"
        " : (tensor<16xi32>, i32) -> tensor<16xi32>"
    )


def add(result: str, source: str, device: str) -> str:
    """%result = i + k + 3 * source[i] on `device`, in place."""
    return (
        f"%{result} = flow.dispatch @add::@f(%{source}, %k) {{stream.affinity = {at(device)}}}"
        f" : (tensor<16xi32>, i32) -> %{source}"
    )


def move(result: str, source: str, device: str) -> str:
    return f"%{result} = flow.tensor.transfer %{source} : tensor<16xi32> to {at(device)}"


def module(links: str, functions: str, devices: str = "ab") -> str:
    globals = "\n".join(
        f'util.global private @{d} = #hal.device.target<"local", {{ordinal = {i} : index}}, '
        '[#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device'
        for i, d in enumerate(devices)
    )
    kernels = kernel("add", [], 16, in_place=True)
    for name, inputs in (("make", 1), ("two", 2), ("sum", 3)):
        kernels += kernel(name, [16] * inputs, 16, in_place=False)
    topology = f"stream.topology = #hal.device.topology<links = [{links}]>" if links else ""
    return f"""module attributes {{{topology}}} {{
{globals}{kernels}
{functions}
}}"""


def function(head: str, *lines: str) -> str:
    return f"util.func {head} {{\n%k = arith.constant 7 : i32\n" + "\n".join(lines) + "\n}"


def callee(head: str, *lines: str) -> str:
    """A function whose calls stay calls."""
    return function(f"{head} attributes {{inlining_policy = #util.inline.never}}", *lines)


def main(*lines: str, result: str, arguments: str = "", constants: tuple[str, ...] = ()) -> str:
    return function(
        f"public @main(%arg0: !hal.buffer_view{arguments}) -> !hal.buffer_view",
        *constants,
        f'%x = hal.tensor.import on({at("a")}) %arg0 "x" : !hal.buffer_view -> tensor<16xi32>',
        *lines,
        f'%r = hal.tensor.export on({at("a")}) %{result} "y" : tensor<16xi32> -> !hal.buffer_view',
        "util.return %r : !hal.buffer_view",
    )
