"""What stands behind the symbols that stream ops refer to."""

from __future__ import annotations

from xdsl.dialects.builtin import FunctionType, ModuleOp, SymbolRefAttr
from xdsl.ir import Attribute, Operation

from ..symbols import lookup_in


def inner_module(executable: Operation) -> ModuleOp | None:
    """The module with the functions of an executable."""
    region = executable.regions[0]
    ops = region.block.ops if region.blocks else ()
    return next((op for op in ops if isinstance(op, ModuleOp)), None)


def exported_function_type(export: Operation) -> FunctionType | None:
    """The type of the function behind a `stream.executable.export`, where it is there."""
    reference = export.properties.get("function_ref")
    parent = export.parent_op()
    module = None if parent is None else inner_module(parent)
    if module is None or not isinstance(reference, SymbolRefAttr):
        return None
    function = lookup_in(module, reference.root_reference.data)
    type = None if function is None else function.properties.get("function_type")
    return type if isinstance(type, FunctionType) else None


def is_implicitly_captured(type: Attribute) -> bool:
    """Whether a region argument of `type` is given by the system and not by the dispatch."""
    return type.name == "hal.device"
