"""The one-line messages of reports: lower case, with agents, bytes and buffers."""

from collections.abc import Callable

from .context import Finding
from .report import Action, BufferBytes, EventRef, Rule

_SHOWN_RANGES = 4
"""Byte ranges that a message lists before it only counts."""


def agent_text(agent: str) -> str:
    """An agent as a person names it: `host`, `@npu`."""
    return agent if agent == "host" else f"@{agent}"


def bytes_text(ranges: tuple[BufferBytes, ...]) -> str:
    """`bytes [0,64) of %x and [0,4) of %y`."""
    if not ranges:
        return "no bytes"
    parts: list[str] = []
    for index, part in enumerate(ranges[:_SHOWN_RANGES]):
        last_of_buffer = index + 1 == len(ranges) or ranges[index + 1].name != part.name
        owner = f" of {part.name}" if last_of_buffer or index + 1 == _SHOWN_RANGES else ""
        parts.append(f"[{part.start},{part.end}){owner}")
    if len(ranges) > _SHOWN_RANGES:
        parts.append(f"{len(ranges) - _SHOWN_RANGES} more ranges")
    if len(parts) == 1:
        return f"bytes {parts[0]}"
    return f"bytes {', '.join(parts[:-1])} and {parts[-1]}"


def _who(event: EventRef | None) -> str:
    return "nobody" if event is None else agent_text(event.agent)


Refs = tuple[EventRef, EventRef | None, EventRef | None, EventRef | None]
"""The events at fault, write, read and other."""


def _race(_: Finding, refs: Refs, text: str) -> str:
    _at, write, read, other = refs
    if read is not None:
        return (
            f"race on {text}: the read by {_who(read)} and the write by {_who(write)} "
            "are not ordered"
        )
    return f"race on {text}: the writes by {_who(write)} and {_who(other)} are not ordered"


def _stale(finding: Finding, refs: Refs, text: str) -> str:
    _at, write, read, _other = refs
    lacking = {
        Action.FLUSH: f"a flush by {_who(write)}",
        Action.INVALIDATE: f"an invalidate by {_who(read)}",
        Action.ORDER: "order between flush and invalidate",
    }
    missing = " and ".join(lacking[gap.action] for gap in finding.gaps)
    return (
        f"stale read of {text} by {_who(read)}: it may not see the write by {_who(write)}, "
        f"for want of {missing}"
    )


def _lost(_: Finding, refs: Refs, text: str) -> str:
    _at, write, read, drop = refs
    kind = drop.kind if drop else "invalidate"
    return (
        f"{kind} by {_who(drop)} may drop {text}, written by {_who(write)} and not yet flushed, "
        f"that {_who(read)} reads"
    )


def _clobber(_: Finding, refs: Refs, text: str) -> str:
    _at, write, _read, dirty = refs
    return (
        f"{_who(write)} writes {text} while {_who(dirty)} may hold dirty lines there: "
        f"evicted later, they overwrite the value"
    )


def _false_sharing(finding: Finding, refs: Refs, text: str) -> str:
    _at, write, _read, carry = refs
    why = (
        "the two are not ordered"
        if finding.variant == "unordered"
        else "its copy of the line may be older"
    )
    return (
        f"false sharing on {text}: {_who(carry)} writes back whole lines and may store stale "
        f"bytes over the write by {_who(write)}, since {why}"
    )


def _lifetime(finding: Finding, refs: Refs, text: str) -> str:
    at, write, _read, _other = refs
    return {
        "early": f"{_who(at)} uses {text}, not ordered after their alloca",
        "late": f"{_who(at)} uses {text}, not ordered before their dealloca",
        "freed": f"{_who(at)} uses {text} after their dealloca",
        "twice": f"{text} are deallocated twice",
        "dirty": f"dealloca of {text} while {_who(write)} may hold dirty lines there: evicted "
        "later, they overwrite the next owner's data",
    }[finding.variant]


def _uninitialized(_: Finding, refs: Refs, text: str) -> str:
    return f"read of uninitialized {text} by {_who(refs[0])}"


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
