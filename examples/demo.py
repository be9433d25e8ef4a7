"""`make demo`: programs of iree-compile run on four memory systems, then one flush is taken out.

Prints, for each program and topology, how each transfer is done and why, what the run copied and
maintained, whether its result is the reference's and what the checker says. Then it takes one
flush out of a lowered program, and shows what the checker says and what the machine reads. The
output is the same in each run. The exit code is 1 if anything is not as it should be.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from textwrap import wrap
from typing import cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.printer import Printer
from zcir.dialects.diagnostics import Note, collect_remarks
from zcir.dialects.location import location_text
from zcir.dialects.parsing import make_context, parse_file, parse_text
from zcir.runtime.checker import CheckResult, render
from zcir.runtime.element_types import Array, Value
from zcir.runtime.load import Program, RunResult, load
from zcir.runtime.reference import run_reference
from zcir.runtime.results import compare

WIDTH = 100
"""Columns of the output."""
EXAMPLES = Path(__file__).parent
LOWERED = EXAMPLES.parent / "build" / "demo"
"""Where the lowered programs of the second part are written."""
FLUSHES = ("stream.cmd.flush", "hal.command_buffer.flush_buffer")
SEEDS = range(100)
"""Adversarial schedules that are tried until one reads wrong numbers."""


@dataclass(frozen=True, slots=True)
class Example:
    """A program and what is asked of its lowering."""

    name: str
    about: str
    shared_copies: int
    """Copies where all devices reach one memory."""
    discrete_copies: int
    """Copies where no device reaches another's memory."""


PROGRAMS = (
    Example("chain", "elementwise a -> b -> a", 0, 2),
    Example("fanout", "one value made on a, read on b and on c", 0, 4),
    Example("inplace", "b updates the value in place while a still reads it", 1, 2),
)
TOPOLOGIES = {
    "coherent": "one memory, coherent caches",
    "noncoherent": "one memory, a cache of its own for each device and the host",
    "discrete": "a memory for each device, copies only",
    "oneway": "a reaches the memory of b and c, b that of c, never back",
}


def show(line: str = "") -> None:
    """Print a line at once, so that progress is seen."""
    print(line, flush=True)


def folded(text: str, first: str, rest: str) -> Iterator[str]:
    """`text` in lines that fit the output, with indentation."""
    yield from wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def topology_file(name: str) -> Path:
    """The file of a topology."""
    return EXAMPLES / "topologies" / f"{name}.mlir"


def counting(program: Program) -> list[Value]:
    """Inputs for a program: each counts 1, 2, 3, … in its shape."""
    inputs: list[Value] = []
    for argument in program.arguments():
        shape = cast(tuple[int, ...], argument.shape)
        numbers = np.arange(1, int(np.prod(shape)) + 1, dtype=argument.dtype)
        inputs.append(numbers.reshape(shape))
    return inputs


@dataclass(frozen=True, slots=True)
class Outcome:
    """One program on one topology."""

    topology: str
    remarks: list[Note]
    run: RunResult
    difference: str
    """From the reference; empty where there is none."""


def run_on(source: ModuleOp, topology: str) -> Outcome:
    """Lower and run a flow program, and judge it by the reference and by the checker."""
    with collect_remarks() as remarks:
        program = load(source, topology=topology_file(topology))
    inputs = counting(program)
    run = program.run(inputs=inputs, check=True)
    expected = run_reference(source, None, inputs)
    return Outcome(topology, remarks, run, compare(run.results, expected))


def verdict_of(check: CheckResult | None) -> str:
    """What the checker says, in a word."""
    reports = check.reports if check else ()
    return f"{len(reports)} faults" if reports else "right"


HEADER = (
    f"  {'topology':<12}{'copies':>7}{'bytes':>7}{'flushes':>9}{'invalidates':>13}"
    f"{'discards':>10}{'peak bytes':>12}   {'result':<13}checker"
)


def row(outcome: Outcome) -> str:
    """One line of the table of a program."""
    total = outcome.run.statistics.total
    result = "differs" if outcome.difference else "= reference"
    return (
        f"  {outcome.topology:<12}{total.copy_cmds:>7}{total.copy_bytes:>7}"
        f"{total.flush_cmds:>9}{total.invalidate_cmds:>13}{total.discard_cmds:>10}"
        f"{total.peak_bytes:>12}   {result:<13}{verdict_of(outcome.run.check)}"
    )


KINDS = {
    "transfer aliased: ": "alias",
    "transfer kept as copy: ": "copy",
    "updated in place on a clone: ": "clone",
}
"""How the remarks of the passes begin, and the kind of transfer that they tell of."""


def decision(note: Note) -> tuple[str, str]:
    """The kind of a transfer and why, from a remark."""
    for prefix, kind in KINDS.items():
        if note.message.startswith(prefix):
            return kind, note.message.removeprefix(prefix)
    return "", note.message


def line_of(location: str) -> int:
    """The line of `file:line:col`."""
    return int(location.split(":")[-2])


def decisions(outcome: Outcome) -> Iterator[str]:
    """Lines that tell, transfer by transfer, its kind and why."""
    ordered = sorted(outcome.remarks, key=lambda note: line_of(note.location))
    for number, note in enumerate(ordered):
        kind, reason = decision(note)
        label = "" if number else outcome.topology
        line = line_of(note.location)
        start = f"    {label:<13}{line:>4}  {kind:<7}"
        yield from folded(reason.replace(f"{EXAMPLES}/", ""), start, " " * len(start))


