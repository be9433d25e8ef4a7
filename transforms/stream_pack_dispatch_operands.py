"""stream-pack-dispatch-operands: scalars of dispatches become 32-bit words.

```mlir
stream.cmd.execute on(@a) with(…) {
  stream.cmd.dispatch @ex::@f[%n](%n : index) { … }
}
// func.func @f(%arg0: !stream.binding, %n: index)
```

becomes

```mlir
%w = arith.index_cast %n : index to i64
%low = arith.trunci %w : i64 to i32
%high = arith.trunci (%w >> 32) : i64 to i32
stream.cmd.execute on(@a) with(…) {
  stream.cmd.dispatch @ex::@f[%n](%low, %high : i32, i32) { … }
}
// func.func @f(%arg0: !stream.binding, %low: i32, %high: i32), with %n joined at its start
```

This is the form in which stock IREE's HAL phase takes dispatches (its pass of this name); an
`index` counts as 64 bits. Words stand before the region, since a region holds commands only.

Does not handle: scalars wider than 64 bits and complex ones; an error at the dispatch.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stream
from ..dialects.diagnostics import fail
from .build import set_operands
from .functions import functions_of, host_blocks
from .hal_conversion.words import join_words, split_words, word_count


@dataclass(frozen=True)
class StreamPackDispatchOperandsPass(ModulePass):
    """Pack the scalars of all dispatches of the module, and of the kernels they run."""

    name = "stream-pack-dispatch-operands"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`; raises OpError at a dispatch whose scalars cannot be packed."""
        for function in functions_of(op):
            for block in host_blocks(function):
                _pack_block(block)
        for executable in op.body.block.ops:
            if isinstance(executable, stream.ExecutableOp):
                for kernel in executable.walk():
                    if isinstance(kernel, FuncOp) and _is_kernel(kernel):
                        _unpack(kernel)


def _is_kernel(function: FuncOp) -> bool:
    types: tuple[Attribute, ...] = function.function_type.inputs.data
    return any(isinstance(type, stream.BindingType) for type in types)


def _pack_block(block: Block) -> None:
    """Pack the dispatches of a block's regions; the words of a value are made once."""
    words: dict[SSAValue, list[SSAValue]] = {}
    for op in list(block.ops):
        if not isinstance(op, stream.CmdExecuteOp):
            continue
        for inner in op.body.walk():
            if isinstance(inner, stream.CmdDispatchOp) and inner.uniform_operands:
                _pack(inner, op, words)


def _pack(
    op: stream.CmdDispatchOp, region: Operation, known: dict[SSAValue, list[SSAValue]]
) -> None:
    block = region.parent
    assert block is not None

    def emit(new: Operation) -> None:
        new.location = op.location
        block.insert_op_before(new, region)

    packed: list[SSAValue] = []
    for value in op.uniform_operands:
        if word_count(value.type) is None:
            fail(op, f"passes a {value.type}, and scalars of at most 64 bits can be passed")
        if value not in known:
            known[value] = split_words(value, emit)
        packed.extend(known[value])
    set_operands(op, "uniform_operands", packed)


def _unpack(kernel: FuncOp) -> None:
    """Let a kernel take words and join them at its start."""
    block = kernel.body.block
    first = block.first_op
    assert first is not None

    def emit(new: Operation) -> None:
        new.location = kernel.location
        block.insert_op_before(new, first)

    attributes: list[DictionaryAttr] = []
    for number, argument in enumerate(list(block.args)):
        kept = kernel.arg_attrs.data[number] if kernel.arg_attrs is not None else None
        count = word_count(argument.type)
        if count is None or argument.type == i32:
            attributes.append(kept or DictionaryAttr({}))
            continue
        attributes.extend([DictionaryAttr({})] * count)
        at = argument.index
        words: list[SSAValue] = [block.insert_arg(i32, at + word) for word in range(count)]
        argument.replace_all_uses_with(join_words(words, argument.type, emit))
        block.erase_arg(argument)
    kernel.function_type = FunctionType.from_lists(
        list(block.arg_types), list(kernel.function_type.outputs)
    )
    if kernel.arg_attrs is not None:
        kernel.arg_attrs = ArrayAttr(attributes)
