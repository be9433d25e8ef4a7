"""Programs whose values are chosen, change places or go out in part (IR-03, IR-21, IR-49)."""

from collections.abc import Sequence

import numpy as np
import pytest
from small_programs import LINKS, main, make, module, move
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import load, run_passes
from zcir.runtime.reference import run_reference

X = np.arange(16, dtype=np.int32) * 5
TENSOR = "tensor<16xi32>"
ZERO = "%c0 = arith.constant 0 : index"
ONE = "%c1 = arith.constant 1 : index"


def select(result: str, left: str, right: str) -> str:
    return f"%{result} = arith.select %c, %{left}, %{right} : {TENSOR}"


CHOSEN_ON_B = main(
    make("make", "1", "x", "a"),
    move("2", "1", "b"),
    move("3", "x", "b"),
    select("4", "2", "3"),
    make("make", "5", "4", "b"),
    move("9", "5", "a"),
    result="9",
    arguments=", %c: i1, %n: index",
)
"""b reads what a made, or what the caller gave."""
CHOSEN_AND_GIVEN = main(
    make("make", "1", "x", "a"),
    select("9", "1", "x"),
    result="9",
    arguments=", %c: i1, %n: index",
)
"""Nobody touches what is chosen but the host."""
SWAPPED = main(
    make("make", "1", "x", "a"),
    make("make", "2", "1", "a"),
    f"%9, %8 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %1, %q = %2) -> ({TENSOR}, {TENSOR}) "
    f"{{\nscf.yield %q, %p : {TENSOR}, {TENSOR}\n}}",
    result="9",
    arguments=", %c: i1, %n: index",
    constants=(ZERO, ONE),
)
"""A loop in which no device works."""


def check(text: str, runs: Sequence[tuple[int, int]], passes: tuple[str, ...]) -> None:
    context = make_context()
    program = parse_text(context, text, "odd.mlir")
    wanted = [run_reference(program, "main", [X, *run]) for run in runs]
    run_passes(context, program, passes)
    lowered = load(program, context=context)
    for (chosen, rounds), want in zip(runs, wanted, strict=True):
        run = lowered.run(inputs=[X, chosen, rounds], schedule="adversarial:3", check=True)
        assert run.check is not None
        assert not run.check.reports
        np.testing.assert_array_equal(np.asarray(run.results[0]), np.asarray(want[0]))


@pytest.mark.parametrize("pipeline", ["zc-to-stream", "zc-pipeline"])
@pytest.mark.parametrize("links", LINKS)
@pytest.mark.parametrize("program", [CHOSEN_ON_B, CHOSEN_AND_GIVEN, SWAPPED])
def test_values_that_are_one_of_two(program: str, links: str, pipeline: str) -> None:
    runs = [(chosen, rounds) for chosen in (0, 1) for rounds in (0, 1, 2)]
    check(module(LINKS[links], program), runs, (pipeline,))


# The input is larger than the part of it that goes out, where that starts with it.
@pytest.mark.parametrize("start", [0, 4])
def test_a_part_of_an_input_goes_out(start: int) -> None:
    program = f"""util.func public @main(%arg0: !hal.buffer_view) -> !hal.buffer_view {{
      %at = arith.constant {start} : index
      %c8 = arith.constant 8 : index
      %x = hal.tensor.import on(#hal.device.affinity<@a>) %arg0 "x" : !hal.buffer_view -> {TENSOR}
      %y = flow.tensor.slice %x[%at for %c8] : {TENSOR} -> tensor<8xi32>
      %r = hal.tensor.export on(#hal.device.affinity<@a>) %y "y" : tensor<8xi32> -> !hal.buffer_view
      util.return %r : !hal.buffer_view
    }}"""
    context = make_context()
    module_op = parse_text(context, module(LINKS["oneway"], program), "part.mlir")
    run_passes(context, module_op, ("zc-pipeline",))
    run = load(module_op, context=context).run(inputs=[X], check=True)
    assert run.statistics.total.copy_cmds == 0
    np.testing.assert_array_equal(np.asarray(run.results[0]), X[start : start + 8])
