"""Values are used after their definition on every path, as MLIR asks (K13)."""

import pytest
from zcir.dialects.diagnostics import OpError, verify_module
from zcir.dialects.parsing import make_context, parse_text

RIGHT = {
    "an op of an unknown dialect orders nothing": """
        "t.x"() ({
          "t.use"(%0) : (i32) -> ()
          %0 = "t.def"() : () -> i32
        }) : () -> ()""",
    "nor does a module": """
        "t.use"(%0) : (i32) -> ()
        %0 = "t.def"() : () -> i32""",
    "nothing reaches the block": """
        func.func @f(%a: i32) {
          func.return
        ^b:
          %1 = arith.addi %2, %a : i32
          %2 = arith.addi %1, %a : i32
          cf.br ^b
        }""",
    "a loop that is entered past its text": """
        func.func @f(%a: i32, %c: i1) {
          cf.br ^last
        ^middle:
          %1 = arith.addi %0, %a : i32
          cf.cond_br %c, ^last, ^end
        ^last:
          %0 = arith.addi %a, %a : i32
          cf.br ^middle
        ^end:
          %2 = arith.addi %0, %1 : i32
          func.return
        }""",
    "a region sees what stands before its op": """
        func.func @f(%a: i32, %c: i1) {
          %0 = arith.addi %a, %a : i32
          %1 = scf.if %c -> (i32) {
            %2 = arith.addi %0, %a : i32
            scf.yield %2 : i32
          } else {
            scf.yield %0 : i32
          }
          func.return
        }""",
}
WRONG = {
    "a region of an op beside it": """
        %k = "t.def"() : () -> i32
        "t.use"(%k, %0) : (i32, i32) -> ()
        func.func @f() {
          %0 = arith.constant 0 : i32
          func.return
        }""",
    "in one block": """
        func.func @f(%a: i32) {
          %0 = arith.addi %a, %1 : i32
          %1 = arith.addi %a, %a : i32
          func.return
        }""",
    "an op uses its own result": """
        func.func @f(%a: i32) {
          %1 = arith.addi %a, %1 : i32
          func.return
        }""",
    "in a region of the op that defines it": """
        func.func @f(%a: i32, %c: i1) {
          %1 = scf.if %c -> (i32) {
            %2 = arith.addi %a, %1 : i32
            scf.yield %2 : i32
          } else {
            scf.yield %a : i32
          }
          func.return
        }""",
    "one of two paths defines it": """
        func.func @f(%a: i32, %c: i1) {
          cf.cond_br %c, ^one, ^two
        ^one:
          %0 = arith.addi %a, %a : i32
          cf.br ^two
        ^two:
          %2 = arith.addi %a, %0 : i32
          func.return
        }""",
    "a sibling in the dominator tree defines it": """
        func.func @f(%a: i32, %c: i1) {
          cf.cond_br %c, ^one, ^two
        ^one:
          %0 = arith.addi %a, %a : i32
          func.return
        ^two:
          %2 = arith.addi %a, %0 : i32
          func.return
        }""",
}


def verify(text: str) -> None:
    verify_module(parse_text(make_context(), text, "sample"))


@pytest.mark.parametrize("name", RIGHT)
def test_accepted(name: str) -> None:
    verify(RIGHT[name])


@pytest.mark.parametrize("name", WRONG)
def test_refused(name: str) -> None:
    with pytest.raises(OpError, match="operand #1 is used before it is defined") as info:
        verify(WRONG[name])
    assert info.value.location.startswith("sample:")
    assert [note.message for note in info.value.notes] == ["it is defined here"]


def test_a_long_chain_of_blocks_takes_no_deep_stack() -> None:
    blocks = "\n".join(f"^b{n}:\n  cf.br ^b{n + 1}" for n in range(2000))
    verify(f"func.func @f() {{\n  cf.br ^b0\n{blocks}\n^b2000:\n  func.return\n}}")
