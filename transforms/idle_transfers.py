"""Alias transfers that hand nothing over give way to what they name (rows IR-04 to IR-06, IR-08).

```mlir
%1 = stream.async.transfer %0 … from(@a) -> to(@b) … {stream.transfer_kind = "alias"}
%2 = stream.async.transfer %1 … from(@b) -> to(@a) … {stream.transfer_kind = "alias"}
```

`%2` is `%0` where nobody else uses `%1`, which then goes as well; where a and b are coherent, `%1`
and `%2` are both `%0`. Who waits for whom follows from who uses what, and so stays.
"""

from collections.abc import Iterable
from typing import NamedTuple

from xdsl.ir import Attribute, Operation

from ..dialects import stream
from ..dialects.handoff import hands_over
from ..dialects.topology import Topology
from ..dialects.walk import walk
from .analysis.io_flow import ISOLATION
from .analysis.value_affinity import ValueAffinities
from .analysis.versions import ALIAS, COPY, transfer_kind


class IdleTransfers(NamedTuple):
    """What is decided for the transfers of one function."""

    origins: dict[stream.AsyncTransferOp, stream.AsyncTransferOp]
    """Transfers that go, in textual order: the one whose source takes the place of the result."""
    homes: dict[stream.AsyncTransferOp, Attribute]
    """Where the sources of others live that do not state it: it is not to be lost."""

    def remove(self) -> None:
        """Rewrite; the last one first, so that those on the way are without users when they go."""
        if not self.origins:
            return
        for op, home in self.homes.items():
            op.source_affinity = home
        for op, origin in reversed(self.origins.items()):
            if op.parent is not None:
                op.result.replace_all_uses_with(origin.source)
                _erase_unused(op, origin)


def find_idle_transfers(
    function: Operation, homes: ValueAffinities, topology: Topology
) -> IdleTransfers:
    """The transfers of `function` that hand nothing over, with what they name."""
    transfers = [op for op in walk(function) if isinstance(op, stream.AsyncTransferOp)]
    origins: dict[stream.AsyncTransferOp, stream.AsyncTransferOp] = {}
    for op in transfers:
        if (origin := _origin(op, homes, topology)) is not None:
            origins[op] = origin
    return IdleTransfers(origins, dict(_unstated(transfers, origins, homes)))


def _origin(
    op: stream.AsyncTransferOp, homes: ValueAffinities, topology: Topology
) -> stream.AsyncTransferOp | None:
    """The nearest transfer on the way to `op` whose source its target sees as it is."""
    origin, target = op, op.target_affinity
    while target is not None and ISOLATION not in origin.attributes:
        source = origin.source_affinity or homes.of(origin.source)
        kind = transfer_kind(origin)
        if kind == COPY or (kind != ALIAS and source != origin.target_affinity):
            return None
        if source is None or origin.source.type != op.result.type:
            return None
        if not hands_over(source, target, topology):
            return origin
        before = origin.source.owner
        if not isinstance(before, stream.AsyncTransferOp) or not before.result.has_one_use():
            return None
        origin = before
    return None


def _unstated(
    transfers: Iterable[stream.AsyncTransferOp],
    idle: dict[stream.AsyncTransferOp, stream.AsyncTransferOp],
    homes: ValueAffinities,
) -> Iterable[tuple[stream.AsyncTransferOp, Attribute]]:
    """Where the sources of transfers on the host's level live that neither state it nor go."""
    for op in transfers:
        region = op.parent_op()
        if op in idle or op.source_affinity is not None:
            continue
        if isinstance(region, stream.AsyncExecuteOp | stream.AsyncConcurrentOp):
            continue
        if (home := homes.of(op.source)) is not None:
            yield op, home


def _erase_unused(op: stream.AsyncTransferOp, origin: stream.AsyncTransferOp) -> None:
    """Erase `op`, and the transfers that led from `origin` to it alone."""
    while True:
        before = op.source.owner
        op.detach()
        op.erase()
        if op is origin or not isinstance(before, stream.AsyncTransferOp):
            return
        if before.result.first_use is not None:
            return
        op = before
