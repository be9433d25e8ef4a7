"""Symbols: the op that a reference names, found at constant cost where it was seen before."""

from __future__ import annotations

from weakref import WeakKeyDictionary, WeakValueDictionary

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

_TABLES: WeakKeyDictionary[Operation, WeakValueDictionary[str, Operation]] = WeakKeyDictionary()
"""For a symbol table op, symbols as last seen; an entry is checked before it is used.

Weak both ways: an op holds its parents, so a strong value would keep its table alive.
"""


def symbol_name(op: Operation) -> str | None:
    """The symbol that `op` defines, without `@`; None where it defines none."""
    name = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def lookup_in(table: Operation, name: str) -> Operation | None:
    """The op named `name` directly in `table`, at constant cost where it was seen before."""
    block = table.regions[0].blocks.first
    if block is None:
        return None
    known = _TABLES.setdefault(table, WeakValueDictionary())
    found = known.get(name)
    if found is not None and found.parent is block and symbol_name(found) == name:
        return found
    known.clear()
    for op in block.ops:
        if (symbol := symbol_name(op)) is not None:
            known.setdefault(symbol, op)
    return known.get(name)


def symbol_table_of(op: Operation) -> Operation | None:
    """The symbol table op nearest around `op`; None for an op that stands alone."""
    table: Operation | None = op.parent_op()
    while table is not None and not table.has_trait(SymbolTable, value_if_unregistered=False):
        table = table.parent_op()
    return table


def lookup_symbol(op: Operation, symbol: SymbolRefAttr) -> Operation | None:
    """The op that `symbol` names, from the symbol table op nearest around `op`; else None."""
    table = symbol_table_of(op)
    if table is None:
        return None
    found = lookup_in(table, symbol.root_reference.data)
    for name in symbol.nested_references:
        if found is None or not found.regions:
            return None
        found = lookup_in(found, name.data)
    return found
