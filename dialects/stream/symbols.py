"""Symbols that stream ops refer to."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

_TABLES: WeakKeyDictionary[Operation, dict[str, Operation]] = WeakKeyDictionary()
"""For a symbol table op, symbols as last seen; an entry is checked before it is used."""


def _symbol_name(op: Operation) -> str | None:
    name = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def _lookup_in(table: Operation, name: str) -> Operation | None:
    """The op named `name` directly in `table`, at constant cost where it was seen before."""
    block = table.regions[0].blocks.first
    if block is None:
        return None
    known = _TABLES.setdefault(table, {})
    found = known.get(name)
    if found is not None and found.parent is block and _symbol_name(found) == name:
        return found
    known.clear()
    for op in block.ops:
        if (symbol := _symbol_name(op)) is not None:
            known.setdefault(symbol, op)
    return known.get(name)


def lookup_symbol(op: Operation, symbol: SymbolRefAttr) -> Operation | None:
    """The op that `symbol` names, from the symbol table op nearest around `op`; else None."""
    table: Operation | None = op.parent_op()
    while table is not None and not table.has_trait(SymbolTable, value_if_unregistered=False):
        table = table.parent_op()
    if table is None:
        return None
    found = _lookup_in(table, symbol.root_reference.data)
    for name in symbol.nested_references:
        if found is None or not found.regions:
            return None
        found = _lookup_in(found, name.data)
    return found


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
    function = _lookup_in(module, reference.root_reference.data)
    type = None if function is None else function.properties.get("function_type")
    return type if isinstance(type, FunctionType) else None


def is_implicitly_captured(type: Attribute) -> bool:
    """Whether a region argument of `type` is given by the system and not by the dispatch."""
    return type.name == "hal.device"
