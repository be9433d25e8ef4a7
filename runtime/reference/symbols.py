"""Symbols by name, with one dictionary for each symbol table instead of a search for each use."""

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolTable


class Symbols:
    """Looks symbols up; the program must not change in the meantime."""

    def __init__(self) -> None:
        self._tables: dict[Operation, dict[str, Operation]] = {}

    def lookup(self, user: Operation, symbol: SymbolRefAttr) -> Operation | None:
        """The op that `symbol` names for `user`, in the nearest symbol table that has it."""
        table = user.parent_op()
        while table is not None:
            if table.has_trait(SymbolTable, value_if_unregistered=False):
                found = self.lookup_in(table, symbol)
                if found is not None:
                    return found
            table = table.parent_op()
        return None

    def lookup_in(self, table: Operation, symbol: SymbolRefAttr) -> Operation | None:
        """The op that `symbol`, nested or not, names in `table`."""
        found: Operation | None = table
        names = (symbol.root_reference.data, *(name.data for name in symbol.nested_references))
        for name in names:
            if found is None or not found.has_trait(SymbolTable, value_if_unregistered=False):
                return None
            found = self.table(found).get(name)
        return found

    def table(self, op: Operation) -> dict[str, Operation]:
        """The symbols that `op` holds, in order."""
        known = self._tables.get(op)
        if known is None:
            known = self._tables[op] = {
                name.data: inner
                for region in op.regions
                for block in region.blocks
                for inner in block.ops
                if isinstance(name := inner.properties.get("sym_name"), StringAttr)
            }
        return known