def complaints(example: Example, outcome: Outcome) -> Iterator[str]:
    """What is not as it should be with one program on one topology."""
    where = f"{example.name} on {outcome.topology}"
    total = outcome.run.statistics.total
    discrete = outcome.topology == "discrete"
    copies = example.discrete_copies if discrete else example.shared_copies
    if total.copy_cmds != copies:
        yield f"{where}: expected {copies} copies, got {total.copy_cmds}"
    maintenance = total.flush_cmds + total.invalidate_cmds + total.discard_cmds
    if (outcome.topology == "coherent") != (maintenance == 0):
        yield f"{where}: got {maintenance} maintenance commands"
    if outcome.difference:
        yield f"{where}: {outcome.difference.splitlines()[0]}"
    check = outcome.run.check
    assert check is not None
    yield from (f"{where}: {line}" for report in check.reports for line in render(report))
    for redundant in check.redundant:
        # The host invalidates what it reads by the convention of the boundary, not of the program.
        if redundant.event.agent != "host":
            yield f"{where}: redundant {redundant.event.kind} at {redundant.event.location}"


def demonstrate(example: Example) -> list[str]:
    """Show one program on all topologies; gives what is not as it should be."""
    name = f"{example.name}.flow.mlir"
    show()
    show(f"{name}: {example.about}")
    show(HEADER)
    source = parse_file(make_context(), str(EXAMPLES / name))
    outcomes: list[Outcome] = []
    for topology in TOPOLOGIES:
        outcomes.append(run_on(source, topology))
        show(row(outcomes[-1]))
    show(f"    {'transfers':<13}line  kind   why")
    for outcome in outcomes:
        for line in decisions(outcome):
            show(line)
    return [line for outcome in outcomes for line in complaints(example, outcome)]


def text_of(module: ModuleOp) -> str:
    """A module as it is printed."""
    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue() + "\n"


def first_flush(module: ModuleOp) -> Operation | None:
    """The first flush of a lowered program, in textual order."""
    return next((op for op in module.walk() if op.name in FLUSHES), None)


def without_line(text: str, number: int) -> str:
    """`text` with the line `number` made a comment, so that the lines after it keep theirs."""
    lines = text.splitlines(keepends=True)
    line = lines[number - 1]
    indent = line[: len(line) - len(line.lstrip())]
    lines[number - 1] = f"{indent}// taken out: {line.lstrip()}"
    return "".join(lines)


def wrong_run(
    program: Program, inputs: Sequence[Value], right: Sequence[Value]
) -> tuple[str, Array] | None:
    """The first adversarial schedule under which a program gives wrong numbers, and these."""
    for seed in SEEDS:
        schedule = f"adversarial:{seed}"
        run = program.run(inputs=inputs, schedule=schedule)
        if compare(run.results, right):
            return schedule, np.asarray(run.results[0])
    return None


def numbers(title: str, array: Array) -> Iterator[str]:
    """An array in lines."""
    text = " ".join(f"{element:g}" for element in array.reshape(-1).tolist())
    start = f"    {title:<8}"
    return folded(text, start, " " * len(start))


def break_one(folder: Path) -> list[str]:
    """Take one flush out and show what follows; gives what is not as it should be."""
    show()
    show("One flush taken out of chain.flow.mlir, lowered for noncoherent")
    context = make_context()
    source = parse_file(context, str(EXAMPLES / "chain.flow.mlir"))
    lowered = load(source, topology=topology_file("noncoherent"), context=context)
    text = text_of(lowered.module)
    # Read again, so that places are those of the lowered text.
    flush = first_flush(parse_text(context, text, "chain.mlir"))
    if flush is None:
        return ["chain on noncoherent: expected a flush, got none"]
    line = line_of(location_text(flush))
    broken_text = without_line(text, line)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "chain.mlir").write_text(text)
    (folder / "chain_broken.mlir").write_text(broken_text)
    show(f"  line {line}:")
    for part in folded(text.splitlines()[line - 1].strip(), "    ", "        "):
        show(part)
    broken = load(parse_text(context, broken_text, "chain_broken.mlir"), context=context)
    return show_broken(broken, source)


def show_broken(broken: Program, source: ModuleOp) -> list[str]:
    """Show the diagnostics and the wrong numbers of a program that lacks a flush."""
    inputs = counting(broken)
    right = run_reference(source, None, inputs)
    check = broken.run(inputs=inputs, check=True).check
    assert check is not None
    show("  zc-check says:")
    for report in check.reports:
        for line in render(report):
            for part in folded(line, "    ", "        "):
                show(part)
    wrong = wrong_run(broken, inputs, right)
    if wrong is not None:
        show(f"  zc-run --schedule={wrong[0]} reads:")
        for part in (
            *numbers("wrong", wrong[1]),
            *numbers("right", np.asarray(right[0])),
        ):
            show(part)
    faults: list[str] = []
    if not check.reports:
        faults.append("chain without a flush: expected a report of the checker, got none")
    if wrong is None:
        faults.append("chain without a flush: expected wrong numbers, got right ones")
    return faults


def main(folder: Path = LOWERED) -> int:
    """Run the demo; lowered programs of its second part are written to `folder`."""
    show("Programs as iree-compile 3.13 gives them at its flow phase, lowered and run on simulated")
    show("memory. Flushes, invalidates and discards are those of the devices and of the host.")
    show()
    for name, about in TOPOLOGIES.items():
        show(f"  {name:<12}{about}")
    faults = [fault for example in PROGRAMS for fault in demonstrate(example)]
    faults += break_one(folder)
    show()
    for fault in faults:
        show(f"NOT AS IT SHOULD BE: {fault}")
    if not faults:
        show(
            "All as it should be: no wrong number, no report, no copy or maintenance too many, and"
        )
        show("the missing flush was found.")
        show("Look further: .venv/bin/zc-check build/demo/chain_broken.mlir; README.md")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
