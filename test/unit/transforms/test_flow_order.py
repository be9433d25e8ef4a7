"""Which op may run after which, while a value is the same (IR-46 in loops and branches)."""

import pytest
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from zcir.dialects.parsing import LocatingParser, make_context
from zcir.transforms.analysis.flow_order import FlowOrder

STRUCTURED = """
util.func private @f(%c: i1, %n: index, %arg: i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %outer = "test.def"() {at = "outer"} : () -> i32
  "test.use"(%arg) {at = "first"} : (i32) -> ()
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %outer) -> (i32) {
    "test.use"(%x, %outer) {at = "loop_early"} : (i32, i32) -> ()
    %inner = "test.def"() {at = "inner"} : () -> i32
    scf.if %c {
      "test.use"(%x) {at = "then"} : (i32) -> ()
    } else {
      "test.use"(%inner, %outer) {at = "else"} : (i32, i32) -> ()
    }
    "test.use"(%inner) {at = "loop_late"} : (i32) -> ()
    scf.yield %inner : i32
  }
  "test.use"(%r, %arg) {at = "after"} : (i32, i32) -> ()
  util.return
}
"""

BLOCKS = """
util.func private @f(%c: i1, %arg: i32) {
  "test.use"(%arg) {at = "first"} : (i32) -> ()
  cf.br ^head(%arg : i32)
^exit(%y: i32):
  "test.use"(%y, %arg) {at = "exit"} : (i32, i32) -> ()
  util.return
^head(%x: i32):
  "test.use"(%x, %arg) {at = "head"} : (i32, i32) -> ()
  %next = "test.def"() {at = "next"} : () -> i32
  cf.cond_br %c, ^head(%next : i32), ^exit(%next : i32)
}
"""


def _follows(text: str, user: str, op: str, value: str) -> bool:
    module = LocatingParser(make_context(), text, "t").parse_module()
    (function,) = module.body.block.ops
    places: dict[str, Operation] = {}
    values: dict[str, SSAValue] = {}
    for each in function.walk():
        if isinstance(at := each.attributes.get("at"), StringAttr):
            places[at.data] = each
        arguments = [a for region in each.regions for block in region.blocks for a in block.args]
        values.update({v.name_hint or "": v for v in (*each.results, *arguments)})
    return FlowOrder(function).follows(places[user], places[op], values[value])


@pytest.mark.parametrize(
    ("user", "op", "value", "expected"),
    [
        ("after", "first", "arg", True),
        ("first", "after", "arg", False),
        # A value from outside of the loop is read again in the next iteration.
        ("loop_early", "loop_late", "outer", True),
        ("loop_early", "loop_early", "outer", True),
        # What the loop carries is another one by then; what it defines as well.
        ("loop_early", "loop_late", "x", False),
        ("then", "loop_late", "x", False),
        ("then", "loop_early", "x", True),
        ("else", "loop_late", "inner", False),
        ("loop_late", "else", "inner", True),
        # The branches of an if exclude each other, within an iteration.
        ("else", "then", "inner", False),
        ("else", "then", "outer", True),
        # The loop's result is not there yet.
        ("after", "loop_late", "r", False),
        ("after", "loop_late", "arg", True),
    ],
)
def test_structured(user: str, op: str, value: str, expected: bool) -> None:
    assert _follows(STRUCTURED, user, op, value) is expected


@pytest.mark.parametrize(
    ("user", "op", "value", "expected"),
    [
        ("head", "head", "arg", True),
        ("head", "next", "arg", True),
        ("head", "next", "x", False),
        ("exit", "head", "arg", True),
        ("head", "exit", "arg", False),
        ("exit", "next", "x", True),
        ("exit", "first", "arg", True),
    ],
)
def test_blocks(user: str, op: str, value: str, expected: bool) -> None:
    assert _follows(BLOCKS, user, op, value) is expected
