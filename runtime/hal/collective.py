"""The command of a collective, as the only participant of its group executes it."""

from typing import TYPE_CHECKING

from ..errors import invalid_argument, unimplemented
from ..events import EventKind
from .commands import Execution, RecordedCommand, overlap
from .flags import ExecutionStage
from .recorder import Footprint, Source, span_of
from .refs import Ref, Table, direct

if TYPE_CHECKING:
    from .command_buffer import CommandBuffer

_RANK_BITS = 16
"""Of the two ranks in the parameter of a send with a receive."""


class Collective(RecordedCommand):
    """Receives what is sent: whatever is gathered, scattered or reduced, there is one part."""

    __slots__ = ("_kind", "_received", "_sent")

    stage = ExecutionStage.DISPATCH

    def __init__(self, source: Source, kind: str, sent: Ref, received: Ref) -> None:
        super().__init__(source)
        self._kind = kind
        self._sent = sent
        self._received = received

    @property
    def refs(self) -> tuple[Ref, ...]:
        """See `Command`."""
        return self._sent, self._received

    def record_into(self, target: "CommandBuffer", table: Table) -> None:
        """See `RecordedCommand`."""
        target.collective(
            self._kind, direct(self._sent, table), direct(self._received, table), self.source
        )

    def footprint(self, run: Execution) -> Footprint:
        """See `Command`."""
        _, sent, length = self._sent.bind(run.table)
        _, received, _ = self._received.bind(run.table)
        return Footprint(EventKind.ACCESS, span_of(sent, length), span_of(received, length))

    def execute(self, run: Execution, event: int) -> None:
        """See `Command`. INVALID_ARGUMENT where the ranges overlap and are not the same."""
        source, sent, length = self._sent.bind(run.table)
        target, received, _ = self._received.bind(run.table)
        source.storage.check_live()
        target.storage.check_live()
        if sent != received:
            if sent < received + length and received < sent + length:
                raise overlap(source, sent, target, received, length)
            data = run.ports[source.pool].load(sent, sent + length)
            run.ports[target.pool].store(received, received + length, data)
        run.counters.collectives += 1


def check_participants(kind: str, param: int) -> None:
    """Refuse a collective that names another participant than the only one (rank 0).

    `param` is its parameter: the root's rank, or both ranks of a send with a receive.

    Raises:
        HalError: INVALID_ARGUMENT, or UNIMPLEMENTED for one half of a transfer to itself.
    """
    if kind in ("send", "recv"):
        raise unimplemented(f"collective {kind} is not implemented; record a copy instead")
    if kind in ("broadcast", "reduce", "send_recv") and param:
        ranks = [param & ((1 << _RANK_BITS) - 1), param >> _RANK_BITS]
        named = ", ".join(map(str, ranks if kind == "send_recv" else [param]))
        raise invalid_argument(
            f"collective {kind} names participant {named} of a group of one, whose rank is 0"
        )
