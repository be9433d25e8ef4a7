"""What a program allocates it frees, after the last use on any device and on every path.

Case B41, rows IR-45, IR-48: the allocations that are live at the end of a run are those of its
results, and no loop piles them up. On shared memory that is not coherent.
"""

from typing import NamedTuple

import numpy as np
import pytest
from small_programs import LINKS, add, function, main, make, module, move
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.events import EventGraph
from zcir.runtime.load import load, run_passes

X = np.arange(16, dtype=np.int32) * 5
Y = 100 - X


class Case(NamedTuple):
    """Lines of @main that lead to %out from %x; other functions; how many it may hold at once."""

    lines: tuple[str, ...]
    peak: int
    functions: str = ""


def branch(result: str, condition: str, then: tuple[str, ...], other: tuple[str, ...]) -> str:
    """%result is the last name of `then`, or of `other`; both end with the name that they give."""
    sides = (
        "\n".join((*lines, f"scf.yield %{name} : tensor<16xi32>")) for *lines, name in (then, other)
    )
    head = f"%{result} = scf.if %{condition} -> (tensor<16xi32>)"
    return f"{head} {{\n" + "\n} else {\n".join(sides) + "\n}"


def loop(result: str, carried: str, init: str, *body: str) -> str:
    """%result = five iterations of `body`, which ends with the name that it gives."""
    *lines, name = body
    head = f"%{result} = scf.for %i{result} = %c0 to %c5 step %c1 iter_args(%{carried} = %{init})"
    inner = "\n".join((*lines, f"scf.yield %{name} : tensor<16xi32>"))
    return f"{head} -> (tensor<16xi32>) {{\n{inner}\n}}"


def on_b(result: str, source: str) -> tuple[str, ...]:
    """%result lives on a: what b makes of %source."""
    t = f"t{result}"
    return move(t, source, "b"), make("make", f"u{t}", t, "b"), move(result, f"u{t}", "a")


CALLEE = function(
    "private @g(%x: tensor<16xi32>) -> tensor<16xi32>",
    *on_b("1", "x"),
    make("make", "2", "1", "a"),
    "util.return %2 : tensor<16xi32>",
)
CALL = "%{} = util.call @g(%{}) : (tensor<16xi32>) -> tensor<16xi32>"

CASES = {
    # What a call only reads, and what it makes, is the caller's to free.
    "calls": Case(
        (
            make("make", "1", "x", "a"),
            CALL.format("2", "1"),
            loop("3", "4", "2", CALL.format("5", "4"), "5"),
            *on_b("out", "3"),
        ),
        4,
        CALLEE,
    ),
    # B41: one storage under two names; both are used afterwards, the second by the other device.
    "all-paths": Case(
        (
            make("make", "1", "x", "a"),
            branch("2", "p", (branch("3", "q", ("1",), ("1",)), "3"), ("1",)),
            *on_b("4", "2"),
            make("make", "5", "1", "a"),
            add("out", "5", "a"),
        ),
        4,
    ),
    # Passed on by one branch, freed by the other.
    "one-path": Case(
        (
            make("make", "1", "x", "a"),
            branch("2", "p", ("1",), (make("make", "3", "x", "a"), "3")),
            *on_b("out", "2"),
        ),
        4,
    ),
    # The same in nested branches; the one that uses it on b frees it afterwards.
    "one-path-nested": Case(
        (
            make("make", "1", "x", "a"),
            branch(
                "2",
                "p",
                (branch("3", "q", ("1",), (make("make", "4", "x", "a"), "4")), "3"),
                (*on_b("5", "1"), "5"),
            ),
            *on_b("out", "2"),
        ),
        4,
    ),
    # Used after a branch: not the branch's to free.
    "read-in-branch": Case(
        (
            make("make", "1", "x", "a"),
            branch("2", "p", (make("make", "3", "1", "a"), "3"), (*on_b("4", "1"), "4")),
            make("make", "5", "1", "a"),
            *on_b("6", "2"),
            branch("out", "p", ("5",), ("6",)),
        ),
        5,
    ),
    # A loop that starts with the caller's storage, which only its first iteration has.
    "loop-of-import": Case(
        (loop("1", "2", "x", *on_b("3", "2"), make("make", "4", "3", "a"), "4"), *on_b("out", "1")),
        4,
    ),
    # A branch in a loop passes on what the iteration took, or something new.
    "branch-in-loop": Case(
        (
            make("make", "1", "x", "a"),
            loop(
                "2",
                "3",
                "1",
                "%odd = arith.cmpi eq, %i2, %c1 : index",
                branch("4", "odd", ("3",), (*on_b("5", "3"), "5")),
                "4",
            ),
            *on_b("out", "2"),
        ),
        4,
    ),
    # A loop that hands on what it starts with, unchanged.
    "loop-of-same": Case(
        (
            make("make", "1", "x", "a"),
            loop(
                "2",
                "3",
                "1",
                "%odd = arith.cmpi eq, %i2, %c1 : index",
                branch("4", "odd", ("3",), ("3",)),
                "4",
            ),
            *on_b("5", "2"),
            make("make", "6", "1", "a"),
            branch("out", "p", ("5",), ("6",)),
        ),
        4,
    ),
}


def lowered(case: Case) -> ModuleOp:
    text = main(
        *("%p = arith.cmpi sgt, %arg1, %k0 : i32", "%q = arith.cmpi sgt, %arg1, %k1 : i32"),
        *case.lines,
        result="out",
        arguments=", %arg1: i32",
        constants=(
            *("%k0 = arith.constant 0 : i32", "%k1 = arith.constant 1 : i32"),
            *(f"%c{n} = arith.constant {n} : index" for n in (0, 1, 5)),
        ),
    )
    context = make_context()
    program = parse_text(context, module(LINKS["unified"], text + case.functions), "live.mlir")
    run_passes(context, program, ("zc-to-stream",))
    return program


def made(graph: EventGraph) -> list[tuple[int, int | None]]:
    """The events that begin and end each allocation of the program."""
    ranges = [buffer.events for buffer in graph.buffers]
    return [r for r in ranges if graph.events[r[0]].label == "stream.resource.alloca"]


def peak(graph: EventGraph) -> int:
    """The most allocations that live at once."""
    steps = {start: 1 for start, _ in made(graph)} | {end: -1 for _, end in made(graph) if end}
    live = most = 0
    for event in sorted(steps):
        live += steps[event]
        most = max(most, live)
    return most


@pytest.mark.parametrize("name", CASES)
def test_only_results_live_on(name: str) -> None:
    case = CASES[name]
    program = lowered(case)
    for path in range(3):
        schedule = "fifo" if path == 0 else f"adversarial:{path}"
        run = load(program).run(inputs=[X, np.int32(path)], schedule=schedule, check=True)
        assert run.check is not None
        assert not run.check.reports
        alive = [start for start, end in made(run.graph) if end is None]
        assert len(alive) == 1
        if schedule == "fifo":
            assert peak(run.graph) <= case.peak
