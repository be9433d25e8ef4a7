"""model-assign-io-memory: logical addresses for the inputs and outputs of a model.

```mlir
module attributes {zc.io_plan = {function = "f", inputs = [{name = "x", size = 64 : i64,
                                 zero_copy = true, …}], …}} {
  util.func public @f(%x: !hal.buffer_view, %y: !hal.buffer_view) … {
    %0 = stream.tensor.import %x …
    %1, %t = stream.resource.alloca uninitialized : !stream.resource<transient>{%c256} …
```

becomes

```mlir
module attributes {zc.io_plan = {…, feature_map_size = 512 : i64, inputs = [{…,
                                 offset = 576 : i64}], blocks = […]},
                   zc.memory_size = 640 : i64, zc.zero_copy_memory_size = 128 : i64} {
  util.func public @f(%x: !hal.buffer_view {zc.is_zero_copy_block},
                      %y: !hal.buffer_view {zc.is_zero_copy_block}) … {
```

GE's AssignZeroCopyMemory. Temporaries come first, each in a range of its own (those within one
region share a slab already, `stream-layout-slices`), then inputs and outputs that are copied, then
the zero-copy blocks (`io_plan.layout`, rows GE-14, GE-19 to GE-25). The size of the blocks becomes
the module's `zc.zero_copy_memory_size`: a loader that binds them allocates that much less (GE-26).
Constants have memory of their own, whose size the plan has (GE-03).

Does not handle: temporaries of sizes that are not constant, in branches and loops, or in memory of
other devices; they are allocated at run time and are not part of the feature map. An input or
output whose shape is not static has no logical address.
"""

from dataclasses import dataclass, replace
from typing import TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ..dialects.diagnostics import fail
from ..dialects.io_plan import IoPlan, MemoryBlock, ModelIo, attach_plan, read_plan
from ..dialects.io_plan.serialization import plan_function
from .analysis.packing import Slice, align
from .io_plan.devices import model_device
from .io_plan.layout import ZeroCopyTensor, feature_map, place_zero_copy
from .io_plan.transients import transient_sizes
from .io_plan.weights import weight_sizes

_Io = TypeVar("_Io", bound=ModelIo)


@dataclass(frozen=True)
class ModelAssignIoMemoryPass(ModulePass):
    """Lay out the memory of the model that `model-plan-io` planned."""

    name = "model-assign-io-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Complete the plan of `op`; raises OpError where it has none."""
        try:
            plan = read_plan(op)
            if plan is None:
                fail(op, "has no I/O plan; run model-plan-io before it is lowered")
            device = model_device(op, [io.device for io in plan.ios])
            sizes = transient_sizes(plan_function(op, plan.function), device)
            plan = replace(plan, weight_size=weights_size(op, device, plan.feature_map_align))
            attach_plan(op, assign_memory(plan, sizes))
        except VerifyException as error:
            fail(op, str(error))


def weights_size(module: ModuleOp, device: str | None, alignment: int) -> int:
    """Bytes of the constants of `module`, each aligned to so many (GE-03)."""
    return sum(align(size, alignment) for size in weight_sizes(module, device))


def assign_memory(plan: IoPlan, transients: list[int]) -> IoPlan:
    """`plan` with logical addresses.

    Args:
        plan: what is bound and what is copied.
        transients: bytes of each temporary.

    Raises:
        VerifyException: an alignment is no power of two.
    """
    copied = [io for io in plan.ios if not io.zero_copy and io.size is not None]
    _, transient_size = feature_map(
        [Slice(0, 0, size) for size in transients], plan.feature_map_align
    )
    stored = list({io.argument: io for io in copied}.values())
    offsets, copied_size = feature_map(
        [Slice(0, 0, io.size or 0) for io in stored], plan.feature_map_align
    )
    at = {io.argument: transient_size + offset for io, offset in zip(stored, offsets, strict=True)}
    end = transient_size + copied_size
    blocks = place_zero_copy(zero_copy_tensors(plan), end, plan.zero_copy_align)
    at |= {_argument(plan, block): block.offset for block in blocks}
    return replace(
        plan,
        inputs=tuple(_placed(io, at) for io in plan.inputs),
        outputs=tuple(_placed(io, at) for io in plan.outputs),
        transient_size=transient_size,
        feature_map_size=end,
        blocks=blocks,
    )


def zero_copy_tensors(plan: IoPlan) -> list[ZeroCopyTensor]:
    """What gets a zero-copy block, in the order of the arguments.

    An output in the storage of an input has that input's.
    """
    inputs = {io.argument for io in plan.inputs}
    wanted = [(io, True) for io in plan.inputs]
    wanted += [(io, False) for io in plan.outputs if io.argument not in inputs]
    return [
        ZeroCopyTensor(io.name, io.size, is_input, io.ordinal)
        for io, is_input in wanted
        if io.zero_copy and io.size is not None
    ]


def _argument(plan: IoPlan, block: MemoryBlock) -> int:
    ios = plan.inputs if block.is_input else plan.outputs
    return ios[block.ordinal].argument


def _placed(io: _Io, offsets: dict[int, int]) -> _Io:
    return replace(io, offset=None if io.size is None else offsets.get(io.argument))
