"""The flags that zc-run and zc-check share, and the program they name."""

import argparse
import sys

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import parse_pipeline

from ..dialects.parsing import make_context, parse_file, parse_text, replace_topology
from ..dialects.topology import WriteBack
from ..runtime.load import Program, is_flow, load
from ..runtime.switches import Switches
from .calls import AddToCall, NextCall
from .driver import ToolError
from .zero_copy import add_zero_copy_flag, verify_zero_copy


def add_program_arguments(parser: argparse.ArgumentParser) -> None:
    """Which program, with which inputs, on which machine and in which order."""
    parser.add_argument("input_file", metavar="FILE", help="an .mlir file, or - for standard input")
    _add_program_group(parser.add_argument_group("the program"))
    _add_call_group(parser.add_argument_group("what is called"))
    _add_machine_group(parser.add_argument_group("the machine"))


def _add_program_group(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    group.add_argument(
        "-p",
        "--passes",
        metavar="PASSES",
        default="",
        help="passes to run first, as for zc-opt; flow programs are then lowered by zc-pipeline",
    )
    group.add_argument(
        "--topology",
        metavar="FILE",
        help="an .mlir file whose module carries `stream.topology`; it replaces the module's, and "
        "the program is lowered for it",
    )
    group.add_argument(
        "--executable-sources",
        metavar="FILE",
        help="the executable-sources phase of the program, for the kernels of which its hal phase "
        "has only binaries",
    )
    add_zero_copy_flag(group)


def _add_call_group(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    group.add_argument(
        "--function",
        metavar="NAME",
        help="the function to call (default: the only public one)",
    )
    group.add_argument(
        "--input",
        metavar="VALUE",
        action=AddToCall,
        default=argparse.SUPPRESS,
        help="the next input: a number, SHAPExTYPE=ELEMENTS, @FILE.npy",
    )
    group.add_argument(
        "--call",
        metavar="NAME",
        action=NextCall,
        default=argparse.SUPPRESS,
        help="call this function too (--call= the only public one); repeated, the calls run one "
        "after the other on one machine and globals live on. The flags for inputs and outputs "
        "belong to the --call before them",
    )


def _add_machine_group(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    group.add_argument(
        "--memory",
        metavar="MEMORY",
        default="module",
        help="module (as the topology says; the default), coherent, noncoherent, discrete, or a "
        "topology file. A machine weaker than the program assumes is refused",
    )
    _add_switches(group)
    group.add_argument(
        "--schedule",
        metavar="SCHEDULE",
        default="fifo",
        help="fifo (the default), random:SEED, or adversarial:SEED, which also evicts and "
        "prefetches cache lines at bad moments",
    )
    group.add_argument(
        "--strict",
        action="store_true",
        help="refuse uses of buffers before their alloca or after their dealloca even where the "
        "run is judged; else the checker reports them",
    )


def _add_switches(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    """Single properties, each of which changes what --memory gives: what if it were so?"""
    group.add_argument(
        "--cache-line",
        metavar="BYTES",
        type=int,
        help="what if all its caches had lines of this size, a power of two? Such switches change "
        "the machine alone and not what the program is lowered for, and none is refused as weaker",
    )
    group.add_argument(
        "--write-back",
        choices=tuple(map(str, WriteBack)),
        help="what its caches store when they write a line back: the dirty bytes, or all of it",
    )
    on_or_off = {
        "--coherence": "whether its devices keep their caches coherent with each other",
        "--host-coherence": "whether its devices share the host's cache",
        "--eviction": "whether its caches evict lines by themselves under an adversarial schedule "
        "and zc-check --explore (default: on); a check takes it that they do",
        "--prefetch": "whether they prefetch lines, likewise",
    }
    for flag, text in on_or_off.items():
        group.add_argument(flag, choices=("on", "off"), help=text)


def machine_switches(arguments: argparse.Namespace) -> Switches:
    """The switches that the flags set."""
    write_back: str | None = arguments.write_back
    on = {None: None, "on": True, "off": False}
    return Switches(
        arguments.cache_line,
        None if write_back is None else WriteBack(write_back),
        on[arguments.coherence],
        on[arguments.host_coherence],
        eviction=arguments.eviction != "off",
        prefetch=arguments.prefetch != "off",
    )


def read_module(arguments: argparse.Namespace, context: Context) -> ModuleOp:
    """The module of FILE with the topology of --topology; raises as `parse_file`."""
    if arguments.input_file == "-":
        module = parse_text(context, sys.stdin.read(), "stdin")
    else:
        module = parse_file(context, arguments.input_file)
    if arguments.topology is not None:
        replace_topology(context, module, arguments.topology)
    return module


def load_program(arguments: argparse.Namespace, lowering: str | None = None) -> Program:
    """The program that the flags name, lowered as far as needed.

    Args:
        arguments: of the command line.
        lowering: the pipeline for flow programs, where they are not to be lowered to run.

    Raises:
        FaultyProgramError: a copy that --verify-zero-copy does not let pass.
    """
    check_schedule(arguments.schedule)
    context = make_context()
    passes = [str(spec) for spec in parse_pipeline(arguments.passes)]
    module = read_module(arguments, context)
    if lowering is not None and is_flow(module):
        passes.append(lowering)
    program = load(
        module,
        memory=arguments.memory,
        passes=passes,
        context=context,
        executable_sources=arguments.executable_sources,
        switches=machine_switches(arguments),
    )
    if arguments.verify_zero_copy:
        verify_zero_copy(program.module, program.topology, program.sources)
    return program


def check_schedule(schedule: str) -> None:
    """Raise ToolError unless `schedule` is one that the runtime has."""
    kind, separator, seed = schedule.partition(":")
    seeded = kind in ("random", "adversarial") and bool(separator) and seed.isdecimal()
    if schedule != "fifo" and not seeded:
        raise ToolError(
            f"unknown schedule '{schedule}'; expected fifo, random:SEED or adversarial:SEED"
        )
