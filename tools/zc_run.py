"""zc-run: runs a program on simulated memory whose caches really go stale."""

import io
import json
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence

from ..dialects.diagnostics import verify_module
from ..dialects.parsing import make_context
from ..dialects.topology import Topology
from ..runtime.costs import CostModel
from ..runtime.counters import COUNTER_NAMES, Statistics
from ..runtime.element_types import Value
from ..runtime.io import parse_inputs
from ..runtime.load import RunResult, is_flow
from ..runtime.reference import run_reference
from ..runtime.results import compare, format_results, write_outputs
from ..runtime.timeline import Timeline
from ..runtime.trace import write_trace
from .driver import EXIT_OK, EXIT_WRONG, OneLineParser, ToolError, tool_main
from .run_options import (
    add_program_arguments,
    load_program,
    read_inputs,
    read_module,
)
from .verdict import print_verdict
from .witnesses import replay_file
from .zc_opt import write_atomically

_DESCRIPTION = """\
Runs one function of a program, at flow, stream.cmd or hal level, on a simulated machine: devices
with private caches over shared or separate memories, queues, fences and command buffers. A flow
program is lowered first; others run as they are. The conventions are those of iree-run-module.
"""

_EXAMPLES = """\
examples:
  zc-run chain.flow.mlir --topology=noncoherent.mlir --input=16xf32=1
  zc-run chain.flow.mlir --topology=noncoherent.mlir --input=@x.npy --check --stats
  zc-run lowered.mlir --input=16xf32=1 --schedule=adversarial:7
  zc-run chain.flow.mlir --topology=noncoherent.mlir --input=16xf32=1 --trace=t.json
  zc-run chain.flow.mlir --reference --input=16xf32=1 --output=@y.npy

exit codes: 0 right; 1 a check failed or an output differs; 2 the tool cannot run the program
"""


def _parser() -> OneLineParser:
    parser = OneLineParser(
        prog="zc-run",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_program_arguments(parser)
    parser.add_argument(
        "--output",
        metavar="SINK",
        action="append",
        default=[],
        help="where a result goes, in order: @y.npy, - (print), or nothing (drop); "
        "without any, results are printed",
    )
    parser.add_argument(
        "--expected_output",
        metavar="VALUE",
        action="append",
        default=[],
        help="what a result should be, in the form of --input; a difference is exit code 1",
    )
    parser.add_argument(
        "--reference",
        action="store_true",
        help="compute a flow program on tensor values instead, without memory or devices",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="judge all executions of the run: races, stale reads, lost and clobbered writes",
    )
    parser.add_argument(
        "--replay",
        metavar="FILE",
        help="run with the schedules that zc-check --witness wrote, and tell what is read; inputs "
        "not given count 1, 2, 3, ...; a wrong value is exit code 1",
    )
    parser.add_argument(
        "--trace",
        metavar="FILE",
        help="write when each event of the run happens, in simulated time, as trace events for "
        "Perfetto and chrome://tracing",
    )
    parser.add_argument(
        "--stats",
        action="store_true",
        help="print copies, cache maintenance, allocations and more, per device and in total",
    )
    parser.add_argument(
        "--stats-format",
        choices=("table", "json"),
        help="the form of the statistics (default: table); json implies --stats",
    )
    return parser


def run(args: Sequence[str] | None = None) -> int:
    """Run zc-run with `args` (default: the command line's) and give its exit code."""
    arguments = _parser().parse_args(args)
    inputs = read_inputs(arguments)
    expected = parse_inputs(arguments.expected_output)
    code = EXIT_OK
    if arguments.trace is not None and (arguments.reference or arguments.replay is not None):
        raise ToolError("--trace shows a run on the machine; drop --reference and --replay")
    if arguments.replay is not None:
        program = load_program(arguments)
        return replay_file(arguments.replay, program, arguments.function, inputs)
    if arguments.reference:
        module = read_module(arguments, make_context())
        verify_module(module)
        if not is_flow(module):
            raise ToolError("--reference computes flow programs; this one is lowered already")
        results = run_reference(module, arguments.function, inputs)
    else:
        program = load_program(arguments)
        outcome = program.run(
            arguments.function,
            inputs,
            schedule=arguments.schedule,
            strict=arguments.strict or None,
            check=arguments.check,
            record=arguments.trace is not None,
        )
        results = outcome.results
        if outcome.check is not None:
            code = print_verdict(outcome)
        if arguments.stats or arguments.stats_format is not None:
            _print_statistics(outcome.statistics, arguments.stats_format or "table")
        if arguments.trace is not None:
            _write_trace(arguments.trace, outcome, program.topology)
    _emit(results, arguments.output)
    if arguments.expected_output:
        difference = compare(results, expected)
        sys.stdout.write(difference or "[SUCCESS] all outputs matched their expected values\n")
        code = EXIT_WRONG if difference else code
    return code


def _emit(results: Sequence[Value], sinks: Sequence[str]) -> None:
    if sinks:
        write_outputs(results, sinks, sys.stdout)
    else:
        sys.stdout.write(format_results(results))


def _write_trace(path: str, outcome: RunResult, topology: Topology) -> None:
    """Write the run on the topology's engines and links (`runtime/costs.py`)."""
    text = io.StringIO()
    write_trace(Timeline(outcome.graph, CostModel(outcome.machine, topology)), text)
    write_atomically(path, text.getvalue())


def _print_statistics(statistics: Statistics, form: str) -> None:
    rows = statistics.as_dict()
    if form == "json":
        print(json.dumps(rows, indent=2))
        return
    names = [name for name in COUNTER_NAMES if any(row[name] for row in rows.values())]
    width = max(map(len, names), default=0)
    columns = {agent: max(len(agent), 8) for agent in rows}
    print(" " * width, *(agent.rjust(size) for agent, size in columns.items()))
    for name in names:
        cells = (str(row[name]).rjust(columns[agent]) for agent, row in rows.items())
        print(name.ljust(width), *cells)


main = tool_main(run)

if __name__ == "__main__":
    main()
