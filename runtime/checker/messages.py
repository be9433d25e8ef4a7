"""The one-line messages of reports: lower case, with agents, bytes and buffers."""

from collections.abc import Callable

from ...dialects import coherence_text as coherence
from ...dialects.coherence_text import agent_text
from .context import Finding
from .report import Action, BufferBytes, EventRef, Rule


def bytes_text(ranges: tuple[BufferBytes, ...]) -> str:
    """`bytes [0,64) of %x and [0,4) of %y`."""
    return coherence.bytes_text([(part.name, part.start, part.end) for part in ranges])


def _who(event: EventRef | None) -> str:
    return "nobody" if event is None else agent_text(event.agent)


Refs = tuple[EventRef, EventRef | None, EventRef | None, EventRef | None]
"""The events at fault, write, read and other."""


def _race(_: Finding, refs: Refs, text: str) -> str:
    _at, write, read, other = refs
    if read is not None:
        return coherence.race_with_read(text, _who(read), _who(write))
    return coherence.race_of_writes(text, _who(write), _who(other))


def _stale(finding: Finding, refs: Refs, text: str) -> str:
    _at, write, read, _other = refs
    lacking = {
        Action.FLUSH: coherence.flush_by(_who(write)),
        Action.INVALIDATE: coherence.invalidate_by(_who(read)),
        Action.ORDER: coherence.MAINTENANCE_ORDER,
    }
    missing = [lacking[gap.action] for gap in finding.gaps]
    return coherence.stale_read(text, _who(read), _who(write), missing)


def _lost(_: Finding, refs: Refs, text: str) -> str:
    _at, write, read, drop = refs
    kind = drop.kind if drop else "invalidate"
    return coherence.lost_write(text, kind, _who(drop), _who(write), _who(read))


def _clobber(_: Finding, refs: Refs, text: str) -> str:
    _at, write, _read, dirty = refs
    return coherence.clobbered_write(text, _who(write), _who(dirty))


def _false_sharing(finding: Finding, refs: Refs, text: str) -> str:
    _at, write, _read, carry = refs
    ordered = finding.variant != "unordered"
    return coherence.false_sharing(text, _who(carry), _who(write), ordered=ordered)


def _lifetime(finding: Finding, refs: Refs, text: str) -> str:
    at, write, _read, _other = refs
    return {
        "early": coherence.used_early(text, _who(at)),
        "late": coherence.used_late(text, _who(at)),
        "freed": f"{_who(at)} uses {text} after their dealloca",
        "twice": f"{text} are deallocated twice",
        "dirty": coherence.freed_dirty(text, _who(write)),
    }[finding.variant]


def _uninitialized(_: Finding, refs: Refs, text: str) -> str:
    return coherence.uninitialized_read(text, _who(refs[0]))


def _out_of_bounds(_: Finding, refs: Refs, text: str) -> str:
    return f"{_who(refs[0])} uses {text}, outside of any live buffer"


def _unreachable(finding: Finding, refs: Refs, text: str) -> str:
    return f"{_who(refs[0])} uses {text}, but cannot reach pool {finding.variant}"


def _borrowed(_: Finding, refs: Refs, text: str) -> str:
    return f"{_who(refs[0])} writes {text}, imported without ownership"


def _signal(finding: Finding, refs: Refs, _: str) -> str:
    return f"signals of {finding.variant} by {_who(refs[3])} and {_who(refs[0])} are not ordered"


_MESSAGES: dict[Rule, Callable[[Finding, Refs, str], str]] = {
    Rule.RACE: _race,
    Rule.STALE: _stale,
    Rule.LOST: _lost,
    Rule.CLOBBER: _clobber,
    Rule.FALSE_SHARING: _false_sharing,
    Rule.LIFETIME: _lifetime,
    Rule.UNINITIALIZED: _uninitialized,
    Rule.OUT_OF_BOUNDS: _out_of_bounds,
    Rule.UNREACHABLE: _unreachable,
    Rule.BORROWED: _borrowed,
    Rule.SIGNAL: _signal,
}


def message_of(
    finding: Finding,
    at: EventRef,
    write: EventRef | None,
    read: EventRef | None,
    other: EventRef | None,
    bytes_: tuple[BufferBytes, ...],
) -> str:
    """What is wrong, in one line without location."""
    return _MESSAGES[finding.rule](finding, (at, write, read, other), bytes_text(bytes_))
