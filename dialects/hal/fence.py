"""Ops for fences: sets of timeline points that submissions and the host wait for and signal.

A fence orders; it does not flush caches.
"""

from xdsl.dialects.builtin import i32
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)

from .enums import FenceFlag, WaitFlag
from .format import EnumConstraint, EnumValue
from .types import DeviceType, FenceType


@irdl_op_definition
class FenceCreateOp(IRDLOperation):
    """A fence that nothing has signaled yet."""

    name = "hal.fence.create"

    device = operand_def(DeviceType)
    """The device that signals it."""
    flags = prop_def(EnumConstraint(FenceFlag))
    result = result_def(FenceType)

    custom_directives = (EnumValue,)

    assembly_format = (
        "`device` `(` $device `:` type($device) `)` `flags` `(` custom<EnumValue>($flags) `)` "
        "`:` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class FenceJoinOp(IRDLOperation):
    """A fence that is reached when all the given ones are."""

    name = "hal.fence.join"

    fences = var_operand_def(FenceType)
    flags = prop_def(EnumConstraint(FenceFlag))
    result = result_def(FenceType)

    custom_directives = (EnumValue,)

    assembly_format = (
        "`at` `(` `[` $fences `]` `)` `flags` `(` custom<EnumValue>($flags) `)` "
        "`->` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class FenceQueryOp(IRDLOperation):
    """The state of a fence now: 0 when reached, a status code otherwise."""

    name = "hal.fence.query"

    fence = operand_def(FenceType)
    status = result_def(i32)

    assembly_format = "`<` $fence `:` type($fence) `>` `:` type($status) attr-dict-with-keyword"


@irdl_op_definition
class FenceSignalOp(IRDLOperation):
    """Signals a fence from the host."""

    name = "hal.fence.signal"

    fence = operand_def(FenceType)

    assembly_format = "`<` $fence `:` type($fence) `>` attr-dict-with-keyword"


@irdl_op_definition
class FenceFailOp(IRDLOperation):
    """Makes every wait on a fence fail."""

    name = "hal.fence.fail"

    fence = operand_def(FenceType)
    status = operand_def(i32)
    """The code that waits fail with."""

    assembly_format = (
        "`<` $fence `:` type($fence) `>` `status` `(` $status `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class FenceAwaitOp(IRDLOperation):
    """Blocks the host until all fences are reached; 0, or the code of a failure or time-out."""

    name = "hal.fence.await"

    timeout_millis = operand_def(i32)
    """0 polls, -1 waits forever."""
    fences = var_operand_def(FenceType)
    flags = prop_def(EnumConstraint(WaitFlag))
    status = result_def(i32)

    custom_directives = (EnumValue,)

    assembly_format = (
        "`until` `(` `[` $fences `]` `)` `timeout_millis` `(` $timeout_millis `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` `:` type($status) attr-dict-with-keyword"
    )


OPS = (FenceCreateOp, FenceJoinOp, FenceQueryOp, FenceSignalOp, FenceFailOp, FenceAwaitOp)
"""The ops of this file."""
