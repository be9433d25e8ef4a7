"""model-plan-io: which inputs and outputs of a model are bound in the caller's memory.

```mlir
util.func public @f(%x : !hal.buffer_view) -> !hal.buffer_view {
  %0 = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<16xf32>
  %1 = flow.dispatch @k(%0) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = hal.tensor.export %1 "y" : tensor<16xf32> -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}
```

becomes

```mlir
module attributes {zc.io_plan = {function = "f", inputs = […], outputs = […], …}} {
util.func public @f(%x : !hal.buffer_view, %y : !hal.buffer_view) -> !hal.buffer_view {
  %0 = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<16xf32>
  %1 = flow.dispatch @k(%0) : (tensor<16xf32>) -> tensor<16xf32>
  %a = hal.tensor.alias %1 : tensor<16xf32> to %y : !hal.buffer_view
  %2 = hal.tensor.export %a "y" : tensor<16xf32> -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}
```

Each tensor that goes out gets an argument for its storage, to which the loader binds the caller's
memory, or the model's own (rows GE-02, GE-14, GE-60). One tensor that goes out twice gets one. The
reason for each input and output is a remark (GE-14 to GE-18; `analysis.io_eligibility`); the plan
has it too, and what the host does for each output (`io_plan.output_steps`). Logical addresses
follow when the model is allocated: `model-assign-io-memory`.

Does not handle: a function that returns in several places, or that returns what it does not
export.
"""

from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ..dialects.diagnostics import fail, remark
from ..dialects.io_plan import IoPlan, ModelInput, ModelIo, ModelOutput, attach_plan
from ..dialects.io_plan.checks import check_alignment
from ..dialects.storage import type_bytes
from .analysis.io_eligibility import ZeroCopyEligibility
from .analysis.model_tasks import model_tasks
from .io_plan.entry import EntryOutput, ModelEntry, affinity_device, find_model
from .io_plan.output_steps import branch_operands, output_steps
from .io_plan.producers import copied_input, is_variable, producer_of, viewed_input
from .io_plan.shapes import dim_origins, has_inner_siblings, shape_and_element
from .io_plan.storage_arguments import add_storage_arguments


@dataclass(frozen=True)
class ModelPlanIoPass(ModulePass):
    """Decide about the inputs and outputs of the model, and give outputs storage arguments."""

    name = "model-plan-io"

    function: str | None = None
    """The model's function; by default the only public one."""
    always_zero_copy: bool = False
    """Plan for strict mode: outputs are the caller's memory, or an error (GE-09)."""
    strict_views: bool = False
    """Refuse outputs that are mere views of inputs (GE-71)."""
    offline: bool = False
    """Batched shapes are fixed when the model is built (GE-17)."""
    zero_copy_align: int = 32
    """Bytes (GE-22)."""
    feature_map_align: int = 512
    """Bytes (GE-22)."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`; raises OpError where the model's function is none that can be planned."""
        try:
            for alignment in (self.zero_copy_align, self.feature_map_align):
                check_alignment(alignment)
        except VerifyException as error:
            fail(op, str(error))
        entry = find_model(op, self.function)
        eligibility = ZeroCopyEligibility(op, offline=self.offline)
        inputs = tuple(
            self._input(entry, ordinal, eligibility) for ordinal in range(len(entry.inputs))
        )
        outputs = [self._output(entry, output, eligibility) for output in entry.outputs]
        tasks = model_tasks(entry.function, eligibility.flow)
        arguments = add_storage_arguments(entry)
        placed = (
            replace(output, argument=argument)
            for output, argument in zip(outputs, arguments, strict=True)
        )
        plan = IoPlan(
            entry.function.sym_name.data,
            inputs,
            tuple(placed),
            zero_copy_align=self.zero_copy_align,
            feature_map_align=self.feature_map_align,
            always_zero_copy=self.always_zero_copy,
            tasks=tasks,
        )
        attach_plan(op, plan)

    def _input(
        self, entry: ModelEntry, ordinal: int, eligibility: ZeroCopyEligibility
    ) -> ModelInput:
        given = entry.inputs[ordinal]
        first = given.imports[0]
        decided = eligibility.input(given.imports)
        name = first.tensor_name.data if first.tensor_name is not None else f"input{ordinal}"
        sizes = [type_bytes(op.target_encoding) for op in given.imports]
        shape, element = shape_and_element(first.target_encoding)
        result = ModelInput(
            ordinal,
            name,
            None if None in sizes else max(size for size in sizes if size is not None),
            affinity_device(first),
            decided.zero_copy,
            decided.reason,
            argument=given.argument,
            reference=given.reference,
            shape=shape,
            element=element,
        )
        remark(first, _decision("input", result))
        return result

    def _output(
        self, entry: ModelEntry, output: EntryOutput, eligibility: ZeroCopyEligibility
    ) -> ModelOutput:
        export = output.export
        view = viewed_input(entry, export)
        if view is not None and self.strict_views:
            fail(export, f"output {output.ordinal} aliases input {view} and cannot be zero copy")
        decided = eligibility.output(export, [other.export for other in entry.outputs])
        alone = decided.zero_copy or eligibility.output(export, [export]).zero_copy
        shape, element = shape_and_element(export.source_encoding)
        steps = output_steps(producer_of(export), always_zero_copy=self.always_zero_copy)
        name = export.tensor_name
        result = ModelOutput(
            output.ordinal,
            name.data if name is not None else f"output{output.ordinal}",
            type_bytes(export.source_encoding),
            affinity_device(export),
            decided.zero_copy,
            decided.reason,
            reference=output.reference,
            shape=shape,
            element=element,
            steps=steps,
            view_of=view,
            copy_of=copied_input(entry, export),
            branch_operands=branch_operands(steps),
            variable=is_variable(export),
            dims=dim_origins(export, entry.inputs),
            inner_siblings=has_inner_siblings(export, eligibility.flow),
            may_bind_first=alone and not decided.zero_copy,
        )
        remark(export, _decision("output", result))
        return result


def _decision(role: str, io: ModelIo) -> str:
    how = "is bound in place" if io.zero_copy else "is copied"
    return f"{role} {io.ordinal} '{io.name}' {how}: {io.reason}"
