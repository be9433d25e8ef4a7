"""zc-run: runs a program on simulated memory whose caches really go stale."""

import argparse
import io
import math
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence

from ..dialects.diagnostics import verify_module
from ..dialects.parsing import make_context
from ..dialects.topology import Topology
from ..runtime.costs import CostModel
from ..runtime.element_types import Value
from ..runtime.io import parse_input_lists
from ..runtime.load import CallSpec, RunResult, is_flow
from ..runtime.reference import Reference
from ..runtime.results import (
    MAX_ELEMENTS,
    Tolerance,
    check_sinks,
    compare,
    format_results,
    write_outputs,
)
from ..runtime.timeline import Timeline
from ..runtime.trace import write_trace
from .calls import AddToCall, CallFlags, call_specs, name_calls, requested_calls
from .driver import EXIT_OK, EXIT_WRONG, OneLineParser, ToolError, tool_main
from .model_options import add_model_arguments, check_model_arguments
from .model_run import run_model
from .progress import Progress
from .run_options import add_program_arguments, load_program, read_module
from .statistics_text import FORMATS, statistics_text
from .verdict import print_verdict
from .witnesses import replay_file
from .zc_opt import write_atomically
from .zero_copy import FLAG

_DESCRIPTION = """\
Runs functions of a program on a simulated machine: devices with private caches over shared or
separate memories, queues, fences and command buffers. FILE is what iree-compile or zc-opt writes,
at flow, stream, executable-sources or hal phase; a flow program is lowered first, others run as
they are. Flags, notation and printing are those of iree-run-module.
"""

_EPILOG = """\
inputs and expected outputs:
  4xf32=1,2,3,4       elements between spaces, commas or brackets: 2x2xi8=[1 2][3 4]
  16xf32=0.5          one element fills the shape; none (16xf32) is zeros
  i32=3   f32=1.5     a scalar; the type may be left out: 3   1.5
  @x.npy              the first array of the file; +x.npy its next one, *x.npy all that are left
  2x2xi32=@x.bin      the bytes of a file
  &16xf32             storage that the function writes a result into (hal.tensor.alias)
  (null)   (ignored)  no value; an expected output that may be anything

outputs:
  @y.npy begins a file, +y.npy adds an array to it, - prints, nothing drops the result. A name that
  does not end in .npy gets the bytes alone. Without --output and --expected_output all is printed.

examples:
  zc-run chain.flow.mlir --topology=noncoherent.mlir --input=16xf32=1
      lowers for that topology, runs, and prints `result[0]: hal.buffer_view` and its elements
  zc-run chain.flow.mlir --topology=noncoherent.mlir --input=@x.npy --check --stats
      also judges all executions of the run, and counts copies and cache maintenance
  zc-run iree.stream.mlir --memory=coherent --input=@x.npy --output=@y.npy
      what iree-compile --compile-to=stream wrote, as it is, where caches do not matter
  zc-run iree.stream.mlir --memory=noncoherent -p stream-place-cache-maintenance --input=@x.npy
      the same with the flushes and invalidates that such memory needs
  zc-run lowered.mlir --input=16xf32=1 --schedule=adversarial:7 --expected_output=@want.npy
      compares, under a schedule that moves cache lines at bad moments
  zc-run state.mlir --call=add --input=4xf32=1 --call=add --input=4xf32=2 --call=total
      three calls on one machine; each is told with its name
  zc-run model.mlir --model --io-memory=pageable --input=16xf32=1 --stats
      as a model, whose inputs and outputs are memory of the caller
  zc-run chain.flow.mlir --reference --input=16xf32=1
      on tensor values alone: what the numbers should be
  cat chain.flow.mlir | zc-run - --input=16xf32=1 --output= --stats-format=json
      reads standard input, and prints nothing but the counters

exit codes: 0 right; 1 a check failed or an output differs; 2 the tool cannot run the program
"""


