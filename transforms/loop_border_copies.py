"""Copies where loops take values in and hand them out, to be offered and withdrawn.

```mlir
%r = scf.for … iter_args(%x = %init) -> (!stream.resource<*>) { … }   // %init and %r live on a
export %r
```

becomes

```mlir
%copy = stream.async.transfer %init : … from(@a) -> to(@a) …
%r = scf.for … iter_args(%x = %copy) -> (!stream.resource<*>) { … }
%out = stream.async.transfer %r : … from(@a) -> to(@a) …
export %out
```

so that the loop's value may lie in another memory than `%init` and `%out`: two copies then take
the place of one in each iteration. Those that need not be copies are withdrawn.

Does not handle: loops of `cf` branches; values whose device is not known.
"""

from collections.abc import Iterable, Iterator

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects import stream
from .analysis.shared_storage import devices_of
from .analysis.value_affinity import ValueAffinities
from .analysis.value_flow import host_ops
from .build import make
from .size_queries import size_before

Offers = dict[stream.AsyncTransferOp, Operation]
"""The transfers offered, each with its loop."""


def offer_copies(module: ModuleOp) -> Offers:
    """Put a transfer to the same device at each border of a loop that a resource crosses."""
    homes = ValueAffinities(module)
    offers: Offers = {}
    for loop in [op for op in host_ops(module) if isinstance(op, scf.ForOp | scf.WhileOp)]:
        following = loop.next_op
        assert following is not None
        for number, value, home in _carried(loop.operands, homes):
            taken = _transfer(value, home, loop, loop)
            loop.operands[number] = taken.result
            offers[taken] = loop
        for _, value, home in _carried(loop.results, homes):
            if value.first_use is not None:
                given = _transfer(value, home, loop, following)
                offers[given] = loop
                # Who asks for the size comes before the transfer, which is as large.
                value.replace_uses_with_if(
                    given.result,
                    lambda use: (
                        use.operation not in offers
                        and not isinstance(use.operation, stream.ResourceSizeOp)
                    ),
                )
    return offers


def withdraw(transfer: stream.AsyncTransferOp) -> None:
    """Let the value cross the border itself."""
    size = transfer.source_size.owner
    transfer.result.replace_all_uses_with(transfer.source)
    transfer.detach()
    transfer.erase()
    if isinstance(size, stream.ResourceSizeOp) and size.result.first_use is None:
        size.detach()
        size.erase()


def _carried(
    values: Iterable[SSAValue], homes: ValueAffinities
) -> Iterator[tuple[int, SSAValue, Attribute]]:
    """The resources of `values` that live on a known device, numbered as there."""
    for number, value in enumerate(list(values)):
        home = homes.of(value) if isinstance(value.type, stream.ResourceType) else None
        if home is not None and devices_of(home):
            yield number, value, home


def _transfer(
    value: SSAValue, home: Attribute, loop: Operation, before: Operation
) -> stream.AsyncTransferOp:
    size = size_before(before, value)
    transfer = make(
        stream.AsyncTransferOp,
        loop,
        [value.type],
        source=value,
        source_size=size,
        result_size=size,
        source_affinity=home,
        target_affinity=home,
    )
    block = before.parent
    assert block is not None
    block.insert_op_before(transfer, before)
    return transfer
