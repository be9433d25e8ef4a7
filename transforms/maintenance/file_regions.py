"""Regions for the maintenance of what devices read from files.

```mlir
%read = stream.file.read on(@a) %file[%o], %x[%c0], %c64 : … => !stream.timepoint
// becomes, as other devices wait for it,
%read = stream.file.read on(@a) %file[%o], %x[%c0], %c64 : … => !stream.timepoint
%done = stream.cmd.execute on(@a) await(%read) => with(%x as %arg: …) {
} => !stream.timepoint
```

The device leaves the bytes in its cache, as with any write of its own. A region that no
maintenance was put into goes again.
"""

from collections.abc import Iterable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region

from ...dialects import stream
from ..build import make
from ..functions import functions_of
from ..timepoints import TIMEPOINT


def open_file_regions(module: ModuleOp) -> list[stream.CmdExecuteOp]:
    """Put an empty region behind each `stream.file.read` of host programs; gives the regions."""
    reads = [
        op
        for function in functions_of(module)
        for op in function.walk()
        if isinstance(op, stream.FileReadOp)
    ]
    return [_open(read) for read in reads]


def _open(read: stream.FileReadOp) -> stream.CmdExecuteOp:
    uses = list(read.result_timepoint.uses)
    body = Block([make(stream.YieldOp, read)], arg_types=[read.target.type])
    execute = make(
        stream.CmdExecuteOp,
        read,
        [TIMEPOINT],
        resource_operands=[read.target],
        resource_operand_sizes=[read.target_size],
        await_timepoint=[read.result_timepoint],
        affinity=read.affinity,
        body=Region(body),
    )
    assert read.parent is not None
    read.parent.insert_op_after(execute, read)
    for use in uses:
        use.operation.operands[use.index] = execute.result_timepoint
    return execute


def close_file_regions(regions: Iterable[stream.CmdExecuteOp]) -> None:
    """Take those out again that are still empty."""
    for region in regions:
        block = region.body.block
        if block.first_op is block.last_op:
            assert region.await_timepoint is not None
            region.result_timepoint.replace_all_uses_with(region.await_timepoint)
            region.detach()
            region.erase()
