"""Four hundred nested regions are read, verified and printed, in both forms (K13)."""

import sys
from collections.abc import Callable
from io import StringIO

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from zcir.dialects.diagnostics import verify_module
from zcir.dialects.parsing import make_context, parse_text
from zcir.tools.driver import run_deep

DEPTH = 400
STRUCTURED = (
    "util.func public @deep(%c: i1, %a: index) {{\n{inner}\n  util.return\n}}",
    "scf.if %c {{\n{inner}\n}}",
    "%0 = arith.addi %a, %a : index",
)
UNKNOWN = (
    "util.func public @deep(%c: i1, %a: index) {{\n{inner}\n  util.return\n}}",
    '"t.region"() ({{\n{inner}\n}}) : () -> ()',
    '"t.leaf"(%a) : (index) -> ()',
)
STREAM = (
    "util.func public @deep(%a: !stream.resource<external>, %n: index) {{\n"
    "  %v = arith.constant 0 : i32\n"
    "  %t = stream.cmd.execute on(#hal.device.affinity<@d>) "
    "with(%a as %r: !stream.resource<external>{{%n}}) {{\n{inner}\n  }} => !stream.timepoint\n"
    "  util.return\n}}",
    "stream.cmd.serial {{\n{inner}\n}}",
    "stream.cmd.fill %v, %r[%n for %n] : i32 -> !stream.resource<external>{{%n}}",
)
PROGRAMS = {"structured": STRUCTURED, "unknown": UNKNOWN, "stream": STREAM}


def nested(program: tuple[str, str, str], depth: int = DEPTH) -> str:
    outer, region, leaf = program
    inner = leaf.format()
    for _ in range(depth):
        inner = region.format(inner=inner)
    return outer.format(inner=inner)


def deeply(body: Callable[[], None], capsys: pytest.CaptureFixture[str]) -> None:
    """Run `body` on the stack that the tools have."""
    limit = sys.getrecursionlimit()

    def whole() -> int:
        body()
        return 0

    try:
        code = run_deep(whole)
    finally:
        sys.setrecursionlimit(limit)
    assert code == 0, capsys.readouterr().err


def printed(module: ModuleOp, generic: bool) -> str:
    text = StringIO()
    Printer(text, print_generic_format=generic).print_op(module)
    return text.getvalue()


def read(text: str) -> ModuleOp:
    module = parse_text(make_context(), text, "deep")
    verify_module(module)
    return module


@pytest.mark.parametrize("generic", [False, True], ids=["custom", "generic"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_round_trip(program: str, generic: bool, capsys: pytest.CaptureFixture[str]) -> None:
    def body() -> None:
        once = printed(read(nested(PROGRAMS[program])), generic)
        assert printed(read(once), generic) == once

    deeply(body, capsys)
