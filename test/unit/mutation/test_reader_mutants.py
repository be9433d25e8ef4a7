"""Damaged modules end in one error line with a place, or are modules that read, print and lower.

K13: the reader, the verifiers, the printer, canonicalization and the passes meet modules that
nobody would write; none may raise anything but a diagnostic, and what is printed reads back.
"""

import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from random import Random
from traceback import format_exception
from typing import cast

import pytest
from mutator import context, mutant, printed
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import ArrayAttr, Builtin, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.linalg.abstract_ops import NamedOperation
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError
from zcir.dialects.diagnostics import OpError, verify_module
from zcir.dialects.parsing import parse_text
from zcir.tools.driver import error_lines
from zcir.transforms.registry import PASSES, make_passes

SHARES = 4
QUICK = 250
DEEP = 5000
"""Inputs of each share: 1,000 in all, 20,000 in all."""
LOWERINGS = 3
"""Passes that a mutant meets, drawn by its name; each pass meets hundreds."""
SLOW = 20.0
"""CPU seconds that no mutant may take: some hundred times the usual."""


def read(text: str, name: str) -> ModuleOp:
    """A module that verifies; raises ParseError, OpError."""
    module = parse_text(context(), text, name)
    verify_module(module)
    return module


def is_diagnostic(error: Exception) -> bool:
    """Whether an error is one located line (and notes) in the tools, not an internal error."""
    if not isinstance(error, ParseError | OpError):
        return False
    first, *notes = error_lines(error)
    return first.startswith("mutant:") and all(" note: " in note for note in notes)


def fault(what: str, body: Callable[[], object]) -> str:
    """What is wrong with how `body` ends: "" for success or a diagnostic, else the traceback."""
    try:
        body()
    except Exception as error:
        return "" if is_diagnostic(error) else f"{what}: {''.join(format_exception(error))}"
    return ""


def faults(name: str, text: str) -> list[str]:
    """What is wrong with how the tools take a mutant, a line of where and a traceback each."""
    passes = Random(name).sample(("canonicalize", *PASSES), LOWERINGS)
    start = time.process_time()
    modules: list[ModuleOp] = []
    wrong = [fault("read", lambda: modules.append(read(text, "mutant")))]
    for module in modules:
        wrong.append(fault("print and read back", partial(reread, module, generic=False)))
        wrong.append(fault("the same in generic form", partial(reread, module, generic=True)))
        wrong.extend(fault(step, partial(lower, module, step)) for step in passes)
    if (taken := time.process_time() - start) > SLOW:
        wrong.append(f"{taken:.0f} s")
    return [reason for reason in wrong if reason]


def reread(module: ModuleOp, generic: bool) -> None:
    """Print and read back; raises AssertionError where another module comes back."""
    text = printed(module, generic)
    forget_resources()
    try:
        again = read(text, "printed")
    except (ParseError, OpError) as error:
        raise AssertionError(f"{error}\n{text}") from error
    assert explicit(module).is_structurally_equivalent(explicit(again)), text


def forget_resources() -> None:
    """xDSL renames a key of `dense_resource` that any module before has used, as MLIR does."""
    resources = Builtin.get_interface(OpAsmDialectInterface)
    assert resources is not None
    resources._blob_storage.clear()


def explicit(module: ModuleOp) -> ModuleOp:
    """A copy without what a custom form does not tell apart, in IREE and MLIR neither.

    That is `public` from no visibility, empty attributes of each argument or result from none,
    and the body of an op of linalg that has a name.
    """
    module = module.clone()
    for op in module.walk():
        if op.properties.get("sym_visibility") == StringAttr("public"):
            del op.properties["sym_visibility"]
        for name in ("arg_attrs", "res_attrs"):
            attrs = cast(ArrayAttr[Attribute] | None, op.properties.get(name))
            if attrs is not None and attrs == ArrayAttr([DictionaryAttr({})] * len(attrs)):
                del op.properties[name]
        if isinstance(op, NamedOperation):
            for region in op.regions:
                for block in list(region.blocks):
                    region.erase_block(block, safe_erase=False)
    return module


def lower(module: ModuleOp, name: str) -> None:
    """Run one pass on a copy, verify, and print; raises OpError."""
    module = module.clone()
    for module_pass in make_passes((name,)):
        module_pass.apply(context(), module)
    verify_module(module)
    printed(module)


def on_deep_stack(body: Callable[[], None]) -> None:
    """Run `body` where nesting does not end the stack, as the tools do; raises what it raises."""
    raised: list[BaseException] = []

    def guarded() -> None:
        try:
            body()
        except BaseException as error:
            raised.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(512 * 1024 * 1024)
    sys.setrecursionlimit(200_000)
    try:
        thread = threading.Thread(target=guarded)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if raised:
        raise raised[0]


def judge(first: int, count: int) -> None:
    """Fail at the first mutant of a range that is taken wrongly."""
    for number in range(first, first + count):
        name, text = mutant(number)
        wrong = faults(name, text)
        assert not wrong, f"mutant {number}, {name}\n{text}\n" + "\n".join(wrong)


@pytest.mark.parametrize("share", range(SHARES))
def test_mutants_end_in_a_diagnostic_or_are_modules(share: int) -> None:
    on_deep_stack(lambda: judge(share * QUICK, QUICK))


@pytest.mark.deep
@pytest.mark.parametrize("share", range(SHARES))
def test_many_mutants_end_in_a_diagnostic_or_are_modules(share: int) -> None:
    on_deep_stack(lambda: judge(share * DEEP, DEEP))
