"""Ops of the host program that load executables and ask about their exports."""

from xdsl.dialects.builtin import IndexType, SymbolRefAttr, i32, i64
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from .types import DeviceType, ExecutableType


@irdl_op_definition
class ExecutableCreateOp(IRDLOperation):
    """Loads a binary on a device."""

    name = "hal.executable.create"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that run it: bit q for queue q."""
    constants = var_operand_def(i32)
    executable_target = prop_def(SymbolRefAttr)
    """The binary, as `@executable::@binary`."""
    result = result_def(ExecutableType)

    traits = traits_def(Pure())

    assembly_format = (
        "`device` `(` $device `:` type($device) `)` `affinity` `(` $queue_affinity `)` "
        "`target` `(` $executable_target `)` (`constants` `(` `[` $constants^ `]` `)`)? "
        "`:` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class ExecutableLookupOp(IRDLOperation):
    """An executable as loaded on a device, from a cache."""

    name = "hal.executable.lookup"

    device = operand_def(DeviceType)
    executable = prop_def(SymbolRefAttr)
    result = result_def(ExecutableType)

    traits = traits_def(Pure())

    assembly_format = (
        "`device` `(` $device `:` type($device) `)` `executable` `(` $executable `)` "
        "`:` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class ExecutableLookupFunctionOp(IRDLOperation):
    """The runtime's number of a function of an executable."""

    name = "hal.executable.lookup.function"

    executable = operand_def(ExecutableType)
    entry_point = prop_def(SymbolRefAttr)
    """The export, as `@executable::@variant::@export`."""
    result = result_def(i64)

    traits = traits_def(Pure())

    assembly_format = (
        "`target` `(` $executable `:` type($executable) `)` `function` `(` $entry_point `)` "
        "`:` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class ExecutableExportOrdinalOp(IRDLOperation):
    """The ordinal of an export."""

    name = "hal.executable.export.ordinal"

    entry_point = prop_def(SymbolRefAttr)
    """The export, as `@executable::@variant::@export`."""
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "`target` `(` $entry_point `)` `:` type($result) attr-dict-with-keyword"


@irdl_op_definition
class ExecutableCalculateWorkgroupsOp(IRDLOperation):
    """The numbers of workgroups that an export takes for a workload on a device."""

    name = "hal.executable.calculate_workgroups"

    device = operand_def(DeviceType)
    workload = var_operand_def(IndexType())
    """What the export's count region takes besides the device."""
    entry_point = prop_def(SymbolRefAttr)
    """The export, as `@executable::@variant::@export`."""
    workgroup_x = result_def(IndexType())
    workgroup_y = result_def(IndexType())
    workgroup_z = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = (
        "`device` `(` $device `:` type($device) `)` `target` `(` $entry_point `)` "
        "(`workload` `(` `[` $workload^ `]` `)`)? "
        "`:` type($workgroup_x) `,` type($workgroup_y) `,` type($workgroup_z) "
        "attr-dict-with-keyword"
    )


OPS = (
    ExecutableCreateOp,
    ExecutableLookupOp,
    ExecutableLookupFunctionOp,
    ExecutableExportOrdinalOp,
    ExecutableCalculateWorkgroupsOp,
)
"""The ops of this file."""
