"""The checker: judges all executions of an event graph in one pass over it.

`check(graph, machine)` applies the rules of `docs/memory-model.md`. `render` writes a report as
an MLIR diagnostic, `Report.to_json` as a row. Nothing here runs the program or touches its
memory: a run with the checker reads what a run without it reads.
"""

from .check import check
from .render import Line, diagnose, diagnose_redundant, render, render_redundant
from .report import (
    Action,
    BufferBytes,
    CheckResult,
    EventRef,
    Missing,
    Redundancy,
    RedundantOp,
    Report,
    Rule,
)

__all__ = [
    "Action",
    "BufferBytes",
    "CheckResult",
    "EventRef",
    "Line",
    "Missing",
    "Redundancy",
    "RedundantOp",
    "Report",
    "Rule",
    "check",
    "diagnose",
    "diagnose_redundant",
    "render",
    "render_redundant",
]
