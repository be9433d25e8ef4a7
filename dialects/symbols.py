"""Symbols: the op that a reference names, found at constant cost where it was seen before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary, WeakValueDictionary

from typing_extensions import TypeVar
from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AttrConstraint, IntConstraint, VerificationContext
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

VISIBILITIES = ("public", "private", "nested")


@dataclass(frozen=True)
class VisibilityConstraint(AttrConstraint[StringAttr]):
    """A string that MLIR takes for the visibility of a symbol."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Raises VerifyException for anything else."""
        if not isinstance(attr, StringAttr) or attr.data not in VISIBILITIES:
            raise VerifyException(f"expected public, private or nested as visibility, got {attr}")

    def get_bases(self) -> set[type[Attribute]]:
        """Strings."""
        return {StringAttr}

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint[StringAttr]:
        """No type variables."""
        return self


VISIBILITY = VisibilityConstraint()
"""What `sym_visibility` may be."""

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
