"""model-isolate-io: copies where a model's inputs, variables and outputs must not share storage.

```mlir
%0 = hal.tensor.import %x : !hal.buffer_view -> tensor<16xf32>
%1 = scf.if %c -> (tensor<16xf32>) { scf.yield %0 } else { scf.yield %2 }
%3 = hal.tensor.export %0 : tensor<16xf32> -> !hal.buffer_view
```

becomes

```mlir
%0 = hal.tensor.import %x : !hal.buffer_view -> tensor<16xf32>
%1 = scf.if %c -> (tensor<16xf32>) {
  %4 = flow.tensor.clone %0 : tensor<16xf32> {zc.isolation = 0 : i64}
  scf.yield %4
} else { … }
%5 = flow.tensor.clone %0 : tensor<16xf32> {zc.isolation = 1 : i64}
%3 = hal.tensor.export %5 : tensor<16xf32> -> !hal.buffer_view
```

GE's MemcpyAddrAsyncPass (GE-33 to GE-36). What keeps such a copy is its attribute: no pass elides
it, and as no two are alike none merges them (GE-37). Where the model's device cannot copy between
addresses that are not known before (`memcpy_zero_copy = false`), or an input or output has no
static shape, nothing is changed, and a remark says so (GE-33).

Does not handle: selects and branches of `cf`; they get no copies.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, ShapedType, i64
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ..dialects import flow
from ..dialects.diagnostics import fail, remark
from ..dialects.storage import type_bytes
from .analysis.io_flow import ISOLATION
from .analysis.io_isolation import IsolatingCopy, isolating_copies
from .analysis.module_topology import module_topology
from .build import make
from .io_plan.devices import model_device
from .io_plan.entry import ModelEntry, find_model


@dataclass(frozen=True)
class ModelIsolateIoPass(ModulePass):
    """Insert the copies that `analysis.io_isolation` finds due."""

    name = "model-isolate-io"

    function: str | None = None
    """The model's function; by default the only public one."""
    fm_refreshable: bool = True
    """Collectives can take new addresses in the feature map (GE-36)."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`; raises OpError where the model's device is not in the topology."""
        entry = find_model(op, self.function)
        device = model_device(op, entry.devices)
        topology = module_topology(op)
        if device is not None and device not in topology.device_names:
            fail(
                entry.function, f"rtGetRtCapability failed: @{device} is no device of the topology"
            )
        if device is not None and not topology.device(device).memcpy_zero_copy:
            remark(
                entry.function,
                f"zero copy is not supported by copies of @{device} (memcpy_zero_copy = false): "
                "no copies inserted",
            )
            return
        if not _is_static(entry):
            remark(entry.function, "shapes are known at run time only: no copies inserted")
            return
        for number, copy in enumerate(
            isolating_copies(op, entry, fm_refreshable=self.fm_refreshable)
        ):
            _insert(copy, number)


def _is_static(entry: ModelEntry) -> bool:
    """Whether all inputs and outputs have static shapes."""
    types = [op.target_encoding for given in entry.inputs for op in given.imports]
    types += [output.export.source_encoding for output in entry.outputs]
    return all(type_bytes(kind) is not None for kind in types)


def _insert(copy: IsolatingCopy, number: int) -> None:
    """Put a clone of the operand before its user."""
    value = copy.op.operands[copy.operand]
    assert isinstance(value.type, ShapedType)
    clone = make(
        flow.TensorCloneOp,
        copy.op,
        [value.type],
        operand=value,
        operand_dims=list[SSAValue](),
        attributes={ISOLATION: IntegerAttr(number, i64)},
    )
    block = copy.op.parent
    assert block is not None
    block.insert_op_before(clone, copy.op)
    copy.op.operands[copy.operand] = clone.result
    remark(copy.op, f"gets a copy of its operand {copy.operand}: {copy.why}")
