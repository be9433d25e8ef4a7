"""The rules at flushes, invalidates and discards: lost, and what makes a write fresh."""

from ..events import Event, EventKind
from .access import lost
from .antichain import with_entry
from .context import Context, Finding
from .lifetime import check_alive
from .report import Rule
from .state import (
    EXACT,
    NONE,
    ByteState,
    Dirty,
    Served,
    Write,
    first_before,
    grown,
    in_domain,
    with_domain,
    with_earliest,
    with_latest,
)


def flush(context: Context, state: ByteState, event: Event) -> ByteState:
    """`event` flushes the line of the byte."""
    domain = context.domain[event.id]
    if first_before(in_domain(state.stored, domain), event.id, context.order) != NONE:
        context.acts.add(event.id)
    seen = with_earliest(in_domain(state.flushed, domain), event.id, context.order)
    return state._replace(
        last=_flushed(context, state.last, event),
        old=tuple(_flushed(context, write, event) for write in state.old),
        dirty=_cleaned(context, state, event),
        recent_flush=with_domain(state.recent_flush, domain, (event.id,)),
        flushed=with_domain(state.flushed, domain, seen),
    )


def _flushed(context: Context, write: Write, event: Event) -> Write:
    """`write` after the flush `event`."""
    if write.event == NONE or write.domain != context.domain[event.id]:
        return write
    if not context.order.before(write.event, event.id):
        return write
    flushes = with_earliest(write.flushes, event.id, context.order)
    if flushes is write.flushes:
        return write
    context.useful.add(event.id)
    return write._replace(flushes=flushes)


def _cleaned(context: Context, state: ByteState, event: Event) -> tuple[Dirty, ...]:
    """`dirty` after any maintenance `event`."""
    domain = context.domain[event.id]
    result = list(state.dirty)
    for index, dirty in enumerate(result):
        if dirty.domain == domain and context.order.before(dirty.event, event.id):
            cleaned = with_earliest(dirty.cleaned_by, event.id, context.order)
            if cleaned is not dirty.cleaned_by:
                context.useful.add(event.id)
                result[index] = dirty._replace(cleaned_by=cleaned)
    return tuple(result)


def drop(context: Context, state: ByteState, event: Event) -> ByteState:
    """`event` invalidates or discards the line of the byte."""
    domain = context.domain[event.id]
    order = context.order
    acts = first_before(in_domain(state.stored, domain), event.id, order) != NONE or any(
        key != domain and first_before(flushes, event.id, order) != NONE
        for key, flushes in state.flushed
    )
    if acts:
        context.acts.add(event.id)
    latest = with_latest(in_domain(state.drops, domain), event.id, order)
    return state._replace(
        last=_dropped(context, state.last, event, current=True),
        old=tuple(_dropped(context, write, event, current=False) for write in state.old),
        dirty=_cleaned(context, state, event),
        drops=with_domain(state.drops, domain, latest),
        recent_drop=with_domain(state.recent_drop, domain, (event.id,)),
    )


def _dropped(context: Context, write: Write, event: Event, current: bool) -> Write:
    """`write` after the invalidate or discard `event`."""
    if write.event == NONE or write.undefined is not None:
        return write
    order = context.order
    clean = context.preferred(write.flushes, event.id)
    if write.domain != context.domain[event.id]:
        return _served(context, write, event, clean)
    reader = next((r for r in write.readers if not order.before(r, event.id)), NONE)
    if clean != NONE:
        if reader != NONE:
            context.used.add(clean)
        elif current:
            return write._replace(relies_on=(*write.relies_on, clean))
    elif reader != NONE:
        lost(context, write, event.id, reader)
    elif current:
        return write._replace(lost_to=with_earliest(write.lost_to, event.id, order))
    return write


def _served(context: Context, write: Write, event: Event, clean: int) -> Write:
    """The write of another domain, after the invalidate `event` and perhaps a flush before it."""
    if clean == NONE:
        return write
    domain = context.domain[event.id]
    if any(
        served.domain == domain and context.order.before(served.invalidate, event.id)
        for served in write.served[-EXACT:]
    ):
        return write
    context.useful.add(event.id)
    served = with_entry(write.served, Served(domain, clean, event.id))
    if grown(served):
        chain = context.order.chain
        served = tuple({(s.domain, chain[s.invalidate]): s for s in reversed(served)}.values())
    return write._replace(served=served)


def name(context: Context, state: ByteState, event: Event) -> ByteState:
    """The maintenance `event` names the byte: a use of the buffer, and for a discard its end."""
    check_alive(context, state, event)
    upkeep = with_latest(state.upkeep, event.id, context.order)
    if event.kind is not EventKind.DISCARD:
        return state._replace(upkeep=upkeep)
    last = state.last
    if last.event != NONE and last.undefined is None:
        reader = next(
            (r for r in last.readers if not context.order.before(r, event.id)),
            NONE,
        )
        if reader != NONE:
            origin = context.origin(event.id)
            context.found(
                Finding(Rule.UNINITIALIZED, "", reader, NONE, reader, event.id, origin=origin)
            )
        last = last._replace(discarded_by=with_earliest(last.discarded_by, event.id, context.order))
    discards = with_latest(state.discards, event.id, context.order)
    return state._replace(last=last, upkeep=upkeep, discards=discards)
