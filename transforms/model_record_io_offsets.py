"""model-record-io-offsets: the parts of inputs and outputs that commands use, by address.

```mlir
util.func public @f(%x: !hal.buffer_view {zc.is_zero_copy_block}) … {     // at 4096
  …
  stream.cmd.dispatch @k { ro %x[%c256 for %c64], … }
```

becomes

```mlir
util.func public @f(%x: !hal.buffer_view {zc.is_zero_copy_block,
                                          zc.zero_copy_basic_offset = array<i64: 4096>,
                                          zc.zero_copy_relative_offset = array<i64: 256>}) … {
```

and the plan gets the table of all addresses, each with the id of the argument that holds it
(GE-32). GE's SetInputOutputOffsetPass (GE-28, GE-29): a loader that is given another address for
`x` also replaces what was derived from it. The offsets recorded are those of
`model-assign-io-memory`, which has to run before (GE-30).

Does not handle: parts whose start is not constant; what binds them computes its address at run
time.
"""

from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ..dialects.access import Access
from ..dialects.diagnostics import fail
from ..dialects.io_plan import IoPlan, ModelInput, ModelOutput, attach_plan, read_plan
from ..dialects.io_plan.serialization import plan_function
from .analysis.io_parts import Part, argument_parts
from .io_plan.offsets import input_offsets, offset_table, output_offsets


@dataclass(frozen=True)
class ModelRecordIoOffsetsPass(ModulePass):
    """Record offsets of the model that `model-assign-io-memory` laid out."""

    name = "model-record-io-offsets"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Complete the plan of `op`; raises OpError where memory is not assigned."""
        try:
            plan = read_plan(op)
            if plan is None or not plan.assigned:
                fail(op, "has no memory assignment; run model-assign-io-memory before this pass")
            attach_plan(op, record_offsets(plan, argument_parts(plan_function(op, plan.function))))
        except VerifyException as error:
            fail(op, str(error))


def record_offsets(plan: IoPlan, parts: dict[int, list[Part]]) -> IoPlan:
    """`plan` with the offsets of the `parts` of each argument, and the table of ids.

    Raises VerifyException as `offset_table` does.
    """
    inputs = tuple(_input(io, parts.get(io.argument, [])) for io in plan.inputs)
    outputs = tuple(_output(io, parts.get(io.argument, [])) for io in plan.outputs)
    bound = [io for io in (*inputs, *outputs) if io.zero_copy and io.offset is not None]
    pairs = [
        pair for io in bound for pair in zip(io.basic_offsets, io.relative_offsets, strict=True)
    ]
    table = offset_table(
        [io.offset for io in bound if io.offset is not None],
        pairs,
        [io.offset for io in outputs if io.zero_copy and io.offset is not None],
    )
    return replace(plan, inputs=inputs, outputs=outputs, offset_ids=table)


def _input(io: ModelInput, parts: list[Part]) -> ModelInput:
    if io.offset is None or not io.zero_copy:
        return io
    read = (part.start for part in parts if part.mode & Access.READ)
    basic, relative = input_offsets(io.offset, read)
    return replace(io, basic_offsets=basic, relative_offsets=relative)


def _output(io: ModelOutput, parts: list[Part]) -> ModelOutput:
    if io.offset is None or not io.zero_copy:
        return io
    written = (part.start for part in parts if part.mode & Access.WRITE)
    basic, relative = output_offsets(io.offset, written)
    return replace(io, basic_offsets=basic, relative_offsets=relative)
