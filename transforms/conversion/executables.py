"""`flow.executable` to `stream.executable`: tensor arguments become bindings.

```mlir
func.func @f(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>)
// becomes
func.func @f(%arg0: !stream.binding) {
  %0 = stream.binding.subspan %arg0[%c0]
      : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>
```
"""

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import FunctionType, IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects import flow, iree_tensor_ext, stream
from ...dialects.diagnostics import fail
from ...dialects.format import dimension_count
from ..build import INDEX, make
from .storage_types import align_elements


def lower_executable(executable: flow.ExecutableOp) -> None:
    """Replace `executable` and all in it."""
    for op in list(executable.walk()):
        if isinstance(op, func.FuncOp):
            _bind_arguments(op)
    counterparts: dict[type[Operation], type[Operation]] = {
        flow.ReturnOp: stream.ReturnOp,
        flow.ExecutableExportOp: stream.ExecutableExportOp,
        flow.ExecutableEndOp: stream.ExecutableEndOp,
        flow.ExecutableOp: stream.ExecutableOp,
    }
    for op in list(executable.walk(region_first=True)):
        if (counterpart := counterparts.get(type(op))) is not None:
            _replace(op, counterpart)


def _replace(op: Operation, counterpart: type[Operation]) -> None:
    """The same op in the other dialect: same fields, same regions."""
    block = op.parent
    assert block is not None
    new = counterpart.create(
        operands=op.operands,
        result_types=op.result_types,
        properties=op.properties,
        attributes=op.attributes,
        location=op.location,
        regions=[op.detach_region(region) for region in list(op.regions)],
    )
    block.insert_op_before(new, op)
    for old, fresh in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(fresh)
    block.erase_op(op)


def _bind_arguments(function: func.FuncOp) -> None:
    entry = function.body.first_block
    if entry is None:
        return
    tensors = [
        arg for arg in entry.args if isinstance(arg.type, iree_tensor_ext.DispatchTensorType)
    ]
    if not tensors:
        return
    zero = arith.ConstantOp(IntegerAttr(0, INDEX))
    first = entry.first_op
    assert first is not None
    entry.insert_op_before(zero, first)
    for argument in tensors:
        _bind(function, entry, argument, zero)
    function.properties["function_type"] = FunctionType.from_lists(
        [arg.type for arg in entry.args], function.function_type.outputs.data
    )


def _bind(function: func.FuncOp, entry: Block, argument: SSAValue, zero: arith.ConstantOp) -> None:
    """Turn one argument into a binding; a shape tied to it moves to the subspan."""
    tensor_type = argument.type
    ties = [use.operation for use in argument.uses]
    ties = [op for op in ties if isinstance(op, flow.DispatchTieShapeOp)]
    dims: list[SSAValue] = list(ties[0].dynamic_dims) if ties else []
    assert isinstance(tensor_type, iree_tensor_ext.DispatchTensorType)
    if len(dims) != dimension_count(tensor_type.bound_type):
        fail(function, f"expected flow.dispatch.tie_shape to give the shape of {tensor_type}")
    binding = entry.args[argument.index] if isinstance(argument, BlockArgument) else argument
    subspan = make(
        stream.BindingSubspanOp,
        function,
        [tensor_type],
        binding=binding,
        byte_offset=zero.result,
        dynamic_dims=dims,
    )
    before = ties[0] if ties else zero.next_op
    assert before is not None
    block = before.parent
    assert block is not None
    argument.replace_all_uses_with(subspan.result)
    block.insert_op_before(subspan, before)
    subspan.operands[0] = binding
    for tie in ties:
        tie.result.replace_all_uses_with(subspan.result)
        tie.detach()
        tie.erase()
    Rewriter.replace_value_with_new_type(binding, stream.BindingType())
    align_elements(subspan)
