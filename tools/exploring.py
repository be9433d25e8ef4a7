"""`zc-check --explore`: every execution of a small program, and what its reads can give."""

import argparse
import json
from collections.abc import Sequence

from ..runtime.events import EventGraph
from ..runtime.explorer import (
    INITIAL,
    ExploreOptions,
    ExploreResult,
    Outcome,
    TooManyStatesError,
    explore,
    to_dot,
    to_trace,
)
from ..runtime.load import RunResult
from .driver import EXIT_OK, EXIT_WRONG, ToolError
from .zc_opt import write_atomically

_SHOWN = 8
"""Outcomes of a line that are printed."""

MAX_STATES = 50_000
"""States of one line, or of all with --all-lines, beyond which it gives up: some ten seconds."""


def refuse_idle_flags(arguments: argparse.Namespace) -> None:
    """Raise ToolError for a flag that would do nothing, with --explore or for want of it."""
    if arguments.explore:
        judging = {
            "--witness": arguments.witness is not None,
            "--fix": arguments.fix is not None,
            f"--format={arguments.format}": arguments.format != "text",
        }
        for flag, given in judging.items():
            if given:
                raise ToolError(f"--explore prints outcomes and reports no faults; drop {flag}")
        return
    exploring = {
        "--all-lines": arguments.all_lines,
        "--all-moves": arguments.all_moves,
        "--max-states": arguments.max_states is not None,
        "--dot": arguments.dot is not None,
        "--trace": arguments.trace is not None,
    }
    for flag, given in exploring.items():
        if given:
            raise ToolError(f"{flag} is for the explorer; add --explore")


def explore_options(
    arguments: argparse.Namespace, *, evictions: bool, prefetches: bool
) -> ExploreOptions:
    """What the flags ask for; raises ToolError for a bound that is none."""
    bound: int = MAX_STATES if arguments.max_states is None else arguments.max_states
    if bound < 1:
        raise ToolError(f"expected a number of states from 1 for --max-states, got {bound}")
    return ExploreOptions(
        not arguments.all_lines,
        not arguments.all_moves,
        evictions=evictions,
        prefetches=prefetches,
        max_states=bound,
    )


def explore_run(
    outcome: RunResult, options: ExploreOptions, *, dot: str | None, trace: str | None
) -> int:
    """Explore the event graph of a run, print outcome sets and counts, and write pictures.

    Returns:
        The exit code: 1 where some execution reads a wrong value.

    Raises:
        ToolError: there are too many states.
    """
    try:
        result = explore(outcome.graph, outcome.machine, options)
    except TooManyStatesError as error:
        raise ToolError(f"{error}: too many to explore; {_way_out(options)}") from error
    for address, outcomes in sorted(result.outcomes.items()):
        _print_line(outcome.graph, address, outcomes)
    distinct = sum(len(outcomes) for outcomes in result.outcomes.values())
    verdict = "some read a wrong value" if result.wrong_values else "all read every value right"
    print(
        f"explore: {len(result.outcomes)} lines, {distinct} outcomes, {result.executions} "
        f"executions explored ({_redundant(result)} with the outcome of another), {result.states} "
        f"states: {verdict}"
    )
    if dot is not None:
        write_atomically(dot, to_dot(outcome.graph, result.witness))
    if trace is not None:
        write_atomically(trace, json.dumps(to_trace(outcome.graph, result.witness)) + "\n")
    return EXIT_WRONG if result.wrong_values else EXIT_OK


def _way_out(options: ExploreOptions) -> str:
    given = {"--all-lines": not options.lines_independent, "--all-moves": not options.telling_only}
    drop = " and ".join(flag for flag, is_given in given.items() if is_given)
    more = f"--max-states={10 * options.max_states} allows more"
    return f"drop {drop}, or {more}" if drop else more


def _redundant(result: ExploreResult) -> int:
    """Executions beyond the first with its outcome, the lines taken together."""
    combinations = 1
    for outcomes in result.outcomes.values():
        combinations *= len(outcomes)
    return max(result.executions - combinations, 0)


def _print_line(
    graph: EventGraph, address: int, outcomes: Sequence[Outcome] | frozenset[Outcome]
) -> None:
    print(f"line {address:#x}: {len(outcomes)} outcomes")
    rows = sorted(_outcome_text(graph, outcome) for outcome in outcomes)
    for row in rows[:_SHOWN]:
        print(f"  {row}")
    if len(rows) > _SHOWN:
        print(f"  and {len(rows) - _SHOWN} more")


def _outcome_text(graph: EventGraph, outcome: Outcome) -> str:
    """`g.mlir:8:5 reads g.mlir:3:5; ...`, in the order of the reads."""
    parts = [
        f"{_name(graph, read.event)} reads {_name(graph, read.write)}"
        for read in sorted(outcome, key=lambda read: (read.event, read.span))
    ]
    return "; ".join(parts)


def _name(graph: EventGraph, event: int) -> str:
    if event == INITIAL:
        return "initial contents"
    found = graph.events[event]
    return found.location or found.label or f"event {event}"
