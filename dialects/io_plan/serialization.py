"""The I/O plan in a module: attributes that survive printing and every pass.

```mlir
module attributes {zc.io_plan = {…}, zc.memory_size = 7168 : i64,
                   zc.zero_copy_memory_size = 3072 : i64} {
  util.func public @f(%in : !hal.buffer_view {zc.is_zero_copy_block}, …) …
```

`zc.io_plan` is the plan. The others are what GE's loader reads: the size of the model's memory and
of all zero-copy blocks in it (GE-25, GE-27), and which arguments have a block (GE-24), with the
offsets of those who use a part of it (GE-28).
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from ..plan_names import (
    BASIC_OFFSET,
    IS_ZERO_COPY_BLOCK,
    MEMORY_SIZE,
    PLAN,
    RELATIVE_OFFSET,
    ZERO_COPY_MEMORY_SIZE,
    argument_attributes,
    plan_entries,
)
from .attributes import decode, encode
from .checks import check_plan, check_sizes
from .data import IoPlan, ModelIo

_OF_ARGUMENTS = (IS_ZERO_COPY_BLOCK, BASIC_OFFSET, RELATIVE_OFFSET)


def attach_plan(module: ModuleOp, plan: IoPlan) -> None:
    """Write `plan` to the attributes of `module`, in place of an earlier one.

    The size and the markers come with the assignment of memory. Raises VerifyException where the
    plan does not hold, or the module lacks its function.
    """
    function = plan_function(module, plan.function)
    if plan.assigned:
        check_plan(plan)
    module.attributes[PLAN] = encode(plan)
    module.attributes.pop(MEMORY_SIZE, None)
    module.attributes.pop(ZERO_COPY_MEMORY_SIZE, None)
    entries = [_without_plan(entry) for entry in argument_attributes(function)]
    if plan.assigned:
        module.attributes[MEMORY_SIZE] = IntegerAttr(plan.memory_size, i64)
        module.attributes[ZERO_COPY_MEMORY_SIZE] = IntegerAttr(plan.zero_copy_size, i64)
        for io in plan.ios:
            entries[io.argument] |= _io_attributes(io)
    if any(entries):
        function.properties["arg_attrs"] = ArrayAttr(DictionaryAttr(entry) for entry in entries)
    else:
        function.properties.pop("arg_attrs", None)


def read_plan(module: ModuleOp) -> IoPlan | None:
    """The plan of `module`, or None where it has none.

    Raises:
        VerifyException: the attributes are malformed or disagree, or the plan does not hold.
    """
    attribute = module.attributes.get(PLAN)
    _check_size(module)
    if attribute is None:
        return None
    plan = decode(IoPlan, attribute, PLAN)
    function = plan_function(module, plan.function)
    if not plan.assigned:
        return plan
    check_plan(plan)
    _check_arguments(plan, function)
    for name, size, what in (
        (ZERO_COPY_MEMORY_SIZE, plan.zero_copy_size, "the sum of the blocks"),
        (MEMORY_SIZE, plan.memory_size, "the feature map and the blocks"),
    ):
        if (stated := module.attributes.get(name)) != IntegerAttr(size, i64):
            raise VerifyException(f"expected {name} = {size} : i64, {what}, got {stated}")
    return plan


def verify_plan(module: ModuleOp) -> None:
    """Check the plan of `module`, and that markers are where it has them (GE-24).

    Raises:
        VerifyException: as `read_plan`, or a marker on what is no input or output.
    """
    plan = read_plan(module)
    function = None if plan is None else plan_function(module, plan.function)
    for op in module.body.block.ops:
        if op is not function and any(IS_ZERO_COPY_BLOCK in entry for entry in plan_entries(op)):
            raise VerifyException(f"zero-copy marker on internal value: an argument of {_name(op)}")


def _name(op: Operation) -> str:
    symbol = op.properties.get("sym_name")
    return f"@{symbol.data}" if isinstance(symbol, StringAttr) else op.name


def plan_function(module: ModuleOp, name: str) -> Operation:
    """The function of a plan; raises VerifyException where `module` has none of that name."""
    for op in module.body.block.ops:
        symbol = op.properties.get("sym_name")
        if op.name == "util.func" and symbol is not None and symbol == encode(name):
            return op
    raise VerifyException(f"{PLAN} is of the function @{name}, which the module does not have")


def _without_plan(entry: dict[str, Attribute]) -> dict[str, Attribute]:
    return {name: value for name, value in entry.items() if name not in _OF_ARGUMENTS}


def _io_attributes(io: ModelIo) -> dict[str, Attribute]:
    result: dict[str, Attribute] = {}
    if io.zero_copy and io.offset is not None:
        result[IS_ZERO_COPY_BLOCK] = UnitAttr()
    if io.basic_offsets:
        result[BASIC_OFFSET] = DenseArrayBase.from_list(i64, io.basic_offsets)
        result[RELATIVE_OFFSET] = DenseArrayBase.from_list(i64, io.relative_offsets)
    return result


def _check_arguments(plan: IoPlan, function: Operation) -> None:
    """The attributes of the arguments are those of the plan."""
    expected: dict[int, dict[str, Attribute]] = {}
    for io in plan.ios:
        expected.setdefault(io.argument, {}).update(_io_attributes(io))
    for index, entry in enumerate(argument_attributes(function)):
        stated = {name: value for name, value in entry.items() if name in _OF_ARGUMENTS}
        if stated == expected.get(index, {}):
            continue
        if index not in expected and IS_ZERO_COPY_BLOCK in stated:
            raise VerifyException(f"zero-copy marker on internal value: argument {index}")
        raise VerifyException(
            f"argument {index} of @{plan.function} says {DictionaryAttr(stated)}, {PLAN} says "
            f"{DictionaryAttr(expected.get(index, {}))}"
        )


def _check_size(module: ModuleOp) -> None:
    """With markers there is a size; it is not negative (GE-25), and no more than all (GE-27)."""
    size = module.attributes.get(ZERO_COPY_MEMORY_SIZE)
    if size is None:
        for op in module.body.block.ops:
            if op.regions and any(IS_ZERO_COPY_BLOCK in entry for entry in plan_entries(op)):
                raise VerifyException(f"missing zero_copy_memory_size: {ZERO_COPY_MEMORY_SIZE}")
        return
    if not isinstance(size, IntegerAttr) or size.value.data < 0:
        raise VerifyException(f"expected {ZERO_COPY_MEMORY_SIZE} of 0 or more, got {size}")
    total = module.attributes.get(MEMORY_SIZE)
    if isinstance(total, IntegerAttr):
        check_sizes(total.value.data, size.value.data)
