"""One report for one cause: findings that go away with what another one asks for are dropped.

A missing flush makes every later reader stale, and the end of the buffer's life dirty: the first
of these findings tells it all. So does the closest of several unordered pairs.
"""

from .context import Context, Finding, Gap, Place
from .intervals import IntervalMap
from .report import Action, Rule

_OF_VALUES = frozenset((Rule.STALE, Rule.LOST, Rule.FALSE_SHARING))
_OF_LEFTOVERS = frozenset((Rule.CLOBBER, Rule.LIFETIME))

_COMPARED = 64
"""Findings of a byte that another one is compared with: a bound on the cost of bad programs."""

Found = tuple[Finding, list[Place]]


def without_followers(context: Context, found: list[Found]) -> list[Found]:
    """`found` without the bytes of findings that another one at the same bytes implies."""
    bytes_: IntervalMap[tuple[int, ...]] = IntervalMap(())
    result: list[Found] = []
    for finding, places in sorted(found, key=_strongest_first):
        if not finding.gaps or finding.rule is Rule.SIGNAL:
            result.append((finding, places))
            continue
        index = len(result)
        kept = [
            Place(run, place.owner)
            for place in places
            for run, others in bytes_.runs(place.span)
            if not any(_implies(context, result[o][0], finding) for o in others[-_COMPARED:])
        ]
        if kept:
            result.append((finding, kept))
            for place in kept:
                bytes_.update(place.span, lambda _run, others, mine=index: (*others, mine))
    return result


def _strongest_first(entry: Found) -> tuple[bool, int, int]:
    """What implies another comes before it: the earlier `before` and the later `after`."""
    finding = entry[0]
    if not finding.gaps:
        return False, finding.at, 0
    before = min(gap.before for gap in finding.gaps)
    after = max(gap.after for gap in finding.gaps)
    return finding.rule in _OF_LEFTOVERS, before, -after


def _implies(context: Context, one: Finding, other: Finding) -> bool:
    """Whether inserting all that `one` misses repairs `other`."""
    leftovers = other.rule in _OF_LEFTOVERS
    if one.rule is not other.rule and not (leftovers and one.rule in _OF_VALUES | _OF_LEFTOVERS):
        return False
    needs = [_cleaning(other, gap) for gap in other.gaps] if leftovers else other.gaps
    offers = [_cleaning(one, gap) for gap in one.gaps] if leftovers else one.gaps
    return all(any(_serves(context, mine, gap) for mine in offers) for gap in needs)


def _cleaning(finding: Finding, gap: Gap) -> Gap:
    """Any maintenance after the write cleans its lines: a discard, if that loses no value."""
    if gap.action is not Action.DISCARD:
        return gap
    return gap._replace(action=Action.FLUSH, after=finding.write)


def _serves(context: Context, mine: Gap, gap: Gap) -> bool:
    """Whether an operation inserted for `mine` fills `gap` too."""
    before = context.order.before
    if mine.action is not gap.action:
        return False
    if context.domain_of(mine.agent) != context.domain_of(gap.agent):
        return False
    return (mine.after == gap.after or before(gap.after, mine.after)) and (
        mine.before == gap.before or before(mine.before, gap.before)
    )
