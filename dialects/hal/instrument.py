"""Ops that kernels report with into a buffer of the host's."""

from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, StringAttr, i8, i32
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure


@irdl_op_definition
class InstrumentWorkgroupOp(IRDLOperation):
    """Announces a workgroup; the key names it in later reports."""

    name = "hal.instrument.workgroup"

    buffer = operand_def(MemRefType)
    dispatch_id = operand_def(i32)
    """Which dispatch."""
    workgroup_key = result_def(IndexType())

    assembly_format = (
        "`` `[` $buffer `:` type($buffer) `]` `dispatch` `(` $dispatch_id `)` "
        "attr-dict `:` type($workgroup_key)"
    )


@irdl_op_definition
class InstrumentPrintOp(IRDLOperation):
    """Reports values as formatted text."""

    name = "hal.instrument.print"

    buffer = operand_def(MemRefType)
    workgroup_key = operand_def(IndexType())
    values = var_operand_def()
    format = prop_def(StringAttr)

    assembly_format = (
        "`` `[` $buffer `:` type($buffer) `for` $workgroup_key `]` "
        "$format (`*` `(` $values^ `:` type($values) `)`)? attr-dict"
    )


@irdl_op_definition
class InstrumentValueOp(IRDLOperation):
    """Reports a value and passes it on."""

    name = "hal.instrument.value"

    T: ClassVar = VarConstraint("T", AnyAttr())

    buffer = operand_def(MemRefType)
    workgroup_key = operand_def(IndexType())
    operand = operand_def(T)
    """The value."""
    ordinal = prop_def(IntegerAttr.constr(i8))
    """Which value of the kernel it is."""
    result = result_def(T)

    assembly_format = (
        "`` `[` $buffer `:` type($buffer) `for` $workgroup_key `]` "
        "qualified($ordinal) `=` $operand attr-dict `:` type($operand)"
    )


@irdl_op_definition
class InstrumentMemoryLoadOp(IRDLOperation):
    """Reports a load and passes the loaded value on."""

    name = "hal.instrument.memory.load"

    T: ClassVar = VarConstraint("T", AnyAttr())

    buffer = operand_def(MemRefType)
    workgroup_key = operand_def(IndexType())
    load_value = operand_def(T)
    base = operand_def(MemRefType)
    """What is loaded from."""
    indices = var_operand_def(IndexType())
    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = (
        "`` `[` $buffer `:` type($buffer) `for` $workgroup_key `]` "
        "$base `[` $indices `]` `,` $load_value attr-dict `:` type($base) `,` type($result)"
    )


@irdl_op_definition
class InstrumentMemoryStoreOp(IRDLOperation):
    """Reports a store and passes the stored value on."""

    name = "hal.instrument.memory.store"

    T: ClassVar = VarConstraint("T", AnyAttr())

    buffer = operand_def(MemRefType)
    workgroup_key = operand_def(IndexType())
    store_value = operand_def(T)
    base = operand_def(MemRefType)
    """What is stored to."""
    indices = var_operand_def(IndexType())
    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = (
        "`` `[` $buffer `:` type($buffer) `for` $workgroup_key `]` "
        "$base `[` $indices `]` `,` $store_value attr-dict `:` type($base) `,` type($result)"
    )


OPS = (
    InstrumentWorkgroupOp,
    InstrumentPrintOp,
    InstrumentValueOp,
    InstrumentMemoryLoadOp,
    InstrumentMemoryStoreOp,
)
"""The ops of this file."""
