"""What a value of the flow level becomes: types, operands and block arguments, one or two for one.

A tensor becomes a resource, followed by its size in bytes where its type leaves that open; at a
function's boundary the size always follows, as IREE's functions have it.

```mlir
^bb1(%0: tensor<4xf32>, %1: tensor<?xf32>, %2: i1)
// becomes
^bb1(%0: !stream.resource<*>, %1: !stream.resource<*>, %1_size: index, %2: i1)
```
"""

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, UnrankedTensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from ...dialects import flow, stream
from ...dialects.diagnostics import fail
from ..build import INDEX
from .lowering import UNKNOWN, Lowering, Resource

CHANNEL = stream.ChannelType()


def is_tensor(type: Attribute) -> bool:
    """Whether values of `type` become resources."""
    return isinstance(type, TensorType | UnrankedTensorType)


def is_converted(type: Attribute) -> bool:
    """Whether values of `type` become something else at stream level."""
    return is_tensor(type) or isinstance(type, flow.ChannelType)


def has_static_size(type: Attribute) -> bool:
    """Whether the type of a tensor states its size."""
    return isa(type, TensorType[Attribute]) and DYNAMIC_INDEX not in type.get_shape()


def expanded_types(types: Iterable[Attribute], boundary: bool) -> list[Attribute]:
    """What values of `types` become; `boundary` for arguments and results of functions."""
    expanded: list[Attribute] = []
    for type in types:
        if isinstance(type, flow.ChannelType):
            expanded.append(CHANNEL)
        elif is_tensor(type):
            expanded.append(UNKNOWN)
            if boundary or not has_static_size(type):
                expanded.append(INDEX)
        else:
            expanded.append(type)
    return expanded


def positions(types: Sequence[Attribute], boundary: bool) -> list[int]:
    """For each of `types` the number of the first value that stands for it."""
    found: list[int] = []
    at = 0
    for type in types:
        found.append(at)
        at += len(expanded_types((type,), boundary))
    return found


def expanded_operands(lowering: Lowering, boundary: bool) -> list[list[SSAValue]]:
    """What each operand of the current op becomes, moved to where its target lives."""
    expanded: list[list[SSAValue]] = []
    for index, value in enumerate(lowering.op.operands):
        if is_tensor(value.type):
            target = lowering.program.carried.get((lowering.op, index))
            home = None if target is None else lowering.value_affinity(target)
            resource = lowering.resource_on(value, home)
            sized = boundary or not has_static_size(value.type)
            expanded.append([resource.value, resource.size] if sized else [resource.value])
        else:
            expanded.append([lowering.channels.get(value, value)])
    return expanded


def define_results(lowering: Lowering, old: Operation, new: Operation, boundary: bool) -> None:
    """Let the results of `new` stand for those of `old`."""
    at = positions(old.result_types, boundary)
    for number, result in enumerate(old.results):
        if not is_converted(result.type):
            result.replace_all_uses_with(new.results[at[number]])
            continue
        count = len(expanded_types((result.type,), boundary))
        added = new.results[at[number] : at[number] + count]
        define(lowering, result, added[0], added[1:])


def define(lowering: Lowering, old: SSAValue, new: SSAValue, following: Sequence[SSAValue]) -> None:
    """Let `new` stand for the tensor or channel `old`; its size may be the value after it."""
    new.name_hint = old.name_hint
    if following and old.name_hint is not None:
        following[0].name_hint = f"{old.name_hint}_size"
    if isinstance(old.type, flow.ChannelType):
        lowering.channels[old] = new
    elif has_static_size(old.type):
        lowering.resources[old] = Resource(new, lowering.byte_size(old.type, ()))
    elif isinstance(old.type, UnrankedTensorType):
        fail(lowering.op, f"expected a ranked tensor type, got {old.type}")
    else:
        lowering.resources[old] = Resource(new, following[0])


def expand_arguments(lowering: Lowering, block: Block, boundary: bool) -> list[BlockArgument]:
    """Add the arguments that stand for those of `block`; gives those to be erased in the end."""
    replaced: list[BlockArgument] = []
    for old in block.args:
        if not is_converted(old.type):
            continue
        replaced.append(old)
        added = [
            block.insert_arg(type, old.index + 1 + number, old.location)
            for number, type in enumerate(expanded_types((old.type,), boundary))
        ]
        define(lowering, old, added[0], added[1:])
    return replaced
