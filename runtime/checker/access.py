"""The rules at reads, writes and carried bytes: race, stale, and what a first reader reveals."""

from ..events import Event
from .context import Context, Finding
from .gaps import gaps_of_clobber, gaps_of_loss, gaps_of_order, gaps_to_fresh
from .lifetime import check_alive
from .report import Rule
from .state import (
    NONE,
    ByteState,
    Dirty,
    Origin,
    PerDomain,
    Served,
    Write,
    in_domain,
    retained,
    unordered,
    with_domain,
    with_earliest,
    with_latest,
)


def read(context: Context, state: ByteState, event: Event, copying: bool) -> ByteState:
    """`event` reads the byte; a copy (`copying`) may read undefined contents."""
    check_alive(context, state, event)
    racing = unordered(state.writes, event.id, context.order)
    for write in racing:
        gaps = gaps_of_order(write, event.id)
        context.found(Finding(Rule.RACE, "", event.id, write=write, read=event.id, gaps=gaps))
    if racing:
        reads = with_latest(state.stray_reads, event.id, context.order)
        return state._replace(stray_reads=reads)
    last = state.last
    origin = undefined_contents(context, state)
    if origin is not None and not copying:
        context.found(
            Finding(Rule.UNINITIALIZED, "", event.id, NONE, event.id, origin.event, origin=origin)
        )
    if last.event != NONE and last.undefined is None and len(state.writes) == 1:
        last = _read_value(context, state, event)
    return state._replace(
        last=last._replace(readers=with_latest(last.readers, event.id, context.order))
    )


def undefined_contents(context: Context, state: ByteState) -> Origin | None:
    """Why a read of the byte now would read undefined contents, or None."""
    last = state.last
    if last.undefined is None and last.discarded_by:
        return context.origin(last.discarded_by[0])
    return last.undefined


def fresh_by(context: Context, write: Write, event: int) -> Served | None:
    """The flush and invalidate that make the write of another domain fresh for `event`."""
    domain = context.domain[event]
    for served in reversed(write.served):  # the newest is the likeliest
        if served.domain == domain and context.order.before(served.invalidate, event):
            return served
    return None


def _read_value(context: Context, state: ByteState, event: Event) -> Write:
    """The last write is read: judge freshness and whatever else threatens its value."""
    write = state.last
    if write.domain != context.domain[event.id]:
        served = fresh_by(context, write, event.id)
        if served is not None:
            context.used.update((served.flush, served.invalidate))
        else:
            gaps, early = gaps_to_fresh(context, state, write, event.id)
            context.found(
                Finding(Rule.STALE, "", event.id, write.event, event.id, NONE, early, gaps)
            )
    context.used.update(write.relies_on)
    for drop in write.lost_to:
        lost(context, write, drop, event.id)
    for dirty in write.clobbered_by:
        gaps = gaps_of_clobber(context, dirty, write.event)
        context.found(
            Finding(Rule.CLOBBER, "", write.event, write.event, event.id, dirty, gaps=gaps)
        )
    for carry in write.racing_carries:
        carry_races(context, write, carry, event.id)
    for carry in write.stale_carries:
        if carry != event.id:
            stale_carry(context, state, write, carry, event.id)
    return write._replace(
        lost_to=(),
        clobbered_by=(),
        racing_carries=(),
        stale_carries=tuple(c for c in write.stale_carries if c == event.id),
        relies_on=(),
    )


def lost(context: Context, write: Write, drop: int, reader: int) -> None:
    """Report that `drop` may lose the write that `reader` wants."""
    gaps = gaps_of_loss(context, write, drop)
    context.found(Finding(Rule.LOST, "", drop, write.event, reader, drop, gaps=gaps))


def carry_races(context: Context, write: Write, carry: int, reader: int) -> None:
    """Report a carry that is not ordered with the write that `reader` wants."""
    gaps = gaps_of_order(min(carry, write.event), max(carry, write.event))
    finding = Finding(Rule.FALSE_SHARING, "unordered", carry, write.event, reader, carry, gaps=gaps)
    context.found(finding)


def stale_carry(context: Context, state: ByteState, write: Write, carry: int, reader: int) -> None:
    """Report a carry that may store an older value over the write that `reader` wants."""
    gaps, early = gaps_to_fresh(context, state, write, carry)
    finding = Finding(Rule.FALSE_SHARING, "stale", carry, write.event, reader, carry, early, gaps)
    context.found(finding)


def _check_races(context: Context, state: ByteState, event: Event) -> None:
    """Accesses that the write `event` is not ordered after."""
    for write in unordered(state.writes, event.id, context.order):
        gaps = gaps_of_order(write, event.id)
        context.found(Finding(Rule.RACE, "", event.id, write, NONE, event.id, gaps=gaps))
    for reader in (*state.last.readers, *state.stray_reads):
        if reader != event.id and not context.order.before(reader, event.id):
            gaps = gaps_of_order(reader, event.id)
            context.found(Finding(Rule.RACE, "", event.id, event.id, reader, gaps=gaps))


