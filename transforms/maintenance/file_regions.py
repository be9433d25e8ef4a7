"""Regions for the maintenance of what devices read from files and archives of parameters.

```mlir
%read = stream.file.read on(@a) %file[%o], %x[%c0], %c64 : … => !stream.timepoint
// becomes, as other devices wait for it,
%read = stream.file.read on(@a) %file[%o], %x[%c0], %c64 : … => !stream.timepoint
%done = stream.cmd.execute on(@a) await(%read) => with(%x as %arg: …) {
} => !stream.timepoint
```

The device leaves the bytes in its cache, as with any write of its own. What it writes to a file it
reads through its cache: there a region stands before the write, if that waits for anything. Those
that no maintenance was put into go again.
"""

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region, SSAValue

from ...dialects import stream
from ...dialects.walk import walk
from ..build import make
from ..functions import functions_of
from ..timepoints import TIMEPOINT

Fetch = (
    stream.FileReadOp
    | stream.CmdParameterReadOp
    | stream.CmdParameterGatherOp
    | stream.CmdParameterLoadOp
)
"""An op with which a device fills resources outside of any region."""

Store = stream.FileWriteOp | stream.CmdParameterWriteOp | stream.CmdParameterScatterOp
"""An op with which a device reads resources outside of any region."""


def open_file_regions(module: ModuleOp) -> list[stream.CmdExecuteOp]:
    """Put an empty region behind each fetch of host programs, and before each store that waits;
    gives the regions."""
    ops = [op for function in functions_of(module) for op in walk(function)]
    regions = [_open_behind(op) for op in ops if isinstance(op, Fetch)]
    stores = [op for op in ops if isinstance(op, Store)]
    return regions + [_open_before(op) for op in stores if op.await_timepoint is not None]


def _filled(fetch: Fetch) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
    """What is filled, and the sizes."""
    if isinstance(fetch, stream.CmdParameterLoadOp):
        return fetch.result_resources, fetch.result_sizes
    return [fetch.target], [fetch.target_size]


def _open_behind(fetch: Fetch) -> stream.CmdExecuteOp:
    uses = list(fetch.result_timepoint.uses)
    execute = _empty(fetch, *_filled(fetch), fetch.result_timepoint)
    assert fetch.parent is not None
    fetch.parent.insert_op_after(execute, fetch)
    for use in uses:
        use.operation.operands[use.index] = execute.result_timepoint
    return execute


def _open_before(store: Store) -> stream.CmdExecuteOp:
    awaited = store.await_timepoint
    assert awaited is not None
    execute = _empty(store, [store.source], [store.source_size], awaited)
    assert store.parent is not None
    store.parent.insert_op_before(execute, store)
    store.operands[list(store.operands).index(awaited)] = execute.result_timepoint
    return execute


def _empty(
    op: Fetch | Store, resources: Sequence[SSAValue], sizes: Sequence[SSAValue], awaited: SSAValue
) -> stream.CmdExecuteOp:
    """A region without commands, on the device of an op."""
    body = Block([make(stream.YieldOp, op)], arg_types=[value.type for value in resources])
    return make(
        stream.CmdExecuteOp,
        op,
        [TIMEPOINT],
        resource_operands=resources,
        resource_operand_sizes=sizes,
        await_timepoint=[awaited],
        affinity=op.affinity,
        body=Region(body),
    )


def close_file_regions(regions: Iterable[stream.CmdExecuteOp]) -> None:
    """Take those out again that are still empty."""
    for region in regions:
        block = region.body.block
        if block.first_op is block.last_op:
            assert region.await_timepoint is not None
            region.result_timepoint.replace_all_uses_with(region.await_timepoint)
            region.detach()
            region.erase()
