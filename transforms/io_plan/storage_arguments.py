"""An argument for the storage of each tensor that goes out of a model."""

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType
from xdsl.ir import BlockArgument, SSAValue

from ...dialects import util
from ...dialects.hal.tensor import TensorAliasOp, TensorExportOp
from ...dialects.hal.types import BufferViewType
from ..build import make
from .entry import ModelEntry


def add_storage_arguments(entry: ModelEntry) -> list[int]:
    """Store each output in an argument of `entry`'s function; the argument of each, in order."""
    stored: dict[SSAValue, int] = {}
    result: list[int] = []
    for output in entry.outputs:
        if output.alias is not None:
            assert isinstance(output.alias.storage, BlockArgument)
            result.append(output.alias.storage.index)
            continue
        source = output.export.source
        if source not in stored:
            argument = _add_argument(entry.function)
            alias = _store(output.export, argument)
            stored[alias.result] = argument.index
            exports = [other.export for other in entry.outputs if other.export.source is source]
            for export in exports:
                export.operands[0] = alias.result
        result.append(stored[output.export.source])
    return result


def _add_argument(function: util.FuncOp) -> BlockArgument:
    block = function.body.blocks[0]
    count = len(block.args)
    argument = block.insert_arg(BufferViewType(), count)
    kind = function.function_type
    function.function_type = FunctionType.from_lists(
        [*kind.inputs.data, BufferViewType()], kind.outputs.data
    )
    if function.arg_attrs is not None:
        function.arg_attrs = ArrayAttr([*function.arg_attrs.data, DictionaryAttr({})])
    return argument


def _store(export: TensorExportOp, storage: BlockArgument) -> TensorAliasOp:
    """Store the tensor of `export` in `storage`, before it."""
    alias = make(
        TensorAliasOp,
        export,
        [export.source.type],
        source=export.source,
        source_dims=list(export.source_dims),
        storage=storage,
        affinity=export.affinity,
    )
    block = export.parent
    assert block is not None
    block.insert_op_before(alias, export)
    return alias
