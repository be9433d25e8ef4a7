"""What kernels read and write of their bindings, from their bodies.

```mlir
func.func @f(%in: !stream.binding, %out: !stream.binding) {
  %0 = stream.binding.subspan %in[%c16] : … <readonly:tensor<8xf32>>    // reads [16, 48) of in
  …
  iree_tensor_ext.dispatch.tensor.store %3, %1, offsets = [0], sizes = [8] …  // writes [0, 32)
```

IREE binds whole slabs, so the ranges that a dispatch states say little. A range is `certain` if
every execution touches all of it; else it is an upper bound. A binding that is used in a way not
known here gives None, and what the dispatch states stands.
"""

from dataclasses import dataclass, field
from math import prod

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation

from ...dialects import iree_tensor_ext, stream
from ...dialects.iree_tensor_ext import DispatchTensorLoadOp, DispatchTensorStoreOp
from ...dialects.storage import packed_bytes
from ..build import constant_value


@dataclass(frozen=True, slots=True)
class Touched:
    """Bytes [start, end) of a binding, from where it is bound."""

    start: int
    end: int
    certain: bool


@dataclass(slots=True)
class BindingUse:
    """All that a kernel does with one binding."""

    reads: list[Touched] = field(default_factory=list[Touched])
    writes: list[Touched] = field(default_factory=list[Touched])


class KernelAccesses:
    """Answers for the executables of a module, each kernel read once."""

    def __init__(self, module: ModuleOp) -> None:
        self._executables = {
            op.sym_name.data: op
            for op in module.body.block.ops
            if isinstance(op, stream.ExecutableOp)
        }
        self._uses: dict[str, list[BindingUse | None] | None] = {}

    def of(self, dispatch: stream.CmdDispatchOp) -> list[BindingUse | None] | None:
        """For each binding what the kernel does with it; None if the kernel is not known.

        With several entry points, any of which may be chosen, nothing is known.
        """
        if len(dispatch.entry_points.data) != 1:
            return None
        name = str(dispatch.entry_points.data[0])
        if name not in self._uses:
            function = self._function(dispatch)
            self._uses[name] = None if function is None else _uses(function)
        return self._uses[name]

    def _function(self, dispatch: stream.CmdDispatchOp) -> func.FuncOp | None:
        reference = dispatch.entry_points.data[0]
        executable = self._executables.get(reference.root_reference.data)
        nested = reference.nested_references.data
        if executable is None or len(nested) != 1:
            return None
        target = next(
            (
                op.function_ref.string_value()
                for op in executable.body.block.ops
                if isinstance(op, stream.ExecutableExportOp) and op.sym_name.data == nested[0].data
            ),
            None,
        )
        return next(
            (
                op
                for op in executable.walk()
                if isinstance(op, func.FuncOp) and op.sym_name.data == target and op.body.blocks
            ),
            None,
        )


def _uses(function: func.FuncOp) -> list[BindingUse | None]:
    body = function.body.block
    return [
        _binding_use(argument, body)
        for argument in body.args
        if isinstance(argument.type, stream.BindingType)
    ]


def _binding_use(binding: BlockArgument, body: Block) -> BindingUse | None:
    result = BindingUse()
    for use in binding.uses:
        span = use.operation
        if not isinstance(span, stream.BindingSubspanOp):
            return None
        if not all(_record(result, span, user.operation, body) for user in span.result.uses):
            return None
    return result


def _record(
    result: BindingUse, span: stream.BindingSubspanOp, user: Operation, body: Block
) -> bool:
    """Note one load or store; False if it is neither or has no static bounds."""
    start = constant_value(span.byte_offset)
    tensor = span.result.type
    if start is None or not isinstance(tensor, iree_tensor_ext.DispatchTensorType):
        return False
    bounds = _bounds(user, tensor)
    if bounds is None:
        return False
    low, high, certain = bounds
    touched = Touched(start + low, start + high, certain and user.parent is body)
    stores = isinstance(user, DispatchTensorStoreOp)
    (result.writes if stores else result.reads).append(touched)
    return True


def _bounds(
    user: Operation, tensor: iree_tensor_ext.DispatchTensorType
) -> tuple[int, int, bool] | None:
    """Bytes [low, high) of the tensor, and whether all of them are touched."""
    if not isinstance(user, DispatchTensorLoadOp | DispatchTensorStoreOp):
        return None
    shape = tensor.get_shape()
    if DYNAMIC_INDEX in shape:
        return None
    element = tensor.get_element_type()
    size = packed_bytes(prod(shape), element)
    width = packed_bytes(1, element)
    if size is None or width is None:
        return None
    offsets = tuple(user.static_offsets.get_values())
    sizes = tuple(user.static_sizes.get_values())
    strides = tuple(user.static_strides.get_values())
    if DYNAMIC_INDEX in (*offsets, *sizes, *strides) or size != width * prod(shape):
        return 0, size, False
    if 0 in sizes:
        return 0, 0, True
    steps = [prod(shape[dim + 1 :]) for dim in range(len(shape))]
    low = sum(o * step for o, step in zip(offsets, steps, strict=True))
    rows = zip(offsets, sizes, strides, steps, strict=True)
    high = sum((o + (n - 1) * stride) * step for o, n, stride, step in rows) + 1
    return low * width, high * width, high - low == prod(sizes)
