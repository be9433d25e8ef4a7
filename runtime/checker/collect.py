"""From findings to reports: merged, without followers of races, with names in place of ids."""

from collections import defaultdict
from collections.abc import Iterable

from ..events import BufferRange, Event, EventKind, Span
from .causes import without_followers
from .context import Context, Finding, Gap, Place
from .messages import message_of
from .report import Action, BufferBytes, EventRef, Missing, Redundancy, RedundantOp, Report, Rule
from .state import NONE, Origin, lines, merged, without

_FOLLOWS_FROM_RACES = frozenset(
    (Rule.STALE, Rule.LOST, Rule.CLOBBER, Rule.FALSE_SHARING, Rule.UNINITIALIZED)
)
"""Rules that presuppose order: of bytes where an event races, the race alone is reported."""


_MAINTENANCE = (EventKind.FLUSH, EventKind.INVALIDATE, EventKind.DISCARD)


class _Names:
    """Which buffer bytes belong to, by the event that began or ended its life."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._by_event: defaultdict[int, list[BufferRange]] = defaultdict(list)
        for buffer in sorted(
            context.graph.buffers, key=lambda b: (b.span.end - b.span.start, b.span, b.name)
        ):
            for event in buffer.events:
                if event is not None:
                    self._by_event[event].append(buffer)

    def bytes_of(self, places: Iterable[Place]) -> tuple[BufferBytes, ...]:
        """The bytes by the narrowest buffers that hold them, else by pool, in address order."""
        by_owner: defaultdict[int, list[Span]] = defaultdict(list)
        for place in places:
            by_owner[place.owner].append(place.span)
        named: list[tuple[int, BufferBytes]] = []
        for owner, spans in by_owner.items():
            rest = merged(spans)
            for buffer in self._by_event.get(owner, ()):
                outside = without(rest, (buffer.span,))
                named.extend(
                    _relative(span, buffer.name, buffer.span.start)
                    for span in without(rest, outside)
                )
                rest = outside
            named.extend(self._of_pool(span) for span in rest)
        return tuple(bytes_ for _, bytes_ in sorted(named, key=lambda pair: pair[0]))

    def _of_pool(self, span: Span) -> tuple[int, BufferBytes]:
        pools = self._context.pools_of(span)
        if not pools:
            return _relative(span, "memory", 0)
        return _relative(span, f"pool {pools[0].name}", pools[0].base)


def _relative(span: Span, name: str, base: int) -> tuple[int, BufferBytes]:
    return span.start, BufferBytes(name, span.start - base, span.end - base)


def _raced(context: Context) -> dict[int, list[Span]]:
    """The bytes of each event that race."""
    result: defaultdict[int, list[Span]] = defaultdict(list)
    for finding, places in context.findings.values():
        if finding.rule is Rule.RACE:
            for event in {finding.at, finding.write, finding.read, finding.other} - {NONE}:
                result[event].extend(place.span for place in places)
    return {event: list(merged(spans)) for event, spans in result.items()}


def _without_races(
    finding: Finding, places: list[Place], raced: dict[int, list[Span]]
) -> list[Place]:
    """The places where none of the finding's events races."""
    if finding.rule not in _FOLLOWS_FROM_RACES or not raced:
        return places
    events = (finding.at, finding.write, finding.read, finding.other)
    holes = merged(span for event in events for span in raced.get(event, ()))
    if not holes:
        return places
    return [Place(span, place.owner) for place in places for span in without((place.span,), holes)]


def _before_alloca(context: Context, finding: Finding, places: list[Place]) -> Finding:
    """A use of bytes of no live buffer may precede an alloca that it ought to follow."""
    if finding.rule is not Rule.OUT_OF_BOUNDS:
        return finding
    for buffer in context.graph.buffers:
        alloca = buffer.events[0]
        if alloca > finding.at and all(not without((p.span,), (buffer.span,)) for p in places):
            gaps = (Gap(Action.ORDER, "", alloca, finding.at),)
            return Finding(Rule.LIFETIME, "early", finding.at, other=alloca, gaps=gaps)
    return finding


