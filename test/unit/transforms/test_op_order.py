"""Orders of a block's ops: edges are taken while they close no cycle (IR-47)."""

from random import Random

import pytest
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation
from zcir.dialects.parsing import LocatingParser, make_context
from zcir.transforms.analysis.op_order import OpOrder, ancestor_in

DIAMOND = """
util.func private @f(%x: index) {
  %f = arith.addi %x, %x {at = "f"} : index
  %g = arith.addi %f, %x {at = "g"} : index
  %h = arith.addi %f, %f {at = "h"} : index
  %i = arith.addi %g, %g {at = "i"} : index
  util.return
}
"""


def block_of(text: str) -> tuple[Block, dict[str, Operation]]:
    module = LocatingParser(make_context(), text, "t").parse_module()
    (function,) = module.body.block.ops
    block = function.regions[0].block
    named = {
        at.data: op
        for op in function.walk()
        if isinstance(at := op.attributes.get("at"), StringAttr)
    }
    return block, named


def names(order: OpOrder) -> list[str]:
    found = (op.attributes.get("at") for op in order.ops())
    return [at.data for at in found if isinstance(at, StringAttr)]


def test_without_an_edge_the_text_stays() -> None:
    block, _ = block_of(DIAMOND)
    order = OpOrder(block)
    before = list(block.ops)
    order.apply()
    assert list(block.ops) == before
    assert not order.changed


def test_an_edge_moves_what_depends_on_its_later_end() -> None:
    block, at = block_of(DIAMOND)
    order = OpOrder(block)
    assert order.put_before([(at["h"], at["g"])])
    assert names(order) == ["f", "h", "g", "i"]
    assert order.is_before(at["h"], at["i"])
    order.apply()
    assert [op for op in block.ops if op in at.values()] == order.ops()[:4]


def test_an_edge_against_values_is_refused_and_leaves_nothing_behind() -> None:
    block, at = block_of(DIAMOND)
    order = OpOrder(block)
    assert not order.put_before([(at["h"], at["g"]), (at["i"], at["f"])])
    # The first edge went with the second: the opposite one is free.
    assert order.put_before([(at["i"], at["h"])])
    assert order.is_before(at["i"], at["h"])


def test_an_op_is_not_before_itself() -> None:
    block, at = block_of(DIAMOND)
    assert not OpOrder(block).put_before([(at["g"], at["g"])])


def test_two_edges_that_close_a_cycle() -> None:
    block, at = block_of(DIAMOND)
    order = OpOrder(block)
    assert order.put_before([(at["h"], at["g"])])
    assert not order.put_before([(at["i"], at["h"])])


def test_nothing_moves_across_an_effect() -> None:
    block, at = block_of(
        """
util.func private @f(%x: index, %b: !hal.buffer_view) {
  %f = arith.addi %x, %x {at = "f"} : index
  "test.effect"() {at = "effect"} : () -> ()
  %g = arith.addi %x, %x {at = "g"} : index
  util.return
}
"""
    )
    assert not OpOrder(block).put_before([(at["g"], at["f"])])


def test_values_used_in_a_region_are_edges_of_the_op_around_it() -> None:
    block, at = block_of(
        """
util.func private @f(%x: index, %c: i1) {
  %f = arith.addi %x, %x {at = "f"} : index
  %r = scf.if %c -> (index) {
    %in = arith.addi %f, %x {at = "in"} : index
    scf.yield %in : index
  } else {
    scf.yield %x : index
  }
  util.return
}
"""
    )
    around = ancestor_in(block, at["in"])
    assert around is not None
    assert around.name == "scf.if"
    assert ancestor_in(at["in"].parent_block(), at["f"]) is None  # pyright: ignore[reportArgumentType]
    assert not OpOrder(block).put_before([(around, at["f"])])


# The order keeps all edges of values and all that were taken, whatever is asked for.
@pytest.mark.parametrize("seed", range(20))
def test_random_edges_keep_a_topological_order(seed: int) -> None:
    random = Random(seed)
    lines = ["%v0 = arith.addi %x, %x : index"]
    for number in range(1, 30):
        left, right = (random.randrange(max(0, number - 8), number) for _ in range(2))
        lines.append(f"%v{number} = arith.addi %v{left}, %v{right} : index")
    block, _ = block_of(
        "util.func private @f(%x: index) {\n" + "\n".join(lines) + "\nutil.return\n}"
    )
    ops = list(block.ops)[:-1]
    order, taken = OpOrder(block), list[tuple[Operation, Operation]]()
    for _ in range(40):
        first, second = random.sample(ops, 2)
        if order.put_before([(first, second)]):
            taken.append((first, second))
    assert taken
    values = [
        (value.owner, op)
        for op in ops
        for value in op.operands
        if isinstance(value.owner, Operation)
    ]
    assert all(order.is_before(*edge) for edge in (*taken, *values))
    assert sorted(map(id, order.ops())) == sorted(map(id, block.ops))
