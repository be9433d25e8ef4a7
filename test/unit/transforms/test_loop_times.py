"""What the timepoints of loops imply (IR-01, IR-47)."""

import pytest
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects.parsing import make_context, parse_text
from zcir.dialects.walk import walk
from zcir.transforms.analysis.loop_times import LoopTimes

HEAD = """
util.func public @f(%x: !stream.resource<external>, %t: !stream.timepoint,
                    %s: !stream.timepoint, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
"""
TAIL = """
  util.return
}
"""


def region(result: str, awaited: str) -> str:
    return (
        f"%{result} = stream.cmd.execute on(#hal.device.affinity<@a>) await(%{awaited}) => "
        "with(%x as %arg0: !stream.resource<external>{%c64}) {\n"
        "stream.cmd.flush %arg0[%c0 for %c64] : !stream.resource<external>{%c64}\n"
        "} => !stream.timepoint"
    )


def for_loop(body: str, given: str, result: str = "r", start: str = "t", arg: str = "v") -> str:
    return (
        f"%{result} = scf.for %i_{result} = %c0 to %n step %c1 iter_args(%{arg} = %{start}) "
        f"-> (!stream.timepoint) {{\n{body}\nscf.yield %{given} : !stream.timepoint\n}}"
    )


def while_loop(before: str, kept: str, after: str, given: str) -> str:
    return (
        "%r = scf.while (%v = %t) : (!stream.timepoint) -> !stream.timepoint {\n"
        f"{before}\nscf.condition(%c) %{kept} : !stream.timepoint\n}} do {{\n"
        f"^bb0(%w: !stream.timepoint):\n{after}\nscf.yield %{given} : !stream.timepoint\n}}"
    )


def parse(body: str) -> ModuleOp:
    return parse_text(make_context(), f"{HEAD}{body}{TAIL}", "loop.mlir")


HOST_WAITS = "%w0 = stream.timepoint.await %v => %x : !stream.resource<external>{%c64}"
JOINED = f"{region('a', 'v')}\n%j = stream.timepoint.join max(%s, %a) => !stream.timepoint"
NESTED = for_loop(region("b", "u"), "b", "inner", "v", "u")
NESTED_APART = for_loop(region("b", "s"), "b", "inner", "v", "u")


@pytest.mark.parametrize(
    ("loop", "implied"),
    [
        (for_loop("", "v"), True),
        (for_loop(region("a", "v"), "a"), True),
        (for_loop(JOINED, "j"), True),
        (for_loop(region("a", "s"), "a"), False),
        (for_loop(f"{HOST_WAITS}\n{region('a', 's')}", "a"), True),
        (for_loop(NESTED, "inner"), True),
        (for_loop(NESTED_APART, "inner"), False),
        (while_loop("", "v", region("a", "w"), "a"), True),
        (while_loop(region("b", "v"), "b", "", "w"), True),
        (while_loop("", "s", region("a", "w"), "a"), False),
        (while_loop("", "v", region("a", "s"), "a"), False),
    ],
)
def test_a_loop_implies_its_start_if_each_round_awaits_the_one_before(
    loop: str, implied: bool
) -> None:
    module = parse(loop)
    outer = next(op for op in walk(module) if isinstance(op, scf.ForOp | scf.WhileOp))
    inits = outer.iter_args if isinstance(outer, scf.ForOp) else outer.arguments
    assert LoopTimes().inits(outer) == {outer.results[0]: inits[0] if implied else None}


def swap(first: str, second: str) -> str:
    """A loop that swaps the two timepoints that it carries."""
    return (
        "%p, %q = scf.for %i = %c0 to %n step %c1 "
        f"iter_args(%v = %{first}, %w = %{second}) -> (!stream.timepoint, !stream.timepoint) {{\n"
        "scf.yield %w, %v : !stream.timepoint, !stream.timepoint\n}"
    )


# What two timepoints that change places imply is what both started with, if it is one.
@pytest.mark.parametrize(("starts", "implied"), [(("t", "t"), True), (("t", "s"), False)])
def test_timepoints_that_change_places(starts: tuple[str, str], *, implied: bool) -> None:
    (loop,) = (op for op in walk(parse(swap(*starts))) if isinstance(op, scf.ForOp))
    assert [init is not None for init in LoopTimes().inits(loop).values()] == [implied] * 2
