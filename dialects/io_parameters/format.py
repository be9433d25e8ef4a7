"""Directives of the ops: rows between ranges of a buffer and parameters.

They are those of the stream dialect without the size of the resource.
"""

from __future__ import annotations

from xdsl.irdl.declarative_assembly_format import (
    OperandVariable,
    OptionalOperandVariable,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)

from ..stream.format_parameters import TransferOperations, TransferRows


@irdl_custom_directive
class ParameterGatherOperations(TransferOperations):
    """`%scope::%key[%offset] -> %target[%start for %length] : type, …`."""

    scope: OptionalOperandVariable
    keys: VariadicOperandVariable
    offsets: VariadicOperandVariable
    resource: OperandVariable
    type: TypeDirective
    starts: VariadicOperandVariable
    lengths: VariadicOperandVariable

    def rows(self) -> TransferRows:
        """The parameters, in one order."""
        return TransferRows(
            True,
            self.scope,
            self.keys,
            self.offsets,
            self.resource,
            self.type,
            None,
            (self.starts, self.lengths),
        )


@irdl_custom_directive
class ParameterScatterOperations(TransferOperations):
    """`%source[%start for %length] : type -> %scope::%key[%offset], …`."""

    resource: OperandVariable
    type: TypeDirective
    starts: VariadicOperandVariable
    lengths: VariadicOperandVariable
    scope: OptionalOperandVariable
    keys: VariadicOperandVariable
    offsets: VariadicOperandVariable

    def rows(self) -> TransferRows:
        """The parameters, in one order."""
        return TransferRows(
            False,
            self.scope,
            self.keys,
            self.offsets,
            self.resource,
            self.type,
            None,
            (self.starts, self.lengths),
        )
