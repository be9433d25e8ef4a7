"""Reports as MLIR diagnostics: an error line, then notes, each with its location."""

from typing import NamedTuple

from ...dialects.coherence_text import agent_text, insert
from .messages import bytes_text
from .report import EventRef, Missing, Redundancy, RedundantOp, Report, Rule

_NEVER_DIRTY = {
    "flush": "no write by its agent is before it",
    "invalidate": "no other agent's flush and no write by its own agent is before it",
    "discard": "no other agent's flush and no write by its own agent is before it",
}


class Line(NamedTuple):
    """One diagnostic line."""

    location: str
    """`file:line:col`, or "" where unknown."""
    severity: str
    """`error`, `note` or `remark`."""
    text: str

    def __str__(self) -> str:
        prefix = f"{self.location}: " if self.location else ""
        return f"{prefix}{self.severity}: {self.text}"


def render(report: Report) -> list[str]:
    """The lines of `diagnose` as text. Unknown locations are left out."""
    return [str(line) for line in diagnose(report)]


def diagnose(report: Report) -> list[Line]:
    """The lines of one report: the error, then notes at the write, at the place of what is
    missing and at the read.
    """
    lines = [_line(report.at, "error", report.message)]
    lines.extend(_wait_notes(report))
    lines.extend(_write_notes(report))
    lines.extend(_origin_notes(report))
    if report.misplaced is not None:
        text = f"this {report.misplaced.kind} by {agent_text(report.misplaced.agent)} is too early"
        lines.append(_line(report.misplaced, "note", f"{text}{_label(report.misplaced)}"))
    lines.extend(note for missing in report.missing for note in _missing_notes(report, missing))
    if report.read is not None:
        lines.append(_note(report.read, "read here by"))
    if report.common is not None:
        lines.append(
            _line(report.common, "note", f"both are after this, unordered{_label(report.common)}")
        )
    return lines


def render_redundant(redundant: RedundantOp) -> str:
    """The remark of `diagnose_redundant` as text."""
    return str(diagnose_redundant(redundant))


def diagnose_redundant(redundant: RedundantOp) -> Line:
    """The remark on one redundant maintenance operation."""
    kind = redundant.event.kind
    why = {
        Redundancy.NEVER_DIRTY: _NEVER_DIRTY[kind],
        Redundancy.ALREADY_CLEAN: "earlier maintenance has already done this",
        Redundancy.NO_LATER_READER: "nothing later relies on it",
        Redundancy.COHERENT_MEMORY: "all agents that reach this memory are coherent",
    }[redundant.reason]
    agent = agent_text(redundant.event.agent)
    text = f"redundant {kind} of {bytes_text(redundant.bytes)} by {agent}: {why}"
    return _line(redundant.event, "remark", text)


def _line(event: EventRef, severity: str, text: str) -> Line:
    return Line(event.location, severity, text)


def _label(event: EventRef) -> str:
    return f" ({event.label})" if event.label else ""


def _note(event: EventRef, text: str) -> Line:
    return _line(event, "note", f"{text} {agent_text(event.agent)}{_label(event)}")


def _wait_notes(report: Report) -> list[Line]:
    """For a deadlock: what each wait waits for."""
    return [
        Line(
            wait.location,
            "note",
            f"{agent_text(wait.agent)} waits for {wait.fence} ({', '.join(wait.pending)}) here "
            f"({wait.label})",
        )
        for wait in report.waits
    ]


def _write_notes(report: Report) -> list[Line]:
    """Notes at the write, and at the operation that endangers it or ends its buffer."""
    notes: list[Line] = []
    if report.write is not None:
        notes.append(_note(report.write, "written here by"))
    other = report.other
    if other is None or report.rule is Rule.UNINITIALIZED:
        return notes
    text = {
        Rule.RACE: "and written here by",
        Rule.LOST: f"{other.kind} here by",
        Rule.CLOBBER: "lines made dirty here by",
        Rule.FALSE_SHARING: "whole lines made dirty here by",
        Rule.BORROWED: "imported here by",
        Rule.SIGNAL: "signaled here by",
    }.get(report.rule, f"{other.kind} here by")
    return [*notes, _note(other, text)]


def _origin_notes(report: Report) -> list[Line]:
    """Where uninitialized bytes come from, then each copy that moved them."""
    notes: list[Line] = []
    for event in report.origin:
        text = {
            "alloca": "undefined since this alloca by",
            "discard": "undefined since this discard by",
        }.get(event.kind, "copied uninitialized here by")
        notes.append(_note(event, text))
    return notes


def _missing_notes(report: Report, missing: Missing) -> list[Line]:
    """The place to insert an operation: after one event, before another.

    The latter without a note of its own where the error line or the read's note is at it.
    """
    text = insert(missing.action.value, bytes_text(report.bytes), agent_text(missing.agent))
    after, before = missing.after, missing.before
    if after is None:
        return [] if before is None else [_line(before, "note", f"{text} before this")]
    notes = [_line(after, "note", f"{text} after this{_label(after)}")]
    if before is not None and before not in (report.at, report.read):
        notes.append(_line(before, "note", f"and before this{_label(before)}"))
    return notes
