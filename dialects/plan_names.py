"""Names of the attributes of an I/O plan, and whether an op has some.

Apart from the plan itself, which most modules lack: tools start without loading it.
"""

from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute, Operation

PLAN = "zc.io_plan"
"""Module attribute: the plan."""
MEMORY_SIZE = "zc.memory_size"
"""Module attribute: bytes of the model's memory, zero-copy blocks included (GE-27)."""
ZERO_COPY_MEMORY_SIZE = "zc.zero_copy_memory_size"
"""Module attribute: bytes of all zero-copy blocks (GE-25)."""
IS_ZERO_COPY_BLOCK = "zc.is_zero_copy_block"
"""Attribute of an argument: its memory is a zero-copy block (GE-24)."""
BASIC_OFFSET = "zc.zero_copy_basic_offset"
RELATIVE_OFFSET = "zc.zero_copy_relative_offset"


def has_plan_attributes(op: Operation) -> bool:
    """Whether `op`, a module or a function, says something of an I/O plan."""
    if PLAN in op.attributes or ZERO_COPY_MEMORY_SIZE in op.attributes:
        return True
    return any(IS_ZERO_COPY_BLOCK in entry for entry in plan_entries(op))


def argument_attributes(function: Operation) -> list[dict[str, Attribute]]:
    """The attributes of each argument of a function."""
    given = function.properties.get("arg_attrs")
    block = function.regions[0].first_block
    count = 0 if block is None else len(block.args)
    if not isinstance(given, ArrayAttr):
        return [{} for _ in range(count)]
    entries = cast(ArrayAttr[Attribute], given)
    return [dict(entry.data) if isinstance(entry, DictionaryAttr) else {} for entry in entries]


def plan_entries(op: Operation) -> list[dict[str, Attribute]]:
    """The attributes of each argument of `op`; none where it states none."""
    return argument_attributes(op) if "arg_attrs" in op.properties else []
