"""Every op of our dialects round-trips in both forms with an extra attribute.

Samples are the ops in the lit tests of the dialects, so an op without a test there fails here.
"""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError, VerifyException
from zcir.dialects import DIALECTS, FOREIGN_DIALECTS, dialect_factories
from zcir.dialects.diagnostics import OpError, verify_module
from zcir.dialects.parsing import LocatingParser, make_context

LIT = Path(__file__).parents[2] / "lit" / "dialects"
FILES = sorted(LIT.rglob("*.mlir"))
EXTRA = "test.extra"
KEPT = StringAttr("kept")
VISIBILITY = "sym_visibility"


def dialects() -> Iterator[Dialect]:
    """Our dialects, and those of upstream MLIR that stand in for xDSL's."""
    for factory in dialect_factories(DIALECTS | FOREIGN_DIALECTS).values():
        yield factory()


def op_classes() -> list[type[Operation]]:
    """The ops defined in this project, by name."""
    ours = (op for dialect in dialects() for op in dialect.operations if is_ours(op))
    return sorted(ours, key=lambda op: op.name)


def is_ours(op: type[Operation]) -> bool:
    """Whether the class of an op is defined in this project."""
    return op.__module__.startswith("zcir.")


@pytest.fixture(scope="module")
def context() -> Context:
    return make_context()


def parse(context: Context, text: str) -> ModuleOp:
    """A module from its text."""
    return LocatingParser(context, text, "sample").parse_module()


def samples(context: Context, path: Path) -> Iterator[ModuleOp]:
    """The chunks of a lit file that can be read and verify."""
    for chunk in path.read_text(encoding="utf-8").split("// -----"):
        try:
            module = parse(context, chunk)
            verify_module(module)
        except (ParseError, VerifyException, OpError):
            continue
        yield module


def printed(module: ModuleOp, generic: bool) -> str:
    """A module as text."""
    text = StringIO()
    Printer(text, print_generic_format=generic).print_op(module)
    return text.getvalue()


@pytest.mark.parametrize("generic", [False, True], ids=["custom", "generic"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LIT)))
def test_extra_attributes_survive(context: Context, path: Path, generic: bool) -> None:
    for module in samples(context, path):
        for op in module.walk():
            if is_ours(type(op)):
                op.attributes[EXTRA] = KEPT
            if isinstance(op, IRDLOperation) and VISIBILITY in op.get_irdl_definition().properties:
                # An absent visibility is printed as the public one that it means.
                op.properties.setdefault(VISIBILITY, StringAttr("public"))
        text = printed(module, generic)
        again = parse(context, text)
        lost = {
            before.name
            for before, after in zip(module.walk(), again.walk(), strict=True)
            if before.attributes.get(EXTRA) != after.attributes.get(EXTRA)
        }
        assert not lost, f"{lost} lose attributes in\n{text}"
        assert module.is_structurally_equivalent(again), text


def test_every_op_has_a_sample(context: Context) -> None:
    seen = {op.name for path in FILES for module in samples(context, path) for op in module.walk()}
    missing = [op.name for op in op_classes() if op.name not in seen]
    assert not missing, f"no sample in test/lit/dialects for {', '.join(missing)}"


def test_no_hook_is_misnamed() -> None:
    """xDSL calls `verify_`; a method `_verify` would never run."""
    wrong = [op.name for op in op_classes() if "_verify" in vars(op) or "verify" in vars(op)]
    assert not wrong
