"""Every error that the dialects raise is provoked by a chunk of a lit test that checks its text.

The lit files that expect errors are run again in process. A place in `dialects/` that raises is
provoked where the traceback of a chunk passes through it, and counts where a `CHECK` line of that
chunk states the message. What no text can provoke is called by hand.
"""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, IntAttr, ModuleOp
from xdsl.utils.exceptions import ParseError, VerifyException
from zcir.dialects.diagnostics import OpError, verify_module
from zcir.dialects.hal.executable_attrs import ABIConventionAttr, ExecutableObjectsAttr
from zcir.dialects.parsing import decoded, make_context, parse_text, replace_topology
from zcir.tools.driver import error_lines
from zcir.transforms.registry import make_passes

ROOT = Path(__file__).resolve().parents[3]
DIALECTS = ROOT / "dialects"
LIT = ROOT / "test/lit"
SEPARATOR = "// -----"
Site = tuple[str, int]
"""File below `dialects/`, first line of the statement."""


def has_words(node: ast.AST) -> bool:
    """Whether an expression holds words of a message."""
    return any(
        isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.strip()
        for part in ast.walk(node)
    )


def is_raise(node: ast.AST) -> bool:
    """Whether a node is a call that ends in an error with a text of its own, not one passed on."""
    if not isinstance(node, ast.Call) or not any(map(has_words, node.args)):
        return False
    match node.func:
        case ast.Name(id="VerifyException" | "fail" | "OpError"):
            return True
        case ast.Attribute(attr="raise_error"):
            return True
        case _:
            return False


def sites() -> dict[Site, range]:
    """All places of `dialects/` that raise, with the lines each takes."""
    found: dict[Site, range] = {}
    for path in sorted(DIALECTS.rglob("*.py")):
        if path.parent.name == "io_plan":
            # Data in attributes: test/unit/model/test_io_plan_attributes.py damages a plan's text.
            continue
        name = str(path.relative_to(DIALECTS))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if is_raise(node):
                assert isinstance(node, ast.Call)
                found[name, node.lineno] = range(node.lineno, (node.end_lineno or 0) + 1)
    return found


def chunks(path: Path) -> Iterator[tuple[str, int]]:
    """The chunks of a file, with the number of lines before each."""
    lines = 0
    for chunk in path.read_text(encoding="utf-8").split(SEPARATOR):
        yield chunk, lines
        lines += chunk.count("\n")


def pattern(check: str) -> re.Pattern[str]:
    """A FileCheck line as a regular expression; its variables match anything."""
    parts = re.split(r"(\{\{.*?\}\}|\[\[.*?\]\])", check.strip())
    return re.compile(
        "".join(
            part[2:-2] if part[:2] == "{{" else ".*" if part[:2] == "[[" else re.escape(part)
            for part in parts
        )
    )


def passed(error: BaseException, known: dict[Site, range]) -> Iterator[Site]:
    """The places that the tracebacks of an error and of its causes pass through."""
    current: BaseException | None = error
    while current is not None:
        trace = current.__traceback__
        while trace is not None:
            code: CodeType = trace.tb_frame.f_code
            path = Path(code.co_filename).resolve()
            if path.is_relative_to(DIALECTS):
                name = str(path.relative_to(DIALECTS))
                for site, lines in known.items():
                    if site[0] == name and trace.tb_lineno in lines:
                        yield site
            trace = trace.tb_next
        current = current.__cause__ or current.__context__


def passes_of(path: Path) -> tuple[str, ...]:
    """The pipeline in the RUN line of a file."""
    found = re.search(r"// RUN: .* -p (\S+)", path.read_text(encoding="utf-8"))
    return (found.group(1),) if found else ()


@cache
def shared_context() -> Context:
    return make_context()


def provoke(chunk: str, lines: int, passes: tuple[str, ...]) -> ParseError | OpError | None:
    """The error that a chunk ends in."""
    context = shared_context()
    try:
        module = parse_text(context, "\n" * lines + chunk, "sample.mlir")
        verify_module(module)
        for module_pass in make_passes(passes):
            module_pass.apply(context, module)
            verify_module(module)
    except (ParseError, OpError) as error:
        return error
    return None


def provoked(path: Path, known: dict[Site, range]) -> Iterator[Site]:
    """The places that a file provokes and whose message it checks."""
    for chunk, lines in chunks(path):
        checks = re.findall(r"// CHECK[\w-]*: ?(.*(?:error|note): .*)", chunk)
        if not checks:
            continue
        error = provoke(chunk, lines, passes_of(path))
        if error is None:
            continue
        shown = error_lines(error)[0]
        if any(pattern(check.partition("error: ")[2]).search(shown) for check in checks):
            yield from passed(error, known)


@pytest.fixture(scope="module")
def known() -> dict[Site, range]:
    return sites()


def topology_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "none.mlir"
    path.write_text("builtin.module {}")
    replace_topology(make_context(), ModuleOp([]), str(path))


def marked_op(_: Path) -> None:
    # GE-24: the test of plans has it in a whole model.
    text = '"test.op"() {zc.is_zero_copy_block} : () -> ()'
    verify_module(parse_text(make_context(), text, "sample.mlir"))


BY_HAND: tuple[tuple[Callable[[Path], object], str], ...] = (
    (lambda _: ABIConventionAttr(IntAttr(99)), "got 99"),
    (
        lambda _: ExecutableObjectsAttr(ArrayAttr([]), ArrayAttr([ArrayAttr([])])),
        "expected as many lists of objects as targets, got 1 for 0",
    ),
    (lambda _: decoded(b"\xff", "f.mlir"), "input is not UTF-8 text: bad byte at 0"),
    (marked_op, "zero-copy marker on internal value: it belongs to arguments of the model"),
    (topology_of_nothing, "expected a module with the attribute stream.topology, got none"),
)
"""What no text can say: wrong calls of constructors and the like, with their messages."""


def provoked_by_hand(folder: Path, known: dict[Site, range]) -> Iterator[Site]:
    for body, message in BY_HAND:
        with pytest.raises((VerifyException, OpError), match=re.escape(message)) as info:
            body(folder)
        yield from passed(info.value, known)


def test_every_message_of_the_dialects_is_checked(known: dict[Site, range], tmp_path: Path) -> None:
    files = [path for path in sorted(LIT.rglob("*.mlir")) if "error:" in path.read_text("utf-8")]
    seen = {site for path in files for site in provoked(path, known)}
    seen.update(provoked_by_hand(tmp_path, known))
    missing = sorted(set(known) - seen)
    text = "\n".join(f"dialects/{name}:{line}" for name, line in missing)
    assert not missing, f"no lit test provokes and checks\n{text}"
