"""Faults of programs as MLIR diagnostics: an error, and notes at the write, at the place of what
is missing and at the read. The words are those of the checker of runs."""

from ...dialects import coherence_text as say
from ...dialects.coherence_text import agent_text, bytes_text
from ...dialects.diagnostics import Note, OpError, op_name
from ...dialects.location import location_text
from .byte_state import Rule
from .memory_events import Kind, MemoryEvent
from .verify import Action, Certainty, CoherenceFault, Missing

RULE_IDS: dict[Rule, str] = {
    Rule.RACE: "race",
    Rule.STALE: "stale",
    Rule.LOST: "lost",
    Rule.CLOBBER: "clobber",
    Rule.FALSE_SHARING: "false-sharing",
    Rule.LIFETIME: "lifetime",
    Rule.FREED: "lifetime",
    Rule.EARLY: "lifetime",
    Rule.DEAD: "uninitialized",
}
"""The stable ids of the checker's rules."""

_OTHER: dict[Rule, str] = {
    Rule.RACE: "and written here by",
    Rule.CLOBBER: "lines made dirty here by",
    Rule.FALSE_SHARING: "whole lines made dirty here by",
    Rule.DEAD: "undefined since this discard by",
    Rule.FREED: "dealloca here by",
    Rule.EARLY: "alloca here by",
    Rule.LIFETIME: "dealloca here by",
}


def fault_error(fault: CoherenceFault) -> OpError:
    """The diagnostic of a fault; one that is not on every path says so."""
    message = fault_message(fault)
    if fault.certainty is Certainty.MAY:
        message = f"{message} (may: not in every run)"
    return OpError(location_text(fault.roles.at.op), message, tuple(_notes(fault)))


def fault_message(fault: CoherenceFault) -> str:
    """What is wrong, in one line without location."""
    _at, write, read, other = (None if r is None else agent_text(r.agent) for r in fault.roles)
    write, read, other = write or "nobody", read or "nobody", other or "nobody"
    text = bytes_text(fault.bytes)
    match fault.rule:
        case Rule.RACE if fault.roles.read is not None:
            return say.race_with_read(text, read, write)
        case Rule.RACE:
            return say.race_of_writes(text, write, other)
        case Rule.STALE:
            lacking = {
                Action.FLUSH: say.flush_by(write),
                Action.INVALIDATE: say.invalidate_by(read),
            }
            return say.stale_read(text, read, write, [lacking[g.action] for g in fault.missing])
        case Rule.LOST:
            assert fault.roles.other is not None
            return say.lost_write(text, _kind(fault.roles.other), other, write, read)
        case Rule.CLOBBER:
            return say.clobbered_write(text, write, other)
        case Rule.FALSE_SHARING:
            return say.false_sharing(text, other, write, ordered=fault.ordered)
        case Rule.LIFETIME:
            return say.freed_dirty(text, write)
        case Rule.EARLY:
            return say.used_early(text, agent_text(fault.roles.at.agent))
        case Rule.FREED:
            return say.used_late(text, agent_text(fault.roles.at.agent))
        case Rule.DEAD:
            return say.uninitialized_read(text, read)


def _kind(event: MemoryEvent) -> str:
    return "discard" if event.kind is Kind.DISCARD else "invalidate"


def _other(rule: Rule, event: MemoryEvent) -> str:
    if event.kind is Kind.DROP:
        return "dropped here by"
    return f"{_kind(event)} here by" if rule is Rule.LOST else _OTHER[rule]


def _note(event: MemoryEvent, text: str) -> Note:
    """A note at an event; what the caller has done has no op of its own."""
    return Note(location_text(event.op), f"{text} ({op_name(event.op)})")


def _notes(fault: CoherenceFault) -> list[Note]:
    _at, write, read, other = fault.roles
    notes: list[Note] = []
    if write is not None and fault.rule is not Rule.DEAD:
        notes.append(_note(write, f"written here by {agent_text(write.agent)}"))
    if other is not None:
        notes.append(_note(other, f"{_other(fault.rule, other)} {agent_text(other.agent)}"))
    for missing in fault.missing:
        notes.extend(_missing_notes(fault, missing))
    if read is not None:
        notes.append(_note(read, f"read here by {agent_text(read.agent)}"))
    return notes


def _missing_notes(fault: CoherenceFault, missing: Missing) -> list[Note]:
    text = say.insert(missing.action.value, bytes_text(fault.bytes), agent_text(missing.agent))
    notes = [_note(missing.after, f"{text} after this")]
    if missing.before not in (fault.roles.at, fault.roles.read):
        notes.append(_note(missing.before, "and before this"))
    return notes
