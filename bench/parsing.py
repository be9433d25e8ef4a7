"""How long our parser takes per op, against xDSL's own on builtin dialects.

Both modules have the same number of ops and of operands, in one function each. Times are CPU
seconds of parsing alone, the shortest of runs taken in turn: what else a machine does only adds.
The exit code is 1 where the target is missed.
"""

import argparse
import gc
import sys
from collections.abc import Callable, Sequence
from time import process_time

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from zcir.dialects.parsing import make_context, parse_text

TARGET = 1.5
"""How many times xDSL's time per op ours may take."""

STREAM_OPS = (
    "%{a} = stream.async.slice on(#hal.device.affinity<@d>) %{x}[%c0 to %c64] : "
    "!stream.resource<*>{{%c64}} -> !stream.resource<*>{{%c64}}",
    "%{b} = stream.async.dispatch on(#hal.device.affinity<@d>) @ex::@f(%{a}[%c0 to %c64 for %c64])"
    " : (!stream.resource<*>{{%c64}}) -> !stream.resource<*>{{%c64}}",
    "%{c} = stream.async.transfer %{b} : !stream.resource<*>{{%c64}} "
    "from(#hal.device.affinity<@d>) -> to(#hal.device.affinity<@e>) !stream.resource<*>{{%c64}}",
    "%{d} = stream.async.clone on(#hal.device.affinity<@e>) %{c} : !stream.resource<*>{{%c64}} -> "
    "!stream.resource<*>{{%c64}}",
)
"""Of 5, 6, 3 and 3 operands."""
BUILTIN_OPS = (
    "%{a} = func.call @f5(%{x}, %c0, %c64, %c64, %c64) : "
    "(tensor<16xf32>, index, index, index, index) -> tensor<16xf32>",
    "%{b} = func.call @f6(%{a}, %c0, %c64, %c64, %c64, %c64) : "
    "(tensor<16xf32>, index, index, index, index, index) -> tensor<16xf32>",
    "%{c} = tensor.insert %f into %{b}[%c0] : tensor<16xf32>",
    "%{d} = tensor.insert %f into %{c}[%c64] : tensor<16xf32>",
)
"""Of as many operands each."""


def stream_module(ops: int) -> str:
    """A chain of `ops` ops at stream level."""
    return f"""\
util.func public @chain(%x0: !stream.resource<*>) {{
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
{chain(STREAM_OPS, ops)}
  util.return
}}
"""


def builtin_module(ops: int) -> str:
    """A chain of `ops` ops of builtin dialects."""
    return f"""\
func.func @chain(%x0: tensor<16xf32>, %f: f32) {{
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
{chain(BUILTIN_OPS, ops)}
  func.return
}}
"""


def chain(shapes: Sequence[str], ops: int) -> str:
    """Lines of ops in which each uses the result of the one before."""
    lines: list[str] = []
    for index in range(0, ops, len(shapes)):
        names = {letter: f"x{index + place}" for place, letter in enumerate("xabcd")}
        lines += ("  " + shape.format(**names) for shape in shapes)
    return "\n".join(lines)


def their_context() -> Context:
    """A context of xDSL's own dialects."""
    context = Context()
    for name, factory in get_all_dialects().items():
        context.register_dialect(name, factory)
    return context


def size(module: ModuleOp) -> tuple[int, int]:
    """Ops and operands of a module."""
    operands = [len(op.operands) for op in module.walk()]
    return len(operands), sum(operands)


def seconds(parse: Callable[[], ModuleOp]) -> float:
    """CPU seconds of one parse."""
    gc.collect()
    start = process_time()
    parse()
    return process_time() - start


def main(args: Sequence[str] | None = None) -> int:
    """Time both parsers in turn."""
    parser = argparse.ArgumentParser(prog="bench/parsing.py", description=__doc__)
    parser.add_argument("--ops", type=int, default=20_000, help="ops of each module")
    parser.add_argument("--runs", type=int, default=3, help="runs of each")
    arguments = parser.parse_args(args)
    ours_text, theirs_text = stream_module(arguments.ops), builtin_module(arguments.ops)
    ours_in, theirs_in = make_context(), their_context()

    def ours() -> ModuleOp:
        return parse_text(ours_in, ours_text, "stream.mlir")

    def theirs() -> ModuleOp:
        return Parser(theirs_in, theirs_text).parse_module()

    sizes = size(ours()), size(theirs())  # warms up both, too
    if sizes[0] != sizes[1]:
        raise RuntimeError(f"the modules differ in ops or operands: {sizes}")
    times = [(seconds(ours), seconds(theirs)) for _ in range(arguments.runs)]
    ops, operands = sizes[0]
    mine, other = (min(column) for column in zip(*times, strict=True))
    ratio = mine / other
    print(f"parsing {ops} ops with {operands} operands, CPU microseconds per op")
    for name, shortest in (("zcir, stream", mine), ("xDSL, builtin", other)):
        print(f"  {name:<14}{shortest / ops * 1e6:8.1f}")
    print(f"  ratio         {ratio:8.2f}   target: {TARGET} or less")
    return 0 if ratio <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