def _new_write(context: Context, state: ByteState, event: Event, undefined: Origin | None) -> Write:
    """The write with the faults that wait for a reader of it."""
    domain = context.domain[event.id]
    order = context.order
    clobbered: list[int] = []
    racing: list[int] = []
    relies_on: list[int] = []
    for dirty in state.dirty:
        if dirty.domain == domain:
            continue
        if order.before(dirty.event, event.id):
            clean = context.preferred(dirty.cleaned_by, event.id)
            if clean == NONE:
                clobbered.append(dirty.event)
            else:
                relies_on.append(clean)
        elif dirty.carry:
            racing.append(dirty.event)
    return Write(
        event.id,
        domain,
        undefined,
        flushes=(event.id,) if event.flushed else (),
        lost_to=unordered(in_domain(state.drops, domain), event.id, order),
        clobbered_by=tuple(clobbered),
        racing_carries=tuple(racing),
        discarded_by=unordered(state.discards, event.id, order),
        relies_on=tuple(relies_on),
    )


def write(context: Context, state: ByteState, event: Event, undefined: Origin | None) -> ByteState:
    """`event` writes the byte: defined contents, or what a copy copied of undefined ones."""
    check_alive(context, state, event)
    if state.borrowed != NONE and not _fills(context, state, event):
        context.found(Finding(Rule.BORROWED, "", event.id, write=event.id, other=state.borrowed))
    _check_races(context, state, event)
    order = context.order
    domain = context.domain[event.id]
    return state._replace(
        writes=(*unordered(state.writes, event.id, order), event.id),
        last=_new_write(context, state, event, undefined),
        old=retained(state),
        stray_reads=unordered(state.stray_reads, event.id, order),
        dirty=_with_dirty(context, state, event, carried=False),
        drops=tuple((d, unordered(e, event.id, order)) for d, e in state.drops),
        discards=unordered(state.discards, event.id, order),
        stored=_with_stored(context, state, domain, event.id),
    )


def _fills(context: Context, state: ByteState, event: Event) -> bool:
    """Whether the caller gives the borrowed import its contents, before anybody uses it."""
    undefined = state.last.undefined
    return (
        undefined is not None
        and undefined.event == state.borrowed
        and event.agent == context.event(state.borrowed).agent
    )


def _with_stored(context: Context, state: ByteState, domain: int, event: int) -> PerDomain:
    """`stored` with the write or carry `event`."""
    earliest = with_earliest(in_domain(state.stored, domain), event, context.order)
    return with_domain(state.stored, domain, earliest)


def _with_dirty(
    context: Context, state: ByteState, event: Event, carried: bool
) -> tuple[Dirty, ...]:
    """`dirty` with `event`, which stands for the domain's writes and carries before it."""
    domain = context.domain[event.id]
    before = context.order.before
    kept = [d for d in state.dirty if d.domain != domain or not before(d.event, event.id)]
    return (*kept, Dirty(domain, event.id, carried, (event.id,) if event.flushed else ()))


def carry(context: Context, state: ByteState, event: Event) -> ByteState:
    """`event` dirties the line of the byte without writing the byte (line write-back)."""
    writes = [
        _carried(context, state, write, event, current=index == 0)
        for index, write in enumerate((state.last, *state.old))
    ]
    if state.freed != NONE and not state.alive and not context.order.before(state.freed, event.id):
        context.found(Finding(Rule.LIFETIME, "dirty", state.freed, event.id, NONE, state.freed))
    return state._replace(
        last=writes[0],
        old=tuple(writes[1:]),
        dirty=_with_dirty(context, state, event, carried=True),
        stored=_with_stored(context, state, context.domain[event.id], event.id),
    )


def _carried(
    context: Context, state: ByteState, write: Write, event: Event, current: bool
) -> Write:
    """The false-sharing rule for one write of the byte and the carry `event`."""
    if write.event == NONE or write.undefined is not None:
        return write
    if write.domain == context.domain[event.id]:
        return write
    order = context.order
    if not order.before(write.event, event.id):
        if write.readers:
            carry_races(context, write, event.id, write.readers[0])
        elif current:
            return write._replace(racing_carries=(*write.racing_carries, event.id))
        return write
    reader = next(
        (r for r in write.readers if r != event.id and not order.before(r, event.id)), NONE
    )
    served = fresh_by(context, write, event.id)
    if served is not None:
        if reader != NONE:
            context.used.update((served.flush, served.invalidate))
        elif current:
            relied = (*write.relies_on, served.flush, served.invalidate)
            return write._replace(relies_on=relied)
    elif reader != NONE:
        stale_carry(context, state, write, event.id, reader)
    elif current:
        carries = with_earliest(write.stale_carries, event.id, order)
        return write._replace(stale_carries=carries)
    return write
