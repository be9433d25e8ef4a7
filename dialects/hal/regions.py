"""Regions of executables and memoized computations, and the op that ends them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FunctionType, IndexType
from xdsl.ir import Attribute, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, traits_def, var_operand_def
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from .types import DeviceType


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """Ends a region of an executable or of a memoized computation with its results."""

    name = "hal.return"

    values = var_operand_def()

    traits = traits_def(IsTerminator())

    assembly_format = "($values^ `:` type($values))? attr-dict"

    def verify_(self) -> None:
        """Check the values against the signature of a function that it ends."""
        parent = self.parent_op()
        signature = None if parent is None else parent.properties.get("function_type")
        if not isinstance(signature, FunctionType):
            return
        expected, got = signature.outputs.data, tuple(self.values.types)
        if expected != got:
            raise VerifyException(
                f"expected the signature's results {listed(expected)}, got {listed(got)}"
            )


def check_device_region(region: Region, results: Sequence[Attribute], what: str) -> None:
    """Check that a region takes a device and then indices and returns values of `results`.

    Raises:
        VerifyException: naming the region as `what`.
    """
    if len(region.blocks) > 1:
        raise VerifyException(f"expected one block in the {what} region, got {len(region.blocks)}")
    types = tuple(region.block.arg_types)
    if types[:1] != (DeviceType(),) or any(type != IndexType() for type in types[1:]):
        raise VerifyException(
            f"expected the {what} region to take (!hal.device, index, …), got {listed(types)}"
        )
    check_returns(region, results, what)


def check_returns(region: Region, results: Sequence[Attribute], what: str) -> None:
    """Check the types that the region's returns give; raises VerifyException."""
    for block in region.blocks:
        last = block.last_op
        if isinstance(last, ReturnOp) and tuple(last.operand_types) != tuple(results):
            raise VerifyException(
                f"expected the {what} region to return {listed(results)}, got "
                f"{listed(last.operand_types)}"
            )


def listed(types: Sequence[Attribute]) -> str:
    """Types as `(a, b)` for a message."""
    return f"({', '.join(str(type) for type in types)})"


OPS = (ReturnOp,)
"""The ops of this file."""
