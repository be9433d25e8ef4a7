"""zc-check --static: all paths of a program are judged, nothing is run."""

import argparse
import json
import sys
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..dialects.diagnostics import render_error
from ..dialects.location import location_text
from ..runtime.checker import Line
from ..runtime.load import Program
from ..transforms.functions import functions_of
from ..transforms.legality import ALLOCATED, check_hal_level, check_legality, is_hal
from ..transforms.maintenance.fault_text import RULE_IDS, fault_error
from ..transforms.maintenance.hal_reader import HalLevel
from ..transforms.maintenance.memory_events import MemoryEvent
from ..transforms.maintenance.segment_reader import Level
from ..transforms.maintenance.stream_reader import StreamLevel
from ..transforms.maintenance.verify import Certainty, CoherenceFault, find_faults
from .calls import requested_calls
from .driver import EXIT_OK, EXIT_WRONG, ToolError
from .sarif import sarif_log, sarif_result

LOWERING = "zc-to-stream"
"""What brings a flow program to a level that is judged."""


def refuse_run_flags(arguments: argparse.Namespace) -> None:
    """Raise ToolError for flags that ask for a run."""
    calls = requested_calls(arguments)
    given = {
        "input": any(call.input for call in calls),
        "function": arguments.function,
        "call": any(call.function for call in calls),
        "witness": arguments.witness,
        "fix": arguments.fix,
        "explore": arguments.explore,
    }
    for flag, value in given.items():
        if value:
            raise ToolError(f"--static judges all paths and runs nothing; drop --{flag}")


def static_run(program: Program, file: str, form: str) -> int:
    """Judge a program at stream.cmd or hal level and tell it; gives the exit code.

    Args:
        program: the module, and the machine to judge it on.
        file: its name, for findings without a place.
        form: `text`, `json` or `sarif`.

    Raises:
        OpError: the program is at another level, or cannot be followed.
    """
    module = program.module
    level = judged_level(module, "zc-check --static")
    faults = find_faults(module, program.topology, level, program.sources)
    if form == "text":
        _print(faults)
    else:
        document = _sarif(faults, file) if form == "sarif" else _json(faults)
        print(json.dumps(document, indent=2))
    return EXIT_WRONG if faults else EXIT_OK


def judged_level(module: ModuleOp, tool: str) -> type[Level]:
    """The level of a module; raises OpError, naming `tool`, for one that is at none, or at two."""
    hal = is_hal(module)
    for function in functions_of(module):
        if hal:
            check_hal_level(function, tool)
        else:
            check_legality(function, ALLOCATED, tool)
    return HalLevel if hal else StreamLevel


def _print(faults: list[CoherenceFault]) -> None:
    for fault in faults:
        print("\n".join(render_error(fault_error(fault))), file=sys.stderr)
    if not faults:
        print("check: right on all paths, under every schedule, eviction and prefetch")
        return
    may = sum(fault.certainty is Certainty.MAY for fault in faults)
    count = len(faults)
    print(f"check: {count} fault{'s' if count > 1 else ''}: {count - may} definite, {may} may")


def _json(faults: list[CoherenceFault]) -> dict[str, Any]:
    """Rows with stable keys, all keys of a row always there."""
    return {"static": True, "reports": [_row(fault) for fault in faults]}


def _row(fault: CoherenceFault) -> dict[str, Any]:
    at, write, read, other = map(_event, fault.roles)
    return {
        "rule": RULE_IDS[fault.rule],
        "certainty": fault.certainty.value,
        "message": fault_error(fault).message,
        "bytes": [{"name": name, "start": start, "end": end} for name, start, end in fault.bytes],
        "at": at,
        "write": write,
        "read": read,
        "other": other,
        "missing": [
            {
                "action": missing.action.value,
                "agent": missing.agent,
                "after": _event(missing.after),
                "before": _event(missing.before),
            }
            for missing in fault.missing
        ],
    }


def _event(event: MemoryEvent | None) -> dict[str, str] | None:
    if event is None:
        return None
    return {"agent": event.agent, "label": event.op.name, "location": location_text(event.op)}


def _sarif(faults: list[CoherenceFault], file: str) -> dict[str, Any]:
    """One SARIF log; what may go wrong is a warning, what does is an error."""
    rows: list[dict[str, Any]] = []
    for fault in faults:
        error = fault_error(fault)
        level = "error" if fault.certainty is Certainty.DEFINITE else "warning"
        notes = [Line(note.location, "note", note.message) for note in error.notes]
        line = Line(error.location, "error", error.message)
        rows.append(sarif_result(RULE_IDS[fault.rule], level, line, notes, file))
    return sarif_log(rows)
