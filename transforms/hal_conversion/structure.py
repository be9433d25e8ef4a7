"""What is not stream's own but carries its values: signatures, globals, blocks, calls, loops."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr
from xdsl.dialects.func import FuncOp as FuncFuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects import stream, util
from ...dialects.diagnostics import fail
from ...dialects.hal.types import BufferType, CommandBufferType
from ..analysis.storage import StorageSets
from ..build import INDEX, make
from .host import HostLowering
from .types import is_lowered, lowered_type


def lower_global(op: util.GlobalOp) -> None:
    """A global of the lowered type; a timepoint that is reached is the null it starts with."""
    op.properties["type"] = lowered_type(op.type)
    if isinstance(op.initial_value, stream.TimepointAttr):
        del op.properties["initial_value"]


def lower_signature(function: util.FuncOp | FuncFuncOp) -> None:
    """The function's type; `lower_arguments` does its blocks."""
    function.properties["function_type"] = _lowered_signature(function.function_type)


def _lowered_signature(type: FunctionType) -> FunctionType:
    return FunctionType.from_lists(
        [lowered_type(input) for input in type.inputs],
        [lowered_type(output) for output in type.outputs],
    )


def lower_command_function(function: stream.CmdFuncOp) -> None:
    """A function that records: it takes the command buffer, and a slot before each buffer."""
    inputs: list[Attribute] = [CommandBufferType()]
    attrs: list[Attribute] = [DictionaryAttr({})]
    given = () if function.arg_attrs is None else function.arg_attrs.data
    if function.body.blocks:
        fail(function, "has a body, expected a declaration")
    for index, type in enumerate(function.function_type.inputs):
        if isinstance(type, stream.ResourceType):
            inputs.extend((INDEX, BufferType()))
            attrs.append(DictionaryAttr({}))
        else:
            inputs.append(lowered_type(type))
        attrs.append(given[index] if given else DictionaryAttr({}))
    outputs = _lowered_signature(function.function_type).outputs
    new = make(
        util.FuncOp,
        function,
        sym_name=function.sym_name,
        function_type=FunctionType.from_lists(inputs, list(outputs)),
        sym_visibility=function.sym_visibility or StringAttr("private"),
        body=function.detach_region(function.body),
        attributes=function.attributes,
    )
    if given:
        new.properties["arg_attrs"] = ArrayAttr(attrs)
    if function.res_attrs is not None:
        new.properties["res_attrs"] = function.res_attrs
    block = function.parent
    assert block is not None
    block.insert_op_before(new, function)
    block.erase_op(function)


def lower_arguments(blocks: Sequence[Block], storage: StorageSets) -> None:
    """The arguments of a function's blocks, with loops and branches to come."""
    for block in blocks:
        for argument in list(block.args):
            _retype(argument, storage)


def lower_carrier(host: HostLowering, op: Operation) -> None:
    """An op of another dialect that takes or gives stream values: it does so with hal's."""
    for index, operand in enumerate(op.operands):
        if not is_lowered(operand):
            op.operands[index] = host.value_of(operand)
    for result in list(op.results):
        _retype(result, host.storage)


def _retype(value: SSAValue, storage: StorageSets) -> None:
    if is_lowered(value):
        return
    is_resource = isinstance(value.type, stream.ResourceType)
    new = Rewriter.replace_value_with_new_type(value, lowered_type(value.type))
    if is_resource:
        storage.same(new, value)
