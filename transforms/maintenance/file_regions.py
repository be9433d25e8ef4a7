"""Regions for the maintenance of what devices read from files and archives of parameters.

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

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region, SSAValue

from ...dialects import stream
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


def open_file_regions(module: ModuleOp) -> list[stream.CmdExecuteOp]:
    """Put an empty region behind each fetch of host programs; gives the regions."""
    fetches = [
        op for function in functions_of(module) for op in function.walk() if isinstance(op, Fetch)
    ]
    return [_open(fetch) for fetch in fetches]


def _filled(fetch: Fetch) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
    """What is filled, and the sizes."""
    if isinstance(fetch, stream.CmdParameterLoadOp):
        return fetch.result_resources, fetch.result_sizes
    return [fetch.target], [fetch.target_size]


def _open(fetch: Fetch) -> stream.CmdExecuteOp:
    uses = list(fetch.result_timepoint.uses)
    resources, sizes = _filled(fetch)
    body = Block([make(stream.YieldOp, fetch)], arg_types=[value.type for value in resources])
    execute = make(
        stream.CmdExecuteOp,
        fetch,
        [TIMEPOINT],
        resource_operands=resources,
        resource_operand_sizes=sizes,
        await_timepoint=[fetch.result_timepoint],
        affinity=fetch.affinity,
        body=Region(body),
    )
    assert fetch.parent is not None
    fetch.parent.insert_op_after(execute, fetch)
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
