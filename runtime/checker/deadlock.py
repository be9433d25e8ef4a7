"""The report of waits that never end."""

from ...dialects.coherence_text import agent_text
from ..events import EventGraph, Wait
from .report import EventRef, Report, Rule
from .state import NONE


def deadlock_reports(graph: EventGraph) -> tuple[Report, ...]:
    """One report for all waits at which a run stopped, the first of them at fault; or none.

    A wait is no event: it is cited with the id -1.
    """
    if not graph.stuck:
        return ()
    first = graph.stuck[0]
    at = EventRef(NONE, first.agent, "wait", first.label, first.location)
    waits = tuple(graph.stuck)
    return (Report(Rule.DEADLOCK, _message(first, waits), at, (), (), waits=waits),)


def _message(first: Wait, waits: tuple[Wait, ...]) -> str:
    """Who waits for which fence, and what is never signaled."""
    never = dict.fromkeys(point for wait in waits for point in wait.never)
    why = (
        f"nothing left to execute signals {' and '.join(never)}"
        if never
        else "what would signal it waits too, in a circle"
    )
    return f"deadlock: {agent_text(first.agent)} waits for {first.fence}, but {why}"
