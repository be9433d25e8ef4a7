"""The rules as data: stable ids, names and one sentence each, for machine-readable output.

An id never changes its meaning; `docs/memory-model.md` states each rule in full.
"""

from typing import Literal, NamedTuple

from .report import Redundancy, RedundantOp, Rule

Level = Literal["error", "note"]


class RuleInfo(NamedTuple):
    """What a reader of machine-readable output learns of a rule."""

    id: str
    name: str
    """The id in camel case."""
    summary: str
    level: Level
    """`error` for faults, `note` for redundant maintenance."""


_FAULTS: dict[Rule, str] = {
    Rule.RACE: "Two accesses of a byte, one of them a write, are not ordered.",
    Rule.STALE: "A read may not see the last write: no flush and invalidate lie between them.",
    Rule.LOST: "An invalidate or discard may drop a value that is still wanted and not flushed.",
    Rule.CLOBBER: "An older dirty line of another cache may be evicted over a newer value.",
    Rule.FALSE_SHARING: "A line that is written back whole may store stale bytes beside its own.",
    Rule.LIFETIME: "Storage is used outside of its lifetime, or freed with dirty lines.",
    Rule.UNINITIALIZED: "Bytes are read that nothing has written.",
    Rule.OUT_OF_BOUNDS: "Bytes are used that belong to no live buffer.",
    Rule.UNREACHABLE: "An agent uses memory that it cannot reach.",
    Rule.BORROWED: "An import that its owner did not give away is written.",
    Rule.SIGNAL: "Signals of one semaphore are not ordered by their values.",
    Rule.DEADLOCK: "A wait can never end.",
}

_REDUNDANT: dict[Redundancy, str] = {
    Redundancy.NEVER_DIRTY: "Nothing before a maintenance operation needs it.",
    Redundancy.ALREADY_CLEAN: "Earlier maintenance has done all that an operation does.",
    Redundancy.NO_LATER_READER: "Nothing after a maintenance operation relies on it.",
    Redundancy.COHERENT_MEMORY: "All agents that reach the memory are coherent.",
}


def _camel(id: str) -> str:
    return "".join(part.capitalize() for part in id.split("-"))


RULES: tuple[RuleInfo, ...] = (
    *(RuleInfo(rule.value, _camel(rule.value), _FAULTS[rule], "error") for rule in Rule),
    *(
        RuleInfo(
            RedundantOp.id_of(reason), _camel(RedundantOp.id_of(reason)), _REDUNDANT[reason], "note"
        )
        for reason in Redundancy
    ),
)
