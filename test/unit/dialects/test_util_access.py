"""What ops of util and flow say they do to storage."""

from xdsl.ir import Operation
from xdsl.traits import MemoryEffectKind, get_effects, is_side_effect_free
from zcir.dialects.access import Access, range_accesses, tied_operand
from zcir.dialects.parsing import LocatingParser, make_context


def first_op(text: str, name: str) -> Operation:
    """The first op called `name` in a module."""
    module = LocatingParser(make_context(), text, "test").parse_module()
    return next(op for op in module.walk() if op.name == name)


BUFFERS = """
util.func public @f(%a: !util.buffer, %b: !util.buffer, %n: index, %o: index, %v: i32) {
  util.buffer.copy %a[%o], %b[%n], %n : !util.buffer{%n} -> !util.buffer{%n}
  %0 = util.buffer.compare %a[%o], %b[%n], %n : !util.buffer{%n}, !util.buffer{%n}
  util.buffer.fill %v, %b[%o for %n] : i32 -> !util.buffer{%n}
  %1 = util.buffer.subspan %a[%o] : !util.buffer{%n} -> !util.buffer{%n}
  util.return
}
"""


def test_copy_reads_its_source_and_writes_its_target() -> None:
    op = first_op(BUFFERS, "util.buffer.copy")
    read, write = range_accesses(op)
    assert (read.mode, read.value, read.offset) == (Access.READ, op.operands[0], op.operands[2])
    assert (write.mode, write.value, write.offset) == (Access.WRITE, op.operands[3], op.operands[5])
    assert read.length is write.length is op.operands[6]


def test_compare_only_reads_and_fill_only_writes() -> None:
    compare, fill = (first_op(BUFFERS, f"util.buffer.{name}") for name in ("compare", "fill"))
    assert [access.mode for access in range_accesses(compare)] == [Access.READ] * 2
    assert [access.mode for access in range_accesses(fill)] == [Access.WRITE]


def test_subspan_shares_the_storage_of_its_source() -> None:
    op = first_op(BUFFERS, "util.buffer.subspan")
    assert tied_operand(op.results[0]) is op.operands[0]
    assert is_side_effect_free(op)


GLOBALS = """
builtin.module {{
  util.global private @g : i32
  util.func public @f() {{
    %0 = util.global.load {} @g : i32
    util.return
  }}
}}
"""


def test_load_reads_unless_the_global_does_not_change() -> None:
    effects = get_effects(first_op(GLOBALS.format(""), "util.global.load"))
    assert effects is not None
    assert [effect.kind for effect in effects] == [MemoryEffectKind.READ]
    assert is_side_effect_free(first_op(GLOBALS.format("immutable"), "util.global.load"))


DISPATCH = """
util.func public @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: index) {
  %0, %1 = flow.dispatch @e::@f[%i](%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, %b)
  %2 = flow.tensor.update %a, %b[%i] : tensor<4xf32> -> %b as tensor<4xf32>
  util.return
}
"""


def test_ties_of_flow() -> None:
    dispatch = first_op(DISPATCH, "flow.dispatch")
    assert tied_operand(dispatch.results[0]) is None
    assert tied_operand(dispatch.results[1]) is dispatch.operands[2]
    update = first_op(DISPATCH, "flow.tensor.update")
    assert tied_operand(update.results[0]) is update.operands[0]
