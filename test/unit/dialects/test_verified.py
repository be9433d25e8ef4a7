"""What a pass changed is verified, whatever it is; what it left alone is not."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from xdsl.dialects.arith import AddiOp, ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, StringAttr, UnitAttr, i32, i64
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter
from zcir.dialects import verified
from zcir.dialects.diagnostics import OpError, verify_module
from zcir.dialects.parsing import make_context, parse_text
from zcir.dialects.verified import PassVerifier

TEXT = """\
func.func @f(%a: i32, %b: i32) -> i32 {
  %c = arith.constant 1 : i32
  %x = arith.addi %a, %c : i32
  %y = arith.addi %x, %b : i32
  cf.br ^bb1(%y : i32)
^bb1(%z: i32):
  func.return %z : i32
}
builtin.module {
  func.func private @g()
}
"""


@pytest.fixture
def module() -> ModuleOp:
    return parse_text(make_context(), TEXT, "t.mlir")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Operation]:
    """The modules that were verified."""
    seen: list[Operation] = []

    def count(root: Operation) -> None:
        seen.append(root)
        verify_module(root)

    monkeypatch.setattr(verified, "verify_module", count)
    return seen


OpT = TypeVar("OpT", bound=Operation)


def ops(module: ModuleOp, kind: type[OpT]) -> list[OpT]:
    return [op for op in module.walk() if isinstance(op, kind)]


def swap_operands(module: ModuleOp) -> None:
    op = ops(module, AddiOp)[1]
    op.operands = tuple(reversed(op.operands))


def use_another_value(module: ModuleOp) -> None:
    op = ops(module, AddiOp)[1]
    op.operands[1] = op.operands[0]


def change_a_property(module: ModuleOp) -> None:
    ops(module, ConstantOp)[0].properties["value"] = IntegerAttr(2, i32)


def add_an_attribute(module: ModuleOp) -> None:
    ops(module, AddiOp)[0].attributes["note"] = UnitAttr()


def make_an_attribute_of_the_module(module: ModuleOp) -> None:
    module.attributes["note"] = StringAttr("x")


def insert_an_op(module: ModuleOp) -> None:
    first = ops(module, ConstantOp)[0]
    assert first.parent is not None
    first.parent.insert_op_before(ConstantOp(IntegerAttr(3, i32)), first)


def move_an_op(module: ModuleOp) -> None:
    # The walk meets the ops in the same order.
    nested = ops(module, ModuleOp)[1]
    function = nested.body.block.first_op
    assert function is not None
    function.detach()
    module.body.block.insert_op_after(function, nested)


def change_a_type(module: ModuleOp) -> None:
    argument = ops(module, AddiOp)[0].operands[0]
    Rewriter.replace_value_with_new_type(argument, argument.type)
    constant = ops(module, ConstantOp)[0]
    constant.properties["value"] = IntegerAttr(1, i64)


def add_an_argument(module: ModuleOp) -> None:
    block = ops(module, AddiOp)[0].parent
    assert block is not None
    block.insert_arg(IndexType(), 2)


CHANGES: list[Callable[[ModuleOp], None]] = [
    swap_operands,
    use_another_value,
    change_a_property,
    add_an_attribute,
    make_an_attribute_of_the_module,
    insert_an_op,
    move_an_op,
    change_a_type,
    add_an_argument,
]


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_is_verified(
    change: Callable[[ModuleOp], None], module: ModuleOp, calls: list[Operation]
) -> None:
    verifier = PassVerifier()
    verifier.verify(module)
    verifier.verify(module)
    assert calls == [module]
    change(module)
    try:
        verify_module(module)
    except OpError:
        for _ in range(2):
            with pytest.raises(OpError):
                verifier.verify(module)
        assert len(calls) == 3
    else:
        verifier.verify(module)
        verifier.verify(module)
        assert len(calls) == 2


def test_another_module_is_verified(module: ModuleOp, calls: list[Operation]) -> None:
    verifier = PassVerifier()
    copy = module.clone()
    verifier.verify(module)
    verifier.verify(copy)
    assert calls == [module, copy]
