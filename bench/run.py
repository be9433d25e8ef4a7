"""`make bench`: how long the tools take, against xDSL's own on the same machine and text.

Times are CPU seconds, medians of runs taken in turn, so that a busy machine disturbs both sides
alike; ratios are of times taken one after the other. `--quick` takes fewer runs and smaller
programs.
"""

import argparse
import gc
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from statistics import median
from time import process_time

from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer
from zcir.dialects.parsing import make_context, parse_text
from zcir.dialects.verified import PassVerifier
from zcir.tools.driver import run_deep
from zcir.transforms.registry import expand, make_passes

sys.path.insert(0, str(Path(__file__).parent))
from parsing import main as time_parsing
from shapes import LONG, OPEN, nest

TEN_LINES = """\
builtin.module {
  func.func @f(%a: i32, %b: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %0 = arith.addi %a, %b : i32
    %1 = arith.muli %0, %c1 : i32
    %2 = arith.subi %1, %a : i32
    %3 = arith.addi %2, %c1 : i32
    func.return %3 : i32
  }
}
"""
START_UP_TARGET = 1.5
"""How many times xdsl-opt's start-up ours may take."""
LONGEST = 32_000
"""Ops of the longest programs."""
GROWTH_TARGET = 1.3
"""How much more time per op the longest chain may take than the shortest."""


def cpu_seconds(command: Sequence[str]) -> float:
    """CPU time of a process and what it started; raises RuntimeError where it fails."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[0]} failed with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def start_up(runs: int) -> bool:
    """Time zc-opt and xdsl-opt on ten lines; True where ours is within the target."""
    tools = {
        "xdsl-opt": (sys.executable, "-c", "from xdsl.tools.xdsl_opt import main; main()"),
        "zc-opt": (sys.executable, "-c", "from zcir.tools.zc_opt import main; main()"),
    }
    times: defaultdict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ten.mlir")
        path.write_text(TEN_LINES)
        for _ in range(runs):
            for name, command in tools.items():
                times[name].append(cpu_seconds((*command, str(path))))
    ratio = median(
        ours / theirs for ours, theirs in zip(times["zc-opt"], times["xdsl-opt"], strict=True)
    )
    print("start-up on ten lines, CPU seconds")
    for name, seconds in times.items():
        print(f"  {name:<10}{median(seconds):8.3f}")
    print(f"  ratio     {ratio:8.2f}   target: {START_UP_TARGET} or less", flush=True)
    return ratio <= START_UP_TARGET


def text_of(module: ModuleOp) -> str:
    """A module as it is printed."""
    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue()


def parse_and_print(text: str) -> float:
    """CPU seconds that xDSL's own parser, verifier and printer take for a text."""
    context = make_context()
    gc.collect()
    start = process_time()
    module = Parser(context, text).parse_module()
    module.verify()
    text_of(module)
    return process_time() - start


def lower(text: str, pipeline: str) -> dict[str, float]:
    """CPU seconds of each stage of zc-opt on a text: parsing, each pass with verifier, printing.

    As in zc-opt, what a pass left as it was is not verified again.
    """
    context = make_context()
    passes = make_passes((pipeline,))
    times: dict[str, float] = {}
    gc.collect()
    start = process_time()
    module = parse_text(context, text, "chain.mlir")
    verifier = PassVerifier()
    verifier.verify(module)
    times["parse"] = process_time() - start
    for module_pass in passes:
        start = process_time()
        module_pass.apply(context, module)
        verifier.verify(module)
        times[module_pass.name] = process_time() - start
    start = process_time()
    text_of(module)
    times["print"] = process_time() - start
    return times


def growth(
    name: str, shape: Callable[[int], str], sizes: Sequence[int], runs: int, pipeline: str
) -> bool:
    """Time a pipeline on programs of one shape; True where its time per op of the text does not
    grow beyond the target."""
    print(f"\n{pipeline} on {name}, CPU seconds")
    print(f"  {'ops':>7}{'xDSL reads and prints':>24}{'pipeline':>11}{'ratio':>8}{'us per op':>11}")
    stages: dict[int, dict[str, float]] = {}
    per_op: list[float] = []
    for size in sizes:
        text = shape(size)
        ops = text.count("flow.dispatch @") + text.count("flow.tensor.") + text.count("scf.for")
        theirs: list[float] = []
        ours: list[dict[str, float]] = []
        # The longest take minutes each, and are disturbed the less.
        for _ in range(runs if size < LONGEST else 1):
            theirs.append(parse_and_print(text))
            ours.append(lower(text, pipeline))
        totals = [sum(run.values()) for run in ours]
        ratio = median(mine / other for mine, other in zip(totals, theirs, strict=True))
        stages[ops] = {name: median(run[name] for run in ours) for name in ours[0]}
        per_op.append(median(totals) / ops)
        print(
            f"  {ops:>7}{median(theirs):>24.2f}{median(totals):>11.2f}{ratio:>8.1f}"
            f"{per_op[-1] * 1e6:>11.0f}",
            flush=True,
        )
    grown = per_op[-1] / per_op[0]
    print(f"  time per op grows by {grown:.2f}   target: {GROWTH_TARGET} or less (linear)")
    show_stages(stages)
    return grown <= GROWTH_TARGET


def show_stages(stages: dict[int, dict[str, float]]) -> None:
    """Microseconds per op of each stage, for each size."""
    print("\n  " + f"{'microseconds per op':<36}" + "".join(f"{size:>9}" for size in stages))
    for name in next(iter(stages.values())):
        cells = "".join(f"{times[name] / size * 1e6:>9.0f}" for size, times in stages.items())
        print(f"  {name:<36}{cells}", flush=True)


def main(args: Sequence[str] | None = None) -> int:
    """Run all benchmarks; the exit code is 1 where a target is missed."""
    parser = argparse.ArgumentParser(prog="bench/run.py", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs, shorter chains")
    parser.add_argument("--pipeline", default="zc-pipeline", help="the pipeline to time")
    parser.add_argument(
        "--shape",
        action="append",
        choices=[*LONG, "nest", *OPEN],
        help=f"only this one; may be repeated (default: all but {', '.join(OPEN)})",
    )
    parser.add_argument("--runs", type=int, help="runs of each (default: 3; 1 with --quick)")
    arguments = parser.parse_args(args)
    runs: int = arguments.runs or (1 if arguments.quick else 3)
    if not expand((arguments.pipeline,)):
        parser.error(f"pipeline '{arguments.pipeline}' is empty")
    sizes = (500, 1000, 2000) if arguments.quick else (1000, 8000, LONGEST)
    depths = (6, 12, 25) if arguments.quick else (12, 50, 100)
    shapes: dict[str, Callable[[int], str]] = {**LONG, "nest": nest, **OPEN}
    sizes_of = {"nest": depths, **dict.fromkeys(OPEN, (125, 250, 500))}
    wanted: list[str] = arguments.shape or [*LONG, "nest"]
    fast = start_up(3 * runs)
    print(flush=True)
    read = time_parsing((f"--ops={5_000 if arguments.quick else 20_000}", f"--runs={runs}")) == 0
    # All are measured, also those after one that misses its target.
    linear = [
        growth(name, shapes[name], sizes_of.get(name, sizes), runs, arguments.pipeline)
        for name in wanted
    ]
    return 0 if fast and read and all(linear) else 1


if __name__ == "__main__":
    sys.exit(run_deep(main))
