"""`stream.executable` to `hal.executable`: a variant for each target, with exports and layouts.

Bindings and scalars stop being arguments: the body asks its interface for them, as IREE's
executable-sources phase has it.

```mlir
func.func @f(%arg0: !stream.binding, %arg1: i32) {
  %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !dispatch.tensor<…>
// becomes
func.func @f() {
  %0 = hal.interface.binding.subspan layout(<constants = 1, bindings = […]>) binding(0) … : …
  %1 = hal.interface.constant.load layout(<…>) ordinal(0) : i32
```
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import starmap

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, IntegerAttr, ModuleOp, StringAttr, i32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from ...dialects import iree_tensor_ext, stream, util
from ...dialects.diagnostics import fail
from ...dialects.hal import (
    DeviceTargetAttr,
    ExecutableTargetAttr,
    PipelineBindingAttr,
    PipelineLayoutAttr,
)
from ...dialects.hal.enum_base import enum_attr
from ...dialects.hal.enums import DescriptorFlags, DescriptorType, PipelineLayoutFlags
from ...dialects.hal.executable import ExecutableExportOp, ExecutableOp, ExecutableVariantOp
from ...dialects.hal.interface import InterfaceBindingSubspanOp, InterfaceConstantLoadOp
from ...dialects.hal.regions import ReturnOp
from ...dialects.hal.types import DeviceType
from ..build import INDEX, make
from .words import join_words, word_count


def module_targets(module: ModuleOp) -> list[ExecutableTargetAttr]:
    """The executable targets of all devices of a module, each once, in order."""
    found: dict[ExecutableTargetAttr, None] = {}
    for op in module.body.block.ops:
        if isinstance(op, util.GlobalOp) and isinstance(op.initial_value, DeviceTargetAttr):
            found.update(dict.fromkeys(op.initial_value.executable_targets))
    return list(found)


def variant_names(module: ModuleOp) -> dict[ExecutableTargetAttr, str]:
    """The symbol of each target's variants: IREE's, its format with `_` for `-`.

    Targets of one format that differ in their configuration are numbered.
    """
    names: dict[ExecutableTargetAttr, str] = {}
    for target in module_targets(module):
        name = unique = target.format.data.replace("-", "_")
        count = 0
        while unique in names.values():
            unique, count = f"{name}_{count}", count + 1
        names[target] = unique
    return names


def lower_executable(
    executable: stream.ExecutableOp, variants: Mapping[ExecutableTargetAttr, str]
) -> None:
    """Replace `executable` by one with a variant, named as given, for each target."""
    if not variants:
        fail(executable, "has no target; the module's device globals name none")
    block = executable.parent
    assert block is not None
    new = make(
        ExecutableOp,
        executable,
        sym_visibility=executable.sym_visibility,
        sym_name=executable.sym_name,
        body=Region(Block(starmap(partial(_variant, executable), variants.items()))),
    )
    block.insert_op_before(new, executable)
    block.erase_op(executable)


def _variant(
    executable: stream.ExecutableOp, target: ExecutableTargetAttr, name: str
) -> ExecutableVariantOp:
    source = executable.clone()
    ops: list[Operation] = []
    for op in list(source.body.block.ops):
        if isinstance(op, stream.ExecutableEndOp):
            continue
        op.detach()
        ops.append(op)
    body = next((op for op in ops if isinstance(op, ModuleOp)), None)
    if body is None:
        fail(executable, "has no body to make a variant of")
    functions = {op.sym_name.data: op for op in body.walk() if isinstance(op, func.FuncOp)}
    exports = [op for op in ops if isinstance(op, stream.ExecutableExportOp)]
    lowered: list[Operation] = []
    for ordinal, export in enumerate(exports):
        function = functions.get(export.function_ref.string_value())
        if function is None:
            fail(export, f"names the function @{export.function_ref.string_value()}, not found")
        lowered.append(_export(export, ordinal, _bind(function)))
    return make(
        ExecutableVariantOp,
        executable,
        sym_visibility=StringAttr("public"),
        sym_name=StringAttr(name),
        target=target,
        body=Region(Block([*lowered, body])),
    )


def _export(
    export: stream.ExecutableExportOp, ordinal: int, layout: PipelineLayoutAttr
) -> ExecutableExportOp:
    """The export; its workgroup count takes the device before the workload."""
    count = export.detach_region(export.workgroup_count)
    if (entry := count.first_block) is not None:
        entry.insert_arg(DeviceType(), 0)
        end = entry.last_op
        assert end is not None
        returned = make(ReturnOp, end, values=list(end.operands))
        entry.insert_op_before(returned, end)
        entry.erase_op(end)
    return make(
        ExecutableExportOp,
        export,
        sym_visibility=export.sym_visibility,
        sym_name=export.sym_name,
        ordinal=IntegerAttr(ordinal, INDEX),
        layout=layout,
        workgroup_count=count,
        condition=Region(),
    )


def _bind(function: func.FuncOp) -> PipelineLayoutAttr:
    """Take the arguments off a function, its interface in their place; gives the layout."""
    entry = function.body.block
    bindings = [arg for arg in entry.args if isinstance(arg.type, stream.BindingType)]
    scalars = [arg for arg in entry.args if not isinstance(arg.type, stream.BindingType)]
    words = 0
    for scalar in scalars:
        count = word_count(scalar.type)
        if count is None:
            fail(function, f"takes a scalar of type {scalar.type}, which is no push constant")
        words += count
    layout = PipelineLayoutAttr(
        [
            PipelineBindingAttr(DescriptorType.STORAGE_BUFFER, _flags(binding))
            for binding in bindings
        ],
        words,
        PipelineLayoutFlags.INDIRECT,
    )
    _load_scalars(function, entry, scalars, layout)
    for ordinal, binding in enumerate(bindings):
        for use in list(binding.uses):
            if isinstance(use.operation, stream.BindingSubspanOp):
                _subspan(use.operation, ordinal, _flags(binding), layout)
    for argument in reversed(list(entry.args)):
        entry.erase_arg(argument)
    function.properties["function_type"] = FunctionType.from_lists([], [])
    function.properties.pop("arg_attrs", None)
    return layout


def _flags(binding: BlockArgument) -> DescriptorFlags:
    """Read-only where every view of the binding is."""
    views = [
        use.operation.result.type
        for use in binding.uses
        if isinstance(use.operation, stream.BindingSubspanOp)
    ]
    read_only = bool(views) and not any(_may_write(view) for view in views)
    flags = DescriptorFlags.INDIRECT
    return flags | DescriptorFlags.READ_ONLY if read_only else flags


def _may_write(view: Attribute) -> bool:
    known = isinstance(view, iree_tensor_ext.DispatchTensorType)
    return not known or view.access.data.writes


def _subspan(
    op: stream.BindingSubspanOp, ordinal: int, flags: DescriptorFlags, layout: PipelineLayoutAttr
) -> None:
    block = op.parent
    assert block is not None
    new = make(
        InterfaceBindingSubspanOp,
        op,
        [op.result.type],
        byte_offset=op.byte_offset,
        dynamic_dims=op.dynamic_dims,
        layout=layout,
        binding=IntegerAttr(ordinal, INDEX),
        alignment=IntegerAttr(64, INDEX),
        descriptor_flags=enum_attr(DescriptorFlags, flags),
    )
    block.insert_op_before(new, op)
    op.result.replace_all_uses_with(new.result)
    block.erase_op(op)


def _load_scalars(
    function: func.FuncOp,
    entry: Block,
    scalars: Sequence[BlockArgument],
    layout: PipelineLayoutAttr,
) -> None:
    first = entry.first_op
    assert first is not None
    ordinal = 0

    def emit(op: Operation) -> None:
        op.location = function.location
        entry.insert_op_before(op, first)

    for scalar in scalars:
        words: list[SSAValue] = []
        for _ in range(word_count(scalar.type) or 0):
            load = make(
                InterfaceConstantLoadOp,
                function,
                [i32],
                layout=layout,
                ordinal=IntegerAttr(ordinal, INDEX),
            )
            emit(load)
            words.append(load.result)
            ordinal += 1
        scalar.replace_all_uses_with(join_words(words, scalar.type, emit))
