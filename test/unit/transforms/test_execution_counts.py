"""About how often ops are executed: what kinds of transfers are weighed by (IR-23)."""

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation
from zcir.dialects.parsing import make_context, parse_text
from zcir.transforms.analysis.execution_counts import ASSUMED_TRIPS, ExecutionCounts

PROGRAM = """
util.func public @main(%n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  "test.op"() {wanted = 1 : i64} : () -> ()
  scf.for %i = %c0 to %c5 step %c2 {
    "test.op"() {wanted = 3 : i64} : () -> ()
    util.call @called() : () -> ()
    scf.for %j = %c0 to %n step %c2 {
      "test.op"() {wanted = 24 : i64} : () -> ()
    }
  }
  scf.for %i = %c5 to %c2 step %c2 {
    "test.op"() {wanted = 0 : i64} : () -> ()
  }
  util.call @called() : () -> ()
  util.return
}
util.func private @called() {
  "test.op"() {wanted = 4 : i64} : () -> ()
  util.call @around(%c) : (i1) -> ()
  util.return
}
util.func private @around(%c: i1) {
  cf.br ^bb1
^bb1:
  "test.op"() {wanted = 32 : i64} : () -> ()
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  "test.op"() {wanted = 256 : i64} : () -> ()
  cf.cond_br %c, ^bb2, ^bb1
^bb3:
  "test.op"() {wanted = 4 : i64} : () -> ()
  util.return
}
util.func private @recursive() {
  "test.op"() {wanted = 1 : i64} : () -> ()
  util.call @recursive() : () -> ()
  util.call @turn() : () -> ()
  util.return
}
util.func private @turn() {
  util.call @recursive() : () -> ()
  util.return
}
util.func public @starts() {
  util.call @recursive() : () -> ()
  util.return
}
util.initializer {
  "test.op"() {wanted = 1 : i64} : () -> ()
  util.return
}
""".replace("util.call @around(%c)", "%c = arith.constant true\n  util.call @around(%c)")


def test_loops_and_calls_multiply() -> None:
    assert ASSUMED_TRIPS == 8
    module = parse_text(make_context(), PROGRAM, "counts.mlir")
    counts = ExecutionCounts(module)
    judged = [op for op in module.walk() if "wanted" in op.attributes]
    assert len(judged) == 10
    for op in judged:
        assert counts.of(op) == wanted(op), op


def wanted(op: Operation) -> int:
    count = op.attributes["wanted"]
    assert isinstance(count, IntegerAttr)
    return count.value.data
