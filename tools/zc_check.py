"""zc-check: says whether a program is right on its memory, and where it is wrong."""

import json
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence

from .driver import EXIT_OK, EXIT_WRONG, tool_main
from .run_options import OneLineParser, add_program_arguments, load_program, read_inputs
from .verdict import print_verdict

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
        choices=("text", "json"),
        default="text",
        help="diagnostics on standard error (the default), or one JSON document on standard output",
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
    if arguments.format == "text":
        return print_verdict(outcome.check, len(outcome.graph.events))
    document = {
        "events": len(outcome.graph.events),
        "reports": [report.to_json() for report in outcome.check.reports],
        "redundant": [redundant.to_json() for redundant in outcome.check.redundant],
    }
    print(json.dumps(document, indent=2))
    return EXIT_WRONG if outcome.check.reports else EXIT_OK


main = tool_main(run)

if __name__ == "__main__":
    main()
