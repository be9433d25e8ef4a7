"""zc-check: says whether a program is right on its memory, and where it is wrong."""

import argparse
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence

from ..dialects.location import location_text
from ..dialects.parsing import make_context, parse_text
from ..runtime.load import Program, RunResult
from .calls import call_specs, requested_calls
from .driver import OneLineParser, tool_main
from .exploring import MAX_STATES, explore_options, explore_run, refuse_idle_flags
from .fix import fix
from .run_options import add_program_arguments, load_program
from .static_check import LOWERING, refuse_run_flags, static_run
from .verdict import FORMATS, print_document, print_verdict
from .witnesses import find_witnesses, write_witnesses
from .zc_opt import write_atomically

_DESCRIPTION = """\
Runs one function once and judges all executions that its order allows, under every schedule,
eviction and prefetch: races, stale reads, lost and clobbered writes, lifetimes, uninitialised
reads, reach. Inputs that are not given count 1, 2, 3, ...
"""

_EXAMPLES = """\
examples:
  zc-check lowered.mlir
  zc-check iree.stream.mlir --topology=noncoherent.mlir
  zc-check lowered.mlir --static

exit codes: 0 right; 1 a fault was found; 2 the tool cannot run the program
"""


def run(args: Sequence[str] | None = None) -> int:
    """Run zc-check with `args` (default: the command line's) and give its exit code."""
    parser = OneLineParser(
        prog="zc-check",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_program_arguments(parser)
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="text: diagnostics on standard error (the default); json, sarif: one document on "
        "standard output",
    )
    parser.add_argument(
        "--witness",
        metavar="FILE",
        help="write, for each report, a shortest schedule that reads a wrong value, for zc-run "
        "--replay; the text format then also tells its steps",
    )
    parser.add_argument(
        "--fix",
        metavar="OUT",
        help="write the program with the fewest operations added that leave no report, or as few "
        "reports as can be, to OUT (- for standard output); the exit code still judges FILE",
    )
    parser.add_argument(
        "--static",
        action="store_true",
        help="judge all paths of all functions at stream.cmd or hal level instead, without inputs: "
        "what goes wrong in each run that gets there, and what may in some",
    )
    _add_explorer_arguments(parser)
    arguments = parser.parse_args(args)
    refuse_idle_flags(arguments)
    if arguments.static:
        refuse_run_flags(arguments)
        program = load_program(arguments, LOWERING)
        return static_run(program, arguments.input_file, arguments.format)
    options = None
    if arguments.explore:
        options = explore_options(
            arguments, evictions=arguments.eviction != "off", prefetches=arguments.prefetch != "off"
        )
    program = load_program(arguments)
    outcome = check_program(arguments, program)
    if options is not None:
        return explore_run(outcome, options, dot=arguments.dot, trace=arguments.trace)
    told = arguments.witness is not None or arguments.format != "text"
    witnesses = find_witnesses(outcome) if told else ()
    if arguments.witness is not None:
        write_witnesses(arguments.witness, outcome, witnesses)
    if arguments.fix is not None:
        write_fixed(arguments, program)
    if arguments.format == "text":
        return print_verdict(outcome, witnesses=witnesses)
    return print_document(outcome, witnesses, arguments.input_file, arguments.format)


def _add_explorer_arguments(parser: OneLineParser) -> None:
    group = parser.add_argument_group("explorer")
    group.add_argument(
        "--explore",
        action="store_true",
        help="run the program's commands in every way instead, and print what each read can give; "
        "for small programs",
    )
    group.add_argument(
        "--all-lines",
        action="store_true",
        help="explore all lines together instead of one by one; the outcomes are the same",
    )
    group.add_argument(
        "--all-moves",
        action="store_true",
        help="evict and prefetch also where no load can tell; the outcomes are the same",
    )
    group.add_argument(
        "--max-states",
        metavar="N",
        type=int,
        help="give up beyond so many states of a line, or of all lines with --all-lines (default: "
        f"{MAX_STATES})",
    )
    group.add_argument(
        "--dot", metavar="FILE", help="write an execution, a wrong one if any, for Graphviz"
    )
    group.add_argument(
        "--trace", metavar="FILE", help="write it as trace events, for Perfetto; a step is 1 us"
    )


def check_program(arguments: argparse.Namespace, program: Program) -> RunResult:
    """Make the calls that the flags ask for, and judge them."""
    return program.run_calls(
        call_specs(requested_calls(arguments)),
        schedule=arguments.schedule,
        strict=arguments.strict or None,
        check=True,
        count_missing=True,
    )


def write_fixed(arguments: argparse.Namespace, program: Program) -> None:
    """Repair the program and write it to --fix; what cannot be repaired is said on stderr.

    A program that passes have made is printed and read again, so that every op has a place.
    """
    module = program.module
    places = [location_text(op) for op in module.walk()]
    if len(set(places)) < len(places):
        module = parse_text(make_context(), str(module), arguments.fix)
    fixed = fix(module, lambda m: check_program(arguments, Program(m, program.topology)))
    text = str(fixed.module) + "\n"
    if arguments.fix == "-":
        sys.stdout.write(text)
    else:
        write_atomically(arguments.fix, text)
    left = len(fixed.result.reports)
    print(f"fix: {len(fixed.edits)} operations added, {left} faults left", file=sys.stderr)
    for refusal in fixed.refusals:
        print(f"note: {refusal}", file=sys.stderr)


main = tool_main(run)

if __name__ == "__main__":
    main()
