"""What a kernel does with a binding, as the types of its views say.

```mlir
func.func @f(%arg0: !stream.binding, %arg1: !stream.binding) {
  %0 = stream.binding.subspan %arg1[%c0] : … -> !iree_tensor_ext.dispatch.tensor<writeonly:…>
```

Binding 1 is only written, binding 0 is not used at all.
"""

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import SymbolTable

from ...dialects import iree_tensor_ext, stream


def only_writes(op: stream.AsyncDispatchOp, operand: int) -> bool:
    """Whether every export of `op` only writes through its operand number `operand`.

    Counted among all operands, scalars too. False where a body is missing or does not tell.
    """
    module = op.parent_op()
    while module is not None and not isinstance(module, ModuleOp):
        module = module.parent_op()
    if module is None:
        return False
    kernels = [_kernel(module, entry) for entry in op.entry_points]
    return bool(kernels) and all(
        kernel is not None and _argument_is_written(kernel, operand) for kernel in kernels
    )


def _kernel(module: ModuleOp, entry: SymbolRefAttr) -> FuncOp | None:
    export = SymbolTable.lookup_symbol(module, entry)
    if not isinstance(export, stream.ExecutableExportOp):
        return None
    executable = export.parent_op()
    inner = [] if executable is None else list(executable.walk())
    name = export.function_ref.string_value()
    return next((f for f in inner if isinstance(f, FuncOp) and f.sym_name.data == name), None)


def _argument_is_written(kernel: FuncOp, operand: int) -> bool:
    block = kernel.body.first_block
    if block is None or operand >= len(block.args):
        return False
    uses = [use.operation for use in block.args[operand].uses]
    return bool(uses) and all(_is_written(view) for view in uses)


def _is_written(view: Operation) -> bool:
    result: SSAValue | None = view.results[0] if view.results else None
    type = None if result is None else result.type
    return (
        isinstance(view, stream.BindingSubspanOp)
        and isinstance(type, iree_tensor_ext.DispatchTensorType)
        and type.access.data is iree_tensor_ext.TensorAccess.WRITE_ONLY
    )
