"""What kernels read and write of their bindings, from their bodies.

```mlir
func.func @f(%in: !stream.binding, %out: !stream.binding) {
  %0 = stream.binding.subspan %in[%c16] : … <readonly:tensor<8xf32>>    // reads [16, 48) of in
  …
  iree_tensor_ext.dispatch.tensor.store %3, %1, offsets = [0], sizes = [8] …  // writes [0, 32)
```

IREE binds whole slabs, so the ranges that a dispatch states say little. A range is `certain` if
every execution touches all of it; else it is an upper bound. A binding that is used in a way not
known here is not `known`, and what the dispatch states stands.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation

from ...dialects import iree_tensor_ext, stream
from ...dialects.access import Access
from ...dialects.hal.command_buffer import CommandBufferDispatchOp
from ...dialects.hal.executable import (
    ExecutableBinaryOp,
    ExecutableExportOp,
    ExecutableOp,
    ExecutableVariantOp,
)
from ...dialects.hal.executable_use import ExecutableExportOrdinalOp, ExecutableLookupFunctionOp
from ...dialects.hal.interface import InterfaceBindingSubspanOp
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
    known: bool = True
    """Whether these are all; else no ranges are known."""
    mode: Access = Access.NONE
    """What the types of its tensors allow."""


class KernelAccesses:
    """Answers for the executables of a module, each kernel read once."""

    def __init__(self, module: ModuleOp, sources: ModuleOp | None = None) -> None:
        """Of `module`; of executables that it has as binaries the kernels are those in `sources`,
        by the names of their exports."""
        self._executables = {
            op.sym_name.data: op
            for op in module.body.block.ops
            if isinstance(op, stream.ExecutableOp | ExecutableOp)
        }
        self._sources: list[Operation] = [
            op
            for op in (() if sources is None else sources.body.block.ops)
            if isinstance(op, ExecutableOp)
        ]
        self._uses: dict[str, list[BindingUse] | None] = {}

    def of(
        self, dispatch: stream.CmdDispatchOp | CommandBufferDispatchOp
    ) -> list[BindingUse] | None:
        """For each binding what the kernel does with it; None if the kernel is not known.

        With several entry points, any of which may be chosen, nothing is known.
        """
        reference = _entry_point(dispatch)
        if reference is None:
            return None
        name = str(reference)
        if name not in self._uses:
            function = self._function(reference)
            self._uses[name] = None if function is None else _uses(function)
        return self._uses[name]

    def _function(self, reference: SymbolRefAttr) -> func.FuncOp | None:
        executable = self._executables.get(reference.root_reference.data)
        names = [part.data for part in reference.nested_references]
        if executable is None or not names:
            return None
        candidates: list[Operation] = [executable]
        if any(isinstance(op, ExecutableBinaryOp) for op in executable.body.block.ops):
            candidates, names = self._sources, names[-1:]
        return next(
            (
                function
                for candidate in candidates
                for exports in _variants(candidate, names[:-1])
                if (function := _exported(exports, names[-1])) is not None
            ),
            None,
        )


def _entry_point(
    dispatch: stream.CmdDispatchOp | CommandBufferDispatchOp,
) -> SymbolRefAttr | None:
    """The export that a dispatch runs, where it is one for sure."""
    if isinstance(dispatch, stream.CmdDispatchOp):
        points = dispatch.entry_points.data
        return points[0] if len(points) == 1 else None
    number = dispatch.entry_point.owner
    if isinstance(number, arith.IndexCastOp):
        number = number.input.owner
    known = isinstance(number, ExecutableLookupFunctionOp | ExecutableExportOrdinalOp)
    return number.entry_point if known else None


def _variants(executable: Operation, names: Sequence[str]) -> Iterator[Operation]:
    """What holds the exports of an executable: itself, or its variants, the named one if any."""
    if isinstance(executable, stream.ExecutableOp):
        yield executable
        return
    for op in executable.regions[0].block.ops:
        if isinstance(op, ExecutableVariantOp) and (not names or op.sym_name.data in names):
            yield op


def _exported(exports: Operation, name: str) -> func.FuncOp | None:
    """The function of an export, in a module beside it."""
    target: str | None = None
    for op in exports.regions[0].block.ops:
        if isinstance(op, stream.ExecutableExportOp) and op.sym_name.data == name:
            target = op.function_ref.string_value()
        elif isinstance(op, ExecutableExportOp) and op.sym_name.data == name:
            target = name
    return next(
        (
            op
            for op in exports.walk()
            if isinstance(op, func.FuncOp) and op.sym_name.data == target and op.body.blocks
        ),
        None,
    )


_Span = stream.BindingSubspanOp | InterfaceBindingSubspanOp


def _uses(function: func.FuncOp) -> list[BindingUse]:
    """By binding: of a stream kernel an argument, of a HAL kernel a number."""
    body = function.body.block
    spans: dict[int, list[Operation]] = {}
    for op in function.walk():
        if isinstance(op, InterfaceBindingSubspanOp):
            spans.setdefault(op.binding.value.data, []).append(op)
            spans.setdefault(len(op.layout.bindings) - 1, [])
    bindings = [arg for arg in body.args if isinstance(arg.type, stream.BindingType)]
    for number, binding in enumerate(bindings):
        spans.setdefault(number, []).extend(use.operation for use in binding.uses)
    return [
        _binding_use(spans.get(number, ()), body) for number in range(max(spans, default=-1) + 1)
    ]


def _binding_use(spans: Iterable[Operation], body: Block) -> BindingUse:
    result = BindingUse()
    for span in spans:
        if not isinstance(span, _Span):
            return BindingUse(known=False)
        result.mode |= _mode(span.result.type)
        for user in span.result.uses:
            result.known &= _record(result, span, user.operation, body)
    return result


def _mode(type: Attribute) -> Access:
    if not isinstance(type, iree_tensor_ext.DispatchTensorType):
        return Access.READ_WRITE
    access = type.access.data
    return (Access.READ if access.reads else Access.NONE) | (
        Access.WRITE if access.writes else Access.NONE
    )


def _record(result: BindingUse, span: _Span, user: Operation, body: Block) -> bool:
    """Note one load or store; False if it is neither or has no static bounds."""
    start = 0 if span.byte_offset is None else constant_value(span.byte_offset)
    tensor = span.result.type
    if start is None or not isinstance(tensor, iree_tensor_ext.DispatchTensorType):
        return False
    bounds = _bounds(user, tensor)
    if bounds is None:
        return False
    low, high, certain = bounds
    touched = Touched(start + low, start + high, certain and user.parent is body)
    if not isinstance(user, DispatchTensorStoreOp):
        result.reads.append(touched)
        return True
    result.writes.append(touched)
    if tensor.access.data.reads and _is_placed_by_data(user):
        # Kernels write such a tensor anew, changed at one place.
        result.reads.append(touched)
    return True


def _is_placed_by_data(store: DispatchTensorStoreOp) -> bool:
    """Whether what the kernel loads decides where it stores."""
    todo = [*store.offsets, *store.sizes, *store.strides]
    seen = set(todo)
    while todo:
        owner = todo.pop().owner
        if isinstance(owner, DispatchTensorLoadOp):
            return True
        if isinstance(owner, Operation):
            fresh = [value for value in owner.operands if value not in seen]
            seen.update(fresh)
            todo.extend(fresh)
    return False


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
