"""Ops for allocators: host-ordered allocation and import of memory."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, i1, i32, i64
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import (
    ParsingState,
    PrintingState,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..devices import verify_devices_declared
from ..format import SharedDirective, SizeAwareType, parse_list
from ..util.types import BufferType as HostBufferType
from .enums import Lifetime
from .format import EnumConstraint, EnumValue
from .types import AllocatorType, BufferType, DeviceType


@irdl_custom_directive
class DeviceQueueAffinityList(SharedDirective):
    """`[(%device, %queue_affinity : !hal.device, i64), …]`."""

    devices: VariadicOperandVariable
    types: TypeDirective
    queue_affinities: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""

        def parse_entry() -> tuple[UnresolvedOperand, UnresolvedOperand, Attribute]:
            with parser.in_parens():
                device = parser.parse_unresolved_operand()
                parser.parse_punctuation(",")
                affinity = parser.parse_unresolved_operand()
                parser.parse_punctuation(":")
                type = parser.parse_type()
                parser.parse_punctuation(",")
                parser.parse_type()
            return device, affinity, type

        with parser.in_square_brackets():
            entries = parse_list(parser, parse_entry)
        self.devices.set(state, [entry[0] for entry in entries])
        self.queue_affinities.set(state, [entry[1] for entry in entries])
        self.types.set(state, [entry[2] for entry in entries])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        rows = zip(self.devices.get(op), self.queue_affinities.get(op), strict=True)
        with printer.in_square_brackets():
            for index, (device, affinity) in enumerate(rows):
                printer.print_string(", (" if index else "(")
                printer.print_list((device, affinity), printer.print_ssa_value)
                printer.print_string(" : ")
                printer.print_list((device.type, affinity.type), printer.print_attribute)
                printer.print_string(")")
        state.last_was_punctuation = True


@irdl_op_definition
class AllocatorSelectOp(IRDLOperation):
    """The first of several devices whose allocator can make memory of the given kind."""

    name = "hal.allocator.select"

    devices = var_operand_def(DeviceType)
    queue_affinities = var_operand_def(i64)
    """One for each device: bit q for queue q."""
    memory_types = operand_def(i32)
    """Bits of `MemoryType`."""
    buffer_usage = operand_def(i32)
    """Bits of `BufferUsage`."""
    selected_device = result_def(DeviceType)
    selected_queue_affinity = result_def(i64)

    irdl_options = (SameVariadicOperandSize(),)
    traits = traits_def(Pure())
    custom_directives = (DeviceQueueAffinityList,)

    assembly_format = (
        "`from` `(` custom<DeviceQueueAffinityList>($devices, type($devices), $queue_affinities) "
        "`)` `type` `(` $memory_types `)` `usage` `(` $buffer_usage `)` `:` "
        "type($selected_device) `,` type($selected_queue_affinity) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that there is a choice."""
        if not self.devices:
            raise VerifyException("expected at least one device to select from, got none")


@irdl_op_definition
class AllocatorAllocateOp(IRDLOperation):
    """Memory of a device, available at once."""

    name = "hal.allocator.allocate"

    allocator = operand_def(AllocatorType)
    queue_affinity = operand_def(i64)
    """Queues that use the memory: bit q for queue q."""
    memory_types = operand_def(i32)
    """Bits of `MemoryType`."""
    buffer_usage = operand_def(i32)
    """Bits of `BufferUsage`."""
    result_size = operand_def(IndexType())
    """Bytes."""
    result = result_def(BufferType)

    custom_directives = (SizeAwareType,)

    assembly_format = (
        "`<` $allocator `:` type($allocator) `>` `affinity` `(` $queue_affinity `)` "
        "`type` `(` $memory_types `)` `usage` `(` $buffer_usage `)` `:` "
        "custom<SizeAwareType>(type($result), $result_size) attr-dict-with-keyword"
    )


@irdl_op_definition
class AllocatorImportOp(IRDLOperation):
    """Makes a range of host memory a buffer without copying, if the device can."""

    name = "hal.allocator.import"

    allocator = operand_def(AllocatorType)
    queue_affinity = operand_def(i64)
    """Queues that use the memory: bit q for queue q."""
    memory_types = operand_def(i32)
    """Bits of `MemoryType`."""
    buffer_usage = operand_def(i32)
    """Bits of `BufferUsage`."""
    source = operand_def(HostBufferType)
    offset = operand_def(IndexType())
    """Bytes."""
    length = operand_def(IndexType())
    """Bytes."""
    did_import = result_def(i1)
    result = result_def(BufferType)
    """Null unless it did."""

    assembly_format = (
        "`<` $allocator `:` type($allocator) `>` `source` `(` $source `:` type($source) `)` "
        "`` `[` $offset `,` $length `]` `affinity` `(` $queue_affinity `)` "
        "`type` `(` $memory_types `)` `usage` `(` $buffer_usage `)` `:` "
        "type($did_import) `,` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class AllocatorResolveMemoryPropertiesOp(IRDLOperation):
    """The memory and usage bits that a resource of some lifetime needs on some devices (IR-26)."""

    name = "hal.allocator.resolve_memory_properties"

    affinity = opt_prop_def(Attribute)
    """The devices that use it; the default one without."""
    lifetime = prop_def(EnumConstraint(Lifetime))
    memory_types = result_def(i32)
    """Bits of `MemoryType`."""
    buffer_usage = result_def(i32)
    """Bits of `BufferUsage`."""

    traits = traits_def(Pure())
    custom_directives = (EnumValue,)

    assembly_format = (
        "(`for` `(` $affinity^ `)`)? `lifetime` `(` custom<EnumValue>($lifetime) `)` `:` "
        "type($memory_types) `,` type($buffer_usage) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that the devices are declared."""
        if self.affinity is not None:
            verify_devices_declared(self, self.affinity)


OPS = (
    AllocatorSelectOp,
    AllocatorAllocateOp,
    AllocatorImportOp,
    AllocatorResolveMemoryPropertiesOp,
)
"""The ops of this file."""
