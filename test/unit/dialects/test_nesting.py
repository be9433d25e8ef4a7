"""Four hundred nested regions are read, verified, printed and lowered as shallow ones are (K13)."""

import sys
from collections.abc import Callable
from io import StringIO

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from zcir.dialects.diagnostics import OpError, verify_module
from zcir.dialects.parsing import make_context, parse_text
from zcir.tools.driver import run_deep
from zcir.transforms.registry import PASSES, make_passes

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


STEEP = {
    "canonicalize",
    "stream-schedule-execution",
    "stream-verify-allocated",
    "stream-verify-scheduled",
}
"""Passes that look at every op once for each region around it: they meet a quarter of the depth."""


@pytest.mark.parametrize(
    ("program", "steep"),
    [
        *((program, True) for program in PROGRAMS),
        ("structured", False),
        *(
            pytest.param(program, False, marks=pytest.mark.deep)
            for program in ("unknown", "stream")
        ),
    ],
)
def test_passes(program: str, steep: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """Each pass succeeds, or refuses with the error that it has for two nested regions."""
    context = make_context()

    def outcome(name: str, module: ModuleOp) -> str:
        (only,) = make_passes((name,))
        try:
            only.apply(context, module)
        except OpError as error:
            return error.message
        return ""

    def body() -> None:
        depth = DEPTH // 4 if steep else DEPTH
        shallow, deep = (read(nested(PROGRAMS[program], levels)) for levels in (2, depth))
        for name in ("canonicalize", *PASSES):
            if (name in STEEP) == steep:
                wanted = outcome(name, shallow.clone())
                assert outcome(name, deep.clone()) == wanted, name

    deeply(body, capsys)
