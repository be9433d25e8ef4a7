"""zc-check: says whether a program is right on its memory, and where it is wrong."""

from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence

from .driver import tool_main
from .run_options import OneLineParser, add_program_arguments, load_program, read_inputs
from .verdict import FORMATS, print_document, print_verdict
from .witnesses import find_witnesses, write_witnesses

_DESCRIPTION = """\
Runs one function once and judges all executions that its order allows, under every schedule,
eviction and prefetch: races, stale reads, lost and clobbered writes, lifetimes, uninitialised
reads, reach. Inputs that are not given count 1, 2, 3, ...
"""

_EXAMPLES = """\
examples:
  zc-check lowered.mlir
  zc-check iree.stream.mlir --topology=noncoherent.mlir

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
    arguments = parser.parse_args(args)
    program = load_program(arguments)
    outcome = program.run(
        arguments.function,
        read_inputs(arguments),
        schedule=arguments.schedule,
        check=True,
        count_missing=True,
    )
    assert outcome.check is not None
    told = arguments.witness is not None or arguments.format != "text"
    witnesses = find_witnesses(outcome) if told else ()
    if arguments.witness is not None:
        write_witnesses(arguments.witness, outcome, witnesses)
    if arguments.format == "text":
        return print_verdict(outcome, witnesses=witnesses)
    return print_document(outcome, witnesses, arguments.input_file, arguments.format)


main = tool_main(run)

if __name__ == "__main__":
    main()
