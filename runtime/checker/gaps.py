"""What is missing where a rule fails, and between which events it belongs."""

from .context import Context, Gap
from .report import Action
from .state import NONE, ByteState, Write, in_domain


def gaps_of_order(first: int, second: int) -> tuple[Gap, ...]:
    """Order between two events that are unordered."""
    return (Gap(Action.ORDER, "", first, second),)


def gaps_to_fresh(
    context: Context, state: ByteState, write: Write, event: int
) -> tuple[tuple[Gap, ...], int]:
    """What makes `write` fresh for `event`, a read or carry, and maintenance that is too early.

    The chain is write → flush by the writer → invalidate by the reader → event: the links that
    are there are kept.
    """
    order = context.order
    writer = context.event(write.event).agent
    reader = context.event(event).agent
    drops = in_domain(state.recent_drop, context.domain[event])
    drop = drops[0] if drops and order.before(drops[0], event) else NONE
    usable = drop != NONE and order.before(write.event, drop)
    flush = context.preferred(write.flushes, event)
    if flush == NONE and write.flushes:
        flush = write.flushes[0]
    if flush == NONE:
        early = in_domain(state.recent_flush, write.domain)
        if usable:
            gaps = (Gap(Action.FLUSH, writer, write.event, drop),)
            return gaps, early[0] if early else NONE
        gaps = (
            Gap(Action.FLUSH, writer, write.event, event),
            Gap(Action.INVALIDATE, reader, write.event, event),
        )
        return gaps, early[0] if early else drop
    if usable and not order.before(drop, flush):
        return gaps_of_order(flush, drop), NONE
    invalidate = Gap(Action.INVALIDATE, reader, flush, event)
    if order.before(flush, event):
        return (invalidate,), drop
    return (*gaps_of_order(flush, event), invalidate), drop


def gaps_of_loss(context: Context, write: Write, drop: int) -> tuple[Gap, ...]:
    """What keeps the invalidate or discard `drop` from losing `write`."""
    if drop < write.event:
        return gaps_of_order(drop, write.event)
    if write.flushes:
        return gaps_of_order(write.flushes[0], drop)
    flush = Gap(Action.FLUSH, context.event(write.event).agent, write.event, drop)
    if context.order.before(write.event, drop):
        return (flush,)
    return (flush, *gaps_of_order(write.event, drop))


def gaps_of_clobber(context: Context, dirty: int, write: int) -> tuple[Gap, ...]:
    """What cleans the lines that `dirty` has left dirty before another domain's `write`."""
    return (Gap(Action.FLUSH, context.event(dirty).agent, dirty, write),)