class _Reporter:
    """Makes reports of findings."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._names = _Names(context)

    def report(self, finding: Finding, places: list[Place]) -> Report:
        """The report of one finding at `places`."""
        spans = merged(place.span for place in places)
        bytes_ = self._names.bytes_of(places)
        at = EventRef.of(self._context.event(finding.at))
        write = self._ref(finding.write)
        read = self._ref(finding.read)
        other = self._ref(finding.other)
        origin = self._origin(finding.origin)
        return Report(
            finding.rule,
            message_of(finding, at, write, read, other, bytes_),
            at,
            spans,
            bytes_,
            write,
            read,
            other,
            self._ref(finding.misplaced),
            tuple(self._missing(gap, spans) for gap in finding.gaps),
            origin,
            self._common(finding),
        )

    def redundant(self, event: int, reason: Redundancy) -> RedundantOp:
        """The finding that a maintenance event can go."""
        ref = self._context.event(event)
        places = [
            Place(run, state.alive[-1] if state.alive else state.freed)
            for span in ref.target
            for run, state in self._context.bytes.runs(span)
        ]
        return RedundantOp(
            EventRef.of(ref), reason, merged(ref.target), self._names.bytes_of(places)
        )

    def _ref(self, event: int) -> EventRef | None:
        return None if event == NONE else EventRef.of(self._context.event(event))

    def _origin(self, origin: Origin | None) -> tuple[EventRef, ...]:
        refs: list[EventRef] = []
        while origin is not None:
            refs.append(EventRef.of(self._context.event(origin.event)))
            origin = origin.source
        return tuple(reversed(refs))

    def _missing(self, gap: Gap, spans: tuple[Span, ...]) -> Missing:
        covered = () if gap.action is Action.ORDER else spans
        action = gap.action
        if action is Action.DISCARD:
            domain = self._context.domain[gap.after]
            size = self._context.machine.domains[domain].cache_line
            if lines(spans, size) != spans:
                action = Action.FLUSH  # a discard would take neighbours' bytes along
        return Missing(action, gap.agent, covered, self._ref(gap.after), self._ref(gap.before))

    def _common(self, finding: Finding) -> EventRef | None:
        for gap in finding.gaps:
            if gap.action is Action.ORDER:
                return self._ref(self._context.order.common(gap.after, gap.before))
        return None


def collect_reports(context: Context) -> tuple[Report, ...]:
    """The reports of all findings, in the order of the events at fault."""
    raced = _raced(context)
    reporter = _Reporter(context)
    found: dict[tuple[object, ...], tuple[Finding, list[Place]]] = {}
    for finding, all_places in context.findings.values():
        places = _without_races(finding, all_places, raced)
        if places:
            settled = _before_alloca(context, finding, places)
            found.setdefault(settled.cause(), (settled, []))[1].extend(places)
    rules = list(Rule)
    causes = without_followers(context, list(found.values()))
    reports = [reporter.report(finding, places) for finding, places in causes]
    return tuple(sorted(reports, key=lambda r: (r.at.id, rules.index(r.rule), r.spans)))


def collect_redundant(context: Context, reports: tuple[Report, ...]) -> tuple[RedundantOp, ...]:
    """The maintenance that no rule relies on, each with the reason, in event order.

    Not at lines with a fault: what the program needs there is not yet known. Nor what the host
    boundary does by itself and the runtime skips: there is nothing to take out.
    """
    reporter = _Reporter(context)
    faulty = merged(span for report in reports for span in report.spans)
    result: list[RedundantOp] = []
    for event in context.graph.events:
        by_itself = event.skipped and not event.location
        if event.kind in _MAINTENANCE and not by_itself:
            reason = _redundancy(context, event, faulty)
            if reason is not None:
                result.append(reporter.redundant(event.id, reason))
    return tuple(result)


def _redundancy(context: Context, event: Event, faulty: tuple[Span, ...]) -> Redundancy | None:
    """Why the maintenance `event` can go, or None."""
    if not context.shared(event.target):
        return Redundancy.COHERENT_MEMORY
    size = context.machine.domains[context.domain[event.id]].cache_line
    covered = lines(event.target, size)
    if event.id in context.used or without(covered, faulty) != covered:
        return None
    if event.id not in context.acts:
        return Redundancy.NEVER_DIRTY
    if event.id not in context.useful:
        return Redundancy.ALREADY_CLEAN
    return Redundancy.NO_LATER_READER
