"""`check`: one pass over an event graph that judges all of its executions."""

from collections import defaultdict

from ..events import Event, EventGraph, EventKind, Span
from ..machine import Machine, WriteBack
from .access import carry, read, undefined_contents, write
from .collect import collect_redundant, collect_reports
from .context import Context
from .deadlock import deadlock_reports
from .lifetime import allocate, check_clean, check_reach, check_signals, deallocate
from .report import CheckResult
from .state import ByteState, Origin, lines, merged, without
from .upkeep import drop, flush, name


def check(graph: EventGraph, machine: Machine) -> CheckResult:
    """Judge `graph` on `machine` by the rules of `docs/memory-model.md`.

    No report means that every execution, over all schedules that happens-before allows and all
    evictions and prefetches, reads every value right. Costs per event are logarithmic in the
    number of distinct ranges and do not depend on their bytes. Of a run that stopped in a deadlock
    nothing is called redundant: what would have followed is not known. Raises ValueError for an
    event of an unknown agent and for ids that are not 0, 1, … in a linear extension.
    """
    context = Context(graph, machine)
    allocas = {
        dealloca: alloca
        for alloca, dealloca in (buffer.events for buffer in graph.buffers)
        if dealloca is not None
    }
    for event in graph.events:
        if event.kind is EventKind.ACCESS:
            _access(context, event)
        elif event.kind is EventKind.ALLOCA:
            _allocate(context, event)
        elif event.kind is EventKind.DEALLOCA:
            _deallocate(context, event, allocas)
        elif event.kind is not EventKind.SYNC:
            _maintain(context, event)
    check_signals(context)
    reports = collect_reports(context)
    redundant = () if graph.stuck else collect_redundant(context, reports)
    return CheckResult(reports + deadlock_reports(graph), redundant)


def _access(context: Context, event: Event) -> None:
    """A command or host access: reads, then writes, then the rest of the lines it dirties."""
    check_reach(context, event)
    copying = bool(event.copies)
    context.apply(event.reads, lambda state: read(context, state, event, copying))
    if not event.writes:
        return
    undefined = _undefined_targets(context, event)
    holes = merged(span for spans in undefined.values() for span in spans)
    defined = without(merged(event.writes), holes)
    context.apply(defined, lambda state: write(context, state, event, None))
    for origin, spans in undefined.items():
        _write_undefined(context, event, origin, spans)
    domain = context.machine.domains[context.domain[event.id]]
    touched = lines(event.writes, domain.cache_line)
    if domain.write_back is WriteBack.LINE:
        carried = without(touched, merged(event.writes))
        context.apply(carried, lambda state: carry(context, state, event))
    if event.flushed:
        context.apply(touched, lambda state: flush(context, state, event))


def _write_undefined(context: Context, event: Event, origin: Origin, spans: list[Span]) -> None:
    copied = context.origin(event.id, origin)
    context.apply(merged(spans), lambda state: write(context, state, event, copied))


def _undefined_targets(context: Context, event: Event) -> dict[Origin, list[Span]]:
    """The bytes that a copy fills with undefined contents, by the origin of these."""
    result: defaultdict[Origin, list[Span]] = defaultdict(list)
    for source, target in event.copies:
        shift = target.start - source.start
        for run, state in context.bytes.runs(source):
            origin = undefined_contents(context, state)
            if origin is not None:
                result[origin].append(Span(run.start + shift, run.end + shift))
    return result


def _allocate(context: Context, event: Event) -> None:
    borrowed = merged(event.borrowed)
    own = without(merged(event.writes), borrowed)
    context.apply(own, lambda state: allocate(context, state, event, borrowed=False))
    context.apply(borrowed, lambda state: allocate(context, state, event, borrowed=True))


def _deallocate(context: Context, event: Event, allocas: dict[int, int]) -> None:
    """End the life of the buffer; without a record of it, of whatever lives at its bytes."""
    alloca = allocas.get(event.id)
    if alloca is None:
        first = next((s for span in event.writes for _, s in context.bytes.runs(span)), None)
        alloca = first.alive[-1] if first is not None and first.alive else -1
    begin = alloca
    if context.shared(event.writes):

        def clean(state: ByteState) -> ByteState:
            check_clean(context, state, event, begin)
            return state

        context.apply(event.writes, clean)
    context.apply(event.writes, lambda state: deallocate(context, state, event, begin))


def _maintain(context: Context, event: Event) -> None:
    """A flush, invalidate or discard: on whole lines, its name on the bytes it names.

    One that the runtime skips is a use of the bytes it names and no more.
    """
    size = context.machine.domains[context.domain[event.id]].cache_line
    effect = flush if event.kind is EventKind.FLUSH else drop
    if not event.skipped:
        touched = lines(event.target, size)
        context.apply(touched, lambda state: effect(context, state, event))
    context.apply(merged(event.target), lambda state: name(context, state, event))