def _parser() -> OneLineParser:
    parser = OneLineParser(
        prog="zc-run",
        usage="zc-run FILE [--function=NAME] [--input=VALUE ...] [--output=SINK ...] [flags]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_program_arguments(parser)
    _add_result_arguments(parser)
    _add_insight_arguments(parser)
    add_model_arguments(parser)
    return parser


def _add_result_arguments(parser: OneLineParser) -> None:
    group = parser.add_argument_group("its results")
    group.add_argument(
        "--output",
        metavar="SINK",
        action=AddToCall,
        default=argparse.SUPPRESS,
        help="where the next result goes: @y.npy, +y.npy, - or nothing",
    )
    group.add_argument(
        "--expected_output",
        metavar="VALUE",
        action=AddToCall,
        default=argparse.SUPPRESS,
        help="what the next result should be, in the form of --input; a difference is exit code 1. "
        "Integers of one width are equal whatever their sign; NaN equals NaN",
    )
    for name in ("f16", "bf16", "f32", "f64"):
        default = getattr(Tolerance(), name)
        group.add_argument(
            f"--expected_{name}_threshold",
            metavar="X",
            type=tolerance,
            default=default,
            help=f"how far an element of {name} may be off, absolutely (default: {default:g})",
        )
    group.add_argument(
        "--expected_rtol",
        metavar="X",
        type=tolerance,
        default=Tolerance().rtol,
        help="and in relation to the expected value, for all floats (default: 1e-05)",
    )
    group.add_argument(
        "--equality_mode",
        choices=("approximate", "exact"),
        default="approximate",
        help="exact compares bytes, without tolerance",
    )
    group.add_argument(
        "--output_max_element_count",
        metavar="N",
        type=count,
        default=MAX_ELEMENTS,
        help=f"elements of a result that are printed (default: {MAX_ELEMENTS})",
    )


def _add_insight_arguments(parser: OneLineParser) -> None:
    group = parser.add_argument_group("what the run tells")
    group.add_argument(
        "--check",
        action="store_true",
        help="judge all executions of the run: races, stale reads, lost and clobbered writes",
    )
    group.add_argument(
        "--stats",
        action="store_true",
        help="print copies, cache maintenance, allocations and more, per device and in total",
    )
    group.add_argument(
        "--stats-format",
        choices=FORMATS,
        help="the form of the statistics (default: table); either implies --stats",
    )
    group.add_argument(
        "--trace",
        metavar="FILE",
        help="write when each event of the run happens, in simulated time, as trace events for "
        "Perfetto and chrome://tracing",
    )
    group.add_argument(
        "--reference",
        action="store_true",
        help="compute a flow program on tensor values instead, without memory or devices",
    )
    group.add_argument(
        "--replay",
        metavar="FILE",
        help="run with the schedules that zc-check --witness wrote, and tell what is read; inputs "
        "not given count 1, 2, 3, ...; a wrong value is exit code 1",
    )


def count(text: str) -> int:
    """The number of a flag that counts; raises ValueError for one below 0."""
    value = int(text)
    if value < 0:
        raise ValueError(text)
    return value


def tolerance(text: str) -> float:
    """The number of a tolerance flag; raises ValueError for one that nothing can be within."""
    value = float(text)
    if not 0 <= value < math.inf:
        raise ValueError(text)
    return value


def run(args: Sequence[str] | None = None) -> int:
    """Run zc-run with `args` (default: the command line's) and give its exit code."""
    arguments = _parser().parse_args(args)
    _refuse_what_does_not_run(arguments)
    check_model_arguments(arguments)
    calls = requested_calls(arguments)
    specs = call_specs(calls)
    expected = parse_input_lists([call.expected_output for call in calls], "expected output")
    with Progress(sys.stderr) as progress:
        progress.say("reading and lowering the program")
        if arguments.replay is not None:
            program = load_program(arguments)
            return replay_file(arguments.replay, program, specs)
        code = EXIT_OK
        if arguments.model:
            outcome, topology, name = run_model(arguments, specs)
            name_calls(calls, [name])
            _check_outputs(calls, [len(outcome.results)])
            results = outcome.calls
            code = _tell(arguments, outcome, topology)
        elif arguments.reference:
            results = _reference(arguments, calls, specs)
        else:
            program = load_program(arguments)
            name_calls(calls, program.functions())
            _check_outputs(calls, [program.result_count(call.function) for call in calls])
            outcome = program.run_calls(
                specs,
                schedule=arguments.schedule,
                strict=arguments.strict or None,
                check=arguments.check,
                record=arguments.trace is not None,
                watch=progress.follow,
            )
            results = outcome.calls
            code = _tell(arguments, outcome, program.topology)
    for call, values, wanted in zip(calls, results, expected, strict=False):
        if _emit(arguments, call, values, wanted):
            code = EXIT_WRONG
    return code


def _refuse_what_does_not_run(arguments: argparse.Namespace) -> None:
    """Refuse flags that tell of a run where there is none, or one for each witness."""
    asked = {
        "trace": arguments.trace is not None,
        "check": arguments.check,
        "stats": arguments.stats or arguments.stats_format is not None,
    }
    for flag, given in asked.items():
        if given and (arguments.reference or arguments.replay is not None):
            raise ToolError(f"--{flag} shows a run on the machine; drop --reference and --replay")
    if arguments.verify_zero_copy and arguments.reference:
        raise ToolError(f"{FLAG} looks at the lowered program; drop --reference")


def _reference(
    arguments: argparse.Namespace, calls: Sequence[CallFlags], specs: Sequence[CallSpec]
) -> list[list[Value]]:
    """The results of the calls on tensor values."""
    module = read_module(arguments, make_context())
    verify_module(module)
    if not is_flow(module):
        raise ToolError("--reference computes flow programs; this one is lowered already")
    reference = Reference(module)
    results = [reference.call(spec.function, spec.inputs) for spec in specs]
    name_calls(calls, reference.functions())
    _check_outputs(calls, [len(values) for values in results])
    return results


def _check_outputs(calls: Sequence[CallFlags], counts: Sequence[int]) -> None:
    """Refuse malformed outputs, and too many or too few, before anything is written."""
    for call, count in zip(calls, counts, strict=True):
        if call.output:
            check_sinks(call.output, count)


def _tell(arguments: argparse.Namespace, outcome: RunResult, topology: Topology) -> int:
    """Verdict, statistics and trace, as far as they are asked for; gives the exit code."""
    code = EXIT_OK if outcome.check is None else print_verdict(outcome)
    if arguments.stats or arguments.stats_format is not None:
        form = arguments.stats_format or FORMATS[0]
        sys.stdout.write(statistics_text(outcome.statistics, form))
    if arguments.trace is not None:
        text = io.StringIO()
        write_trace(Timeline(outcome.graph, CostModel(outcome.machine, topology)), text)
        write_atomically(arguments.trace, text.getvalue())
    return code


def _emit(
    arguments: argparse.Namespace,
    call: CallFlags,
    results: Sequence[Value],
    expected: Sequence[Value | None],
) -> bool:
    """Print, write and compare the results of a call; gives whether they differ."""
    limit = arguments.output_max_element_count
    if call.one_of_several:
        print(f"EXEC @{call.function}")
    if call.output:
        write_outputs(results, call.output, sys.stdout, limit)
    elif not expected:
        sys.stdout.write(format_results(results, limit))
    if not expected:
        return False
    allowed = Tolerance(
        f16=arguments.expected_f16_threshold,
        bf16=arguments.expected_bf16_threshold,
        f32=arguments.expected_f32_threshold,
        f64=arguments.expected_f64_threshold,
        rtol=arguments.expected_rtol,
        exact=arguments.equality_mode == "exact",
    )
    difference = compare(results, expected, allowed)
    matched = "[SUCCESS] all function outputs matched their expected values.\n"
    sys.stdout.write(difference or matched)
    return bool(difference)


main = tool_main(run)

if __name__ == "__main__":
    main()
