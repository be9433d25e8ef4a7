"""How faults of shared memory are told: in one line, with agents, bytes and what is missing.

The checker of runs and the verifier of programs say the same of the same fault.
"""

from collections.abc import Iterable, Sequence

_SHOWN_RANGES = 4
"""Byte ranges that a message lists before it only counts."""

BytesOf = tuple[str, int, int | None]
"""The bytes [start, end) of a buffer: (its name, start, end); None for an end not known."""


def agent_text(agent: str) -> str:
    """An agent as a person names it: `host`, `@npu`."""
    return agent if agent == "host" else f"@{agent}"


def bytes_text(ranges: Sequence[BytesOf]) -> str:
    """`bytes [0,64) of %x and [0,4) of %y`."""
    if not ranges:
        return "no bytes"
    parts: list[str] = []
    for index, (name, start, end) in enumerate(ranges[:_SHOWN_RANGES]):
        last_of_buffer = index + 1 == len(ranges) or ranges[index + 1][0] != name
        owner = f" of {name}" if last_of_buffer or index + 1 == _SHOWN_RANGES else ""
        parts.append(f"[{start},{'end' if end is None else end}){owner}")
    if len(ranges) > _SHOWN_RANGES:
        parts.append(f"{len(ranges) - _SHOWN_RANGES} more ranges")
    if len(parts) == 1:
        return f"bytes {parts[0]}"
    return f"bytes {', '.join(parts[:-1])} and {parts[-1]}"


def race_with_read(text: str, reader: str, writer: str) -> str:
    """Neither of a read and a write is before the other."""
    return f"race on {text}: the read by {reader} and the write by {writer} are not ordered"


def race_of_writes(text: str, first: str, second: str) -> str:
    """Neither of two writes is before the other."""
    return f"race on {text}: the writes by {first} and {second} are not ordered"


def flush_by(writer: str) -> str:
    """What a stale read may be for want of."""
    return f"a flush by {writer}"


def invalidate_by(reader: str) -> str:
    """What a stale read may be for want of."""
    return f"an invalidate by {reader}"


MAINTENANCE_ORDER = "order between flush and invalidate"


def stale_read(text: str, reader: str, writer: str, missing: Iterable[str]) -> str:
    """A read that some of `missing` would make fresh."""
    return (
        f"stale read of {text} by {reader}: it may not see the write by {writer}, "
        f"for want of {' and '.join(missing)}"
    )


def lost_write(text: str, kind: str, dropper: str, writer: str, reader: str) -> str:
    """An invalidate or discard (`kind`) of bytes that are dirty and wanted."""
    return (
        f"{kind} by {dropper} may drop {text}, written by {writer} and not yet flushed, "
        f"that {reader} reads"
    )


def clobbered_write(text: str, writer: str, dirty: str) -> str:
    """A write over bytes that another cache holds dirty."""
    return (
        f"{writer} writes {text} while {dirty} may hold dirty lines there: "
        f"evicted later, they overwrite the value"
    )


def false_sharing(text: str, carrier: str, writer: str, *, ordered: bool) -> str:
    """A write-back of whole lines that takes the neighbours along."""
    why = "its copy of the line may be older" if ordered else "the two are not ordered"
    return (
        f"false sharing on {text}: {carrier} writes back whole lines and may store stale "
        f"bytes over the write by {writer}, since {why}"
    )


def used_early(text: str, agent: str) -> str:
    """A use that does not wait for the buffer's life to begin."""
    return f"{agent} uses {text}, not ordered after their alloca"


def used_late(text: str, agent: str) -> str:
    """A use that the end of a buffer's life does not wait for."""
    return f"{agent} uses {text}, not ordered before their dealloca"


def freed_dirty(text: str, writer: str) -> str:
    """Storage is given back with lines of it dirty."""
    return (
        f"dealloca of {text} while {writer} may hold dirty lines there: evicted "
        "later, they overwrite the next owner's data"
    )


def insert(action: str, text: str, agent: str) -> str:
    """What to insert: an operation on some bytes by an agent, or for "order" a wait."""
    if action == "order":
        return "insert an execution barrier, fence wait or await"
    article = "an" if action == "invalidate" else "a"
    return f"insert {article} {action} of {text} by {agent}"


def uninitialized_read(text: str, reader: str) -> str:
    """A read of bytes that nobody has written, or that were discarded."""
    return f"read of uninitialized {text} by {reader}"
