"""The rules at allocas and deallocas: uses within the lifetime, nothing dirty at its end."""

from ..events import Event, Signal, Span
from .context import Context, Finding, Gap
from .report import Action, Rule
from .state import NONE, ByteState, Dirty, Write, retained, unordered


def check_alive(context: Context, state: ByteState, event: Event) -> None:
    """Report a use of the byte outside of the lifetime of a buffer."""
    order = context.order
    if state.alive:
        if not any(order.before(alloca, event.id) for alloca in state.alive):
            alloca = state.alive[-1]
            gaps = (Gap(Action.ORDER, "", alloca, event.id),)
            context.found(Finding(Rule.LIFETIME, "early", event.id, other=alloca, gaps=gaps))
    elif state.freed != NONE:
        if order.before(state.freed, event.id):
            context.found(Finding(Rule.LIFETIME, "freed", event.id, other=state.freed))
        else:
            gaps = (Gap(Action.ORDER, "", event.id, state.freed),)
            context.found(Finding(Rule.LIFETIME, "late", event.id, other=state.freed, gaps=gaps))
    else:
        context.found(Finding(Rule.OUT_OF_BOUNDS, "", event.id))


def allocate(context: Context, state: ByteState, event: Event, borrowed: bool) -> ByteState:
    """`event` makes the byte storage of a buffer.

    Storage that is alive already (one host buffer imported twice) keeps its contents.
    """
    lender = event.id if borrowed else state.borrowed
    if state.alive:
        return state._replace(alive=(*state.alive, event.id), borrowed=lender)
    order = context.order
    reads = (*state.last.readers, *state.stray_reads)
    return state._replace(
        alive=(event.id,),
        freed=NONE,
        borrowed=lender,
        writes=unordered(state.writes, event.id, order),
        last=Write(undefined=context.origin(event.id)),
        old=retained(state),
        stray_reads=unordered(reads, event.id, order),
        dirty=tuple(d for d in state.dirty if not _settled(context, d, event)),
        drops=tuple((d, unordered(e, event.id, order)) for d, e in state.drops),
        discards=unordered(state.discards, event.id, order),
        upkeep=(),
    )


def _settled(context: Context, dirty: Dirty, event: Event) -> bool:
    """Whether the lines of `dirty` are clean before the alloca `event`."""
    clean = context.preferred(dirty.cleaned_by, event.id)
    if clean == NONE:
        return False
    context.used.add(clean)
    return True


def deallocate(context: Context, state: ByteState, event: Event, alloca: int) -> ByteState:
    """`event` ends the life of the byte as storage of the buffer of `alloca`."""
    if alloca not in state.alive:
        if not state.alive and state.freed != NONE:
            context.found(Finding(Rule.LIFETIME, "twice", event.id, other=state.freed))
        return state
    alive = tuple(a for a in state.alive if a != alloca)
    if alive:
        return state._replace(alive=alive)
    order = context.order
    uses = (*state.writes, *state.last.readers, *state.stray_reads, *state.upkeep)
    for use in dict.fromkeys(unordered(uses, event.id, order)):
        gaps = (Gap(Action.ORDER, "", use, event.id),)
        context.found(Finding(Rule.LIFETIME, "late", use, other=event.id, gaps=gaps))
    return state._replace(alive=(), freed=event.id, borrowed=NONE)


def check_clean(context: Context, state: ByteState, event: Event, alloca: int) -> None:
    """Report lines that `event` frees dirty, in a pool that other domains reach."""
    order = context.order
    if state.alive != (alloca,):
        return
    for dirty in state.dirty:
        if order.before(dirty.event, alloca):
            continue
        clean = context.preferred(dirty.cleaned_by, event.id)
        if clean != NONE:
            context.used.add(clean)
        elif dirty.carry or order.before(dirty.event, event.id):
            gaps = (_cleaning(context, state, dirty, event),)
            context.found(
                Finding(Rule.LIFETIME, "dirty", event.id, dirty.event, NONE, event.id, gaps=gaps)
            )


def _cleaning(context: Context, state: ByteState, dirty: Dirty, event: Event) -> Gap:
    """What cleans `dirty` before the dealloca `event`: a discard where that loses no value.

    That is after the one last reader, if it is in the domain of the write. A flush does anywhere.
    """
    agent = context.event(dirty.event).agent
    last = state.last
    if last.event == dirty.event and last.discarded_by == ():
        if not last.readers:
            return Gap(Action.DISCARD, agent, dirty.event, event.id)
        reader = last.readers[0]
        own = context.domain[reader] == dirty.domain
        if own and len(last.readers) == 1 and context.order.before(reader, event.id):
            return Gap(Action.DISCARD, agent, reader, event.id)
    return Gap(Action.FLUSH, agent, dirty.event, event.id)


def check_signals(context: Context) -> None:
    """Report signals of one semaphore that happens-before does not order by value."""
    newest: dict[str, Signal] = {}
    by_value = sorted(context.graph.signals, key=lambda s: (s.semaphore, s.value, s.event))
    for signal in by_value:
        before = newest.get(signal.semaphore)
        newest[signal.semaphore] = signal
        if before is None or context.order.before(before.event, signal.event):
            continue
        values = f"{signal.semaphore} to {before.value} and {signal.value}"
        gaps = (Gap(Action.ORDER, "", before.event, signal.event),)
        finding = Finding(Rule.SIGNAL, values, signal.event, other=before.event, gaps=gaps)
        context.note(finding, Span(0, 0), ByteState())


def check_reach(context: Context, event: Event) -> None:
    """Report accesses to pools that the agent of `event` does not reach."""
    reach = context.machine.in_place.get(event.agent, frozenset())
    if event.transfer or event.copies:
        reach = reach | context.machine.by_copy.get(event.agent, frozenset())
    for span in (*event.reads, *event.writes):
        for pool in context.pools_of(span):
            if pool.name not in reach:
                meet = Span(max(span.start, pool.base), min(span.end, pool.base + pool.size))
                finding = Finding(Rule.UNREACHABLE, pool.name, event.id)
                for run, state in context.bytes.runs(meet):
                    context.note(finding, run, state)
